/*
 * daemon/run/row.h - one row: the clocks, the registers, and what it cost.
 */
#ifndef DAEMON_RUN_ROW_H
#define DAEMON_RUN_ROW_H

#include "daemon/run/sweep.h"

/*
 * row_take - fill one row of the plan.
 *
 * deadline_ns  when it was due (monotonic); 0: now
 *
 * No allocation, no log.
 */
void row_take(struct sweep *, struct plan *, struct access *,
    uint64_t deadline_ns, uint64_t *row);

#endif
