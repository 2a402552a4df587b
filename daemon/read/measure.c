/*
 * daemon/read/measure.c - what a sample takes in each way to read: several trials
 * of each, all ways in turns.
 */
#include "daemon/read/measure.h"

#include "daemon/node/rights.h"
#include "daemon/read/pinned.h"
#include "lib/array.h"
#include "regs/host.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Chooses the way to read, by what was measured of each. */

/* The cost of a context switch or an interrupt to a busy lproc: some microseconds of the
 * kernel, and cold caches afterwards. */
#define EVENT_US 5
/* Another way is taken if it costs less than this part of the best so far. */
#define CLEARLY_LESS 0.7
#define FOR_REMOTE 0.5
/* Remote reading is taken only if it sends at most twice the interrupts of the best so
 * far, and this many. */
#define FEW_INTERRUPTS 4
/* A way that costs about as much is taken if its sample lasts less than this part of the
 * best one's. */
#define SHORTER 0.5
/* No way is taken whose sample lasts this many times as long: its values would be too far
 * apart in time. */
#define TOO_LONG 8

static double
median(const struct read_trials *t, size_t offset)
{
	double v[READ_TRIALS];

	for (unsigned i = 0; i < t->n; i++)
		memcpy(&v[i], (const char *)&t->of[i] + offset, sizeof(v[i]));
	order_doubles(v, t->n);
	return order_median(v, t->n);
}

struct read_cost
read_cost_median(const struct read_trials *t)
{
	struct read_cost c = { .wall_us = 0 };

	if (t->n == 0)
		return c;
	c.wall_us = median(t, offsetof(struct read_cost, wall_us));
	c.cpu_us = median(t, offsetof(struct read_cost, cpu_us));
	c.switches = median(t, offsetof(struct read_cost, switches));
	c.interrupts = median(t, offsetof(struct read_cost, interrupts));
	return c;
}

/* What a sample takes of the node, in us: CPU time, and for each switch
 * and interrupt what it takes of the lproc where it happens. */
static double
read_cost_us(const struct read_cost *c)
{
	return c->cpu_us + EVENT_US * (c->switches + c->interrupts);
}

/* Is way `m` better than the best one so far? */
static bool
is_better(const struct read_cost *cost, enum read_mode m, enum read_mode best)
{
	const struct read_cost *a = &cost[m], *b = &cost[best];
	double less = m == READ_REMOTE ? FOR_REMOTE : CLEARLY_LESS;

	if (!(a->wall_us > 0))
		return false;
	if (!(b->wall_us > 0))
		return true;
	if (m == READ_REMOTE && a->interrupts > 2 * b->interrupts +
	    FEW_INTERRUPTS)
		return false;
	if (read_cost_us(a) < less * read_cost_us(b))
		return a->wall_us < TOO_LONG * b->wall_us;
	return m != READ_REMOTE && read_cost_us(a) * CLEARLY_LESS < read_cost_us(b) &&
	    a->wall_us < SHORTER * b->wall_us;
}

enum read_mode
read_cost_choose(const struct read_cost cost[READ_MODES])
{
	static const enum read_mode others[] = {
		READ_PINNED, READ_BATCH, READ_REMOTE
	};
	enum read_mode best = READ_VISIT;

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (is_better(cost, others[i], best))
			best = others[i];
	return best;
}

/* What was weighed: "visit 11.0 ms, CPU 7.7 ms, 72 switches, 25
 * interrupts; remote ..." */
static void
read_cost_text(const struct read_cost cost[READ_MODES], char *buf, size_t size)
{
	size_t n = 0;

	buf[0] = '\0';
	for (enum read_mode m = READ_BATCH; m < READ_MODES && n < size; m++) {
		const struct read_cost *c = &cost[m];
		const char *and = m + 1 < READ_MODES ? "; " : "";

		if (c->wall_us > 0)
			n += (size_t)snprintf(buf + n, size - n, "%s %.0f us, CPU "
			    "%.0f us, %.0f switches, %.0f interrupts%s",
			    read_mode_name(m), c->wall_us, c->cpu_us,
			    c->switches, c->interrupts, and);
		else
			n += (size_t)snprintf(buf + n, size - n, "%s not "
			    "available%s", read_mode_name(m), and);
	}
}

