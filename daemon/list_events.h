/*
 * daemon/list_events.h - --list events: names, and what each is counted by.
 */
#ifndef DAEMON_LIST_EVENTS_H
#define DAEMON_LIST_EVENTS_H

#include "config/lang/want.h"

#include <stdio.h>

/*
 * list_events - the model's own names, and those of the lists that were given,
 * else of those that are built in for the CPU.
 *
 * pattern  with * ? [...], of whole names; a word without: anywhere in them;
 *          case is ignored.  NULL: all
 *
 * Returns 0; -ENOENT when there is none, with names like it in why; -errno.
 */
int list_events(FILE *, const struct model *, struct config *,
    const char *pattern, struct diag *why);

#endif
