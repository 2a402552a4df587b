/*
 * postproc/metrics/input_number.c - the columns of an event that a configuration
 * gave by its number: nvidia_scf_pmu_0/event=0x1a5/, r80C0.
 *
 * The model's table has the number of the name that a formula uses, and the
 * head of the dump the control value of each column.
 */
#include "config/dump/read.h"
#include "postproc/data/patterns.h"
#include "postproc/metrics/bind.h"
#include "regs/perf.h"

#include <stdio.h>
#include <string.h>

/* What the head says of a column; ABSENT: nothing. */
static uint64_t
number_at(const struct reader *r, const struct series *s, uint32_t i)
{
	const struct column *of = read_column(r, s->unit[i].column);
	const struct constant *c = head_constant(r, HEAD_CONTROL,
	    OF_COLUMN(&of->id));

	return c != NULL ? c->u : ABSENT;
}

/* Do all columns of a series count what the first does? */
static bool
all_alike(const struct reader *r, const struct series *s)
{
	for (uint32_t i = 1; i < s->n; i++)
		if (number_at(r, s, i) != number_at(r, s, 0))
			return false;
	return true;
}

/* Is that the number of the event, or of one that a pattern stands for? */
static bool
input_number_counts(const struct box_type *type, uint64_t number,
    const char *event)
{
	for (const struct event_name *e = type->event; e->name != NULL; e++)
		if (e->event == number && pattern_match(event, e->name))
			return true;
	return false;
}

/* One of the kernel's own: its number is the kernel's, no PMU's. */
static bool
is_kernels(const char *event)
{
	char name[80];

	snprintf(name, sizeof name, "%.*s", (int)strcspn(event, "@"), event);
	return perf_named(name) != NULL;
}

/* Its name is that, or with _counts behind it. */
static bool
in_family(const struct series *s, const char *family)
{
	size_t n = strlen(family);
	const char *name = s->family->name;

	return s->event != NULL && s->family->part == PART_COUNTS &&
	    s->family->type != NULL && s->family->type->event != NULL &&
	    strncmp(name, family, n) == 0 &&
	    (name[n] == '\0' || strcmp(name + n, "_counts") == 0);
}

/* Do both have a column of one unit? */
static bool
share_unit(const struct series *a, const struct series *b)
{
	for (uint32_t i = 0; i < a->n; i++)
		for (uint32_t k = 0; k < b->n; k++)
			if (a->unit[i].unit == b->unit[k].unit &&
			    a->unit[i].box == b->unit[k].box)
				return true;
	return false;
}

/* Is a unit of it among those already, with that number or none? */
static bool
is_had(const struct binding *b, const struct series *s, uint64_t number,
    const struct input_found *found, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		uint64_t had = number_at(b->reader, found[i].series, 0);

		if ((had == number || had == ABSENT) &&
		    share_unit(found[i].series, s))
			return true;
	}
	return false;
}

unsigned
input_by_number(const struct binding *b, const char *family,
    const char *event, struct input_found *found, unsigned had)
{
	unsigned n = had;
	char name[80];

	snprintf(name, sizeof name, "%.*s", (int)strcspn(event, "@"), event);
	for (uint32_t i = 0; b->reader != NULL && i < b->series->n; i++) {
		const struct series *s = &b->series->series[i];
		uint64_t number;

		if (!in_family(s, family) || s->n == 0 || is_kernels(s->event))
			continue;
		number = number_at(b->reader, s, 0);
		if (!input_number_counts(s->family->type, number, name) ||
		    !all_alike(b->reader, s) ||
		    is_had(b, s, number, found, had))
			continue;
		if (n == MAX_FOUND || is_had(b, s, number, found + had,
		    n - had))
			return had;             /* which of them? */
		found[n++] = (struct input_found){ .series = s };
	}
	return n;
}
