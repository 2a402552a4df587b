/*
 * postproc/html/still.h - pictures of metrics over time as inline SVG, which need no
 * script: axes with ticks, a legend with the figures of all samples, and the phases of
 * the run as bands behind the lines.
 */
#ifndef POSTPROC_HTML_STILL_H
#define POSTPROC_HTML_STILL_H

#include <stdio.h>

#include "postproc/html/timeline.h"

/* A phase of a run: from one mark of the head to the next. */
struct phase {
	unsigned mark;          /* its number: -s @MARK */
	uint64_t first, last;   /* its samples, as far as the timeline has them */
	double from, to;        /* s after the dump's first sample */
};

struct phases {
	struct phase *phase;
	unsigned n;
	double from, to;        /* of the timeline */
};

/* phases_find - find the phases that are in the timeline.  0 or -ENOMEM; call
 * phases_free in any case; it accepts zeros. */
int phases_find(struct phases *, const struct reader *, const struct timeline *);
void phases_free(struct phases *);

/* phases_put - write a strip with their names, which scripts turn into buttons, and a
 * table; nothing where there are no phases. */
void phases_put(const struct phases *, FILE *);
/* phases_bands - draw them behind the lines of a picture of that size.
 * phases_names - write their names above it. */
void phases_bands(const struct phases *, FILE *, double width, double height);
void phases_names(const struct phases *, FILE *);
/* phases_json - write "phases":[[mark, first, last, from, to], ...]. */
void phases_json(const struct phases *, FILE *);

#define STILL_LINES 8           /* as many as there are colours */

/* A picture: some lines of one unit, and their names in the legend. */
struct still_chart {
	const char *title;
	const struct line *line[STILL_LINES];
	char name[STILL_LINES][60];
	unsigned n;
};

/* still_add - add the lines of a metric: those of its packages; where these are too
 * many, or it has none, the node's.  `label` stands before each name, or "".  False:
 * the metric has no line, its unit is not that of the picture, or there is no room.
 * still_known - has some line a value anywhere? */
bool still_add(struct still_chart *, const struct timeline *, const char *metric,
    const char *label);
bool still_known(const struct still_chart *);

/* still_put - draw it: each line in a band from its least to its greatest value; a bar
 * across where a value is doubted or missing. */
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
