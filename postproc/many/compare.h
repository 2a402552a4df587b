/*
 * postproc/many/compare.h - two runs, two phases or two sets of nodes, metric by
 * metric: did it change by more than it varies?
 */
#ifndef POSTPROC_MANY_COMPARE_H
#define POSTPROC_MANY_COMPARE_H

#include "postproc/data/select.h"
#include "postproc/many/differ.h"

/* One side of one figure. */
struct compared_side {
	double mean;            /* of its dumps; NaN: n/a */
	double square;          /* the sum of the squares of their standard
	                         * errors; NaN: one is not known */
	unsigned dumps;         /* that have it */
	double *value;          /* of one dump each interval (or whole round of
	                         * event sets), of several each dump */
	unsigned n, room;
	double whole;           /* figure_part of these: those of less are none */
	char why[120];          /* it is n/a; or "" */
	char note[300];         /* what has to be known of the mean; or "" */
};

struct compared {
	char *metric, *unit, *where;
	enum scope scope;
	struct compared_side side[2];
	double error;           /* of the difference of the means: its standard
	                         * error, where events took turns; 0: it has
	                         * none; NaN: it is not known */
	double p;               /* rank_test; NaN: too few values */
	bool changed;           /* p is small enough, of all of them, and the
	                         * figure differs by what is asked for and by
	                         * more than two standard errors */
	bool slight;            /* p is, but it differs by less than is asked for */
	bool unsure;            /* p is, but it differs by two standard errors or
	                         * less: the estimates may be of the same */
};

struct compare_side {
	const char *const *path;
	unsigned npath;
	struct gather_ask ask;
	struct traits traits;   /* of the first */
	char host[256];
};

struct compare {
	struct compare_side side[2];
	struct patterns names;
	unsigned scopes;        /* a bit each */
	double every;           /* s a value; 0: as short as may be */
	double share;           /* of the changes: by chance, at most */
	double least;           /* %, of A: what differs by less is the same */
	struct compared *figure;
	unsigned n, room;
	struct lookup named;
	unsigned tested;        /* figures that had values enough */
};

/* compare_run - read both sides, and judge.  0, or -errno with words in why;
 * compare_fini accepts either. */
int compare_run(struct compare *, struct diag *why);
void compare_fini(struct compare *);

/* compare_change - in per cent of the first; NaN: that is 0, or n/a. */
double compare_change(const struct compared *);

#endif
