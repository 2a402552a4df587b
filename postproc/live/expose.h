/*
 * postproc/live/expose.h - what a running daemon has to say, as series.  How they
 * are written is the exporters'.
 *
 * Totals go on over the stores of a run in segments, reloads and restarts.
 */
#ifndef POSTPROC_LIVE_EXPOSE_H
#define POSTPROC_LIVE_EXPOSE_H

#include "postproc/live/exposer.h"
#include "postproc/live/figures.h"

struct exposed {
	struct follow follow;   /* the first: its callbacks are given it */
	struct figures figures;
	bool no_raw;            /* metrics alone, no counters */
	unsigned nseries;       /* the last time */
	/* of the stores that are over: totals go on from there */
	struct carried carried;
	double start;           /* of the first sample, s since 1970 */
	double seam;            /* and of the last one */
	uint64_t samples, left_out;
};

/* exposed_init - of a store, or (NULL) the one there is; which scopes: a bit
 * each.  exposed_fini frees it. */
void exposed_init(struct exposed *, const char *store, unsigned scopes);
void exposed_fini(struct exposed *);

/* exposed_start - when the totals began, s since 1970.
 * exposed_samples, exposed_left_out - samples, and counts of one interval that are
 * in no total, since then. */
double exposed_start(const struct exposed *);
uint64_t exposed_samples(const struct exposed *);
uint64_t exposed_left_out(const struct exposed *);

/* expose - what there is now.  Of a daemon that is gone, or late, only that. */
void expose(struct exposed *, const struct exposer *);

#endif
