/*
 * daemon/node/replay_int.h - a recording in memory, and the machine made of it.
 */
#ifndef DAEMON_NODE_REPLAY_INT_H
#define DAEMON_NODE_REPLAY_INT_H

#include "config/dump/read.h"
#include "daemon/node/replay.h"

struct replay {
	struct reader *reader;
	const struct model *model;
	struct sim *sim;
	uint64_t **value;               /* [column][sample] as printed */
	uint64_t **raw;                 /* what was fed, to be freed */
	unsigned ncolumn, nraw;
	unsigned n, room;               /* samples */
	struct stamp *clock;
};

/* replay_shape - rp->model and rp->sim, with the dump's packages, lprocs and
 * boxes, its constants in the registers that they were read from, and its
 * clock.  0 or -errno with words in why. */
int replay_shape(struct replay *, struct diag *why);

#endif
