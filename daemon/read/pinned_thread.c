/*
 * daemon/read/pinned_thread.c - a thread that reads one lproc.
 */
#include "daemon/read/pinned.h"

#include "daemon/read/rotate.h"
#include "lib/process.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* Reads the order of sample n; false: it is not there yet, or not any more. */
static bool
order_of(struct pinned *p, uint64_t n, struct order *o)
{
	struct order_slot *s = &p->slot[n % 2];

	if (atomic_load(&s->n) != n)
		return false;
	*o = (struct order){ .due_ns = s->due_ns, .from_ns = s->from_ns,
	    .watch = s->watch, .active = s->active, .next = s->next };
	return atomic_load(&s->n) == n;
}

/* This thread missed a turn: what its counters have counted since belongs to no set. */
static void
missed_turn(struct pinned_thread *t, unsigned active)
{
	struct plan *plan = t->p->plan;

	for (unsigned i = 0; i < t->nblock; i++) {
		struct block *b = &plan->block[t->block[i]];

		b->stale = b->nrot > 0 || b->nshared > 0;
		for (unsigned k = b->shared; k < b->shared + b->nshared; k++)
			plan->sets.shared[k].start = ABSENT;
	}
	t->set = active;
}

/* Copies the last sample's findings if the sampler has not taken them; returns how many. */
static unsigned
carried_over(struct pinned_thread *t, struct thread_found *now)
{
	uint64_t done = atomic_load(&t->done);
	const struct thread_found *was = &t->found[(done + 1) % 2];

	if (done == 0 || atomic_load(&t->taken) >= done)
		return 0;
	for (unsigned i = 0; was != now && i < was->nchanged; i++)
		now->changed[i] = was->changed[i];
	return was->nchanged < t->ncontrol ? was->nchanged : t->ncontrol;
}

/* Moves to the lproc of a block; returns the lproc on which the thread is then.  A
 * package's block that another lproc has read meanwhile is given back to this thread's
 * lproc, unless that is of another package. */
static int
pinned_thread_go_to(struct pinned_thread *t, struct block *b, int here)
{
	if (b->pkg >= 0 && b->lproc != t->lproc && here == (int)t->lproc)
		block_move_to(t->p->plan, b, t->lproc);
	if (here != (int)b->lproc && access_visit(t->p->acc, b->lproc) == 0)
		here = (int)b->lproc;
	return here;
}

/* Reads one block; false: nothing of it answers. */
static bool
one_block(struct pinned_thread *t, unsigned i, struct sweep_pass *pass,
    uint64_t n)
{
	struct plan *plan = t->p->plan;
	struct access *acc = t->p->acc;
	struct block *b = &plan->block[i];
	uint64_t *cell = t->p->cell[n % 2];

	block_read(plan, b, pass->active, acc, cell);
	block_finish(pass, plan, b, acc, cell);
	if (plan->sets.n > 1) {
		rotate_cells(plan, b, pass->active, cell);
		t->p->counted[n % 2][i] = b->counted;
	}
	return cell[b->cell] != ABSENT;
}

bool
pinned_read(struct pinned_thread *t, uint64_t n, const struct order *o,
    struct stamp *now, bool visit)
{
	struct pinned *p = t->p;
	struct thread_found *f = &t->found[n % 2];
	bool between = p->plan->sets.turns > 0;
	struct sweep_pass pass = { .next = o->next,
	    .active = between ? t->set : o->active,
	    .watching = o->watch > t->watched };
	unsigned answered = 0;
	/* the kernel moves a thread whose CPU goes offline, and does not move it back */
	int here = visit && sched_getcpu() == (int)t->lproc ?
	    (int)t->lproc : -1;

	f->begin = *now;
	pass.changed = f->changed;
	pass.nchanged = f->carried = carried_over(t, f);
	if (p->plan->sets.n > 1 && t->set != pass.active)
		missed_turn(t, o->active);
	for (unsigned i = 0; i < t->nblock; i++) {
		struct block *b = &p->plan->block[t->block[i]];

		if (visit && b->visit)
			here = pinned_thread_go_to(t, b, here);
		answered += one_block(t, t->block[i], &pass, n);
	}
	if (here >= 0 && here != (int)t->lproc)
		access_visit(p->acc, t->lproc);
	f->nchanged = pass.nchanged;
	f->longest = pass.longest;
	if (pass.watching)
		t->watched = n;
	t->set = o->next != 0 ? o->next : pass.active;
	t->turn = 0;
	t->rotate_ns += pass.rotate_ns;
	access_now(p->acc, now);
	f->end_ns = now->mono_ns;
	return answered > 0;
}

