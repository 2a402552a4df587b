/*
 * postproc/html/phases.h - the phases of a run, from one mark of the head to the next,
 * as bands behind the timelines.
 */
#ifndef POSTPROC_HTML_PHASES_H
#define POSTPROC_HTML_PHASES_H

#include <stdio.h>

#include "postproc/html/timeline.h"

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

#endif
