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

/* Times, in s, are added up for each stamp and set.  Here set 0 is all of the time, and event
 * set k is set k + 1.  A pair of stamp and set has the index stamp * nset + set. */
struct own_time {
	/* by column: */
	unsigned ncol, room;
	int32_t *stamp;                 /* number of its stamp; -1: it has none */
	uint32_t *set;
	uint32_t *at;                   /* which element of ratio[] is its own */
	double *lost_own, *lost_span;   /* what own[] and span[] have of intervals
					 * that are left out of its sum */
	unsigned nstamp, stamp_room, nset;
	uint32_t *column;               /* [nstamp] which column is the stamp */
	double *now;                    /* [nstamp] the last interval by the stamp */
	double *ratio;                  /* [1 + nstamp * nset] stretch in the last
					 * interval; ratio[0] is 1, for columns
					 * without a stamp */
	int32_t *in_set;                /* [nstamp * nset] the column that says how
					 * long a set ran in the stamp's block; -1:
					 * there is none */
	double *own;                    /* [nstamp * nset] all time, by the stamp */
	double *own_now;                /* the same, in the last interval */
	double *span;                   /* [nset] all time, by the intervals */
	double *part;                   /* [nset] the part of the last interval that
					 * the set ran, 0 to 1 */
	double *span_now;               /* [nset] span of the last interval alone */
	struct turn_times *turn;        /* [nset] */
};

/*
 * own_time_load - takes in those of the first ncol columns that are new since the last
 * call.  turns: the event sets; NULL: they are not told apart.  A zeroed struct is empty.
 * Returns 0 or -ENOMEM.
 */
int own_time_load(struct own_time *, struct intervals *, const struct turns *,
    unsigned ncol);
void own_time_fini(struct own_time *);
/* own_time_afresh - sets all sums to 0; the columns stay. */
void own_time_afresh(struct own_time *);

/* own_time_add - adds an interval.
 * own_time_left_out - takes the interval that was added last out again for one column,
 * whose delta is left out. */
void own_time_add(struct own_time *, struct intervals *,
    const struct interval *);
void own_time_left_out(struct own_time *, const struct interval *,
    unsigned column);

/*
 * own_time_stretch - a column's stretch: how long its sum was counted by its stamp, divided
 * by how long the same intervals were.  1: it has no stamp; NaN: its set never ran in the
 * stamp's block.
 *
 * own_time_stretch_in - the stretch of what a column that always counts counted while
 * event set `set` ran.
 *
 * own_time_now - the stretch of the first n columns in the last interval alone, into
 * stretch[n]; of a set that had no turn in it, that of the whole interval.
 *
 * own_time_alone - to be called after own_time_now: corrects stretch[n] to what
 * own_time_stretch would return if the sums had begun with the last interval, which differs
 * where a set had no turn in it.  Returns the sums of that interval, for
 * own_time_stretch_in.
 */
double own_time_stretch(const struct own_time *, unsigned column);
double own_time_stretch_in(const struct own_time *, unsigned column,
    unsigned set);
void own_time_now(const struct own_time *, const struct interval *,
    double *stretch, unsigned n);
struct own_time own_time_alone(const struct own_time *,
    const struct interval *, double *stretch, unsigned n);

#endif
