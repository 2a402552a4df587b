/*
 * postproc/live/live_page.h - what `tally live` shows of a store that it follows: tables
 * of cells.  Each cell has a figure of the last interval, one of the last minute, and its
 * past values.
 *
 * A table has a row for each metric and a column for each package, as the report's page
 * does; or a row for each core, channel or port, and a column for each metric.
 */
#ifndef POSTPROC_LIVE_LIVE_PAGE_H
#define POSTPROC_LIVE_LIVE_PAGE_H

#include "config/arena.h"
#include "postproc/gather/recent.h"
#include "postproc/live/follow.h"

enum live_view { LIVE_PACKAGES, LIVE_NUMA, LIVE_CORES, LIVE_LPROCS, LIVE_DEVICES,
	LIVE_VIEWS };

#define LIVE_MINUTE 60          /* s */
#define LIVE_PAST 180           /* slots of a cell's past: one for each interval, of at
                                 * least a second */

struct live_cell {
	unsigned bound;         /* index of its metric in binding.bound */
	struct window window;
	bool several;           /* its events are in several event sets, so `now` is
	                         * of the last whole round of these */
	bool turns;             /* its events rotate: not every interval has them */
	struct figure now;      /* of the last interval that had its events */
	struct figure minute;   /* of the last minute: see live_page_minute */
	float past[LIVE_PAST];  /* a ring, the last at page.slot % LIVE_PAST; NaN:
	                         * n/a */
	unsigned in_slot;       /* intervals whose mean the last slot is */
};

struct live_row {
	char name[48];
	const char *unit;
	struct live_cell **cell;        /* [table.ncolumn]; NULL: an empty cell */
};

struct live_column {
	char heading[16];
	int decimals;
};

struct live_table {
	enum live_view view;
	char title[48];
	bool by_metric;         /* rows are metrics; else columns are */
	unsigned nrow, ncolumn;
	struct live_row *row;
	int *row_decimals;      /* [nrow] if by_metric; else column[].decimals count */
	struct live_column *column;
	struct live_table *next;
};

struct live_page {
	struct follow follow;
	struct recent recent;
	unsigned views;         /* a bit for each that is wanted */
	bool all;               /* evaluate every interval, however short */
	void (*interval)(struct live_page *);   /* called after each interval; NULL:
	                         * not needed */
	void *of;               /* for the callback */
	struct arena *arena;    /* where the tables are */
	struct live_table *table, **end;
	double at;              /* time of the last interval that was evaluated, s */
	double step;            /* s of a slot of the past */
	uint64_t slot;          /* number of the last slot, counted from the time 0;
	                         * 0: none yet */
	uint64_t interval_count;
	const struct sums *sums;        /* what cells are evaluated from at the moment: */
	bool of_round;          /* the sums of a round of event sets, or of an
	                         * interval */
	uint64_t left_out;      /* deltas that are missing in the last minute */
	double minute_s;        /* how long that minute really is, s */
	bool failed;            /* memory ran out */
};

/* live_page_init - store NULL: the one there is.  The page must not be moved. */
void live_page_init(struct live_page *, const char *store, unsigned views);
void live_page_fini(struct live_page *);

/* live_page_poll - reads what is new in the store; true: there is a new interval, or the
 * state has changed. */
bool live_page_poll(struct live_page *);

/* live_page_minute - evaluates the last minute's figures of a view's cells. */
void live_page_minute(struct live_page *, enum live_view);

/* live_view_name, live_view_title - "package", "packages".
 * live_view_find - the view of that name; LIVE_VIEWS: there is none. */
const char *live_view_name(enum live_view);
const char *live_view_title(enum live_view);
enum live_view live_view_find(const char *name);

/* live_tables - makes the tables of all views that are wanted (live_views.c).  0 or
 * -errno with words in why. */
int live_tables(struct live_page *, struct diag *why);

#endif
