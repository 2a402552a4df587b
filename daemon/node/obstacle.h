/*
 * daemon/node/obstacle.h - what would keep registers from being read and
 * written here, and who else counts with them.
 */
#ifndef DAEMON_NODE_OBSTACLE_H
#define DAEMON_NODE_OBSTACLE_H

#include "daemon/node/node.h"

/* obstacle_msr - can the MSRs be read at all?  0, or -errno with what to do. */
int obstacle_msr(const struct node *, struct diag *why);

/* obstacle_unreadable - how many lprocs are online and have no msr device that
 * can be opened; which, in words. */
unsigned obstacle_unreadable(const struct node *, struct diag *why);

/* obstacle_unseen - how many boxes are left out for an error that says nothing
 * about them; the first of them, in words. */
unsigned obstacle_unseen(const struct node *, struct diag *why);

/* obstacle_refusals - will the kernel refuse our writes?  Known from its own
 * files, without trying.  0, or -EPERM with what to do. */
int obstacle_refusals(const struct node *, struct diag *why);

/* obstacle_rights - may we write to the msr devices?  Known without trying:
 * the drivers that we know look at the rights when one is opened.  The plan is
 * made.  0, or -EACCES with what to do. */
int obstacle_rights(const struct node *, struct diag *why);

/* obstacle_watchdog - is the NMI watchdog on, which may hold a counter of each
 * core? */
bool obstacle_watchdog(const struct node *);

/* obstacle_in_use - does somebody else count with what the plan needs?  The
 * plan has been saved (program_save).  0, or -EBUSY with what to do. */
int obstacle_in_use(const struct node *, struct diag *why);

#endif
