/*
 * config/arena.c - memory in many pieces that one call frees together.
 */
#include "config/arena.h"

#include "lib/printable.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Size of the first chunk, and the upper limit of later ones, in bytes.  Chunks
 * start small and double, as most arenas hold little. */
#define FIRST_CHUNK 4096
#define CHUNK 65536

struct chunk {
	struct chunk *next;
	size_t used, room;
	alignas(max_align_t) char data[];
};

struct arena {
	struct chunk *head;
};

struct arena *
arena_new(void)
{
	return calloc(1, sizeof(struct arena));
}

void
arena_free(struct arena *arena)
{
	struct chunk *c, *next;

	if (arena == NULL)
		return;
	for (c = arena->head; c != NULL; c = next) {
		next = c->next;
		free(c);
	}
	free(arena);
}

/* As arena_alloc, but the memory is not zeroed. */
static void *
arena_take(struct arena *arena, size_t size)
{
	struct chunk *c = arena->head;
	size_t align = alignof(max_align_t);

	if (size > SIZE_MAX / 2)
		return NULL;
	size = (size + align - 1) / align * align;
	if (c == NULL || c->room - c->used < size) {
		size_t room = c == NULL ? FIRST_CHUNK : 2 * c->room < CHUNK ?
		    2 * c->room : CHUNK;

		if (room < size)
			room = size;
		if ((c = malloc(sizeof(*c) + room)) == NULL)
			return NULL;
		*c = (struct chunk){ .next = arena->head, .room = room };
		arena->head = c;
	}
	c->used += size;
	return c->data + c->used - size;
}

void *
arena_alloc(struct arena *arena, size_t size)
{
	void *p = arena_take(arena, size);

	return p != NULL ? memset(p, 0, size) : NULL;
}

char *
arena_strndup(struct arena *arena, const char *s, size_t n)
{
	char *copy = arena_take(arena, n + 1);

	if (copy == NULL)
		return NULL;
	memcpy(copy, s, n);
	copy[n] = '\0';
	return copy;
}

char *
arena_printable(struct arena *arena, const char *s)
{
	char *copy = arena_strndup(arena, s, strlen(s));

	return copy != NULL ? printable(copy) : NULL;
}
