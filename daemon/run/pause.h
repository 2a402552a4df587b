/*
 * daemon/run/pause.h - the PMU, given to others for a while: the registers as
 * they were found, no samples, and a gap that the dump names.
 */
#ifndef DAEMON_RUN_PAUSE_H
#define DAEMON_RUN_PAUSE_H

#include "config/dump/store.h"
#include "daemon/read/sweep.h"
#include "daemon/rights/writer.h"

struct pause {
	bool on;
	bool told;              /* why it does not end by itself */
	uint64_t from_ns;       /* wall clock */
	uint64_t end_ns;        /* monotonic; 0: when somebody says */
	unsigned n;             /* gaps in this store */
};

/* What it is done with. */
struct pause_of {
	struct pause *pause;
	struct node *node;
	struct writer *writer;
	struct sweep *sweep;
	struct store *store;
	bool force;
};

/*
 * pause_begin - put the registers back and take no more samples.
 *
 * seconds  then it ends by itself; 0: pause_end says
 *
 * 0, or -errno with words: -EALREADY, or -ENOTSUP where the kernel counts or
 * threads read.  Where a register could not be put back all are ours again, and
 * sampling goes on; -EIO.
 */
int pause_begin(const struct pause_of *, double seconds, struct diag *why);

/* pause_give - the same, for another sampler that is to go on with them; where
 * threads read and where the kernel counts, too.  0, or -errno with words. */
int pause_give(const struct pause_of *, struct diag *why);

/* pause_end - program anew, and go on; the gap is noted in the store.  0, or
 * -errno with words, and it goes on: -EBUSY where somebody else counts by now. */
int pause_end(const struct pause_of *, struct diag *why);

/* pause_on - now?  One whose time is over is ended, as soon as that can be. */
bool pause_on(const struct pause_of *);

#endif
