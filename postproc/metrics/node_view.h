/*
 * postproc/metrics/node_view.h - what a page shows, as a text says: headings, rows,
 * tables, parts of the drawing, series of the timelines (config/page/README has
 * the language).
 *
 * One reader takes all statements; each page looks at those of its own kinds.
 */
#ifndef POSTPROC_METRICS_NODE_VIEW_H
#define POSTPROC_METRICS_NODE_VIEW_H

#include "postproc/metrics/metrics.h"

enum view_kind { VIEW_HEADING, VIEW_ROW, VIEW_BOXES, VIEW_TABLE, VIEW_GRID_ROW,
	VIEW_GRID_COLUMN, VIEW_CLOCK, VIEW_TRAFFIC, VIEW_SERIES, VIEW_SAME,
	VIEW_GLANCE, VIEW_STILL, VIEW_PART, VIEW_LEVELS, VIEW_RATIO,
	VIEW_CAUSE, VIEW_FIGURE, VIEW_COMMENT,
	VIEW_LINE, VIEW_SIGN, VIEW_SLOW, VIEW_ROOFLINE, VIEW_KINDS };

/* One of the metrics that a statement lists. */
struct view_item {
	const char *metric, *title, *unit;      /* "": not said */
	int decimals;
	bool with;              /* stands behind `with` */
	bool or, gauge;         /* has this word before it */
};

/* A statement; what its kind has not is 0, or "". */
struct view_line {
	enum view_kind kind;
	const char *title, *label, *unit, *place, *note;
	const char *metric, *other;     /* NULL: it has none */
	const char *without;    /* shown where the dump lacks this metric; NULL:
	                         * everywhere */
	enum scope scope;
	int decimals;
	unsigned module;        /* counted from 1 */
	bool more;              /* shown only where all is asked for */
	bool rare;              /* few nodes have it: nobody misses it */
	bool spare;             /* left out where there is no room */
	bool links;             /* of each box, too */
	bool amount;            /* added up over the time, not by the second */
	double above;           /* shown where a figure is more than this */
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
 * node_view_load - a file, or a text that is built in.  "@node" is "@node-grace"
 * for a model called grace, where there is such a text; model NULL: not known.
 *
 * Returns 0, or -errno with "file:line:col: ..." in why.  node_view_fini accepts
 * whatever it left, and zeros.
 */
int node_view_load(struct node_view *, const char *name, const struct model *,
    struct diag *why);
void node_view_fini(struct node_view *);

/* view_next - the first statement of a kind behind `x`, or (x is NULL) of all;
 * NULL: there is none. */
const struct view_line *view_next(const struct node_view *, enum view_kind,
    const struct view_line *x);

#endif
