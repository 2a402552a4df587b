/*
 * postproc/many/sketch.h - the quantiles of many values, in little memory.
 *
 * A value is counted in a bucket that is a 64th of the power of two below it wide:
 * a quantile is wrong by at most 1/128 of itself, 0.8 %.  Buckets are counted, so
 * that sketches add up to the same, in whatever order and groups.
 */
#ifndef POSTPROC_MANY_SKETCH_H
#define POSTPROC_MANY_SKETCH_H

#include <stdbool.h>
#include <stdint.h>

struct sketch_bucket {
	int32_t at;             /* ascending as the values are; 0: of zero */
	uint64_t n;
};

/* A zeroed sketch is empty. */
struct sketch {
	struct sketch_bucket *bucket;
	unsigned n, room;
	uint64_t count;
	double least, most;     /* exact */
};

/* sketch_add - a value, that is no NaN and not infinite; sketch_count - so many
 * of one bucket; sketch_merge - all of another one.  0, or -ENOMEM; -ERANGE: there
 * is no such bucket, or more are in it than can be counted. */
int sketch_add(struct sketch *, double value);
int sketch_count(struct sketch *, int32_t at, uint64_t n);
int sketch_merge(struct sketch *, const struct sketch *);

/* sketch_quantile - the value that the part q of all, 0..1, does not exceed; of
 * none NaN. */
double sketch_quantile(const struct sketch *, double q);

/* sketch_clear - of nothing again; sketch_fini - its memory, too. */
void sketch_clear(struct sketch *);
void sketch_fini(struct sketch *);

#endif
