/*
 * postproc/out/judged.c - a dump's intervals, with what each column counted.
 */
#include "postproc/out/judged.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAST_SECOND 253402300799u       /* of the year 9999 */

void
judged_init(struct judged *j, struct intervals *iv)
{
	*j = (struct judged){ .iv = iv, .reader = intervals_reader(iv) };
}

void
judged_fini(struct judged *j)
{
	turns_fini(&j->turns);
	jobs_fini(&j->jobs);
}

int
judged_next(struct judged *j, struct diag *why)
{
	int rc = intervals_next(j->iv, &j->step, why);

	if (rc <= 0)
		return rc;
	rc = turns_load(&j->turns, j->reader, j->step.ncol, j->step.delta);
	if (rc == 0 && (j->nconstant != read_constants(j->reader) ||
	    j->node[0] == '\0')) {
		node_name(j->node, j->reader);
		j->nconstant = read_constants(j->reader);
		jobs_fini(&j->jobs);
		j->jobs = (struct jobs){ .n = 0 };
		rc = jobs_load(&j->jobs, j->reader);
	}
	return rc < 0 ? diag_set(why, rc, "out of memory") : 1;
}

struct judged_value
judged_value(const struct judged *j, unsigned c)
{
	const struct interval *step = &j->step;
	enum column_class cls = read_column(j->reader, c)->cls;
	struct judged_value v = { .kind = "reading", .share = 1 };

	if (step->kind[c] == DELTA_NONE && class_is_counter(cls)) {
		v.none = true;
		v.kind = "not due";
		return v;
	}
	if (step->kind[c] == DELTA_NONE) {
		v.value = step->value[c];
		v.none = v.value == ABSENT;
		v.below = cls == CLASS_TEMP;
		if (v.none)
			v.kind = delta_word(DELTA_ABSENT);
		return v;
	}
	v.value = step->delta[c];
	v.none = !counted(&j->turns, step, c) ||
	    delta_doubtful(step->kind[c]);
	v.kind = counted_word(&j->turns, step, c);
	v.share = counted_share(&j->turns, step, c);
	return v;
}

static uint64_t
clock_part(const struct judged *j, const char *name)
{
	int c = read_find(j->reader, name);

	return c >= 0 && (unsigned)c < j->step.ncol ? j->step.value[c] : ABSENT;
}

bool
judged_time(const struct judged *j, int64_t *us)
{
	uint64_t s = clock_part(j, "walltime[0]");
	uint64_t rest = clock_part(j, "walltime[1]");

	if (s > LAST_SECOND || rest > 999999)
		return false;
	*us = (int64_t)(s * 1000000 + rest);
	return true;
}

static bool
ran(const struct judged *j, const struct job_span *s)
{
	return s->begin.sample <= j->step.sample && (s->ended ?
	    s->end.sample : s->lost) > j->step.before_sample;
}

const char *
judged_job(struct judged *j)
{
	size_t n = 0;

	for (unsigned i = 0; i < j->jobs.n; i++) {
		const struct job_span *s = &j->jobs.span[i];

		if (ran(j, s) && n + strlen(s->id) + 2 < sizeof(j->running))
			n += (size_t)sprintf(j->running + n, "%s%s", n > 0 ?
			    "," : "", s->id);
	}
	return n > 0 ? j->running : NULL;
}

/* Did a column before this one have its family? */
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

/* The last index of a name that ends in one, name[5], and where it
 * begins; false: it does not. */
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

/* Is b what a is, but for an index that is `by` more? */
static bool
goes_on(const struct constant *a, const struct constant *b, unsigned by)
{
	unsigned long x, y;
	unsigned n, m;

	return last_index(a->name, &n, &x) && last_index(b->name, &m, &y) &&
	    n == m && strncmp(a->name, b->name, n) == 0 && y == x + by &&
	    a->none == b->none && strcmp(a->exact, b->exact) == 0;
}

/* Constant i, and those behind it that are the same, which are one pair:
 * NAME[0-23].  How many they are. */
static unsigned
put_constants(const struct reader *r, unsigned i, struct parquet *p)
{
	const struct constant *c = read_constant(r, i);
	char name[MAX_NAME];
	unsigned long first;
	unsigned n = 1, at;

	while (i + n < read_constants(r) &&
	    goes_on(c, read_constant(r, i + n), n))
		n++;
	if (c->none)
		return n;
	if (n == 1) {
		parquet_key(p, c->name, c->exact);
	} else if (last_index(c->name, &at, &first)) {
		snprintf(name, sizeof(name), "%.*s[%lu-%lu]", (int)at,
		    c->name, first, first + n - 1);
		parquet_key(p, name, c->exact);
	}
	return n;
}

void
judged_head(const struct judged *j, struct parquet *p, const char *rows)
{
	char *units = NULL;
	size_t size;
	FILE *f = open_memstream(&units, &size);

	parquet_key(p, "tally.rows", rows);
	if (f != NULL) {
		put_units(j->reader, f);
		if (fclose(f) == 0)
			parquet_key(p, "tally.units", units);
		free(units);
	}
	for (unsigned i = 0; i < read_constants(j->reader);)
		i += put_constants(j->reader, i, p);
}
