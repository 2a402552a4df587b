/*
 * regs/sim/sim_perf_int.h - the events that the simulated kernel counts, for the
 * files that open and read them.
 */
#ifndef REGS_SIM_SIM_PERF_INT_H
#define REGS_SIM_SIM_PERF_INT_H

#include "regs/perf_page.h"
#include "regs/sim/sim_int.h"

/* An event that the kernel has on a counter of a core, and its page. */
struct sim_slot {
	struct sim_unit *unit;          /* of the lproc; NULL: none */
	struct reg *counter;
	unsigned n;                     /* which of its kind */
	bool fixed, pair;
	struct perf_event_mmap_page *page;
};

/* One group on one CPU, of one PMU; software has none. */
struct sim_group {
	struct perf_group want;
	const struct sim_pmu *pmu;
	unsigned need;                  /* counters */
	uint64_t opened;
	struct sim_count count[PERF_MEMBERS];
	bool away;                      /* nobody serves it */
	bool lost;                      /* pinned, and others have its counters */
	uint64_t since;                 /* lost, or away */
	uint64_t kept[PERF_CELLS];      /* what it counted until then */
	struct perf_part part;
	struct perf_direct direct;
	struct sim_slot *slot;          /* [want.n]; NULL: on no counters */
};

struct sim_handle {
	unsigned n;
	struct perf_sum sum;
	struct sim_group *group;
};

struct sim_perf {
	struct sim_handle **handle;
	unsigned n;
	unsigned *demand;               /* counters wanted, by PMU and CPU */
	unsigned *skip;                 /* where the core's next is, by CPU */
	char note[128];
	bool direct;                    /* counters are read by their pages, */
	struct perf_msrs msrs;          /* at these registers */
	struct sim_rate clock;          /* ns in every phase */
	struct sim_rate none;           /* nothing in any */
};

/*
 * sim_counter.c
 */
/* sim_perf_usable - how many counters of a PMU are not always somebody else's. */
unsigned sim_perf_usable(const struct sim_pmu *);
/* sim_perf_takes - how many counters of its PMU an event takes. */
unsigned sim_perf_takes(const struct sim_pmu *, const struct perf_attr *);
/* sim_counter_take - a free counter of an lproc's core, from number `skip` on,
 * that counts what is asked for from now on, at value 0; false: there is none,
 * or no MSR would count it. */
bool sim_counter_take(struct sim *, unsigned lproc, const struct sim_pmu *,
    const struct perf_attr *, unsigned skip, struct sim_slot *);
/* sim_counter_give - back, where it was taken; the page says so. */
void sim_counter_give(struct sim *, struct sim_slot *);
/* sim_counter_page - write the page: the event has counted so much, and was
 * enabled and ran so long. */
void sim_counter_page(struct sim *, struct sim_slot *, const uint64_t *times,
    uint64_t count);
/* sim_counter_read - the counter of an index, as the lproc's MSR has it. */
int sim_counter_read(struct sim *, unsigned lproc, uint32_t index,
    uint64_t *raw);

/*
 * sim_perf.c
 */
/* sim_group_start - its counts begin at 0, now. */
void sim_group_start(struct sim *, struct sim_group *);
/* sim_group_demand - counters that groups want of its PMU on its CPU. */
unsigned *sim_group_demand(const struct sim *, const struct sim_group *);
/* sim_perf_core - the PMU of a CPU's core; NULL: none.  sim_perf_open_nothing -
 * there is a place for events from now on; 0 or -ENOMEM. */
const struct sim_pmu *sim_perf_core(const struct sim *, unsigned cpu);
int sim_perf_open_nothing(struct sim *);
bool sim_in_list(const char *list, unsigned n);
/* sim_group_leave - it is on no counters any more. */
void sim_group_leave(struct sim *, struct sim_group *);

#endif
