/*
 * postproc/formula/compiled_int.h - compiled formulas, between compile.c, which
 * makes them, and compiled.c and compiled_turns.c, which evaluate them.
 */
#ifndef POSTPROC_FORMULA_COMPILED_INT_H
#define POSTPROC_FORMULA_COMPILED_INT_H

#include "postproc/formula/bind_int.h"
#include "postproc/formula/compiled.h"

/* The first sums are not of columns: they are numbers of the interval. */
enum { SUM_SECONDS, SUM_WALL, SUM_TSC_HZ, SUM_INTERVALS, SUMS_FIXED };

/* What a sum is of: counts scaled to the time of the interval (for rates), counts as
 * they are, readings, bits of readings.  OF_PART: it is not of columns, but the value of a part
 * that several formulas share, which is evaluated once. */
enum sum_of { OF_RATES, OF_TOTALS, OF_READINGS, OF_BITS, SUM_KINDS,
	OF_PART = SUM_KINDS };

struct sum_columns {
	uint32_t *at;
	unsigned n, room;
};

/* The sum of an input in a window, or a part of formulas. */
struct column_sum {
	uint32_t from, to;      /* its columns in compiled.column; of a part its
	                         * operations in compiled.part */
	uint32_t each;          /* columns of a unit; 0: units differ */
	uint32_t mean_of;       /* the sum is divided by that; 0: it is not */
	uint8_t of;             /* enum sum_of */
	bool partial;           /* some unit that is there never has all columns */
	bool lacks;             /* it has no value in this interval; a part: it
	                         * uses a sum that has none */
	uint32_t level;         /* of a part: 1 more than those that it uses */
	uint32_t ref;           /* the input; of a part a hash */
	struct window window;
	uint32_t next;          /* 1 + the next sum of the same bucket; 0: none */
};

/* A formula: operations in which the argument of an EXPR_REF is the number of a sum, and
 * EXPR_EACH has become EXPR_FOLD. */
struct program {
	uint32_t from, to;      /* its operations in compiled.op */
	unsigned bound;         /* its number in the binding */
	bool unknown;           /* it never has a value here */
	bool forgives;          /* it can have a value though some sums have none */
};

#define SUM_BUCKETS 1024
#define PART_BUCKETS 8192

/* Columns that stand side by side. */
struct column_run {
	uint32_t from, to;
};

/* The copy of an interval, which is kept until EXPR_LANES can be evaluated at once. */
struct kept_sums {
	struct sums sums;       /* it points to these arrays, of which the columns
	                         * compiled.run are set: */
	double *value, *share, *stretch, *bit;
};

struct compiled {
	const struct binding *b;
	struct expr_op *op;
	unsigned nop, op_room;
	struct column_sum *sum;
	unsigned nsum, sum_room;
	/* hash tables of sums and of parts: 1 + the first one; 0: none */
	uint32_t bucket[SUM_BUCKETS];
	uint32_t part_bucket[PART_BUCKETS];
	struct expr_op *part;   /* the operations of parts */
	unsigned npart, part_room;
	struct sum_columns column;  /* the columns of sums; OF_BITS: watches */
	struct sum_columns index;   /* where each of them is in its input */
	struct sum_columns partly;  /* columns of units that lack other columns */
	struct program *program;
	unsigned nprogram, program_room;
	/* [nsum - SUMS_FIXED] the sums by level: those of a level need only lower ones;
	 * [nlevel] where each level ends in it */
	uint32_t *order, *level_end;
	uint32_t nlevel;
	double *value;          /* [nsum][EXPR_LANES] */
	double *result;         /* [COMPILED_FIRST + nprogram][EXPR_LANES] */
	unsigned nrate, nbit;   /* numbers of columns, and of watches */
	/* the columns (or watches) that some sum is of */
	uint32_t *used[SUM_KINDS];
	unsigned nused[SUM_KINDS];
	/* a column that was not steady when it was last looked for one: number `at` of
	 * used[of] */
	struct { unsigned of, at; } unsteady;
	unsigned nlacking;      /* sums that have no value in this interval */
	struct turned *turned;  /* for events that take turns; NULL: none so far */
	bool in_turns;          /* values of this stretch are in `turned` */
	/* intervals that are evaluated at once */
	struct kept_sums *kept;      /* [EXPR_LANES]; NULL: none so far */
	unsigned nkept;
	struct column_run *run; /* the columns that their formulas may ask for */
	unsigned nrun, run_room;
	double *lanes[SUM_KINDS];       /* [nrate or nbit][EXPR_LANES] the values that
	                         * are summed, of columns that are used */
	double *stack;          /* [CREW_MOST][EXPR_LANES_STACK] for each thread */
	double *room;           /* the memory of these arrays */
};

/*
 * compiled_turns.c: a stretch in which events took turns.
 * turned_take - evaluate all formulas; the sums that are not of columns have to be set.
 * 0 or -ENOMEM.
 * turned_knows - did a formula have all that it needs?
 */
int turned_take(struct compiled *, const struct sums *);
bool turned_knows(const struct compiled *, unsigned program);
void turned_free(struct turned *);

#endif
