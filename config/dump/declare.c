/*
 * config/dump/declare.c - declare tables before their first use, as Lua and
 * Python require.
 */
#include "config/dump/declare.h"

#include "lib/lookup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The tables declared so far: a set of names. */
struct declared {
	struct arena *arena;
	declare_put *put;
	void *ctx;
	size_t nslot;                   /* power of two */
	struct { const char *s; size_t n; } *slot;
};

struct declared *
declare_new(unsigned n, declare_put *put, void *ctx)
{
	struct declared *d = calloc(1, sizeof(*d));

	if (d == NULL)
		return NULL;
	*d = (struct declared){ .put = put, .ctx = ctx, .nslot = 64,
	    .arena = arena_new() };
	while (d->nslot < (size_t)n * 10)
		d->nslot *= 2;
	d->slot = calloc(d->nslot, sizeof(d->slot[0]));
	if (d->arena == NULL || d->slot == NULL) {
		declare_free(d);
		return NULL;
	}
	return d;
}

void
declare_free(struct declared *d)
{
	if (d == NULL)
		return;
	arena_free(d->arena);
	free(d->slot);
	free(d);
}

/* Add a name to the set.  Returns 1 if it is new, 0 if not, or -ENOMEM. */
static int
declare_add(struct declared *d, const char *s, size_t n)
{
	uint64_t h = lookup_hash(0, s, n);
	size_t i;

	for (i = h & (d->nslot - 1); d->slot[i].s != NULL;
	    i = (i + 1) & (d->nslot - 1))
		if (d->slot[i].n == n && memcmp(d->slot[i].s, s, n) == 0)
			return 0;
	if ((s = arena_strndup(d->arena, s, n)) == NULL)
		return -ENOMEM;
	d->slot[i].s = s;
	d->slot[i].n = n;
	return 1;
}

int
declare_tables(struct declared *d, const struct column_id *id,
    const char *suffix, bool whole)
{
	char name[MAX_NAME];
	size_t length[MAX_TABLES];
	unsigned n = column_texts(id, suffix, name, sizeof(name), length);

	for (unsigned i = 0; i + !whole < n; i++) {
		int rc = length[i] < sizeof(name) ?
		    declare_add(d, name, length[i]) : 0;

		if (rc < 0)
			return rc;
		if (rc == 0)
			continue;
		d->put(d->ctx, name, length[i]);
		d->put(d->ctx, " = {}\n", 6);
	}
	return 0;
}
