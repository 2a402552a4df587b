/*
 * postproc/live/live_draw.h - draws the page of `tally live` as lines of text, cut to the
 * size of the screen.
 */
#ifndef POSTPROC_LIVE_LIVE_DRAW_H
#define POSTPROC_LIVE_LIVE_DRAW_H

#include <stdio.h>

#include "postproc/live/terminal.h"
#include "postproc/live/live_page.h"

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
	unsigned across;        /* table columns that are scrolled off at the left, */
	unsigned down;          /* and lines at the top; live_draw keeps both within
	                         * the page */
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

/* ---- parts of a line ---- */

enum line_style { LINE_PLAIN, LINE_BOLD, LINE_DIM, LINE_REVERSE, LINE_RED,
	LINE_YELLOW, LINE_PAST };

/* line_on, line_off - begin and end a style; without colours they write nothing. */
void line_on(FILE *, const struct live_look *, enum line_style);
void line_off(FILE *, const struct live_look *);

/* line_put - writes text, cut or filled with blanks to a width.
 * line_text - writes a whole line, cut to the width of the screen. */
void line_put(FILE *, const struct live_look *, const char *, unsigned width);
void line_text(FILE *, const struct live_look *, enum line_style,
    const char *);

/* figure_fit - a value in at most eight characters; "n/a" for NaN.  Returns buf. */
const char *figure_fit(char *buf, size_t size, double v, int decimals);

/* past_width - how many of `width` characters a sparkline takes: each of its characters
 * is the mean of the same number of past values.
 * past_put - draws the past of a cell as a sparkline.  Where all its values round to 0
 * with that many decimals, they are drawn as 0. */
unsigned past_width(unsigned width);
void past_put(FILE *, const struct live_look *, const struct live_page *,
    const struct live_cell *, int decimals, unsigned width);

#endif
