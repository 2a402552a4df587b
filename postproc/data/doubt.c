/*
 * postproc/data/doubt.c - counters that are somebody else's, by what the daemon's tamper
 * watch wrote down or by a restart; or that stand still.
 */
#include "postproc/data/doubt.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "regs/model.h"

/* An lproc ran for certain if it has so many cycles, and at least a 64th of the interval's
 * TSC cycles.  Some lproc of a node did if all of them together have so many. */
#define RAN 100000
#define RAN_PART 64
#define NODE_RAN 10000000

/* ---- what the daemon's tamper watch wrote down -------------------------- */

/* `last` says that tallyd read a control register back and found its own value: tampering
 * that it found there earlier ended then. */
static void
end_earlier(struct tampers *t, const struct tamper *last)
{
	for (unsigned i = 0; i <= (unsigned)(last - t->tamper); i++) {
		struct tamper *p = &t->tamper[i];

		if (p->ours_at == UINT64_MAX &&
		    strcmp(p->where, last->where) == 0 &&
		    column_in(&p->column, &last->column))
			p->ours_at = last->seen;
	}
}

int
tampers_init(struct tampers *t, struct reader *r)
{
	const struct constant *good, *seen, *column, *c;
	struct head_at at = ALONE;

	*t = (struct tampers){ NULL, 0 };
	while ((good = head_constant(r, HEAD_TAMPER_FIRST, at)) != NULL &&
	    (seen = head_constant(r, HEAD_TAMPER_SEEN, at)) != NULL &&
	    (column = head_constant(r, HEAD_TAMPER_COLUMN, at)) != NULL) {
		struct tamper *p = reallocarray(t->tamper, t->n + 1,
		    sizeof(*p));

		if (p == NULL)
			return -ENOMEM;
		t->tamper = p;
		p += t->n;
		*p = (struct tamper){ .good = good->u, .seen = seen->u,
		    .ours_at = UINT64_MAX,
		    .where = head_text(r, HEAD_TAMPER_REGISTER, at, "") };
		if (read_id(r, column->text, &p->column) < 0)
			return -ENOMEM;
		if ((c = head_constant(r, HEAD_TAMPER_OURS, at)) != NULL)
			p->ours = c->u;
		if (c != NULL && (c = head_constant(r, HEAD_TAMPER_FOUND,
		    at)) != NULL) {
			p->found = c->u;
			if (p->found == p->ours)
				end_earlier(t, p);
		}
		c = head_constant(r, HEAD_TAMPER_REASSERTED, at);
		p->reasserted = c != NULL && c->u != 0;
		at = AT(++t->n);
	}
	return 0;
}

void
tampers_fini(struct tampers *t)
{
	free(t->tamper);
	*t = (struct tampers){ NULL, 0 };
}

/* Has the register the daemon's value again at sample `before`? */
static bool
tamper_over(const struct tamper *t, uint64_t before)
{
	/* The daemon writes its value back in the sample (seen) in which it finds
	 * another one, so the interval that begins there is good again. */
	return (t->reasserted && before >= t->seen) || before >= t->ours_at;
}

bool
tamper_in(const struct tamper *t, uint64_t before, uint64_t sample)
{
	return sample > t->good && !tamper_over(t, before);
}

bool
tamper_of(const struct tamper *t, const struct column_id *id)
{
	return column_in(id, &t->column);
}

/* ---- somebody else's --------------------------------------------------- */

static void
set_foreign(struct doubts *d, unsigned c, bool foreign)
{
	if (d->column[c].foreign != foreign)
		d->nforeign += foreign ? 1 : -1u;
	d->column[c].foreign = foreign;
}

/* From now on the programmable counters that were restarted in this interval are
 * somebody else's. */
static void
note_restarts(struct doubts *d, const struct doubted *x)
{
	for (unsigned c = 0; c < x->row->ncol; c++) {
		uint8_t kind = x->kind[c];

		if ((kind != DELTA_RESET && kind != DELTA_IMPOSSIBLE) ||
		    (x->spoilt != NULL && x->spoilt[c] != 0) ||
		    !doubts_programmable(&read_column(x->reader, c)->id))
			continue;
		set_foreign(d, c, true);
		d->column[c].beyond = false;
		d->column[c].at = x->row->sample;
	}
}

