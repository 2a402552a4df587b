/*
 * tests/lib/parquet_file.h - a reader of Parquet files of its own, which shares
 * nothing with the writer: reads what the format allows and tally writes, and
 * holds each file to what the format says.
 */
#ifndef TESTS_PARQUET_FILE_H
#define TESTS_PARQUET_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A cell; bits are of an INT64 or a DOUBLE. */
struct pq_cell {
	bool there;
	uint64_t bits;
	char *text;             /* of BYTE_ARRAY; len bytes and a NUL */
	uint32_t len;
};

struct pq_column {
	char *name;
	int type;               /* 2: INT64, 5: DOUBLE, 6: BYTE_ARRAY */
	int converted;          /* -1: none; 0: UTF8, 10: TIMESTAMP_MICROS, 14:
				 * UINT_64 */
	int logical;            /* the field of LogicalType; 0: none */
	struct pq_cell *cell;   /* [rows] */
};

/* Where the bytes of a file are: all of them. */
struct pq_bytes {
	uint64_t names;         /* of columns: in the schema and of each chunk */
	uint64_t bounds;        /* statistics */
	uint64_t rest;          /* of the footer; the magics */
	uint64_t page_heads, levels;
	uint64_t values;        /* dictionaries, too */
};

struct pq_file {
	struct pq_column *column;
	unsigned ncolumn;
	uint64_t rows;
	unsigned ngroup, npage; /* npage: without dictionaries */
	struct pq_bytes bytes;
	char **key, **value;    /* [nkey] */
	unsigned nkey;
	char wrong[300];        /* what is wrong with it; "": nothing */
};

/*
 * pq_read - all of a file: every cell, and that everything is as it should be.
 *
 * Checks the magics, that pages fill all the space before the footer, each once;
 * each page's CRC, encoding and number of values; that each chunk names the
 * encodings that it uses; its least and greatest value and the number of nulls,
 * by the values themselves; texts that are to be UTF-8.
 *
 * False: wrong has words.  pq_free either way.
 */
bool pq_read(struct pq_file *, const uint8_t *data, size_t n);
void pq_free(struct pq_file *);

/* pq_find - a column by name, or NULL; pq_value - of a key, or NULL. */
const struct pq_column *pq_find(const struct pq_file *, const char *name);
const char *pq_value(const struct pq_file *, const char *key);

#endif
