/*
 * daemon/node/announce.h - what programming the counters will do to this kernel,
 * said before it is done.
 */
#ifndef DAEMON_NODE_ANNOUNCE_H
#define DAEMON_NODE_ANNOUNCE_H

#include "config/dump/store.h"
#include "daemon/node/node.h"

/* Control registers that are written, and how many of them are MSRs. */
struct control_writes {
	unsigned start, start_msr;      /* before the first sample */
	unsigned turn, turn_msr;        /* by the turn of event sets with most writes */
};

/* announce_count - counts the writes of a plan that was saved (program_save), without
 * registers that hold their value already. */
struct control_writes announce_count(const struct plan *);

/* announce_text - all of it in one line: how many writes, whether the kernel's
 * log gets a line, whether they taint it. */
const char *announce_text(const struct node *, char *buf, size_t size);

/* announce_tainted - the kernel's taint flags; false: it does not tell them. */
bool announce_tainted(struct access *, int64_t *tainted);

/* announce_after - puts the taint flags as they are now into the head of a store that
 * gets no further sample. */
void announce_after(struct store *, struct access *);

#endif
