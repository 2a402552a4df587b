/*
 * postproc/doubt/bounds.h - what one counter of an lproc says of another: some
 * instructions or cycles are no more than all, and all instructions no more than its
 * cycles allow.
 */
#ifndef POSTPROC_DOUBT_BOUNDS_H
#define POSTPROC_DOUBT_BOUNDS_H

#include "postproc/doubt/doubt.h"

/*
 * bounds_judge - marks, of what is good so far,
 *   DELTA_BEYOND  instructions above 16 a cycle of the same lproc; instructions
 *                 (branches among them) or cycles of a kind, and all of them,
 *                 where the kind is more: one of the two counts something else
 * Returns how many.
 */
unsigned bounds_judge(const struct doubts *, const struct doubted *);

/* bounds_find - the columns that it compares: parts and the whole, instructions and
 * clocks.  bounds_hold - is none of them beyond, all deltas being
 * good?  False: perhaps one is. */
void bounds_find(struct doubts *);
bool bounds_hold(const struct doubts *, const struct doubted *);

/* bounds_role - what of this a counter has a part in, for doubts.role. */
uint8_t bounds_role(const struct column *);

#endif
