/*
 * lib/lookup.c - a hash table with chains; it doubles when it is full.
 */
#include "lib/lookup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FEWEST 64

/* FNV-1a; the last line mixes high bits into the low ones, which select the chain. */
uint64_t
lookup_hash(uint64_t from, const void *bytes, size_t n)
{
	const uint8_t *p = bytes;
	uint64_t h = from ^ 0xcbf29ce484222325;

	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * 0x100000001b3;
	return h ^ h >> 29;
}

uint64_t
lookup_text(uint64_t from, const char *s)
{
	return s != NULL ? lookup_hash(from, s, strlen(s) + 1) : from + 1;
}

static void
lookup_put(struct lookup *l, uint32_t i)
{
	uint32_t *chain = l->chain[l->entry[i].hash & (l->room - 1)];

	l->entry[i].next = LOOKUP_END;
	if (chain[0] == LOOKUP_END)
		chain[0] = i;
	else
		l->entry[chain[1]].next = i;
	chain[1] = i;
}

static int
lookup_grow(struct lookup *l)
{
	uint32_t room = l->room == 0 ? FEWEST : l->room * 2;
	struct lookup_entry *entry;
	uint32_t (*chain)[2];

	if (room > LOOKUP_END / 2)
		return -ENOMEM;
	if ((entry = reallocarray(l->entry, room, sizeof(*entry))) == NULL)
		return -ENOMEM;
	l->entry = entry;
	if ((chain = reallocarray(l->chain, room, sizeof(*chain))) == NULL)
		return -ENOMEM;
	l->chain = chain;
	l->room = room;
	memset(chain, 0xff, room * sizeof(*chain));
	for (uint32_t i = 0; i < l->n; i++)
		lookup_put(l, i);
	return 0;
}

int
lookup_add(struct lookup *l, uint64_t hash, uint32_t value)
{
	if (l->n == l->room && lookup_grow(l) < 0)
		return -ENOMEM;
	l->entry[l->n] = (struct lookup_entry){ hash, value, LOOKUP_END };
	lookup_put(l, l->n++);
	return 0;
}

/* The first entry of the chain from `at` on that has this hash. */
static uint32_t
of_hash(const struct lookup *l, uint32_t at, uint64_t hash)
{
	while (at != LOOKUP_END && l->entry[at].hash != hash)
		at = l->entry[at].next;
	return at;
}

uint32_t
lookup_first(const struct lookup *l, uint64_t hash)
{
	return l->n == 0 ? LOOKUP_END :
	    of_hash(l, l->chain[hash & (l->room - 1)][0], hash);
}

uint32_t
lookup_next(const struct lookup *l, uint32_t at)
{
	return of_hash(l, l->entry[at].next, l->entry[at].hash);
}

uint32_t
lookup_value(const struct lookup *l, uint32_t at)
{
	return l->entry[at].value;
}

void
lookup_fini(struct lookup *l)
{
	free(l->entry);
	free(l->chain);
	memset(l, 0, sizeof(*l));
}
