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
#define BATCHES_LEAST 2         /* units: of fewer none can be left out */
#define COUNTS_MORE 2.25        /* see batches_chance */
#define STEPS_LEAST 3           /* values: of fewer nobody knows an error */

struct batches {
	unsigned ncol, room;    /* by column: */
	uint32_t *place;        /* 1 + its index in the following; 0: none */
	unsigned n, n_room;     /* events that take turns, and their times: */
	uint32_t *column;
	uint64_t *had;          /* [n] their sums up to the present unit */
	double *sum[BATCHES];   /* [n] sums of the units of a batch */
	unsigned nset, nin;     /* the same of together.sum, [nin], and of how */
	double *in_had, *in_sum[BATCHES];       /* long each set ran, [nset] */
	double *ran_had, *ran_sum[BATCHES];
	uint32_t units[BATCHES], unit;  /* how many units a batch has; all have */
	unsigned intervals;     /* of the present unit */
	/* of counters of cores that always count, and of each set: */
	unsigned nalways, always_room;
	uint32_t *always;       /* their slots in struct together */
	double *time_had;       /* [nalways * nset] as in_had: of how long it is */
	double *rate;           /* a tick, in the unit before this one; NaN */
	double missed, moved;   /* mean squares: of the error of a unit that turns make, of
				 * the difference of two units */
	double off, whole;      /* and, of all units: of the former, and of how
				 * fast they counted */
	double off_now, whole_now;      /* the same of the last unit */
};

/*
 * batches_load - of the first ncol columns; cheap where none have come since the last
 * time, and nothing where no events take turns.  total: their sums so far.  A zeroed
 * one is empty.  0 or -ENOMEM.
 */
int batches_load(struct batches *, const struct turns *,
    const struct together *, const struct reader *, unsigned ncol,
    const uint64_t *total);
void batches_fini(struct batches *);
/* batches_afresh - sets all sums to 0; keeps what is known of the turns' errors. */
void batches_afresh(struct batches *);
/* batches_add - after an interval, when all that it adds is in the sums. */
void batches_add(struct batches *, const struct turns *,
    const struct together *, const uint64_t *total);

/* batches_count - how many batches have a unit; 0: too few to tell an error. */
unsigned batches_count(const struct batches *);
/* batches_sum - a column's part of a batch; batches_in_set - of a sum of together;
 * batches_ran - of the time that a set ran; batches_part - of the units. */
double batches_sum(const struct batches *, unsigned column, unsigned batch);
double batches_in_set(const struct batches *, size_t at, unsigned batch);
double batches_ran(const struct batches *, unsigned set, unsigned batch);
double batches_part(const struct batches *, unsigned batch);

/* batches_off - the error of one unit that turns make, as a part of its value: the root
 * mean square over the counters that always count; NaN: not known. */
double batches_off(const struct batches *);
/*
 * batches_chance - the standard error, by chance alone, of what `counts` counts of a
 * part of the time are in all of it.  Of n counts that have nothing to do with one
 * another the variance is n, and of few more: COUNTS_MORE is added, so that of none
 * two standard errors are three counts (the rule of three: the limit of 95 %), and of
 * one or two what the limits of a Poisson distribution are.
 */
double batches_chance(double counts, double share);
/* batches_add_chance - an error that batches or steps told, and chance: what they
 * already have of it is not added again. */
double batches_add_chance(const struct batches *, double error, double chance);
/* batches_error - the standard error of an estimate; less: [batches_count] the estimate
 * without each batch.  NaN: it is not known. */
double batches_error(const struct batches *, double estimate,
    const double *less);

/* What an estimate was so far, from one unit to the next. */
struct batch_steps {
	double last, square;    /* mean of the squares of its steps, of late */
	uint32_t n;
};

/* batch_step - adds an estimate; returns its standard error by the steps so far; NaN: they
 * are too few.  A zeroed struct is empty. */
double batch_step(struct batch_steps *, const struct batches *, double value);

#endif
