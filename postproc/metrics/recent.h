/*
 * postproc/metrics/recent.h - what a gather has added up in the last minute, say, while it
 * follows a store.
 *
 *	while ((rc = gather_next(g, why)) > 0)
 *		if (recent_take(&recent, g) < 0) ...
 *	... recent_sums(&recent, g) ...
 *
 * Up to sixty times a span it keeps a copy of what the gather has added up so far; the
 * difference to the oldest copy is what was added up since.
 */
#ifndef POSTPROC_METRICS_RECENT_H
#define POSTPROC_METRICS_RECENT_H

#include "postproc/metrics/gather.h"

struct recent {
	double span;            /* s */
	struct added *kept;     /* [n] copies, the oldest first */
	unsigned n;
	struct added *since;    /* room for the difference to one of them */
	struct sums sums;
};

/* recent_init - for the last `span` seconds; 0 or -ENOMEM.  recent_fini accepts
 * whatever it left, or zeros. */
int recent_init(struct recent *, double span);
void recent_fini(struct recent *);

/* recent_take - to be called once after each gather_next; 0 or -ENOMEM. */
int recent_take(struct recent *, const struct gather *);

/*
 * recent_sums - the sums over the span, or over less where the gather has not gone on
 * for so long (sums.seconds says), or new columns made it begin again.  Valid until
 * the next call, or one of gather_interval or gather_sums.
 */
const struct sums *recent_sums(struct recent *, struct gather *);
/* recent_round - the sums since the latest copy that is at least a whole round of event sets
 * old; NULL: there was no whole round yet. */
const struct sums *recent_round(struct recent *, struct gather *);

#endif
