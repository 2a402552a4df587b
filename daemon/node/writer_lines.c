/*
 * daemon/node/writer_lines.c - who visits an lproc asks a thread of the writer there.
 */
#include "daemon/node/writer.h"

#include "daemon/node/rights.h"
#include "lib/process.h"
#include "regs/access.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define STACK_SIZE (256u << 10)
/* A line's thread that got no time on its lproc for so long goes on elsewhere. */
#define PATIENCE_S 1
/* Beside the MSR devices, opened once more to read alone: dumps, the control socket,
 * PCI functions. */
#define SPARE_DESCRIPTORS 512

/* ---- the sampler's side -------------------------------------------------- */

/* May a process have n descriptors, and those that sampling opens later? */
static bool
room_for(unsigned n)
{
	struct rlimit rl;

	if (getrlimit(RLIMIT_NOFILE, &rl) < 0)
		return false;
	n += SPARE_DESCRIPTORS;
	if (rl.rlim_cur >= n)
		return true;
	rl.rlim_cur = n;
	if (rl.rlim_max < n)
		rl.rlim_max = n;
	return setrlimit(RLIMIT_NOFILE, &rl) == 0;
}

void
writer_lines_open(struct writer *w, const struct plan *plan, int newest)
{
	unsigned n = plan->lproc.n;

	if (!w->visits || plan->sets.n < 2 ||
	    (w->line = calloc(n, sizeof(w->line[0]))) == NULL)
		return;
	w->nline = n;
	for (unsigned l = 0; l < n; l++) {
		w->line[l].fd = w->line[l].other = -1;
		pthread_mutex_init(&w->line[l].asking, NULL);
	}
	if (!room_for((unsigned)newest + 4 * n))
		return;
	for (unsigned i = 0; i < plan->nblock; i++) {
		const struct block *b = &plan->block[i];
		struct writer_line *line = &w->line[b->lproc];
		int fd[2];

		if (line->fd >= 0 || b->nrot == 0 || !b->visit || b->left_alone)
			continue;
		if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0,
		    fd) < 0)
			return;
		line->fd = fd[0];
		line->other = fd[1];
	}
}

struct writer_line *
writer_lines_here(struct writer *w, const struct reg_value *value, unsigned n)
{
	int here = w->nline > 0 ? sched_getcpu() : -1;

	for (unsigned i = 0; i < n; i++)
		if (value[i].addr.space == REG_SIDEBAND)
			return NULL;
	return here >= 0 && (unsigned)here < w->nline && w->line[here].fd >= 0 ?
	    &w->line[here] : NULL;
}

static void
writer_lines_close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void
writer_lines_began(struct writer *w)
{
	for (unsigned l = 0; l < w->nline; l++)
		writer_lines_close_end(&w->line[l].other);
}

void
writer_lines_leave(struct writer *w)
{
	for (unsigned l = 0; l < w->nline; l++) {
		writer_lines_close_end(&w->line[l].fd);
		writer_lines_close_end(&w->line[l].other);
	}
}

void
writer_lines_free(struct writer *w)
{
	writer_lines_leave(w);
	free(w->line);
	w->line = NULL;
	w->nline = 0;
}

/* ---- the writer's side --------------------------------------------------- */

struct keeper_line {
	struct keeper *keeper;
	int fd;
	unsigned lproc;
	pthread_mutex_t writing;        /* held by writer_lines_hold */
	pthread_t id;
	pid_t tid;
	int rc;                         /* of its start */
};

struct keeper_lines {
	struct keeper_line *line;
	unsigned n, started;
	pthread_mutex_t lock;           /* of entered */
	pthread_cond_t enter, never;    /* never: nobody signals it */
	unsigned entered;
};

/* A register of the message bus takes several accesses, which the main thread
 * alone makes. */
static bool
has_sideband(const struct request_many *ask)
{
	for (unsigned i = 0; i < ask->n; i++)
		if (ask->value[i].addr.space == REG_SIDEBAND)
			return true;
	return false;
}

