/*
 * postproc/out/long_block.h - rows of one value each on their way to the columns of
 * a Parquet file.
 */
#ifndef POSTPROC_OUT_LONG_BLOCK_H
#define POSTPROC_OUT_LONG_BLOCK_H

#include "postproc/out/judged.h"
#include "postproc/out/long_order.h"

#define BLOCK_ROWS 1024         /* that go to the columns in one go */

/* What all values of an interval have in common; and those. */
struct long_interval {
	uint64_t sample;
	double seconds;
	int64_t us;
	bool timed;
	char *job;              /* NULL: none */
	/* as judged_marks gives them, in the order of */
	const struct long_way *way;
	uint64_t *value;
	uint8_t *mark;
	double *share;          /* if parted; else all are of the whole interval */
	bool parted;
};

/* Rows of columns of one family and event. */
struct long_block {
	struct parquet *file;
	int time, host, job, sample, seconds, family, event, package, box,
	    lproc, unit, kind, share, value;
	/* most dumps have no use for these: -1 until there is one */
	int lprocs, third, fourth, odd, large;
	char host_name[NODE_NAME];
	const struct reader *reader;
	const struct column_id *id;     /* of the first one */
	unsigned n;
	uint64_t index_of[MAX_INDEX][BLOCK_ROWS];
	uint64_t value_of[BLOCK_ROWS];
	uint8_t mark[BLOCK_ROWS];
	bool parted;            /* is any interval of the row group? */
	double share_of[BLOCK_ROWS];    /* if so */
	bool none[BLOCK_ROWS];
};

/* long_block_init - columns of a file; a failure is parquet_end's. */
void long_block_init(struct long_block *, struct parquet *file);

/* long_block_add - n values of an interval, which are of one family and event. */
void long_block_add(struct long_block *, const struct long_interval *,
    unsigned at, unsigned n);

/* long_block_put - to the file; rows of another event may come. */
void long_block_put(struct long_block *);

#endif
