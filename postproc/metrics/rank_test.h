/*
 * postproc/metrics/rank_test.h - are values of two runs of one kind?
 *
 * The rank-sum test (Wilcoxon; Mann and Whitney), which asks for no distribution:
 * by its normal approximation, with ties.  Values that follow one another in time
 * are alike: its variance is widened by what the ranks of each run have in common
 * with those before them (lag-1 autocorrelation).  Not where they are so far
 * apart that no drift explains it: as many steps as there are values, each as
 * large as the largest of either run, would not lead from one to the other.
 */
#ifndef POSTPROC_METRICS_RANK_TEST_H
#define POSTPROC_METRICS_RANK_TEST_H

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
