/*
 * postproc/data/when.c - when an interval was, and whose jobs ran in it.
 */
#include "postproc/data/when.h"

#include <stdio.h>
#include <string.h>

#define LAST_SECOND 253402300799u       /* of the year 9999 */

static uint64_t
clock_part(const struct reader *r, const struct interval *step,
    const char *name)
{
	int c = read_find(r, name);

	return c >= 0 && (unsigned)c < step->ncol ? step->value[c] : ABSENT;
}

bool
interval_time(const struct reader *r, const struct interval *step, int64_t *us)
{
	uint64_t s = clock_part(r, step, "walltime[0]");
	uint64_t rest = clock_part(r, step, "walltime[1]");

	if (s > LAST_SECOND || rest > 999999)
		return false;
	*us = (int64_t)(s * 1000000 + rest);
	return true;
}

static bool
when_ran(const struct job_span *s, const struct interval *step)
{
	return s->begin.sample <= step->sample && (s->ended ? s->end.sample :
	    s->lost) > step->before_sample;
}

/* Marks may come with the samples: of a run in segments, of a store. */
static bool
when_load(struct jobs_then *t, const struct reader *r)
{
	unsigned n = read_constants(r) + 1;

	if (t->nconstant == n)
		return true;
	jobs_fini(&t->jobs);
	t->jobs = (struct jobs){ .n = 0 };
	t->nconstant = n;
	return jobs_load(&t->jobs, r) == 0;
}

const char *
jobs_then(struct jobs_then *t, const struct reader *r,
    const struct interval *step)
{
	size_t n = 0;

	if (!when_load(t, r))
		return NULL;
	for (unsigned i = 0; i < t->jobs.n; i++) {
		const struct job_span *s = &t->jobs.span[i];

		if (when_ran(s, step) && n + strlen(s->id) + 2 < sizeof(t->ids))
			n += (size_t)sprintf(t->ids + n, "%s%s", n > 0 ? "," :
			    "", s->id);
	}
	return n > 0 ? t->ids : NULL;
}

void
jobs_then_fini(struct jobs_then *t)
{
	jobs_fini(&t->jobs);
	*t = (struct jobs_then){ .nconstant = 0 };
}
