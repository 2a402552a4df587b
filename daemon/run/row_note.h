/*
 * daemon/run/row_note.h - what the head says of columns that are absent from a row:
 * files that hold no numbers, counters that had stopped at their end.
 */
#ifndef DAEMON_RUN_ROW_NOTE_H
#define DAEMON_RUN_ROW_NOTE_H

#include "config/dump/store.h"
#include "daemon/plan/plan.h"
#include "daemon/read/files.h"

/* Of one kind: what its store has already. */
struct row_notes {
	const struct store *store;      /* that the last one went to */
	unsigned n;                     /* in it */
	unsigned warned;                /* so many lines of the log */
};

/* row_note_files - after files_take of row n: once a file, kind and store into its
 * head, and some into the log. */
void row_note_files(struct row_notes *, struct file_readers *, struct store *,
    uint64_t n);

/* row_note_stopped - after row n was taken: each counter once, when it is found so. */
void row_note_stopped(struct row_notes *, struct plan *, struct store *, uint64_t n);

#endif
