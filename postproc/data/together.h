/*
 * postproc/data/together.h - what the columns that always count (cycles, instructions)
 * counted while each event set had the counters.
 *
 * A set's events are counted for a part of the time.  A ratio of them to cycles means
 * nothing unless the cycles are of the same part, so cycles are added up for each set,
 * too.  Nothing is kept where no sets take turns.
 */
#ifndef POSTPROC_DATA_TOGETHER_H
#define POSTPROC_DATA_TOGETHER_H

#include "postproc/data/turns.h"

struct together {
	unsigned nset;          /* 0: no sets take turns */
	bool parts;             /* the dump has columns with counts by set: see
				 * turns_in_set */
	unsigned ncol, col_room;        /* by column: */
	uint32_t *slot;         /* 1 + its slot below; 0: it has none */
	uint32_t *is_part;      /* of a column with counts by set: 1 + the index
				 * of sum[] that it adds to; 0: it is no such */
	uint32_t *part_column;  /* [nparts] those columns */
	unsigned nparts, parts_room;
	unsigned nlproc;        /* by lproc: */
	int32_t *cycles;        /* the column of its unhalted cycles; -1: none */
	unsigned n, room;       /* by slot, one for each column that always counts: */
	uint32_t *column;
	bool *counter;          /* false: it is a reading */
	bool *by_parts;         /* by_part of all sets */
	uint32_t *alone;        /* [nalone] counters without by_parts */
	unsigned nalone;
	/* [slot * nset + set]: */
	bool *by_part;          /* the dump has this count; else it is taken from
				 * the delta, by the set's part of the interval */
	double *sum;            /* of a counter's deltas; of a reading's values */
	double *lost;           /* of a counter: for how long the set ran in
	                         * intervals without a delta; of a reading: how
	                         * many values sum has */
	uint32_t *left_out;     /* of a counter: deltas left out */
	/* [nset]: */
	double *part;           /* the part of the last interval that it ran */
	double *now, *ran;      /* how long it ran in the last interval, and so
				 * far; in the dump's unit, as `lost` */
	bool *mixed;            /* it has shared an interval with another set */
	double *running, *enabled, *known;      /* by together_settle: how long it
				 * ran, of how long it was enabled, and the part
				 * of the time for which that is known */
};

/*
 * together_load - takes in the first ncol columns; cheap where none are new, and does
 * nothing where no sets take turns.  Slow columns have no place here, as nobody knows
 * when they counted what.  intervals: how many there were so far.  A zeroed one is
 * empty.  0 or -ENOMEM.
 */
int together_load(struct together *, const struct turns *,
    const struct reader *, unsigned ncol, uint64_t intervals);
void together_fini(struct together *);
/* together_afresh - sets all sums to 0; the columns stay. */
void together_afresh(struct together *);

/*
 * together_add - adds an interval: each counter's delta to the set that ran, or to each
 * of several sets by the part of the interval that it ran.  After it,
 * together_left_out - takes the delta of one column out of the sums again;
 * together_read - adds the value of a reading.
 */
void together_add(struct together *, const struct turns *,
    const struct interval *);
void together_left_out(struct together *, unsigned column,
    const struct interval *);
void together_read(struct together *, unsigned column, double value);

/*
 * Instead of together_add, where only a part of an interval is to be added:
 *
 * together_turn   first: which sets ran in the interval, of which `seconds` are added
 * together_count  then for each counter: how much of its delta is added
 * together_lose   or that it has no delta
 */
void together_turn(struct together *, const struct turns *,
    const struct interval *, double seconds);
void together_count(struct together *, unsigned column, double value);
void together_lose(struct together *, unsigned column);

/* together_settle - to be called before those below, when all is added: takes how long
 * the sets ran from the totals of their columns; share: by column, the part of the time
 * for which its total is known.
 * together_settle_by_hand - instead, after together_turn: how long the turns that were
 * added were of, s. */
void together_settle(struct together *, const struct turns *,
    const uint64_t *total, const double *share);
void together_settle_by_hand(struct together *, double seconds);
/* together_has - has a column sums by set?  together_guesses - is one of these sums only
 * an estimate, as the set shared intervals with others? */
bool together_has(const struct together *, unsigned column);
bool together_guesses(const struct together *, unsigned column);
/* together_value - what a counter counted, or the mean of a reading, while a set ran;
 * NaN: unknown.  together_share - which part of the whole time that is of.
 * together_scaled - the one divided by the other. */
double together_value(const struct together *, unsigned column, unsigned set);
double together_share(const struct together *, unsigned column, unsigned set);
double together_scaled(const struct together *, unsigned column, unsigned set);
/* together_left_out_in - how many deltas of a column are left out of a set's sum.
 * together_cycles - the column that always counts an lproc's unhalted cycles; -1: there
 * is none. */
uint32_t together_left_out_in(const struct together *, unsigned column,
    unsigned set);
int32_t together_cycles(const struct together *, unsigned lproc);

#endif
