/*
 * postproc/parquet/chunk.h - a column chunk, which is a column of one row group:
 * filled value by value, with its pages encoded as they become full.
 */
#ifndef POSTPROC_PARQUET_CHUNK_H
#define POSTPROC_PARQUET_CHUNK_H

#include "postproc/parquet/chunk_values.h"

#define PAGE_ROWS 16384
#define PAGE_TEXT (1u << 20)    /* bytes of texts in a page, about */

/* What the footer says of a chunk that is in the file. */
struct chunk_said {
	uint64_t at;            /* of its first page */
	uint64_t dictionary;    /* bytes of that if it is one; 0: none */
	uint64_t size;          /* of all pages */
	uint64_t rows, nulls;
	uint16_t encodings;     /* a bit each */
	struct extremes extremes;
};

struct column_chunk {
	enum parquet_type type;
	uint32_t most;          /* rows of a page */
	/* the page that is being filled */
	uint32_t rows, n;       /* of which n have a value: */
	struct hybrid level;    /* definition levels, 0 or 1 */
	struct hybrid which;    /* of the dictionary; where there is none, */
	uint64_t *value;        /* [n] */
	uint32_t room;
	struct octets text;     /* texts that are in no dictionary */
	/* all of it */
	bool full;              /* the dictionary takes no more */
	bool failed;            /* memory ran out */
	struct dictionary dictionary;
	struct octets pages;
	struct chunk_said said;
};

/* chunk_init - of pages of so many rows at most.  said.rows: of the rows before,
 * which have no value. */
void chunk_init(struct column_chunk *, enum parquet_type, uint32_t most);
void chunk_fini(struct column_chunk *);

/* chunk_number, chunk_text - the same value of n rows, from one on that comes
 * after all those that have one so far; rows between have none.  A number is
 * that, or the bits of a real. */
void chunk_number(struct column_chunk *, uint64_t row, uint64_t value,
    unsigned n);
void chunk_text(struct column_chunk *, uint64_t row, const char *, unsigned n);

/* chunk_numbers - of n rows: value[0], value[step], ...; none likewise, true where
 * a row has none; NULL: all have one. */
void chunk_numbers(struct column_chunk *, uint64_t row, const uint64_t *value,
    const bool *none, size_t step, unsigned n);

/*
 * chunk_end - as its row group ends, with `rows`: all pages of it.
 *
 * head   out: the dictionary's page; chunk->pages are to come behind it
 * said   out: all but where it is; the caller's
 *
 * And the chunk is empty again.  0 or -ENOMEM.
 */
int chunk_end(struct column_chunk *, uint64_t rows, struct octets *head,
    struct chunk_said *said);
void chunk_again(struct column_chunk *);

/*
 * chunk_absent - a chunk without values, for a row group of `rows` rows that
 * was begun before the column was.
 */
int chunk_absent(uint64_t rows, struct octets *pages,
    struct chunk_said *said);

#endif
