/*
 * config/choices.c - lists of valid names, for error messages.
 */
#include "config/choices.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void
choices_add(char *buf, size_t size, const char *name)
{
	size_t n = strlen(buf);

	if (n < size)
		snprintf(buf + n, size - n, "%s%s", n > 0 ? " " : "", name);
}

const char *
choices_boxes(const struct model *model, char *buf, size_t size)
{
	buf[0] = '\0';
	if (model->core != NULL)
		choices_add(buf, size, model->core->name);
	for (const struct box_type *b = model->box; b->name != NULL; b++)
		choices_add(buf, size, b->name);
	for (char *c = buf; *c != '\0'; c++)
		*c = (char)tolower((unsigned char)*c);
	return buf[0] != '\0' ? buf : "none";
}

const char *
choices_filters(const struct box_type *type, char *buf, size_t size)
{
	buf[0] = '\0';
	for (unsigned f = 0; f < MAX_FILTERS; f++)
		if (type->filter[f].name != NULL)
			choices_add(buf, size, type->filter[f].name);
	return buf[0] != '\0' ? buf : "none";
}

const char *
choices_fields(const struct box_type *type, char *buf, size_t size)
{
	buf[0] = '\0';
	for (const struct field *f = type->field; f->name != NULL; f++)
		if (field_named(type->field, f->name) == f)
			choices_add(buf, size, f->name);
	return buf;
}

const char *
choices_pieces(const struct field *f, char *buf, size_t size)
{
	char piece[16];

	buf[0] = '\0';
	for (; f != NULL; f = field_named(f + 1, f->name)) {
		snprintf(piece, sizeof(piece), "%u:%u", f->hi, f->lo);
		choices_add(buf, size, piece);
	}
	return buf;
}

const char *
choices_bits(uint64_t bits, char *buf, size_t size)
{
	size_t n = 0;

	buf[0] = '\0';
	for (unsigned lo = 0, hi; lo < 64 && n < size; lo = hi + 1) {
		for (hi = lo; hi < 63 && bits >> hi & bits >> (hi + 1) & 1;)
			hi++;
		if ((bits >> lo & 1) == 0)
			continue;
		n += (size_t)snprintf(buf + n, size - n,
		    lo == hi ? "%s%u" : "%s%u-%u", n > 0 ? ", " : "", lo, hi);
	}
	return buf;
}
