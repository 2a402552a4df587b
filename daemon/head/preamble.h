/*
 * daemon/head/preamble.h - the self-description at the head of a dump.
 */
#ifndef DAEMON_HEAD_PREAMBLE_H
#define DAEMON_HEAD_PREAMBLE_H

#include "config/dump/head.h"
#include "daemon/node/replay.h"
#include "daemon/plan/plan.h"
#include "daemon/read/sweep.h"
#include "topology/devices.h"
#include "topology/discovery.h"
#include "topology/inventory.h"
#include "topology/topo.h"

struct preamble_info {
	double interval;                /* seconds */
	unsigned watch;                 /* samples; 0: our controls are not
	                                 * looked at */
	struct stamp start;
	const char *access;             /* "linux", "sim" */
	const char *schedule;           /* "SCHED_FIFO 1" */
	const struct sweep *sweep;
	const double *dram_max;         /* [MAX_PKG] bytes/s by NUMA node; 0, and
					 * NULL: not measured */
	const char *version;
	const struct config *config;
	const struct replay *replay;    /* what is recorded; NULL: hardware */
	bool measure_tsc;               /* time can pass here */
};

/* preamble_make - the text, the caller's to free; NULL when out of memory.
 * plan->write must hold the values that are programmed. */
char *preamble_make(const struct plan *, const struct topo *,
    const struct inventory *, struct access *, const struct preamble_info *);

/* preamble_devices - stacks and devices of it. */
void preamble_devices(struct head *, const struct devices *,
    const struct topo *);

/* preamble_tables - discovery tables, as they were read. */
void preamble_tables(struct head *, const struct discovery *);

/* hbm_put - hbm_mode, and hbm_cache where that is known; nothing of a node that has
 * no HBM.  Only reads. */
void hbm_put(struct head *, const struct topo *, const struct inventory *,
    struct access *);

/* head_families - width, unit and multiplier of each family. */
void head_families(struct head *, const struct plan *);
/* head_classes - what an event counts, where that is not what its family does:
 * event_class["imc_counts"]["CAS_COUNT.READS"] = "cas". */
void head_classes(struct head *, const struct plan *);
/* head_controls - the control value of every counter, under the counter's own
 * indices: imc_counts_control[0][3]["CAS_COUNT.READS"] = 0x00400304. */
void head_controls(struct head *, const struct plan *);
/* head_sets - the sets, and which of them an event takes turns in:
 * event_set["core_counts"]["X"] = "a". */
void head_sets(struct head *, const struct plan *);

/* provenance_put - all lines of it.  What the node does not tell has none.  Of
 * a plan that was saved (program_save): whose counters it takes. */
void provenance_put(struct head *, const struct plan *, const struct topo *,
    struct access *);

#endif
