/*
 * daemon/rights/filter.h - the system calls that are left once sampling begins.
 *
 * A call that is not on the list fails with EPERM; a line on standard error names it, and
 * filter_refused counts it.  In programs that are not ours it only fails.
 */
#ifndef DAEMON_RIGHTS_FILTER_H
#define DAEMON_RIGHTS_FILTER_H

#include <stdbool.h>

/* Whether this build has the filter, for --version and the log. */
#ifdef NO_FILTER
#define FILTER_NOTE " (built without the filter of system calls)"
#else
#define FILTER_NOTE ""
#endif

/* What a process does from now on, which decides the calls that it keeps. */
enum filter_use {
	FILTER_SAMPLE = 1,      /* the loop, and the dump at its end */
	FILTER_BATCH = 2,       /* ioctls of the msr-safe driver */
	FILTER_PERF = 4,        /* events, opened anew when an lproc returns */
	FILTER_WRITE = 8,       /* registers and the journal: the writer */
	FILTER_PROGRAM = 16,    /* --pipe's programs: all but what changes the
				 * node, or reaches into other processes */
};

/*
 * filter_install - installs the filter for good, and for all children.
 *
 * use   enum filter_use, added up; FILTER_PROGRAM alone
 *
 * Returns 0, -ENOSYS where this kernel, architecture or build has no such filter,
 * or another -errno.
 */
int filter_install(unsigned use);

/* filter_refused - how many calls were refused in this process; *call: the
 * number of the last one. */
unsigned filter_refused(int *call);

#endif
