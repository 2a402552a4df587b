/*
 * tests/lib/parquet_bounds.h - what a column chunk says of its values, by these.
 */
#ifndef TESTS_PARQUET_BOUNDS_H
#define TESTS_PARQUET_BOUNDS_H

#include "tests/lib/parquet_file.h"
#include "tests/lib/parquet_thrift.h"

/* bounds_wrong - what is wrong with a structure Statistics, of cells of so many
 * rows: the number of nulls, the least, the greatest value.  NULL: nothing. */
const char *bounds_wrong(const struct pq_column *, const struct pq_cell *,
    uint64_t rows, const struct tree *said);

#endif
