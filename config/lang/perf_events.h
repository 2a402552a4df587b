/*
 * config/lang/perf_events.h - the statements of config/lang/want.h that name
 * events as perf and collectd do.  For config/lang/events.c alone.
 */
#ifndef CONFIG_LANG_PERF_EVENTS_H
#define CONFIG_LANG_PERF_EVENTS_H

#include "config/lang/want.h"
#include "config/scan.h"

/*
 * perf_events_parse - parse the words after "event".
 *
 * like   set, file, line and optional of the wants that are added
 *
 * Returns 0, -ENOMEM, or -EINVAL with "file:line: ..." in why.
 */
int perf_events_parse(struct config *, struct scan *, const struct want *like,
    struct diag *why);

/* perf_switch_parse - parse "software on" and the other statements of perf_switch.c;
 * `what` is the first word.  -ENOENT: it begins none of them. */
int perf_switch_parse(struct config *, struct scan *, struct word what,
    const struct want *like, struct diag *why);

#endif
