/*
 * postproc/out/parquet_int.h - the state of a Parquet file that is being written, for
 * parquet.c and footer.c.
 */
#ifndef POSTPROC_PARQUET_PARQUET_INT_H
#define POSTPROC_PARQUET_PARQUET_INT_H

#include "lib/lookup.h"
#include "postproc/out/chunk.h"

struct parquet_column {
	char *name;
	struct column_chunk chunk;
};

/* A row group that has been written.  Columns that were added later are not in it. */
struct parquet_rows {
	uint64_t rows;
	struct chunk_said *said;        /* [nsaid] by column */
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
	uint64_t row;           /* the current row, counted from 0 in each group */
	unsigned ahead;         /* cells are set so many rows after it */
	struct octets head;     /* working memory: the dictionary page of a chunk */
	struct octets text;     /* and a text as UTF-8 */
	bool failed;            /* memory ran out */
};

/* footer_put - encodes the file's metadata: columns, row groups, pairs. */
void footer_put(const struct parquet *, struct octets *);

#endif
