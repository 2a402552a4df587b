/*
 * postproc/out/parquet.h - writes an Apache Parquet file front to back, row by row.
 *
 *	struct parquet *p = parquet_new(f, 1 << 20);
 *	int host = parquet_column(p, "host", PARQUET_TEXT);
 *	int reads = parquet_column(p, "reads", PARQUET_COUNT);
 *
 *	while (...) {
 *		parquet_text(p, host, "n1");
 *		parquet_number(p, reads, 5);
 *		parquet_row(p);
 *	}
 *	rc = parquet_end(p, why);
 *	parquet_free(p);
 *
 * All columns are optional: a cell that is not given is null.  Columns may be added at
 * any time; earlier rows have null there.  Pages are of version 1, without compression,
 * with a CRC; each column chunk has its least and greatest value.
 * Source: apache/parquet-format, parquet.thrift and README.md, of 2.10.
 */
#ifndef POSTPROC_PARQUET_PARQUET_H
#define POSTPROC_PARQUET_PARQUET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/diag.h"

enum parquet_type {
	PARQUET_INT,            /* int64_t: INT64, DELTA_BINARY_PACKED */
	PARQUET_COUNT,          /* uint64_t: the same; UINT_64 if any value is 2^63 or
	                         * more */
	PARQUET_INT_FEW,        /* int64_t with few different values: dictionary */
	PARQUET_TIME,           /* us since 1970: TIMESTAMP_MICROS in UTC, dictionary */
	PARQUET_REAL,           /* double: PLAIN */
	PARQUET_REAL_FEW,       /* double with few different values: dictionary */
	PARQUET_TEXT,           /* dictionary; bytes that are not UTF-8 are taken as
	                         * Latin-1 */
};

struct parquet;

/* parquet_new - begins a file in f; cells: how many a row group has, about.  A row group
 * is kept in memory until it is complete, its full pages encoded.  NULL: out of
 * memory. */
struct parquet *parquet_new(FILE *f, uint64_t cells);
void parquet_free(struct parquet *);            /* NULL accepted */

/* parquet_pages - columns that are added from now on have pages of at most that many rows
 * (1 or more); 16384 if it is not called. */
void parquet_pages(struct parquet *, uint32_t rows);

/* parquet_column - adds a column, and returns its number, or -ENOMEM.  If the name is in
 * use already, NAME.2 is taken instead; names that differ only in case are equal, as some
 * readers ignore case. */
int parquet_column(struct parquet *, const char *name, enum parquet_type);

/* These set the cells of a row, in any order; parquet_row ends it.  NaN and a text that
 * is NULL are null; a negative column is ignored. */
void parquet_number(struct parquet *, int column, uint64_t);
void parquet_real(struct parquet *, int column, double);
void parquet_text(struct parquet *, int column, const char *);
void parquet_row(struct parquet *);

/*
 * Many rows at a time, column by column:
 *
 * parquet_ahead - cells are now set n rows after the current row.
 * parquet_same_number, _real, _text - set the cells of n rows, beginning there, to one
 * value.
 * parquet_numbers - sets n rows, beginning there, to value[0], value[step], ...; none[0],
 * none[step], ... is true where a row has no value; none NULL: all have one.
 * parquet_rows - ends n rows, and sets n of parquet_ahead to 0.
 */
void parquet_ahead(struct parquet *, unsigned n);
void parquet_same_number(struct parquet *, int column, uint64_t, unsigned n);
void parquet_same_real(struct parquet *, int column, double, unsigned n);
void parquet_same_text(struct parquet *, int column, const char *, unsigned n);
void parquet_numbers(struct parquet *, int column, const uint64_t *value,
    const bool *none, size_t step, unsigned n);
void parquet_rows(struct parquet *, unsigned n);

/* parquet_group - ends the row group, before it is full. */
void parquet_group(struct parquet *);

/* parquet_key - adds a pair to the file's metadata. */
void parquet_key(struct parquet *, const char *key, const char *value);

/* parquet_end - writes the footer.  0; or -ENOMEM with words in why: memory ran out at
 * some time.  The caller checks f for errors. */
int parquet_end(struct parquet *, struct diag *why);

#endif
