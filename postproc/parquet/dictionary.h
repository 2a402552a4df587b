/*
 * postproc/parquet/dictionary.h - the different values of a column, each of which
 * its pages name by number.
 */
#ifndef POSTPROC_PARQUET_DICTIONARY_H
#define POSTPROC_PARQUET_DICTIONARY_H

#include "config/arena.h"

#include "postproc/parquet/octets.h"

#define DICTIONARY_MOST 32768           /* values, */
#define DICTIONARY_BYTES (1u << 20)     /* and those of texts */

struct dictionary_value {
	uint64_t key;           /* the value; of a text its hash */
	const char *text;       /* NULL: a number */
};

struct dictionary {
	struct dictionary_value *value; /* [n] */
	uint32_t n, room;
	uint32_t *slot;         /* [nslot], a power of two: 1 + which; 0: free */
	uint32_t nslot;
	uint32_t last;          /* which was asked for last */
	size_t bytes;           /* of texts */
	struct arena *arena;    /* which are in there */
};

/* dictionary_number, dictionary_text - which value it is, which is added where it
 * is new; -ENOSPC: there are as many as it takes; -ENOMEM.  A zeroed one is
 * empty.  dictionary_empty - and is to be filled anew. */
int dictionary_number(struct dictionary *, uint64_t value);
int dictionary_text(struct dictionary *, const char *text);
void dictionary_empty(struct dictionary *);
void dictionary_fini(struct dictionary *);

/* dictionary_put - all of them as a page has them. */
void dictionary_put(const struct dictionary *, struct octets *);

#endif
