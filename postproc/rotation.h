/*
 * postproc/rotation.h - event sets that took turns: how much of the time the
 * events of each were counted.
 */
#ifndef POSTPROC_ROTATION_H
#define POSTPROC_ROTATION_H

#include "postproc/bind.h"

struct rotation_set {
	const char *name;
	int enabled, running;   /* columns; -1: the dump has none */
};

struct rotation {
	struct rotation_set *set;
	unsigned n;             /* 0: nothing took turns */
	uint16_t *of;           /* column -> its set, + 1; 0: always counted */
	unsigned ncol;
	double *share;          /* what rotation_scale gives out */
	uint32_t *left_out;
};

/* A zeroed rotation is an empty one.  rotation_load - the sets of a dump whose
 * columns are known by now.  0 or -ENOMEM. */
int rotation_load(struct rotation *, const struct reader *);
void rotation_fini(struct rotation *);

/*
 * rotation_scale - the same sums, with each column's share of the time made
 * smaller by the share that its set ran: raw x enabled / running.
 *
 * The result is good until the next call.  Of a set that never ran, share is 0,
 * no value can be had, and all of it is left out.
 */
struct sums rotation_scale(struct rotation *, const struct sums *);

/* rotation_of - the set that a bound metric's events take turns in, the first
 * where there are several; -1: all of them are always counted. */
int rotation_of(const struct rotation *, const struct binding *, unsigned bound);

/* rotation_ran - the share of the time that set n ran, 0 to 1. */
double rotation_ran(const struct rotation *, unsigned n, const struct sums *);

#endif
