/*
 * config/used.c - the list of texts that a configuration was read from.
 */
#include "config/used.h"

#include <errno.h>
#include <string.h>

int
used_add(struct used **list, struct arena *arena, const char *name,
    const char *text, size_t size)
{
	struct used *u = arena_alloc(arena, sizeof(*u));

	if (u == NULL ||
	    (u->name = arena_strndup(arena, name, strlen(name))) == NULL)
		return -ENOMEM;
	sha256_text(u->sha256, text, size);
	while (*list != NULL)
		list = &(*list)->next;
	*list = u;
	return 0;
}
