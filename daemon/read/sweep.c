/*
 * daemon/read/sweep.c - how a sample is read: each lproc disturbed once.
 *
 * Each read of another lproc's MSR costs an interrupt there, and a sleep and a wake-up
 * here.  Moving the thread there costs one context switch, after which each read is an
 * instruction.  Package registers are read on an lproc of their package in any mode.
 */
#include "daemon/read/sweep.h"

#include "daemon/node/soc.h"
#include "daemon/read/rotate.h"
#include "daemon/read/saturate.h"
#include "regs/host.h"

#include <errno.h>
#include <stdlib.h>

/* ---- a block: registers with a common TSC stamp; then what its event sets counted, its
 * controls, and the next set */

/* For functions that few samples call: not inlined, so that the code which runs for every
 * block in every sample stays small. */
#define SELDOM __attribute__((noinline))

bool
block_answers(struct access *acc, unsigned lproc)
{
	struct reg_addr tsc = { REG_MSR, 8, lproc, MSR_TSC };
	uint64_t raw;

	return access_read(acc, &tsc, &raw) == 0;
}

bool
block_has_msr(const struct plan *plan, const struct block *b)
{
	for (unsigned i = b->first; i < b->first + b->n; i++)
		if (plan->read[i].space == REG_MSR)
			return true;
	for (unsigned i = b->shared; i < b->shared + b->nshared; i++)
		if (plan->sets.shared[i].addr.space == REG_MSR)
			return true;
	return false;
}

void
block_move_to(struct plan *plan, struct block *b, unsigned lproc)
{
	if (plan->lproc.pkg[lproc] != b->pkg)
		return;
	b->lproc = lproc;
	for (unsigned i = b->first; i < b->first + b->n; i++)
		if (plan->read[i].space == REG_MSR)
			plan->read[i].unit = lproc;
	for (unsigned i = 0; i < plan->nwrite; i++)
		if (plan->write[i].pkg == b->pkg &&
		    plan->write[i].addr.space == REG_MSR)
			plan->write[i].addr.unit = lproc;
	for (unsigned i = b->shared; i < b->shared + b->nshared; i++)
		if (plan->sets.shared[i].addr.space == REG_MSR)
			plan->sets.shared[i].addr.unit = lproc;
}

/* If the lproc that reads a package's block is offline, has another lproc of the package
 * read and write from now on.  False: there is none, or the first one answers. */
static bool
block_move(struct plan *plan, struct block *b, struct access *acc)
{
	unsigned l, old = b->lproc;

	if (!block_has_msr(plan, b) || block_answers(acc, old))
		return false;
	for (l = 0; l < plan->lproc.n; l++)
		if (plan->lproc.pkg[l] == b->pkg && l != old &&
		    block_answers(acc, l))
			break;
	if (l < plan->lproc.n)
		block_move_to(plan, b, l);
	return l < plan->lproc.n;
}

/*
 * Stamps and reads one block.  Returns how many registers did not answer.  The stamp is
 * taken after the first read.  Only this read has to wait while the lproc has its
 * interrupts off, so that the stamp is near the time of all others.
 */
static unsigned
block_read_once(const struct plan *plan, const struct block *b, unsigned active,
    struct access *acc, uint64_t *row)
{
	const struct reg_addr *addr = &plan->read[b->first];
	uint64_t *stamp = &row[b->cell], *value = stamp + 1;
	unsigned bus = b->bus, absent;

	if (block_soc(b))
		soc_latch(plan, active, acc);
	if (b->n == 0) {
		*stamp = access_tsc(acc);
		return 0;
	}
	absent = access_read(acc, addr, value) < 0;
	*stamp = access_tsc(acc);
	if (bus > 1)
		absent += access_read_block(acc, addr + 1, bus - 1, value + 1);
	if (bus == 0)
		bus = 1;
	absent += access_read_many(acc, addr + bus, b->n - bus, value + bus);
	if (absent == b->n)
		*stamp = ABSENT;
	return absent;
}

