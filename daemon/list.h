/*
 * daemon/list.h - --list: what there is.
 */
#ifndef DAEMON_LIST_H
#define DAEMON_LIST_H

#include "daemon/node/node.h"

/* list_what - print one of the lists to standard output.  node is NULL for
 * lists of a model by name.  Returns 0 or -errno. */
int list_what(const char *what, const struct model *, struct node *,
    struct diag *why);

#endif
