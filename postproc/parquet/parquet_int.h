/*
 * postproc/parquet/parquet_int.h - a Parquet file in the making; for its own
 * files alone.
 */
#ifndef POSTPROC_PARQUET_PARQUET_INT_H
#define POSTPROC_PARQUET_PARQUET_INT_H

#include "lib/lookup.h"
#include "postproc/parquet/chunk.h"

struct parquet_column {
	char *name;
	struct column_chunk chunk;
};

/* A row group that is in the file.  Columns that came later are not in it. */
struct parquet_rows {
	uint64_t rows;
	struct chunk_said *said;        /* [nsaid], by column */
	unsigned nsaid;
};

struct parquet_pair {
	char *key, *value;
};

struct parquet {
	FILE *f;
	uint64_t at;            /* bytes written */
	struct parquet_column *column;
	unsigned ncolumn, column_room;
	struct lookup names;    /* number of a column by its name */
	struct parquet_rows *group;
	unsigned ngroup, group_room;
	struct parquet_pair *pair;
	unsigned npair, pair_room;
	uint64_t cells;         /* of a row group, about */
	uint32_t page_rows;     /* of a page, at most */
	uint64_t row;           /* of the present group */
	unsigned ahead;         /* cells are of a row so many behind it */
	struct octets head;     /* of a chunk: its dictionary */
	struct octets text;     /* a cell, as UTF-8 */
	bool failed;            /* memory ran out */
};

/* parquet_write - to the file, which is that much longer. */
void parquet_write(struct parquet *, const void *, size_t n);

/* parquet_utf8 - a text as UTF-8: itself, or made in p->text. */
const char *parquet_utf8(struct parquet *, const char *);

/* footer_put - all that a reader begins with. */
void footer_put(const struct parquet *, struct octets *);

#endif
