/*
 * postproc/html/still.h - pictures of metrics over time as inline SVG, which need no
 * script: axes with ticks, a legend with the figures of all samples.
 */
#ifndef POSTPROC_HTML_STILL_H
#define POSTPROC_HTML_STILL_H

#include <stdio.h>

#include "postproc/html/phases.h"

#define STILL_LINES 8           /* as many as there are colours */

/* What a picture has: lines of one unit, named. */
struct still_chart {
	const char *title;
	const struct line *line[STILL_LINES];
	char name[STILL_LINES][60];
	unsigned n;
};

/* still_add - a metric's lines, of packages or, where they are too many or it has
 * none, of the node; label is before each name, or "".  False: it has none, another
 * unit, or no room.
 * still_known - has any a value anywhere? */
bool still_add(struct still_chart *, const struct timeline *, const char *metric,
    const char *label);
bool still_known(const struct still_chart *);

/* still_put - a picture: lines in bands from their least to their greatest value;
 * where a value is doubted or missing, a bar across. */
void still_put(const struct timeline *, const struct phases *,
    const struct still_chart *, FILE *);

#endif
