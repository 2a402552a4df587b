/*
 * postproc/out/head_pairs.c - a dump's head as pairs of texts.
 */
#include "postproc/out/head_pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pairs_to {
	const struct reader *reader;
	void (*put)(void *, const char *key, const char *value);
	void *arg;
};

/* Does an earlier column have the same family? */
static bool
had_family(const struct reader *r, unsigned c)
{
	const struct column *it = read_column(r, c), *first = NULL;

	for (unsigned i = 0; i < c && first == NULL; i++)
		if (read_column(r, i)->id.family == it->id.family)
			first = read_column(r, i);
	return first != NULL;
}

/* "family=unit", a line each. */
static void
put_units(const struct reader *r, FILE *f)
{
	for (unsigned c = 0; c < read_columns(r); c++) {
		const struct family *family = read_column(r, c)->id.family;

		if (family->unit[0] != '\0' && !had_family(r, c))
			fprintf(f, "%s=%s\n", family->name, family->unit);
	}
}

/* Finds the last index of a name like name[5], and where its '[' is; false: it has
 * none. */
static bool
last_index(const char *name, unsigned *at, unsigned long *index)
{
	const char *open = strrchr(name, '[');
	char *end;

	if (open == NULL || open[1] < '0' || open[1] > '9')
		return false;
	*index = strtoul(open + 1, &end, 10);
	*at = (unsigned)(open - name);
	return strcmp(end, "]") == 0;
}

/* Is b equal to a, except that its last index is greater by `by`? */
static bool
head_pairs_goes_on(const struct constant *a, const struct constant *b,
    unsigned by)
{
	unsigned long x, y;
	unsigned n, m;

	return last_index(a->name, &n, &x) && last_index(b->name, &m, &y) &&
	    n == m && strncmp(a->name, b->name, n) == 0 && y == x + by &&
	    a->none == b->none && strcmp(a->exact, b->exact) == 0;
}

/* Gives constant i as a pair, together with those after it that have the same value, as
 * NAME[0-23].  Returns how many constants these are. */
static unsigned
put_constants(const struct pairs_to *to, unsigned i)
{
	const struct reader *r = to->reader;
	const struct constant *c = read_constant(r, i);
	char name[MAX_NAME];
	unsigned long first;
	unsigned n = 1, at;

	while (i + n < read_constants(r) &&
	    head_pairs_goes_on(c, read_constant(r, i + n), n))
		n++;
	if (c->none)
		return n;
	if (n == 1) {
		to->put(to->arg, c->name, c->exact);
	} else if (last_index(c->name, &at, &first)) {
		snprintf(name, sizeof(name), "%.*s[%lu-%lu]", (int)at,
		    c->name, first, first + n - 1);
		to->put(to->arg, name, c->exact);
	}
	return n;
}

void
head_pairs(const struct reader *r, void (*put)(void *, const char *key,
    const char *value), void *arg)
{
	struct pairs_to to = { r, put, arg };
	char *units = NULL;
	size_t size;
	FILE *f = open_memstream(&units, &size);

	if (f != NULL) {
		put_units(r, f);
		if (fclose(f) == 0)
			put(arg, "tally.units", units);
		free(units);
	}
	for (unsigned i = 0; i < read_constants(r);)
		i += put_constants(&to, i);
}
