/*
 * postproc/pages/node_view.h - what a page shows of a node: headings, rows and
 * lists of boxes, as a text says (config/page/README has the language).
 */
#ifndef POSTPROC_PAGES_NODE_VIEW_H
#define POSTPROC_PAGES_NODE_VIEW_H

#include <stdbool.h>

#include "regs/diag.h"

enum view_kind { VIEW_HEADING, VIEW_ROW, VIEW_BOXES };

struct view_line {
	enum view_kind kind;
	const char *title;
	const char *metric;     /* NULL: a heading */
	int decimals;
	bool more;              /* shown only where all is asked for */
	bool rare;              /* few nodes have it: nobody misses it */
	double above;           /* shown where a figure is more than this */
	const char *without;    /* shown where the dump lacks this metric; NULL:
	                         * everywhere */
};

struct node_view {
	struct arena *arena;
	struct view_line *line;
	unsigned n, room;
};

/* node_view_load - a file, or a text that is built in ("@node").  Returns 0, or
 * -errno with "file:line:col: ..." in why.  node_view_fini accepts whatever it
 * left, and zeros. */
int node_view_load(struct node_view *, const char *name, struct diag *why);
void node_view_fini(struct node_view *);

#endif