/* From now on counters that broke a bound are somebody else's, too: somebody gave them another
 * event, which need not break a bound in each interval. */
static void
note_beyond(struct doubts *d, const struct doubted *x)
{
	for (unsigned c = 0; c < x->row->ncol; c++) {
		if (x->kind[c] != DELTA_BEYOND ||
		    !doubts_programmable(&read_column(x->reader, c)->id))
			continue;
		set_foreign(d, c, true);
		d->column[c].beyond = true;
		d->column[c].at = x->row->sample;
	}
}

uint64_t
doubts_since(const struct doubts *d, unsigned c, bool *beyond)
{
	*beyond = d->column[c].beyond;
	return d->column[c].at;
}

/* Was a foreign counter ours again when the interval began?  It was if the daemon had read its
 * control register back and found it right, or written it anew. */
static bool
ours_again(const struct doubts *d, const struct doubted *x, unsigned c)
{
	uint64_t before = slow_from(x->slow, c, x->row->before_sample);
	uint64_t look;

	for (unsigned i = 0; i < x->tampers->n; i++) {
		const struct tamper *t = &x->tampers->tamper[i];

		if (tamper_of(t, &read_column(x->reader, c)->id) &&
		    t->seen >= d->column[c].at && !tamper_over(t, before))
			return false;
	}
	if (d->watch == 0)
		return false;
	look = (d->column[c].at + d->watch - 1) / d->watch * d->watch;
	return before >= look;
}

static unsigned
mark_foreign(struct doubts *d, const struct doubted *x)
{
	unsigned n = 0;

	for (unsigned c = 0; c < x->row->ncol; c++) {
		if (!d->column[c].foreign)
			continue;
		if (ours_again(d, x, c)) {
			set_foreign(d, c, false);
		} else if (x->kind[c] <= DELTA_WRAPPED) {
			x->kind[c] = DELTA_FOREIGN;
			n++;
		}
	}
	return n;
}

/* ---- stopped ------------------------------------------------------------ */

static bool
still(const struct doubted *x, unsigned c)
{
	return x->kind[c] == DELTA_GOOD && x->delta[c] == 0;
}

/* The most cycles that any good counter of an lproc has. */
static uint64_t
cycles(const struct doubts *d, const struct doubted *x,
    const struct counting_unit *u)
{
	uint64_t most = 0;

	for (unsigned i = u->first; i < u->first + u->n; i++) {
		unsigned c = d->counting[i];

		if (c < x->row->ncol && x->kind[c] <= DELTA_WRAPPED &&
		    class_is_clock(read_column(x->reader, c)->cls) &&
		    x->delta[c] > most)
			most = x->delta[c];
	}
	return most;
}

static unsigned
stop(const struct doubts *d, const struct doubted *x, unsigned from, unsigned n)
{
	unsigned stopped = 0;

	for (unsigned i = from; i < from + n; i++) {
		unsigned c = d->counting[i];

		if (c >= x->row->ncol || !still(x, c))
			continue;
		x->kind[c] = DELTA_STOPPED;
		stopped++;
	}
	return stopped;
}

/* Do all n columns from counting[from] on stand still? */
static bool
all_still(const struct doubts *d, const struct doubted *x, unsigned from,
    unsigned n)
{
	for (unsigned i = from; i < from + n; i++)
		if (d->counting[i] >= x->row->ncol ||
		    !still(x, d->counting[i]))
			return false;
	return n > 0;
}

static bool
any_still(const struct doubts *d, const struct doubted *x, unsigned from,
    unsigned n)
{
	for (unsigned i = from; i < from + n; i++)
		if (d->counting[i] < x->row->ncol && still(x, d->counting[i]))
			return true;
	return false;
}

/* Does the n-th fixed counter stand still in every lproc that has it, though the lprocs
 * together ran?  Then marks it everywhere.  On a node that is mostly idle no single
 * lproc ran for long enough to be proof. */
