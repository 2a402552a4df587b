/*
 * postproc/metrics/spread.h - values of many nodes: their median, and which of
 * them stand out.
 *
 * How far values usually are from their median is 1.4826 times the median of
 * their distances from it (MAD), which of a normal distribution is its standard
 * deviation, and which odd ones hardly change.  A value stands out that is more
 * than 3.5 times as far, and 5 % of the median; of two values, neither is the
 * odd one.
 */
#ifndef POSTPROC_METRICS_SPREAD_H
#define POSTPROC_METRICS_SPREAD_H

#define SPREAD_FAR 3.5
#define SPREAD_LEAST 3          /* values */

struct spread {
	unsigned n;
	double least, median, most;     /* NaN: there are none */
	double far;             /* what is farther from the median stands out */
};

/* spread_of - of n values, no NaN among them, which are sorted; scratch: [n]. */
void spread_of(struct spread *, double *value, unsigned n, double *scratch);

/* spread_score - how many times as far from the median as values usually are:
 * more than SPREAD_FAR stands out; at most 1000.  NaN: too few values, or this
 * is none. */
double spread_score(const struct spread *, double value);

#endif
