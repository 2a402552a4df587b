/*
 * daemon/read/block.h - reads a block, registers with a common TSC stamp; then adds up
 * what its event sets counted, checks its controls and rotates to the next set.
 */
#ifndef DAEMON_READ_BLOCK_H
#define DAEMON_READ_BLOCK_H

#include "daemon/plan/plan.h"

/* What one sample asks of each block, and what was found on the way. */
struct sweep_pass {
	unsigned active;        /* the event set whose turn it is */
	unsigned next;          /* the set to turn to; 0: none */
	bool watching;          /* look whether controls hold our values */
	struct changed {
		unsigned write;         /* into plan->write */
		uint64_t found, ours;
	} *changed;             /* room for each control of the blocks */
	unsigned nchanged;
	uint64_t rotate_ns;     /* spent on turning */
	uint64_t longest;       /* from a stamp to the last read under it, TSC
	                         * counts: the most of all */
	bool batch;             /* the blocks of a batch have been read */
};

/* block_read - reads a block, with a stamp, into its cells of a row; through another lproc
 * of its package if the usual one is offline.  The block of an lproc that is offline has
 * no stamp. */
void block_read(struct plan *, struct block *, unsigned active,
    struct access *, uint64_t *row);

/* block_finish - does what else is due at a block: adds up what event sets counted, checks
 * the controls, turns to the next set. */
void block_finish(struct sweep_pass *, struct plan *, struct block *,
    struct access *, uint64_t *row);

/* block_move_to - has that lproc read and write a package's registers. */
void block_move_to(struct plan *, struct block *, unsigned lproc);

/* block_has_msr - does it have MSRs?  Other registers can be read from any lproc. */
bool block_has_msr(const struct plan *, const struct block *);
/* block_answers - can an MSR of that lproc be read? */
bool block_answers(struct access *, unsigned lproc);

/* All MSRs of a sample in one call. */

struct msr_batch {
	uint64_t *value;
	unsigned *cell;         /* where each belongs, see msr_batch_init */
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
