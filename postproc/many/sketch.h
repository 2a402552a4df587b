/*
 * postproc/many/sketch.h - quantiles of many values in little memory.
 *
 * Values are counted in buckets.  A bucket is as wide as 1/64 of the power of two below
 * its values, so a quantile is wrong by at most 1/128 of itself (0.8 %).  The sum of
 * sketches is the same in whatever order and groups they are added.
 */
#ifndef POSTPROC_MANY_SKETCH_H
#define POSTPROC_MANY_SKETCH_H

#include <stdbool.h>
#include <stdint.h>

struct sketch_bucket {
	int32_t at;             /* number of the bucket, in the order of the values; 0
	                         * is that of the value 0 */
	uint64_t n;
};

/* A zeroed sketch is empty. */
struct sketch {
	struct sketch_bucket *bucket;
	unsigned n, room;
	uint64_t count;
	double least, most;     /* exact */
};

/* sketch_add - adds a value, neither NaN nor infinite.
 * sketch_count - adds n values of one bucket.
 * sketch_merge - adds all of another sketch.
 * 0; -ENOMEM; -ERANGE: there is no such bucket, or its count is too large. */
int sketch_add(struct sketch *, double value);
int sketch_count(struct sketch *, int32_t at, uint64_t n);
int sketch_merge(struct sketch *, const struct sketch *);

/* sketch_quantile - the value that the part q (0 to 1) of all values does not exceed;
 * NaN: there are none. */
double sketch_quantile(const struct sketch *, double q);

/* sketch_clear - forgets all values; sketch_fini - frees the memory, too. */
void sketch_clear(struct sketch *);
void sketch_fini(struct sketch *);

#endif
