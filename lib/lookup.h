/*
 * lib/lookup.h - a hash table, to find an element of an array by its name.
 *
 * It holds pairs of a hash and a number, which is the element's index.  Two names
 * may have the same hash, so the caller compares the names themselves:
 *
 *	LOOKUP_EACH(i, l, hash)
 *		if (strcmp(thing[i].name, name) == 0)
 *
 * Entries with the same hash are returned in the order in which they were added.
 */
#ifndef LIB_LOOKUP_H
#define LIB_LOOKUP_H

#include <stddef.h>
#include <stdint.h>

#define LOOKUP_END UINT32_MAX

struct lookup_entry {
	uint64_t hash;
	uint32_t value;
	uint32_t next;          /* entry of the same chain; or LOOKUP_END */
};

/* Empty if all bytes are 0. */
struct lookup {
	struct lookup_entry *entry;
	uint32_t (*chain)[2];   /* [room] first and last entry of each chain */
	uint32_t n, room;       /* entries; room is a power of two */
};

/* lookup_add - add an entry.  0 or -ENOMEM.
 * lookup_first, lookup_next - the first entry with a hash, and the next one with the
 * same hash; LOOKUP_END: there is none.
 * lookup_value - the number of an entry. */
int lookup_add(struct lookup *, uint64_t hash, uint32_t value);
uint32_t lookup_first(const struct lookup *, uint64_t hash);
uint32_t lookup_next(const struct lookup *, uint32_t at);
uint32_t lookup_value(const struct lookup *, uint32_t at);
void lookup_fini(struct lookup *);

/* LOOKUP_EACH - for each number that was added with a hash: `value`, a new variable. */
#define LOOKUP_EACH(value, l, hash) \
	for (uint32_t at_ = lookup_first(l, hash), value; at_ != LOOKUP_END && \
	    (value = lookup_value(l, at_), 1); at_ = lookup_next(l, at_))

/* lookup_hash - a hash of n bytes that also depends on `from`: 0, or the hash of the
 * bytes before them. */
uint64_t lookup_hash(uint64_t from, const void *bytes, size_t n);
/* lookup_text - the same for a string; NULL and "" have different hashes. */
uint64_t lookup_text(uint64_t from, const char *s);

#endif
