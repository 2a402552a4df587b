/*
 * daemon/read/sweep.c - how a sample is read: each lproc disturbed once.
 *
 * Each read of another lproc's MSR costs an interrupt there, and a sleep and a wake-up
 * here.  Moving the thread there costs one context switch, after which each read is an
 * instruction.  Package registers are read on an lproc of their package in any mode.
 */
#include "daemon/read/sweep.h"

#include "daemon/read/pinned.h"
#include "daemon/read/rotate.h"
#include "daemon/read/saturate.h"
#include "regs/host.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
sweep_blocks(struct sweep *s, struct sweep_pass *what, struct plan *plan,
    struct access *acc, uint64_t *row)
{
	bool every_lproc = s->mode == READ_VISIT || s->mode == READ_PINNED;
	int here = -1;

	for (unsigned i = 0; i < plan->nblock; i++) {
		struct block *b = &plan->block[i];

		if ((every_lproc || (b->pkg >= 0 && !s->stay)) && b->visit &&
		    (int)b->lproc != here &&
		    access_visit(acc, b->lproc) == 0)
			here = (int)b->lproc;
		block_read(plan, b, what->active, acc, row);
		block_finish(what, plan, b, acc, row);
	}
}

void
sweep_row(struct sweep *s, struct plan *plan, struct access *acc,
    uint64_t *row)
{
	struct sweep_pass what = { .active = plan->sets.active, .next = s->next,
	    .watching = s->watching, .changed = s->changed };

	if (s->mode != READ_BATCH ||
	    msr_batch_row(&s->batch, &what, plan, acc, row) < 0)
		sweep_blocks(s, &what, plan, acc, row);
	s->nchanged = what.nchanged;
	s->rotate_ns += what.rotate_ns;
	s->longest = what.longest;
	if (s->next != 0)
		plan->sets.active = s->next;
	if (s->home >= 0)
		access_visit(acc, (unsigned)s->home);
}

bool
sweep_visits(const struct sweep *s, const struct block *b)
{
	return b->visit && (s->mode != READ_REMOTE || (b->pkg >= 0 && !s->stay));
}

void
sweep_turn(struct sweep *s, struct plan *plan, unsigned next,
    struct access *acc)
{
	int here = -1;
	uint64_t from = access_mono(acc);

	for (unsigned i = 0; i < plan->nblock; i++) {
		struct block *b = &plan->block[i];

		if (b->nshared > 0 && sweep_visits(s, b) &&
		    (int)b->lproc != here &&
		    access_visit(acc, b->lproc) == 0)
			here = (int)b->lproc;
		rotate_between(plan, b, plan->sets.active, next, acc);
	}
	plan->sets.active = next;
	if (here >= 0 && s->home >= 0)
		access_visit(acc, (unsigned)s->home);
	s->rotate_ns += access_mono(acc) - from;
}

int
sweep_threads(struct sweep *s, struct plan *plan, struct access *acc,
    struct diag *why)
{
	return s->mode == READ_PINNED ? pinned_start(&s->pinned, plan, acc,
	    why) : 0;
}

void
sweep_fini(struct sweep *s)
{
	if (s == NULL)
		return;
	pinned_free(s->pinned);
	s->pinned = NULL;
	msr_batch_fini(&s->batch);
	free(s->changed);
	s->changed = NULL;
}

/* ---- one row: the clocks, the registers, and what it cost */

void
row_clocks(const struct stamp *begin, uint64_t *row)
{
	row[CELL_TSC] = begin->tsc;
	row[CELL_SEC] = begin->real_ns / 1000000000;
	row[CELL_USEC] = begin->real_ns % 1000000000 / 1000;
	row[CELL_MONO] = begin->mono_ns;
}

void
row_costs(const struct stamp *begin, uint64_t end_ns, uint64_t deadline_ns,
    uint64_t rotate_ns, uint64_t *row)
{
	row[CELL_CPU] = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	row[CELL_ROTATE] = rotate_ns;
	row[CELL_DURATION] = end_ns - begin->mono_ns;
	row[CELL_LATE] = deadline_ns != 0 && begin->mono_ns > deadline_ns ?
	    begin->mono_ns - deadline_ns : 0;
}

void
row_take(struct sweep *s, struct plan *plan, struct access *acc,
    uint64_t deadline_ns, uint64_t *row)
{
	unsigned active = plan->sets.active;
	struct stamp begin, end;

	access_now(acc, &begin);
	row_clocks(&begin, row);
	sweep_row(s, plan, acc, row);
	if (plan->sets.n > 1)
		rotate_row(plan, active, s->last_tsc == 0 ? 0 :
		    begin.tsc - s->last_tsc, row);
	s->last_tsc = begin.tsc;
	access_now(acc, &end);
	row[CELL_BLOCK] = s->longest;
	row_costs(&begin, end.mono_ns, deadline_ns, s->rotate_ns, row);
}

/* ---- registers that are read every so many samples */

void
slow_reads(struct plan *plan, struct access *acc, uint64_t n,
    uint64_t *row)
{
	for (unsigned i = 0; i < plan->apart.nslow; i++)
		row[plan->apart.slow[i].cell] = row[plan->apart.slow[i].stamp] =
		    ABSENT;
	for (unsigned i = 0; i < plan->apart.nslow; i++) {
		const struct plan_slow *s = &plan->apart.slow[i];

		if (s->addr.space == REG_NONE || n % s->every != 0)
			continue;
		if (access_read_counter(acc, &s->addr, &row[s->cell]) < 0)
			continue;
		if (row[s->stamp] == ABSENT)
			row[s->stamp] = access_tsc(acc);
		if (s->sat != 0)
			row[s->cell] = saturate_value(plan, s->sat - 1, acc,
			    row[s->cell]);
	}
}
