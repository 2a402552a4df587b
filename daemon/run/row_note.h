/*
 * daemon/run/row_note.h - what the head says of columns that are absent from a row:
 * files that hold no numbers, counters that had stopped at their end.
 */
#ifndef DAEMON_RUN_ROW_NOTE_H
#define DAEMON_RUN_ROW_NOTE_H

#include "config/dump/store.h"
#include "daemon/plan/plan.h"
#include "daemon/read/files.h"

/* The notes of one kind that the store has so far. */
struct row_notes {
	const struct store *store;      /* that the last note went to */
	unsigned n;                     /* in it */
	unsigned warned;                /* lines in the log */
};

/* row_note_files - called after files_take of row n: notes each file that held no number,
 * once for each kind of problem and store, and logs some. */
void row_note_files(struct row_notes *, struct file_readers *, struct store *,
    uint64_t n);

/* row_note_stopped - called after row n was taken: notes each counter that was found
 * stopped. */
void row_note_stopped(struct row_notes *, struct plan *, struct store *, uint64_t n);

/* row_note_turns - called after row n was taken: notes each set that has turns within the
 * row which count for nobody, and how many: where somebody else had a counter, or where
 * more than half were late.  Up to ROW_NOTED_TURNS notes in a store. */
#define ROW_NOTED_TURNS 64
void row_note_turns(struct row_notes *, struct plan *, struct store *, uint64_t n);

#endif
