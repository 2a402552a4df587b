/*
 * daemon/read/rounds.h - event sets that go round several times between two samples:
 * which of them has which turn, and when that begins.
 *
 * All turns are equally long, and a sample has a whole number of rounds.  The order of a
 * round is random, so that no periodic work keeps step with it.  It is shifted by a place
 * from sample to sample, so that work which comes at the same moment of each sample is seen
 * by each set in turn.
 */
#ifndef DAEMON_READ_ROUNDS_H
#define DAEMON_READ_ROUNDS_H

#include "daemon/plan/plan.h"

/* rounds_set - the set that has turn `turn` (from 0) of a sample.  Any thread may call
 * it. */
unsigned rounds_set(const struct plan *, uint64_t sample, unsigned turn);

/* rounds_turn - the turn at the time `now`, between a sample that was due at `from` and one
 * that is due at `due`.  rounds_begins - when a turn begins; beyond the last: `due`. */
unsigned rounds_turn(const struct plan *, uint64_t from, uint64_t due,
    uint64_t now);
uint64_t rounds_begins(const struct plan *, uint64_t from, uint64_t due,
    unsigned turn);

/* rounds_lost - the turns of a sample from `first` to before `turn` went by, of one lproc
 * or package, before anybody could make them. */
void rounds_lost(struct plan *, uint64_t sample, unsigned first, unsigned turn);

#endif
