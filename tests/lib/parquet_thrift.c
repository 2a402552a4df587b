/*
 * tests/lib/parquet_thrift.c - any structure of Thrift's compact protocol, as a tree.
 */
#include "tests/lib/parquet_thrift.h"

#include <stdlib.h>

#define DEEPEST 12

bool
thrift_varint(const uint8_t **p, const uint8_t *end, uint64_t *value)
{
	*value = 0;
	for (unsigned shift = 0; *p < end && shift < 64; shift += 7) {
		uint8_t b = *(*p)++;

		*value |= (uint64_t)(b & 0x7f) << shift;
		if (b < 0x80)
			return true;
	}
	return false;
}

static struct tree *
add_child(struct tree *t)
{
	struct tree *c = realloc(t->child, (t->n + 1) * sizeof(*c));

	if (c == NULL)
		abort();
	t->child = c;
	c[t->n] = (struct tree){ .field = 0 };
	return &c[t->n++];
}

static bool read_value(struct tree *, const uint8_t **, const uint8_t *,
    unsigned depth);

static bool
read_struct(struct tree *t, const uint8_t **p, const uint8_t *end,
    unsigned depth)
{
	int last = 0;

	for (;;) {
		const uint8_t *from;
		struct tree *c;
		uint64_t v;
		uint8_t b;

		if (*p >= end)
			return false;
		if ((b = *(*p)++) == 0)
			return true;
		c = add_child(t);
		c->type = b & 15;
		c->field = last + (b >> 4);
		if (b >> 4 == 0) {
			if (!thrift_varint(p, end, &v))
				return false;
			c->field = (int)(v >> 1);
		}
		if (c->field <= last)
			return false;
		last = c->field;
		from = *p;
		if (!read_value(c, p, end, depth + 1))
			return false;
		c->size = (size_t)(*p - from);
	}
}

static bool
read_list(struct tree *t, const uint8_t **p, const uint8_t *end,
    unsigned depth)
{
	uint64_t n;
	uint8_t b;

	if (*p >= end)
		return false;
	b = *(*p)++;
	n = b >> 4;
	if (n == 15 && !thrift_varint(p, end, &n))
		return false;
	for (uint64_t i = 0; i < n; i++) {
		struct tree *c = add_child(t);

		c->type = b & 15;
		if (!read_value(c, p, end, depth + 1))
			return false;
	}
	return true;
}

static bool
read_value(struct tree *t, const uint8_t **p, const uint8_t *end,
    unsigned depth)
{
	uint64_t v;

	if (depth > DEEPEST)
		return false;
	switch (t->type) {
	case 1:
	case 2:
		t->number = t->type == 1;
		return true;
	case 3:
		if (*p >= end)
			return false;
		t->number = (int8_t)*(*p)++;
		return true;
	case 4:
	case 5:
	case 6:
		if (!thrift_varint(p, end, &v))
			return false;
		t->number = (int64_t)(v >> 1 ^ -(v & 1));
		return true;
	case 8:
		if (!thrift_varint(p, end, &v) || v > (size_t)(end - *p))
			return false;
		t->bytes = *p;
		t->len = (size_t)v;
		*p += v;
		return true;
	case 9:
		return read_list(t, p, end, depth);
	case 12:
		return read_struct(t, p, end, depth);
	default:
		return false;
	}
}

bool
thrift_tree(struct tree *t, const uint8_t **p, const uint8_t *end)
{
	*t = (struct tree){ .type = 12 };
	return read_struct(t, p, end, 0);
}

void
thrift_drop(struct tree *t)
{
	for (unsigned i = 0; i < t->n; i++)
		thrift_drop(&t->child[i]);
	free(t->child);
	*t = (struct tree){ .field = 0 };
}

const struct tree *
thrift_get(const struct tree *t, int field)
{
	static const struct tree none = { .field = -1 };

	for (unsigned i = 0; i < t->n; i++)
		if (t->child[i].field == field)
			return &t->child[i];
	return &none;
}

int64_t
thrift_number(const struct tree *t, int field, int64_t otherwise)
{
	const struct tree *f = thrift_get(t, field);

	return f->field == field && f->type <= 6 ? f->number : otherwise;
}
