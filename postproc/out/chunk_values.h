/*
 * postproc/out/chunk_values.h - what is kept of the values of a column chunk: its
 * dictionary, and the least and the greatest value.
 */
#ifndef POSTPROC_PARQUET_CHUNK_VALUES_H
#define POSTPROC_PARQUET_CHUNK_VALUES_H

#include "config/arena.h"
#include "postproc/out/encoding.h"
#include "postproc/out/parquet.h"

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

#endif
