/*
 * postproc/data/intervals.h - a dump as intervals between samples, with the delta of
 * every counter judged.
 */
#ifndef POSTPROC_DATA_INTERVALS_H
#define POSTPROC_DATA_INTERVALS_H

#include "postproc/data/doubt.h"
#include "postproc/data/select.h"

struct intervals;

/* What tells how long an interval was, as bits: the TSC of the samples, their wall clock,
 * the TSC beside each block of registers (the stamps), and the planned length. */
enum clock_bit { BY_TSC = 1, BY_WALL = 2, BY_STAMPS = 4, BY_PLAN = 8 };

/*
 * How long an interval was.  Where the TSC and the wall clock do not agree, the one with
 * which the stamps agree is right; where these say yet another time, or there are none, the
 * clock is right that is nearest to the planned length.
 */
struct clock_verdict {
	double seconds;
	double tsc, wall;       /* s by these; NaN: the dump has no such clock */
	uint8_t odd;            /* BY_TSC, BY_WALL: which do not agree with seconds */
	uint8_t by;             /* BY_...: which agree with it */
};

/*
 * From one sample to the next one that the dump has.  The arrays have ncol elements
 * and are valid until the next intervals_next.
 */
struct interval {
	uint64_t before_sample, sample;
	double seconds;         /* as struct clock_verdict has it */
	double longest;         /* s: the longest time between two readings of any
	                         * block, by its stamp; at least `seconds` */
	double at;              /* s from the dump's first sample to `sample` */
	unsigned ncol;
	const uint64_t *value;  /* at `sample`, as the dump has it, or ABSENT */
	const uint64_t *before; /* the same at before_sample */
	const uint64_t *delta;  /* 0 where it must not be added; for readings, which
	                         * have no delta, any number */
	const uint8_t *kind;    /* enum delta_kind */
	const struct slow_columns *slow;
	unsigned left_out;      /* counters whose delta is neither good nor
	                         * wrapped; 0: no need to look at kind */
	unsigned nabsent;       /* columns without a value at `sample` */
	unsigned not_due;       /* slow counters that were not to be read in
	                         * this sample: DELTA_NONE, not left out */
};

/*
 * intervals_open - opens a dump, a store or standard input ("-").
 *
 * select   which samples of it are asked for; copied; NULL: all
 *
 * Returns 0 or -errno with words in why.
 */
int intervals_open(struct intervals **, const char *path,
    const struct select *select, struct diag *why);
void intervals_close(struct intervals *);       /* NULL accepted */

/* intervals_next - read the next interval.  Returns 1; 0 at the end; or -errno with words
 * in why. */
int intervals_next(struct intervals *, struct interval *, struct diag *why);

/* intervals_more - to be called after the end of a store that is still written: as read_more.
 * Takes in what tampering the daemon has found since then. */
int intervals_more(struct intervals *, struct diag *why);

/* intervals_stamp - a column's stamp: the column that has the TSC at which its register was
 * read: lproc_tsc[5], pkg_tsc[0], or what its family_stamp says.  -1: the dump has none, and
 * the TSC of the sample has to do.
 * intervals_own_seconds - the time between the two readings of a column, s, by its stamp.
 * intervals_own_times - the same for n columns, into seconds[]. */
int intervals_stamp(struct intervals *, unsigned column);
double intervals_own_seconds(struct intervals *, const struct interval *,
    unsigned column);
void intervals_own_times(struct intervals *, const struct interval *,
    const uint32_t *column, unsigned n, double *seconds);

/* stamps_at_once - did each lproc read its own block, all at the same time, as the
 * head says?  Else the blocks were read one after the other. */
bool stamps_at_once(const struct reader *);

/* intervals_verdict - how long the last interval was, and how that is known. */
const struct clock_verdict *intervals_verdict(const struct intervals *);
/* intervals_odd_clocks - how many intervals so far have a TSC or a wall clock that is
 * wrong. */
