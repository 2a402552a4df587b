/*
 * daemon/node/obstacle.h - what would keep registers from being read and
 * written here, and who else counts with them.
 */
#ifndef DAEMON_NODE_OBSTACLE_H
#define DAEMON_NODE_OBSTACLE_H

#include "daemon/node/node.h"
#include "regs/access.h"

/* obstacle_msr - can the MSRs be read at all?  0, or -errno with what to do. */
int obstacle_msr(const struct node *, struct diag *why);

/* obstacle_unreadable - how many lprocs are online whose msr device cannot be opened;
 * why names them. */
unsigned obstacle_unreadable(const struct node *, struct diag *why);

/* obstacle_unseen - how many boxes are left out because of an error (EACCES, EIO), which
 * does not say that they are absent; why names the first. */
unsigned obstacle_unseen(const struct node *, struct diag *why);

/* obstacle_frozen - of how many packages the register that freezes and unfreezes all
 * boxes cannot be read, so that it is not written either; why names the first, and what
 * that means.  The plan has been saved (program_save). */
unsigned obstacle_frozen(const struct node *, struct diag *why);

/* obstacle_refusals - will the kernel refuse our writes?  Looks at its files, and tries
 * nothing.  0, or -EPERM with what to do. */
int obstacle_refusals(const struct node *, struct diag *why);

/* obstacle_rights - may we write to the msr devices?  Tries nothing: the drivers look at
 * the rights when a device is opened.  The plan has been made.  0, or -EACCES with what to do. */
int obstacle_rights(const struct node *, struct diag *why);

/* obstacle_watchdog - is the NMI watchdog on, which may hold a counter of each
 * core? */
bool obstacle_watchdog(const struct node *);

/* obstacle_in_use - does somebody else count with what the plan needs?  The
 * plan has been saved (program_save).  0, or -EBUSY with what to do. */
int obstacle_in_use(const struct node *, struct diag *why);

/*
 * Which other processes have counters open, as far as /proc tells: to see the
 * descriptors of others takes root.
 */

#define MAX_HOLDERS 16

struct holder {
	unsigned pid;
	char name[32];
	bool perf, msr;         /* what it has open */
};

struct holders {
	struct holder of[MAX_HOLDERS];
	unsigned n;
	unsigned more;          /* for which there is no room here */
};

/* holders_find - finds all but this process, its children, and the process that started
 * it in the background. */
void holders_find(struct holders *, struct access *);

/* holder_open - "perf_event, msr". */
const char *holder_open(const struct holder *);

/* holders_text - "perf (pid 4711: perf_event), pcm (pid 12: msr)"; "" where
 * there are none.  Returns buf. */
const char *holders_text(const struct holders *, char *buf, size_t size);

#endif
