/*
 * daemon/node/holders.h - which other processes have counters open, as far as
 * /proc tells: to see the descriptors of others takes root.
 */
#ifndef DAEMON_NODE_HOLDERS_H
#define DAEMON_NODE_HOLDERS_H

#include "regs/access.h"

#define MAX_HOLDERS 16

struct holder {
	unsigned pid;
	char name[32];
	bool perf, msr;         /* what it has open */
};

struct holders {
	struct holder of[MAX_HOLDERS];
	unsigned n;
	unsigned more;          /* for which there is no room here */
};

/* holders_find - finds all but this process, its children, and the process that started
 * it in the background. */
void holders_find(struct holders *, struct access *);

/* holder_open - "perf_event, msr". */
const char *holder_open(const struct holder *);

/* holders_text - "perf (pid 4711: perf_event), pcm (pid 12: msr)"; "" where
 * there are none.  Returns buf. */
const char *holders_text(const struct holders *, char *buf, size_t size);

#endif
