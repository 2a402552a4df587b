/*
 * config/dump/read_names.c - the names of a dump, and its constants.
 */
#include "config/dump/read_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint64_t
hash(const char *s, size_t n)
{
	uint64_t h = n * 0x9e3779b97f4a7c15ull, w;

	for (; n >= 8; n -= 8, s += 8) {
		memcpy(&w, s, 8);
		h = (h ^ w) * 0xff51afd7ed558ccdull;
		h ^= h >> 32;
	}
	w = 0;
	for (size_t i = 0; i < n; i++)
		w = w << 8 | (uint8_t)s[i];
	h = (h ^ w) * 0xff51afd7ed558ccdull;
	return h ^ h >> 32;
}

static const char *
name_of(const struct reader *r, const struct names *t, uint32_t i, size_t *len)
{
	if (t == &r->columns) {
		*len = r->key_len[i];
		return r->column[i].name;
	}
	*len = strlen(r->constant[i].name);
	return r->constant[i].name;
}

/* The slot of a name: its own, or the free one where it would go. */
static size_t
find_slot(const struct reader *r, const struct names *t, const char *name,
    size_t len)
{
	size_t i = hash(name, len) & (t->nslot - 1), n;

	for (; t->slot[i] != 0; i = (i + 1) & (t->nslot - 1)) {
		const char *s = name_of(r, t, t->slot[i] - 1, &n);

		if (n == len && memcmp(s, name, len) == 0)
			break;
	}
	return i;
}

int
names_grow(const struct reader *r, struct names *t)
{
	struct names old = *t;
	size_t n;

	if ((old.used + 1) * 2 <= old.nslot)
		return 0;
	t->nslot = old.nslot ? old.nslot * 2 : 1024;
	t->slot = calloc(t->nslot, sizeof(t->slot[0]));
	if (t->slot == NULL) {
		*t = old;
		return -ENOMEM;
	}
	for (size_t i = 0; i < old.nslot; i++)
		if (old.slot[i] != 0) {
			const char *s = name_of(r, t, old.slot[i] - 1, &n);

			t->slot[find_slot(r, t, s, n)] = old.slot[i];
		}
	free(old.slot);
	return 0;
}

static int
lookup(const struct reader *r, const struct names *t, const char *name,
    size_t len)
{
	return t->nslot == 0 ? -1 :
	    (int)t->slot[find_slot(r, t, name, len)] - 1;
}

int
names_find(const struct reader *r, const char *name, size_t len)
{
	return lookup(r, &r->columns, name, len);
}

void
names_keep(const struct reader *r, struct names *t, const char *name,
    size_t len, uint32_t number)
{
	t->slot[find_slot(r, t, name, len)] = number + 1;
	t->used++;
}

/* What stands for \n and its like, and for \065 as Lua has it; p is behind the
 * backslash. */
static char
escaped(const char **p)
{
	static const char letter[] = "n\nt\tr\ra\ab\bf\fv\v";
	unsigned code = 0;

	for (const char *l = letter; *l != '\0'; l += 2)
		if (**p == *l)
			return l[1];
	if (**p < '0' || **p > '9')
		return **p;
	for (const char *d = *p; d < *p + 3; d++) {
		if (*d < '0' || *d > '9')
			return **p;
		code = code * 10 + (unsigned)(*d - '0');
	}
	if (code == 0 || code > 255)
		return **p;
	*p += 2;
	return (char)code;
}

/* A string without its backslashes. */
static char *
plain_text(struct reader *r, const struct assign *a)
{
	char *s = arena_strndup(r->arena, a->text, a->text_len), *to = s;

	if (s == NULL || a->value != VALUE_TEXT)
		return s;
	for (const char *p = s; *p != '\0'; p++)
		if (*p == '\\' && p[1] != '\0') {
			p++;
			*to++ = escaped(&p);
		} else {
			*to++ = *p;
		}
	*to = '\0';
	return s;
}

int
names_constant(struct reader *r, const struct assign *a)
{
	struct constant *c;
	int i, rc;

	/* A NUL would cut the name that the table is searched by. */
	if (memchr(a->name, '\0', a->name_len) != NULL)
		return 0;
	i = lookup(r, &r->constants, a->name, a->name_len);
	if (i < 0) {
		if (r->nconstant >= MAX_CONSTANTS)
			return -E2BIG;
		if (r->nconstant == r->constant_room) {
			unsigned n = r->nconstant ? r->nconstant * 2 : 256;

			if ((c = reallocarray(r->constant, n,
			    sizeof(*c))) == NULL)
				return -ENOMEM;
			r->constant = c;
			r->constant_room = n;
		}
		if ((rc = names_grow(r, &r->constants)) < 0)
			return rc;
		i = (int)r->nconstant;
		c = &r->constant[i];
		memset(c, 0, sizeof(*c));
		c->name = arena_strndup(r->arena, a->name, a->name_len);
		if (c->name == NULL || head_classify(r, c) < 0)
			return -ENOMEM;
		names_keep(r, &r->constants, c->name, a->name_len,
		    (uint32_t)i);
		r->nconstant++;
		c->text = "";
	}
	c = &r->constant[i];
	if (strlen(c->text) != a->text_len ||
	    memcmp(c->text, a->text, a->text_len) != 0)
		if ((c->text = plain_text(r, a)) == NULL) {
			c->text = "";
			return -ENOMEM;
		}
	c->kind = a->value == VALUE_INT ? CONSTANT_INT :
	    a->value == VALUE_TEXT || a->value == VALUE_NONE ?
	    CONSTANT_TEXT : CONSTANT_REAL;
	c->none = a->value == VALUE_NONE;
	c->u = a->u;
	c->real = c->kind == CONSTANT_TEXT ? 0 : c->kind == CONSTANT_REAL ?
	    strtod(c->text, NULL) : c->text[0] == '-' ?
	    (double)(int64_t)a->u : (double)a->u;
	return 0;
}

unsigned
read_constants(const struct reader *r)
{
	return r->nconstant;
}

const struct constant *
read_constant(const struct reader *r, unsigned i)
{
	return &r->constant[i];
}

const struct constant *
read_constant_named(const struct reader *r, const char *name)
{
	int i = lookup(r, &r->constants, name, strlen(name));

	return i < 0 ? NULL : &r->constant[i];
}

double
read_number(const struct reader *r, const char *name, double otherwise)
{
	const struct constant *c = read_constant_named(r, name);

	return c == NULL || c->kind == CONSTANT_TEXT ? otherwise : c->real;
}
