/*
 * lib/lookup.h - things by a hash of what they are called, so that finding
 * one among many is no walk past all of them.
 *
 * A lookup holds pairs of a hash and a number, which is the caller's, as is
 * telling apart what has one hash by chance:
 *
 *	for (at = lookup_first(l, hash); at != LOOKUP_END;
 *	    at = lookup_next(l, at))
 *		if (strcmp(thing[lookup_value(l, at)].name, name) == 0)
 *
 * Those of one hash come in the order in which they were added.
 */
#ifndef LIB_LOOKUP_H
#define LIB_LOOKUP_H

#include <stddef.h>
#include <stdint.h>

#define LOOKUP_END UINT32_MAX

struct lookup_entry {
	uint64_t hash;
	uint32_t value;
	uint32_t next;          /* of the same chain */
};

/* All zeros: empty. */
struct lookup {
	struct lookup_entry *entry;
	uint32_t (*chain)[2];   /* first and last of each */
	uint32_t n, room;       /* as many chains as there is room for entries */
};

/* lookup_add - 0 or -ENOMEM. */
int lookup_add(struct lookup *, uint64_t hash, uint32_t value);
uint32_t lookup_first(const struct lookup *, uint64_t hash);
uint32_t lookup_next(const struct lookup *, uint32_t at);
uint32_t lookup_value(const struct lookup *, uint32_t at);
void lookup_fini(struct lookup *);

/* lookup_hash - of n bytes, going on from another hash (0 at first). */
uint64_t lookup_hash(uint64_t from, const void *bytes, size_t n);
/* lookup_text - of a string; NULL is another than "". */
uint64_t lookup_text(uint64_t from, const char *s);

#endif