static unsigned
judge_node(const struct doubts *d, const struct doubted *x, unsigned n)
{
	uint64_t ran = 0;
	unsigned stopped = 0;

	for (unsigned i = 0; i < d->nunit; i++) {
		const struct counting_unit *u = &d->unit[i];
		unsigned c = u->lproc && n < u->nclock ?
		    d->counting[u->first + n] : UINT_MAX;

		if (c >= x->row->ncol || x->kind[c] == DELTA_ABSENT)
			continue;
		if (!still(x, c))
			return 0;
		ran += cycles(d, x, u);
	}
	for (unsigned i = 0; ran >= NODE_RAN && i < d->nunit; i++)
		if (d->unit[i].lproc && n < d->unit[i].nclock)
			stopped += stop(d, x, d->unit[i].first + n, 1);
	return stopped;
}

static bool
all_stopped(const struct doubts *d, const struct doubted *x,
    const struct counting_unit *u)
{
	for (unsigned i = u->first; i < u->first + u->nclock; i++)
		if (d->counting[i] >= x->row->ncol ||
		    x->kind[d->counting[i]] != DELTA_STOPPED)
			return false;
	return u->nclock > 0;
}

/* Does a programmed counter always count while its lproc runs? */
static bool
always_counts(const struct reader *r, const struct column *c)
{
	const struct constant *control = doubts_programmable(&c->id) &&
	    (class_is_clock(c->cls) || c->cls == CLASS_INSTR) ?
	    head_constant(r, HEAD_CONTROL, OF_COLUMN(&c->id)) : NULL;

	return control != NULL && (control->u & (CONTROL_RINGS |
	    CONTROL_COUNTS_CYCLES)) == CONTROL_RINGS;
}

/* Is it APERF or MPERF, which count without being programmed?  A hypervisor that does
 * not have them answers 0. */
static bool
counts_by_itself(const struct doubted *x, const struct column *c, unsigned i)
{
	return c->id.family->scalar != NULL && class_is_clock(c->cls) &&
	    x->row->value[i] != 0;
}

/* Marks the counters of an lproc that ran, other than its fixed ones, that stand still
 * though they are sure to count: somebody stopped them, and may have undone that before
 * the daemon looked at their control. */
static unsigned
stop_programmed(const struct doubts *d, const struct doubted *x,
    const struct counting_unit *u)
{
	unsigned n = 0;

	for (unsigned i = u->first + u->nclock; i < u->first + u->n; i++) {
		unsigned c = d->counting[i];
		const struct column *col;

		if (c >= x->row->ncol || !still(x, c))
			continue;
		col = read_column(x->reader, c);
		if (always_counts(x->reader, col) ||
		    counts_by_itself(x, col, c))
			n += stop(d, x, i, 1);
	}
	return n;
}

/* Does none of an lproc's programmed counters move? */
static bool
none_moves(const struct doubts *d, const struct doubted *x,
    const struct counting_unit *u)
{
	for (unsigned i = u->first; i < u->first + u->n; i++) {
		unsigned c = d->counting[i];

		if (c < x->row->ncol && x->kind[c] <= DELTA_WRAPPED &&
		    x->delta[c] != 0 && doubts_programmable(
		    &read_column(x->reader, c)->id))
			return false;
	}
	return true;
}

static bool
doubt_ran(const struct doubts *d, const struct doubted *x,
    const struct counting_unit *u)
{
	uint64_t n = cycles(d, x, u);

	return n >= RAN && (double)n >= x->seconds * x->tsc_hz / RAN_PART;
}

/* Marks fixed counters that stand still though their lproc ran; where all of an lproc's
 * do, its other counters that stand still, too. */
