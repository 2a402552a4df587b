/*
 * daemon/read/rotate.h - event sets that take turns on the counters.
 */
#ifndef DAEMON_READ_ROTATE_H
#define DAEMON_READ_ROTATE_H

#include "daemon/plan/plan.h"

/* rotate_read - reads the shared counters of a block, and adds what the active set has
 * counted since its turn began or they were last read.  Returns how many did not answer.
 * These may be read again, perhaps through another lproc; if that fails, too (again), what
 * they counted is lost. */
unsigned rotate_read(struct plan *, const struct block *, unsigned active,
    struct access *, bool again);

/* rotate_turn - gives the counters of a block to set `next`: writes its control values,
 * and reads the counters, as their start.  If a control cannot be written, the counters
 * count for no set: the block is stale, and the turn has to be made again. */
void rotate_turn(struct plan *, struct block *, unsigned next,
    struct access *);

/* rotate_after - the set after another one; rotate_next: after the active. */
unsigned rotate_after(const struct plan *, unsigned set);
unsigned rotate_next(const struct plan *);

/* rotate_taken - did a control of a block not hold what its set has there, at the end of
 * a turn within a sample?  Then nobody knows how much of the turn a counter counted for
 * the set: in rotate_counted that block's turn is left out (block.taken), with its
 * time, and the next turn writes all of its controls. */
bool rotate_taken(const struct plan *, const struct block *, struct access *);

/* rotate_counted - takes the two times (TSC) between which the shared counters of a block
 * were read. */
void rotate_counted(struct plan *, struct block *, unsigned active,
    uint64_t from, uint64_t to);

/* rotate_between - makes a turn between two samples: reads and adds what the active set
 * has counted in the block, and gives the counters to the next set. */
void rotate_between(struct plan *, struct block *, unsigned active,
    unsigned next, struct access *);

/* rotate_row - puts the cumulative cells of all sets into a row.  active: the set that had
 * its turn since the last row, `elapsed` TSC counts ago (0: there is none).  Its counters
 * that are not known for all of that time are absent. */
void rotate_row(struct plan *, unsigned active, uint64_t elapsed,
    uint64_t *row);

/* rotate_doubt - counts of sets whose turn is a sample are scaled by the time between rows.
 * If a block has counted for another time, by more than a 32nd part, because a turn or the
 * reading was late, its counts are made absent. */
void rotate_doubt(const struct plan *, const struct block *,
    const struct turn_span *, unsigned active, uint64_t elapsed, uint64_t *row);

/* rotate_cells, rotate_times - the other parts of rotate_row: the counts of one block; and,
 * after all blocks, how long each set had its turn (with turns within a sample: the longest
 * time of any block). */
void rotate_times(struct plan *, unsigned active, uint64_t elapsed,
    uint64_t *row);
void rotate_cells(struct plan *, const struct block *, unsigned active,
    uint64_t *row);

/*
 * Event sets that go round several times between two samples: which of them has which
 * turn, and when that begins.
 *
 * All turns are equally long, and a sample has a whole number of rounds.  The order of a
 * round is random, so that no periodic work keeps step with it.  It is shifted by a place
 * from sample to sample, so that work which comes at the same moment of each sample is seen
 * by each set in turn.
 */

/* rounds_set - the set that has turn `turn` (from 0) of a sample.  Any thread may call
 * it. */
unsigned rounds_set(const struct plan *, uint64_t sample, unsigned turn);

/* rounds_turn - the turn at the time `now`, between a sample that was due at `from` and one
 * that is due at `due`.  rounds_begins - when a turn begins; beyond the last: `due`. */
unsigned rounds_turn(const struct plan *, uint64_t from, uint64_t due,
    uint64_t now);
uint64_t rounds_begins(const struct plan *, uint64_t from, uint64_t due,
    unsigned turn);

/* rounds_lost - counts turns `first` to `turn` - 1 of a sample as late: one lproc or
 * package has missed them. */
void rounds_lost(struct plan *, uint64_t sample, unsigned first, unsigned turn);

#endif
