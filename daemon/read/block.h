/*
 * daemon/read/block.h - what is done where a block of registers is read.
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

/* block_read - stamp and read a block into its cells of a row, through another
 * lproc of its package where the one that it was read on is gone; an lproc
 * that is gone leaves no stamp. */
void block_read(struct plan *, struct block *, unsigned active,
    struct access *, uint64_t *row);

/* block_finish - what else a visit does: what event sets counted, the look at
 * the controls, and the turn to the next set. */
void block_finish(struct sweep_pass *, struct plan *, struct block *,
    struct access *, uint64_t *row);

/* block_ended - when the last register of a block had been read, by the TSC;
 * ABSENT: nobody knows. */
void block_ended(struct sweep_pass *, const struct block *,
    const uint64_t *row, uint64_t tsc);

/* block_move - a package's reader went offline: let another of its lprocs read,
 * and write, from now on.  False when there is none, or nothing is wrong with
 * this one. */
bool block_move(struct plan *, struct block *, struct access *);
/* block_move_to - a package's registers are those of that lproc. */
void block_move_to(struct plan *, struct block *, unsigned lproc);

/* block_has_msr - does it hold MSRs?  All else is not bound to the lproc. */
bool block_has_msr(const struct plan *, const struct block *);
/* block_answers - is an lproc there, as MSRs tell? */
bool block_answers(struct access *, unsigned lproc);

#endif
