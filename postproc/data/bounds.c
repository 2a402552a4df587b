/*
 * postproc/data/bounds.c - instructions beside all instructions and cycles.
 */
#include "postproc/data/bounds.h"

#include <limits.h>

#define A_CYCLE 16              /* instructions: twice what any core retires */
#define SLACK 100000            /* the two are not read at one moment: ours */
#define CONTROL_ANY (UINT64_C(1) << 21)
#define SKEW_S 0.05             /* are of one block, others' are far apart */

static bool
good(const struct doubted *x, unsigned c)
{
	return c < x->row->ncol && x->kind[c] <= DELTA_WRAPPED;
}

/* What the fixed counters of an lproc count, and programmed ones a part of. */
enum whole { INSTRUCTIONS, CYCLES, WHOLES };

static enum whole
fixed_counts(const struct column *c)
{
	return !c->id.family->fixed ? WHOLES : c->cls == CLASS_INSTR ?
	    INSTRUCTIONS : c->cls == CLASS_CYCLES ? CYCLES : WHOLES;
}

/* Instructions of a kind or of a ring, cycles of a ring. */
static enum whole
is_part_of(const struct column *c)
{
	if (c->id.family->fixed || c->id.family->part != PART_COUNTS)
		return WHOLES;
	return c->cls == CLASS_INSTR || c->cls == CLASS_INSTR_KIND ?
	    INSTRUCTIONS : c->cls == CLASS_CYCLES ? CYCLES : WHOLES;
}

/* By its control it counts cycles in which some retired, or those of both lprocs
 * of the core.  The head is long: asked only where it matters. */
static bool
is_no_part(const struct reader *r, const struct column *c)
{
	const struct constant *control = head_constant(r, HEAD_CONTROL,
	    OF_COLUMN(&c->id));

	return control != NULL && (control->u & (CONTROL_COUNTS_CYCLES |
	    CONTROL_ANY)) != 0;
}

static void
mark(const struct doubted *x, unsigned c, unsigned *n)
{
	*n += x->kind[c] != DELTA_BEYOND;
	x->kind[c] = DELTA_BEYOND;
}

/* What the counters of an lproc say, that are good so far. */
struct said {
	uint64_t cycles;        /* the most that any counter has */
	bool ran;
	unsigned column[WHOLES];        /* UINT_MAX: it has none */
};

static struct said
listen(const struct doubts *d, const struct doubted *x,
    const struct counting_unit *u)
{
	struct said s = { .column = { UINT_MAX, UINT_MAX } };

	for (unsigned i = u->first; i < u->first + u->n; i++) {
		unsigned c = d->counting[i];
		const struct column *col;
		enum whole whole;

		if (!good(x, c))
			continue;
		col = read_column(x->reader, c);
		if ((whole = fixed_counts(col)) < WHOLES)
			s.column[whole] = c;
		if (!class_is_clock(col->cls))
			continue;
		s.ran = true;
		s.cycles = x->delta[c] > s.cycles ? x->delta[c] : s.cycles;
	}
	return s;
}

/* The most that a part of it is, read at one moment. */
static uint64_t
most_of(const struct doubted *x, unsigned c)
{
	return x->delta[c] + x->delta[c] / 100;
}

static unsigned
judge_lproc(const struct doubts *d, const struct doubted *x,
    const struct counting_unit *u)
{
	const struct said s = listen(d, x, u);
	unsigned n = 0;
	uint64_t slack = d->stamped ? SLACK :
	    (uint64_t)(SKEW_S * x->tsc_hz * A_CYCLE / 2);
	uint64_t least = UINT64_MAX;    /* no part has to be looked at */

	for (enum whole k = 0; k < WHOLES; k++)
		if (s.column[k] != UINT_MAX &&
		    most_of(x, s.column[k]) < least)
			least = most_of(x, s.column[k]);
	for (unsigned i = u->first; i < u->first + u->n; i++) {
		unsigned c = d->counting[i], of;
		const struct column *col;
		enum whole whole;

		if (!good(x, c))
			continue;
		col = read_column(x->reader, c);
		if (s.ran && col->cls == CLASS_INSTR &&
		    x->delta[c] / A_CYCLE > s.cycles + slack)
			mark(x, c, &n);
		if (x->delta[c] <= least)
			continue;
		whole = is_part_of(col);
		of = whole < WHOLES ? s.column[whole] : UINT_MAX;
		if (of != UINT_MAX && x->delta[c] > most_of(x, of) + slack &&
		    !is_no_part(x->reader, col)) {
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
