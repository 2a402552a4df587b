/*
 * postproc/data/counted.h - what a counter's delta is worth: tally deltas, and all
 * that has the same numbers.
 */
#ifndef POSTPROC_DATA_COUNTED_H
#define POSTPROC_DATA_COUNTED_H

#include "postproc/data/intervals.h"
#include "postproc/data/turns.h"

/* counted - is a column's delta of an interval a count, good or to be doubted?
 * counted_word - "good", "reset", ... or why it is none.  counted_share - the
 * part of the interval that it is of: 1 unless it takes turns. */
bool counted(const struct turns *, const struct interval *, unsigned column);
const char *counted_word(const struct turns *, const struct interval *,
    unsigned column);
double counted_share(const struct turns *, const struct interval *,
    unsigned column);

#endif
