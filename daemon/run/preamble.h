/*
 * daemon/run/preamble.h - the self-description at the head of a dump.
 */
#ifndef DAEMON_RUN_PREAMBLE_H
#define DAEMON_RUN_PREAMBLE_H

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
	bool measure_tsc;               /* there is time for it: no replay */
};

/* preamble_make - the text, the caller's to free; NULL when out of memory.
 * plan->write must hold the values that are programmed. */
char *preamble_make(const struct plan *, const struct topo *,
    const struct inventory *, struct access *, const struct preamble_info *);

/* preamble_devices - puts the I/O stacks and the devices on them. */
void preamble_devices(struct head *, const struct devices *,
    const struct topo *);

/* preamble_tables - discovery tables, as they were read. */
void preamble_tables(struct head *, const struct discovery *);

/* hbm_put - hbm_mode, and hbm_cache where that is known; nothing of a node that has
 * no HBM.  Only reads. */
void hbm_put(struct head *, const struct topo *, const struct inventory *,
    struct access *);

/* provenance_put - puts the lines about the system; what the node does not tell has none.
 * If the plan was saved (program_save), they also say whose counters it takes. */
void provenance_put(struct head *, const struct plan *, const struct topo *,
    struct access *);

/* The most that DRAM can do: --measure-dram-bandwidth. */

/* How much memory and time a NUMA node's sweep may take. */
#define DRAMBW_BYTES (UINT64_C(1) << 30)        /* of all its threads together */
#define DRAMBW_THREAD_BYTES (UINT64_C(64) << 20)        /* of one, at most */
#define DRAMBW_NS UINT64_C(1000000000)          /* that is measured */

/*
 * drambw_measure - read and write memory of each NUMA node as fast as its own
 * cores can, one node after the other.
 *
 * bytes_per_s_by_node  out: [n] reads and writes together, by number of the
 *                      node; 0 where it has no core, no memory to spare, or
 *                      none that this process may run on
 *
 * One thread a core, tied to the core's first lproc; each touches its own
 * memory first, so that it lies on the core's node.  Takes up to
 * DRAMBW_BYTES and a little over DRAMBW_NS a node.  For every two lines read
 * one is written, and its line is read beforehand (write-allocate), which is
 * counted.  Caches: a sweep is far larger than the share of the last-level
 * cache that a core has; what hits there makes the figure too large.
 *
 * Returns the number of nodes measured, or -errno with words in why: a node
 * that cannot be measured is no error; each is logged, and why names the last.
 */
int drambw_measure(const struct topo *, double *bytes_per_s_by_node,
    unsigned n, struct diag *why);

/* drambw_put - as assignments for the head of a dump, in bytes a second:
 * dram_max_bandwidth_node[i] of NUMA node i, where it was measured, and
 * dram_max_bandwidth of all where all were. */
void drambw_put(struct head *, const struct topo *,
    const double *bytes_per_s_by_node, unsigned n);

#endif
