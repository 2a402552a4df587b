/*
 * postproc/data/crew.c - threads that do one piece of work together.
 *
 * A thread that does not get a CPU in time delays nobody: what it has not begun, others
 * do.
 */
#include "postproc/data/crew.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "lib/process.h"

#define STACK_SIZE (256u << 10) /* bytes: enough to evaluate formulas */

struct crew {
	unsigned wanted;        /* threads beside the caller; 0: all were started */
	unsigned started;
	pthread_t thread[CREW_MOST];
	pthread_mutex_t lock;   /* for what follows */
	pthread_cond_t work, done;
	unsigned named;         /* how many threads have taken their number */
	void (*piece)(void *, unsigned, unsigned);
	void *ctx;
	unsigned next, n;       /* pieces that nobody has begun: next to n - 1 */
	unsigned busy;          /* pieces that are being done */
	bool stop;
};

struct crew *
crew_new(unsigned threads)
{
	struct crew *c = threads < 2 ? NULL : calloc(1, sizeof *c);

	if (c == NULL)
		return NULL;
	c->wanted = (threads < CREW_MOST ? threads : CREW_MOST) - 1;
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->work, NULL);
	pthread_cond_init(&c->done, NULL);
	return c;
}

/* Does pieces until all are begun.  The lock is held before and after. */
static void
do_pieces(struct crew *c, unsigned thread)
{
	while (c->next < c->n) {
		unsigned i = c->next++;

		c->busy++;
		pthread_mutex_unlock(&c->lock);
		c->piece(c->ctx, i, thread);
		pthread_mutex_lock(&c->lock);
		if (--c->busy == 0 && c->next == c->n)
			pthread_cond_signal(&c->done);
	}
}

static void *
crew_work(void *crew)
{
	struct crew *c = crew;
	unsigned thread;

	pthread_mutex_lock(&c->lock);
	thread = ++c->named;
	while (!c->stop) {
		do_pieces(c, thread);
		if (!c->stop)
			pthread_cond_wait(&c->work, &c->lock);
	}
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

static void
start_crew(struct crew *c)
{
	while (c->started < c->wanted && thread_start(&c->thread[c->started],
	    STACK_SIZE, crew_work, c) == 0)
		c->started++;
	c->wanted = 0;
}

void
crew_do(struct crew *c, void (*piece)(void *, unsigned, unsigned), void *ctx,
    unsigned n)
{
	if (c != NULL && n > 1 && c->wanted > 0)
		start_crew(c);
	if (c == NULL || n < 2 || c->started == 0) {
		for (unsigned i = 0; i < n; i++)
			piece(ctx, i, 0);
		return;
	}
	pthread_mutex_lock(&c->lock);
	c->piece = piece;
	c->ctx = ctx;
	c->next = 0;
	c->n = n;
	pthread_cond_broadcast(&c->work);
	do_pieces(c, 0);
	while (c->busy > 0)
		pthread_cond_wait(&c->done, &c->lock);
	pthread_mutex_unlock(&c->lock);
}

void
crew_free(struct crew *c)
{
	if (c == NULL)
		return;
	pthread_mutex_lock(&c->lock);
	c->stop = true;
	pthread_cond_broadcast(&c->work);
	pthread_mutex_unlock(&c->lock);
	for (unsigned i = 0; i < c->started; i++)
		pthread_join(c->thread[i], NULL);
	pthread_cond_destroy(&c->work);
	pthread_cond_destroy(&c->done);
	pthread_mutex_destroy(&c->lock);
	free(c);
}
