/*
 * config/dump/read_names.c - the names of a dump, and its constants.
 */
#include "config/dump/read_int.h"

#include "lib/array.h"
#include "lib/printable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

uint64_t
names_hash(const char *s, size_t n)
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

static int
find_constant(const struct reader *r, const char *name, size_t len)
{
	const struct lookup *l = &r->constants;

	LOOKUP_EACH(i, l, names_hash(name, len)) {
		const char *s = r->constant[i].name;

		if (strlen(s) == len && memcmp(s, name, len) == 0)
			return (int)i;
	}
	return -1;
}

/* Does the name contain strings that lua_quote would write differently? */
static bool
is_odd(const char *s, size_t n)
{
	const uint64_t ones = UINT64_MAX / 0xff;
	uint64_t odd = 0, w, x;

	/* eight bytes at once: bit 7 of a byte that is below ' ', above '~' or a
	 * backslash; a borrow or a carry comes from such a byte alone */
	for (; n >= 8; n -= 8, s += 8) {
		memcpy(&w, s, 8);
		x = w ^ ones * '\\';
		odd |= (w - ones * ' ') | w | (w + ones) | ((x - ones) & ~x);
	}
	for (; n > 0; n--, s++)
		if (*s == '\\' || (unsigned char)(*s - ' ') >= 0x7f - ' ')
			return true;
	return (odd & ones << 7) != 0;
}

/* Copy [p, end), with its strings as lua_quote writes them.  to: room for
 * twice as many bytes.  Returns how many were written. */
static size_t
put_clean(char *to, const char *p, const char *end, char *scratch)
{
	char *start = to;

	while (p < end) {
		char quote = *p++;
		const char *string = p;
		size_t n;

		if (quote != '"' && quote != '\'') {
			*to++ = quote;
			continue;
		}
		while (p < end && *p != quote)
			p += *p == '\\' ? 2 : 1;
		n = (size_t)(p - string);
		memcpy(scratch, string, n);
		lua_unquote(scratch, n);
		to += lua_quote(to, printable(scratch), quote);
		p++;
	}
	return (size_t)(to - start);
}

int
names_clean(struct reader *r, struct assign *a)
{
	size_t room = 3 * a->name_len + 8, key;
	char *p;

	if (!is_odd(a->name + a->family_len, a->name_len - a->family_len))
		return 0;
	if (room > r->clean_room) {
		if ((p = realloc(r->clean, room)) == NULL)
			return -ENOMEM;
		r->clean = p;
		r->clean_room = room;
	}
	p = r->clean + 2 * a->name_len;
	key = a->indexed ? put_clean(r->clean, a->name, a->name + a->key_len,
	    p) : 0;
	a->name_len = key + put_clean(r->clean + key, a->name +
	    (a->indexed ? a->key_len : 0), a->name + a->name_len, p);
	a->key_len = key;
	a->name = r->clean;
	return 0;
}

/* Store the text of a value: a printable copy and an exact one. */
static int
take_text(struct reader *r, const struct assign *a, struct constant *c)
{
	char *s = arena_strndup(r->arena, a->text, a->text_len), *shown;

	if (s != NULL && a->value == VALUE_TEXT)
		lua_unquote(s, a->text_len);
	shown = s;
	if (s != NULL && is_odd(s, strlen(s)))
		shown = arena_printable(r->arena, s);
	c->exact = s != NULL && shown != NULL ? s : "";
	c->text = s != NULL && shown != NULL ? shown : "";
	return s != NULL && shown != NULL ? 0 : -ENOMEM;
}

/* The key of a constant whose name without its indices has len bytes.  Those of one key
 * stand together. */
static enum head_key
constant_key(const struct reader *r, const struct constant *c, size_t len)
{
	const struct constant *had = r->nconstant > 0 ? c - 1 : NULL;

	return had != NULL && had->key != HEAD_KEYS &&
	    strncmp(had->name, c->name, len + 1) == 0 ? had->key :
	    head_find(c->name, len);
}

/* Set key and indices of a new constant. */
static int
head_classify(struct reader *r, struct constant *c)
{
	size_t len = strcspn(c->name, "[");
	enum head_key key = constant_key(r, c, len);
	char *indices;

	c->key = HEAD_KEYS;
	if (key == HEAD_KEYS)
		return 0;
	r->has_key[key] = true;
	/* of a column "soc_mux" this would be the control value */
	r->has_key[HEAD_CONTROL] |= key == HEAD_SOC_MUX_CONTROL;
	indices = arena_strndup(r->arena, c->name + len,
	    strlen(c->name + len));
	if (indices == NULL)
		return -ENOMEM;
	if (head_indices(key, indices, &c->at) == (int)head_depth(key))
		c->key = key;
	return 0;
}

int
names_constant(struct reader *r, const struct assign *a)
{
	struct constant *c;
	int i, rc;

	i = find_constant(r, a->name, a->name_len);
	if (i < 0) {
		if (r->nconstant >= MAX_CONSTANTS)
			return -E2BIG;
		if (!array_room(&r->constant, r->nconstant, &r->constant_room,
		    sizeof(*c)))
			return -ENOMEM;
		i = (int)r->nconstant;
		c = &r->constant[i];
		memset(c, 0, sizeof(*c));
		c->name = arena_strndup(r->arena, a->name, a->name_len);
		if (c->name == NULL || head_classify(r, c) < 0 ||
		    lookup_add(&r->constants, names_hash(a->name, a->name_len),
		    (uint32_t)i) < 0)
			return -ENOMEM;
		r->nconstant++;
		c->exact = c->text = "";
	}
	c = &r->constant[i];
	if ((strlen(c->text) != a->text_len ||
	    memcmp(c->text, a->text, a->text_len) != 0) &&
	    (rc = take_text(r, a, c)) < 0)
		return rc;
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

int
read_head_text(struct reader *r, const char *text, struct diag *why)
{
	size_t len;
	int rc;

	for (r->line = 1; *text != '\0'; text += len, r->line++) {
		struct assign a;
		char *scratch;

		len = strcspn(text, "\n");
		if ((scratch = malloc(len + 1)) == NULL)
			return diag_set(why, -ENOMEM, "out of memory");
		assign_parse(&a, text, text + len, scratch);
		rc = a.kind == LINE_VALUE ? names_clean(r, &a) : 0;
		if (rc == 0 && a.kind == LINE_VALUE)
			rc = names_constant(r, &a);
		free(scratch);
		if (rc < 0)
			return diag_set(why, rc, "%s: %s", r->path,
			    strerror(-rc));
		len += text[len] == '\n';
	}
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
	int i = find_constant(r, name, strlen(name));

	return i < 0 ? NULL : &r->constant[i];
}

double
read_number(const struct reader *r, const char *name, double otherwise)
{
	const struct constant *c = read_constant_named(r, name);

	return c == NULL || c->kind == CONSTANT_TEXT ? otherwise : c->real;
}

const struct constant *
head_constant(const struct reader *r, enum head_key key, struct head_at at)
{
	char name[HEAD_NAME_SIZE];

	if (!r->has_key[key])
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
