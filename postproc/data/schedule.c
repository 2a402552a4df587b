/*
 * postproc/data/schedule.c - how long intervals were meant to be, and when tallyd
 * paused.
 */
#include "postproc/data/schedule.h"

/* Up to so many samples are looked up one by one; beyond, one pass over the whole
 * head is cheaper. */
#define FEW 16

/* The multiple that the head has for the last sample up to this one; 1: it has none. */
static uint64_t
planned_search(const struct reader *r, uint64_t sample)
{
	uint64_t since = 0, multiple = 1;

	for (unsigned i = 0; i < read_constants(r); i++) {
		const struct constant *k = read_constant(r, i);

		if (k->key != HEAD_INTERVAL_MULTIPLE || k->kind !=
		    CONSTANT_INT || k->u == 0 || k->at.n[0] > sample ||
		    k->at.n[0] < since)
			continue;
		since = k->at.n[0];
		multiple = k->u;
	}
	return multiple;
}

uint64_t
planned_multiple(struct planned *p, const struct reader *r, uint64_t sample)
{
	if (p->multiple == 0 || sample < p->sample ||
	    sample - p->sample > FEW) {
		p->multiple = planned_search(r, sample);
	} else
		for (uint64_t n = p->sample + 1; n <= sample; n++) {
			double k = head_number(r, HEAD_INTERVAL_MULTIPLE,
			    AT(n), 0);

			if (k >= 1)
				p->multiple = (uint64_t)k;
		}
	p->sample = sample;
	return p->multiple;
}

/* ---- pauses ------------------------------------------------------------- */

/* The first pause between two samples among those from number *n on; false: there are
 * no more. */
static bool
next_pause(const struct reader *r, uint64_t before, uint64_t sample, uint64_t *n)
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

	return next_pause(r, before, sample, &n);
}

double
pauses_seconds(const struct reader *r, uint64_t before, uint64_t sample)
{
	double sum = 0;

	for (uint64_t n = 0; next_pause(r, before, sample, &n); n++) {
		double s = head_number(r, HEAD_RESUME_TIME, AT(n), 0) -
		    head_number(r, HEAD_PAUSE_TIME, AT(n), 0);

		sum += s > 0 ? s : 0;
	}
	return sum;
}
