/*
 * postproc/live/figures.h - every metric of a store that is followed: its last
 * value, and what adds up since the daemon's first sample.
 */
#ifndef POSTPROC_LIVE_FIGURES_H
#define POSTPROC_LIVE_FIGURES_H

#include "postproc/gather/recent.h"
#include "postproc/live/follow.h"

/* One metric in one window. */
struct live_figure {
	uint32_t bound;         /* binding.bound */
	struct window window;
	const struct base_unit *unit;
	bool adds;              /* it is a total: of an interval, that interval's */
	bool turns;             /* its events take turns: not each interval has
	                         * them, and nothing is added up */
	bool several;           /* they are of several sets: of the last whole
	                         * round of these */
	bool wrong;             /* the last interval's is outside its range */
	double now;             /* base units; NaN: n/a */
	double total;           /* base units, since the first sample; NaN: does
	                         * not add up, or nothing of it is known */
};

struct figures {
	struct live_figure *figure;
	unsigned n, room;
	unsigned scopes;        /* a bit each: which are wanted */
	unsigned wrong;         /* of the last interval, outside their range */
	double *scaled;         /* by column, of events that take turns: counts,
	                         * each interval's scaled to all of its time */
	unsigned nscaled;
	struct recent recent;   /* a round of event sets */
};

/* figures_open, figures_interval - for follow.opened and follow.interval, with
 * the struct figures in follow.of. */
int figures_open(struct follow *, struct diag *why);
void figures_interval(struct follow *);
void figures_fini(struct figures *);

/* figures_scaled - a column's counts, scaled; NaN: it takes no turns. */
double figures_scaled(const struct figures *, const struct sums *,
    uint32_t column);

/* figures_total - does it have one? */
bool figures_total(const struct live_figure *);

/* A unit of metrics in those that monitoring systems agree on: bytes, joules, seconds,
 * hertz, ratios of 1. */
struct base_unit {
	const char *unit;       /* of the metric: "GB/s" */
	double times;           /* what one of it is in the base unit */
	const char *rate;       /* "bytes_per_second", "ratio"; "": a number */
	const char *total;      /* what a rate adds up to over time, "bytes"; "":
	                         * a number of events; NULL: nothing does */
};

/* base_unit - of a metric's unit; one that is not known is a number. */
const struct base_unit *base_unit(const char *unit);

#endif
