/*
 * daemon/read/measure.c - what a sample takes in each way to read, and which way
 * is taken.
 */
#include "daemon/read/measure.h"

#include "daemon/read/pinned.h"
#include "daemon/rights/rights.h"
#include "regs/clock.h"

#include <stdio.h>
#include <string.h>

/* Samples of each: up to so many, and no more than a few once they have taken
 * so long, for a start is waited for. */
#define SWEEPS 11
#define FEW_SWEEPS 3
#define BUDGET_NS 40000000
#define LONG_SWEEP_NS 1000000
/* Between two samples of threads: that they can get to sleep. */
#define THREADS_APART_NS 2000000

static bool
measure_more(unsigned n, uint64_t ns)
{
	return n < FEW_SWEEPS || (n < SWEEPS && ns < BUDGET_NS);
}

/* The mean time of a sample in one mode, in us: what now and then takes long,
 * as a wake-up on a busy node does, shall count. */
static double
measure_measure(struct sweep *s, enum read_mode mode, struct plan *plan,
    struct access *acc, uint64_t *row)
{
	struct stamp a, b;
	uint64_t ns = 0;
	unsigned n = 0;

	s->mode = mode;
	sweep_row(s, plan, acc, row);           /* caches, and where we are */
	while (measure_more(n, ns)) {
		access_now(acc, &a);
		sweep_row(s, plan, acc, row);
		access_now(acc, &b);
		ns += b.mono_ns - a.mono_ns;
		n++;
		/* all of them in one go might take longer than a thread of
		 * our class may run */
		if (b.mono_ns - a.mono_ns > LONG_SWEEP_NS)
			access_sleep(acc, b.mono_ns + LONG_SWEEP_NS, NULL);
	}
	return ns > 0 ? (double)ns / 1e3 / n : 1e-3;
}

void
measure_remote(struct sweep *s, struct plan *plan, struct access *acc,
    uint64_t *row)
{
	double moving = measure_measure(s, READ_REMOTE, plan, acc, row),
	    staying;

	s->stay = true;
	staying = measure_measure(s, READ_REMOTE, plan, acc, row);
	s->stay = staying < moving;
	s->us[READ_REMOTE] = s->stay ? staying : moving;
}

/* From one deadline to the next, as the loop has them. */
static void
measure_threads(struct sweep *s, struct plan *plan, struct access *acc,
    uint64_t *row)
{
	struct order o = { .active = plan->sets.active };
	struct pinned_row r = { .changed = s->changed };
	uint64_t ns = 0, cpu = 0;
	unsigned n = 0;
	struct pinned *p;
	struct stamp now;
	struct diag why;

	rights_inherit(true);
	if (pinned_start(&p, plan, acc, &why) < 0)
		return;
	rights_inherit(false);
	access_now(acc, &now);
	o.due_ns = now.mono_ns + THREADS_APART_NS;
	pinned_order(p, 0, &o);
	/* the first is for caches */
	for (uint64_t due = o.due_ns; measure_more(n, ns); due = o.due_ns) {
		if (n == 1)
			cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
		o.due_ns += THREADS_APART_NS;
		pinned_order(p, n + 1, &o);
		access_sleep(acc, due + THREADS_APART_NS / 2, NULL);
		pinned_take(p, n, due + 50 * THREADS_APART_NS, row, &r);
		if (n++ > 0 && r.end_ns > due)
			ns += r.end_ns - due;
	}
	cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	pinned_free(p);
	s->us[READ_PINNED] = (double)ns / 1e3 / (n - 1) + 1e-3;
	s->cpu_us = (double)cpu / 1e3 / (n - 1);
}

/* What a sample takes of the CPUs. */
static double
measure_taken(const struct sweep *s, enum read_mode m)
{
	return m == READ_PINNED && s->cpu_us > s->us[m] ? s->cpu_us : s->us[m];
}

static enum read_mode
measure_choose(const struct sweep *s)
{
	enum read_mode best = READ_REMOTE;
	double shortest = s->us[READ_REMOTE], least;

	for (enum read_mode m = READ_BATCH; m < READ_MODES; m++)
		if (s->us[m] > 0 && s->us[m] < shortest)
			shortest = s->us[m];
	least = s->us[READ_REMOTE] <= 2 * shortest ? s->us[READ_REMOTE] : 1e18;
	for (enum read_mode m = READ_BATCH; m < READ_MODES; m++)
		if (s->us[m] > 0 && s->us[m] <= 2 * shortest &&
		    measure_taken(s, m) < least)
			least = measure_taken(s, m);
	for (enum read_mode m = READ_REMOTE; m >= READ_BATCH; m--)
		if (s->us[m] > 0 && s->us[m] <= 2 * shortest &&
		    measure_taken(s, m) <= least * 1.1)
			best = m;
	return best;
}

static void
say_why(struct sweep *s, enum read_mode best)
{
	snprintf(s->why, sizeof(s->why), "%s, the shortest sample that "
	    "disturbs least:", read_mode_name(best));
	for (enum read_mode m = READ_BATCH; m < READ_MODES; m++) {
		size_t n = strlen(s->why);

		if (!(s->us[m] > 0))
			snprintf(s->why + n, sizeof(s->why) - n, " %s not "
			    "available", read_mode_name(m));
		else if (m == READ_PINNED)
			snprintf(s->why + n, sizeof(s->why) - n, " pinned %.0f "
			    "us and %.0f of CPU", s->us[m], s->cpu_us);
		else
			snprintf(s->why + n, sizeof(s->why) - n, " %s %.0f us",
			    read_mode_name(m), s->us[m]);
	}
}

enum read_mode
measure_modes(struct sweep *s, struct plan *plan, struct access *acc,
    bool batch, bool threads, uint64_t *row)
{
	enum read_mode best;

	if (batch)
		s->us[READ_BATCH] = measure_measure(s, READ_BATCH, plan, acc,
		    row);
	s->us[READ_VISIT] = measure_measure(s, READ_VISIT, plan, acc, row);
	measure_remote(s, plan, acc, row);
	/* what a thread that makes its turn late has counted is left out, unless
	 * each turn's time is known */
	if (threads && (plan->sets.n < 2 || plan->sets.turns > 0))
		measure_threads(s, plan, acc, row);
	best = measure_choose(s);
	say_why(s, best);
	return best;
}
