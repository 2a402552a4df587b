/*
 * postproc/metrics/node_view.h - a view: the text that says what a page shows, its
 * headings, rows, tables, parts of the drawing, series of the timelines
 * (config/page/README has the language).
 *
 * All statements are read in one way; each page uses those of its own kinds.
 */
#ifndef POSTPROC_METRICS_NODE_VIEW_H
#define POSTPROC_METRICS_NODE_VIEW_H

#include "postproc/formula/metrics.h"

enum view_kind { VIEW_HEADING, VIEW_ROW, VIEW_BOXES, VIEW_TABLE, VIEW_GRID_ROW,
	VIEW_GRID_COLUMN, VIEW_CLOCK, VIEW_TRAFFIC, VIEW_SERIES, VIEW_SAME,
	VIEW_GLANCE, VIEW_STILL, VIEW_PART, VIEW_LEVELS, VIEW_RATIO,
	VIEW_CAUSE, VIEW_FIGURE, VIEW_COMMENT,
	VIEW_LINE, VIEW_SIGN, VIEW_SLOW, VIEW_ROOFLINE, VIEW_KINDS };

/* One of the metrics that a statement lists. */
struct view_item {
	const char *metric, *title, *unit;      /* "": the text does not say */
	int decimals;
	bool with;              /* it stands behind the word `with` */
	bool or, gauge;         /* this word stands before it */
};

/* A statement; members that its kind does not have are 0, or "". */
struct view_line {
	enum view_kind kind;
	const char *title, *label, *unit, *place, *note;
	const char *metric, *other;     /* NULL: it has none */
	const char *without;    /* show it only where the dump lacks this metric;
	                         * NULL: everywhere */
	enum scope scope;
	int decimals;
	unsigned module;        /* which module, counted from 1; 0: it is of none */
	bool more;              /* show it only where all is asked for (--all) */
	bool rare;              /* few nodes have it: do not list it as missing */
	bool spare;             /* leave it out where there is no room */
	bool links;             /* show it for each box, too */
	bool amount;            /* a sum over the time, not a rate */
	double above;           /* show it where some figure is above this */
	struct view_item *item;
	unsigned nitem, room;
};

struct node_view {
	struct arena *arena;
	const struct model *model;
	struct view_line *line;
	unsigned n, room;
};

/*
 * node_view_load - read a file or a built-in text.  For a model called grace, "@node"
 * means "@node-grace" if there is such a text; model NULL: it is not known.
 *
 * Returns 0, or -errno with "file:line:col: ..." in why.  Either way, and for zeros,
 * call node_view_fini.
 */
int node_view_load(struct node_view *, const char *name, const struct model *,
    struct diag *why);
void node_view_fini(struct node_view *);

/* view_next - the next statement of a kind behind `x`; the first one where x is NULL.
 * NULL: there is none. */
const struct view_line *view_next(const struct node_view *, enum view_kind,
    const struct view_line *x);

#endif
