/*
 * postproc/data/batches.h - the standard error of an estimate whose events take turns on
 * the counters.
 *
 * A unit is the shortest time in which every set has a turn: an interval, or, where a
 * set's turn is a whole interval, a round of them.  Units are dealt out to BATCHES
 * batches in turn, the first to batch 0, the next to batch 1 and so on: each batch is
 * spread over the whole run, and units of two successive batches are neighbours in time.
 *
 * The error is a delete-a-group jackknife over the batches.  Most of how they differ is
 * that the work changed, which the turns did see.  How much they did not see is told by
 * the counters that always count: the dump has what these counted in the turns of each
 * set, so it is known how much that changes from one unit to the next, and how far it
 * is from what they counted in the whole unit.
 */
#ifndef POSTPROC_DATA_BATCHES_H
#define POSTPROC_DATA_BATCHES_H

#include "postproc/data/together.h"

#define BATCHES 16
#define BATCHES_LEAST 2         /* units: the jackknife leaves out a batch */
#define COUNTS_MORE 2.25        /* see batches_chance */
#define STEPS_LEAST 3           /* values: fewer do not show an error */

struct batches {
	unsigned ncol, room;
	uint32_t *place;        /* [ncol] 1 + the column's index in column[], had[]
				 * and sum[]; 0: it is not there */
	/* the columns of events that take turns, and of their times: */
	unsigned n, n_room;
	uint32_t *column;
	uint64_t *had;          /* [n] their sums when the present unit began */
	double *sum[BATCHES];   /* [n] their sums over the units of a batch */
	/* the same of the elements of together.sum, [nin], and of the time that
	 * each set ran, [nset]: */
	unsigned nset, nin;
	double *in_had, *in_sum[BATCHES];
	double *ran_had, *ran_sum[BATCHES];
	uint32_t units[BATCHES], unit;  /* units of each batch, and of all */
	unsigned intervals;     /* of the present unit so far */
	/* counters of cores that always count; [nalways * nset] of each in the
	 * turns of each set: */
	unsigned nalways, always_room;
	uint32_t *always;       /* [nalways] their slots in struct together */
	double *time_had;       /* the time in together.sum when the unit began */
	double *rate;           /* counts a tick in the unit before this one, or
				 * NaN */
	/* sums of squares over these counters, sets and units; their ratios are
	 * what is used of them: */
	double missed, moved;   /* how far the rate in a set's turns was from that
				 * in the whole unit; how far it moved from the
				 * unit before.  Of the units that have both. */
	double off, whole;      /* as missed, and the rates, of all units */
	double off_now, whole_now;      /* the same of the last unit alone */
};

/*
 * batches_load - takes in those of the first ncol columns that are new since the last
 * call.  Where no events take turns it does nothing.
 *
 * total   [ncol] sums of the columns so far
 *
 * A zeroed struct is empty.  Returns 0 or -ENOMEM.
 */
int batches_load(struct batches *, const struct turns *,
    const struct together *, const struct reader *, unsigned ncol,
    const uint64_t *total);
void batches_fini(struct batches *);
/* batches_afresh - sets all sums to 0; keeps what is known of the error that turns make. */
void batches_afresh(struct batches *);
/* batches_add - counts one more interval, and ends the unit if it is its last.  To be called
 * when all that the interval adds is in total[ncol] and in the sums of together. */
void batches_add(struct batches *, const struct turns *,
    const struct together *, const uint64_t *total);

/* batches_count - how many batches have a unit; 0: too few for an error. */
unsigned batches_count(const struct batches *);
/* batches_sum - what a column's sum has of one batch; 0 for a column without turns.
 * batches_in_set - the same of together.sum[at].
 * batches_ran - how long a set ran in the units of a batch.
 * batches_part - the part of all units that a batch has, 0 to 1. */
double batches_sum(const struct batches *, unsigned column, unsigned batch);
double batches_in_set(const struct batches *, size_t at, unsigned batch);
double batches_ran(const struct batches *, unsigned set, unsigned batch);
double batches_part(const struct batches *, unsigned batch);

/* batches_off - the error that turns make in the value of one unit, as a part of that value:
 * the root mean square over the counters that always count.  NaN: not known. */
double batches_off(const struct batches *);
/*
 * batches_chance - `counts` events were counted in a part (share) of the time: the
 * standard error, by chance alone, of how many they are in all of it.  The variance of n
 * independent counts is n.  COUNTS_MORE is added for few counts: of none, two standard
 * errors are then three counts (the rule of three: the limit of 95 %), and of one or two
 * they are about the limits of a Poisson distribution.
 */
double batches_chance(double counts, double share);
/* batches_add_chance - joins an error by batches_error or batch_step with that by
 * batches_chance; what the former already has of the latter is not added again. */
double batches_add_chance(const struct batches *, double error, double chance);
/* batches_error - the standard error of an estimate; NaN: not known.  less[batches_count]:
 * the same estimate without each batch. */
double batches_error(const struct batches *, double estimate,
    const double *less);

/* How an estimate changed from one unit to the next. */
struct batch_steps {
	double last;            /* the latest estimate */
	double square;          /* mean square of its latest changes */
	uint32_t n;             /* estimates so far */
};

/* batch_step - adds an estimate.  Returns its standard error by how it changed so far; NaN:
 * it is NaN, or there were too few.  A zeroed struct is empty. */
double batch_step(struct batch_steps *, const struct batches *, double value);

#endif
