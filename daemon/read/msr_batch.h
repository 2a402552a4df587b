/*
 * daemon/read/msr_batch.h - all MSRs of a sample in one call.
 */
#ifndef DAEMON_READ_MSR_BATCH_H
#define DAEMON_READ_MSR_BATCH_H

#include "daemon/read/block.h"

struct msr_batch {
	uint64_t *value;
	unsigned *cell;         /* where each belongs, see msr_batch.c */
	unsigned n;
};

/* msr_batch_init - which registers, block by block, and a first try; marks the
 * blocks that are in it.  -ENOTSUP where the method has no such call, or what
 * it says. */
int msr_batch_init(struct msr_batch *, struct plan *, struct access *);

/* msr_batch_row - a sample: the blocks of the call, each behind the TSC of its
 * lproc, then the rest, one by one.  Below 0 nothing was read. */
int msr_batch_row(struct msr_batch *, struct sweep_pass *, struct plan *,
    struct access *, uint64_t *row);

void msr_batch_fini(struct msr_batch *);

#endif
