/*
 * daemon/list.h - --list: what there is; --print: a built-in text.
 */
#ifndef DAEMON_LIST_H
#define DAEMON_LIST_H

#include "daemon/node/node.h"

#include <stdio.h>

/* list_what - print one of the lists.  node is NULL for lists of a model by name,
 * both are of what needs neither.  Returns 0 or -errno. */
int list_what(FILE *out, const char *what, const struct model *, struct node *,
    struct diag *why);

/* list_print - a built-in text, as it is.  Returns 0 or -ENOENT. */
int list_print(FILE *out, const char *name, struct diag *why);

#endif
