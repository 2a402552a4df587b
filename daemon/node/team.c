/*
 * daemon/node/team.c - threads that save, write and restore registers at once.
 */
#include "daemon/node/program.h"

#include "lib/process.h"
#include "regs/access.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define STACK_SIZE (256u << 10)
/* A thread that gets no time on its lproc for so many seconds may run elsewhere. */
#define PATIENCE_S 1

/* A thread and the registers that it works on: those of an lproc, or of a package. */
struct member {
	struct team *team;
	pthread_t id;
	pid_t tid;
	int pkg;                        /* -1: an lproc's */
	unsigned lproc;
	unsigned *write, n;             /* into plan->write, in order */
	unsigned did;                   /* jobs so far */
};

struct team {
	struct plan *plan;
	struct access *acc;
	int (*enter)(void);
	struct member *member;
	struct diag *why;               /* of each: on its stack it would need another page */
	unsigned n, started;
	pthread_mutex_t lock;           /* protects what follows */
	pthread_cond_t work, done;
	const struct team_job *job;     /* NULL: end */
	struct team_result *result;     /* of that */
	unsigned given, busy, entered;
	int rc;                         /* of enter */
};

/* Adds a failure at an index of plan->write; keeps the words of that with the lowest index
 * (the highest one when going backward). */
static void
add_failure(struct team_result *r, const struct team_job *job, unsigned at,
    int rc, const struct diag *why)
{
	if (r->failed++ == 0 || (at < r->first) != job->backward) {
		r->rc = rc;
		r->first = at;
		r->why = *why;
	}
}

/* Does a job on all registers, of a thread's: m NULL: on all of the plan; why: room for
 * words. */
static void
do_list(struct plan *plan, struct access *acc, const struct team_job *job,
    struct member *m, struct team_result *r, struct diag *why)
{
	unsigned n = m != NULL ? m->n : plan->nwrite;

	for (unsigned k = 0; k < n; k++) {
		unsigned at = job->backward ? n - 1 - k : k;
		unsigned i = m != NULL ? m->write[at] : at;
		int rc = job->one(plan, &plan->write[i], acc, why);

		if (rc == 0)
			continue;
		if (m != NULL)
			pthread_mutex_lock(&m->team->lock);
		add_failure(r, job, i, rc, why);
		if (m != NULL)
			pthread_mutex_unlock(&m->team->lock);
		if (!job->go_on)
			return;
	}
}

