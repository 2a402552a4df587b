/*
 * config/lang/count.h - the `count` statement of config/lang/want.h: an event
 * name and its encoding.  For config/lang/events.c alone.
 */
#ifndef CONFIG_LANG_COUNT_H
#define CONFIG_LANG_COUNT_H

#include "config/lang/want.h"
#include "config/scan.h"

/*
 * count_parse - what follows the box on a line: EVENT [ encoding ].
 *
 * name   the event's name, which is off the line already
 * want   in: type, set, file, line, optional; out: kind, name, and all that
 *        is about the event.  An event of a fixed counter is a WANT_FIXED.
 *
 * Returns 0, or -EINVAL with "file:line: ..." in why; -ENOMEM.
 */
int count_parse(struct config *, struct scan *, struct word name,
    struct want *, struct diag *why);

#endif
