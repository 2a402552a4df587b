/*
 * config/dump/declare.c - tables before their first use, for Lua and Python.
 */
#include "config/dump/declare.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The tables declared so far: a set of prefixes of names. */
struct prefixes {
	struct { const char *s; size_t n; } *slot;
	size_t nslot;           /* power of two */
};

static bool
prefix_new(struct prefixes *set, const char *s, size_t n)
{
	uint64_t h = 14695981039346656037ull;
	size_t i;

	for (i = 0; i < n; i++)
		h = (h ^ (uint8_t)s[i]) * 1099511628211ull;
	for (i = h & (set->nslot - 1); set->slot[i].s != NULL;
	    i = (i + 1) & (set->nslot - 1))
		if (set->slot[i].n == n && memcmp(set->slot[i].s, s, n) == 0)
			return false;
	set->slot[i].s = s;
	set->slot[i].n = n;
	return true;
}

/* Past the next [index] or ["event"]; NULL when the name is malformed. */
static const char *
past_index(const char *p)
{
	const char *q = p[1] == '"' ? strchr(p + 2, '"') : p;

	q = q != NULL ? strchr(q, ']') : NULL;
	return q != NULL ? q + 1 : NULL;
}

int
declare_tables(const char *const *name, unsigned n,
    void (*put)(void *ctx, const char *text, size_t size), void *ctx)
{
	struct prefixes set = { NULL, 64 };

	while (set.nslot < (size_t)n * 10)
		set.nslot *= 2;
	if ((set.slot = calloc(set.nslot, sizeof(set.slot[0]))) == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++)
		for (const char *p = name[i] + strcspn(name[i], "[");
		    p != NULL; p = *p == '[' ? past_index(p) : NULL)
			if (prefix_new(&set, name[i], (size_t)(p - name[i]))) {
				put(ctx, name[i], (size_t)(p - name[i]));
				put(ctx, " = {}\n", 6);
			}
	free(set.slot);
	return 0;
}
