/*
 * postproc/metrics/compiled_int.h - compiled formulas, between compile.c, which
 * makes them, and compiled.c, which evaluates them.
 */
#ifndef POSTPROC_METRICS_COMPILED_INT_H
#define POSTPROC_METRICS_COMPILED_INT_H

#include "postproc/metrics/compiled.h"

/* What stands first among the sums: no columns, but of the interval. */
enum { SUM_SECONDS, SUM_WALL, SUM_TSC_HZ, SUM_INTERVALS, SUMS_FIXED };

/* Of what a sum is: counts in just the time of the interval, counts as they
 * are, readings, bits of readings. */
enum sum_of { OF_RATES, OF_TOTALS, OF_READINGS, OF_BITS, SUM_KINDS };

/* An input in a window. */
struct column_sum {
	uint32_t from, to;      /* into compiled.column */
	uint32_t mean_of;       /* it is divided by so many; 0: it is not */
	uint8_t of;             /* enum sum_of */
	bool partial;           /* units that are there lack columns, always */
	uint32_t ref;           /* the input, and */
	struct window window;
	uint32_t next;          /* 1 + the next of its bucket; 0: none */
};

/*
 * One formula: operations as in struct expr_op, of which none is skipped, so that
 * EXPR_REF    arg is a sum
 * EXPR_EACH   folds the last arg values
 * EXPR_FIRST  chooses among the last arg values
 * EXPR_IF     between the last two, by the one before
 */
struct program {
	uint32_t from, to;      /* into compiled.op */
	uint32_t at;            /* of its value in compiled.result */
	bool unknown;           /* no value is ever known */
	bool forgives;          /* a value, though some of its sums have none */
};

/*
 * Programs that are alike but for the sums that they want, evaluated together:
 * an operation for all before the next one.
 */
#define LANES 16                /* so many at a time */
#define FEW 4                   /* fewer: one after the other */
struct alike {
	uint32_t hash;
	uint32_t first;         /* one of them */
	uint32_t n;
	uint32_t refs;          /* into compiled.ref: for each EXPR_REF of it
	                         * the sums of all, in whole LANES */
	uint32_t at;            /* of the first's value in compiled.result */
};

#define SUM_BUCKETS 1024

struct compiled {
	const struct binding *b;
	struct expr_op *op;
	unsigned nop, op_room;
	struct column_sum *sum;
	unsigned nsum, sum_room;
	uint32_t bucket[SUM_BUCKETS];   /* 1 + the first sum; 0: none */
	uint32_t *column;       /* of OF_BITS: watches */
	unsigned ncolumn, column_room;
	struct program *program;
	unsigned nprogram, program_room;
	struct alike *batch;
	unsigned nbatch;
	uint32_t *ref;
	unsigned depth;         /* values that one of them stacks, at most */
	double *stack;          /* [depth * LANES] */
	double *value;          /* [nsum] of the interval */
	double *result;         /* of all programs, by batch, and */
	uint32_t *who;          /* which they are */
	double *rate, *total;   /* [nrate] by column, where they differ from
	                         * what the interval has */
	unsigned nrate;
	unsigned nlacking;      /* sums without a value in this interval */
};

#endif
