/*
 * daemon/plan/plan_perf.h - what the files that plan for the kernel's counting
 * share.
 */
#ifndef DAEMON_PLAN_PLAN_PERF_H
#define DAEMON_PLAN_PLAN_PERF_H

#include "config/lang/terms.h"
#include "daemon/plan/plan_int.h"

enum domain { ON_CPUS, ON_CORES, ON_BOXES, ON_PMU };

/* An event that the kernel is asked to count. */
struct perf_event {
	const struct want *want;
	const char *name;               /* of the event in its column; "": none */
	struct family family;           /* of its column, where it is not added up */
	uint8_t cls;                    /* enum column_class; 0: its family's */
	struct perf_attr attr;
	bool own;                       /* needs none of the general counters */
	unsigned dropped;               /* 1: the run's cores cannot count it;
					 * 2: those of another PMU cannot */
	unsigned probed;                /* where that was tried: the same bits */
	struct pmu_event says;          /* scale and unit, from sysfs */
	const struct core_group *sum;   /* lprocs to be added up; or NULL */
	const uint8_t *listed;          /* by lproc, CORES_ALONE ...; NULL: it
	                                 * has no cores list */
	/* a list of events that could be in one group: */
	unsigned first, next;           /* NO_EVENT: none */
	unsigned last, owns;            /* of the first: how many have .own */
	/* a list of events with the same sum: */
	unsigned next_sum;              /* NO_EVENT: none */
	unsigned last_sum;              /* of the first */
	bool placed;                    /* it is counted somewhere */
	unsigned handle;                /* of its first group, + 1; 0: none */
};

/* Marks of `listed`: in a list that is added up; in a list of one. */
enum { CORES_SUMMED = 1, CORES_ALONE = 2 };
#define NO_EVENT UINT32_MAX

/* Where events are counted: on one CPU, or on several whose counts are added up. */
struct perf_place {
	struct column_id at;            /* of the columns, all but family and
	                                 * event */
	enum family_sum adds;           /* what is added up */
	unsigned lproc;                 /* that reads it, where pkg is -1 */
	int pkg;                        /* -1: the lproc's */
	unsigned n;
	unsigned *cpu;
	uint32_t *type;                 /* PMU of each; 0: as the event says */
	unsigned room;                  /* counters there */
	const struct unit *unit;        /* a box of the model; or NULL */
	const struct core_group *sum;   /* the lprocs of it; or NULL */
	unsigned first_event;           /* the first that may belong there */
};

/* Events of one kind, and where they are counted. */
struct run {
	struct plan *plan;
	enum domain domain;
	const struct box_type *type;    /* ON_BOXES; ON_CORES: may be NULL */
	const char *pmu_name;           /* ON_PMU */
	struct pmu *pmu;                /* whose formats hold; type UINT32_MAX:
	                                 * there is none */
	unsigned ran, silent;           /* the largest group that ran, and the
	                                 * smallest that did not, in counters;
	                                 * 0: not tried */
	uint32_t *core_type;            /* by lproc, the type of its PMU, where
	                                 * cores have several; or NULL */
	struct perf_event *event;
	unsigned nevent, event_room;
	struct lookup cores;            /* one event of each cores list */
	struct perf_place *place;
	unsigned nplace, place_room;
};


/* perf_domain - where the events of a statement are counted; *type is the box
 * type, the core's, or NULL. */
enum domain perf_domain(const struct want *, const struct box_type **type);
/* perf_add_event - the event(s) of one statement.  0 or -errno. */
int perf_add_event(struct run *, const struct want *);
/* perf_generic - is it one of the kernel's own events, for any core PMU? */
bool perf_generic(const struct perf_event *);
/* perf_places.c: all places that the events of a run ask for. */
int perf_make_places(struct run *);
/* perf_names_pmu - does a statement name one PMU of its kind, uncore_cha_3? */
bool perf_names_pmu(const struct want *);
/* perf_other_core - has that lproc another PMU than the run's? */
bool perf_other_core(const struct run *, const struct perf_place *);
/* perf_belongs - is the event counted at that place? */
bool perf_belongs(const struct run *, const struct perf_event *,
    const struct perf_place *);
/* perf_own_socket - it would count accesses to a socket at that very socket,
 * which is not what the event is for: left out unless the line names the
 * package or the PMU. */
bool perf_own_socket(const struct run *, const struct perf_event *,
    const struct perf_place *);
/* perf_groups.c: which events could be counted together, in their order. */
int perf_chain(struct run *);
/* open the groups of a place, and add their columns. */
int perf_add_groups(struct run *, struct perf_place *);
/* perf_open.c: perf_attr_at - what the kernel is asked for on CPU i of a place. */
const struct perf_attr *perf_attr_at(const struct run *,
    const struct perf_event *, const struct perf_place *, unsigned i,
    struct perf_attr *);
/* perf_open_group - events together at a place: the handle, or -errno; *first the
 * group on its first CPU, *bad the event that was refused. */
int perf_open_group(struct run *, const struct perf_place *,
    struct perf_event *const *member, unsigned n, struct perf_group *first,
    unsigned *bad);
/* perf_takes - how many counters an event takes; the kernel adds the
 * second of a pair. */
unsigned perf_takes(const struct run *, const struct perf_event *);
/* perf_too_large - would the group be opened, and never run? */
bool perf_too_large(struct run *, const struct perf_place *,
    struct perf_event *const *member, unsigned n);
/* perf_note_silent - tell of those that do not run. */
void perf_note_silent(struct run *);
/* perf_files - about how many descriptors all statements need. */
unsigned perf_files(const struct plan *);
/* perf_note_ports - how many ports the events of a run count, into the head. */
int perf_note_ports(struct run *);

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

#endif
