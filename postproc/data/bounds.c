/*
 * postproc/data/bounds.c - instructions beside all instructions and cycles.
 */
#include "postproc/data/bounds.h"

#include <string.h>
#include <strings.h>

#define A_CYCLE 16              /* instructions: twice what any core retires */
#define SLACK 100000            /* the two are not read at one moment: ours */
#define SKEW_S 0.05             /* are of one block, others' are far apart */

static bool
good(const struct doubted *x, unsigned c)
{
	return c < x->row->ncol && x->kind[c] <= DELTA_WRAPPED;
}

bool
bounds_retired(const struct column *c)
{
	return c->id.event != NULL && strncasecmp(c->id.event,
	    "INST_RETIRED", 12) == 0;
}

/* Is it the number of instructions, and not of cycles in which some retired? */
static bool
plain(const struct reader *r, const struct column *c)
{
	const struct constant *control = head_constant(r, HEAD_CONTROL,
	    OF_COLUMN(&c->id));

	return strstr(c->id.event, "CYCLES") == NULL &&
	    (control == NULL || (control->u & CONTROL_COUNTS_CYCLES) == 0);
}

static void
mark(const struct doubted *x, unsigned c, unsigned *n)
{
	*n += x->kind[c] != DELTA_BEYOND;
	x->kind[c] = DELTA_BEYOND;
}

static unsigned
judge_lproc(const struct doubts *d, const struct doubted *x,
    const struct counting_unit *u)
{
	const unsigned *column = d->counting + u->first;
	uint64_t cycles = 0, all = 0;
	bool ran = false;
	unsigned of = x->row->ncol, n = 0;
	uint64_t slack = d->stamped ? SLACK :
	    (uint64_t)(SKEW_S * x->tsc_hz * A_CYCLE / 2);

	for (unsigned i = 0; i < u->n; i++) {
		unsigned c = column[i];
		const struct column *col = read_column(x->reader, c);

		if (good(x, c) && col->cls == CLASS_CYCLES) {
			ran = true;
			cycles = x->delta[c] > cycles ? x->delta[c] : cycles;
		} else if (good(x, c) && col->id.family->fixed &&
		    bounds_retired(col)) {
			of = c;
			all = x->delta[c];
		}
	}
	for (unsigned i = 0; i < u->n; i++) {
		unsigned c = column[i];
		const struct column *col = read_column(x->reader, c);

		if (!good(x, c) || !bounds_retired(col))
			continue;
		if (ran && x->delta[c] / A_CYCLE > cycles + slack)
			mark(x, c, &n);
		if (c != of && of < x->row->ncol && x->delta[c] > all +
		    all / 100 + slack && plain(x->reader, col)) {
			mark(x, c, &n);
			mark(x, of, &n);
		}
	}
	return n;
}

unsigned
bounds_judge(const struct doubts *d, const struct doubted *x)
{
	unsigned n = 0;

	for (unsigned i = 0; i < d->nunit; i++)
		if (d->unit[i].lproc)
			n += judge_lproc(d, x, &d->unit[i]);
	return n;
}
