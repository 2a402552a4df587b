/*
 * daemon/run/sampler.c - the loop: sleep to a deadline, read, commit.
 */
#include "daemon/run/sampler.h"

#include "config/dump/head.h"
#include "daemon/log.h"
#include "daemon/node/rights.h"
#include "daemon/read/pinned.h"
#include "daemon/read/rotate.h"
#include "regs/host.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

/* ---- samples ordered ahead of time -------------------------------------- */

/*
 * Samples that pinned threads take, ordered ahead of time.
 *
 * Sample n + 2 is ordered once the row of n is there: by then the threads sleep
 * towards n + 1, and know what it asks.
 */

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

	/* the TSCs of two lprocs may differ a little */
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

/* ahead_take - makes a row of sample n.  Returns whether it is the last one; one that had
 * begun before the order to stop is not. */
static bool
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

/* ahead_next - orders the sample after n; returns when the row of n can be made, by the
 * monotonic clock. */
static uint64_t
ahead_next(struct sampler *s, uint64_t n)
{
	order_next(s, n);
	return pinned_due(s->sweep->pinned, n) + s->ahead.grace_ns;
}

/* ---- the loop ----------------------------------------------------------- */

static volatile sig_atomic_t stop_signal, dump_wanted, mark_wanted, too_long;
static volatile sig_atomic_t cont_seen, pause_signal;

static void
on_stop(int sig)
{
	stop_signal = sig;
}

static void
on_cont(int sig)
{
	cont_seen = sig;
}

static void
on_pause(int sig)
{
	pause_signal = sig;
}

static void
on_dump(int sig)
{
	(void)sig;
	dump_wanted = 1;
}

static void
on_mark(int sig)
{
	(void)sig;
	mark_wanted = 1;
}

static void
on_long(int sig)
{
	(void)sig;
	too_long = 1;
}

static const struct { int sig; void (*handler)(int); } handled[] = {
	{ SIGCONT, on_cont }, { SIGTSTP, on_pause }, { SIGTTIN, on_pause },
	{ SIGTTOU, on_pause }, { SIGTERM, on_stop }, { SIGINT, on_stop },
	{ SIGHUP, on_stop }, { SIGQUIT, on_stop },
	{ SIGUSR1, on_dump }, { SIGUSR2, on_mark }, { SIGXCPU, on_long },
	/* nobody sends these on purpose; they would end us with registers
	 * changed */
	{ SIGALRM, on_stop }, { SIGVTALRM, on_stop }, { SIGPROF, on_stop },
	{ SIGIO, on_stop }, { SIGPWR, on_stop }, { SIGABRT, on_stop },
#ifdef SIGSTKFLT
	{ SIGSTKFLT, on_stop },
#endif
};
#define NHANDLED (sizeof(handled) / sizeof(handled[0]))

/* The handler of a signal; NULL: the signal has its ordinary effect. */
static void
(*handler_of(int sig))(int)
{
	for (size_t i = 0; i < NHANDLED; i++)
		if (handled[i].sig == sig)
			return handled[i].handler;
	return sig >= SIGRTMIN && sig <= SIGRTMAX ? on_stop : NULL;
}

