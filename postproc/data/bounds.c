/*
 * postproc/data/bounds.c - instructions compared with all instructions and with cycles.
 */
#include "postproc/data/doubt.h"

#include <limits.h>

#define A_CYCLE 16              /* instructions: twice what any core retires */
/* The two counters are not read at the same moment.  In dumps of tallyd they are read in one
 * go, in which they count no more than SLACK; in others up to SKEW_S seconds apart. */
#define SLACK 100000
#define CONTROL_ANY (UINT64_C(1) << 21)
#define SKEW_S 0.05

static bool
good(const struct doubted *x, unsigned c)
{
	return c < x->row->ncol && x->kind[c] <= DELTA_WRAPPED;
}

/* What a fixed counter counts all of, and a programmed counter may count a part of. */
enum whole { INSTRUCTIONS, CYCLES, WHOLES };

/* Bits of a role. */
#define FIXED(whole) (1u << (whole))
#define PART_OF(whole) (4u << (whole))
#define CLOCK 16u
#define RETIRED 32u             /* instructions */

uint8_t
bounds_role(const struct column *c)
{
	bool fixed = c->id.family->fixed, instr = c->cls == CLASS_INSTR;
	bool cycles = c->cls == CLASS_CYCLES;
	bool part = !fixed && c->id.family->part == PART_COUNTS;

	return (uint8_t)((fixed && instr ? FIXED(INSTRUCTIONS) : 0) |
	    (fixed && cycles ? FIXED(CYCLES) : 0) |
	    (part && (instr || c->cls == CLASS_INSTR_KIND) ?
	    PART_OF(INSTRUCTIONS) : 0) | (part && cycles ? PART_OF(CYCLES) : 0) |
	    (class_is_clock(c->cls) ? CLOCK : 0) | (instr ? RETIRED : 0));
}

/* Does a counter's control say that it counts no part of the whole after all, but cycles in
 * which instructions retired, say, or what both lprocs of the core do?  The head is long, so
 * this is only asked where a bound seems broken. */
static bool
is_no_part(const struct reader *r, const struct column *c)
{
	const struct constant *control = head_constant(r, HEAD_CONTROL,
	    OF_COLUMN(&c->id));

	return control != NULL && (control->u & (CONTROL_COUNTS_CYCLES |
	    CONTROL_ANY)) != 0;
}

static void
bounds_mark(const struct doubted *x, unsigned c, unsigned *n)
{
	*n += x->kind[c] != DELTA_BEYOND;
	x->kind[c] = DELTA_BEYOND;
}

/* The highest good deltas of an lproc's counters. */
struct said {
	uint64_t cycles;
	bool ran;               /* it has a good counter of cycles */
	uint64_t retired;       /* instructions */
	uint64_t part[WHOLES];
	unsigned column[WHOLES];        /* the counter of the whole; UINT_MAX: it
					 * has no good one */
};

static inline void
at_least(uint64_t *most, uint64_t v)
{
	*most = v > *most ? v : *most;
}

static struct said
listen(const struct doubts *d, const struct doubted *x,
    const struct counting_unit *u)
{
	struct said s = { .column = { UINT_MAX, UINT_MAX } };

	for (unsigned i = u->first; i < u->first + u->n; i++) {
		unsigned c = d->counting[i], role = d->role[i];

		if (role == 0 || !good(x, c))
			continue;
		for (enum whole k = 0; k < WHOLES; k++) {
			if (role & FIXED(k))
				s.column[k] = c;
			if (role & PART_OF(k))
				at_least(&s.part[k], x->delta[c]);
		}
		if (role & RETIRED)
			at_least(&s.retired, x->delta[c]);
		if (role & CLOCK) {
			s.ran = true;
			at_least(&s.cycles, x->delta[c]);
		}
	}
	return s;
}

/* The most that a counter of a part of what column c counts can have counted. */
static uint64_t
most_of(const struct doubted *x, unsigned c)
{
	return x->delta[c] + x->delta[c] / 100;
}

/* Marks the counters of an lproc that break a bound. */
static unsigned
mark_beyond(const struct doubts *d, const struct doubted *x,
    const struct counting_unit *u, const struct said *s, uint64_t slack)
{
	unsigned n = 0;

	for (unsigned i = u->first; i < u->first + u->n; i++) {
		unsigned c = d->counting[i], role = d->role[i], of;

		if (!good(x, c))
			continue;
		if (s->ran && (role & RETIRED) &&
		    x->delta[c] / A_CYCLE > s->cycles + slack)
			bounds_mark(x, c, &n);
		/* the whole that this counter counts a part of */
		of = role & PART_OF(INSTRUCTIONS) ? s->column[INSTRUCTIONS] :
		    role & PART_OF(CYCLES) ? s->column[CYCLES] : UINT_MAX;
		if (of != UINT_MAX && x->delta[c] > most_of(x, of) + slack &&
		    !is_no_part(x->reader, read_column(x->reader, c))) {
			bounds_mark(x, c, &n);
			bounds_mark(x, of, &n);
		}
	}
	return n;
}

