/*
 * config/used.h - the list of texts that a configuration was read from, for the
 * dump's head.
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

/* used_add - append a text to *list, with its digest.  0 or -ENOMEM. */
int used_add(struct used **list, struct arena *, const char *name,
    const char *text, size_t size);

#endif
