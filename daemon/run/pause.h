/*
 * daemon/run/pause.h - gives the counters to others for a while: registers are put back,
 * no samples are taken, and the dump names the gap.
 */
#ifndef DAEMON_RUN_PAUSE_H
#define DAEMON_RUN_PAUSE_H

#include "config/dump/store.h"
#include "daemon/read/sweep.h"
#include "daemon/rights/writer.h"

struct pause {
	bool on;
	bool told;              /* it has been said why it cannot end */
	uint64_t from_ns;       /* wall clock */
	uint64_t end_ns;        /* monotonic; 0: until pause_end */
	unsigned n;             /* gaps in this store */
};

/* What pausing needs of a session. */
struct pause_of {
	struct pause *pause;
	struct node *node;
	struct writer *writer;
	struct sweep *sweep;
	struct store *store;
	bool force;
};

/*
 * pause_begin - puts the registers back; no more samples are taken.
 *
 * seconds  until it ends by itself; 0: pause_end ends it
 *
 * 0, or -errno with words: -EALREADY, or -ENOTSUP where the kernel counts or
 * threads read.  -EIO: a register could not be put back; all are programmed again,
 * and sampling goes on.
 */
int pause_begin(const struct pause_of *, double seconds, struct diag *why);

/* pause_give - the same for another sampler that takes over; also where threads read and
 * where the kernel counts.  0, or -errno with words. */
int pause_give(const struct pause_of *, struct diag *why);

/* pause_end - programs anew, and notes the gap in the store.  0, or -errno with words, and
 * the pause goes on: -EBUSY: somebody else counts now. */
int pause_end(const struct pause_of *, struct diag *why);

/* pause_on - is there a pause?  Ends one whose time is over, as soon as that is
 * possible. */
bool pause_on(const struct pause_of *);

#endif
