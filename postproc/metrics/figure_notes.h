/*
 * postproc/metrics/figure_notes.h - what is said beside figures: why some of a page are
 * n/a, and which are outside the range of their metric.
 */
#ifndef POSTPROC_METRICS_FIGURE_NOTES_H
#define POSTPROC_METRICS_FIGURE_NOTES_H

#include "postproc/data/findings.h"
#include "postproc/metrics/gather.h"

#include <stdio.h>

#define WHY_NOT_REASONS 16
#define WHY_NOT_METRICS 6       /* names shown with a reason */

/* The reasons for n/a on a page, each once; zeroed to begin with. */
struct why_not {
	struct {
		char why[200];
		const struct metric *metric[WHY_NOT_METRICS];
		unsigned n;     /* metrics with this reason, shown or not */
	} reason[WHY_NOT_REASONS];
	unsigned n;             /* reasons */
	unsigned more;          /* figures that are n/a for yet other reasons */
};

/* why_not_take - notes a figure, if it is n/a and says why.
 * why_not_put - prints a line for each reason; nothing if there is none. */
void why_not_take(struct why_not *, const struct binding *,
    const struct figure *);
void why_not_put(const struct why_not *, FILE *);

/*
 * check_ranges - adds a finding for each metric whose value for a package or the node
 * is outside its range, so that its inputs must be wrong.  Has to be called after the gather
 * has read its last interval.  Returns 0 or -ENOMEM.
 */
int check_ranges(struct findings *, struct gather *, const struct metrics *);

#endif
