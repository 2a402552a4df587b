/*
 * daemon/check.h - --check: what this node has, who else uses it, what is in
 * the way.
 */
#ifndef DAEMON_CHECK_H
#define DAEMON_CHECK_H

#include "daemon/node/node.h"

/* check_print - its dozen lines.  Returns 0 only if sampling would work. */
int check_print(struct node *, const struct options *);

#endif