static unsigned
judge_lprocs(const struct doubts *d, const struct doubted *x)
{
	unsigned most = 0, n = 0;

	for (unsigned i = 0; i < d->nunit; i++)
		if (d->unit[i].lproc && d->unit[i].nclock > most)
			most = d->unit[i].nclock;
	for (unsigned k = 0; k < most; k++)
		n += judge_node(d, x, k);
	for (unsigned i = 0; i < d->nunit; i++) {
		const struct counting_unit *u = &d->unit[i];
		unsigned stopped;

		if (!u->lproc || !any_still(d, x, u->first, u->n) ||
		    !doubt_ran(d, x, u))
			continue;
		stopped = stop_programmed(d, x, u);
		if (stopped > 0 && none_moves(d, x, u))
			stopped += stop(d, x, u->first, u->n);
		n += stopped + stop(d, x, u->first, u->nclock);
	}
	for (unsigned i = 0; n > 0 && i < d->nunit; i++)
		if (d->unit[i].lproc && all_stopped(d, x, &d->unit[i]))
			n += stop(d, x, d->unit[i].first, d->unit[i].n);
	return n;
}

/* Does a programmed counter of a box count as long as the box is on?  A memory channel
 * always has some access in an interval. */
static bool
never_idle(const struct column *c)
{
	return c->cls == CLASS_CAS || c->cls == CLASS_MEMCMD ||
	    c->cls == CLASS_TICKS;
}

/* Did any lproc of a core complex run?  Then its L3 had something to count. */
static bool
complex_ran(const struct doubts *d, const struct doubted *x, long complex)
{
	for (unsigned i = 0; complex >= 0 && i < d->nunit; i++)
		if (d->unit[i].lproc && d->unit[i].complex == complex &&
		    doubt_ran(d, x, &d->unit[i]))
			return true;
	return false;
}

/* Marks the counters of a box whose clock stands still, or that has counted clocks or
 * memory accesses before and now counts nothing.  Any other box may just be idle. */
static unsigned
judge_box(const struct doubts *d, const struct doubted *x,
    struct counting_unit *u)
{
	if (u->nclock > 0)
		return !any_still(d, x, u->first, u->nclock) ? 0 :
		    stop(d, x, u->first, u->n);
	if (!all_still(d, x, u->first, u->n)) {
		u->moved = true;
		return 0;
	}
	if (u->moved && complex_ran(d, x, u->complex))
		return stop(d, x, u->first, u->n);
	for (unsigned i = u->first; u->moved && i < u->first + u->n; i++)
		if (never_idle(read_column(x->reader, d->counting[i])))
			return stop(d, x, u->first, u->n);
	return 0;
}

static const struct column_id *
doubt_unit_id(const struct doubts *d, const struct reader *r, unsigned unit)
{
	return &read_column(r, d->counting[d->unit[unit].first])->id;
}

/* Returns the unit behind the boxes of one type and package that begin with unit `from`;
 * *moved: how many of them ever counted something. */
static unsigned
boxes_end(const struct doubts *d, const struct reader *r, unsigned from,
    unsigned *moved)
{
	const struct column_id *a = doubt_unit_id(d, r, from);
	unsigned i = from;

	for (*moved = 0; i < d->nunit && !d->unit[i].lproc; i++) {
		const struct column_id *b = doubt_unit_id(d, r, i);

		if (b->family->type != a->family->type ||
		    b->index[0] != a->index[0])
			break;
		*moved += d->unit[i].moved;
	}
	return i;
}

#define MANY_BOXES 4
#define MANY_EVENTS 2

/* A package of which all boxes of that type counted something; -1: there is none. */
static long
package_that_counted(const struct doubts *d, const struct reader *r,
    const void *type)
{
	unsigned end, moved;

	for (unsigned i = 0; i < d->nunit; i = end) {
		if (d->unit[i].lproc) {
			end = i + 1;
			continue;
		}
		end = boxes_end(d, r, i, &moved);
		if (doubt_unit_id(d, r, i)->family->type == type &&
		    moved == end - i)
			return (long)doubt_unit_id(d, r, i)->index[0];
	}
	return -1;
}