/* Takes the TSC at which the last register of a block was read; ABSENT: it is not
 * known. */
static void
block_ended(struct sweep_pass *what, const struct block *b,
    const uint64_t *row, uint64_t tsc)
{
	uint64_t began = row[b->cell];

	if (began != ABSENT && tsc != ABSENT && tsc > began &&
	    tsc - began > what->longest)
		what->longest = tsc - began;
}

void
block_read(struct plan *plan, struct block *b, unsigned active,
    struct access *acc, uint64_t *row)
{
	bool moved = false;

	while (block_read_once(plan, b, active, acc, row) > 0 && b->pkg >= 0 &&
	    !moved && block_move(plan, b, acc))
		moved = true;
}

/* Checks whether the controls of a block hold our values.  A change is reported once:
 * the next check compares with the value that was found (seen). */
static SELDOM void
check_controls(struct sweep_pass *what, struct plan *plan, const struct block *b,
    struct access *acc)
{
	for (unsigned i = b->watch; i < b->watch + b->nwatch; i++) {
		const struct plan_write *w = &plan->write[plan->watch[i]];
		struct plan_fate *fate = &plan->fate[plan->watch[i]];
		uint64_t now;

		if (access_read(acc, &w->addr, &now) < 0 ||
		    !((now ^ fate->seen) & w->verify))
			continue;
		fate->seen = now;
		what->changed[what->nchanged++] = (struct changed){ plan->watch[i],
		    now, w->new };
	}
}

/* Adds up what the active event set counted since its last reading; if registers do not
 * answer, another lproc of the package reads them.  The stamp of a block that has only
 * counters of event sets becomes ABSENT if some still do not answer. */
static SELDOM void
read_sets(const struct sweep_pass *what, struct plan *plan, struct block *b,
    struct access *acc, uint64_t *row)
{
	/* a batch has read the shared counters already */
	bool batched = what->batch && b->batched;
	uint64_t from = batched ? row[b->cell] : access_tsc(acc), to;

	if (rotate_read(plan, b, what->active, acc, false) > 0) {
		if (b->pkg >= 0)
			block_move(plan, b, acc);
		if (rotate_read(plan, b, what->active, acc, true) > 0 &&
		    b->n == 0)
			row[b->cell] = ABSENT;
	}
	to = batched ? from : access_tsc(acc);
	b->taken = rotate_taken(plan, b, acc);
	rotate_counted(plan, b, what->active, from, to);
}

/* Rotates the block to the event set what->next, if there is one; or writes the controls
 * of the active set again, if some could not be written before (stale). */
static SELDOM void
block_turn(struct sweep_pass *what, struct plan *plan, struct block *b,
    struct access *acc)
{
	unsigned turn = what->next != 0 ? what->next : b->stale ? what->active : 0;
	uint64_t from;

	if (turn == 0)
		return;
	from = access_mono(acc);
	rotate_turn(plan, b, turn, acc);
	what->rotate_ns += access_mono(acc) - from;
}

/* A block of an lproc that was not programmed has no values, also when it is back. */
static SELDOM void
has_no_values(struct plan *plan, const struct block *b, uint64_t *row)
{
	for (unsigned i = 0; i <= b->n; i++)
		row[b->cell + i] = ABSENT;
	for (unsigned i = b->shared; i < b->shared + b->nshared; i++)
		plan->sets.shared[i].lost_sets = UINT64_MAX;
}

void
block_finish(struct sweep_pass *what, struct plan *plan, struct block *b,
    struct access *acc, uint64_t *row)
{
	bool sets = plan->sets.n > 1;

	if (b->unwritten) {
		has_no_values(plan, b, row);
		return;
	}
	if (b->nsat > 0)
		saturate_block(plan, b, acc, row);
	if (sets)
		read_sets(what, plan, b, acc, row);
	if (!what->batch || !b->batched)
		block_ended(what, b, row, access_tsc(acc));
	if (what->watching && !b->stale)
		check_controls(what, plan, b, acc);
	if (sets)
		block_turn(what, plan, b, acc);
}

