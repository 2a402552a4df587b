/*
 * daemon/read/pinned.c - threads that read, each on its lproc: starts them, gives
 * them orders, and makes rows of what they have read.
 */
#include "daemon/read/pinned.h"

#include "daemon/read/rotate.h"
#include "lib/process.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

/* The stack of a thread; sanitizers need more than a sample does. */
#define STACK_SIZE (256u << 10)
/* How long to wait for the other threads at first; then twice as long each time. */
#define FIRST_WAIT_NS 50000

static void
make_order(struct pinned *p, uint64_t n, const struct order *o)
{
	struct order_slot *s = &p->slot[n % 2];

	atomic_store(&s->n, NO_SAMPLE);
	atomic_store(&s->due_ns, o->due_ns);
	atomic_store(&s->from_ns, o->from_ns);
	atomic_store(&s->watch, o->watch);
	atomic_store(&s->active, o->active);
	atomic_store(&s->next, o->next);
	atomic_store(&s->n, n);
}

static void
wake(struct pinned *p, struct pinned_thread *t)
{
	atomic_fetch_add(&t->word, 1);
	p->ops->wake(p->acc, &t->word);
}

void
pinned_order(struct pinned *p, uint64_t n, const struct order *o)
{
	make_order(p, n, o);
	/* wake the threads that wait for an order */
	for (unsigned i = 0; i < p->started; i++)
		if (atomic_load(&p->thread[i].idle))
			wake(p, &p->thread[i]);
}

uint64_t
pinned_due(const struct pinned *p, uint64_t n)
{
	return atomic_load(&p->slot[n % 2].due_ns);
}

bool
pinned_hasten(struct pinned *p, uint64_t n, bool watch)
{
	struct order_slot *s = &p->slot[n % 2];
	uint64_t due = atomic_load(&s->due_ns);

	if (access_mono(p->acc) >= due)
		return false;
	if (watch)
		atomic_store(&s->watch, n);
	/* no thread begins before the sample is due: until then, all will see s->watch */
	if (access_mono(p->acc) >= due)
		return false;
	atomic_store(&s->due_ns, 0);
	for (unsigned i = 0; i < p->started; i++)
		wake(p, &p->thread[i]);
	return true;
}

/* ---- a row ------------------------------------------------------------- */

/* Has the thread done sample n?  It may be a sample ahead, if the sampler is late. */
static bool
done(const struct pinned_thread *t, uint64_t n)
{
	return atomic_load(&t->done) > n;
}

static bool
all_done(const struct pinned *p, uint64_t n)
{
	for (unsigned i = 0; i < p->started; i++)
		if (!done(&p->thread[i], n) && !atomic_load(&p->thread[i].gone))
			return false;
	return true;
}

static void
wait_for_all(struct pinned *p, uint64_t n, uint64_t until)
{
	uint64_t now, step = FIRST_WAIT_NS;

	for (; !all_done(p, n); step *= 2) {
		if ((now = access_mono(p->acc)) >= until)
			return;
		access_sleep(p->acc, now + step < until ? now + step : until,
		    NULL);
	}
}

/* Copies the cells of a block's shared counters and of its times, of all sets. */
static void
copy_shared(const struct plan *plan, const struct block *b,
    const uint64_t *from, uint64_t *row)
{
	for (unsigned i = b->shared; i < b->shared + b->nshared; i++)
		for (unsigned set = 1; set < plan->sets.n; set++) {
			unsigned cell =
			    plan->sets.cell[plan->sets.shared[i].cell + set];

			if (cell != 0)
				row[cell] = from != NULL ? from[cell] : ABSENT;
		}
	for (unsigned k = 0; b->in_set != 0 && k + 1 < plan->sets.n; k++)
		row[b->in_set + k] = from != NULL ? from[b->in_set + k] : ABSENT;
}

/* Copies what a thread has read into the row; from NULL: it has read nothing. */
static void
copy_blocks(const struct pinned_thread *t, const uint64_t *from, uint64_t *row)
{
	const struct plan *plan = t->p->plan;

	for (unsigned i = 0; i < t->nblock; i++) {
		const struct block *b = &plan->block[t->block[i]];

		for (unsigned k = b->cell; k <= b->cell + b->n; k++)
			row[k] = from != NULL ? from[k] : ABSENT;
		copy_shared(plan, b, from, row);
	}
}

static void
pinned_tell(struct pinned_thread *t, uint64_t n, struct pinned_row *r)
{
	const struct thread_found *f = &t->found[n % 2];

	/* compare by the TSC, which also stamps the blocks: a thread may be interrupted
	 * between reading the two clocks */
	if (r->begin.mono_ns == 0 || f->begin.tsc < r->begin.tsc)
		r->begin = f->begin;
	if (f->end_ns > r->end_ns)
		r->end_ns = f->end_ns;
	if (f->longest > r->longest)
		r->longest = f->longest;
	for (unsigned i = atomic_load(&t->taken) == n ? f->carried : 0;
	    i < f->nchanged && r->nchanged < t->p->plan->nwrite; i++)
		r->changed[r->nchanged++] = f->changed[i];
	atomic_store(&t->taken, n + 1);
}

