/*
 * postproc/gather/gather_int.h - what a gather adds up; of gather.c and recent.c.
 */
#ifndef POSTPROC_GATHER_GATHER_INT_H
#define POSTPROC_GATHER_GATHER_INT_H

#include "postproc/data/batches.h"
#include "postproc/data/own_time.h"
#include "postproc/data/together.h"
#include "postproc/data/turns.h"
#include "postproc/gather/batch_sums.h"
#include "postproc/gather/gather.h"

#define GATHER_HOOKS 2

struct gather_private {
	unsigned room;          /* of the arrays by column */
	uint64_t *total;        /* counters: good deltas */
	double *unknown_s;      /* how long is left out */
	uint32_t *left_out;     /* deltas */
	uint8_t *doubt;         /* enum na; NA_FOREIGN: it has no value */
	double *reading;        /* readings: their sum, and of how many */
	uint32_t *nreading;
	double *value, *share, *stretch;        /* as struct sums wants them */
	uint32_t *now_left_out;
	uint32_t *of_reading;   /* the columns that are readings */
	unsigned nof_reading;
	unsigned nwatch;        /* samples that had the bit, of how many */
	uint64_t *set, *seen;
	double *bit;
	struct turns turns;
	struct own_time own;
	struct together together;
	struct together now_together;   /* of the interval alone, where the dump
					 * says what that was */
	struct sums sums, interval;
	struct batches batches;
	struct batch_sums without;
	const struct gather *of;        /* it follows this one: gather_follow */
	bool pending;           /* gather.now is not added yet */
	struct shown_columns *columns;  /* those that it has: gather_narrow */
	int wall_s, wall_us;    /* columns of the wall clock; -1: none */
	struct before_columns {         /* gather_before_columns */
		void (*call)(void *);
		void *ctx;
	} before[GATHER_HOOKS];
};

#endif
