/*
 * postproc/data/totals.h - deltas added up, and what was left out of the sums.
 */
#ifndef POSTPROC_DATA_TOTALS_H
#define POSTPROC_DATA_TOTALS_H

#include "postproc/data/own_time.h"

#include <stdio.h>

/* What is not in the sum of one column. */
struct left_out {
	uint32_t n[DELTA_KINDS];        /* intervals, by kind */
	double seconds;                 /* that they took */
	uint64_t first_sample;          /* the end of the first of them */
	uint32_t first_kind;            /* enum delta_kind of that one */
};

struct totals {
	unsigned ncol, room;
	uint64_t *sum;                  /* by column; readings: nothing */
	struct left_out *left;
	struct turns turns;             /* whoever wants shares loads them, */
	struct own_time own;            /* and who wants seconds that, and adds
	                                 * each interval to it first */
	uint64_t intervals;
	double seconds;
};

/* totals_add - one interval more; -ENOMEM.  A zeroed totals is empty. */
int totals_add(struct totals *, const struct interval *);
void totals_fini(struct totals *);

/* totals_left_out - intervals that are not in a column's sum; totals_doubtful -
 * those that are, though they should be in no figure. */
uint32_t totals_left_out(const struct totals *, unsigned column);
uint32_t totals_doubtful(const struct totals *, unsigned column);
/* totals_share - the part of the time that it was counted, where its events
 * took turns; else 1. */
double totals_share(const struct totals *, unsigned column);
/* totals_missed - as turns_missed, of its sum. */
const char *totals_missed(const struct totals *, unsigned column);
/* totals_seconds - the time that a column's sum is of, by its block's stamps. */
double totals_seconds(const struct totals *, unsigned column);
/* left_out_words - "1 of 29 intervals: reset (first at sample 18)". */
const char *left_out_words(const struct left_out *, uint64_t intervals,
    char *buf, size_t size);

/* put_name - imc_counts_total[0][1]["X"]: a column with a suffix to its family. */
void put_name(FILE *, const struct column *, const char *suffix);

#endif
