/*
 * postproc/out/long_columns.h - the columns of a Parquet file of one value a row.
 */
#ifndef POSTPROC_OUT_LONG_COLUMNS_H
#define POSTPROC_OUT_LONG_COLUMNS_H

#include "config/dump/read.h"
#include "postproc/out/judged.h"

/* ORDER */
/* One way through those of a family and event, or back. */
struct long_way {
	unsigned *column;       /* [n] the reader's numbers, */
	uint64_t *index[MAX_INDEX];     /* [n] of each, and its indices */
};

struct long_order {
	struct long_way up, down;
	unsigned *same;         /* [n] how many from there on are of one family
	                         * and event */
	unsigned n;
};

/* long_order_load - of the first n columns; cheap where that is as many as before.
 * A zeroed one is empty.  0 or -ENOMEM. */
int long_order_load(struct long_order *, const struct reader *, unsigned n);
void long_order_fini(struct long_order *);

/* What all values of an interval have in common. */
struct long_interval {
	uint64_t sample;
	double seconds;
	int64_t us;
	bool timed;
	char *job;              /* NULL: none */
};

/* What a family and event have in some intervals: `same` values of each, one
 * interval behind the other, up and down by turns. */
struct long_values {
	const struct long_interval *interval;   /* [n] */
	unsigned n, same;
	const struct column_id *id;             /* of one of them */
	const struct long_order *order;
	unsigned at;                            /* their place there */
	/* [n * same], as judged_marks gives them */
	const uint64_t *value;
	const uint8_t *mark;
	const double *share;    /* NULL: all are of the whole interval */
};

struct long_columns {
	struct parquet *file;
	int time, host, job, sample, seconds, family, event, package, box,
	    lproc, unit, kind, share, value;
	/* most dumps have no use for these: -1 until there is one */
	int lprocs, third, fourth, odd, large;
	char host_name[NODE_NAME];
};

/* long_columns_init - of a file; a failure is parquet_end's. */
void long_columns_init(struct long_columns *, struct parquet *file);

/* long_columns_put - a row each. */
void long_columns_put(struct long_columns *, const struct long_values *);

#endif
