/*
 * daemon/read/rounds.h - event sets that go round several times between two samples:
 * which of them has which turn, and when that begins.
 *
 * Turns are as long as each other, and a sample has a whole number of rounds.  The
 * order of a round is drawn by lot, so that nothing periodic keeps step with it.
 * From one sample to the next it moves on by a place: what comes in every sample at
 * the same moment is seen by each set in turn.
 */
#ifndef DAEMON_READ_ROUNDS_H
#define DAEMON_READ_ROUNDS_H

#include "daemon/plan/plan.h"

/* rounds_set - the set that has a turn, from 0, of the time that ends with a sample.
 * Any thread may ask. */
unsigned rounds_set(const struct plan *, uint64_t sample, unsigned turn);

/* rounds_turn - the turn of a moment between a sample that was due at `from` and one
 * that is due at `due`; rounds_begins - when a turn does: one that there is not, when
 * the sample is due. */
unsigned rounds_turn(const struct plan *, uint64_t from, uint64_t due,
    uint64_t now);
uint64_t rounds_begins(const struct plan *, uint64_t from, uint64_t due,
    unsigned turn);

#endif
