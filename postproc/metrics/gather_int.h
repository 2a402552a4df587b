/*
 * postproc/metrics/gather_int.h - what a gather adds up, for the files of this
 * room alone.
 */
#ifndef POSTPROC_METRICS_GATHER_INT_H
#define POSTPROC_METRICS_GATHER_INT_H

#include "postproc/data/batches.h"
#include "postproc/data/own_time.h"
#include "postproc/data/together.h"
#include "postproc/data/turns.h"
#include "postproc/metrics/gather.h"

/* The sums of a run without each of its batches in turn: an estimate from them is what it
 * would be without the turns of that batch.  Of counters that always count they have
 * everything; of events that take turns they lack one batch, both its counts and its time. */
struct batch_sums {
	struct sums sums[BATCHES];
	unsigned room;          /* columns that there is room for */
	unsigned in_room;       /* elements of together.sum that there is room for */
	double *value, *share;  /* [BATCHES * room] */
	double *in_set, *running;       /* [BATCHES * in_room], of sets */
};

void batch_sums_fini(struct batch_sums *);

#define GATHER_HOOKS 2

/* What is added up, interval by interval. */
struct gather_private {
	/* by column: */
	unsigned room;
	uint64_t *total;        /* of counters: the sum of the good deltas */
	double *unknown_s;      /* s of the intervals that are left out */
	uint32_t *left_out;     /* how many these are */
	uint8_t *doubt;         /* enum na: why; NA_FOREIGN: it has no value */
	double *reading;        /* of readings: the sum of their values */
	uint32_t *nreading;     /* of readings: how many values that is */
	double *value, *share, *stretch;        /* as in struct sums */
	uint32_t *now_left_out; /* 1: the present interval is left out; else 0 */
	uint32_t *of_reading;   /* [nof_reading] the columns that are readings */
	unsigned nof_reading;
	/* by watch of the binding, a bit of a status register: */
	unsigned nwatch;
	uint64_t *set, *seen;   /* samples that had it set; that had a value at all */
	double *bit;            /* set / seen; or, of the present sample, 0 or 1 */

	struct turns turns;
	struct own_time own;
	struct together together;
	struct together now_together;   /* of the present interval alone, where
					 * the dump has counts by set */
	struct sums sums, interval;     /* all intervals; the present one */
	struct sums alone;      /* see gather_alone */
	bool alone_made;        /* alone is of gather.now */
	bool impossible;        /* some reading of gather.now is impossible */
	struct batches one;     /* for alone: a copy of batches that has one unit */
	struct gather *apart;   /* adds up an interval that lacks deltas, for alone;
				 * NULL: there was none so far */
	uint64_t number;        /* sums.number of the last sums that were made */
	bool evaluated;         /* `interval` is of gather.now */
	bool settled;           /* sums is up to date: nothing was added since */
	struct batches batches;
	struct batch_sums without;
	const struct gather *of;        /* it follows this one: gather_follow */
	bool pending;           /* gather.now is not added yet */
	struct shown_columns *columns;  /* the only ones that gather_narrow left */
	int wall_s, wall_us;    /* columns of the wall clock; -1: none */
	struct before_columns {         /* gather_before_columns */
		void (*call)(void *);
		void *ctx;
	} before[GATHER_HOOKS];
};

/* gather_take_columns - takes in the columns that are new since the last call.  Returns 0 or
 * -ENOMEM.
 * gather_wall - the wall clock of a row of n columns, s since 1970; 0: the row has none. */
int gather_take_columns(struct gather *);
double gather_wall(const struct gather *, const uint64_t *value, unsigned n);
/* gather_number - a new number for sums that are made now.  The numbers that follow it, up to
 * the next one returned, are for their `without`. */
uint64_t gather_number(struct gather_private *);

#endif