/*
 * ---- all MSRs of a sample in one call
 *
 * Each block begins and ends with the TSC of its lproc: the lprocs are read in parallel,
 * but not at the same moment, and the call ends when the last one is done.
 */

/*
 * Adds a register to the call.  cell: where its value goes: a cell of the row; from
 * plan->ncell on, a shared counter; behind these, the end of a block.
 */
static void
msr_batch_add(struct msr_batch *m, struct reg_addr *op,
    const struct reg_addr *addr, unsigned cell)
{
	op[m->n] = *addr;
	m->cell[m->n++] = cell;
}

static void
add_block(struct msr_batch *m, const struct plan *plan, const struct block *b,
    struct reg_addr *op)
{
	const struct reg_addr tsc = { REG_MSR, 8, b->lproc, MSR_TSC };

	msr_batch_add(m, op, &tsc, b->cell);
	for (unsigned k = 0; k < b->n; k++)
		msr_batch_add(m, op, &plan->read[b->first + k],
		    b->cell + 1 + k);
	for (unsigned k = b->shared; k < b->shared + b->nshared; k++)
		msr_batch_add(
		    m, op, &plan->sets.shared[k].addr, plan->ncell + k);
	msr_batch_add(m, op, &tsc, plan->ncell + plan->sets.nshared +
	    (unsigned)(b - plan->block));
}

int
msr_batch_init(struct msr_batch *m, struct plan *plan, struct access *acc)
{
	size_t most =
	    2 * (size_t)plan->nblock + plan->nread + plan->sets.nshared + 1;
	struct reg_addr *op;
	int rc;

	if (acc->ops->batch == NULL)
		return -ENOTSUP;
	op = calloc(most, sizeof(op[0]));
	m->value = calloc(most, sizeof(m->value[0]));
	m->cell = calloc(most, sizeof(m->cell[0]));
	if (op == NULL || m->value == NULL || m->cell == NULL) {
		free(op);
		return -ENOMEM;
	}
	for (unsigned i = 0; i < plan->nblock; i++) {
		struct block *b = &plan->block[i];

		if ((b->batched = block_has_msr(plan, b)))
			add_block(m, plan, b, op);
	}
	rc = access_batch_prepare(acc, op, m->n);
	free(op);
	return rc < 0 ? rc : access_batch_read(acc, m->value);
}

/* Reads a sample: the blocks of the call, then the others one by one.  0; -errno: nothing
 * was read. */
static int
msr_batch_row(struct msr_batch *m, struct sweep_pass *what, struct plan *plan,
    struct access *acc, uint64_t *row)
{
	int rc = access_batch_read(acc, m->value);

	if (rc < 0)
		return rc;
	for (unsigned i = 0; i < m->n; i++) {
		unsigned at = m->cell[i], shared = at - plan->ncell;

		if (at < plan->ncell)
			row[at] = m->value[i];
		else if (shared < plan->sets.nshared)
			plan->sets.shared[shared].ahead = m->value[i];
		else
			block_ended(what,
			    &plan->block[shared - plan->sets.nshared], row,
			    m->value[i]);
	}
	what->batch = true;
	for (unsigned i = 0; i < plan->nblock; i++) {
		struct block *b = &plan->block[i];

		if (!b->batched)
			block_read(plan, b, what->active, acc, row);
		block_finish(what, plan, b, acc, row);
	}
	return 0;
}

void
msr_batch_fini(struct msr_batch *m)
{
	free(m->value);
	free(m->cell);
	*m = (struct msr_batch){ .n = 0 };
}

/* ---- all blocks, one after the other */

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

		if (s->addr.space == REG_NONE || s->unwritten ||
		    n % s->every != 0)
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
