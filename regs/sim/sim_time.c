/*
 * regs/sim/sim_time.c - the time of the simulated machine, which carries out faults on
 * its way; its clocks, and sleep, which moves them on; many threads.
 *
 * In virtual time one thread runs at a time, until it sleeps or its read takes time.
 * Then the thread whose time comes first runs, and the clock is set to that time; of
 * several the one with the lowest number, and the opener last.  So every run is the
 * same, and a stall of one lproc does not delay the others.  In the host's time all
 * threads run, and a lock protects the machine.
 */
#include "regs/sim/sim_int.h"

#include "regs/host.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

/* Virtual CLOCK_MONOTONIC when the machine starts: 1000 s of uptime. */
#define VIRTUAL_MONO (1000 * (uint64_t)NS)

static void
set_time(struct sim *s, uint64_t t)
{
	uint64_t past;

	s->t = t;
	while (s->now + 1 < s->d->nstretch && t >= s->start[s->now + 1])
		s->now++;
	past = t - s->start[s->now];
	s->sec = past / NS;
	s->ns = past % NS;
}

void
sim_time(struct sim *s, uint64_t t)
{
	while (s->nfault > 0 && s->fault[0].t <= t) {
		set_time(s, s->fault[0].t);
		sim_fault_next(s);
	}
	set_time(s, t);
}

void
sim_tick(struct sim *s)
{
	uint64_t t;

	if (!s->virtual) {
		t = clock_ns(CLOCK_MONOTONIC) - s->t0;
		sim_time(s, t > s->t ? t : s->t);
	}
}

static uint64_t
sim_mono(const struct sim *s)
{
	return s->t + (s->virtual ? VIRTUAL_MONO : s->t0);
}

static uint64_t
sim_machine_time(const struct sim *s, uint64_t mono_ns)
{
	uint64_t start = s->virtual ? VIRTUAL_MONO : s->t0;

	/* UINT64_MAX is no time but FOR_EVER, and stays so */
	return mono_ns == UINT64_MAX ? mono_ns :
	    mono_ns > start ? mono_ns - start : 0;
}

void
sim_virtual(struct sim *s, bool on)
{
	if (!on)
		s->t0 = clock_ns(CLOCK_MONOTONIC) - s->t;
	s->virtual = on;
}

void
sim_advance(struct sim *s, uint64_t ns)
{
	sim_tick(s);
	if (!s->virtual)
		s->t0 -= ns;
	sim_time(s, s->t + ns);
}

struct sleeper {
	uint64_t until;         /* it sleeps until this machine time, or FOR_EVER, */
	atomic_uint *word;      /* or until *word differs from `seen`; or NULL */
	unsigned seen;
	bool left;
	pthread_cond_t turn;
};

struct sim_threads {
	pthread_mutex_t lock;
	unsigned n;             /* threads without the opener, whose number is n */
	unsigned running, left;
	bool closing;           /* the opener waits until all have left */
	struct sleeper sleeper[];
};

void
sim_lock(struct sim *s)
{
	if (s->threads != NULL && !s->virtual)
		pthread_mutex_lock(&s->threads->lock);
}

void
sim_unlock(struct sim *s)
{
	if (s->threads != NULL && !s->virtual)
		pthread_mutex_unlock(&s->threads->lock);
}

static uint64_t
wakes(const struct sim *s, unsigned i)
{
	const struct sim_threads *t = s->threads;
	const struct sleeper *z = &t->sleeper[i];

	if (z->left)
		return FOR_EVER;
	if (i == t->n && t->closing)
		return t->left == t->n ? s->t : FOR_EVER;
	return (z->word != NULL && *z->word != z->seen) || z->until < s->t ?
	    s->t : z->until;
}

/* Lets the next thread run, and waits until it is our turn again. */
static void
sim_threads_pass_on(struct sim *s, unsigned me)
{
	struct sim_threads *t = s->threads;
	unsigned next = 0;

	pthread_mutex_lock(&t->lock);
	for (unsigned i = 1; i <= t->n; i++)
		if (wakes(s, i) < wakes(s, next))
			next = i;
	if (wakes(s, next) != FOR_EVER)
		sim_time(s, wakes(s, next));
	t->running = next;
	pthread_cond_signal(&t->sleeper[next].turn);
	while (!t->sleeper[me].left && t->running != me)
		pthread_cond_wait(&t->sleeper[me].turn, &t->lock);
	pthread_mutex_unlock(&t->lock);
}

void
sim_spend(struct sim *s, uint64_t until)
{
	struct sim_threads *t = s->threads;

	if (t == NULL) {
		sim_time(s, until);
		return;
	}
	t->sleeper[t->running].until = until;
	t->sleeper[t->running].word = NULL;
	sim_threads_pass_on(s, t->running);
}

void
sim_threads_free(struct sim *s)
{
	struct sim_threads *t = s->threads;

	if (t == NULL)
		return;
	for (unsigned i = 0; i <= t->n; i++)
		pthread_cond_destroy(&t->sleeper[i].turn);
	pthread_mutex_destroy(&t->lock);
	free(t);
	s->threads = NULL;
}

