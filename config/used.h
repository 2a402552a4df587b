/*
 * config/used.h - which texts a configuration was made of, for the dump's head.
 */
#ifndef CONFIG_USED_H
#define CONFIG_USED_H

#include "config/arena.h"
#include "config/sha256.h"

struct used {
	const char *name;               /* a file, or @default-skx */
	char sha256[SHA256_TEXT];
	struct used *next;
};

/* used_add - one more, last in *list; in this memory.  0 or -ENOMEM. */
int used_add(struct used **list, struct arena *, const char *name,
    const char *text, size_t size);

#endif
