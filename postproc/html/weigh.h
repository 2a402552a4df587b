/*
 * postproc/html/weigh.h - how values of a metric over parts of a stretch of time are
 * put together to that of all of it.
 *
 * A quotient is the mean of its parts weighted by what it divides by: cycles,
 * for instructions per cycle; seconds, for a rate.  A count is a sum; a reading
 * is the mean of its samples.
 */
#ifndef POSTPROC_HTML_WEIGH_H
#define POSTPROC_HTML_WEIGH_H

#include "postproc/metrics/bind.h"

enum weigh { WEIGH_TIME, WEIGH_OWN, WEIGH_SUM, WEIGH_SAMPLES };

/*
 * weigh_how - of bound m, by its formula.
 *
 * op, nop  out, of WEIGH_OWN: the part of the formula in binding.op that is what
 *          it is divided by
 *
 * guess    out: the formula is none of these, and the mean of its values is near
 *          the figure, but not it
 */
enum weigh weigh_how(const struct binding *, unsigned m, uint32_t *op,
    uint32_t *nop, bool *guess);

/* weigh_adds - of that weight and guess: is its figure of several units the sum
 * of theirs?  Counts, rates and bandwidths are; no ratio is. */
bool weigh_adds(const struct binding *, unsigned m, enum weigh, bool guess);

#endif
