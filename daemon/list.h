/*
 * daemon/list.h - --list: what there is.
 */
#ifndef DAEMON_LIST_H
#define DAEMON_LIST_H

#include "daemon/node/node.h"

#include <stdio.h>

/* list_what - print one of the lists.  node is NULL for lists of a model by name.  Returns 0 or -errno. */
int list_what(FILE *out, const char *what, const struct model *, struct node *,
    struct diag *why);

#endif
