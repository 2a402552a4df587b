/*
 * postproc/out/long_columns.h - the columns of a Parquet file of one value a row.
 */
#ifndef POSTPROC_OUT_LONG_COLUMNS_H
#define POSTPROC_OUT_LONG_COLUMNS_H

#include "postproc/out/judged.h"
#include "postproc/out/long_order.h"

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
