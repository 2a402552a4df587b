/*
 * daemon/list.h - --list and --dry-run: what there is, and what would be done.
 */
#ifndef DAEMON_LIST_H
#define DAEMON_LIST_H

#include "daemon/node/node.h"

/* list_what - print one of the lists to standard output.  node is NULL for
 * lists of a model by name.  Returns 0 or -errno. */
int list_what(const char *what, const struct model *, struct node *,
    struct diag *why);

/* list_dry_run - every register that would be written, with old value, new
 * value and decoded fields, and every register that would be read. */
void list_dry_run(const struct node *);

#endif
