/*
 * postproc/pages/skew.h - how far apart the readings of one sample are.
 *
 * Each block's rates are by its own stamp, however late that is.  What was read
 * under one stamp, but later, has rates that are wrong by as much of the interval.
 */
#ifndef POSTPROC_PAGES_SKEW_H
#define POSTPROC_PAGES_SKEW_H

#include "postproc/data/findings.h"
#include "postproc/data/intervals.h"

struct skew {
	unsigned ncol;          /* columns so far, */
	uint32_t *stamp;        /* those that are stamps */
	uint64_t *reads;        /* [nstamp] of one sample, and its end */
	unsigned nstamp;
	int tsc, duration, block;       /* columns; -1 */
	uint64_t widest, rest;  /* TSC counts: the widest sample, and its
	                         * longest block */
	uint64_t sample;        /* which sample that is */
	bool stamped;           /* blocks have stamps of their own */
	bool ended;             /* and one stamp may be that of all: the end of
	                         * the sample is how far apart they may be */
};

/* skew_columns - columns that have come; 0 or -ENOMEM. */
int skew_columns(struct skew *, const struct reader *, unsigned ncol);

/* skew_interval - the next sample; what makes its rates wrong is a finding. */
void skew_interval(struct skew *, const struct interval *, double tsc_hz,
    struct findings *);

/* skew_note - of the widest of all. */
void skew_note(const struct skew *, double tsc_hz, struct findings *);

/* skew_seconds - as far as is known; -1: nobody will say. */
double skew_seconds(const struct skew *, double tsc_hz);

void skew_fini(struct skew *);

#endif
