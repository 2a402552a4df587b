/*
 * postproc/out/parquet_int.h - what the files that write Parquet share, from single bytes
 * up to the file: values encoded (encoding.c), a column chunk with its dictionary
 * (chunk_values.c, chunk.c), the file and its footer (parquet.c).
 * Sources: apache/parquet-format, Encodings.md; of page headers and the footer
 * apache/thrift, doc/specs/thrift-compact-protocol.md.
 */
#ifndef POSTPROC_OUT_PARQUET_INT_H
#define POSTPROC_OUT_PARQUET_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/arena.h"
#include "lib/lookup.h"
#include "postproc/out/parquet.h"

/*
 * Bytes that are appended to.  When memory runs out, failed is set and nothing more is
 * appended, so that the owner has to look at it only once, at the end.
 */
struct octets {
	uint8_t *data;
	size_t n, room;
	bool failed;
};

void octets_fini(struct octets *);

/* octets_add - appends n bytes; octets_byte - one.
 * octets_le - the lowest n bytes of a number, the lowest first.
 * octets_varint - a number as ULEB128: 7 bits in each byte.
 * octets_zigzag - the same of a signed number: 2n, or -2n - 1 where n < 0. */
void octets_add(struct octets *, const void *data, size_t n);
void octets_byte(struct octets *, unsigned byte);
void octets_le(struct octets *, uint64_t value, unsigned n);
void octets_varint(struct octets *, uint64_t value);
void octets_zigzag(struct octets *, int64_t value);

/* The numbers that the format gives to its encodings. */
enum page_encoding {
	ENCODING_PLAIN = 0,
	ENCODING_RLE = 3,               /* of definition levels */
	ENCODING_DELTA_BINARY_PACKED = 5,
	ENCODING_RLE_DICTIONARY = 8,
};

/* encode_plain - each value in 64 bits.
 * encode_delta - DELTA_BINARY_PACKED: differences modulo 2^64, in blocks of 128 that
 * have miniblocks of 32. */
void encode_plain(struct octets *, const uint64_t *value, size_t n);
void encode_delta(struct octets *, const uint64_t *value, size_t n);

/*
 * Small numbers of a page, most of which equal the one before.  They are kept as runs
 * and written as what Parquet calls the RLE / bit-packing hybrid.  A zeroed one is empty.
 */
struct hybrid_run {
	uint32_t value, n;
};

struct hybrid {
	struct hybrid_run *run;         /* [nrun] neighbours have different values */
	uint32_t nrun, room;
};

void hybrid_fini(struct hybrid *);

/* hybrid_add - appends a value n times; false: out of memory. */
bool hybrid_add(struct hybrid *, uint32_t value, uint32_t n);

/* hybrid_put - encodes all of them, width (1 to 32) bits each. */
void hybrid_put(const struct hybrid *, struct octets *, unsigned width);

/* bits_of - how many bits a value needs: 0 for 0. */
unsigned bits_of(uint64_t value);

/* ---- structures in Thrift's compact protocol: page headers and the footer -- */

/* The types of fields and of list elements. */
enum thrift_type { THRIFT_BYTE = 3, THRIFT_INT = 5, THRIFT_LONG = 6,
	THRIFT_BINARY = 8, THRIFT_LIST = 9, THRIFT_STRUCT = 12 };

/* A structure is written field by field, in ascending order, then ended:
 *
 *	struct thrift s = { .to = octets };
 *
 *	thrift_int(&s, 1, num_values);
 *	thrift_end(&s);
 */
struct thrift {
	struct octets *to;
	unsigned last;          /* number of the field written last */
};

void thrift_end(struct thrift *);

void thrift_bool(struct thrift *, unsigned field, bool);
void thrift_i8(struct thrift *, unsigned field, int8_t);
void thrift_int(struct thrift *, unsigned field, int32_t);
void thrift_long(struct thrift *, unsigned field, int64_t);
void thrift_binary(struct thrift *, unsigned field, const void *, size_t n);
void thrift_text(struct thrift *, unsigned field, const char *);
/* thrift_inner - begins a structure that is the value of a field; it has to be ended
 * before the outer one goes on.
 * thrift_list - begins a list; its n elements follow: structures from thrift_element, or
 * numbers written by octets_zigzag. */
struct thrift thrift_inner(struct thrift *, unsigned field);
void thrift_list(struct thrift *, unsigned field, enum thrift_type, size_t n);
struct thrift thrift_element(struct thrift *);

/* thrift_nothing - writes a field whose value is a structure without fields. */
void thrift_nothing(struct thrift *, unsigned field);

/* ---- the values of a column chunk: its dictionary, the least and greatest -- */

#define DICTIONARY_MOST 32768           /* values of a dictionary, at most */
#define DICTIONARY_BYTES (1u << 20)     /* and bytes of all its texts */

struct dictionary_value {
	uint64_t key;           /* a number itself; of a text its hash */
	const char *text;       /* NULL: a number */
};

/*
 * The different values of a column, each once, in the order in which they came; pages
 * then hold their indices.  A zeroed dictionary is empty.
 */
struct dictionary {
	struct dictionary_value *value; /* [n] */
	uint32_t n, room;
	uint32_t *slot;         /* [nslot] hash table: 1 + index of a value; 0: free;
				 * nslot is a power of two */
	uint32_t nslot;
	uint32_t last;          /* index that was returned last */
	size_t bytes;           /* of all texts */
	struct arena *arena;    /* where the texts are */
};

/* dictionary_number, dictionary_text - the index of a value, which is added if it is
 * new; -ENOSPC: it is new and the dictionary is full; -ENOMEM.
 * dictionary_empty - forgets all values, but keeps the memory to be filled anew. */
int dictionary_number(struct dictionary *, uint64_t value);
int dictionary_text(struct dictionary *, const char *text);
void dictionary_empty(struct dictionary *);
void dictionary_fini(struct dictionary *);

/* dictionary_put - appends all values as a dictionary page has them. */
void dictionary_put(const struct dictionary *, struct octets *);

/* The least and the greatest value so far.  A zeroed one has seen none. */
struct extremes {
	bool any;
	uint64_t least, most;   /* of a real its bits */
	char *least_text, *most_text;   /* allocated */
};

void extremes_fini(struct extremes *);

/* extremes_number - takes one value into account: a number, or the bits of a real.
 * extremes_numbers - n whole numbers.
 * extremes_text - a text; false: out of memory. */
void extremes_number(struct extremes *, enum parquet_type, uint64_t value);
void extremes_numbers(struct extremes *, enum parquet_type,
    const uint64_t *value, unsigned n);
bool extremes_text(struct extremes *, const char *);

/* ---- a column chunk: one column of one row group ---------------------------
 *
 * It is filled value by value; each page is encoded as soon as it is full.
 */

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

/* ---- the state of a file that is being written ------------------------- */

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

#endif
