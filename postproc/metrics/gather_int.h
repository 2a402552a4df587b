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

/* The sums of a run without each of its batches in turn: an estimate from them shows
 * what it would be without these turns.  Counters that always count are in them whole;
 * of events that take turns one batch is missing, and so is the time of that batch. */
struct batch_sums {
	struct sums sums[BATCHES];
	unsigned room, in_room; /* columns; sums that together has by set */
	double *value, *share;  /* [BATCHES * room] */
	double *in_set, *running;       /* [BATCHES * in_room], of sets */
};

void batch_sums_fini(struct batch_sums *);

#define GATHER_HOOKS 2

/* What is added up, interval by interval. */
struct gather_private {
	/* by column: */
	unsigned room;
	uint64_t *total;        /* of counters: the good deltas */
	double *unknown_s;      /* s of the intervals that are left out */
	uint32_t *left_out;     /* how many these are */
	uint8_t *doubt;         /* enum na: why; NA_FOREIGN: it has no value */
	double *reading;        /* of readings: the sum of their values, */
	uint32_t *nreading;     /* and of how many samples */
	double *value, *share, *stretch;        /* as struct sums has them */
	uint32_t *now_left_out; /* of the present interval: 1 or 0 */
	uint32_t *of_reading;   /* [nof_reading] the columns that are readings */
	unsigned nof_reading;
	/* by watch of the binding, a bit of a status register: */
	unsigned nwatch;
	uint64_t *set, *seen;   /* samples that had it set, of how many */
	double *bit;            /* set / seen, or of the present sample: 0, 1 */

	struct turns turns;
	struct own_time own;
	struct together together;
	struct together now_together;   /* of the present interval alone, where
					 * the dump has counts by set */
	struct sums sums, interval;     /* all intervals; the present one */
	struct sums alone;      /* see gather_alone */
	bool alone_made;        /* they are of gather.now */
	bool impossible;        /* some reading of gather.now is */
	struct batches one;     /* batches, of one unit */
	struct gather *apart;   /* for intervals that lack deltas; NULL: none so
				 * far */
	uint64_t number;        /* sums.number of the last sums that were made */
	bool evaluated;         /* `interval` is of gather.now */
	bool settled;           /* these are sums, and nothing was added since */
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

/* gather_take_columns - takes in the columns that are new since the last time; 0 or
 * -ENOMEM.  gather_wall - the wall clock of a row of n columns, s since 1970; 0: the
 * row has none. */
int gather_take_columns(struct gather *);
double gather_wall(const struct gather *, const uint64_t *value, unsigned n);
/* gather_number - the number of sums that are made now; those behind it are for
 * `without`. */
uint64_t gather_number(struct gather_private *);

#endif
