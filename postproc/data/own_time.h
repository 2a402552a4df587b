/*
 * postproc/data/own_time.h - the time between two readings of one block of registers.
 *
 * Samples begin at even intervals, but a block is read when its turn comes, now
 * sooner, now later, and has the TSC of that moment beside it.  What its counters
 * counted is of the time between two of these, not of the interval.
 */
#ifndef POSTPROC_DATA_OWN_TIME_H
#define POSTPROC_DATA_OWN_TIME_H

#include "postproc/data/turns.h"

/* Times are kept for each stamp, and of each the part in which an event set
 * ran; set 0 is all of the time. */
struct own_time {
	unsigned ncol, room;            /* by column: */
	int32_t *stamp;                 /* which it is; -1: it has none */
	uint32_t *set;
	double *lost_own, *lost_span;   /* s that its sum is not of */
	unsigned nstamp, stamp_room, nset;
	uint32_t *column;               /* [nstamp] of the stamps */
	double *now;                    /* [nstamp] s, of the last interval */
	double *ratio;                  /* [nstamp] of that and the interval's */
	int32_t *in_set;                /* [nstamp * nset] columns: how long a
					 * set ran there; -1: that is not known */
	double *own;                    /* [nstamp * nset] s */
	double *own_now;                /* the same, of the last interval */
	double *span;                   /* [nset] s, by the intervals */
	double *part;                   /* [nset] of the last interval, 0..1 */
	struct turn_times *turn;        /* [nset] */
};

/*
 * own_time_load - of the first ncol columns; cheap where none have come since
 * the last time.  turns: sets to be told apart; NULL: none.  A zeroed one is
 * empty.  0 or -ENOMEM.
 */
int own_time_load(struct own_time *, struct intervals *, const struct turns *,
    unsigned ncol);
void own_time_fini(struct own_time *);
/* own_time_afresh - from now on, of the same columns. */
void own_time_afresh(struct own_time *);

/* own_time_add - one interval more.  own_time_left_out - after that: it is not
 * in the sum of this column. */
void own_time_add(struct own_time *, struct intervals *,
    const struct interval *);
void own_time_left_out(struct own_time *, const struct interval *,
    unsigned column);

/* own_time_stretch - the time that a column's sum is of, by what the same
 * intervals took; 1 without a stamp.  own_time_now - of the last one alone, of the
 * first n columns.  own_time_stretch_in - of what a column that always counts
 * counted while an event set ran, though the column's own set is 0. */
double own_time_stretch(const struct own_time *, unsigned column);
double own_time_stretch_in(const struct own_time *, unsigned column,
    unsigned set);
void own_time_now(const struct own_time *, const struct interval *,
    double *stretch, unsigned n);

#endif
