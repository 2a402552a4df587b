/*
 * postproc/data/slow.h - columns that are read only every so many samples (family_every
 * and event_every in the head).  In the samples between they have no value, and that is
 * no fault.  A delta is of all the time since the last reading, as their stamp
 * (read_tsc) tells.
 */
#ifndef POSTPROC_DOUBT_SLOW_H
#define POSTPROC_DOUBT_SLOW_H

#include "postproc/data/delta.h"

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

/* slow_any - does the head say that any columns are slow?  slow_is - is this one? */
bool slow_any(const struct reader *);
bool slow_is(const struct reader *, const struct column_id *);
/* slow_every - samples from one reading of a column to the next; 1: it is not slow. */
unsigned slow_every(const struct reader *, const struct column_id *);

/* slow_due - was a column to have a value in the row that was judged last, or before
 * it?  True for columns that are not slow. */
bool slow_due(const struct slow_columns *, unsigned column);

/* slow_load - finds the slow ones of the first ncol columns.  0 or -ENOMEM.  A zeroed
 * one is empty. */
int slow_load(struct slow_columns *, const struct reader *, unsigned ncol);
void slow_fini(struct slow_columns *);

/* slow_carry - fills in the slow columns that a row does not have with their values of
 * the row before it, so that the next delta begins with these. */
void slow_carry(const struct slow_columns *, const uint64_t *before, unsigned ncol,
    uint64_t *row);

/* slow_from - the sample at which the delta of a column begins: `before` unless it is
 * slow.  slow_seconds - how long the delta is, where an interval is `seconds`. */
uint64_t slow_from(const struct slow_columns *, unsigned column,
    uint64_t before);
double slow_seconds(const struct slow_columns *, unsigned column, double seconds);

/* slow_pause - to be called instead of slow_judge where the daemon paused before this
 * row: the next delta of each slow column is not to be used. */
void slow_pause(struct slow_columns *, const struct read_row *);

struct slow_deltas {
	uint64_t *delta;        /* by column */
	uint8_t *kind;          /* DELTA_NONE where a slow column was not read */
	unsigned not_due;       /* out: how many counters that is */
};

/*
 * slow_judge - judges the slow columns anew, whose deltas are over several intervals.
 *
 * seconds  how long one interval is
 *
 * Returns how many more deltas than before are left out; may be below 0.
 */
int slow_judge(struct slow_columns *, const struct reader *,
    const struct read_row *, const struct limits *, double seconds,
    struct slow_deltas *);

#endif