static int
threads_open(struct access *acc, unsigned n)
{
	struct sim *s = (struct sim *)acc;
	struct sim_threads *t;
	pthread_mutexattr_t again;

	if (s->ntape > 0)
		return -ENOTSUP;        /* each sleep would move the tape on */
	sim_threads_free(s);
	if ((t = calloc(1, sizeof(*t) + (n + 1) * sizeof(t->sleeper[0]))) ==
	    NULL)
		return -ENOMEM;
	pthread_mutexattr_init(&again);
	/* recursive, as a read of the message bus accesses other registers */
	pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&t->lock, &again);
	pthread_mutexattr_destroy(&again);
	for (unsigned i = 0; i <= n; i++)
		pthread_cond_init(&t->sleeper[i].turn, NULL);
	t->n = t->running = n;
	s->threads = t;
	return 0;
}

static void
threads_enter(struct access *acc, unsigned thread)
{
	struct sim *s = (struct sim *)acc;
	struct sim_threads *t = s->threads;

	if (!s->virtual)
		return;
	pthread_mutex_lock(&t->lock);
	while (t->running != thread)
		pthread_cond_wait(&t->sleeper[thread].turn, &t->lock);
	pthread_mutex_unlock(&t->lock);
}

static void
threads_leave(struct access *acc, unsigned thread)
{
	struct sim *s = (struct sim *)acc;

	if (!s->virtual)
		return;
	s->threads->left++;
	s->threads->sleeper[thread].left = true;
	sim_threads_pass_on(s, thread);
}

static void
threads_wait(struct access *acc, unsigned thread, uint64_t mono_ns,
    atomic_uint *word, unsigned seen)
{
	struct sim *s = (struct sim *)acc;
	struct sleeper *z = &s->threads->sleeper[thread];

	if (!s->virtual) {
		threads_here.wait(acc, thread, mono_ns, word, seen);
		return;
	}
	z->until = sim_machine_time(s, mono_ns);
	z->word = word;
	z->seen = seen;
	sim_threads_pass_on(s, thread);
}

static void
threads_wake(struct access *acc, atomic_uint *word)
{
	/* in virtual time the words are looked at when the caller sleeps */
	if (!((struct sim *)acc)->virtual)
		threads_here.wake(acc, word);
}

static void
threads_close(struct access *acc, unsigned started)
{
	struct sim *s = (struct sim *)acc;
	struct sim_threads *t = s->threads;

	if (t == NULL)
		return;
	for (unsigned i = started; i < t->n; i++) {
		t->sleeper[i].left = true;
		t->left++;
	}
	t->closing = true;
	if (s->virtual && t->left < t->n)
		sim_threads_pass_on(s, t->n);
	t->closing = false;
}

const struct thread_ops sim_threads = {
	.open = threads_open, .enter = threads_enter, .leave = threads_leave,
	.wait = threads_wait, .wake = threads_wake, .close = threads_close,
};

/* The clocks of the simulated machine, and sleep, which moves them on. */

void
sim_now(struct access *acc, struct stamp *stamp)
{
	struct sim *s = (struct sim *)acc;

	if (s->ntape > 0) {
		*stamp = s->tape[s->position];
		return;
	}
	sim_lock(s);
	sim_tick(s);
	stamp->tsc = count_get(s, &s->tsc);
	stamp->mono_ns = sim_mono(s);
	stamp->real_ns = (uint64_t)s->real_step +
	    (s->virtual ? s->d->start_ns + s->t : clock_ns(CLOCK_REALTIME));
	sim_unlock(s);
}

int
sim_kept(struct access *acc, struct clock_state *kept)
{
	const struct sim_desc *d = ((struct sim *)acc)->d;

	*kept = d->kept;
	return d->kept_known ? 0 : -ENOTSUP;
}

int
sim_sleep(struct access *acc, uint64_t mono_ns, const sigset_t *unblocked)
{
	struct sim *s = (struct sim *)acc;
	struct stamp now;
	struct timespec wait = { 0, 0 };
	uint64_t ahead, step;
	int rc;

	sim_now(acc, &now);
	ahead = mono_ns > now.mono_ns ? mono_ns - now.mono_ns : 0;
	if (!s->virtual)
		wait = (struct timespec){ (time_t)(ahead / NS),
		    (long)(ahead % NS) };
	/* wait even for no time, so that a pending signal is delivered */
	if ((rc = host_wait(acc, &wait, unblocked)) < 0)
		return rc;
	if (s->ntape > 0) {
		if (s->position + 1 < s->ntape) {
			step = s->tape[s->position + 1].mono_ns -
			    s->tape[s->position].mono_ns;
			s->position++;
			if (s->virtual && (int64_t)step > 0)
				sim_time(s, s->t + step);
		}
	} else if (s->virtual)
		sim_spend(s, s->t + ahead);
	return 0;
}
