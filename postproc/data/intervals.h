/*
 * postproc/data/intervals.h - a dump as stretches of time between samples, with the
 * delta of every counter judged.
 */
#ifndef POSTPROC_DATA_INTERVALS_H
#define POSTPROC_DATA_INTERVALS_H

#include "postproc/doubt/doubt.h"
#include "postproc/data/select.h"

struct intervals;

/* What tells how long an interval was, as bits: the TSC of the sample, its wall clock,
 * the TSC beside each block of registers (the stamps), and the length planned. */
enum clock_bit { BY_TSC = 1, BY_WALL = 2, BY_STAMPS = 4, BY_PLAN = 8 };

/*
 * How long an interval was.  Where the TSC and the wall clock do not agree, it is as
 * long as the stamps say with one of them; where these say yet another time, or there
 * are none, the clock counts that is nearest to the planned length.
 */
struct clock_verdict {
	double seconds;
	double tsc, wall;       /* by these; NaN: the dump has no such clock */
	uint8_t odd;            /* BY_TSC, BY_WALL: it is off `seconds` */
	uint8_t by;             /* what agrees with `seconds` */
};

/*
 * From one sample to the next one that the dump has.  The arrays have ncol
 * elements and hold until the next intervals_next.
 */
struct interval {
	uint64_t before_sample, sample;
	double seconds;         /* by the TSC: see intervals_tsc_hz; where other
	                         * clocks show that to be wrong, by them */
	double longest;         /* s between two readings of any block, by its
	                         * stamps; at least `seconds` */
	double at;              /* s from the dump's first sample to `sample` */
	unsigned ncol;
	const uint64_t *value;  /* as printed at `sample`; ABSENT */
	const uint64_t *before; /* at before_sample */
	const uint64_t *delta;  /* 0 where it must not be added; readings have
	                         * no delta: what stands there means nothing */
	const uint8_t *kind;    /* enum delta_kind */
	const struct slow_columns *slow;
	unsigned left_out;      /* counters that are neither good nor wrapped;
	                         * 0: kind need not be looked at */
	unsigned nabsent;       /* columns without a value at `sample` */
	unsigned not_due;       /* counters that are read every so many samples,
	                         * and not in this one: their kind is DELTA_NONE
	                         * and they are not left out */
};

/*
 * intervals_open - a dump, a store or "-", and the samples of it to look at.
 *
 * select   is copied; its phases are those of this dump
 *
 * Returns 0 or -errno with words in why.
 */
int intervals_open(struct intervals **, const char *path,
    const struct select *select, struct diag *why);
void intervals_close(struct intervals *);       /* NULL accepted */

/* intervals_next - 1, 0 at the end, or -errno with words in why. */
int intervals_next(struct intervals *, struct interval *, struct diag *why);

/* intervals_more - of a store, after the end: as read_more.  What the daemon saw
 * others do meanwhile holds from now on. */
int intervals_more(struct intervals *, struct diag *why);

/* intervals_stamp - the column with the TSC of the moments that a column's
 * registers were read, lproc_tsc[5], pkg_tsc[0] or what its family_stamp says;
 * -1 where the dump has none, and then it is the sample's own TSC.
 * intervals_own_seconds - the time between its two readings, by that;
 * intervals_own_times - of n columns, into seconds[]. */
int intervals_stamp(struct intervals *, unsigned column);
double intervals_own_seconds(struct intervals *, const struct interval *,
    unsigned column);
void intervals_own_times(struct intervals *, const struct interval *,
    const uint32_t *column, unsigned n, double *seconds);

/* stamps_at_once - did each lproc read its own block, all at the same time, as the
 * head says?  Else the blocks were read one after the other. */
bool stamps_at_once(const struct reader *);

/* intervals_verdict - on the time of the last interval. */
const struct clock_verdict *intervals_verdict(const struct intervals *);
/* intervals_odd_clocks - intervals of the range whose TSC or wall clock the
 * others contradict. */
uint64_t intervals_odd_clocks(const struct intervals *);

/* intervals_astray - samples that all clocks put before an earlier one, and were
 * left out, so far; *first: which was the first. */
uint64_t intervals_astray(const struct intervals *, uint64_t *first);

/* intervals_tampers - what the daemon saw others do to its registers. */
const struct tampers *intervals_tampers(const struct intervals *);

/* intervals_doubts - and which counters are not believed since then. */
const struct doubts *intervals_doubts(const struct intervals *);

/* intervals_row - instead of the intervals, the samples that bound them, as
 * read_next gives them; at: s from the dump's first.  1, 0, or -errno. */
int intervals_row(struct intervals *, struct read_row *, double *at,
    struct diag *why);

/* intervals_whole - is the range all of the file? */
bool intervals_whole(const struct intervals *);
struct reader *intervals_reader(struct intervals *);
const struct limits *intervals_limits(const struct intervals *);

/* intervals_first, _last - the samples that were looked at so far;
 * intervals_samples - how many those were: one more than intervals. */
uint64_t intervals_first(const struct intervals *);
uint64_t intervals_last(const struct intervals *);
uint64_t intervals_samples(const struct intervals *);
/* intervals_seconds - the time that they cover. */
double intervals_seconds(const struct intervals *);

/*
 * intervals_tsc_hz - the TSC's frequency: as tallyd measured it, else the dump's
 * first and last sample by its own wall clock; 0 when it has no TSC.  It is known
 * after the first intervals_next and does not change.
 *
 * The nominal ratio is good to 0.3 % only.  Where it is more than 0.5 % off the
 * rest (somebody set the clock, or the head is wrong), what the first intervals
 * have in common decides; without that, and on a pipe, whose end cannot be seen,
 * it is used, unless the head says what was measured.
 */
double intervals_tsc_hz(const struct intervals *);
/* tsc_ratio_holds - is the ratio of the head one that a TSC of that frequency can
 * have (0: it is not known)?  Of 100 MHz, but where the head has another one's
 * frequency, which is 80 to 134 MHz.  Where there is none, yes. */
bool tsc_ratio_holds(const struct reader *, double tsc_hz);

/* intervals_clock_note - how the time was had when it was not as above, such as
 * "no clocks: one second a sample is assumed"; or NULL. */
const char *intervals_clock_note(const struct intervals *);

/* intervals_complain - what was wrong with the file, one line each, to
 * stderr: problems of the reader, the clock, a range outside the data. */
void intervals_complain(const struct intervals *);

#endif
