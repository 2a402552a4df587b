/*
 * postproc/out/long_columns.h - the columns of a Parquet file that has one value in each
 * row.
 */
#ifndef POSTPROC_OUT_LONG_COLUMNS_H
#define POSTPROC_OUT_LONG_COLUMNS_H

#include "config/dump/read.h"
#include "postproc/out/judged.h"

/* The columns of a dump in an order. */
struct long_way {
	unsigned *column;       /* [n] the reader's numbers of the columns */
	uint64_t *index[MAX_INDEX];     /* [n] and their indices */
};

/*
 * The order in which the columns of a dump become rows, chosen so that the columns of the
 * file compress well.  Columns of the same family and event are neighbours, and are
 * sorted so that an index mostly differs by 1 from the one before: box 0 to 27 of package
 * 0, then 27 to 0 of package 1.  Intervals take these columns by turns forward and
 * backward.
 */
struct long_order {
	struct long_way up, down;       /* forward; backward, of each family and event
	                                 * by itself */
	unsigned *same;         /* [n] how many columns from this one on have its family
	                         * and event */
	unsigned n;
};

/* long_order_load - sorts the first n columns, unless they are sorted already.  A zeroed
 * order is empty.  0 or -ENOMEM. */
int long_order_load(struct long_order *, const struct reader *, unsigned n);
void long_order_fini(struct long_order *);

/* What the rows of an interval have in common. */
struct long_interval {
	uint64_t sample;
	double seconds;
	int64_t us;
	bool timed;
	char *job;              /* NULL: none */
};

/* The values of one family and event in n intervals, one interval after the other: `same`
 * values of each, in the order up in even intervals, down in odd ones. */
struct long_values {
	const struct long_interval *interval;   /* [n] */
	unsigned n, same;
	const struct column_id *id;             /* of any of the columns */
	const struct long_order *order;
	unsigned at;                            /* where they begin in the order */
	/* [n * same], as judged_marks gives them */
	const uint64_t *value;
	const uint8_t *mark;
	const double *share;    /* NULL: 1 everywhere */
};

struct long_columns {
	struct parquet *file;
	int time, host, job, sample, seconds, family, event, package, box,
	    lproc, unit, kind, share, value;
	/* most files do not have these: -1 until the first value comes */
	int lprocs, third, fourth, odd, large;
	char host_name[NODE_NAME];
};

/* long_columns_init - adds the columns to a file.  parquet_end reports a failure. */
void long_columns_init(struct long_columns *, struct parquet *file);

/* long_columns_put - writes a row for each value. */
void long_columns_put(struct long_columns *, const struct long_values *);

#endif
