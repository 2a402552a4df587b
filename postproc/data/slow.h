/*
 * postproc/data/slow.h - columns that are read only every so many samples (family_every
 * and event_every in the head).  In the samples between they have no value, and that is
 * no fault.  A delta is over all the time since the last reading, which their stamp
 * (read_tsc) tells.
 */
#ifndef POSTPROC_DOUBT_SLOW_H
#define POSTPROC_DOUBT_SLOW_H

#include "postproc/data/delta.h"

struct slow_column {
	unsigned column;        /* in rising order */
	uint64_t every;         /* samples from one reading to the next */
	uint64_t age;           /* samples since it was read last */
	uint64_t last;          /* the sample in which it was */
	bool read;              /* it has been read before: last is known */
	bool paused;            /* the daemon paused since then */
	/* the delta that was judged last: */
	uint64_t from, span;    /* the sample it begins at, intervals it is over */
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

/* slow_load - finds the slow ones among the first ncol columns.  A zeroed struct is empty.
 * Returns 0 or -ENOMEM. */
int slow_load(struct slow_columns *, const struct reader *, unsigned ncol);
void slow_fini(struct slow_columns *);

/* slow_carry - fills in the slow columns that a row does not have with their values of
 * the row before it, so that the next delta begins with these. */
void slow_carry(const struct slow_columns *, const uint64_t *before, unsigned ncol,
    uint64_t *row);

/* slow_from - the sample at which the delta of a column begins; `before` if it is not slow.
 * slow_seconds - how many seconds the delta is over, where an interval is `seconds`. */
uint64_t slow_from(const struct slow_columns *, unsigned column,
    uint64_t before);
double slow_seconds(const struct slow_columns *, unsigned column, double seconds);

/* slow_pause - to be called instead of slow_judge where the daemon paused before this row:
 * makes the next delta of each slow column DELTA_PAUSED. */
void slow_pause(struct slow_columns *, const struct read_row *);

struct slow_deltas {
	uint64_t *delta;        /* by column */
	uint8_t *kind;          /* DELTA_NONE where a slow column was not read */
	unsigned not_due;       /* out: how many counters were not to be read */
};

/*
 * slow_judge - judges the slow columns again, after all columns were judged as if their
 * deltas were over one interval.
 *
 * seconds  how long one interval is
 *
 * Returns how many more deltas than before are left out, which may be below 0.
 */
int slow_judge(struct slow_columns *, const struct reader *,
    const struct read_row *, const struct limits *, double seconds,
    struct slow_deltas *);

#endif
