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
	bool parts;             /* the dump has columns that say what a counter
				 * counted in one set's turns: see turns_in_set */
	/* by column: */
	unsigned ncol, col_room;
	uint32_t *slot;         /* 1 + its slot; 0: it has none */
	uint32_t *is_part;      /* 1 + the index of sum[] that a column with a
				 * count in one set's turns adds to; 0: another
				 * column */
	uint32_t *part_column;  /* [nparts] the columns where is_part is not 0 */
	unsigned nparts, parts_room;
	/* by lproc: */
	unsigned nlproc;
	int32_t *cycles;        /* the column of its unhalted cycles; -1: none */
	/* by slot, one for each column that always counts: */
	unsigned n, room;
	uint32_t *column;
	bool *counter;          /* false: it is a reading */
	bool *by_parts;         /* by_part is set for all event sets */
	uint32_t *alone;        /* [nalone] the slots of counters without by_parts */
	unsigned nalone;
	/* by slot and set, [slot * nset + set]: */
	bool *by_part;          /* the dump has a column with this count; else it is
				 * the delta times the set's part of the interval */
	double *sum;            /* of a counter's deltas, or of a reading's values */
	double *lost;           /* of a counter: how long the set ran in intervals
	                         * whose delta is left out; of a reading: how many
	                         * values sum has */
	uint32_t *left_out;     /* of a counter: deltas left out */
	/* by set, [nset]: */
	double *part;           /* the part of the last interval that it ran */
	double *now, *ran;      /* how long it ran in the last interval, and in all
				 * intervals; in the dump's unit, as `lost` */
	bool *mixed;            /* it has shared an interval with another set */
	/* set by together_settle: how long it ran, how long it was enabled, and the
	 * part of the time (0 to 1) for which that is known */
	double *running, *enabled, *known;
};

/*
 * together_load - takes in those of the first ncol columns that are new since the last
 * call.  Where no sets take turns it does nothing.  Slow columns are passed over, as nobody
 * knows in which set's turn they counted what.  intervals: how many were added so far.  A
 * zeroed struct is empty.  Returns 0 or -ENOMEM.
 */
int together_load(struct together *, const struct turns *,
    const struct reader *, unsigned ncol, uint64_t intervals);
void together_fini(struct together *);
/* together_afresh - sets all sums to 0; the columns stay. */
void together_afresh(struct together *);

/*
 * together_add - adds an interval: each counter's delta to the sums of the set that ran; where
 * several ran, each gets as much of it as it had of the interval.
 *
 * To be called after it, for this interval:
 * together_left_out - takes the delta of one column out of the sums again.
 * together_read - adds the value of a reading.
 */
void together_add(struct together *, const struct turns *,
    const struct interval *);
void together_left_out(struct together *, unsigned column,
    const struct interval *);
void together_read(struct together *, unsigned column, double value);

/*
 * These replace together_add where only a part of an interval is to be added:
 *
 * together_turn   comes first: takes which sets ran in the interval; `seconds` is how much
 *                 of it is added
 * together_count  adds `value`, the part of a counter's delta; once for each counter
 * together_lose   says instead that a counter has no delta
 */
void together_turn(struct together *, const struct turns *,
    const struct interval *, double seconds);
void together_count(struct together *, unsigned column, double value);
void together_lose(struct together *, unsigned column);

/* together_settle - to be called when all is added, before the functions below: takes how
 * long the sets ran from the totals of their columns.  share: by column, the part of the
 * time (0 to 1) for which its total is known.
 * together_settle_by_hand - the same after together_turn: `seconds` is the sum of the
 * seconds that were added. */
void together_settle(struct together *, const struct turns *,
    const uint64_t *total, const double *share);
void together_settle_by_hand(struct together *, double seconds);
/* together_has - does a column have sums by set?
 * together_guesses - is one of these sums only an estimate, as its set shared intervals with
 * others? */
bool together_has(const struct together *, unsigned column);
bool together_guesses(const struct together *, unsigned column);
/* together_value - what a counter counted, or the mean of a reading, while a set ran; NaN:
 * unknown.
 * together_share - the part of all time, 0 to 1, that together_value is of.
 * together_scaled - together_value / together_share: an estimate for all of the time. */
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
