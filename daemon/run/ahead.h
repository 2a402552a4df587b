/*
 * daemon/run/ahead.h - samples that pinned threads take, ordered ahead of time.
 */
#ifndef DAEMON_RUN_AHEAD_H
#define DAEMON_RUN_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

struct sampler;

struct ahead {
	uint64_t watch;         /* the last sample ordered that looks at the
				 * controls */
	unsigned active;        /* the event set after the last one ordered */
	unsigned next[2];       /* sets that samples n and n + 1 turn to */
	uint64_t grace_ns;      /* a row is made so long after its deadline */
	uint64_t late;          /* threads that were late, over all samples */
};

/* ahead_take - makes a row of sample n.  Returns whether it is the last one; one that had
 * begun before the order to stop is not. */
bool ahead_take(struct sampler *, uint64_t n, bool last_row, uint64_t *row);

/* ahead_next - orders the sample after n; returns when the row of n can be made, by the
 * monotonic clock. */
uint64_t ahead_next(struct sampler *, uint64_t n);

#endif
