/*
 * config/lang/listed.h - an event by name: of the lists that were given
 * (--event-list, event-list FILE), else of those that are built in for the CPU.
 */
#ifndef CONFIG_LANG_LISTED_H
#define CONFIG_LANG_LISTED_H

#include "config/lang/want.h"
#include "config/lists/eventlist.h"
#include "config/scan.h"

/* listed_builtin - what is built in for the CPU; looked up once, when it is
 * asked for first.  NULL: nothing. */
const struct eventlist *listed_builtin(struct config *);
/* listed_find - of one box type; NULL: of any.  NULL where there is none. */
const struct listed_event *listed_find(struct config *,
    const struct box_type *, const char *name);
/* listed_whole - is it a name as it stands, whatever it has for a colon?  What is
 * behind "@" is none of it. */
bool listed_whole(struct config *, const struct box_type *, struct word name);
/* listed_near - names like the one that was looked for. */
void listed_near(struct config *, const struct box_type *, struct near *);

#endif
