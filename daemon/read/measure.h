/*
 * daemon/read/measure.h - what a sample takes in each way to read: several trials
 * of each, all ways in turns.
 */
#ifndef DAEMON_READ_MEASURE_H
#define DAEMON_READ_MEASURE_H

#include "daemon/read/sweep.h"
#include "regs/access.h"

/* Context switches and interrupts of the whole node. */

/* Since boot. */
struct node_events {
	uint64_t switches;
	uint64_t interrupts;    /* of all lprocs, those that one sends another: to
				 * run a thread there, to call a function */
};

/* node_events - reads /proc/stat and /proc/interrupts; -errno where these cannot be read,
 * lack the counts, or do not fit buf: with 1,000 lprocs they have 1 MB. */
int node_events(struct access *, char *buf, size_t size, struct node_events *);

/* measure_remote - measures READ_REMOTE alone, with and without moving to each package for
 * its registers.  Sets s->cost, and s->stay where staying costs clearly less. */
void measure_remote(struct sweep *, struct plan *, struct access *,
    uint64_t *row);

/*
 * measure_modes - every way there is; returns the one that read_cost_choose takes.
 *
 * batch    may it be read in batches?
 * threads  may there be a thread on each lproc?
 *
 * Switches and interrupts are those of the whole node (/proc/stat and
 * /proc/interrupts), less what it has by itself meanwhile.  Where it does not say,
 * all of the time that a sample lasts is taken for CPU time: one lproc after the
 * other is kept from its work.  s->cost, s->why.
 */
enum read_mode measure_modes(struct sweep *, struct plan *, struct access *,
    bool batch, bool threads, uint64_t *row);

#endif
