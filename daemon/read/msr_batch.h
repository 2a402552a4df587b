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

/* msr_batch_init - lists the registers, block by block, tries the call once, and marks the
 * blocks that are in it.  0; -ENOTSUP: the method has no such call; or its -errno. */
int msr_batch_init(struct msr_batch *, struct plan *, struct access *);

/* msr_batch_row - reads a sample: the blocks of the call, then the others one by one.  0;
 * -errno: nothing was read. */
int msr_batch_row(struct msr_batch *, struct sweep_pass *, struct plan *,
    struct access *, uint64_t *row);

void msr_batch_fini(struct msr_batch *);

#endif
