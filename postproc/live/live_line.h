/*
 * postproc/live/live_line.h - parts of a line on a screen: text of a width, colours,
 * a figure in eight characters, a past as a sparkline.
 */
#ifndef POSTPROC_LIVE_LIVE_LINE_H
#define POSTPROC_LIVE_LIVE_LINE_H

#include "postproc/live/live_draw.h"

enum line_style { LINE_PLAIN, LINE_BOLD, LINE_DIM, LINE_REVERSE, LINE_RED,
	LINE_YELLOW, LINE_PAST };

/* line_on, line_off - from here on; nothing without colours. */
void line_on(FILE *, const struct live_look *, enum line_style);
void line_off(FILE *, const struct live_look *);

/* line_put - text, cut or filled up to a width.  line_text - a whole line, cut to
 * the screen's. */
void line_put(FILE *, const struct live_look *, const char *, unsigned width);
void line_text(FILE *, const struct live_look *, enum line_style,
    const char *);

/* figure_fit - in eight characters, "n/a" of a NaN.  Returns buf. */
const char *figure_fit(char *buf, size_t size, double v, int decimals);

/* past_width - of so many columns, those that a past fills: each character is of
 * as many values.  past_put - it; a past of which
 * nothing is more than 0, to so many decimals, is drawn as 0. */
unsigned past_width(unsigned width);
void past_put(FILE *, const struct live_look *, const struct live_page *,
    const struct live_cell *, int decimals, unsigned width);

#endif
