/*
 * postproc/live/live_page.h - what `tally live` shows of a store that is followed:
 * tables of cells, each with its figure of the last interval, that of the last
 * minute, and what it was before.
 *
 * A table has a row a metric and a column a package, as the report's page; or a
 * row a core, channel or port, and a column a metric.
 */
#ifndef POSTPROC_LIVE_LIVE_PAGE_H
#define POSTPROC_LIVE_LIVE_PAGE_H

#include "config/arena.h"
#include "postproc/gather/recent.h"
#include "postproc/live/follow.h"

enum live_view { LIVE_PACKAGES, LIVE_NUMA, LIVE_CORES, LIVE_LPROCS, LIVE_DEVICES,
	LIVE_VIEWS };

#define LIVE_MINUTE 60          /* s */
#define LIVE_PAST 180           /* values that a cell had before, one each
                                 * interval, but at most one each second */

struct live_cell {
	unsigned bound;
	struct window window;
	bool several;           /* its events are of several sets: `now` is of
	                         * the last whole round of these */
	bool turns;             /* its events take turns: not each interval has
	                         * them */
	struct figure now;      /* of the last interval (turns: that had it) */
	struct figure minute;   /* live_page_minute */
	float past[LIVE_PAST];  /* NaN: n/a; at page.slot % LIVE_PAST the last */
	unsigned in_slot;       /* intervals that past's last is the mean of */
};

struct live_row {
	char name[48];
	const char *unit;
	struct live_cell **cell;        /* [table.ncolumn]; NULL: there is none */
};

struct live_column {
	char heading[16];
	int decimals;
};

struct live_table {
	enum live_view view;
	char title[48];
	bool by_metric;         /* a row a metric */
	unsigned nrow, ncolumn;
	struct live_row *row;
	int *row_decimals;      /* by_metric: [nrow], not the column's */
	struct live_column *column;
	struct live_table *next;
};

struct live_page {
	struct follow follow;
	struct recent recent;
	unsigned views;         /* a bit each: which are wanted */
	bool all;               /* every interval counts: of short ones, too */
	/* called after each interval, with `of` */
	void (*interval)(struct live_page *);
	void *of;
	struct arena *arena;    /* of all that follows */
	struct live_table *table, **end;
	double at;              /* s: the last interval that was looked at */
	double step;            /* s between values of the past */
	uint64_t slot;          /* the last of them, by time; 0: none yet */
	uint64_t interval_count;
	const struct sums *sums;        /* that figures are made of just now, */
	bool of_round;          /* of a round of event sets, not an interval */
	uint64_t left_out;      /* deltas of the last minute */
	double minute_s;        /* how long that is */
	bool failed;            /* memory ran out */
};

/* live_page_init - of a store, or (NULL) the one there is; the page's address
 * must stay. */
void live_page_init(struct live_page *, const char *store, unsigned views);
void live_page_fini(struct live_page *);

/* live_page_poll - take in what came; true: an interval, or another state. */
bool live_page_poll(struct live_page *);

/* live_page_minute - the last minute's figures of a view. */
void live_page_minute(struct live_page *, enum live_view);

/* live_view_name, live_view_title - "package", "packages"; live_view_find - by
 * its name; LIVE_VIEWS: there is none. */
const char *live_view_name(enum live_view);
const char *live_view_title(enum live_view);
enum live_view live_view_find(const char *name);

/* live_tables - of live_views.c: all tables of the views that are wanted. */
int live_tables(struct live_page *, struct diag *why);

#endif
