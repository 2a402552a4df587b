/*
 * daemon/read/saturate.h - counters that stop at their end instead of wrapping.
 *
 * One that has come half of its way is set to 0, and what it had counted is added to
 * what it counts from then on: its column never goes back.  It is set while its
 * control is on and ours, as else the write would be lost, or somebody's count.
 * Between the two accesses a few counts may be, in hours.  One that had
 * stopped before anybody looked has no value in that row, and begins anew.
 */
#ifndef DAEMON_READ_SATURATE_H
#define DAEMON_READ_SATURATE_H

#include "daemon/plan/plan.h"

/* saturate_value - what plan->stops.counter[at] has counted, of which raw was
 * read; ABSENT where that could not be, and where it had stopped. */
uint64_t saturate_value(struct plan *, unsigned at, struct access *,
    uint64_t raw);

/* saturate_block - the same of those that have a cell in a block. */
void saturate_block(struct plan *, const struct block *, struct access *,
    uint64_t *row);

/* saturate_zero - the value at which a counter stands when its register is 0. */
uint64_t saturate_zero(const struct plan *, unsigned at);

/* saturate_stopped - a counter that was found stopped, and not told of yet: its
 * control; NULL: none.  Not in the way of threads that read. */
const struct plan_write *saturate_stopped(struct plan *);

#endif
