/*
 * postproc/data/own_time.h - the time between two readings of one block of registers.
 *
 * Samples begin at even intervals, but a block is read sooner or later after that, and
 * has the TSC of that moment, its stamp, beside it.  What its counters counted is of the
 * time between two stamps, not of the interval.
 */
#ifndef POSTPROC_DATA_OWN_TIME_H
#define POSTPROC_DATA_OWN_TIME_H

#include "postproc/data/turns.h"

/* Times are added up for each stamp, and for each event set's part of them; "set" 0 is
 * all of the time, and event set k is number k + 1 here. */
struct own_time {
	unsigned ncol, room;            /* by column: */
	int32_t *stamp;                 /* number of its stamp; -1: it has none */
	uint32_t *set;
	uint32_t *at;                   /* where in ratio[] its own is */
	double *lost_own, *lost_span;   /* s of intervals that are left out of its
					 * sum: of own[] and span[] */
	unsigned nstamp, stamp_room, nset;
	uint32_t *column;               /* [nstamp] of the stamp */
	double *now;                    /* [nstamp] s, in the last interval */
	double *ratio;                  /* [1 + nstamp * nset] own_now by the part of
					 * the interval that the set ran; before
					 * these a 1, of columns without a stamp */
	int32_t *in_set;                /* [nstamp * nset] the column that says how
					 * long a set ran there; -1: there is none */
	double *own;                    /* [nstamp * nset] s by the stamp */
	double *own_now;                /* the same, in the last interval */
	double *span;                   /* [nset] s by the intervals */
	double *part;                   /* [nset] of the last interval, 0 to 1 */
	double *span_now;               /* [nset] span of the last interval alone */
	struct turn_times *turn;        /* [nset] */
};

/*
 * own_time_load - takes in the first ncol columns; cheap where none are new.  turns: the
 * event sets; NULL: they are not told apart.  A zeroed one is empty.  0 or -ENOMEM.
 */
int own_time_load(struct own_time *, struct intervals *, const struct turns *,
    unsigned ncol);
void own_time_fini(struct own_time *);
/* own_time_afresh - sets all sums to 0; the columns stay. */
void own_time_afresh(struct own_time *);

/* own_time_add - adds an interval.  own_time_left_out - after that: takes it out again
 * for one column, whose delta is left out. */
void own_time_add(struct own_time *, struct intervals *,
    const struct interval *);
void own_time_left_out(struct own_time *, const struct interval *,
    unsigned column);

/* own_time_stretch - the time that a column's sum is of by its stamp, divided by what
 * the same intervals took; 1 without a stamp; NaN: its set never ran there.
 * own_time_now - the same in the last interval alone, for the first n columns.
 * own_time_alone - after that, the same as own_time_stretch would have it had the sums begun with that
 * interval: it differs where a set had no turn in it.  Returns the sums of that interval,
 * for own_time_stretch_in.
 * own_time_stretch_in - the same of what a column that always counts counted while an
 * event set ran. */
double own_time_stretch(const struct own_time *, unsigned column);
double own_time_stretch_in(const struct own_time *, unsigned column,
    unsigned set);
void own_time_now(const struct own_time *, const struct interval *,
    double *stretch, unsigned n);
struct own_time own_time_alone(const struct own_time *,
    const struct interval *, double *stretch, unsigned n);

#endif