static void *
member_main(void *arg)
{
	struct member *m = arg;
	struct team *t = m->team;
	int rc;

	access_visit(t->acc, m->lproc); /* if that is not allowed, registers are written from elsewhere */
	rc = t->enter != NULL ? t->enter() : 0;
	stack_release();
	pthread_mutex_lock(&t->lock);
	m->tid = (pid_t)gettid();
	t->rc = rc < 0 ? rc : t->rc;
	t->entered++;
	pthread_cond_broadcast(&t->done);
	for (;;) {
		while (m->did == t->given)
			pthread_cond_wait(&t->work, &t->lock);
		if (t->job == NULL)
			break;
		pthread_mutex_unlock(&t->lock);
		do_list(t->plan, t->acc, t->job, m, t->result,
		    &t->why[m - t->member]);
		pthread_mutex_lock(&t->lock);
		m->did++;
		if (--t->busy == 0)
			pthread_cond_broadcast(&t->done);
	}
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

static void
give(struct team *t, const struct team_job *job)
{
	t->job = job;
	t->busy = t->started;
	t->given++;
	pthread_cond_broadcast(&t->work);
}

/* Lets the threads that are not done run on any lproc. */
static void
set_free(struct team *t)
{
	for (unsigned i = 0; i < t->started; i++)
		if (t->member[i].did != t->given)
			thread_anywhere(t->member[i].tid);
}

void
team_do(struct team *t, struct plan *plan, struct access *acc,
    const struct team_job *job, struct team_result *r)
{
	struct timespec soon;
	struct diag why;

	*r = (struct team_result){ .failed = 0 };
	if (t == NULL) {
		do_list(plan, acc, job, NULL, r, &why);
		return;
	}
	clock_gettime(CLOCK_REALTIME, &soon);
	soon.tv_sec += PATIENCE_S;
	pthread_mutex_lock(&t->lock);
	t->result = r;
	give(t, job);
	while (t->busy > 0)
		if (pthread_cond_timedwait(&t->done, &t->lock, &soon) ==
		    ETIMEDOUT) {
			set_free(t);
			soon.tv_sec += PATIENCE_S;
		}
	pthread_mutex_unlock(&t->lock);
}

/* The thread of a register's lproc or package. */
static struct member *
member_of(struct team *t, const struct plan_write *w)
{
	for (unsigned i = t->n; i-- > 0;)
		if (t->member[i].pkg == w->pkg && (w->pkg >= 0 ||
		    t->member[i].lproc == w->lproc))
			return &t->member[i];
	return NULL;
}

/* The lproc that a package's registers are written from: that of the plan for MSRs, any
 * for others. */
static unsigned
home_of(const struct plan *plan, const struct plan_write *w)
{
	if (w->pkg < 0)
		return w->lproc;
	if (w->addr.space == REG_MSR)
		return w->addr.unit;
	for (unsigned l = 0; l < plan->lproc.n; l++)
		if (plan->lproc.pkg[l] == w->pkg)
			return l;
	return 0;
}

static int
share_out(struct team *t)
{
	struct plan *plan = t->plan;

	for (unsigned i = 0; i < plan->nwrite; i++) {
		const struct plan_write *w = &plan->write[i];
		struct member *m = member_of(t, w);
		unsigned *more;

		if (m == NULL) {
			m = &t->member[t->n++];
			*m = (struct member){ .team = t, .pkg = w->pkg,
			    .lproc = home_of(plan, w) };
		}
		if ((m->n & (m->n - 1)) == 0) {
			more = realloc(m->write, (m->n * 2 + 1) *
			    sizeof(more[0]));
			if (more == NULL)
				return -ENOMEM;
			m->write = more;
		}
		m->write[m->n++] = i;
	}
	return 0;
}

static int
start_members(struct team *t)
{
	int rc = 0;

	for (; t->started < t->n && rc == 0; t->started += rc == 0)
		rc = thread_start(&t->member[t->started].id, STACK_SIZE,
		    member_main, &t->member[t->started]);
	pthread_mutex_lock(&t->lock);
	while (t->entered < t->started)
		pthread_cond_wait(&t->done, &t->lock);
	rc = rc != 0 ? rc : t->rc;
	pthread_mutex_unlock(&t->lock);
	return rc;
}

int
team_start(struct team **team, struct plan *plan, struct access *acc,
    int (*enter)(void))
{
	struct team *t = calloc(1, sizeof(*t));
	int rc = -ENOMEM;

	*team = NULL;
	if (t == NULL)
		return rc;
	t->plan = plan;
	t->acc = acc;
	t->enter = enter;
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->work, NULL);
	pthread_cond_init(&t->done, NULL);
	t->member = calloc(plan->nwrite + 1, sizeof(t->member[0]));
	if (t->member == NULL || (rc = share_out(t)) < 0 || (rc = (t->why =
	    malloc((t->n + 1) * sizeof(t->why[0]))) == NULL ? -ENOMEM :
	    start_members(t)) < 0) {
		team_stop(t);
		return rc;
	}
	*team = t;
	return 0;
}

void
team_stop(struct team *t)
{
	if (t == NULL)
		return;
	pthread_mutex_lock(&t->lock);
	give(t, NULL);
	pthread_mutex_unlock(&t->lock);
	for (unsigned i = 0; i < t->started; i++)
		pthread_join(t->member[i].id, NULL);
	for (unsigned i = 0; i < t->n; i++)
		free(t->member[i].write);
	free(t->member);
	free(t->why);
	pthread_mutex_destroy(&t->lock);
	pthread_cond_destroy(&t->work);
	pthread_cond_destroy(&t->done);
	free(t);
}
