/*
 * config/dump/store.h - the file that the rows live in while the daemon samples.
 *
 * A store is a file in memory: header, columns and their families, preamble
 * (the self-description of the dump, as text), rows of ncell u64.  A row becomes
 * visible by the row count, which is written after it, so whoever reads it, and
 * whenever its writer dies, every counted row is whole.  The writer maps none of
 * it and believes none of it: layout and counts are in its own memory.
 */
#ifndef CONFIG_DUMP_STORE_H
#define CONFIG_DUMP_STORE_H

#include "config/dump/column.h"
#include "regs/diag.h"

#include <stdbool.h>

struct store;

/* Where the daemon puts it when nobody says: the first where root alone may
 * write there, else the second. */
#define STORES_OURS "/run/tallyd"
#define STORES_ANYBODYS "/dev/shm"
/* Who a sampler becomes where there is such a user and nobody says another. */
#define STORE_USER "tallyd"
#define STORE_PATTERN "tallyd-*.store"

struct store_shape {
	const struct column *column;
	unsigned ncolumn;
	unsigned ncell;         /* u64 a row */
	uint64_t capacity;      /* rows */
	bool ahead;             /* another is sampled into until store_sampled */
	const char *model;      /* of the node, whose tables have the families */
	const char *preamble;   /* the head of the dump; of a store that was
				 * opened: put again (head_put_again) */
	/* Cells with this sample's clocks, for tail figures of the dump. */
	unsigned cell_tsc, cell_real_sec, cell_real_usec;
	unsigned cell_mono;     /* ns; 0: none */
};

/*
 * store_create - make the file (it must not exist), lock it (store_lock.h), and
 * reserve what the first rows take.
 *
 * One that would not fit, as things are, is refused: on a disk that has not so
 * much left; on a tmpfs, which is memory, also one larger than half of what the
 * node and its control groups have left.  Returns 0 or -errno: -EEXIST,
 * -ENOSPC, -ENOMEM, ... with words.
 */
int store_create(struct store **, const char *path, const struct store_shape *,
    struct diag *why);

/* store_open - read an existing store, while it grows or after its writer
 * died.  It is read, not mapped: whoever cuts the file meanwhile ends nobody. */
int store_open(struct store **, const char *path, struct diag *why);

/* store_row - where the next row goes, zeroed; NULL when the store is full.
 * store_commit - make it visible, and zero what is the next one's: 0, or -errno
 * of the write that failed. */
uint64_t *store_row(struct store *);
int store_commit(struct store *);

/* store_grow - after a commit: space for the rows that come next, a segment at
 * a time, so that a full disk is met before the row that it would cost.  0 (and
 * mostly nothing to do), or -errno with words; what is committed is safe, and
 * store_row should not be asked for more. */
int store_grow(struct store *, struct diag *why);
/* store_full_size - bytes of it once all its rows are in. */
uint64_t store_full_size(const struct store *);

/* store_sampled - it is the one that is sampled into from now on, or no more:
 * which one readers find. */
void store_sampled(struct store *, bool on);

/* store_mark - a phase begins with the next row.  At most STORE_MARKS are
 * kept; returns -ENOSPC beyond, and store_notes_lost counts it. */
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

/* store_left_out - how many lines of an opened store's head are no assignments
 * of tallyd's, and left out. */
unsigned store_left_out(const struct store *);

/* store_cut - how many rows of an opened store are counted and not there, or
 * not whole: somebody cut the file.  The others are. */
uint64_t store_cut(const struct store *);

/* store_missed - add to the count of deadlines that were missed. */
void store_missed(struct store *, uint64_t n);
uint64_t store_missed_count(const struct store *);
/* store_marks - the rows that phases begin with; returns how many. */
unsigned store_marks(const struct store *, const uint64_t **mark);

/* store_rows - how many there are by now.  What a reader sees of notes,
 * marks and missed deadlines is what there was at its latest call. */
uint64_t store_rows(const struct store *);
/* store_read - n cells of a row, from `first` on.  Returns 0, -ENODATA where
 * the file has them no more (store_error), or -errno. */
int store_read(const struct store *, uint64_t row, unsigned first, unsigned n,
    uint64_t *cells);
/* store_error - an error of store_read or dump_write in words. */
const char *store_error(int rc);
const struct store_shape *store_shape(const struct store *);
const char *store_path(const struct store *);
/* store_give - readable by a group (-1: none), by all if share; nobody but who
 * made it may write it. */
int store_give(struct store *, int gid, bool share);
/*
 * store_replace - take the name of another store in its folder, which gets the one
 * that this had: at no moment is there none by that name.  0 or -errno.
 * store_moved - of that other one: it has this name by now, if it has.
 */
int store_replace(struct store *, const char *path);
void store_moved(struct store *, const char *path);
/* store_unlink - remove the file, unless it is not ours any more; the mapping
 * stays until store_close. */
int store_unlink(struct store *);
void store_close(struct store *);

#endif
