/*
 * postproc/gather/why_not.h - below a page: why figures on it are n/a, each reason
 * once.
 */
#ifndef POSTPROC_GATHER_WHY_NOT_H
#define POSTPROC_GATHER_WHY_NOT_H

#include <stdio.h>

#include "postproc/metrics/bind.h"

#define WHY_NOT_REASONS 16
#define WHY_NOT_METRICS 6       /* named for a reason; of more, how many */

struct why_not {
	struct {
		char why[200];
		const struct metric *metric[WHY_NOT_METRICS];
		unsigned n;     /* metrics, in all */
	} reason[WHY_NOT_REASONS];
	unsigned n;             /* reasons; beyond that many, how many n/a */
	unsigned more;
};

/* why_not_take - note a figure, where it is n/a and says why. */
void why_not_take(struct why_not *, const struct binding *,
    const struct figure *);
/* why_not_put - a line a reason; nothing where there is none. */
void why_not_put(const struct why_not *, FILE *);

#endif