static void
writer_lines_serve(struct keeper_line *l)
{
	struct request_many ask;
	ssize_t n;
	int32_t rc;

	do {
		if ((n = writer_hear(l->fd, &ask, sizeof(ask))) <= 0)
			return;
		/* its lproc has been offline, and is back */
		if (sched_getcpu() != (int)l->lproc)
			access_visit(l->keeper->acc, l->lproc);
		pthread_mutex_lock(&l->writing);
		rc = !keeper_is_many(&ask, n) ? -EINVAL : has_sideband(&ask) ?
		    -EPERM : keeper_write_many(l->keeper, &ask);
		pthread_mutex_unlock(&l->writing);
	} while (writer_tell(l->fd, &rc, sizeof(rc)) == 0);
}

static void *
line_main(void *arg)
{
	struct keeper_line *l = arg;
	struct keeper_lines *all = l->keeper->lines;

	/* or the lproc's own work would keep the sampler waiting */
	rights_schedule();
	l->rc = rights_thread();
	access_visit(l->keeper->acc, l->lproc);
	pthread_mutex_lock(&all->lock);
	l->tid = (pid_t)gettid();
	all->entered++;
	pthread_cond_signal(&all->enter);
	pthread_mutex_unlock(&all->lock);
	writer_lines_serve(l);
	/* whoever waits for an answer learns that none comes */
	close(l->fd);
	/* The end of a thread takes system calls that the filter has not: it waits for
	 * that of the process. */
	pthread_mutex_lock(&all->lock);
	while (pthread_cond_wait(&all->never, &all->lock) == 0)
		continue;
	return NULL;
}

static int
start_lines(struct keeper_lines *all)
{
	int rc = 0;

	for (; all->started < all->n && rc == 0; all->started += rc == 0)
		rc = thread_start(&all->line[all->started].id, STACK_SIZE,
		    line_main, &all->line[all->started]);
	pthread_mutex_lock(&all->lock);
	while (all->entered < all->started)
		pthread_cond_wait(&all->enter, &all->lock);
	pthread_mutex_unlock(&all->lock);
	/* no more threads may be started: the main thread is asked instead */
	for (unsigned i = all->started; i < all->n; i++)
		close(all->line[i].fd);
	all->n = all->started;
	rc = rc == -EAGAIN ? 0 : rc;
	for (unsigned i = 0; i < all->started && rc == 0; i++)
		rc = all->line[i].rc;
	return rc;
}

int
writer_lines_start(struct keeper *k, struct writer *w)
{
	struct keeper_lines *all = calloc(1, sizeof(*all));

	k->lines = all;
	if (all == NULL || (all->line = calloc(w->nline + 1,
	    sizeof(all->line[0]))) == NULL)
		return -ENOMEM;
	pthread_mutex_init(&all->lock, NULL);
	pthread_cond_init(&all->enter, NULL);
	pthread_cond_init(&all->never, NULL);
	for (unsigned l = 0; l < w->nline; l++) {
		writer_lines_close_end(&w->line[l].fd);
		if (w->line[l].other < 0)
			continue;
		all->line[all->n] = (struct keeper_line){ .keeper = k,
		    .fd = w->line[l].other, .lproc = l };
		pthread_mutex_init(&all->line[all->n++].writing, NULL);
	}
	return start_lines(all);
}

void
writer_lines_hold(struct keeper *k)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += PATIENCE_S;
	for (unsigned i = 0; i < k->lines->n; i++) {
		struct keeper_line *l = &k->lines->line[i];

		if (pthread_mutex_timedlock(&l->writing, &until) == 0)
			continue;
		thread_anywhere(l->tid);
		pthread_mutex_lock(&l->writing);
	}
}

void
writer_lines_release(struct keeper *k)
{
	for (unsigned i = 0; i < k->lines->n; i++)
		pthread_mutex_unlock(&k->lines->line[i].writing);
}
