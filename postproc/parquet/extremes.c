/*
 * postproc/parquet/extremes.c - the least and the greatest of some values.
 */
#include "postproc/parquet/extremes.h"

#include <stdlib.h>
#include <string.h>

void
extremes_fini(struct extremes *e)
{
	free(e->least_text);
	free(e->most_text);
	*e = (struct extremes){ .any = false };
}

static bool
below(enum parquet_type type, uint64_t a, uint64_t b)
{
	double x, y;

	switch (type) {
	case PARQUET_REAL:
	case PARQUET_REAL_FEW:
		memcpy(&x, &a, 8);
		memcpy(&y, &b, 8);
		return x < y;
	case PARQUET_COUNT:
		return a < b;
	default:
		return (int64_t)a < (int64_t)b;
	}
}

void
extremes_number(struct extremes *e, enum parquet_type type, uint64_t value)
{
	if (!e->any || below(type, value, e->least))
		e->least = value;
	if (!e->any || below(type, e->most, value))
		e->most = value;
	e->any = true;
}

static bool
keep_text(char **to, const char *text)
{
	char *copy = strdup(text);

	if (copy == NULL)
		return false;
	free(*to);
	*to = copy;
	return true;
}

bool
extremes_text(struct extremes *e, const char *text)
{
	bool any = e->any;

	e->any = true;
	return (any && strcmp(text, e->least_text) >= 0) ||
	    keep_text(&e->least_text, text) ?
	    (any && strcmp(text, e->most_text) <= 0) ||
	    keep_text(&e->most_text, text) : false;
}