/* Context switches and interrupts of the whole node. */

/* Sums the counts of all lprocs in a line "RES: 12 7 ... Rescheduling interrupts". */
static uint64_t
node_events_sum_of(const char *line)
{
	uint64_t sum = 0;
	char *end;

	for (line = strchr(line, ':') + 1;; line = end) {
		sum += strtoull(line, &end, 10);
		if (end == line)
			return sum;
	}
}

/* Sums the interrupts between lprocs: the lines of rescheduling and function calls.
 * Finds a line by the words behind its numbers, as the labels before these (RES) differ
 * between architectures.  -ENODATA: there is no such line. */
static int
interrupts_of(char *text, uint64_t *sum)
{
	char *save, *line = strtok_r(text, "\n", &save);
	bool any = false;

	for (*sum = 0; line != NULL; line = strtok_r(NULL, "\n", &save))
		if ((strstr(line, "Rescheduling interrupts") != NULL ||
		    strstr(line, "Function call interrupts") != NULL) &&
		    strchr(line, ':') != NULL) {
			*sum += node_events_sum_of(line);
			any = true;
		}
	return any ? 0 : -ENODATA;
}

int
node_events(struct access *acc, char *buf, size_t size, struct node_events *e)
{
	const char *at;
	int rc;

	if ((rc = access_whole(acc, "/proc/stat", buf, size)) < 0)
		return rc;
	if ((at = strstr(buf, "\nctxt ")) == NULL)
		return -ENODATA;
	e->switches = strtoull(at + sizeof("\nctxt ") - 1, NULL, 10);
	if ((rc = access_whole(acc, "/proc/interrupts", buf, size)) < 0)
		return rc;
	return interrupts_of(buf, &e->interrupts);
}

/* A way is tried READ_TRIALS times; only FEW_TRIALS times where these take BUDGET_NS, as
 * somebody waits for the start; and no further if it costs HOPELESS times as much as
 * another way. */
#define FEW_TRIALS 3
#define BUDGET_NS 100000000
#define HOPELESS 8
/* A trial of a way takes one sample.  Where that took less than SHORT_NS it takes more,
 * SAMPLES at most. */
#define SAMPLES 3
#define SHORT_NS 1000000
/* How long the switches and interrupts of the idle sampler are counted; and the least time
 * that threads have to fall asleep before their sample is due. */
#define PAUSE_NS 2000000
/* The size of /proc/interrupts with 2,000 lprocs. */
#define EVENTS_SIZE (4u << 20)

/* Beside the ways to read: remote reading without moving, and no reading at all. */
enum { STAYING = READ_MODES, NOTHING, WAYS };

struct way_trials {
	struct sweep *s;
	struct plan *plan;
	struct access *acc;
	uint64_t *row;
	bool has[WAYS];
	struct read_trials of[WAYS];
	uint64_t spent_ns[WAYS];
	char *buf;              /* for node_events; NULL: the node does not tell its events */
	struct pinned *pinned;
	uint64_t ordered;       /* samples of these threads */
	uint64_t apart_ns;      /* from an order to the time when it is due */
};

/* The clocks and counts at one moment. */
struct trial_mark {
	struct stamp at;
	uint64_t cpu_ns;
	struct node_events events;
};

static void
trial_events(struct way_trials *t, struct trial_mark *m)
{
	m->events = (struct node_events){ .switches = 0 };
	if (t->buf != NULL)
		node_events(t->acc, t->buf, EVENTS_SIZE, &m->events);
}

static void
trial_begin(struct way_trials *t, struct trial_mark *m)
{
	trial_events(t, m);
	m->cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	access_now(t->acc, &m->at);
}

/* Events per sample, less those that the node has without us (quiet, per us). */
static double
measure_beyond(double events, double quiet, double us, double samples)
{
	return events > quiet * us ? (events - quiet * us) / samples : 0;
}

