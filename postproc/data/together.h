/*
 * postproc/data/together.h - what columns that always count counted while each event
 * set had the counters.
 *
 * A set's events are of a part of the time. A ratio of them to cycles is one of
 * nothing unless the cycles are of the same part, so these are added up for each
 * set, too.  Nothing is kept where no sets take turns.
 */
#ifndef POSTPROC_DATA_TOGETHER_H
#define POSTPROC_DATA_TOGETHER_H

#include "postproc/data/turns.h"

struct together {
	unsigned nset;          /* 0: no sets take turns */
	bool parts;             /* is any column a part? */
	unsigned ncol, col_room;        /* by column: */
	uint32_t *slot;         /* 1 + its place below; 0: it has none */
	uint32_t *is_part;      /* 1 + the place of the sum that it is of, by
				 * itself: turns_in_set; 0: it is no such */
	unsigned nlproc;        /* by lproc: */
	int32_t *cycles;        /* the column of its unhalted cycles; -1: none */
	unsigned n, room;       /* by slot: */
	uint32_t *column;
	bool *counter;          /* else a reading */
	/* [slot * nset + set]: */
	bool *by_part;          /* columns of the dump have it, else what the
				 * counter did in the set's part of the time */
	double *sum;            /* counters: deltas; readings: values */
	double *lost;           /* counters: running time of the set in intervals
	                         * without a delta; readings: how many values */
	uint32_t *left_out;     /* deltas */
	/* [nset]: */
	double *part;           /* of the last interval, that it ran in */
	double *now, *ran;      /* that time, in the unit of `lost`; all so far */
	bool *mixed;            /* has it shared an interval with another set? */
	double *running, *enabled, *known;      /* as they were settled */
};

/*
 * together_load - of the first ncol columns; cheap where none have come since the
 * last time, and nothing where no sets take turns.  A column that is read in
 * every so many samples has no place here: nobody knows what it counted when.
 * intervals: how many there were so far.  A zeroed one is empty.  0 or -ENOMEM.
 */
int together_load(struct together *, const struct turns *,
    const struct reader *, unsigned ncol, uint64_t intervals);
void together_fini(struct together *);
/* together_afresh - from now on, of the same columns. */
void together_afresh(struct together *);

/*
 * together_add - an interval more: of each counter its delta goes to the set that
 * ran; to each its part, where several did.  After it,
 * together_left_out - one column's delta is not to be in the sums,
 * together_read - a reading was that.
 */
void together_add(struct together *, const struct turns *,
    const struct interval *);
void together_left_out(struct together *, unsigned column,
    const struct interval *);
void together_read(struct together *, unsigned column, double value);

/*
 * The same by hand, of an interval of which not all counts:
 *
 * together_turn   whose turn it was, for so many seconds
 * together_count  what one counter counted in these
 * together_lose   or that it has no delta
 */
void together_turn(struct together *, const struct turns *,
    const struct interval *, double seconds);
void together_count(struct together *, unsigned column, double value);
void together_lose(struct together *, unsigned column);

/* together_settle - before the following: how long the sets ran, by what their
 * columns add up to; share: by column, the part of the time that it is known.
 * together_settle_by_hand - of together_turn: in so many seconds. */
void together_settle(struct together *, const struct turns *,
    const uint64_t *total, const double *share);
void together_settle_by_hand(struct together *, double seconds);
/* together_has - is a column among those?  together_guesses - and is what it did in
 * some set's time its part of intervals that the set shared with others? */
bool together_has(const struct together *, unsigned column);
bool together_guesses(const struct together *, unsigned column);
/* together_value - what it counted, or its mean, while a set ran; NaN: nothing is
 * known.  together_share - what part of all the time that is of. */
double together_value(const struct together *, unsigned column, unsigned set);
double together_share(const struct together *, unsigned column, unsigned set);
/* together_left_out_in - deltas of it that are left out of a set's intervals.
 * together_cycles - the column that always counts an lproc's unhalted cycles; -1:
 * there is none. */
uint32_t together_left_out_in(const struct together *, unsigned column,
    unsigned set);
int32_t together_cycles(const struct together *, unsigned lproc);

#endif