static unsigned
judge_lproc(const struct doubts *d, const struct doubted *x,
    const struct counting_unit *u, uint64_t slack)
{
	const struct said s = listen(d, x, u);
	bool beyond = s.ran && s.retired / A_CYCLE > s.cycles + slack;

	for (enum whole k = 0; k < WHOLES; k++)
		beyond |= s.column[k] != UINT_MAX &&
		    s.part[k] > most_of(x, s.column[k]) + slack;
	return beyond ? mark_beyond(d, x, u, &s, slack) : 0;
}

static uint64_t
slack_of(const struct doubts *d, const struct doubted *x)
{
	return d->stamped ? SLACK :
	    (uint64_t)(SKEW_S * x->tsc_hz * A_CYCLE / 2);
}

unsigned
bounds_judge(const struct doubts *d, const struct doubted *x)
{
	uint64_t slack = slack_of(d, x);
	unsigned n = 0;

	for (unsigned i = 0; i < d->nunit; i++)
		if (d->unit[i].lproc)
			n += judge_lproc(d, x, &d->unit[i], slack);
	return n;
}

/* ---- all bounds at once --------------------------------------------------- */

static void
find_parts(struct doubts *d, const struct counting_unit *u)
{
	unsigned whole[WHOLES] = { UINT_MAX, UINT_MAX };

	for (unsigned i = u->first; i < u->first + u->n; i++)
		for (enum whole k = 0; k < WHOLES; k++)
			if (d->role[i] & FIXED(k))
				whole[k] = d->counting[i];
	for (unsigned i = u->first; i < u->first + u->n; i++)
		for (enum whole k = 0; k < WHOLES; k++)
			if ((d->role[i] & PART_OF(k)) && whole[k] != UINT_MAX)
				d->part[d->npart++] = (struct part_of){
				    d->counting[i], whole[k] };
}

/* Collects the columns of a unit that have a role, into to[]; returns how many. */
static unsigned
with_role(const struct doubts *d, const struct counting_unit *u, unsigned role,
    unsigned *to)
{
	unsigned n = 0;

	for (unsigned i = u->first; i < u->first + u->n; i++)
		if (d->role[i] & role)
			to[n++] = d->counting[i];
	return n;
}

void
bounds_find(struct doubts *d)
{
	unsigned n = 0;

	d->npart = d->nretired = 0;
	for (unsigned i = 0; i < d->nunit; i++) {
		const struct counting_unit *u = &d->unit[i];
		struct retired_by by = { .first = n };

		if (!u->lproc)
			continue;
		find_parts(d, u);
		by.nretired = with_role(d, u, RETIRED, d->bounded + n);
		by.nclock = with_role(d, u, CLOCK, d->bounded + n +
		    by.nretired);
		if (by.nretired == 0 || by.nclock == 0)
			continue;
		d->retired[d->nretired++] = by;
		n += by.nretired + by.nclock;
	}
}

/*
 * While all numbers are below 2^63, bit 63 of a difference says that a bound is broken;
 * it is also set where a number is not below.
 */

/* Does a clock show that an lproc can have retired all instructions that it counted? */
static bool
retired_in(const struct doubted *x, const unsigned *retired, unsigned n,
    uint64_t cycles, uint64_t slack)
{
	uint64_t beyond = cycles;

	for (unsigned k = 0; k < n; k++)
		beyond |= cycles + slack - x->delta[retired[k]] / A_CYCLE;
	return beyond >> 63 == 0;
}

/* Does any of the lproc's clocks show that?  Mostly the first one does. */
static bool
retired_holds(const struct doubts *d, const struct doubted *x,
    const struct retired_by *by, uint64_t slack)
{
	const unsigned *c = d->bounded + by->first, *clock = c + by->nretired;
	uint64_t most = x->delta[clock[0]];

	if (retired_in(x, c, by->nretired, most, slack))
		return true;
	for (unsigned k = 1; k < by->nclock; k++)
		at_least(&most, x->delta[clock[k]]);
	return retired_in(x, c, by->nretired, most, slack);
}

bool
bounds_hold(const struct doubts *d, const struct doubted *x)
{
	uint64_t slack = slack_of(d, x), beyond = 0;

	for (unsigned i = 0; i < d->npart; i++) {
		uint64_t part = x->delta[d->part[i].part];
		uint64_t whole = x->delta[d->part[i].whole];

		beyond |= part | whole | (whole + slack - part);
	}
	for (unsigned i = 0; beyond >> 63 == 0 && i < d->nretired; i++)
		if (!retired_holds(d, x, &d->retired[i], slack))
			return false;
	return beyond >> 63 == 0;
}
