/*
 * postproc/pages/pair_slope.h - does what contains another figure rise when that
 * does?  Both a second, over times long enough for a meter that lags.
 */
#ifndef POSTPROC_PAGES_PAIR_SLOPE_H
#define POSTPROC_PAGES_PAIR_SLOPE_H

#include <stdbool.h>
#include <stdint.h>

struct pair_slope {
	double seconds, part, whole;    /* of the time that is not full yet */
	unsigned n;
	double x, y, xx, xy;            /* sums over n times, a second */
	double least, most;             /* of the part */
	uint64_t first, last;           /* samples that they are between */
};

/* pair_slope_add - an interval, from sample `before` to `sample`. */
void pair_slope_add(struct pair_slope *, double seconds, double part,
    double whole, uint64_t before, uint64_t sample);

/* pair_slope_flat - the part rose and fell by a quarter of itself at least, and
 * the whole by less than half of that.  slope: how much, of 1. */
bool pair_slope_flat(const struct pair_slope *, double *slope);

#endif
