/*
 * postproc/pages/tracks.h - the values that a metric had over time, of each
 * window of a scope.
 *
 * Where it takes events of multiplexed sets, one value is that of a whole round
 * of them: in a single interval most of them were not counted.
 */
#ifndef POSTPROC_PAGES_TRACKS_H
#define POSTPROC_PAGES_TRACKS_H

#include "postproc/gather/round.h"

struct track_value {
	uint64_t sample;        /* that it ends with */
	double value, seconds;
	double part;            /* figure_part */
};

/* The values of one window. */
struct track {
	struct window window;
	char where[80];
	struct track_value *value;
	unsigned n, room;
	double unknown_s;       /* how long there was none, */
	char why[200];          /* and why, the first time; "": not known */
	double whole;           /* the greatest part of any value */
	struct figure best;     /* what is to be said of that one, and of all */
};

struct tracks {
	struct track *track;
	unsigned n;
	unsigned bound;
	struct round round;
	unsigned columns;       /* of the metric, so far */
};

/* tracks_init - of a metric bound to a dump that is not read yet; where: of one
 * window alone, by name; NULL: of all.  0, also where there is none of these,
 * or -ENOMEM; tracks_fini accepts either. */
int tracks_init(struct tracks *, const struct gather *, unsigned bound,
    enum scope, const char *where);
void tracks_fini(struct tracks *);

/* tracks_read - all of the range.  A value of fewer units than another, or one
 * that lacks deltas, is not one of the same thing, and no value; nor is one that
 * cannot be.  0 or -errno, words in why (where there
 * are none, -ENOMEM). */
int tracks_read(struct tracks *, struct gather *, struct diag *why);

/*
 * The same by hand, for who reads other things of the same intervals:
 *
 *	tracks_begin(t, g);
 *	while (gather_next(g, why) > 0)
 *		if (tracks_due(t, g))
 *			tracks_take(t, g, sums since it last was due);
 *	tracks_end(t);
 *
 * tracks_take returns 0, or -ENOMEM.
 */
void tracks_begin(struct tracks *, const struct gather *);
bool tracks_due(struct tracks *, const struct gather *);
int tracks_take(struct tracks *, const struct gather *, const struct sums *);
void tracks_end(struct tracks *);

/* How much of the time a metric had which value: bins of equal width from 0 on, and
 * what is Low, Medium and High. */

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
