/*
 * postproc/pages/checks.h - is a dump sound?  All that tally check finds.
 */
#ifndef POSTPROC_PAGES_CHECKS_H
#define POSTPROC_PAGES_CHECKS_H

#include "postproc/data/intervals.h"
#include "postproc/data/findings.h"
#include "postproc/pages/pairs.h"

enum { CHECK_LONGEST = 20,      /* late intervals that are reported one by one */
	CHECK_PER_OCTAVE = 32 };

/* The lengths of intervals: a histogram by their logarithm, and the longest ones. */
struct check_lengths {
	uint32_t bucket[64 * CHECK_PER_OCTAVE];
	uint64_t n;
	/* the longest first; seconds: divided by multiple, the number of planned
	 * intervals between its samples */
	struct {
		double seconds;
		uint64_t sample, multiple;
	} longest[CHECK_LONGEST];
	struct planned planned;
};

/*
 * How far apart the readings of one sample are.  Rates of a block are by the
 * block's own stamp.  A register that was read later under the same stamp has rates
 * that are wrong by that part of the interval.
 */
struct skew {
	unsigned ncol;          /* columns so far */
	uint32_t *stamp;        /* [nstamp] which of these are stamps */
	uint64_t *reads;        /* [nstamp + 1] the stamps of one sample, and its
	                         * end */
	unsigned nstamp;
	int tsc, duration, block;       /* columns; -1: there is none */
	/* TSC counts: how long the longest sample took, and the longest block of
	 * that sample */
	uint64_t widest, rest;
	uint64_t sample;        /* which sample that is */
	bool stamped;           /* blocks have stamps of their own */
	bool ended;             /* one stamp may be that of all registers: they
	                         * were read between it and the end of the sample */
};

/* skew_note - add a note about the sample that took longest. */
void skew_note(const struct skew *, double tsc_hz, struct findings *);
/* skew_seconds - how many seconds that sample was read for; -1: not known. */
double skew_seconds(const struct skew *, double tsc_hz);
void skew_fini(struct skew *);

struct check {
	struct intervals *iv;
	struct reader *reader;
	struct gather *gather;  /* NULL: only intervals are read, no metrics */
	struct metrics metrics; /* the built-in ones */
	struct findings findings;
	struct watchdog watchdog;
	struct check_lengths lengths;
	struct pairs pairs;
	unsigned ncol;          /* columns so far */
	uint32_t *heat;         /* which of these are temperatures */
	unsigned nheat;
	struct skew skew;
	/* what check_read opens: a gather, or intervals alone */
	struct gather own;
	struct intervals *alone;
};

/*
 * check_begin - begin to check what a gather reads, from its first interval on.  Others may
 * use the same gather.
 * check_next - check one interval, of which these are the sums.
 * check_end - check the whole, after the last interval.  -ENODATA without words: there was
 * no interval.
 * Each returns 0, or -errno with words in why.
 */
int check_begin(struct check *, struct gather *, struct diag *why);
int check_next(struct check *, const struct interval *, const struct sums *,
    struct diag *why);
int check_end(struct check *, const struct select *, struct diag *why);
void check_fini(struct check *);

/* check_read - do all of that for the selected samples of a file.  Returns as
 * check_end. */
int check_read(struct check *, const char *path, const struct select *,
    struct diag *why);

/* check_interval - for checks.c: look at one interval.  0 or -ENOMEM. */
int check_interval(struct check *, const struct interval *);

/* check_findings - how many findings there are; notes do not count. */
uint64_t check_findings(const struct check *);

#endif
