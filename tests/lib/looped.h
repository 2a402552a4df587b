/*
 * tests/lib/looped.h - a rig with a store, into which the sampler's loop puts rows.
 */
#ifndef TESTS_LOOPED_H
#define TESTS_LOOPED_H

#include "tests/lib/rig.h"

#include "daemon/run/sampler.h"

struct looped {
	char *dir;
	struct rig *rig;
	struct store *store;
	struct sampler loop;            /* for sampler_run */
};

/* looped_begin - a store of so many rows, programmed registers, and the threads that a
 * way to read has.  looped_end - registers are as on a skx-8160-2s that nobody sampled. */
struct looped looped_begin(struct rig *, enum read_mode, uint64_t interval_ns,
    uint64_t rows);
void looped_end(struct looped *);
/* looped_value - a column's raw value in a row. */
uint64_t looped_value(const struct looped *, uint64_t row, const char *column);

#endif
