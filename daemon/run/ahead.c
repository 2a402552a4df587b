/*
 * daemon/run/ahead.c - samples that pinned threads take, ordered ahead of time.
 *
 * Sample n + 2 is ordered once the row of n is there: by then the threads sleep
 * towards n + 1, and know what it asks.
 */
#include "daemon/run/sampler.h"

#include "daemon/read/pinned.h"
#include "daemon/read/rotate.h"
#include "daemon/read/sweep.h"
#include "regs/host.h"

/* How long after the deadline a row is made: twice what the last sample took, at least
 * this, and at most a quarter of the interval. */
#define LEAST_GRACE_NS 100000
/* A thread is late after half an interval.  For the first and the last row, which wake
 * the threads, at least this long. */
#define WOKEN_NS 200000000

static uint64_t
interval_of(const struct sampler *s)
{
	return s->interval_ns * s->multiple;
}

static void
order(struct sampler *s, uint64_t n, uint64_t due_ns)
{
	struct ahead *a = &s->ahead;
	struct order o = { .due_ns = due_ns, .active = a->active };

	if (n >= s->samples)
		return;
	if (s->watch_every != 0 && n > 0 && (n + 1 >= s->samples ||
	    n % s->watch_every == 0))
		a->watch = n;
	o.watch = a->watch;
	if (s->plan->sets.turns > 0) {
		o.from_ns = due_ns > 0 ? due_ns - interval_of(s) : 0;
		o.next = rounds_set(s->plan, n + 1, 0);
	} else if (s->plan->sets.n > 2 && n > 0 && n % s->rotate_every == 0)
		o.next = a->active = rotate_after(s->plan, a->active);
	a->next[n % 2] = o.next;
	pinned_order(s->sweep->pinned, n, &o);
}

static void
order_first(struct sampler *s)
{
	struct stamp now;

	access_now(s->acc, &now);
	s->ahead.active = s->plan->sets.active;
	s->ahead.grace_ns = LEAST_GRACE_NS * 4;
	order(s, 0, 0);
	order(s, 1, clock_next(now.mono_ns, now.real_ns, interval_of(s)));
}

/* When sample n + 1 is due, by the wall clock. */
static void
order_next(struct sampler *s, uint64_t n)
{
	struct stamp now;
	uint64_t due;

	access_now(s->acc, &now);
	due = pinned_due(s->sweep->pinned, n);
	if (due > now.mono_ns) {
		now.real_ns += due - now.mono_ns;
		now.mono_ns = due;
	}
	order(s, n + 1, clock_next(now.mono_ns, now.real_ns, interval_of(s)));
}

static void
adapt_grace(struct ahead *a, const struct pinned_row *r, uint64_t due,
    uint64_t interval)
{
	uint64_t took = r->end_ns > due ? r->end_ns - due : 0;

	a->grace_ns = 2 * took < LEAST_GRACE_NS ? LEAST_GRACE_NS : 2 * took;
	if (a->grace_ns > interval / 4)
		a->grace_ns = interval / 4;
}

static void
finish_row(struct sampler *s, uint64_t n, uint64_t due,
    struct pinned_row *r, uint64_t *row)
{
	struct sweep *w = s->sweep;
	unsigned active = s->plan->sets.active;
	uint64_t elapsed;

	/* TSCs of two lprocs are not quite one */
	if (w->last_tsc != 0 && r->begin.tsc <= w->last_tsc)
		access_now(s->acc, &r->begin);
	if (r->end_ns < r->begin.mono_ns)
		r->end_ns = r->begin.mono_ns;
	row_clocks(&r->begin, row);
	elapsed = w->last_tsc == 0 ? 0 : r->begin.tsc - w->last_tsc;
	if (s->plan->sets.n > 1) {
		rotate_times(s->plan, active, elapsed, row);
		pinned_doubt(w->pinned, n, active, elapsed, row);
	}
	w->last_tsc = r->begin.tsc;
	w->rotate_ns = r->rotate_ns;
	w->nchanged = r->nchanged;
	if (s->ahead.next[n % 2] != 0)
		s->plan->sets.active = s->ahead.next[n % 2];
	s->ahead.late += r->late;
	row[CELL_BLOCK] = r->longest;
	row_costs(&r->begin, r->end_ns, due, r->rotate_ns, row);
}

bool
ahead_take(struct sampler *s, uint64_t n, bool last_row, uint64_t *row)
{
	struct pinned *p = s->sweep->pinned;
	struct pinned_row r = { .changed = s->sweep->changed };
	bool watch = s->watch_every != 0 && n > 0;
	uint64_t due, until = interval_of(s) / 2;
	struct stamp now;

	if (n == 0)
		order_first(s);
	/* told to stop before its deadline */
	if (last_row && n > 0 && n + 1 < s->samples)
		last_row = pinned_hasten(p, n, watch);
	access_now(s->acc, &now);
	if ((due = pinned_due(p, n)) == 0)
		until = now.mono_ns + (until > WOKEN_NS ? until : WOKEN_NS);
	else
		until += due;
	pinned_take(p, n, until, row, &r);
	s->sweep->watching = r.nchanged > 0 || (watch && (last_row ||
	    n % s->watch_every == 0));
	finish_row(s, n, due, &r, row);
	if (due != 0)
		adapt_grace(&s->ahead, &r, due, interval_of(s));
	return last_row;
}

uint64_t
ahead_next(struct sampler *s, uint64_t n)
{
	order_next(s, n);
	return pinned_due(s->sweep->pinned, n) + s->ahead.grace_ns;
}
