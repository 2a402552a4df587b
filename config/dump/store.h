/*
 * config/dump/store.h - the store: the file that holds the rows while the
 * daemon samples.
 *
 * A store is a file, usually on a tmpfs: header, columns and their families,
 * preamble (the self-description of the dump, as text), rows of ncell u64.  The
 * row count is written after the row, so every counted row is complete,
 * whenever it is read and whenever the writer dies.  The writer neither maps
 * the file nor trusts it: layout and counts are in its own memory.
 */
#ifndef CONFIG_DUMP_STORE_H
#define CONFIG_DUMP_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/dump/column.h"
#include "lib/diag.h"

struct store;

/* Default folders for a store: the first if only root may write to it, else the
 * second. */
#define STORES_OURS "/run/tallyd"
#define STORES_ANYBODYS "/dev/shm"
/* The user that the sampler switches to by default, if that user exists. */
#define STORE_USER "tallyd"
#define STORE_PATTERN "tallyd-*.store"

struct store_shape {
	const struct column *column;
	unsigned ncolumn;
	unsigned ncell;         /* u64 in a row */
	uint64_t capacity;      /* rows */
	bool ahead;             /* created in advance: not sampled into until
				 * store_sampled */
	const char *model;      /* the node's model, for the families */
	const char *preamble;   /* the head of the dump; of an opened store:
				 * checked by head_put_again */
	/* Cells that hold the sample's clocks. */
	unsigned cell_tsc, cell_real_sec, cell_real_usec;
	unsigned cell_mono;     /* ns; 0: none */
};

/*
 * store_create - create the file (it must not exist), lock it (store_lock)
 * and reserve space for the first rows.
 *
 * Fails if the full store would not fit in the free space; on a tmpfs, which is
 * memory, also if it is larger than half of the free memory of the node and its
 * control groups.  Returns 0 or -errno with a message: -EEXIST, -ENOSPC,
 * -ENOMEM, ...
 */
int store_create(struct store **, const char *path, const struct store_shape *,
    struct diag *why);

/* store_open - open a store for reading, while it grows or after its writer
 * died.  It is not mapped, so truncating the file cannot kill us by SIGBUS. */
int store_open(struct store **, const char *path, struct diag *why);

/* store_row - the buffer of the next row, zeroed; NULL when the store is full.
 * store_commit - write that row, count it, and zero the buffer.  0, or -errno
 * of the write that failed. */
uint64_t *store_row(struct store *);
int store_commit(struct store *);

/* store_grow - after a commit: reserve space for the next rows, a segment at a
 * time, so that a full disk is noticed before a row is lost.  Returns 0
 * (usually there is nothing to do), or -errno with a message: committed rows
 * are safe, but the caller has to stop sampling. */
int store_grow(struct store *, struct diag *why);
/* store_full_size - size in bytes when all rows are written. */
uint64_t store_full_size(const struct store *);

/* store_sampled - mark the store as being sampled into, or not any more;
 * store_find finds only marked stores. */
void store_sampled(struct store *, bool on);

/* store_mark - record that a phase begins with the next row.  At most
 * STORE_MARKS are kept; beyond that returns -ENOSPC, and store_notes_lost
 * counts it. */
#define STORE_MARKS 256
int store_mark(struct store *);

/* store_note - add assignments ("tamper_first[0] = 17\n") to the head of the
 * dump while the rows go on.  A reader sees all of a note or nothing.  There
 * is room for a few notes of every control register of a large node; -ENOSPC
 * beyond that, and store_notes_lost counts it. */
#define STORE_NOTES (1u << 19)
int store_note(struct store *, const char *text);
const char *store_notes(const struct store *);
uint64_t store_notes_lost(const struct store *);

/* store_left_out - how many lines of an opened store's head were left out, as
 * they are not valid lines of tallyd's. */
unsigned store_left_out(const struct store *);

/* store_cut - how many counted rows of an opened store are missing or
 * incomplete, because the file was truncated. */
uint64_t store_cut(const struct store *);

/* store_missed - add n to the count of missed deadlines. */
void store_missed(struct store *, uint64_t n);
uint64_t store_missed_count(const struct store *);
/* store_marks - the numbers of the rows that phases begin with; returns how
 * many there are. */
unsigned store_marks(const struct store *, const uint64_t **mark);

/* store_rows - how many rows there are now.  For a reader, this call also
 * updates notes, marks and missed deadlines. */
uint64_t store_rows(const struct store *);
/* store_read - read n cells of a row, from `first` on.  Returns 0, -ENODATA if
 * the file was truncated (store_error), or -errno. */
int store_read(const struct store *, uint64_t row, unsigned first, unsigned n,
    uint64_t *cells);
/* store_error - the message for an error of store_read or dump_write. */
const char *store_error(int rc);
const struct store_shape *store_shape(const struct store *);
const char *store_path(const struct store *);
/* store_give - make the file readable for a group (-1: none), and for all if
 * share.  Only its owner may write it. */
int store_give(struct store *, int gid, bool share);
/*
 * store_replace - exchange names with another store in the same folder, in one
 * step, so that the name always exists.  0 or -errno.
 * store_moved - tell the other store its new path, if it was renamed.
 */
int store_replace(struct store *, const char *path);
void store_moved(struct store *, const char *path);
/* store_unlink - remove the file, unless its name refers to another file by
 * now. The store stays usable until store_close. */
int store_unlink(struct store *);
void store_close(struct store *);

/* ---- the store of a running daemon --------------------------------------- */

/*
 * store_find - find the store of a running daemon in the default folders.
 * Takes stores owned by root or the system user tallyd, else our own; others
 * are ignored, as any user may put files into /dev/shm.
 *
 * path     out: path of the store
 *
 * Returns 0, or -errno with advice in why: -ENOENT: there is none, -EACCES: we
 * may not read it, -EEXIST: there are several.
 */
int store_find(char *path, size_t size, struct diag *why);

/* store_unreadable - explain in why who may read this store and how to get that
 * right.  Returns -EACCES. */
int store_unreadable(const char *path, struct diag *why);

/* store_glance - read a store's header without opening it fully.  0, or -1 if
 * the file is no readable store. */
struct store_glance {
	uint64_t inode;
	uint64_t rows;
	bool sampled;           /* a daemon samples into it */
};
int store_glance(const char *path, struct store_glance *);

/* store_alive - is the daemon that writes this store running? */
bool store_alive(const char *path);

/*
 * The daemon holds write locks on single bytes of its store.  The kernel grants
 * these only to processes that have the file open for writing, so a reader
 * cannot fake one.  A lock ends when the last process closes the daemon's open
 * file description.
 */
enum store_byte {
	STORE_HELD,             /* a daemon has the store open */
	STORE_SAMPLED,          /* and samples into it: one store per daemon */
};

/* store_lock - take or release a lock; for the writer only. */
void store_lock(int fd, enum store_byte, bool on);

/* store_locked - does another process hold the lock? */
bool store_locked(int fd, enum store_byte);

#endif
