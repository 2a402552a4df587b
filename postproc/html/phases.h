/*
 * postproc/html/phases.h - the phases of a run (marks of the head), as bands.
 */
#ifndef POSTPROC_HTML_PHASES_H
#define POSTPROC_HTML_PHASES_H

#include <stdio.h>

#include "postproc/html/timeline.h"

struct phase {
	unsigned mark;          /* -s @MARK */
	uint64_t first, last;   /* samples of it that the timeline has */
	double from, to;        /* s after the dump's first sample */
};

struct phases {
	struct phase *phase;
	unsigned n;
	double from, to;        /* of the timeline */
};

/* phases_find - those of the head that are in the timeline.  0 or -ENOMEM;
 * phases_free accepts either, and zeros. */
int phases_find(struct phases *, const struct reader *, const struct timeline *);
void phases_free(struct phases *);

/* phases_put - a strip with their names, which scripts make buttons of, and a
 * table; nothing where there are none. */
void phases_put(const struct phases *, FILE *);
/* phases_bands - behind the lines of a picture so wide and high; phases_names -
 * above it. */
void phases_bands(const struct phases *, FILE *, double width, double height);
void phases_names(const struct phases *, FILE *);
/* phases_json - "phases":[[mark, first, last, from, to], ...] */
void phases_json(const struct phases *, FILE *);

#endif
