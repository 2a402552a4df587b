/*
 * postproc/data/stamps.h - the TSC beside each block's registers: one sweep reads
 * the blocks one after the other, so its stamps go up.
 */
#ifndef POSTPROC_DATA_STAMPS_H
#define POSTPROC_DATA_STAMPS_H

#include "config/dump/read.h"

struct stamps {
	unsigned *column, n;    /* in the order in which they are read */
	bool at_once;           /* in no order: each lproc read its own */
	int tsc, duration;      /* columns: when a sample began, ns it took */
	bool *bad, *was_bad;    /* [n] out of order; in the sample before */
	unsigned nbad, nwas_bad;
	bool *astray;           /* [n] not as long as the interval */
	unsigned nastray;
	struct moment *moment;
	double *delta;
};

/* clock_cell - the value of one column of a row; ABSENT where the row has no such
 * column (col is -1, or not below ncol). */
uint64_t clock_cell(const uint64_t *value, int col, unsigned ncol);

/* stamps_find - those among the first ncol columns; -ENOMEM.  A zeroed one is
 * empty. */
int stamps_find(struct stamps *, const struct reader *, unsigned ncol);
void stamps_fini(struct stamps *);

/* stamps_at_once - did each lproc read its own?  The head says how. */
bool stamps_at_once(const struct reader *);

/*
 * stamps_order - which stamps of the next row are out of order: the fewest
 * without which the rest goes up, from the sample's beginning to its end, by a
 * millisecond.  Where threads read all of them at once they are between these
 * two, and nothing more is known.  Where these are more than a few it says nothing: TSCs that are
 * not synchronised, or columns in an order of another tool's.
 */
void stamps_order(struct stamps *, const uint64_t *value, unsigned ncol,
    double tsc_hz);
/*
 * stamps_pace - which stamps went another time between two rows than `seconds`,
 * which most clocks agree on: a TSC that is slow or fast.  Blocks are read at
 * other moments of one sample than of the other, as long as the samples took; of
 * samples that do not say how long, it says nothing.
 */
void stamps_pace(struct stamps *, const struct read_row *, double tsc_hz,
    double seconds);
/* stamps_taken - the seconds that both rows of an interval took to read; NaN
 * where a dump does not say. */
double stamps_taken(const struct stamps *, const struct read_row *);
/* stamps_doubtful - is stamp i wrong in one of the last two rows, or between
 * them? */
bool stamps_doubtful(const struct stamps *, unsigned i);

/* stamps_seconds - the time between two rows, by the median of all stamps;
 * NaN: there are none. */
double stamps_seconds(struct stamps *, const uint64_t *before,
    const uint64_t *value, unsigned ncol, double tsc_hz);

/* stamps_longest - the longest of these times; doubtful stamps aside.  0: there
 * are none. */
double stamps_longest(const struct stamps *, const uint64_t *before,
    const uint64_t *value, double tsc_hz);

#endif
