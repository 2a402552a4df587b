/*
 * config/arena.h - memory in many pieces that one call frees together.
 */
#ifndef CONFIG_ARENA_H
#define CONFIG_ARENA_H

#include <stddef.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *);                /* NULL accepted */
/* arena_alloc - zeroed memory, aligned for anything; NULL: out of memory. */
void *arena_alloc(struct arena *, size_t size);
/* arena_strndup - a copy of n bytes with '\0' behind them; NULL: out of memory. */
char *arena_strndup(struct arena *, const char *s, size_t n);
/* arena_printable - a copy that is safe to print on one line; NULL when out of
 * memory. */
char *arena_printable(struct arena *, const char *s);

#endif
