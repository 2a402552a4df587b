/*
 * postproc/pages/checks.h - is a dump sound: all that tally check finds of it.
 */
#ifndef POSTPROC_PAGES_CHECKS_H
#define POSTPROC_PAGES_CHECKS_H

#include "postproc/data/watchdog.h"
#include "postproc/pages/ranges.h"

enum { CHECK_LONGEST = 20,      /* late intervals that are reported one by one */
	CHECK_PER_OCTAVE = 32 };

/* Interval lengths: how many of which, and the longest themselves. */
struct check_lengths {
	uint32_t bucket[64 * CHECK_PER_OCTAVE];
	uint64_t n;
	struct { double seconds; uint64_t sample; } longest[CHECK_LONGEST];
};

struct check {
	struct intervals *iv;
	struct reader *reader;
	struct findings findings;
	struct watchdog watchdog;
	struct check_lengths lengths;
	struct pairs pairs;
	unsigned ncol;          /* columns so far */
	uint64_t skew, rest;    /* TSC counts: the widest sample, and its
	                         * longest block */
	uint64_t skewed;        /* which sample that is */
	bool stamped;           /* blocks have stamps of their own */
};

/*
 * check_read - read the samples that are selected, and look at all of it.
 *
 * Returns 0, or -errno with words in why; -ENODATA without words where there is
 * no interval to look at.  check_fini accepts whatever it left.
 */
int check_read(struct check *, const char *path, const struct select *,
    struct diag *why);
void check_fini(struct check *);

/* check_findings - how many there are, notes aside. */
uint64_t check_findings(const struct check *);

#endif
