/*
 * config/lang/perf_parse.h - what the files share that read events by the
 * names of perf and collectd: perf_events.c, perf_add.c, perf_pmu.c,
 * perf_switch.c.
 */
#ifndef CONFIG_LANG_PERF_PARSE_H
#define CONFIG_LANG_PERF_PARSE_H

#include "config/lang/perf_events.h"

#define MAX_EVENT 400           /* characters of one */

/* A statement on its way to wants. */
struct perf_parse {
	struct config *cfg;
	struct place at;
	struct diag *why;
	const struct want *like;
	unsigned together;              /* the number of the word's group */
};

/* All return 0, -ENOMEM, or -EINVAL with "file:line: ..." in why. */

/* parse_name - can it stand between the quotes of a column's index? */
int parse_name(const struct perf_parse *, struct word name);
/* parse_kernel - an event of the kernel's own, or of a PMU. */
int parse_kernel(struct perf_parse *, const struct perf_want *,
    struct word name);
/* parse_count - an event of a box, by what count_parse makes of name and
 * encoding; inst: one box of them, -1: all; pw: the kernel's name for it, or
 * NULL. */
int parse_count(struct perf_parse *, const struct box_type *, int inst,
    struct word name, struct word encoding, const struct perf_want *pw);
/* parse_named - one of the kernel's names; tail: "@" and a word, or "". */
int parse_named(struct perf_parse *, const struct perf_name *,
    const char *tail);
/* parse_pmu - PMU/TERM=NUMBER,.../ */
int parse_pmu(struct perf_parse *, struct word);

#endif
