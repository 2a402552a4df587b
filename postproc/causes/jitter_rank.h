/*
 * postproc/causes/jitter_rank.h - nodes by what disturbed them.
 *
 * Of each cause the node with more of it than the median has a score: how many
 * times as far from that as nodes usually are (postproc/metrics/spread.h).  A
 * node's score is that of the cause that it stands out by most.
 */
#ifndef POSTPROC_CAUSES_JITTER_RANK_H
#define POSTPROC_CAUSES_JITTER_RANK_H

#include "postproc/causes/jitter.h"

/* jitter_rank_put - a table of n nodes, the most disturbed first.  0 or
 * -ENOMEM. */
int jitter_rank_put(struct out *, const struct jitter *, unsigned n);

#endif
