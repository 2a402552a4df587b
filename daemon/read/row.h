/*
 * daemon/read/row.h - one row: the clocks, the registers, and what it cost.
 */
#ifndef DAEMON_READ_ROW_H
#define DAEMON_READ_ROW_H

#include "daemon/read/sweep.h"

/*
 * row_take - fill one row of the plan.
 *
 * deadline_ns  when it was due (monotonic); 0: now
 *
 * No allocation, no log.
 */
void row_take(struct sweep *, struct plan *, struct access *,
    uint64_t deadline_ns, uint64_t *row);

/* row_clocks, row_costs - the cells before CELL_READS: when it began, and what
 * it cost; rotate_ns: spent on turning to other event sets so far. */
void row_clocks(const struct stamp *begin, uint64_t *row);
void row_costs(const struct stamp *begin, uint64_t end_ns,
    uint64_t deadline_ns, uint64_t rotate_ns, uint64_t *row);

#endif
