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
	int tsc, duration;      /* the columns that say when a sample began and how
				 * many ns it took; -1: none */
	bool *bad, *was_bad;    /* [n] it is out of order in this sample; in the
				 * one before */
	unsigned nbad, nwas_bad;
	bool *astray;           /* [n] it advanced by another time than the interval
				 * took */
	unsigned nastray;
	struct moment *moment;  /* room for work */
	double *delta;
};

/* clock_cell - the value of one column of a row; ABSENT where the row has no such
 * column (col is -1, or not below ncol). */
uint64_t clock_cell(const uint64_t *value, int col, unsigned ncol);

/* stamps_find - finds the stamps among the first ncol columns.  A zeroed struct is empty.
 * Returns 0 or -ENOMEM. */
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
 * stamps_pace - finds the stamps that advanced by another time than `seconds` between two
 * rows, as a TSC does that is slow or fast.  A block may be read early in one sample and
 * late in the other, so a stamp may differ by as long as the two samples took to read; where
 * the dump does not say how long that was, no stamp is marked.
 */
void stamps_pace(struct stamps *, const struct read_row *, double tsc_hz,
    double seconds);
/* stamps_taken - how long both rows of an interval took to read, s; NaN: the dump does
 * not say. */
double stamps_taken(const struct stamps *, const struct read_row *);
/* stamps_doubtful - is stamp i out of order in one of the last two rows, or did it advance
 * by another time than the interval between them took? */
bool stamps_doubtful(const struct stamps *, unsigned i);

/* stamps_seconds - the time between two rows, s: the median of what each stamp says; NaN:
 * there are none. */
double stamps_seconds(struct stamps *, const uint64_t *before,
    const uint64_t *value, unsigned ncol, double tsc_hz);

/* stamps_longest - the longest time between two rows by any stamp that is not doubtful;
 * 0: there are none. */
double stamps_longest(const struct stamps *, const uint64_t *before,
    const uint64_t *value, double tsc_hz);

/* ---- clocks.c, rows.c, judge.c, odd_values.c ------------------------------ */

/* What the first samples of a file show of its clocks.  A zeroed struct: they were not looked
 * at yet. */
struct pace {
	bool learned;
	unsigned of;            /* intervals between these samples */
	unsigned n;             /* how many of them agree on the TSC's frequency by
				 * the wall clock */
	double tsc_hz;          /* that frequency; 0: too few agree */
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
	const char *clock_note; /* see intervals_clock_note */
	char clock_words[200];  /* its text */
	struct clock_verdict verdict;   /* on the last interval */
	uint64_t odd_clocks;    /* intervals of the range where a clock is off */
	double longest;         /* s, as in struct interval */
	uint64_t most[CLASSES]; /* how much columns of each class can count in it */

	unsigned ncol, room;
	/* arrays by column: deltas, and those of the interval before */
	uint64_t *delta, *was_delta;
	/* the deltas of the next interval, up to the sample behind, are computed
	 * together with those of this one */
	uint64_t *ahead_delta;
	bool *beyond, *ahead_beyond;    /* by block of AT_ONCE columns (judge.c): a
					 * delta or value is beyond its threshold */
	bool some_ahead;        /* any of ahead_beyond */
	bool has_ahead;         /* ahead_delta is known for the present interval */
	bool was_ahead;         /* it was when the interval before was judged */
	/* A delta of at most `quick`, to a value of at most `top`, is good; its
	 * kind is `plain`.  asked: bit 63 set where that has to be checked, 0 for
	 * readings and slow columns. */
	uint64_t *quick, *top, *asked;
	uint8_t *kind, *plain;
	int32_t *stamp;         /* what intervals_stamp returns; -2: not known yet */
	struct tampers tampers;
	struct doubts doubts;
	struct stamps stamps;
	struct slow_columns slow;
	unsigned not_due;       /* as in struct interval */
	double quick_from, quick_to;    /* s: the intervals that quick and top hold
					 * for are from and up to this long */
	uint8_t *spoilt;        /* bits of odd_values.c: a single odd value */
	unsigned nspoilt;       /* columns where that is not 0 */
	bool all_good;          /* kind[] is the same as plain[] */
	bool no_memory;         /* memory ran out while an interval was judged */

	/* An interval, from `before` to `now`, is judged when the sample behind
	 * it is known, too. */
	struct kept_row before, now, next;
	bool has_before, has_now, has_next;
	struct kept_row *ahead; /* [nahead] rows that rows_ahead read; those from
				 * nshown on are behind next */
	unsigned nahead, nshown;
	int ahead_end;          /* what the reader returned behind them; 1: that was
				 * not the end */
	int end;                /* what it returned last: 1, 0, -errno */
	struct diag end_why;
	unsigned astray;        /* samples left out one right after the other */
	uint64_t nastray, first_astray; /* how many in all; the first of them */
	struct read_row row;    /* now, with `before` as its row before */
	unsigned was_ncol;      /* columns of the row before */
	/* the range's first and last sample so far, and how many it has; the dump's
	 * latest sample */
	uint64_t first, last, samples, last_seen;
	bool seen;              /* the dump has a sample */
	bool done;              /* the row is behind the range */
	double row_at;          /* s from the dump's first sample to row */
	double first_seconds;   /* row_at of the range's first sample */
	double seconds;         /* the sum of the range's intervals */
};

/* clock_settle - finds the TSC's frequency; to be called when the first sample is shown.
 * clock_judge - finds how long the interval before the present row is, into verdict. */
void clock_settle(struct intervals *);
void clock_judge(struct intervals *);
/* clock_since_first - s from the first sample, which has to be the present row, to one
 * with these clocks. */
double clock_since_first(const struct intervals *, uint64_t tsc, double wall);

/*
 * rows_next - puts the next sample, with the one before it, into intervals.row, and how many
 * columns row had so far into was_ncol.  Returns 1, 0 at the end, or -errno.
 *
 * rows_look_ahead - reads the sample behind, into intervals.next.  Has to be called after
 * each rows_next that returned 1; after the first of them clock_settle comes between.  A
 * sample that all clocks put before an earlier one is left out; if it is the present one
 * that is wrong, row becomes the one behind it.  Returns 0 or -errno.
 */
int rows_next(struct intervals *, struct diag *why);
int rows_look_ahead(struct intervals *, struct diag *why);
/* clock_wall - the wall clock of a row, s since 1970; false: the row has none. */
bool clock_wall(const struct intervals *, const uint64_t *value, unsigned ncol,
    double *seconds);
/* rows_open - read_open, with the columns that are selected, so that columns have
 * the same numbers each time.  *out is to be closed also after a failure. */
int rows_open(const struct intervals *, const char *path, struct reader **out,
    struct diag *why);
/* rows_ahead - to be called while the first sample is shown: reads the n samples behind it,
 * or as many as there are, into ahead[].  Returns false, and reads none, where only a part
 * of the file is asked for, or where they would take too much memory. */
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
