/*
 * daemon/read/msr_batch.c - all MSRs of a sample in one call.
 *
 * Each block begins and ends with the TSC of its lproc: the lprocs are read in parallel,
 * but not at the same moment, and the call ends when the last one is done.
 */
#include "daemon/read/msr_batch.h"

#include <errno.h>
#include <stdlib.h>

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

int
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
