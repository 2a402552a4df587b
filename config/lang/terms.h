/*
 * config/lang/terms.h - the terms of an event as perf writes them between
 * slashes: pmu/event=0x35,umask=0x21/, pmu/named_event,extra=1/.
 */
#ifndef CONFIG_LANG_TERMS_H
#define CONFIG_LANG_TERMS_H

#include "config/scan.h"
#include "regs/perf.h"

/* An encoded event: its numbers, and what sysfs has beside a named event, or "". */
struct pmu_event {
	struct perf_attr attr;
	char scale[48];                 /* "6.103515625e-05" */
	char unit[32];                  /* "MiB" */
};

/*
 * terms_encode - encode terms as the numbers for perf_event_open(2).
 *
 *   terms = term { "," term }
 *   term  = NAME [ "=" NUMBER ]     a term of the PMU's format; without a number: 1
 *         | EVENT                   an event that sysfs names, else the model's
 *                                   table; encoded first, so that the other terms
 *                                   change it
 *         | "event=" EVENT          the number of an event of that table
 *         | ("config" | "config1" | "config2") "=" NUMBER     or-ed in
 *         | "name=" TEXT            the name of its column; see terms_name
 *
 * Returns 0, or -EINVAL with "file:line: ..." in why.
 */
int terms_encode(const struct pmu *, struct access *, struct word terms,
    struct place, struct pmu_event *, struct diag *why);

/* terms_name - the value of the term name=; n is 0 if there is none. */
struct word terms_name(struct word terms);

#endif
