/*
 * daemon/run/stopped_note.h - what the head says of counters that had stopped at
 * their end.
 */
#ifndef DAEMON_RUN_STOPPED_NOTE_H
#define DAEMON_RUN_STOPPED_NOTE_H

#include "config/dump/store.h"
#include "daemon/plan/plan.h"

struct stopped_notes {
	const struct store *store;      /* that the last one went to */
	unsigned n;                     /* in it */
	unsigned warned;                /* so many lines of the log */
};

/* stopped_note - after row n was taken: each counter once, when it is found so. */
void stopped_note(struct stopped_notes *, struct plan *, struct store *,
    uint64_t n);

#endif
