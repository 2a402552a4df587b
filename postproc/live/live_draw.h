/*
 * postproc/live/live_draw.h - the page of `tally live` as lines of text, fit into so
 * many columns and lines.
 */
#ifndef POSTPROC_LIVE_LIVE_DRAW_H
#define POSTPROC_LIVE_LIVE_DRAW_H

#include <stdio.h>

#include "postproc/live/terminal.h"
#include "postproc/live/live_page.h"

#define LIVE_WIDTH 60           /* columns that it needs */

struct live_look {
	unsigned width;
	unsigned height;        /* 0: all lines, for no screen */
	bool utf8, colour;
	bool frozen;
	enum live_view view;
	unsigned sort;          /* by this column, the largest first; 0: as the
	                         * node has them */
	bool reverse;
	unsigned across;        /* columns that are left out at the left */
	unsigned down;          /* and lines at the top; both are held within
	                         * what there is */
};

/* live_draw - lines that end in '\n', none wider than that; on a screen just so
 * many of them. */
void live_draw(struct live_page *, struct live_look *, FILE *);

/* live_columns - how many the widest table of a view has. */
unsigned live_columns(const struct live_page *, enum live_view);
/* live_has - has it any figures? */
bool live_has(const struct live_page *, enum live_view);

/* live_key - what a key does; false: end. */
bool live_key(const struct live_page *, struct live_look *, int key);

/* live_screen - until it is ended: 0, or the signal that did.  The terminal is
 * as it was by then. */
int live_screen(struct live_page *, struct terminal *, enum live_view);

/* live_pause - ms until it is worth while to look again. */
int live_pause(const struct live_page *);

#endif
