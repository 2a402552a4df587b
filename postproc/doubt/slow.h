/*
 * postproc/doubt/slow.h - columns that are read every so many samples (family_every,
 * event_every).  In those between they have no value, and miss none; a delta is of all the time
 * since the last reading, which their stamp (read_tsc) tells.
 */
#ifndef POSTPROC_DOUBT_SLOW_H
#define POSTPROC_DOUBT_SLOW_H

#include "postproc/doubt/delta.h"

struct slow_column {
	unsigned column;        /* in rising order */
	uint64_t every;         /* samples from one reading to the next */
	uint64_t age;           /* samples since it was read last */
	uint64_t last;          /* that sample; */
	bool read;              /* is it known? */
	bool paused;            /* the daemon paused since then */
	/* what the last delta was of: */
	uint64_t from, span;    /* from which sample, over how many */
};

struct slow_columns {
	struct slow_column *slow;
	unsigned n, ncol;       /* among the first ncol columns */
};

/* slow_any - does the dump say that some are?  slow_is - is this one? */
bool slow_any(const struct reader *);
bool slow_is(const struct reader *, const struct column_id *);
/* slow_every - samples from one reading of it to the next: 1 of most. */
unsigned slow_every(const struct reader *, const struct column_id *);

/* slow_due - of the row that was judged last: was there to be a value of a column, or
 * has there been none for longer than it should? */
bool slow_due(const struct slow_columns *, unsigned column);

/* slow_load - as far as there are columns by now.  0 or -ENOMEM.  A zeroed one is
 * empty. */
int slow_load(struct slow_columns *, const struct reader *, unsigned ncol);
void slow_fini(struct slow_columns *);

/* slow_carry - a row that is about to be the one before: what it does not have it
 * has from the row before itself, of ncol columns. */
void slow_carry(const struct slow_columns *, const uint64_t *before, unsigned ncol,
    uint64_t *row);

/* slow_from - the sample that the delta of a column begins at; of one that is not
 * slow `before`.  slow_seconds - over how long it is, in intervals of
 * so many seconds. */
uint64_t slow_from(const struct slow_columns *, unsigned column,
    uint64_t before);
double slow_seconds(const struct slow_columns *, unsigned column, double seconds);

/* slow_pause - the daemon paused before this row: what is read next is of no
 * time that is known. */
void slow_pause(struct slow_columns *, const struct read_row *);

struct slow_deltas {
	uint64_t *delta;        /* of all columns; 0 where none is due, and */
	uint8_t *kind;          /* DELTA_NONE there */
	unsigned not_due;       /* how many those are, of counters */
};

/*
 * slow_judge - their deltas, in place of what they were taken for.
 *
 * limits   of what each could count in the time since it was read
 * seconds  of one interval
 *
 * Returns how many more are left out than were before.
 */
int slow_judge(struct slow_columns *, const struct reader *,
    const struct read_row *, const struct limits *, double seconds,
    struct slow_deltas *);

#endif
