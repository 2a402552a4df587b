/*
 * postproc/data/intervals_int.h - intervals, between its own files:
 * intervals.c (ranges), rows.c (samples), stamps.c, clock_rate.c and
 * intervals_clock.c (time), judge.c and odd_value.c (deltas).
 */
#ifndef POSTPROC_DATA_INTERVALS_INT_H
#define POSTPROC_DATA_INTERVALS_INT_H

#include "postproc/data/intervals.h"
#include "postproc/data/schedule.h"
#include "postproc/doubt/slow.h"

/* ---- stamps.c ------------------------------------------------------------- */

/* The TSC beside each block's registers.  One sweep reads the blocks one after the
 * other, so the stamps of a sample go up. */
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

/* ---- clock_rate.c, intervals_clock.c -------------------------------------- */

/* What the first samples show of the clocks; zeroed: nothing. */
struct pace {
	bool learned;
	unsigned n;             /* intervals in which TSC and wall clock agree, */
	unsigned of;            /* of how many */
	double tsc_hz;          /* 0: they are too few, or no two are alike */
	double usual;           /* s a sample takes; 0: not known */
};

/* A row of the reader's, kept. */
struct kept_row {
	uint64_t sample, line;
	uint64_t *value;
	unsigned ncol, room, nabsent;
	bool fresh;             /* counters began anew with it */
};

struct intervals {
	struct reader *reader;
	struct select select;
	struct limits limits;
	int col_tsc, col_sec, col_usec;
	double tsc_hz;
	bool clocked;           /* tsc_hz has been settled */
	struct pace pace;
	struct planned planned;
	const char *clock_note; /* or NULL; */
	char clock_words[200];  /* perhaps this */
	struct clock_verdict verdict;   /* on the time between the last two */
	uint64_t odd_clocks;    /* intervals in which one was contradicted */
	double longest;         /* as in struct interval, */
	uint64_t most[CLASSES]; /* and what can be counted in that time */

	unsigned ncol, room;
	uint64_t *delta, *was_delta;
	/* a delta of at most quick, to a value of at most top, is good where
	 * one is asked of; then kind is plain */
	uint64_t *quick, *top, *asked;
	uint8_t *kind, *plain;
	int32_t *stamp;         /* -1 none; -2 not looked for yet */
	struct tampers tampers;
	struct doubts doubts;
	struct stamps stamps;
	struct slow_columns slow;
	unsigned not_due;       /* of the slow ones, in this interval */
	double quick_from, quick_to;    /* seconds that quick is right for */
	uint8_t *spoilt;        /* enum spoilt: one value off its neighbours */
	unsigned nspoilt;       /* columns where that is not 0 */
	bool all_good;          /* kind[] says so */
	bool no_memory;         /* to judge all of an interval */

	/* an interval is judged when the sample behind it is known, too */
	struct kept_row before, now, next;
	bool has_before, has_now, has_next;
	/* rows behind next that have been read: ahead[nshown] to nahead */
	struct kept_row *ahead;
	unsigned nahead, nshown;
	int ahead_end;          /* what the reader ended with behind them; 1 */
	int end;                /* what the reader ended with: 0, -errno */
	struct diag end_why;
	unsigned astray;        /* samples left out one after the other, */
	uint64_t nastray, first_astray; /* in all, and which was the first */
	struct read_row row;    /* now, and what is before it */
	unsigned was_ncol;      /* of the row before */
	uint64_t first, last, samples, last_seen;
	bool seen, done;
	double first_seconds, seconds;
	double row_at;          /* of row, s from the dump's first */
};

/* clock_settle - the TSC's frequency, from the first samples and what is known
 * of the last.  clock_judge - the time between the reader's last two, into
 * verdict. */
void clock_settle(struct intervals *);
void clock_judge(struct intervals *);
/* clock_since_first - from the first sample, which is the reader's, to another. */
double clock_since_first(const struct intervals *, uint64_t tsc, double wall);

/* clocks_agree - are two lengths of one interval (s) the same, but for 5 ms and
 * half a percent? */
bool clocks_agree(double a, double b);

/* pace_learn - intervals.pace, when it is asked for first: from the first samples
 * of the file, read apart from the rest. */
const struct pace *pace_learn(struct intervals *);

/*
 * rows_next - the next sample into intervals.row, with the one before it; was_ncol
 * is how many columns row had so far.  1, 0 at the end, -errno.
 * rows_look_ahead - has to follow each rows_next that returned 1, and clock_settle
 * after the first: reads the sample behind, into intervals.next.  A sample that all
 * clocks put before an earlier one is left out; where it is the present one that is
 * wrong, row becomes the one behind it.  0 or -errno.
 */
int rows_next(struct intervals *, struct diag *why);
int rows_look_ahead(struct intervals *, struct diag *why);
/* clock_wall - the wall clock of a row, s since 1970; false: the row has none. */
bool clock_wall(const struct intervals *, const uint64_t *value, unsigned ncol,
    double *seconds);
/* rows_open - read_open, with the columns that are selected, so that columns have
 * the same numbers each time.  After a failure, too, *out is to be closed. */
int rows_open(const struct intervals *, const char *path, struct reader **out,
    struct diag *why);
/* rows_ahead - while the first sample is shown: the n behind it into ahead[], or
 * as many as there are.  Returns false where the file may not be read further
 * than is asked for. */
bool rows_ahead(struct intervals *, unsigned n);
void rows_fini(struct intervals *);

/*
 * judge - the deltas of the reader's last two samples, into delta[] and kind[].
 * Those before the range are judged, too: some doubts last.  Returns how many
 * are left out, or -ENOMEM.
 */
int judge(struct intervals *, const struct read_row *, double seconds);

/* odd_seconds - from now to the sample behind, until its last block was read;
 * about, where its clocks do not say.  odd_behind - is what comes behind a good
 * value lower, or higher, than it can be? */
double odd_seconds(const struct intervals *, double seconds);
bool odd_behind(const struct intervals *, unsigned column, double behind_s);

/* odd_values - of counters whose value is off the one before and the one behind,
 * which go on from each other: no takeover, but no count.  Returns how many more
 * are left out. */
unsigned odd_values(struct intervals *, const struct read_row *,
    double seconds);

#endif
