/*
 * postproc/html/weigh.h - how the value of a metric over a stretch of time is computed
 * from its values over parts of that stretch.
 *
 * A quotient is the mean of its parts, weighted by its divisor: by cycles, for
 * instructions per cycle; by seconds, for a rate.  A count is the sum of its parts, a
 * reading the mean of its samples.
 */
#ifndef POSTPROC_HTML_WEIGH_H
#define POSTPROC_HTML_WEIGH_H

#include "postproc/metrics/bind.h"

enum weigh { WEIGH_TIME, WEIGH_OWN, WEIGH_SUM, WEIGH_SAMPLES };

/*
 * weigh_how - which of these bound m is, by its formula.
 *
 * op, nop  out, of WEIGH_OWN: the operations in binding.op that compute its divisor
 * guess    out: the formula is none of these; the mean of its values is near the
 *          figure, but not the same
 */
enum weigh weigh_how(const struct binding *, unsigned m, uint32_t *op,
    uint32_t *nop, bool *guess);

/* weigh_adds - is the figure of several units the sum of theirs?  It is of counts,
 * rates and bandwidths, not of ratios.  how, guess: as weigh_how has them. */
bool weigh_adds(const struct binding *, unsigned m, enum weigh, bool guess);

#endif
