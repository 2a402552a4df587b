/*
 * regs/sim/sim_threads.c - many threads on the simulated machine.
 *
 * In virtual time one thread runs at a time, until it sleeps or its read takes time.
 * Then the thread whose time comes first runs, and the clock is set to that time; of
 * several the one with the lowest number, and the opener last.  So every run is the
 * same, and a stall of one lproc does not delay the others.  In the host's time all
 * threads run, and a lock protects the machine.
 */
#include "regs/sim/sim_int.h"
#include "regs/threads.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

struct sleeper {
	uint64_t until;         /* it sleeps until this machine time, or FOR_EVER, */
	atomic_uint *word;      /* or until *word differs from `seen`; or NULL */
	unsigned seen;
	bool left;
	pthread_cond_t turn;
};

struct sim_threads {
	pthread_mutex_t lock;
	unsigned n;             /* threads but for the opener, which is number n */
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
