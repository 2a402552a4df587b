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

#define GLANCES 12              /* at most */

/* The timelines that are looked at first, as the view has them: busy, floating point or
 * instructions, memory, power, frequency, I/O.  One still_chart a question of the view;
 * its n is 0 where the dump has no answer. */
struct glance {
	struct still_chart still[GLANCES];
	unsigned n;
};

/* glance_find - take the first answer to each question that the dump has.
 * glance_put - draw them.
 * glance_put_others - draw other main metrics, unless they are always 0.
 * glance_json - write "glance":[{"title","lines":[[line, name], ...]}, ...], for the
 * script. */
void glance_find(struct glance *, const struct timeline *);
void glance_put(const struct glance *, const struct timeline *,
    const struct phases *, FILE *);
void glance_put_others(const struct glance *, const struct timeline *,
    const struct phases *, FILE *);
void glance_json(const struct glance *, const struct timeline *, FILE *);

#endif
