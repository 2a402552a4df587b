/*
 * config/lang/listed.h - find an event by name: first in the lists that the user gave
 * (--event-list, event-list FILE), then in those that are built in for the CPU.
 */
#ifndef CONFIG_LANG_LISTED_H
#define CONFIG_LANG_LISTED_H

#include "config/lang/want.h"
#include "config/lists/eventlist.h"
#include "config/scan.h"

/* listed_builtin - the event lists built in for this CPU, read on the first
 * call. NULL: there are none. */
const struct eventlist *listed_builtin(struct config *);
/* listed_find - find an event of a box type (NULL: of any) by name; NULL if
 * there is none. */
const struct listed_event *listed_find(struct config *,
    const struct box_type *, const char *name);
/* listed_whole - is the whole word an event's name, even if it contains a
 * colon? "@" and what follows is ignored. */
bool listed_whole(struct config *, const struct box_type *, struct word name);
/* listed_near - collect names similar to the wanted one. */
void listed_near(struct config *, const struct box_type *, struct near *);

#endif
