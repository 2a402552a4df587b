/*
 * daemon/check.h - what this node has, who else uses it, what is in the way.
 */
#ifndef DAEMON_CHECK_H
#define DAEMON_CHECK_H

#include "daemon/node.h"

/* check_msr - can the MSRs be read at all?  0, or -errno with what to do. */
int check_msr(const struct node *, struct diag *why);

/* check_unreadable - how many lprocs are online and have no msr device that can
 * be opened; which, in words. */
unsigned check_unreadable(const struct node *, struct diag *why);

/* check_refusals - will the kernel refuse our writes?  Told from its own
 * files, without trying.  0, or -EPERM with what to do. */
int check_refusals(const struct node *, struct diag *why);

/* check_in_use - does somebody else count with what the plan needs?  The plan
 * has been saved (program_save).  0, or -EBUSY with what to do. */
int check_in_use(const struct node *, struct diag *why);

/* check_print - the dozen lines of --check.  Returns 0 only if sampling would
 * work. */
int check_print(struct node *, const struct options *);

#endif
