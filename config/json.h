/*
 * config/json.h - a small reader of JSON (RFC 8259): it turns the whole text into a
 * tree.
 */
#ifndef CONFIG_JSON_H
#define CONFIG_JSON_H

#include <stddef.h>
#include <stdint.h>

#include "config/arena.h"
#include "lib/diag.h"

enum json_kind {
	JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY,
	JSON_OBJECT,
};

struct json {
	enum json_kind kind;
	unsigned line;
	const char *name;               /* of a member of an object; else NULL */
	const char *text;               /* of a string, decoded to UTF-8; of a
	                                 * number, as written; else NULL */
	const struct json *child;       /* of an array or object: the first */
	const struct json *next;        /* in the array or object it is in */
};

/*
 * json_parse - parse a text into a tree.
 *
 * root   out: lives as long as the arena
 *
 * Returns 0; -EINVAL with "file:line: what" in why, for anything that is not
 * JSON, is nested deeper than 64, or has a NUL in a string; -ENOMEM.
 */
int json_parse(struct arena *, const char *file, const char *text, size_t size,
    const struct json **root, struct diag *why);

/* json_get - the first member of that name; NULL if there is none, or if this is no
 * object (NULL is accepted). */
const struct json *json_get(const struct json *, const char *name);
/* json_text - the text of a member that is a string or a number; else NULL. */
const char *json_text(const struct json *, const char *name);
/* json_kind_name - "an object", for messages. */
const char *json_kind_name(enum json_kind);

#endif