bool
doubts_idle(const struct doubts *d, const struct reader *r, unsigned *at,
    struct idle_boxes *idle)
{
	while (*at < d->nunit) {
		const struct counting_unit *u = &d->unit[*at];
		unsigned from = *at, moved;
		const struct column_id *id;
		long counted;

		*at += 1;
		if (u->lproc)
			continue;
		*at = boxes_end(d, r, from, &moved);
		id = doubt_unit_id(d, r, from);
		if (moved > 0 || *at - from < MANY_BOXES || u->nclock > 0 ||
		    u->complex >= 0 || u->n < MANY_EVENTS || (counted =
		    package_that_counted(d, r, id->family->type)) < 0)
			continue;
		*idle = (struct idle_boxes){ id->family->type->name,
		    id->index[0], *at - from, (unsigned)counted };
		return true;
	}
	return false;
}

/* Is it a counter of energy that the hardware does not write on this node? */
static bool
never_counted(const struct doubts *d, const struct doubted *x, unsigned c)
{
	bool rests = d->dram_rests &&
	    read_column(x->reader, c)->cls == CLASS_ENERGY_DRAM;

	return !d->column[c].moved && (x->row->value[c] == 0 || rests);
}

/* Finds the energy counters that this node does not have, and marks those of a package
 * or its DRAM that stand still: while these are on, they use energy. */
static unsigned
judge_energy(struct doubts *d, const struct doubted *x)
{
	unsigned n = 0;

	d->nuncounted = 0;
	for (unsigned i = 0; i < d->nenergy; i++) {
		unsigned c = d->energy[i];

		if (c >= x->row->ncol)
			continue;
		d->column[c].moved |= x->kind[c] <= DELTA_WRAPPED &&
		    x->delta[c] != 0;
		if (x->row->value[c] != ABSENT && never_counted(d, x, c)) {
			d->uncounted[d->nuncounted++] = c;
		} else if (x->seconds >= 0.1 && still(x, c) &&
		    class_uses_energy(read_column(x->reader, c)->cls)) {
			x->kind[c] = DELTA_STOPPED;
			n++;
			if (!d->column[c].moved)
				d->uncounted[d->nuncounted++] = c;
		}
	}
	return n;
}

/* ---- all of it -------------------------------------------------------------- */

/* Returns IN_LPROC or IN_BOX, or both, where some counter in such units may stand still.
 * Where a delta is 0, all bits of delta - 1 are set; of other deltas the highest two
 * hardly ever are. */
WIDE_TOO static uint64_t
who_stands(const struct doubts *d, const struct doubted *x)
{
	const some_columns *delta = (const some_columns *)x->delta;
	const some_columns *in = (const some_columns *)d->in_unit;
	some_columns less = { 0 };
	uint64_t any = 0;
	unsigned n = d->ncol;

	for (unsigned i = 0; i < n / SOME_COLUMNS; i++)
		less |= (delta[i] - 1) & in[i];
	for (unsigned c = n - n % SOME_COLUMNS; c < n; c++)
		any |= (x->delta[c] - 1) & d->in_unit[c];
	for (unsigned i = 0; i < SOME_COLUMNS; i++)
		any |= less[i];
	return any;
}

static unsigned
judge_boxes(struct doubts *d, const struct doubted *x, bool stand)
{
	unsigned n = 0;

	if (!stand && d->all_moved)
		return 0;
	for (unsigned i = 0; i < d->nunit; i++)
		if (!d->unit[i].lproc)
			n += judge_box(d, x, &d->unit[i]);
	d->all_moved |= !stand;
	return n;
}

/* In most intervals there is no doubt, and one pass over the deltas shows that; units are
 * only judged where it does not. */
unsigned
doubts_judge(struct doubts *d, const struct doubted *x)
{
	uint64_t stand = who_stands(d, x);
	unsigned n = 0, beyond;

	if (d->nforeign > 0)
		n += mark_foreign(d, x);
	if (x->left_out > 0)
		note_restarts(d, x);
	n += judge_boxes(d, x, (stand & IN_BOX) != 0);
	if ((stand & IN_LPROC) != 0)
		n += judge_lprocs(d, x);
	n += judge_energy(d, x);
	if (n + x->left_out == 0 && bounds_hold(d, x))
		return 0;
	if ((beyond = bounds_judge(d, x)) > 0)
		note_beyond(d, x);
	return n + beyond;
}
