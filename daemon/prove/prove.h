/*
 * daemon/prove/prove.h - --prove: do work whose counts are known beforehand, count
 * it, and say which counters are wrong.
 */
#ifndef DAEMON_PROVE_PROVE_H
#define DAEMON_PROVE_PROVE_H

#include "daemon/node/node.h"

/* How the model and the access are chosen: as in any run. */
struct prove_how {
	const struct model *(*model)(const struct node *,
	    const struct options *);
	int (*access)(struct node *, const struct options *, struct diag *why);
};

/*
 * prove_run - all of it, within two minutes.
 *
 * The counters are those of @prove-MODEL, a set at a time, planned and programmed
 * as in any run, the registers journaled and put back.  The work is done by a
 * thread on each lproc (work.h); a simulated machine is told.  Text goes to
 * standard output; with -o FILE every figure to it as JSON.
 *
 * Returns the exit status: 0 where nothing is wrong, 1 where something is or it
 * could not be done, and has said why.
 */
int prove_run(const struct options *, const struct prove_how *);

#endif
