/*
 * postproc/metrics/compiled_int.h - compiled formulas, between compile.c, which
 * makes them, and compiled.c and compiled_turns.c, which evaluate them.
 */
#ifndef POSTPROC_METRICS_COMPILED_INT_H
#define POSTPROC_METRICS_COMPILED_INT_H

#include "postproc/metrics/bind_int.h"
#include "postproc/metrics/compiled.h"

/* What stands first among the sums: no columns, but of the interval. */
enum { SUM_SECONDS, SUM_WALL, SUM_TSC_HZ, SUM_INTERVALS, SUMS_FIXED };

/* Of what a sum is: counts in just the time of the interval, counts as they
 * are, readings, bits of readings.  OF_PART: it is no sum of columns but a part of
 * formulas, which is evaluated once for all that have it. */
enum sum_of { OF_RATES, OF_TOTALS, OF_READINGS, OF_BITS, SUM_KINDS,
	OF_PART = SUM_KINDS };

struct sum_columns {
	uint32_t *at;
	unsigned n, room;
};

/* An input in a window, or a part. */
struct column_sum {
	uint32_t from, to;      /* into compiled.column.at, of a part into
	                         * compiled.part */
	uint32_t each;          /* columns of a unit; 0: they differ */
	uint32_t mean_of;       /* it is divided by so many; 0: it is not */
	uint8_t of;             /* enum sum_of */
	bool partial;           /* units that are there lack columns, always */
	bool lacks;             /* it has no value in this interval, or a part
	                         * takes one that has none */
	uint32_t ref;           /* the input (of a part: its hash), and */
	struct window window;
	uint32_t next;          /* 1 + the next of its bucket; 0: none */
};

/* One formula: operations of struct expr_op, in which the argument of an EXPR_REF
 * is a sum, and folds stand as EXPR_FOLD. */
struct program {
	uint32_t from, to;      /* into compiled.op */
	unsigned bound;         /* of the binding */
	bool unknown;           /* no value is ever known */
	bool forgives;          /* a value, though some of its sums have none */
};

#define SUM_BUCKETS 1024
#define PART_BUCKETS 8192

/* What is kept of an interval until as many are there as are evaluated at once. */
struct kept_sums {
	struct sums sums;       /* its arrays are these: */
	double *value, *share, *stretch, *bit;
	double *rate;           /* value in just the time of the interval */
};

struct compiled {
	const struct binding *b;
	struct expr_op *op;
	unsigned nop, op_room;
	struct column_sum *sum;
	unsigned nsum, sum_room;
	uint32_t bucket[SUM_BUCKETS];   /* 1 + the first sum; 0: none */
	uint32_t part_bucket[PART_BUCKETS];
	struct expr_op *part;   /* the operations of parts */
	unsigned npart, part_room;
	struct sum_columns column;  /* of sums; of OF_BITS: watches */
	struct sum_columns index;   /* of each, where it is in its input */
	struct sum_columns partly;  /* of units that lack others */
	struct program *program;
	unsigned nprogram, program_room;
	double *value;          /* [nsum][EXPR_LANES] */
	double *result;         /* [COMPILED_FIRST + nprogram][EXPR_LANES] */
	double *rate, *total;   /* [nrate] by column, where they differ from
	                         * what the interval has */
	unsigned nrate, nbit;   /* columns, watches */
	uint32_t *used[SUM_KINDS];      /* those that some sum is of, and */
	unsigned nused[SUM_KINDS];      /* how many */
	unsigned nlacking;      /* sums without a value in this interval */
	struct turned *turned;  /* of events that took turns; NULL: none so far */
	bool in_turns;          /* it has the values of this stretch */
	/* intervals that are evaluated at once */
	struct kept_sums *kept;      /* [EXPR_LANES]; NULL: none so far */
	unsigned nkept;
	double *lanes[SUM_KINDS];       /* [nrate or nbit][EXPR_LANES] of those
	                         * that are used: what sums are of */
	double *room;           /* for all of these */
};

/*
 * compiled_turns.c: a stretch in which events took turns, as binding_eval takes it.
 * turned_take - all formulas, once what is no sum of columns is there.  0 or
 * -ENOMEM.
 * turned_knows - has one all that it asks for?
 */
int turned_take(struct compiled *, const struct sums *);
bool turned_knows(const struct compiled *, unsigned program);
void turned_free(struct turned *);

#endif
