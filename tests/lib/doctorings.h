/*
 * tests/lib/doctorings.h - what is done to dumps in more than sixty ways: clocks that
 * jump, values that cannot be, counters that stand still or are lost.
 */
#ifndef TESTS_DOCTORINGS_H
#define TESTS_DOCTORINGS_H

#include "tests/lib/doctor.h"

/* A copy of a dump, doctored. */
struct doctored_copy {
	const char *path;
	int line;               /* of doctorings.c */
	double lost;            /* a part of the samples is somebody else's */
	bool told;              /* tally check has a finding of it */
};

/*
 * doctorings_each - write each doctored copy of a dump, and look at it.
 *
 * x86  the dump has lprocs and boxes of Intel's, not the kernel's events alone
 * n    out: how many copies there were: what a dump has no column of is none
 *
 * Returns how many of them `seen_through` did not accept.
 */
typedef bool doctorings_look(void *arg, const struct doctored_copy *);
unsigned doctorings_each(const struct doctored *clean, bool x86,
    doctorings_look *seen_through, void *arg, unsigned *n);

/* simulated_dump - 15 samples of a machine, given as its text, by tallyd with `more`
 * options; its path, in a buffer of 512. */
const char *simulated_dump(const char *machine, const char *more, char *path);

#endif
