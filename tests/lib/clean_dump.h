/*
 * tests/lib/clean_dump.h - a clean dump and its doctored copies: is some figure of a
 * page silently another one?
 */
#ifndef TESTS_CLEAN_DUMP_H
#define TESTS_CLEAN_DUMP_H

#include "tests/lib/figures.h"

/* What is looked at of each copy. */
struct clean_look {
	const char *range;      /* FIRST:LAST */
	const char *deltas;     /* of the deltas these samples; NULL: none */
	unsigned pages;         /* 1 << enum figures_page, of each */
	bool findings;          /* tally check finds what can be found */
	unsigned least;         /* copies that there have to be; 0: sixty, or of
	                         * the kernel's events alone twenty */
};

/* clean_dump_missed - of a dump; returns how many copies have such a figure.
 * Fails the test where there are too few; x86 false: of the kernel's events
 * alone. */
unsigned clean_dump_missed(const char *path, bool x86,
    const struct clean_look *);
/* clean_node_missed - of a machine, given as its text.  clean_grace_missed - of a
 * Grace with a fabric. */
unsigned clean_node_missed(const char *machine, const struct clean_look *);
unsigned clean_grace_missed(const struct clean_look *);

#endif
