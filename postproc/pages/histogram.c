/*
 * postproc/pages/histogram.c - how much of the time a metric had which value.
 */
#include "postproc/pages/histogram.h"

#include <math.h>

struct histogram_bounds
histogram_usual(void)
{
	return (struct histogram_bounds){ .bins = HISTOGRAM_BINS, .max = NAN,
	    .low = NAN, .high = NAN };
}

const char *
load_name(enum load l)
{
	static const char *const name[LOADS] = { "Low", "Medium", "High" };

	return name[l];
}

/* Where Medium or High begins: as asked, or a part of the last bin's end; NaN: nowhere,
 * since there is none above 0. */
static double
threshold(double asked, double max, unsigned thirds)
{
	return !isnan(asked) ? asked : max > 0 ? max * thirds / 3 : (double)NAN;
}

enum load
histogram_load(const struct histogram *h, double v)
{
	return v >= h->high ? LOAD_HIGH : v >= h->low ? LOAD_MEDIUM :
	    LOAD_LOW;
}

unsigned
histogram_bin(const struct histogram *h, double v)
{
	double b = h->max > 0 ? floor(v / h->max * h->bins) : 0;

	return b < 0 ? 0 : b >= h->bins ? h->bins - 1 : (unsigned)b;
}

void
histogram_sort(struct histogram *h, const struct track *t,
    const struct histogram_bounds *ask)
{
	double max = 0;

	for (unsigned i = 0; i < t->n; i++)
		max = t->value[i].value > max ? t->value[i].value : max;
	*h = (struct histogram){ .max = isnan(ask->max) ? max : ask->max };
	h->low = threshold(ask->low, h->max, 1);
	h->high = threshold(ask->high, h->max, 2);
	h->bins = h->max > 0 ? (unsigned)ask->bins : 1;
	for (unsigned i = 0; i < t->n; i++) {
		double v = t->value[i].value, seconds = t->value[i].seconds;
		enum load l = histogram_load(h, v);

		h->seconds[histogram_bin(h, v)][l] += seconds;
		h->load[l] += seconds;
		h->all += seconds;
	}
}

double
histogram_edge(const struct histogram *h, unsigned bin)
{
	return h->max * bin / h->bins;
}

double
histogram_seconds(const struct histogram *h, unsigned bin)
{
	double sum = 0;

	for (enum load l = 0; l < LOADS; l++)
		sum += h->seconds[bin][l];
	return sum;
}

double
histogram_share(const struct histogram *h, double seconds)
{
	return h->all > 0 ? 100 * seconds / h->all : (double)NAN;
}
