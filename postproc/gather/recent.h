/*
 * postproc/gather/recent.h - what a gather that goes on has added up of late: over
 * the last minute, say.
 *
 *	while ((rc = gather_next(g, why)) > 0)
 *		if (recent_take(&recent, g) < 0) ...
 *	... recent_sums(&recent, g) ...
 *
 * What all intervals add up to is kept at most sixty times a span; what lies
 * between then and now is the difference.
 */
#ifndef POSTPROC_GATHER_RECENT_H
#define POSTPROC_GATHER_RECENT_H

#include "postproc/gather/gather.h"

struct recent {
	double span;            /* s */
	struct added *kept;     /* what was added up by then, the oldest first */
	unsigned n;
	struct added *since;    /* the difference to one of them */
	struct sums sums;
};

/* recent_init - of the last `span` seconds; -ENOMEM.  recent_fini accepts what it
 * left, or zeros. */
int recent_init(struct recent *, double span);
void recent_fini(struct recent *);

/* recent_take - once after each gather_next; -ENOMEM. */
int recent_take(struct recent *, const struct gather *);

/*
 * recent_sums - over the span, as far as there was one: sums.seconds says.  When
 * columns have come it begins again.  The sums hold until the next call, or
 * one of gather_interval or gather_sums.
 */
const struct sums *recent_sums(struct recent *, struct gather *);
/* recent_round - the same over the last whole round of event sets, or as little
 * more as is kept; NULL: there was none yet. */
const struct sums *recent_round(struct recent *, struct gather *);

#endif
