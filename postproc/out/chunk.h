/*
 * postproc/out/chunk.h - a column chunk: one column of one row group.  It is filled
 * value by value; each page is encoded as soon as it is full.
 */
#ifndef POSTPROC_PARQUET_CHUNK_H
#define POSTPROC_PARQUET_CHUNK_H

#include "postproc/out/chunk_values.h"

#define PAGE_ROWS 16384         /* rows of a page, unless parquet_pages says else */
#define PAGE_TEXT (1u << 20)    /* a page with so many bytes of text is full, too */

/* What the footer of the file says of a chunk. */
struct chunk_said {
	uint64_t at;            /* offset of its first page in the file */
	uint64_t dictionary;    /* size of its dictionary page, which is the first; 0:
				 * there is none */
	uint64_t size;          /* of all pages, bytes */
	uint64_t rows, nulls;
	uint16_t encodings;     /* a bit for each enum page_encoding in use */
	struct extremes extremes;
};

struct column_chunk {
	enum parquet_type type;
	uint32_t most;          /* rows of a page, at most */
	/* the page that is being filled: */
	uint32_t rows, n;       /* rows so far, and how many of these have a value */
	struct hybrid level;    /* definition level of each row: 1 if it has a value */
	/* its values are in one of these: */
	struct hybrid which;    /* indices of the dictionary */
	uint64_t *value;        /* [n] numbers, if there is no dictionary */
	uint32_t room;
	struct octets text;     /* encoded texts, if the dictionary is full */
	/* the whole chunk: */
	bool full;              /* the dictionary takes no more values */
	bool failed;            /* memory ran out */
	struct dictionary dictionary;
	struct octets pages;    /* complete data pages */
	struct chunk_said said;
};

/* chunk_init - an empty chunk whose pages have at most that many rows. */
void chunk_init(struct column_chunk *, enum parquet_type, uint32_t most);
void chunk_fini(struct column_chunk *);

/* chunk_number, chunk_text - give the same value to n rows, the first of which is `row`.
 * It has to be after all rows that were given; rows in between have no value.  A number
 * may also be the bits of a real. */
void chunk_number(struct column_chunk *, uint64_t row, uint64_t value,
    unsigned n);
void chunk_text(struct column_chunk *, uint64_t row, const char *, unsigned n);

/* chunk_numbers - gives n rows the numbers value[0], value[step], ...; none[0],
 * none[step], ... is true where a row has no value; none NULL: all have one. */
void chunk_numbers(struct column_chunk *, uint64_t row, const uint64_t *value,
    const bool *none, size_t step, unsigned n);

/*
 * chunk_end - end the chunk when its row group ends, with so many rows.  The file gets
 * head, then chunk->pages; after that comes chunk_again.
 *
 * head   out: the dictionary page, or nothing
 * said   out: all but `at`; the caller frees its extremes
 *
 * Returns 0 or -ENOMEM.
 */
int chunk_end(struct column_chunk *, uint64_t rows, struct octets *head,
    struct chunk_said *said);
/* chunk_again - empties the chunk for the next row group. */
void chunk_again(struct column_chunk *);

/*
 * chunk_absent - make a chunk without values, for a row group that was written before its
 * column was added.
 */
int chunk_absent(uint64_t rows, struct octets *pages,
    struct chunk_said *said);

#endif