void
sampler_hold(void)
{
	static const int early[] = { SIGCONT, SIGUSR1, SIGUSR2, SIGTSTP,
	    SIGTTIN, SIGTTOU };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(early) / sizeof(early[0]); i++)
		sigaddset(&set, early[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

void
sampler_signals(void)
{
	struct sigaction sa, was;
	sigset_t set;

	stop_signal = dump_wanted = mark_wanted = too_long = 0;
	cont_seen = pause_signal = 0;
	sigemptyset(&set);
	for (int sig = 1; sig < NSIG; sig++) {
		if (handler_of(sig) == NULL)
			continue;
		/* nohup */
		if (sig == SIGHUP && sigaction(SIGHUP, NULL, &was) == 0 &&
		    was.sa_handler == SIG_IGN)
			continue;
		memset(&sa, 0, sizeof(sa));
		sa.sa_handler = handler_of(sig);
		sigfillset(&sa.sa_mask);
		sigaction(sig, &sa, NULL);
		sigaddset(&set, sig);
	}
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* nobody waits for the children that write dumps */
	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = SIG_DFL;
	sa.sa_flags = SA_NOCLDWAIT;
	sigaction(SIGCHLD, &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);       /* ulimit -f: an error of write */
}

/* Counts the deadlines that were missed between the last one and the next, by the
 * monotonic clock, so that a step of the wall clock misses none. */
static void
count_missed(struct sampler *s, uint64_t last, uint64_t next)
{
	uint64_t every = s->interval_ns * s->multiple;
	uint64_t steps = (next - last + every / 2) / every;

	if (steps > 1)
		store_missed(s->store, steps - 1);
}

/* A sample that takes longer must not stay in the real-time class. */
static void
leave_real_time(struct sampler *s)
{
	char text[80];
	struct head h = head_buffer(text, sizeof(text));

	too_long = 0;
	s->unhurried = true;
	rights_unhurried();
	if (s->sweep->pinned != NULL)
		pinned_unhurried(s->sweep->pinned);
	head_put_count(&h, HEAD_REAL_TIME_UNTIL, ALONE,
	    store_rows(s->store));
	store_note(s->store, text);
	log_warnx("a sample took more than 0.2 s of a CPU at a stretch: "
	    "going on in the ordinary scheduling class");
}

/* How often this thread has gone to sleep by itself. */
static long
sleeps(void)
{
	struct rusage used;

	return getrusage(RUSAGE_THREAD, &used) == 0 ? used.ru_nvcsw : 0;
}

/* Stops on ^Z as a process without a handler does; the kernel does not stop one that no
 * shell can continue. */
static void
pause_here(struct sampler *s)
{
	struct sigaction plain = { .sa_handler = SIG_DFL }, ours;
	int sig = pause_signal;
	long before;
	sigset_t set;

	pause_signal = 0;
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigaction(sig, &plain, &ours);
	raise(sig);
	before = sleeps();
	sigprocmask(SIG_UNBLOCK, &set, NULL);   /* here it stops */
	sigprocmask(SIG_BLOCK, &set, NULL);
	s->resumed = sleeps() != before;
	sigaction(sig, &ours, NULL);
}

/* A thread that was awake this much longer than in any sample before was stopped
 * meanwhile.  The first sample has none to compare with. */
#define STOPPED_NS 100000000

/*
 * Did this SIGCONT end a stop?  Then sampling goes on; any other SIGCONT ends it.  SIGSTOP
 * cannot be handled.  A stop in ppoll shows as one context switch more than ppoll has
 * without it; a stop within a sample shows in the time that the sample took.
 */
static void
handle_cont(struct sampler *s, long slept, bool long_awake)
{
	if (!s->foreground || !(s->resumed || slept > 1 || (slept == 0 &&
	    long_awake)))
		stop_signal = SIGCONT;
	s->resumed = false;
	cont_seen = 0;
}

static void
handle_requests(struct sampler *s)
{
	if (pause_signal != 0)
		pause_here(s);
	if (too_long)
		leave_real_time(s);
	if (mark_wanted) {
		mark_wanted = 0;
		store_mark(s->store);
	}
	if (s->control != NULL)
		control_serve(s->control);
	if (s->hurry != NULL && s->hurry(s->ctx))
		s->hurried = true;
	if (dump_wanted && (s->dump_now == NULL || s->dump_now(s->ctx)))
		dump_wanted = 0;
}

/* Sets what begins anew with the first row of a store. */
static void
say_again(struct sampler *s)
{
	char text[256];
	struct head h = head_buffer(text, sizeof(text));

	if (s->multiple > 1) {
		head_put_table(&h, HEAD_INTERVAL_MULTIPLE, ALONE, 0);
		head_put_count(&h, HEAD_INTERVAL_MULTIPLE, AT(0), s->multiple);
	}
	if (s->unhurried)
		head_put_count(&h, HEAD_REAL_TIME_UNTIL, ALONE, 0);
	if (h.n > 0)
		store_note(s->store, text);
	tamper_again(s);
}

/* Goes on with the next store, which has the last row of this one as its first; false:
 * there is none, and this one goes on. */
static bool
change_store(struct sampler *s)
{
	uint64_t last = store_rows(s->store) - 1;
	struct store *next = s->segment_next != NULL ?
	    s->segment_next(s->ctx) : NULL;

	if (next == NULL)
		return false;
	s->store = next;
	s->before += last;
	say_again(s);
	return true;
}

/* Commits the row, and reserves space for the next; false, and s->failed: the store takes
 * no more. */
static bool
keep_row(struct sampler *s, struct diag *why)
{
	if ((s->failed = store_commit(s->store)) < 0)
		diag_set(why, s->failed, "store %s: %s", store_path(s->store),
		    strerror(-s->failed));
	else
		s->failed = store_grow(s->store, why);
	return s->failed == 0;
}

/* This store takes no more rows: tries to go on in another one. */
static bool
sampler_go_on(struct sampler *s, const struct diag *why)
{
	if (!change_store(s)) {
		log_warnx("%s: sampling ends here", why->text);
		return false;
	}
	log_warnx("%s: the next segment begins here", why->text);
	s->failed = 0;
	return true;
}

/* How often to look, during a pause, whether it is over. */
#define HELD_NS 100000000

/* When to wake: at the deadline, or before it for a watchdog or a caller. */
static uint64_t
wake_at(struct sampler *s, uint64_t deadline)
{
	if (s->held != NULL && s->held(s->ctx)) {
		deadline = access_mono(s->acc) + HELD_NS;
		s->was_held = true;
	}
	return control_alive(s->control, s->acc,
	    notify_alive(s->notify, s->acc, deadline));
}

static bool
sampler_is_held(struct sampler *s)
{
	return s->was_held && s->held(s->ctx);
}

/* Sleeps until a deadline, or a signal that ends the run; false: sleeping fails, so that
 * no signal would be seen either. */
static bool
sleep_until(struct sampler *s, uint64_t deadline, const sigset_t *unblocked)
{
	uint64_t awake = clock_ns(CLOCK_MONOTONIC) - s->woke_ns;
	bool long_awake = s->longest_ns > 0 &&
	    awake > s->longest_ns + STOPPED_NS;
	uint64_t wake;
	int rc;

	if (!long_awake && awake > s->longest_ns)
		s->longest_ns = awake;
	do {
		long before = sleeps();

		wake = wake_at(s, deadline);
		rc = access_sleep(s->acc, wake, unblocked);
		s->woke_ns = clock_ns(CLOCK_MONOTONIC);
		if (cont_seen != 0)
			handle_cont(s, sleeps() - before, long_awake);
		long_awake = false;
		handle_requests(s);
	} while (stop_signal == 0 && !s->hurried && (rc == -EINTR || (rc == 0 &&
	    (wake < deadline || sampler_is_held(s)))));
	if (rc == 0 || rc == -EINTR)
		return true;
	log_warnx("cannot sleep: %s: sampling ends here", strerror(-rc));
	s->failed = rc;
	return false;
}

/* Makes the turns of event sets until it is time for the next row; false: as
 * sleep_until. */
static bool
turn_until(struct sampler *s, uint64_t wake, const sigset_t *unblocked)
{
	uint64_t from = wake - s->interval_ns * s->multiple;
	uint64_t all = s->before + store_rows(s->store);
	unsigned turn;

	while (s->plan->sets.turns > 0 && s->sweep->pinned == NULL) {
		turn = rounds_turn(s->plan, from, wake, access_mono(s->acc)) +
		    1;
		if (turn >= s->plan->sets.turns)
			break;
		if (!sleep_until(s, rounds_begins(s->plan, from, wake, turn),
		    unblocked))
			return false;
		if (stop_signal != 0 || s->was_held || s->hurried)
			return true;
		sweep_turn(s->sweep, s->plan, rounds_set(s->plan, all, turn),
		    s->acc);
	}
	return sleep_until(s, wake, unblocked);
}

/* Takes a sample into a row, with a look at the controls or a turn of event sets where one
 * is due.  n: its number in the store. */
static void
sampler_take(struct sampler *s, uint64_t n, uint64_t deadline, uint64_t *row)
{
	uint64_t all = s->before + n;

	s->last_row = stop_signal != 0 || all + 1 >= s->samples;
	s->seam = !s->last_row && s->segment_due != NULL &&
	    s->segment_due(s->ctx, n);
	if (s->sweep->pinned != NULL) {
		s->last_row &= ahead_take(s, all, s->last_row || s->hurried,
		    row);
		s->hurried = false;
		return;
	}
	/* look at the controls in the last row of a store, too: the next one begins anew */
	s->sweep->watching = s->watch_every != 0 && all > 0 &&
	    (s->last_row || s->seam || all % s->watch_every == 0);
	s->sweep->next = s->plan->sets.turns > 0 ?
	    rounds_set(s->plan, all + 1, 0) :
	    s->plan->sets.n > 2 && all > 0 && all % s->rotate_every == 0 ?
	    rotate_next(s->plan) : 0;
	row_take(s->sweep, s->plan, s->acc, deadline, row);
	s->hurried = false;
}

/* Takes a sample with what is in no block: slow registers and files. */
static void
sampler_fill(struct sampler *s, uint64_t n, uint64_t deadline, uint64_t *row)
{
	files_ask(s->files, s->before + n);
	sampler_take(s, n, deadline, row);
	slow_reads(s->plan, s->acc, s->before + n, row);
	files_take(s->files, row);
}

/* Puts into the head of the store what was found while row n was taken. */
static void
sampler_note(struct sampler *s, uint64_t n)
{
	if (s->sweep->watching)
		tamper_note(s, n);
	row_note_files(&s->file_notes, s->files, s->store, n);
	row_note_stopped(&s->stopped_notes, s->plan, s->store, n);
	row_note_turns(&s->turn_notes, s->plan, s->store, n);
}

/* When sample n is due, and when to wake for it. */
static uint64_t
next_deadline(struct sampler *s, uint64_t n, uint64_t *wake)
{
	struct stamp now;

	if (s->sweep->pinned != NULL) {
		*wake = ahead_next(s, n);
		return pinned_due(s->sweep->pinned, n);
	}
	access_now(s->acc, &now);
	*wake = clock_next(now.mono_ns, now.real_ns, s->interval_ns *
	    s->multiple);
	return *wake;
}

int
sampler_run(struct sampler *s)
{
	sigset_t none;
	struct diag why;
	uint64_t last, deadline = 0, wake, *row;
	bool kept;

	sigprocmask(SIG_SETMASK, NULL, &none);
	for (int sig = 1; sig < NSIG; sig++)
		if (handler_of(sig) != NULL)
			sigdelset(&none, sig);
	s->multiple = 1;
	s->woke_ns = clock_ns(CLOCK_MONOTONIC);
	if (s->rotate_every == 0)
		s->rotate_every = 1;
	/* from here on: no allocation, no exit */
	while ((row = store_row(s->store)) != NULL) {
		uint64_t n = store_rows(s->store);

		sampler_fill(s, n, deadline, row);
		kept = keep_row(s, &why);
		if (store_rows(s->store) == n) {
			log_warnx("%s: sampling ends here", why.text);
			break;
		}
		sampler_note(s, n);
		if (s->before + n == 0 && s->first_row != NULL)
			s->first_row(s->ctx);
		if (s->last_row || (!kept && !sampler_go_on(s, &why)))
			break;
		if (kept && s->seam)
			change_store(s);
		n = store_rows(s->store) - 1;
		if (s->max_overhead > 0 && n >= OVERHEAD_SAMPLES &&
		    n % OVERHEAD_SAMPLES == 0)
			overhead_limit(s, n);
		last = deadline;
		deadline = next_deadline(s, s->before + store_rows(s->store),
		    &wake);
		if (last != 0)
			count_missed(s, last, deadline);
		if (stop_signal == 0 && !turn_until(s, wake, &none))
			break;
		/* told to end during a pause */
		if (sampler_is_held(s))
			break;
		if (stop_signal != 0 || s->was_held || s->hurried)
			deadline = 0;
		s->was_held = false;
	}
	if (row == NULL && s->before + store_rows(s->store) < s->samples) {
		s->failed = -ENOSPC;
		log_warnx("store %s: it is full, and there is no other: "
		    "sampling ends here", store_path(s->store));
	}
	return stop_signal;
}
