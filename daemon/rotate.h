/*
 * daemon/rotate.h - event sets that take turns on the counters.
 */
#ifndef DAEMON_ROTATE_H
#define DAEMON_ROTATE_H

#include "daemon/plan.h"

/* rotate_read - the shared counters of a block: add what the active set
 * counted since its turn (or the last sample) began. */
void rotate_read(struct plan *, const struct block *, struct access *);

/* rotate_turn - give the counters of a block to set `next`: write its control
 * values, and note where the counters stand.  Returns how many registers could
 * not be written. */
unsigned rotate_turn(struct plan *, const struct block *, unsigned next,
    struct access *);

/* rotate_next - the set after the active one. */
unsigned rotate_next(const struct plan *);

/* rotate_row - the cumulative cells of all sets into a row; active: the set
 * that had its turn since the last row, elapsed TSC counts ago (0: the first). */
void rotate_row(struct plan *, unsigned active, uint64_t elapsed,
    uint64_t *row);

#endif
