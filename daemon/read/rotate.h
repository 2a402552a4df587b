/*
 * daemon/read/rotate.h - event sets that take turns on the counters.
 */
#ifndef DAEMON_READ_ROTATE_H
#define DAEMON_READ_ROTATE_H

#include "daemon/plan/plan.h"

/* rotate_read - the shared counters of a block: add what the active set
 * counted since its turn (or the last sample) began.  Returns how many did not
 * answer; those keep where they stood until they are asked again, through
 * another lproc perhaps, and are lost if that fails, too. */
unsigned rotate_read(struct plan *, const struct block *, unsigned active,
    struct access *, bool again);

/* rotate_turn - give the counters of a block to set `next`: write its control
 * values, and note where the counters stand.  Where a control could not be
 * written they count for nobody: the block is stale, and the turn is to be
 * made again. */
void rotate_turn(struct plan *, struct block *, unsigned next,
    struct access *);

/* rotate_after - the set after another one; rotate_next: after the active. */
unsigned rotate_after(const struct plan *, unsigned set);
unsigned rotate_next(const struct plan *);

/* rotate_counted - the shared counters of a block were read between two times,
 * by the TSC. */
void rotate_counted(struct plan *, struct block *, unsigned active,
    uint64_t from, uint64_t to);

/* rotate_between - a turn between two samples: what the active set counted in the
 * block is read and added, and the counters are the next one's. */
void rotate_between(struct plan *, struct block *, unsigned active,
    unsigned next, struct access *);

/* rotate_row - the cumulative cells of all sets into a row; active: the set
 * that had its turn since the last row, elapsed TSC counts ago (0: the first).  What
 * of its counters is not known for all of that time, and no other, is absent. */
void rotate_row(struct plan *, unsigned active, uint64_t elapsed,
    uint64_t *row);

/* rotate_doubt - where sets take turns, each is scaled by the time between rows:
 * what a block has not counted for so long, within a 32nd part, because a turn
 * or the reading was late, is absent. */
void rotate_doubt(const struct plan *, const struct block *,
    const struct turn_span *, unsigned active, uint64_t elapsed, uint64_t *row);

/* rotate_cells, rotate_times - the other parts of it: the counts of one block, and,
 * after those of all, how long each set had its turn: of turns between samples as
 * long as any block of the row counted it. */
void rotate_times(struct plan *, unsigned active, uint64_t elapsed,
    uint64_t *row);
void rotate_cells(struct plan *, const struct block *, unsigned active,
    uint64_t *row);

#endif
