/*
 * daemon/head/preamble.h - the self-description at the head of a dump.
 */
#ifndef DAEMON_HEAD_PREAMBLE_H
#define DAEMON_HEAD_PREAMBLE_H

#include "config/dump/head_put.h"
#include "daemon/node/replay.h"
#include "daemon/read/sweep.h"
#include "topology/devices.h"
#include "topology/discovery.h"

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

#endif