/* Ends a trial of a way: `samples` samples were taken since `from`. */
static void
trial_end(struct way_trials *t, unsigned way, const struct trial_mark *from,
    unsigned samples, uint64_t wall_ns)
{
	struct read_trials *r = &t->of[way];
	struct read_cost *c = &r->of[r->n], quiet;
	struct trial_mark m;
	double us;

	access_now(t->acc, &m.at);
	m.cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	trial_events(t, &m);
	us = (double)(m.at.mono_ns - from->at.mono_ns) / 1e3;
	quiet = read_cost_median(&t->of[NOTHING]);
	if (way == NOTHING)
		samples = us > 1 ? (unsigned)us : 1;
	c->wall_us = wall_ns > 0 ? (double)wall_ns / 1e3 :
	    us > 0 ? us / samples : 1e-3;
	c->cpu_us = (double)(m.cpu_ns - from->cpu_ns) / 1e3 / samples;
	if (t->buf == NULL && c->cpu_us < c->wall_us)
		c->cpu_us = c->wall_us;
	c->switches = measure_beyond((double)(m.events.switches -
	    from->events.switches), quiet.switches, us, samples);
	c->interrupts = measure_beyond((double)(m.events.interrupts -
	    from->events.interrupts), quiet.interrupts, us, samples);
	r->n++;
	t->spent_ns[way] += m.at.mono_ns - from->at.mono_ns;
	/* without a sleep a thread of our class might run longer than it may */
	if (us * 1e3 > SHORT_NS)
		access_sleep(t->acc, m.at.mono_ns + SHORT_NS, NULL);
}

static void
sleep_more(struct way_trials *t, uint64_t ns)
{
	access_sleep(t->acc, access_mono(t->acc) + ns, NULL);
}

/* A trial of samples that this thread takes. */
static void
try_sweep(struct way_trials *t, unsigned way)
{
	struct sweep *s = t->s;
	unsigned samples = 0;
	struct trial_mark from;

	s->mode = way == STAYING ? READ_REMOTE : (enum read_mode)way;
	s->stay = way == STAYING;
	trial_begin(t, &from);
	do {
		sweep_row(s, t->plan, t->acc, t->row);
	} while (++samples < SAMPLES &&
	    access_mono(t->acc) - from.at.mono_ns < SHORT_NS);
	trial_end(t, way, &from, samples, 0);
}

/* Orders a sample of the threads, due in so many ns; 0: at once. */
static void
order_threads(struct way_trials *t, uint64_t in_ns, struct order *o)
{
	*o = (struct order){ .active = t->plan->sets.active,
	    .due_ns = in_ns > 0 ? access_mono(t->acc) + in_ns : 0 };
	pinned_order(t->pinned, t->ordered++, o);
}

/* Takes the sample that was ordered last; returns when the last thread was done. */
static uint64_t
take_threads(struct way_trials *t)
{
	struct pinned_row r = { .changed = t->s->changed };

	pinned_take(t->pinned, t->ordered - 1, access_mono(t->acc) +
	    50 * t->apart_ns, t->row, &r);
	return r.end_ns;
}

/* A trial of the threads: one sample, timed from its deadline. */
static void
measure_try_threads(struct way_trials *t)
{
	struct trial_mark from;
	struct order o;
	uint64_t done;

	order_threads(t, t->apart_ns, &o);
	access_sleep(t->acc, o.due_ns - t->apart_ns / 4, NULL);
	trial_begin(t, &from);
	access_sleep(t->acc, o.due_ns + t->apart_ns / 4, NULL);
	done = take_threads(t);
	trial_end(t, READ_PINNED, &from, 1, done > o.due_ns ? done - o.due_ns : 1);
}

static void
measure_start_threads(struct way_trials *t)
{
	uint64_t took;
	struct diag why;
	struct order o;

	rights_inherit(true);
	t->has[READ_PINNED] = pinned_start(&t->pinned, t->plan, t->acc,
	    &why) == 0;
	rights_inherit(false);
	if (!t->has[READ_PINNED])
		return;
	/* a first sample fills caches, and shows how long it takes until all threads have been
	 * woken and sleep again */
	t->apart_ns = PAUSE_NS;
	took = access_mono(t->acc);
	order_threads(t, 0, &o);
	take_threads(t);
	took = access_mono(t->acc) - took;
	if (2 * took > t->apart_ns)
		t->apart_ns = 2 * took;
	sleep_more(t, t->apart_ns);
}

