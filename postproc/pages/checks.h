/*
 * postproc/pages/checks.h - is a dump sound: all that tally check finds of it.
 */
#ifndef POSTPROC_PAGES_CHECKS_H
#define POSTPROC_PAGES_CHECKS_H

#include "postproc/data/schedule.h"
#include "postproc/data/watchdog.h"
#include "postproc/pages/pairs.h"
#include "postproc/pages/skew.h"

enum { CHECK_LONGEST = 20,      /* late intervals that are reported one by one */
	CHECK_PER_OCTAVE = 32 };

/* Interval lengths: how many of which, and the longest themselves. */
struct check_lengths {
	uint32_t bucket[64 * CHECK_PER_OCTAVE];
	uint64_t n;
	/* by seconds for each that was planned */
	struct {
		double seconds;
		uint64_t sample, multiple;
	} longest[CHECK_LONGEST];
	struct planned planned;
};

struct check {
	struct intervals *iv;
	struct reader *reader;
	struct gather *gather;  /* NULL: nothing but intervals */
	struct metrics metrics; /* those that come with the programs */
	struct findings findings;
	struct watchdog watchdog;
	struct check_lengths lengths;
	struct pairs pairs;
	unsigned ncol;          /* columns so far, */
	uint32_t *heat;         /* those that are temperatures */
	unsigned nheat;
	struct skew skew;
	struct gather own;      /* of check_read */
	struct intervals *alone;
};

/*
 * check_begin - look at what a gather reads, from its first interval on; with
 * others, who ask it other things.  check_next - an interval, its sums.
 * check_end - after the last; -ENODATA without words where there was none.
 * Each returns 0 or -errno with words in why.
 */
int check_begin(struct check *, struct gather *, struct diag *why);
int check_next(struct check *, const struct interval *, const struct sums *,
    struct diag *why);
int check_end(struct check *, const struct select *, struct diag *why);
void check_fini(struct check *);

/* check_read - all of it, of the samples that are selected: as above. */
int check_read(struct check *, const char *path, const struct select *,
    struct diag *why);

/* check_findings - how many there are, notes aside. */
uint64_t check_findings(const struct check *);

#endif
