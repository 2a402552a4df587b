/*
 * config/lang/perf_events.h - the statements of config/lang/want.h that name
 * events as perf and collectd do.  For config/lang/events.c alone.
 */
#ifndef CONFIG_LANG_PERF_EVENTS_H
#define CONFIG_LANG_PERF_EVENTS_H

#include "config/lang/want.h"
#include "config/scan.h"

/*
 * perf_events_parse - "event" ITEM...: the words after it.
 *
 * like   set, file, line and optional of what is added
 *
 * Returns 0, -ENOMEM, or -EINVAL with "file:line: ..." in why.
 */
int perf_events_parse(struct config *, struct scan *, const struct want *like,
    struct diag *why);

/* perf_switch_parse - "software" "on" and the others of its kind; `what` is
 * the first word.  -ENOENT: it is none of them. */
int perf_switch_parse(struct config *, struct scan *, struct word what,
    const struct want *like, struct diag *why);

#endif
