/*
 * postproc/data/intervals_int.h - intervals, between its own files:
 * intervals.c (ranges), rows.c (samples), clocks.c and stamps.c (time),
 * judge.c (deltas), odd_values.c (values that are no count).
 */
#ifndef POSTPROC_DATA_INTERVALS_INT_H
#define POSTPROC_DATA_INTERVALS_INT_H

#include "postproc/data/intervals.h"
#include "postproc/data/slow.h"

/* ---- stamps.c ------------------------------------------------------------- */

/* The TSC beside each block's registers.  One sweep reads the blocks one after the
 * other, so the stamps of a sample go up. */
struct stamps {
	unsigned *column, n;    /* in the order in which they are read */
	bool at_once;           /* in no order: each lproc read its own block */
	int tsc, duration;      /* columns: when the sample began, and how many
				 * ns it took; -1: none */
	bool *bad, *was_bad;    /* [n] out of order in this sample, and in the
				 * one before */
	unsigned nbad, nwas_bad;
	bool *astray;           /* [n] it went another time than the interval */
	unsigned nastray;
	struct moment *moment;  /* room for work */
	double *delta;
};

/* clock_cell - the value of one column of a row; ABSENT where the row has no such
 * column (col is -1, or not below ncol). */
uint64_t clock_cell(const uint64_t *value, int col, unsigned ncol);

/* stamps_find - finds the stamps among the first ncol columns; 0 or -ENOMEM.  A zeroed
 * one is empty. */
int stamps_find(struct stamps *, const struct reader *, unsigned ncol);
void stamps_fini(struct stamps *);

/*
 * stamps_order - finds the stamps of the next row that are out of order by more than a
 * millisecond: the fewest without which the rest goes up from the sample's begin to
 * its end.  Where threads read all blocks at once, a stamp is only known to be between
 * these two.  Where more than one in eight is out of order none is marked: the TSCs are
 * not synchronised, or another tool wrote the columns in another order.
 */
void stamps_order(struct stamps *, const uint64_t *value, unsigned ncol,
    double tsc_hz);
/*
 * stamps_pace - finds the stamps that went another time between two rows than
 * `seconds`, as a TSC does that is slow or fast.  A block may be read early in one
 * sample and late in the other, so a stamp may be off by as long as the two samples
 * took; where the dump does not say how long that was, no stamp is marked.
 */
void stamps_pace(struct stamps *, const struct read_row *, double tsc_hz,
    double seconds);
/* stamps_taken - how long both rows of an interval took to read, s; NaN: the dump does
 * not say. */
double stamps_taken(const struct stamps *, const struct read_row *);
/* stamps_doubtful - is stamp i out of order in one of the last two rows, or did it go
 * another time between them? */
bool stamps_doubtful(const struct stamps *, unsigned i);

/* stamps_seconds - the time between two rows, as the median of all stamps has it; NaN:
 * there are none. */
double stamps_seconds(struct stamps *, const uint64_t *before,
    const uint64_t *value, unsigned ncol, double tsc_hz);

/* stamps_longest - the longest time between two rows by any stamp that is not doubtful;
 * 0: there are none. */
double stamps_longest(const struct stamps *, const uint64_t *before,
    const uint64_t *value, double tsc_hz);

/* ---- clocks.c, rows.c, judge.c, odd_values.c ------------------------------ */

/* What the first samples of a file show of its clocks; zeroed: nothing yet. */
struct pace {
	bool learned;
	unsigned n;             /* intervals with the usual frequency of the TSC
				 * by the wall clock, */
	unsigned of;            /* of how many */
	double tsc_hz;          /* that frequency; 0: these are too few */
	double usual;           /* the usual length of an interval, s; 0: not
				 * known */
};

/* A copy of a row of the reader. */
struct kept_row {
	uint64_t sample, line;
	uint64_t *value;
	unsigned ncol, room, nabsent;
	bool fresh;             /* the daemon was restarted before it */
};

struct intervals {
	struct reader *reader;
	struct select select;
	struct limits limits;
	int col_tsc, col_sec, col_usec;
	double tsc_hz;
	bool clocked;           /* tsc_hz is known */
	struct pace pace;
	struct planned planned;
	const char *clock_note; /* see intervals_clock_note; */
	char clock_words[200];  /* its text, where that has numbers */
	struct clock_verdict verdict;   /* on the last interval */
	uint64_t odd_clocks;    /* intervals of the range where a clock is off */
	double longest;         /* as in struct interval, */
	uint64_t most[CLASSES]; /* and how much columns can count in it */

