/*
 * config/dump/read_head.c - the head of a dump, by the keys of its table.
 */
#include "config/dump/read_int.h"

#include <errno.h>
#include <string.h>

int
head_classify(struct reader *r, struct constant *c)
{
	size_t len = strcspn(c->name, "[");
	enum head_key key = head_find(c->name, len);
	char *indices;

	c->key = HEAD_KEYS;
	if (key == HEAD_KEYS)
		return 0;
	r->has_key[key] = true;
	indices = arena_strndup(r->arena, c->name + len,
	    strlen(c->name + len));
	if (indices == NULL)
		return -ENOMEM;
	if (head_indices(key, indices, &c->at) == (int)head_depth(key))
		c->key = key;
	return 0;
}

const struct constant *
head_constant(const struct reader *r, enum head_key key, struct head_at at)
{
	char name[HEAD_NAME_SIZE];

	/* "*_control" may be meant where a longer key was found */
	if (!r->has_key[key] && head_row(key)->shape != HEAD_BY_COLUMN)
		return NULL;
	return head_name(name, key, at, HEAD_WHOLE) == 0 ? NULL :
	    read_constant_named(r, name);
}

double
head_number(const struct reader *r, enum head_key key, struct head_at at,
    double otherwise)
{
	const struct constant *c = head_constant(r, key, at);

	return c == NULL || c->kind == CONSTANT_TEXT ? otherwise : c->real;
}

const char *
head_text(const struct reader *r, enum head_key key, struct head_at at,
    const char *otherwise)
{
	const struct constant *c = head_constant(r, key, at);

	return c == NULL || c->none ? otherwise : c->text;
}
