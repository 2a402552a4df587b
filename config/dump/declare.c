/*
 * config/dump/declare.c - declare tables before their first use, as Lua and
 * Python require.
 */
#include "config/dump/declare.h"

#include "lib/array.h"
#include "lib/lookup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The tables declared so far. */
struct declared {
	struct arena *arena;
	declare_put *put;
	void *ctx;
	const char **name;
	unsigned n, room;
	struct lookup by_name;
};

struct declared *
declare_new(declare_put *put, void *ctx)
{
	struct declared *d = calloc(1, sizeof(*d));

	if (d == NULL)
		return NULL;
	*d = (struct declared){ .put = put, .ctx = ctx, .arena = arena_new() };
	if (d->arena == NULL) {
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
	lookup_fini(&d->by_name);
	free(d->name);
	free(d);
}

/* Add a table.  Returns 1 if it is new, 0 if not, or -ENOMEM. */
static int
declare_add(struct declared *d, const char *s, size_t n)
{
	uint64_t hash = lookup_hash(0, s, n);
	const char **name;

	for (uint32_t at = lookup_first(&d->by_name, hash); at != LOOKUP_END;
	    at = lookup_next(&d->by_name, at)) {
		const char *had = d->name[lookup_value(&d->by_name, at)];

		if (strlen(had) == n && memcmp(had, s, n) == 0)
			return 0;
	}
	if ((name = array_grow(d->name, d->n, &d->room, sizeof(*name))) == NULL)
		return -ENOMEM;
	d->name = name;
	if ((name[d->n] = arena_strndup(d->arena, s, n)) == NULL ||
	    lookup_add(&d->by_name, hash, d->n) < 0)
		return -ENOMEM;
	d->n++;
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
