/*
 * postproc/parquet/parquet.h - an Apache Parquet file, written in one go: row by
 * row, in row groups, with nothing to go back to.
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
 * All columns are optional: what a row is not given is null.  Columns may be
 * added at any time; rows before have null.  Pages are of version 1, without
 * compression, with a CRC; each column chunk says its least and greatest value.
 * Source: apache/parquet-format, parquet.thrift and README.md, of 2.10.
 */
#ifndef POSTPROC_PARQUET_PARQUET_H
#define POSTPROC_PARQUET_PARQUET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "regs/diag.h"

enum parquet_type {
	PARQUET_INT,            /* int64_t: INT64, DELTA_BINARY_PACKED */
	PARQUET_COUNT,          /* uint64_t: the same; if there is one from 2^63
	                         * on, the column is UINT_64 */
	PARQUET_INT_FEW,        /* int64_t of few different: a dictionary */
	PARQUET_TIME,           /* us since 1970: TIMESTAMP_MICROS, UTC */
	PARQUET_REAL,           /* double: PLAIN */
	PARQUET_REAL_FEW,       /* the same of few different: a dictionary */
	PARQUET_TEXT,           /* a dictionary; bytes that are no UTF-8 are taken
	                         * as Latin-1 */
};

struct parquet;

/* parquet_new - to f, front to back; cells of a row group, about: pages that are
 * not full yet are kept whole, the others encoded.  NULL: out of memory. */
struct parquet *parquet_new(FILE *f, uint64_t cells);
void parquet_free(struct parquet *);            /* NULL accepted */

/* parquet_pages - columns that are added from now on have pages of so many rows at
 * most, 1 or more; 16384 where nobody says so. */
void parquet_pages(struct parquet *, uint32_t rows);

/* parquet_column - one more; which, or -ENOMEM.  No two have one name: the
 * second is NAME.2; names that differ in the case of letters are one to some. */
int parquet_column(struct parquet *, const char *name, enum parquet_type);

/* The cells of a row, in any order; parquet_row ends it.  A NaN is null, and so
 * is a text that is NULL. */
void parquet_number(struct parquet *, int column, uint64_t);
void parquet_real(struct parquet *, int column, double);
void parquet_text(struct parquet *, int column, const char *);
void parquet_row(struct parquet *);

/* parquet_ahead - from now on cells are of the row n rows after the one that is to
 * end next.  parquet_numbers - the numbers of n rows, from that one on, of a column
 * that has none of them yet: value[0], value[step] ...; none likewise, true where a
 * row has none; NULL: all have one.  parquet_same_number, _real, _text - one cell of n rows, from that
 * one on.  parquet_rows - n rows end; n of parquet_ahead is 0. */
void parquet_ahead(struct parquet *, unsigned n);
void parquet_same_number(struct parquet *, int column, uint64_t, unsigned n);
void parquet_same_real(struct parquet *, int column, double, unsigned n);
void parquet_same_text(struct parquet *, int column, const char *, unsigned n);
void parquet_numbers(struct parquet *, int column, const uint64_t *value,
    const bool *none, size_t step, unsigned n);
void parquet_rows(struct parquet *, unsigned n);

/* parquet_group - what is there so far is a row group: at a good place to part,
 * before there are too many rows. */
void parquet_group(struct parquet *);

/* parquet_key - a pair of the file's metadata. */
void parquet_key(struct parquet *, const char *key, const char *value);

/* parquet_end - the footer.  0, or -ENOMEM with words; the file's own errors are
 * ferror's. */
int parquet_end(struct parquet *, struct diag *why);

#endif
