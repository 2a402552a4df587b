/*
 * postproc/doubt/delta.h - what a counter did between two samples.
 */
#ifndef POSTPROC_DOUBT_DELTA_H
#define POSTPROC_DOUBT_DELTA_H

#include "config/dump/read.h"

/* Two columns of an array, taken together: what is done to all columns of every
 * sample is done so, as compilers that do not find out by themselves must. */
typedef uint64_t two_columns
    __attribute__((vector_size(16), aligned(8), may_alias));

/* Only good and wrapped deltas may enter a figure. */
enum delta_kind {
	DELTA_GOOD,
	DELTA_WRAPPED,          /* past the top of the counter, once */
	DELTA_NONE,             /* a reading, not a counter; or not read in this
	                         * sample, as it is slow */
	DELTA_ABSENT,           /* one of the two samples has no value */
	DELTA_RESET,            /* restarted or reprogrammed by somebody else */
	DELTA_IMPOSSIBLE,       /* more than the hardware can count */
	DELTA_AMBIGUOUS,        /* a whole turn more was possible, too */
	DELTA_TAMPERED,         /* the daemon saw its control changed */
	DELTA_FOREIGN,          /* counted, but since it was restarted from
	                         * outside nobody knows what */
	DELTA_STOPPED,          /* stood still beside proof that it had to go on */
	DELTA_CLOCK,            /* a TSC that the other clocks contradict */
	DELTA_ODD,              /* one of the two values is off those beside it */
	DELTA_BEYOND,           /* more than another counter of it allows */
	DELTA_PAUSED,           /* the counter was somebody else's meanwhile */
	DELTA_KINDS
};

/* delta_doubtful - added to sums, marked, and in no figure. */
bool delta_doubtful(enum delta_kind);

/* delta_word - "wrapped", "reset", ... */
const char *delta_word(enum delta_kind);

/* How much a column of each class can grow in a second, as printed. */
struct limits {
	double rate[CLASSES];
	double degrees;         /* the most that a sensor reads */
};

/* limits_init - of the node that a dump is from: its model and units where the
 * dump names them, else the largest that is known. */
void limits_init(struct limits *, const struct reader *);

/* reading_possible - can a sensor of a running package have read that?
 * Temperatures: from -20 to what the CPU throttles at, which they are read as a distance
 * below; 130 degrees Celsius where that is not known.  Of ABSENT: no. */
bool reading_possible(const struct limits *, const struct column *,
    uint64_t value);

/* limit - the most that a class can grow in a time (s), with 5 % and a tenth of
 * a second to spare: registers are read one after the other, not at once. */
uint64_t limit(const struct limits *, enum column_class, double seconds);

/* column_span - the value at which a column wraps; 0: 2^64. */
uint64_t column_span(const struct column *);

/*
 * delta_between - the delta of one column by its own two values.
 *
 * most   what the column can have grown: limit()
 * delta  out: what is to be added to a sum: 0 unless good or wrapped
 *
 * A counter that went back has wrapped if the way over the top is no more
 * than the time allows; else it was reset.
 */
enum delta_kind delta_between(const struct column *, uint64_t before,
    uint64_t now, uint64_t most, uint64_t *delta);

#endif
