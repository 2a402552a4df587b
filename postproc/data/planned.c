/*
 * postproc/data/planned.c - how long an interval was meant to be.
 */
#include "postproc/data/planned.h"

/* Samples one by one are cheaper than all of the head. */
#define FEW 16

/* The multiple that stands nearest before a sample. */
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
