/*
 * postproc/pages/tracks.h - the values of a metric over time, in each window of a scope,
 * and histograms of them.
 *
 * There is a value for each interval.  Where event sets take turns, there is one for
 * each whole round: in a single interval most of the events were not counted.
 */
#ifndef POSTPROC_PAGES_TRACKS_H
#define POSTPROC_PAGES_TRACKS_H

#include "postproc/formula/compiled.h"
#include "postproc/metrics/gather.h"

struct track_value {
	uint64_t sample;        /* the last one of it */
	double value, seconds;
	double part;            /* how complete it is, as figure_part returns it */
};

/* The values of one window. */
struct track {
	struct window window;
	char where[80];
	struct track_value *value;
	unsigned n, room;
	double unknown_s;       /* seconds without a value */
	char why[200];          /* the first reason for that; "": not known */
	unsigned number;        /* in tracks.compiled, of the value */
	unsigned most;          /* in tracks.compiled, of the end of its range, where
	                         * another metric says that */
	double whole;           /* the greatest `part` of any value */
	struct figure best;     /* for figure_note: has the units and deltas of the
	                         * value with that part, and the turns of all values */
};

struct tracks {
	struct track *track;
	unsigned n;
	unsigned bound;
	struct round round;
	unsigned columns;       /* how many columns the metric has so far */
	struct compiled *compiled;      /* made when the dump had ncol columns */
	unsigned ncol;
};

/* tracks_init - make the tracks of a bound metric, before the dump is read.  where: the name
 * of the only window that is wanted; NULL: all are.  Returns 0, even where there is no such
 * window, or -ENOMEM; call tracks_fini in any case. */
int tracks_init(struct tracks *, const struct gather *, unsigned bound,
    enum scope, const char *where);
void tracks_fini(struct tracks *);

/* tracks_read - read the whole range.  A value is dropped that is of fewer units than
 * another, lacks deltas that another has, or cannot be.  0, or -errno with words in why
 * (without words: -ENOMEM). */
int tracks_read(struct tracks *, struct gather *, struct diag *why);

/*
 * tracks_read step by step, for a caller that does more with the same intervals:
 *
 *	tracks_begin(t, g);
 *	while (gather_next(g, why) > 0)
 *		if (tracks_due(t, g))
 *			tracks_take(t, g, sums since it last was due);
 *	tracks_end(t);
 *
 * tracks_take compiles and evaluates formulas of its own.  Instead of it, a caller that
 * evaluates others, too, calls
 *
 * tracks_add        to add the tracks' formulas to its own; again whenever the dump has
 *                   more columns.  Drops the values so far if the metric has more, too.
 * tracks_take_lane  to take the values of these formulas in a stretch, from a lane
 *
 * All three return 0 or -ENOMEM.
 */
void tracks_begin(struct tracks *, const struct gather *);
bool tracks_due(struct tracks *, const struct gather *);
int tracks_take(struct tracks *, const struct gather *, const struct sums *);
int tracks_add(struct tracks *, const struct gather *, struct compiled *);
int tracks_take_lane(struct tracks *, const struct gather *,
    const struct compiled *, const struct sums *, unsigned lane);
void tracks_end(struct tracks *);

/* Histograms: for how much of the time a metric had which value, in bins of equal width
 * from 0 on; and how much of that was Low, Medium and High. */

#define HISTOGRAM_MAX_BINS 100
#define HISTOGRAM_BINS 10       /* where nobody asks for another number */

enum load { LOAD_LOW, LOAD_MEDIUM, LOAD_HIGH, LOADS };

/* What may be asked of a histogram; NaN: the default, as histogram_sort says. */
struct histogram_bounds {
	double bins;            /* how many */
	double max, low, high;  /* as in struct histogram */
};

/* histogram_usual - the defaults. */
struct histogram_bounds histogram_usual(void);

struct histogram {
	unsigned bins;
	double max;             /* end of the last bin, which also counts all higher
	                         * values */
	double low, high;       /* Low is below `low`, High from `high` on; NaN: no
	                         * value is above 0 */
	double seconds[HISTOGRAM_MAX_BINS][LOADS];
	double load[LOADS], all;      /* seconds, in total */
};

/* histogram_sort - sort the values of a track into bins.  By default the last bin ends
 * with the largest value; below a third of that is Low, from two thirds on High. */
void histogram_sort(struct histogram *, const struct track *,
    const struct histogram_bounds *);

/* histogram_edge - the value at which a bin begins, and the one before it ends.
 * histogram_seconds - the seconds in a bin.
 * histogram_share - so many seconds in % of all; NaN: there are none.
 * histogram_bin, histogram_load - the bin and the load of a value. */
double histogram_edge(const struct histogram *, unsigned bin);
double histogram_seconds(const struct histogram *, unsigned bin);
double histogram_share(const struct histogram *, double seconds);
unsigned histogram_bin(const struct histogram *, double value);
enum load histogram_load(const struct histogram *, double value);
const char *load_name(enum load);

#endif
