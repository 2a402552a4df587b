/*
 * daemon/run/mark_notes.h - marks with names, noted in the store; and the jobs that
 * they open, which the next store is told of again.
 */
#ifndef DAEMON_RUN_MARK_NOTES_H
#define DAEMON_RUN_MARK_NOTES_H

#include "config/dump/head.h"
#include "config/dump/store.h"

#define OPEN_JOBS 256
/* How much of a store's notes marks may take; the rest is for notes of problems. */
#define MARK_BYTES (STORE_NOTES / 2)

struct open_job {
	uint64_t real_ns;       /* wall clock of its mark; 0: none */
	char text[MARK_WORDS + 1];
};

struct mark_notes {
	unsigned n;             /* in this store so far */
	size_t bytes;           /* of its notes */
	struct open_job open[OPEN_JOBS];        /* in the order they began */
	unsigned nopen;
};

/*
 * mark_notes_set - a mark at real_ns, before the next row.
 *
 * 0, or -errno with words: -EINVAL no words of a mark, -ENOSPC there is no room
 * for it, or for another job, and nothing was noted.  No allocation.
 */
int mark_notes_set(struct mark_notes *, struct store *, const char *text,
    uint64_t real_ns, struct diag *why);

/* mark_notes_last - the same, of what was before the last row that is there. */
int mark_notes_last(struct mark_notes *, struct store *, const char *text,
    uint64_t real_ns, struct diag *why);

/* mark_notes_again - a new store begins: the jobs that are open are marked in it,
 * at its row 0 and with their own time.  Returns how many had no room. */
unsigned mark_notes_again(struct mark_notes *, struct store *);

#endif
