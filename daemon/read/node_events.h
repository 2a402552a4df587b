/*
 * daemon/read/node_events.h - context switches and interrupts of the whole node.
 */
#ifndef DAEMON_READ_NODE_EVENTS_H
#define DAEMON_READ_NODE_EVENTS_H

#include "regs/access.h"

/* Since boot. */
struct node_events {
	uint64_t switches;
	uint64_t interrupts;    /* of all lprocs, those that one sends another: to
				 * run a thread there, to call a function */
};

/* node_events - by /proc/stat and /proc/interrupts; -errno where they cannot be
 * read, do not say, or do not fit buf: with 1,000 lprocs they have 1 MB. */
int node_events(struct access *, char *buf, size_t size, struct node_events *);

#endif