/* Does the thread's lproc, which was offline, answer again?  If so, the caller reads its
 * blocks this once. */
static bool
came_back(struct pinned_thread *t, uint64_t n)
{
	struct pinned *p = t->p;
	const struct order_slot *s = &p->slot[n % 2];
	struct order o = { .watch = s->watch, .active = s->active,
	    .next = s->next };
	struct stamp now;

	if (!block_answers(p->acc, t->lproc))
		return false;
	access_now(p->acc, &now);
	pinned_read(t, n, &o, &now, false);
	atomic_store(&t->done, n + 1);
	return true;
}

void
pinned_take(struct pinned *p, uint64_t n, uint64_t until_ns, uint64_t *row,
    struct pinned_row *r)
{
	struct stamp now;

	r->begin.mono_ns = r->end_ns = r->rotate_ns = r->longest = 0;
	r->nchanged = r->late = 0;
	wait_for_all(p, n, until_ns);
	/* before a thread that is late can begin the next sample */
	access_now(p->acc, &now);
	for (unsigned i = 0; i < p->started; i++) {
		struct pinned_thread *t = &p->thread[i];
		bool back = !done(t, n) && atomic_load(&t->gone) &&
		    came_back(t, n);

		if (done(t, n)) {
			copy_blocks(t, p->cell[n % 2], row);
			pinned_tell(t, n, r);
		} else {
			copy_blocks(t, NULL, row);
			r->late += !atomic_load(&t->gone);
		}
		r->rotate_ns += atomic_load(&t->rotate_ns);
		if (back) {
			atomic_store(&t->gone, false);
			wake(p, t);
		}
	}
	if (r->begin.mono_ns == 0) {
		r->begin = now;
		r->end_ns = now.mono_ns;
	}
	atomic_store(&p->next, n + 1);
}

void
pinned_doubt(const struct pinned *p, uint64_t n, unsigned active,
    uint64_t elapsed, uint64_t *row)
{
	const struct plan *plan = p->plan;

	for (unsigned i = 0; i < p->started; i++) {
		const struct pinned_thread *t = &p->thread[i];

		for (unsigned k = 0; k < t->nblock && atomic_load(&t->taken) ==
		    n + 1; k++)
			rotate_doubt(plan, &plan->block[t->block[k]],
			    &p->counted[n % 2][t->block[k]], active, elapsed,
			    row);
	}
}

/* ---- start and end ----------------------------------------------------- */

/* The thread that reads a block: its lproc's, or where that has none, one of its package;
 * `turn` says which, so that they share the work. */
static struct pinned_thread *
reader_of(struct pinned *p, const struct block *b, unsigned turn)
{
	const struct plan *plan = p->plan;
	int pkg = plan->lproc.pkg[b->lproc];
	unsigned same = 0;

	for (unsigned i = 0; i < p->n; i++)
		if (p->thread[i].lproc == b->lproc)
			return &p->thread[i];
	for (unsigned i = 0; i < p->n; i++)
		same += plan->lproc.pkg[p->thread[i].lproc] == pkg;
	for (unsigned i = 0, k = 0; i < p->n && same > 0; i++)
		if (plan->lproc.pkg[p->thread[i].lproc] == pkg &&
		    k++ == turn % same)
			return &p->thread[i];
	return &p->thread[turn % p->n];
}

static void
name_threads(struct pinned *p)
{
	const struct plan *plan = p->plan;

	for (unsigned i = 0; i < plan->nblock; i++) {
		const struct block *b = &plan->block[i];

		if (!b->visit || b->left_alone || (p->n > 0 &&
		    p->thread[p->n - 1].lproc == b->lproc))
			continue;
		p->thread[p->n] = (struct pinned_thread){ .p = p,
		    .index = p->n, .lproc = b->lproc,
		    .set = plan->sets.active };
		p->n++;
	}
}

static int
share_blocks(struct pinned *p)
{
	struct plan *plan = p->plan;
	unsigned turn = 0;

	for (unsigned i = 0; i < plan->nblock; i++) {
		struct block *b = &plan->block[i];
		struct pinned_thread *t = reader_of(p, b, turn);
		unsigned *more = realloc(t->block, (t->nblock + 1) *
		    sizeof(more[0]));

		if (more == NULL)
			return -ENOMEM;
		t->block = more;
		t->block[t->nblock++] = i;
		t->ncontrol += b->nwatch;
		t->msr |= block_has_msr(plan, b);
		turn += t->lproc != b->lproc;
	}
	for (unsigned i = 0; i < p->n; i++)
		for (unsigned k = 0; k < 2; k++) {
			struct thread_found *f = &p->thread[i].found[k];

			f->changed = calloc(2 * p->thread[i].ncontrol + 1,
			    sizeof(f->changed[0]));
			if (f->changed == NULL)
				return -ENOMEM;
		}
	return 0;
}

