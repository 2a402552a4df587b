/*
 * postproc/live/figures.h - every metric of a store that is followed: its value in the
 * last interval, and its total since the daemon's first sample.
 */
#ifndef POSTPROC_LIVE_FIGURES_H
#define POSTPROC_LIVE_FIGURES_H

#include "postproc/gather/recent.h"
#include "postproc/live/follow.h"

/* One metric in one window. */
struct live_figure {
	uint32_t bound;         /* index of its metric in binding.bound */
	struct window window;
	const struct base_unit *unit;
	bool adds;              /* the metric is itself a total, of its interval */
	bool turns;             /* its events rotate: not every interval has them, so
	                         * it has no total */
	bool several;           /* they are in several event sets, so `now` is of the
	                         * last whole round of these */
	bool wrong;             /* the last value was outside the metric's range */
	double now;             /* base units; NaN: n/a */
	double total;           /* base units, since the first sample; NaN: it has
	                         * none, or nothing was counted yet */
};

struct figures {
	struct live_figure *figure;
	unsigned n, room;
	unsigned scopes;        /* a bit for each that is wanted */
	unsigned wrong;         /* how many figures have `wrong` set */
	double *scaled;         /* [nscaled] by column, of events that rotate: the sum
	                         * of all intervals' counts, each scaled to the whole
	                         * interval */
	unsigned nscaled;
	struct recent recent;   /* the last round of event sets */
};

/* figures_open, figures_interval - the callbacks follow.opened and follow.interval;
 * follow.of has to be the struct figures. */
int figures_open(struct follow *, struct diag *why);
void figures_interval(struct follow *);
void figures_fini(struct figures *);

/* figures_scaled - the scaled count of a column; NaN: its event does not rotate. */
double figures_scaled(const struct figures *, const struct sums *,
    uint32_t column);

/* figures_total - does this figure have a total? */
bool figures_total(const struct live_figure *);

/* A unit of metrics, and the base unit that monitoring systems use for it: bytes,
 * joules, seconds, hertz, ratios of 1. */
struct base_unit {
	const char *unit;       /* of the metric: "GB/s" */
	double times;           /* factor to the base unit: 1e9 */
	const char *rate;       /* name of the base unit: "bytes_per_second", "ratio";
				 * "": a plain number */
	const char *total;      /* unit of its integral over time: "bytes"; "": a
	                         * number of events; NULL: it has none */
};

#endif
