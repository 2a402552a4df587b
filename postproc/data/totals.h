/*
 * postproc/data/totals.h - deltas added up, and what was left out of the sums.
 */
#ifndef POSTPROC_DATA_TOTALS_H
#define POSTPROC_DATA_TOTALS_H

#include "postproc/data/own_time.h"

#include <stdio.h>

/* What is left out of the sum of one column. */
struct left_out {
	uint32_t n[DELTA_KINDS];        /* intervals, by kind */
	double seconds;                 /* that they took */
	uint64_t first_sample;          /* the end of the first of them */
	uint32_t first_kind;            /* enum delta_kind of that one */
};

struct totals {
	unsigned ncol, room;
	uint64_t *sum;                  /* by column; of readings it has no meaning */
	struct left_out *left;
	struct turns turns;             /* a caller that wants shares loads this */
	struct own_time own;            /* a caller that wants seconds loads this,
	                                 * and adds each interval to it first */
	uint64_t intervals;
	double seconds;
};

/* totals_add - adds an interval; 0 or -ENOMEM.  A zeroed totals is empty. */
int totals_add(struct totals *, const struct interval *);
void totals_fini(struct totals *);

/* totals_left_out - how many intervals are not in a column's sum.
 * totals_doubtful - how many are in it though their delta is doubtful. */
uint32_t totals_left_out(const struct totals *, unsigned column);
uint32_t totals_doubtful(const struct totals *, unsigned column);
/* totals_share - the part of the time in which a column was counted, where its events
 * take turns; else 1. */
double totals_share(const struct totals *, unsigned column);
/* totals_missed - why a column's sum is no count, as turns_missed says it; or NULL. */
const char *totals_missed(const struct totals *, unsigned column);
/* totals_seconds - how many seconds a column's sum is of, by its stamp. */
double totals_seconds(const struct totals *, unsigned column);
/* left_out_words - "1 of 29 intervals: reset (first at sample 18)". */
const char *left_out_words(const struct left_out *, uint64_t intervals,
    char *buf, size_t size);

/* put_name - prints a column's name with a suffix behind its family:
 * imc_counts_total[0][1]["X"]. */
void put_name(FILE *, const struct column *, const char *suffix);

#endif