uint64_t intervals_odd_clocks(const struct intervals *);

/* intervals_astray - how many samples were left out so far because all clocks put them
 * before an earlier sample; *first: the first of them. */
uint64_t intervals_astray(const struct intervals *, uint64_t *first);

/* intervals_tampers - what the daemon's tamper watch found. */
const struct tampers *intervals_tampers(const struct intervals *);

/* intervals_doubts - which counters are not believed at present. */
const struct doubts *intervals_doubts(const struct intervals *);

/* intervals_row - to be called instead of intervals_next where no deltas are needed: the next
 * sample of the range, as by read_next; *at: s from the dump's first sample.  Returns 1, 0 at
 * the end, or -errno. */
int intervals_row(struct intervals *, struct read_row *, double *at,
    struct diag *why);

/* intervals_whole - is the range all of the file? */
bool intervals_whole(const struct intervals *);
struct reader *intervals_reader(struct intervals *);
const struct limits *intervals_limits(const struct intervals *);

/* intervals_first, intervals_last - the first and the last sample of the range so far.
 * intervals_samples - how many samples it has so far: one more than intervals. */
uint64_t intervals_first(const struct intervals *);
uint64_t intervals_last(const struct intervals *);
uint64_t intervals_samples(const struct intervals *);
/* intervals_seconds - the sum of the range's intervals so far, s. */
double intervals_seconds(const struct intervals *);

/*
 * intervals_tsc_hz - the TSC's frequency, Hz; 0: the dump has no TSC.  Known after the first
 * intervals_next, and the same from then on.
 *
 * It is what tallyd measured, or else what the wall clock says from the dump's first
 * sample to its last.  The head's nominal frequency is good to 0.3 % only.  Where it is more
 * than 0.5 % from the others, as somebody set the clock or the head is wrong, the first
 * intervals by the wall clock decide.  Where these do not agree with one another, and on a
 * pipe, whose last sample cannot be seen beforehand, the nominal frequency is used, unless
 * the head has the measured one.
 */
double intervals_tsc_hz(const struct intervals *);
/* tsc_ratio_holds - can a TSC of that frequency (0: not known) have the ratio that the
 * head says?  The bus clock is 100 MHz; where the head has a nominal frequency as well,
 * 80 to 134 MHz.  True where the head has no ratio. */
bool tsc_ratio_holds(const struct reader *, double tsc_hz);

/* tsc_words - what the family tsc is on this node: "TSC", or on Arm, where it is CNTVCT_EL0,
 * "generic timer". */
const char *tsc_words(const struct reader *);

/* intervals_clock_note - what the user should know of how times were found, such as
 * "no TSC: times are by the wall clock"; or NULL. */
const char *intervals_clock_note(const struct intervals *);

/* intervals_complain - prints to stderr what was wrong with the file, a line each:
 * problems of the reader, the clock note, an unknown model, a range that the file does
 * not have. */
void intervals_complain(const struct intervals *);
/* problems_complain - prints to stderr what was wrong with the lines of a file. */
void problems_complain(const struct reader *);

/* ---- clocks.c: how long intervals were meant to be, and pauses (--pause) ---- */

/* --max-overhead makes intervals a multiple as long, from some sample on.  Zeroed to
 * begin with. */
struct planned {
	uint64_t sample;        /* the last one that was asked for */
	uint64_t multiple;      /* of that one's interval; 0: none was asked for */
};

/* planned_multiple - the interval that ends with a sample was meant to be so many times as
 * long as the head says.  Samples have to go up from call to call. */
uint64_t planned_multiple(struct planned *, const struct reader *,
    uint64_t sample);

/* pauses_between - did tallyd pause between two samples?  Then no difference between them is
 * used.
 * pauses_seconds - how long these pauses were together. */
bool pauses_between(const struct reader *, uint64_t before, uint64_t sample);
double pauses_seconds(const struct reader *, uint64_t before, uint64_t sample);

#endif
