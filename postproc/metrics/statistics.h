/*
 * postproc/metrics/statistics.h - values of many nodes: which of them stand out; of two
 * runs: do they differ?
 */
#ifndef POSTPROC_METRICS_STATISTICS_H
#define POSTPROC_METRICS_STATISTICS_H

/*
 * Of many nodes.
 *
 * How far values usually are from their median is 1.4826 times the median of
 * their distances from it (MAD): the standard deviation, where they are normally
 * distributed, and hardly changed by a few outliers.  A value stands out that is
 * more than 3.5 times as far, and 5 % of the median.  Of two values neither does.
 */
#define SPREAD_FAR 3.5
#define SPREAD_LEAST 3          /* values */

struct spread {
	unsigned n;
	double least, median, most;     /* NaN: there are none */
	double far;             /* a value further than this from the median stands
				 * out */
};

/* spread_of - computes the spread of n values, none of which is NaN.  It sorts value[n];
 * scratch[n] is room for its work. */
void spread_of(struct spread *, double *value, unsigned n, double *scratch);

/* spread_score - how many times as far from the median a value is as values usually are, at
 * most 1000; one with more than SPREAD_FAR stands out.  NaN: there are too few values, or
 * this one is NaN. */
double spread_score(const struct spread *, double value);

/*
 * Of two runs: the rank-sum test (Wilcoxon; Mann and Whitney), which assumes no
 * distribution, by its normal approximation, with ties.
 *
 * Values that follow one another in time are correlated: the variance is widened by
 * the lag-1 autocorrelation of each run's ranks.  It is not where the runs are so far
 * apart that no drift explains it: where as many steps as there are values, each as
 * large as the largest of either run, would not lead from one run to the other.
 */
#define RANK_TEST_LEAST 4       /* values of each that it takes */

/*
 * rank_test - the probability of a difference like this one, or more, between
 * values of one kind; two-sided.
 *
 * a, b   na and nb values, in the order of time; no NaN
 * ranks  na + nb doubles of room
 *
 * NaN: too few.
 */
double rank_test(const double *a, unsigned na, const double *b, unsigned nb,
    double *ranks);

/*
 * discoveries - of n probabilities, those so small that at most this share of
 * them should be there by chance (Benjamini and Hochberg).  NaN is none.
 *
 * order  n of room
 * is     out: n
 */
struct ranked_p {
	double p;
	unsigned at;
};

void discoveries(const double *p, unsigned n, double share,
    struct ranked_p *order, unsigned char *is);

#endif
