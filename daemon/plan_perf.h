/*
 * daemon/plan_perf.h - what the files that plan for the kernel's counting
 * share.
 */
#ifndef DAEMON_PLAN_PERF_H
#define DAEMON_PLAN_PERF_H

#include "config/terms.h"
#include "daemon/plan_int.h"

/* An event as the kernel shall be told of it. */
struct perf_event {
	const struct want *want;
	char name[136];                 /* index of its column; "": none */
	char family[64];                /* "core_counts" */
	struct perf_attr attr;
	bool own;                       /* has a counter of its own */
	bool dropped;                   /* this node cannot count it */
	bool probed;
	struct pmu_event says;          /* scale and unit, from sysfs */
};

/* Where it is counted: the groups there, whose counts are added up. */
struct perf_place {
	char index[80];                 /* of the columns: "[0][3]" */
	const char *suffix;             /* of the family: "_group", "_sum" */
	unsigned lproc;                 /* who reads it */
	int pkg;                        /* -1: the lproc's */
	unsigned n;
	unsigned *cpu;
	uint32_t *type;                 /* PMU of each; 0: as the event says */
	unsigned room;                  /* counters there */
	const struct unit *unit;        /* a box of the model; or NULL */
	const struct core_group *sum;   /* the lprocs of it; or NULL */
};

/*
 * perf_encode - the attribute for an event of a box.
 *
 * What a control register would hold is what config holds, less the bits that
 * switch it on; filters go to config1, or to the format term of their name.
 * Returns 0, or -EINVAL with words in why where the PMU's formats cannot.
 */
int perf_encode(const struct config *, const struct want *, const struct pmu *,
    struct perf_attr *, struct diag *why);

/* plan_perf_read - the registers of a `read` statement, as far as some PMU of
 * the kernel has them. */
int plan_perf_read(struct plan *, const struct want *first, unsigned n);

/* plan_perf_one - a column of one event at one place, in a group by itself,
 * without columns of times.  0; -ENOENT when this node cannot; or -errno. */
int plan_perf_one(struct plan *, const char *column, const char *pmu,
    const char *terms, unsigned cpu, int pkg, const struct column *like,
    const char *unit);

#endif