static int
set_up(struct pinned *p, struct plan *plan, struct access *acc)
{
	p->plan = plan;
	p->acc = acc;
	p->ops = access_threads(acc);
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->entered, NULL);
	for (unsigned i = 0; i < 2; i++) {
		atomic_store(&p->slot[i].n, NO_SAMPLE);
		p->cell[i] = calloc(plan->ncell, sizeof(p->cell[i][0]));
		p->counted[i] = calloc(plan->nblock + 1,
		    sizeof(p->counted[i][0]));
	}
	p->thread = aligned_alloc(_Alignof(struct pinned_thread),
	    (plan->nblock + 1) * sizeof(p->thread[0]));
	if (p->thread == NULL || p->cell[0] == NULL || p->cell[1] == NULL ||
	    p->counted[0] == NULL || p->counted[1] == NULL)
		return -ENOMEM;
	name_threads(p);
	return p->n == 0 ? -ENODEV : share_blocks(p);
}

static int
pinned_start_threads(struct pinned *p)
{
	int rc = 0;

	for (; p->started < p->n && rc == 0; p->started += rc == 0)
		rc = thread_start(&p->thread[p->started].id, STACK_SIZE,
		    pinned_main, &p->thread[p->started]);
	pthread_mutex_lock(&p->lock);
	while (p->ready < p->started)
		pthread_cond_wait(&p->entered, &p->lock);
	pthread_mutex_unlock(&p->lock);
	return rc;
}

int
pinned_start(struct pinned **pinned, struct plan *plan, struct access *acc,
    struct diag *why)
{
	struct pinned *p;
	int rc;

	if (access_threads(acc) == NULL)
		return diag_set(why, -ENOTSUP, "--read pinned: not on this "
		    "kind of machine");
	if ((p = calloc(1, sizeof(*p))) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	if ((rc = set_up(p, plan, acc)) < 0 ||
	    (rc = p->ops->open(acc, p->n)) < 0)
		goto fail;
	p->opened = true;
	if ((rc = pinned_start_threads(p)) < 0)
		goto fail;
	*pinned = p;
	return 0;
fail:
	pinned_free(p);
	return diag_set(why, rc, "--read pinned: %s", rc == -ENOTSUP ?
	    "not on this kind of machine" : rc == -ENODEV ? "no lproc that is "
	    "sampled may have a thread" : start_problem(rc));
}

void
pinned_unhurried(struct pinned *p)
{
	struct sched_param ordinary = { .sched_priority = 0 };

	for (unsigned i = 0; i < p->started; i++)
		sched_setscheduler(p->thread[i].tid, SCHED_OTHER, &ordinary);
}

/* Lets a thread that gets no time on its lproc end elsewhere. */
static void
pinned_join(struct pinned_thread *t)
{
	struct timespec soon;

	clock_gettime(CLOCK_REALTIME, &soon);
	soon.tv_sec += 1;
	if (pthread_timedjoin_np(t->id, NULL, &soon) == 0)
		return;
	thread_anywhere(t->tid);
	pthread_join(t->id, NULL);
}

void
pinned_stop(struct pinned *p)
{
	if (p == NULL || !p->opened)
		return;
	atomic_store(&p->quit, true);
	for (unsigned i = 0; i < p->started; i++)
		wake(p, &p->thread[i]);
	p->ops->close(p->acc, p->started);
	for (unsigned i = 0; i < p->started; i++)
		pinned_join(&p->thread[i]);
	p->opened = false;
	p->started = 0;
}

void
pinned_free(struct pinned *p)
{
	if (p == NULL)
		return;
	pinned_stop(p);
	for (unsigned i = 0; i < p->n; i++) {
		free(p->thread[i].block);
		free(p->thread[i].found[0].changed);
		free(p->thread[i].found[1].changed);
	}
	free(p->thread);
	for (unsigned i = 0; i < 2; i++) {
		free(p->cell[i]);
		free(p->counted[i]);
	}
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->entered);
	free(p);
}

unsigned
pinned_threads(const struct pinned *p)
{
	return p->n;
}

void
pinned_switches(const struct pinned *p, unsigned thread, unsigned *lproc,
    uint64_t *slept, uint64_t *preempted)
{
	*lproc = p->thread[thread].lproc;
	*slept = p->thread[thread].slept;
	*preempted = p->thread[thread].preempted;
}
