/*
 * postproc/metrics/statistics.c - tests for chance: which nodes are far from the median
 * (median absolute deviation), and whether the values of two runs differ (rank-sum test;
 * Benjamini and Hochberg for many figures).
 */
#include "postproc/metrics/statistics.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "lib/array.h"

#define MOST 1000.0             /* the greatest score */

void
spread_of(struct spread *s, double *value, unsigned n, double *scratch)
{
	*s = (struct spread){ n, NAN, NAN, NAN, NAN };
	if (n == 0)
		return;
	order_doubles(value, n);
	s->least = value[0];
	s->median = order_median(value, n);
	s->most = value[n - 1];
	for (unsigned i = 0; i < n; i++)
		scratch[i] = fabs(value[i] - s->median);
	order_doubles(scratch, n);
	s->far = fmax(SPREAD_FAR * 1.4826 * order_median(scratch, n),
	    0.05 * fabs(s->median));
}

double
spread_score(const struct spread *s, double value)
{
	double d = fabs(value - s->median);

	if (s->n < SPREAD_LEAST || isnan(d))
		return NAN;
	return d > 0 ? fmin(MOST, d / s->far * SPREAD_FAR) : 0;
}

/* ---- two runs ------------------------------------------------------------- */

#define MOST_ALIKE 0.9          /* most autocorrelation that is assumed */

struct placed {
	double value;
	unsigned at;
};

static int
rank_test_by_value(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

static int
by_p(const void *a, const void *b)
{
	const struct ranked_p *x = a, *y = b;

	return (x->p > y->p) - (x->p < y->p);
}

/* The lag-1 autocorrelation of a run's ranks: how much each follows the one before. */
static double
rank_test_alike(const double *rank, unsigned n)
{
	double mean = 0, all = 0, next = 0;

	for (unsigned i = 0; i < n; i++)
		mean += rank[i] / n;
	for (unsigned i = 0; i < n; i++) {
		all += (rank[i] - mean) * (rank[i] - mean);
		if (i > 0)
			next += (rank[i] - mean) * (rank[i - 1] - mean);
	}
	return !(all > 0) || next <= 0 ? 0 : fmin(next / all, MOST_ALIKE);
}

/* The largest difference of neighbouring values. */
static double
largest_step(const double *v, unsigned n)
{
	double most = 0;

	for (unsigned i = 1; i < n; i++)
		most = fmax(most, fabs(v[i] - v[i - 1]));
	return most;
}

/* May a slow drift explain the difference of the means of a and b?  The runs could then
 * reach it in as many steps as they have values, none of them larger than the largest
 * between neighbouring values.  Otherwise autocorrelation is not allowed for. */
static bool
drift_explains(const double *a, unsigned na, const double *b, unsigned nb)
{
	double step = fmax(largest_step(a, na), largest_step(b, nb));
	double far = 0;

	for (unsigned i = 0; i < na; i++)
		far -= a[i] / na;
	for (unsigned i = 0; i < nb; i++)
		far += b[i] / nb;
	return fabs(far) <= step * ((double)na + nb);
}

/* Ranks the values of a, then b, from 1 on; equal values share their mean rank.  Returns
 * the sum of t^3 - t over groups of t equal values. */
static double
rank_all(const double *a, unsigned na, const double *b, unsigned nb,
    struct placed *sorted, double *rank)
{
	unsigned n = na + nb, to;
	double ties = 0;

	for (unsigned i = 0; i < n; i++)
		sorted[i] = (struct placed){ i < na ? a[i] : b[i - na], i };
	qsort(sorted, n, sizeof(*sorted), rank_test_by_value);
	for (unsigned i = 0; i < n; i = to) {
		double t;

		for (to = i; to < n && !(sorted[to].value > sorted[i].value);
		    to++)
			;
		t = to - i;
		ties += t * t * t - t;
		for (unsigned k = i; k < to; k++)
			rank[sorted[k].at] = (i + 1 + to) / 2.0;
	}
	return ties;
}

double
rank_test(const double *a, unsigned na, const double *b, unsigned nb,
    double *rank)
{
	double n = (double)na + nb, sum = 0, ties, variance, z, r;
	struct placed *sorted;

	if (na < RANK_TEST_LEAST || nb < RANK_TEST_LEAST ||
	    (sorted = malloc((size_t)n * sizeof(*sorted))) == NULL)
		return NAN;
	ties = rank_all(a, na, b, nb, sorted, rank);
	free(sorted);
	for (unsigned i = 0; i < na; i++)
		sum += rank[i];
	variance = (double)na * nb / 12 * (n + 1 - ties / (n * (n - 1)));
	r = drift_explains(a, na, b, nb) ? (rank_test_alike(rank, na) * na +
	    rank_test_alike(rank + na, nb) * nb) / n : 0;
	variance *= (1 + r) / (1 - r);
	if (!(variance > 0))
		return 1;               /* all values are the same */
	z = fabs(sum - na * (n + 1) / 2) - 0.5;
	return z <= 0 ? 1 : erfc(z / sqrt(variance) / sqrt(2));
}

void
discoveries(const double *p, unsigned n, double share, struct ranked_p *order,
    unsigned char *is)
{
	unsigned all = 0, last = 0;

	for (unsigned k = 0; k < n; k++) {
		is[k] = 0;
		if (!isnan(p[k]))
			order[all++] = (struct ranked_p){ p[k], k };
	}
	qsort(order, all, sizeof(*order), by_p);
	for (unsigned i = 0; i < all; i++)
		if (order[i].p <= share * (i + 1) / all)
			last = i + 1;
	for (unsigned i = 0; i < last; i++)
		is[order[i].at] = 1;
}
