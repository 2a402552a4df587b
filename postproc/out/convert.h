/*
 * postproc/out/convert.h - the formats that tally convert writes.
 */
#ifndef POSTPROC_OUT_CONVERT_H
#define POSTPROC_OUT_CONVERT_H

#include <stdio.h>

#include "postproc/data/intervals.h"

/*
 * Each writes the samples of iv, columns as in `columns` (a reader of the same
 * file, read to its end, or iv's own where the file cannot be read twice).
 * Returns 0 or -errno with words in why.
 */
int convert_csv(struct intervals *iv, const struct reader *columns, FILE *,
    struct diag *why);
/* convert_npy - a NumPy matrix of uint64, one row a sample: its number, then
 * the columns; 2^64 - 1 where there is no value. */
int convert_npy(struct intervals *iv, const struct reader *columns, FILE *,
    struct diag *why);
/* convert_npy_columns - what the columns of that matrix are, as CSV. */
void convert_npy_columns(const struct reader *columns, FILE *);
/* convert_lua - the same assignments, wrapped in functions of at most n. */
int convert_lua(struct intervals *iv, unsigned n, FILE *, struct diag *why);

#endif