/* A trial of no reading: what the node does by itself. */
static void
try_nothing(struct way_trials *t)
{
	struct trial_mark from;

	trial_begin(t, &from);
	sleep_more(t, PAUSE_NS);
	trial_end(t, NOTHING, &from, 1, 0);
}

/* Does a way take so much more than another one that it need not be tried again? */
static bool
way_is_hopeless(const struct way_trials *t, unsigned way)
{
	struct read_cost c = read_cost_median(&t->of[way]);

	for (unsigned i = 0; i < NOTHING; i++) {
		struct read_cost other = read_cost_median(&t->of[i]);

		if (t->of[i].n > 0 && c.wall_us > HOPELESS * other.wall_us &&
		    read_cost_us(&c) > HOPELESS * read_cost_us(&other))
			return true;
	}
	return false;
}

static bool
way_goes_on(const struct way_trials *t, unsigned way)
{
	const struct read_trials *r = &t->of[way];

	return t->has[way] && (r->n == 0 || ((r->n < FEW_TRIALS ||
	    t->spent_ns[way] < BUDGET_NS) && !way_is_hopeless(t, way)));
}

static void
all_trials(struct way_trials *t)
{
	t->buf = t->acc->ops->simulated ? NULL : malloc(EVENTS_SIZE);
	if (t->buf != NULL && node_events(t->acc, t->buf, EVENTS_SIZE,
	    &(struct node_events){ 0 }) < 0) {
		free(t->buf);
		t->buf = NULL;
	}
	if (t->has[READ_PINNED])
		measure_start_threads(t);
	for (unsigned round = 0; round < READ_TRIALS; round++) {
		if (t->buf != NULL)
			try_nothing(t);
		for (unsigned way = READ_BATCH; way < NOTHING; way++)
			if (!way_goes_on(t, way))
				continue;
			else if (way == READ_PINNED)
				measure_try_threads(t);
			else
				try_sweep(t, way);
	}
	pinned_free(t->pinned);
	free(t->buf);
	for (enum read_mode m = READ_BATCH; m < READ_MODES; m++)
		t->s->cost[m] = read_cost_median(&t->of[m]);
}

/* Chooses for remote reading whether the thread moves to each package for its registers. */
static void
stay_or_move(struct way_trials *t)
{
	struct read_cost both[READ_MODES] = {
		[READ_VISIT] = t->s->cost[READ_REMOTE],
		[READ_BATCH] = read_cost_median(&t->of[STAYING])
	};

	t->s->stay = read_cost_choose(both) == READ_BATCH;
	if (t->s->stay)
		t->s->cost[READ_REMOTE] = both[READ_BATCH];
}

void
measure_remote(struct sweep *s, struct plan *plan, struct access *acc,
    uint64_t *row)
{
	struct way_trials t = { .s = s, .plan = plan, .acc = acc, .row = row,
	    .has = { [READ_REMOTE] = true, [STAYING] = true } };

	all_trials(&t);
	stay_or_move(&t);
}

enum read_mode
measure_modes(struct sweep *s, struct plan *plan, struct access *acc,
    bool batch, bool threads, uint64_t *row)
{
	/* where a turn lasts a sample a late thread loses counts: threads are not tried */
	struct way_trials t = { .s = s, .plan = plan, .acc = acc, .row = row,
	    .has = { [READ_BATCH] = batch, [READ_VISIT] = true,
	    [READ_PINNED] = threads && (plan->sets.n < 2 || plan->sets.turns > 0),
	    [READ_REMOTE] = true, [STAYING] = true } };
	enum read_mode best;
	int n;

	all_trials(&t);
	stay_or_move(&t);
	best = read_cost_choose(s->cost);
	n = snprintf(s->why, sizeof(s->why), "%s, of ", read_mode_name(best));
	read_cost_text(s->cost, s->why + n, sizeof(s->why) - (size_t)n);
	return best;
}
