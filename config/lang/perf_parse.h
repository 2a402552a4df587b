/*
 * config/lang/perf_parse.h - shared by the files that parse events in the notation of
 * perf and collectd: perf_events.c, perf_add.c, perf_pmu.c, perf_switch.c.
 */
#ifndef CONFIG_LANG_PERF_PARSE_H
#define CONFIG_LANG_PERF_PARSE_H

#include "config/lang/perf_events.h"

#define MAX_EVENT 400           /* characters of an event */

/* A statement while it is parsed. */
struct perf_parse {
	struct config *cfg;
	struct place at;
	struct diag *why;
	const struct want *like;
	unsigned together;              /* number of the group that its word is */
};

/* All return 0, -ENOMEM, or -EINVAL with "file:line: ..." in why. */

/* parse_name - check that the name can be written between the quotes of a column's
 * index. */
int parse_name(const struct perf_parse *, struct word name);
/* parse_kernel - add an event that only the kernel counts. */
int parse_kernel(struct perf_parse *, const struct perf_want *,
    struct word name);
/* parse_count - add an event of a box, with the name and encoding as count_parse takes
 * them.  inst: number of the box, -1: all.  pw: how to ask the kernel for it; or
 * NULL. */
int parse_count(struct perf_parse *, const struct box_type *, int inst,
    struct word name, struct word encoding, const struct perf_want *pw);
/* parse_named - add an event by one of the kernel's names.  tail: "@" and a word, or
 * "". */
int parse_named(struct perf_parse *, const struct perf_name *,
    const char *tail);
/* parse_pmu - add an event that is written PMU/TERM=NUMBER,.../. */
int parse_pmu(struct perf_parse *, struct word);

#endif
