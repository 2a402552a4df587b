/*
 * postproc/many/compare.h - compares two runs, two phases or two sets of nodes metric by
 * metric: does a figure differ by more than it varies?
 */
#ifndef POSTPROC_MANY_COMPARE_H
#define POSTPROC_MANY_COMPARE_H

#include "postproc/data/select.h"
#include "postproc/many/differ.h"

/* One side of a figure. */
struct compared_side {
	double mean;            /* mean of the dumps; NaN: n/a */
	double square;          /* the sum of the squares of their standard
	                         * errors; NaN: one is not known */
	unsigned dumps;         /* how many dumps have the figure */
	double *value;          /* [n] for the rank test: of a single dump one for each
	                         * interval (or round of event sets), of several
	                         * dumps one for each dump */
	unsigned n, room;
	double whole;           /* figure_part of these values; values of fewer units
	                         * are dropped */
	char why[120];          /* why it is n/a; or "" */
	char note[300];         /* caveats of the mean; or "" */
};

#define COMPARE_MUCH 5.0        /* % of side 0 */

struct compared {
	char *metric, *unit, *where;
	enum scope scope;
	struct compared_side side[2];
	double error;           /* standard error of the difference of the means, where
	                         * events rotate; 0: it has none; NaN: not known */
	double p;               /* rank_test; NaN: too few values */
	/* of these three, one is set where p is small enough, given how many figures
	 * were tested: */
	bool changed;           /* the difference is as large as was asked for, and
	                         * more than two standard errors */
	bool slight;            /* it is smaller than was asked for */
	bool unsure;            /* it is at most two standard errors, and may be
	                         * chance */
	bool varies;            /* p is not small enough, but the difference is
	                         * COMPARE_MUCH and more: the values of a side differ
	                         * as much among themselves */
};

struct compare_side {
	const char *const *path;
	unsigned npath;
	struct gather_ask ask;
	struct traits traits;   /* of its first dump */
	char host[256];         /* the node of that dump */
};

struct compare {
	struct compare_side side[2];
	struct patterns names;
	unsigned scopes;        /* 1 << enum scope, of each that is compared */
	double every;           /* s that each value is taken over; 0: as short as
	                         * possible */
	double share;           /* the part of `changed` figures that may be chance */
	double least;           /* in % of side 0: smaller differences are no change */
	struct compared *figure;
	unsigned n, room;
	struct lookup named;
	unsigned tested;        /* how many figures had enough values */
};

/* compare_run - reads both sides and judges all figures.  0 or -errno with words in why;
 * compare_fini accepts either. */
int compare_run(struct compare *, struct diag *why);
void compare_fini(struct compare *);

/* compare_change - the change in % of side 0's mean; NaN: that mean is 0, or a side is n/a. */
double compare_change(const struct compared *);

#endif
