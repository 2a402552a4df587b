/*
 * postproc/gather/batch_sums.h - the sums of a run without each of its batches: what
 * an estimate would be, had these turns not been.  What always counts is in them
 * whole; of what a set or a group did, a part is missing, and of the time that it
 * ran, the same part.
 */
#ifndef POSTPROC_GATHER_BATCH_SUMS_H
#define POSTPROC_GATHER_BATCH_SUMS_H

#include "postproc/metrics/bind.h"

struct batch_sums {
	struct sums sums[BATCHES];
	unsigned room, in_room; /* columns; sums of together */
	double *value, *share;  /* [BATCHES * room] */
	double *in_set, *running;       /* [BATCHES * in_room], of sets */
};

/* batch_sums_make - of all sums, and what counters added up to; they hold as long as
 * these do.  NULL: there are too few batches, or no memory.  A zeroed one is
 * empty. */
const struct sums *batch_sums_make(struct batch_sums *, const struct sums *all,
    const uint64_t *total);
void batch_sums_fini(struct batch_sums *);

#endif
