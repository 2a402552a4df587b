/*
 * postproc/causes/jitter_slow.h - lprocs that are slower than those beside them.
 */
#ifndef POSTPROC_CAUSES_JITTER_SLOW_H
#define POSTPROC_CAUSES_JITTER_SLOW_H

#include "postproc/causes/jitter.h"

/*
 * jitter_slow - rows of busy lprocs whose clock or IPC is far below that of the
 * other busy ones of their package, as spread.h has it, over all that the gather
 * has read.  Whether they had the same to do nobody knows.
 *
 * bound  of the metrics utilisation, frequency and ipc; have: which of these
 *        there are
 *
 * 0 or -ENOMEM.
 */
enum { SLOW_UTILISATION, SLOW_FREQUENCY, SLOW_IPC, SLOW_METRICS };
int jitter_slow(struct jitter *, struct gather *, const unsigned *bound,
    const bool *have);

#endif
