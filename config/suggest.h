/*
 * config/suggest.h - what a message offers instead of a wrong name: names close
 * to it ("did you mean"), or a list of all that are valid.
 */
#ifndef CONFIG_SUGGEST_H
#define CONFIG_SUGGEST_H

#include "regs/model.h"

#include <stddef.h>

#define NEAR_NAMES 3            /* suggestions that are kept */
#define NEAR_NAME 128           /* longer names are never suggested */

struct near {
	const char *wanted;
	const char *name;               /* the best so far; NULL: none is near */
	char kept[NEAR_NAMES][NEAR_NAME];       /* the best first */
	unsigned distance[NEAR_NAMES];  /* twice the edits; 0: the same name */
	unsigned n, limit;
};

/* near_init - look for names like `wanted`, which outlives the search. */
void near_init(struct near *, const char *wanted);
/* near_try - keep the candidate if it is among the nearest so far.  Case is
 * ignored. */
void near_try(struct near *, const char *candidate);
/* near_words - "A, B or C", in buf; "" if no name is near. */
#define NEAR_WORDS (NEAR_NAMES * (NEAR_NAME + 4))
const char *near_words(const struct near *, char *buf, size_t size);
/* near_meant - "; did you mean A, B or C?", for the end of a message. */
#define NEAR_MEANT (NEAR_WORDS + 20)
const char *near_meant(const struct near *, char *buf, size_t size);

/* Lists of valid names.  Each fills and returns buf: "event umask edge"; "none" for an empty
 * list. */
const char *choices_boxes(const struct model *, char *buf, size_t size);
const char *choices_fields(const struct box_type *, char *buf, size_t size);
const char *choices_filters(const struct box_type *, char *buf, size_t size);
const char *choices_pieces(const struct field *, char *buf, size_t size); /* "7:0 35:32" */
const char *choices_bits(uint64_t bits, char *buf, size_t size);  /* "20, 40-43" */
/* choices_add - add one name to a list (made empty by buf[0] = '\0'). */
void choices_add(char *buf, size_t size, const char *name);

#endif
