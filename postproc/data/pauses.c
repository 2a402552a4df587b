/*
 * postproc/data/pauses.c - where the daemon had given the counters to others.
 */
#include "postproc/data/pauses.h"

/* The next one between two samples, from number *n on; false: no more. */
static bool
next(const struct reader *r, uint64_t before, uint64_t sample, uint64_t *n)
{
	const struct constant *c;

	while ((c = head_constant(r, HEAD_PAUSE_SAMPLE, AT(*n))) != NULL) {
		if (c->kind == CONSTANT_INT && c->u > before && c->u <= sample)
			return true;
		++*n;
	}
	return false;
}

bool
pauses_between(const struct reader *r, uint64_t before, uint64_t sample)
{
	uint64_t n = 0;

	return next(r, before, sample, &n);
}

double
pauses_seconds(const struct reader *r, uint64_t before, uint64_t sample)
{
	double sum = 0;

	for (uint64_t n = 0; next(r, before, sample, &n); n++) {
		double s = head_number(r, HEAD_RESUME_TIME, AT(n), 0) -
		    head_number(r, HEAD_PAUSE_TIME, AT(n), 0);

		sum += s > 0 ? s : 0;
	}
	return sum;
}
