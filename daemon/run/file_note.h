/*
 * daemon/run/file_note.h - what the head says of files that hold no numbers.
 */
#ifndef DAEMON_RUN_FILE_NOTE_H
#define DAEMON_RUN_FILE_NOTE_H

#include "config/dump/store.h"
#include "daemon/read/files.h"

struct file_notes {
	const struct store *store;      /* that the last one went to */
	unsigned n;                     /* in it */
	unsigned warned;                /* so many lines of the log */
};

/* file_note - after files_take of row n: once a file, kind and store into its
 * head, and some into the log. */
void file_note(struct file_notes *, struct file_readers *, struct store *, uint64_t n);

#endif
