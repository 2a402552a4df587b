/*
 * config/choices.h - lists of valid names, for error messages.
 */
#ifndef CONFIG_CHOICES_H
#define CONFIG_CHOICES_H

#include "regs/model.h"

/* Each fills and returns buf: "event umask edge"; "none" for an empty list. */
const char *choices_boxes(const struct model *, char *buf, size_t size);
const char *choices_fields(const struct box_type *, char *buf, size_t size);
const char *choices_filters(const struct box_type *, char *buf, size_t size);
const char *choices_pieces(const struct field *, char *buf, size_t size); /* "7:0 35:32" */
const char *choices_bits(uint64_t bits, char *buf, size_t size);  /* "20, 40-43" */
/* choices_add - add one name to a list (made empty by buf[0] = '\0'). */
void choices_add(char *buf, size_t size, const char *name);

#endif