/* Sleeps until there is an order, or the word changes. */
static void
wait_for_order(struct pinned_thread *t, uint64_t n, unsigned seen)
{
	struct pinned *p = t->p;

	atomic_store(&t->idle, true);
	if (atomic_load(&p->slot[n % 2].n) != n && atomic_load(&p->next) <= n)
		p->ops->wait(p->acc, t->index, FOR_EVER, &t->word, seen);
	atomic_store(&t->idle, false);
}

/* Makes a turn between two samples. */
static void
turn_to(struct pinned_thread *t, unsigned next)
{
	struct pinned *p = t->p;
	int here = sched_getcpu() == (int)t->lproc ? (int)t->lproc : -1;
	uint64_t from = access_mono(p->acc);

	for (unsigned i = 0; i < t->nblock; i++) {
		struct block *b = &p->plan->block[t->block[i]];

		if (b->visit && b->nshared > 0)
			here = pinned_thread_go_to(t, b, here);
		rotate_between(p->plan, b, t->set, next, p->acc);
	}
	if (here >= 0 && here != (int)t->lproc)
		access_visit(p->acc, t->lproc);
	t->set = next;
	t->rotate_ns += access_mono(p->acc) - from;
}

/* Sleeps until sample n or the next turn before it is due; makes that turn. */
static void
wait_for_sample(struct pinned_thread *t, uint64_t n, const struct order *o,
    uint64_t now_ns, unsigned seen)
{
	struct pinned *p = t->p;
	uint64_t until = o->due_ns;
	unsigned turn;

	if (p->plan->sets.turns > 0 && o->from_ns > 0) {
		turn = rounds_turn(p->plan, o->from_ns, o->due_ns, now_ns);
		if (turn > t->turn) {
			/* sample 0 may have been taken within the turns of sample 1 */
			if (n > 1)
				rounds_lost(p->plan, n, t->turn + 1, turn);
			turn_to(t, rounds_set(p->plan, n, turn));
			t->turn = turn;
			return;
		}
		until = rounds_begins(p->plan, o->from_ns, o->due_ns, turn + 1);
	}
	p->ops->wait(p->acc, t->index, until, &t->word, seen);
}

/* Waits for an order, for a sample's time, or for its lproc; false: a sample is due. */
static bool
wait_for_work(struct pinned_thread *t, uint64_t n, struct order *o,
    uint64_t now_ns, unsigned seen)
{
	struct pinned *p = t->p;

	if (atomic_load(&t->gone))
		p->ops->wait(p->acc, t->index, FOR_EVER, &t->word, seen);
	else if (!order_of(p, n, o))
		wait_for_order(t, n, seen);
	else if (o->due_ns > now_ns)
		wait_for_sample(t, n, o, now_ns, seen);
	else
		return false;
	return true;
}

/* The clocks are read once after each sleep, and once after each sample.  The first sample
 * opens devices, which takes more stack than any other. */
static void
pinned_thread_work(struct pinned_thread *t)
{
	struct pinned *p = t->p;
	struct stamp now;
	struct order o;
	bool first = true;
	uint64_t n = 0;

	access_now(p->acc, &now);
	for (;;) {
		unsigned seen = atomic_load(&t->word);
		uint64_t next = atomic_load(&p->next);

		if (atomic_load(&p->quit))
			return;
		if (n < next)           /* late: these samples are lost */
			n = next;
		if (wait_for_work(t, n, &o, now.mono_ns, seen)) {
			access_now(p->acc, &now);
			continue;
		}
		if (!pinned_read(t, n, &o, &now, true) && t->msr &&
		    !block_answers(p->acc, t->lproc))
			atomic_store(&t->gone, true);
		atomic_store(&t->done, ++n);
		if (first)
			stack_release();
		first = false;
	}
}

void *
pinned_main(void *thread)
{
	struct pinned_thread *t = thread;
	struct pinned *p = t->p;
	struct rusage used;
	char name[16];

	snprintf(name, sizeof(name), "tallyd/%u", t->lproc);
	prctl(PR_SET_NAME, name);
	atomic_store(&t->tid, (int)gettid());
	access_visit(p->acc, t->lproc);
	pthread_mutex_lock(&p->lock);
	p->ready++;
	pthread_cond_signal(&p->entered);
	pthread_mutex_unlock(&p->lock);
	p->ops->enter(p->acc, t->index);
	pinned_thread_work(t);
	if (getrusage(RUSAGE_THREAD, &used) == 0) {
		t->slept = (uint64_t)used.ru_nvcsw;
		t->preempted = (uint64_t)used.ru_nivcsw;
	}
	p->ops->leave(p->acc, t->index);
	return NULL;
}
