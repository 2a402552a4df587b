/*
 * daemon/read/saturate.h - counters that stop at their end instead of wrapping.
 *
 * A counter that has reached half of its range is set to 0, and what it had counted is
 * added to what it counts from then on: its column never goes back.  That is done only
 * while its control is on and ours: otherwise the write would be ignored, or destroy the
 * count of somebody else.  Counts between the read and the write are lost: a few, once in
 * hours.  A counter that had stopped before it was read has no value in that row, and
 * starts anew.
 */
#ifndef DAEMON_READ_SATURATE_H
#define DAEMON_READ_SATURATE_H

#include "daemon/plan/plan.h"

/* saturate_value - what plan->stops.counter[at] has counted, given the value that was read;
 * ABSENT: it could not be read, or had stopped. */
uint64_t saturate_value(struct plan *, unsigned at, struct access *,
    uint64_t raw);

/* saturate_block - the same for those that have a cell in a block. */
void saturate_block(struct plan *, const struct block *, struct access *,
    uint64_t *row);

/* saturate_zero - the value at which a counter stands when its register is 0. */
uint64_t saturate_zero(const struct plan *, unsigned at);

/* saturate_stopped - the control of a counter that was found stopped and not reported yet;
 * NULL: none.  May be called while threads read. */
const struct plan_write *saturate_stopped(struct plan *);

#endif
