/*
 * postproc/data/delta.h - what a counter did between two samples.
 */
#ifndef POSTPROC_DOUBT_DELTA_H
#define POSTPROC_DOUBT_DELTA_H

#include "config/dump/read.h"
#include "lib/wide.h"

/* Elements of an array by column as one vector.  Loops over all columns of every
 * sample use it, as not every compiler vectorises them by itself. */
typedef uint64_t some_columns
    __attribute__((vector_size(WIDE_BYTES), aligned(8), may_alias));
#define SOME_COLUMNS (WIDE_BYTES / 8)

/* Only good and wrapped deltas may enter a figure. */
enum delta_kind {
	DELTA_GOOD,
	DELTA_WRAPPED,          /* the counter wrapped once */
	DELTA_NONE,             /* a reading, not a counter; or a slow column
	                         * that was not to be read in this sample */
	DELTA_ABSENT,           /* one of the two samples has no value */
	DELTA_RESET,            /* somebody else restarted or reprogrammed it */
	DELTA_IMPOSSIBLE,       /* more than the hardware can count */
	DELTA_AMBIGUOUS,        /* it may have wrapped once more than it seems */
	DELTA_TAMPERED,         /* the daemon found its control changed */
	DELTA_FOREIGN,          /* it counts, but somebody else restarted it, and
	                         * nobody knows which event it has since */
	DELTA_STOPPED,          /* it stood still, and another counter proves
	                         * that it should have counted */
	DELTA_CLOCK,            /* a TSC that the other clocks contradict */
	DELTA_ODD,              /* one of the two values does not fit the samples
	                         * before and behind it */
	DELTA_BEYOND,           /* more than another counter of its lproc allows */
	DELTA_PAUSED,           /* the daemon paused in this interval, in which others
	                         * may have used the counters */
	DELTA_KINDS
};

/* delta_doubtful - is it a kind that tally totals adds up and marks, but that is in no
 * figure? */
bool delta_doubtful(enum delta_kind);

/* delta_word - "wrapped", "reset", ... */
const char *delta_word(enum delta_kind);

/* How much a column of each class can grow in a second, as printed. */
struct limits {
	double rate[CLASSES];
	double degrees;         /* Celsius: the most that a sensor can read */
};

/* limits_init - sets the limits for the node of a dump, by its model and units where the head
 * has them, else by the highest of all models. */
void limits_init(struct limits *, const struct reader *);

/* reading_possible - can a sensor of a running package read that value?  Temperatures
 * are from -20 degrees Celsius to where the CPU throttles, or to 130 where that is not
 * known; all other readings are possible.  ABSENT is not. */
bool reading_possible(const struct limits *, const struct column *,
    uint64_t value);

/* limit - the most that a column of a class can grow in so many seconds, with 5 % and
 * 0.1 s to spare: registers are not all read at the same moment. */
uint64_t limit(const struct limits *, enum column_class, double seconds);

/* limits_by_tsc - lowers the limit of reference cycles (MPERF and others): they cannot count
 * faster than the TSC, whose frequency is tsc_hz.  Only for a dump that says when each lproc
 * was read. */
void limits_by_tsc(struct limits *, double tsc_hz);

/* column_span - the value at which a column wraps to 0; 0: it wraps at 2^64. */
uint64_t column_span(const struct column *);

/*
 * delta_between - the delta of one column, judged by its own two values alone.
 *
 * most   how much the column can have grown, by limit()
 * delta  out: what is to be added to a sum; 0 unless it is good or wrapped
 *
 * A counter that went back has wrapped if it can have counted so far in this time;
 * else it was reset.
 */
enum delta_kind delta_between(const struct column *, uint64_t before,
    uint64_t now, uint64_t most, uint64_t *delta);

#endif
