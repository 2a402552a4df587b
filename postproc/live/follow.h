/*
 * postproc/live/follow.h - follows the store of a daemon while it samples: reads the rows
 * that are new, and finds the new store when the daemon starts again.
 *
 * It only reads files; the daemon does nothing for it.
 */
#ifndef POSTPROC_LIVE_FOLLOW_H
#define POSTPROC_LIVE_FOLLOW_H

#include <time.h>

#include "postproc/metrics/gather.h"
#include "postproc/metrics/recent.h"

enum follow_state {
	FOLLOW_NONE,            /* there is no store; follow.why says why */
	FOLLOW_EMPTY,           /* a store without an interval so far */
	FOLLOW_LIVE,
	FOLLOW_STALE,           /* its daemon has ended, or is three intervals late */
};

struct follow {
	/* set by the caller */
	const char *asked;      /* name of a store; NULL: the one there is */
	struct gather_ask ask;  /* which metrics */
	int (*opened)(struct follow *, struct diag *why);       /* a store is open and
	                         * its metrics are loaded */
	void (*interval)(struct follow *);      /* after each interval */
	void (*over)(struct follow *);  /* all of this store was read, and the next
	                         * one will replace it; NULL: not needed */
	void *of;               /* for these three */

	enum follow_state state;
	struct diag why;        /* the reason for FOLLOW_NONE or FOLLOW_STALE */
	bool open;
	bool between;           /* the daemon writes to a new store already, which has
	                         * no interval so far */
	char path[256];
	uint64_t made;          /* inode of the file that is open */
	struct gather gather;
	struct metrics metrics;
	double every;           /* planned time between samples, s */
	double start;           /* first sample, s since 1970; 0: none yet */
	double age;             /* s since the last sample */
	double late;            /* what age was when the last sample was read */
	double seen;            /* when it was read, CLOCK_MONOTONIC, s */
};

/* follow_poll - reads what is new, calls the callbacks, and updates state and age. */
void follow_poll(struct follow *);
/* follow_whole - is it a finished dump, to which nothing will be added? */
bool follow_whole(const struct follow *);
void follow_close(struct follow *);

/* follow_clock - the time of a clock, s. */
double follow_clock(clockid_t);

/* ---- figures of a store that is followed ---------------------------------
 *
 * Every metric: its value in the last interval, and its total since the daemon's first
 * sample.
 */

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
