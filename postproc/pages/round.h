/*
 * postproc/pages/round.h - some intervals, added up: a round of event sets that take
 * turns.
 */
#ifndef POSTPROC_PAGES_ROUND_H
#define POSTPROC_PAGES_ROUND_H

#include "postproc/pages/gather.h"

struct round {
	double *value, *known_s, *bit;
	unsigned *nreading;
	double *share;
	const struct turns *turns;
	unsigned ncol, nbit, intervals;
	double seconds;
};

/* round_init - empty, for so many columns and watches; -ENOMEM. */
int round_init(struct round *, unsigned ncol, unsigned nbit);
void round_fini(struct round *);
void round_clear(struct round *);
/* round_add - gather_interval's; round_sums - of all of them, once. */
void round_add(struct round *, const struct sums *);
struct sums round_sums(struct round *, const struct reader *, double tsc_hz);

#endif