	unsigned ncol, room;
	/* arrays by column: deltas, and those of the interval before */
	uint64_t *delta, *was_delta;
	uint64_t *ahead_delta;  /* deltas to the sample behind; */
	bool *beyond, *ahead_beyond;    /* which AT_ONCE columns of judge.c have
					 * one that is beyond its threshold, */
	bool some_ahead;        /* and whether any of ahead_delta is; */
	bool has_ahead, was_ahead;      /* they are known of the present sample;
					 * were of the one before */
	/* A delta of at most `quick`, to a value of at most `top`, is good; its
	 * kind is `plain`.  asked: bit 63 set where that has to be checked, 0 for
	 * readings and slow columns. */
	uint64_t *quick, *top, *asked;
	uint8_t *kind, *plain;
	int32_t *stamp;         /* intervals_stamp; -2: not looked for yet */
	struct tampers tampers;
	struct doubts doubts;
	struct stamps stamps;
	struct slow_columns slow;
	unsigned not_due;       /* as in struct interval */
	double quick_from, quick_to;    /* s: intervals that quick and top are
					 * right for */
	uint8_t *spoilt;        /* bits of odd_values.c: a single odd value */
	unsigned nspoilt;       /* columns where that is not 0 */
	bool all_good;          /* kind[] is plain[] */
	bool no_memory;         /* memory ran out while an interval was judged */

	/* An interval, from `before` to `now`, is judged when the sample behind
	 * it is known, too. */
	struct kept_row before, now, next;
	bool has_before, has_now, has_next;
	struct kept_row *ahead; /* rows_ahead; from nshown to nahead they are
				 * behind next */
	unsigned nahead, nshown;
	int ahead_end;          /* what the reader returned behind them; 1: not
				 * the end */
	int end;                /* what it returned last: 1, 0, -errno */
	struct diag end_why;
	unsigned astray;        /* samples left out one after the other, */
	uint64_t nastray, first_astray; /* in all, and the first of them */
	struct read_row row;    /* now, with `before` as its row before */
	unsigned was_ncol;      /* columns of the row before */
	/* the range's first and last sample and how many they are so far; the
	 * dump's latest sample */
	uint64_t first, last, samples, last_seen;
	bool seen, done;        /* the dump has a sample; the row is behind the
				 * range */
	double first_seconds, seconds;  /* row_at of the range's first sample; the
					 * sum of its intervals */
	double row_at;          /* of row, s from the dump's first sample */
};

/* clock_settle - finds the TSC's frequency, when the first sample is shown.
 * clock_judge - finds how long the interval before the present row is, into verdict. */
void clock_settle(struct intervals *);
void clock_judge(struct intervals *);
/* clock_since_first - s from the first sample, which has to be the present row, to one
 * with these clocks. */
double clock_since_first(const struct intervals *, uint64_t tsc, double wall);

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
/* rows_ahead - while the first sample is shown: reads the n samples behind it, or as
 * many as there are, into ahead[].  Returns false where only a part of the file is
 * asked for, or they would take too much memory. */
bool rows_ahead(struct intervals *, unsigned n);
void rows_fini(struct intervals *);

/*
 * judge - judges the interval before the present row, into delta[] and kind[].  Also
 * intervals before the range have to be judged, as some doubts last.  Returns how many
 * deltas are left out, or -ENOMEM.
 */
int judge(struct intervals *, const struct read_row *, double seconds);

/* odd_values - marks counters as DELTA_ODD whose value fits neither the sample before nor
 * the one behind, while these two fit each other.  Has to follow the judgement of all
 * columns of the row.  Returns how many more deltas are left out. */
unsigned odd_values(struct intervals *, const struct read_row *, double seconds);
/* odd_behind - the present value of column c is good: is the value in the sample behind one
 * that cannot follow it?  behind_s: as odd_seconds returns it. */
bool odd_behind(const struct intervals *, unsigned c, double behind_s);
/* odd_seconds - s from the present sample until the last block of the one behind it was
 * read; `seconds`, the length of this interval, where the clocks do not say. */
double odd_seconds(const struct intervals *, double seconds);

#endif
