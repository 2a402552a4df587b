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

#include <stdio.h>

#include "config/arena.h"
#include "postproc/live/follow.h"
#include "postproc/live/terminal.h"
#include "postproc/metrics/recent.h"

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

/* live_page_init - prepares a page of a store; NULL: of the only one that a daemon here
 * writes.  The page must stay at its address. */
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

/* ---- the page as lines of text, cut to the size of the screen --------------- */

#define LIVE_WIDTH 60           /* characters of a line that a page needs at least */

/* What is shown, and how. */
struct live_look {
	unsigned width;         /* characters */
	unsigned height;        /* lines; 0: no screen, draw all of them */
	bool utf8, colour;
	bool frozen;            /* new samples are not read for now */
	enum live_view view;
	unsigned sort;          /* sort by this column, the largest first; 0: in the
	                         * node's order */
	bool reverse;           /* the other way round */
	/* what is scrolled off, which live_draw keeps within the page: */
	unsigned across;        /* columns of tables, at the left */
	unsigned down;          /* lines, at the top */
};

/* live_draw - writes lines no wider than look->width, each with its '\n': all of them,
 * or as many as the screen is high. */
void live_draw(struct live_page *, struct live_look *, FILE *);

/* live_columns - the number of columns of a view's widest table. */
unsigned live_columns(const struct live_page *, enum live_view);
/* live_has - does a view have any table? */
bool live_has(const struct live_page *, enum live_view);

/* live_key - does what a key asks for; false: to end. */
bool live_key(const struct live_page *, struct live_look *, int key);

/* live_screen - shows the page and follows the store until the user or a signal ends
 * it, and closes the terminal.  Returns 0 or the signal. */
int live_screen(struct live_page *, struct terminal *, enum live_view);

/* live_pause - ms to wait before the store is read again. */
int live_pause(const struct live_page *);

/* parts of a line: */

enum line_style { LINE_PLAIN, LINE_BOLD, LINE_DIM, LINE_REVERSE, LINE_RED,
	LINE_YELLOW, LINE_PAST };

/* figure_fit - a value in at most eight characters; "n/a" for NaN.  Returns buf. */
const char *figure_fit(char *buf, size_t size, double v, int decimals);

/* past_put - draws the past of a cell as a sparkline.  Where all its values round to 0
 * with that many decimals, they are drawn as 0. */
void past_put(FILE *, const struct live_look *, const struct live_page *,
    const struct live_cell *, int decimals, unsigned width);

#endif
