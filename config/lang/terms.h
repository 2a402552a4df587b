/*
 * config/lang/terms.h - the terms of an event as perf writes them between
 * slashes: pmu/event=0x35,umask=0x21/, pmu/named_event,extra=1/.
 */
#ifndef CONFIG_LANG_TERMS_H
#define CONFIG_LANG_TERMS_H

#include "config/scan.h"
#include "regs/perf.h"

/* What terms say: the numbers, and beside them what sysfs says of a named event;
 * "" for nothing. */
struct pmu_event {
	struct perf_attr attr;
	char scale[48];                 /* "6.103515625e-05" */
	char unit[32];                  /* "MiB" */
};

/*
 * terms_encode - the numbers for perf_event_open.
 *
 *   terms = term { "," term }
 *   term  = NAME [ "=" NUMBER ]     a term of the PMU's format; 1 if bare
 *         | EVENT                   one that sysfs names, or the model's table
 *                                   where sysfs does not; it comes first, so
 *                                   that the other terms change it
 *         | "event=" EVENT          the number of one in that table
 *         | ("config" | "config1" | "config2") "=" NUMBER     or-ed in
 *         | "name=" TEXT            what to call it; see terms_name
 *
 * Returns 0, or -EINVAL with "file:line: ..." in why.
 */
int terms_encode(const struct pmu *, struct access *, struct word terms,
    struct place, struct pmu_event *, struct diag *why);

/* terms_name - what name= says; n 0: nothing. */
struct word terms_name(struct word terms);

#endif
