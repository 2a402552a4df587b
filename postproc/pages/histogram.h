/*
 * postproc/pages/histogram.h - how much of the time a metric had which value: bins of
 * equal width from 0 on, and what is Low, Medium and High.
 */
#ifndef POSTPROC_PAGES_HISTOGRAM_H
#define POSTPROC_PAGES_HISTOGRAM_H

#include "postproc/pages/tracks.h"

#define HISTOGRAM_MAX_BINS 100
#define HISTOGRAM_BINS 10       /* where nobody asks for another number */

enum load { LOAD_LOW, LOAD_MEDIUM, LOAD_HIGH, LOADS };

/* What may be asked for; NaN: by default, as histogram_sort has it. */
struct histogram_bounds {
	double bins;
	double max, low, high;
};

/* histogram_usual - nothing asked for. */
struct histogram_bounds histogram_usual(void);

struct histogram {
	unsigned bins;
	double max;             /* where the last bin ends; more is in it, too */
	double low, high;       /* Low below, High from it on; NaN: no value is
	                         * above 0 */
	double seconds[HISTOGRAM_MAX_BINS][LOADS];
	double load[LOADS], all;      /* s */
};

/* histogram_sort - the values of a track.  By default the last bin ends with the
 * largest one; below a third of that is Low, from two thirds on High. */
void histogram_sort(struct histogram *, const struct track *,
    const struct histogram_bounds *);

/* histogram_edge - where a bin begins, or the one before it ends.
 * histogram_seconds - that a bin has; histogram_share - % of all of it; NaN: no
 * value.  histogram_bin, histogram_load - of a value. */
double histogram_edge(const struct histogram *, unsigned bin);
double histogram_seconds(const struct histogram *, unsigned bin);
double histogram_share(const struct histogram *, double seconds);
unsigned histogram_bin(const struct histogram *, double value);
enum load histogram_load(const struct histogram *, double value);
const char *load_name(enum load);

#endif
