/*
 * daemon/node/team.h - threads that save, write and restore registers at once:
 * one on each lproc that has some, one for those of each package.
 */
#ifndef DAEMON_NODE_TEAM_H
#define DAEMON_NODE_TEAM_H

#include "daemon/plan/plan.h"

struct team;

/* What is done with each register of plan->write. */
struct team_job {
	/* 0, or -errno with words */
	int (*one)(struct plan *, struct plan_write *, struct access *,
	    struct diag *why);
	bool backward;          /* last first */
	bool go_on;             /* after an error: else the rest of this lproc's
				 * or package's is left */
};

struct team_result {
	unsigned failed;        /* how many */
	int rc;                 /* of the first in the order of the list */
	unsigned first;         /* and which */
	struct diag why;
};

/*
 * team_start - starts the threads, which wait for a job.
 *
 * enter   what each thread does first, returning 0 or -errno; or NULL
 *
 * 0, or -errno of the first that could not be started or entered.
 */
int team_start(struct team **, struct plan *, struct access *,
    int (*enter)(void));

/* team_do - does a job on all registers: those of an lproc or a package in their order,
 * all lprocs and packages at once; team NULL: all in this thread, one after the other. */
void team_do(struct team *, struct plan *, struct access *,
    const struct team_job *, struct team_result *);

void team_stop(struct team *);          /* NULL accepted */

#endif
