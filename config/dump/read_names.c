/*
 * config/dump/read_names.c - the columns and constants of a dump, by name.
 */
#include "config/dump/read_int.h"

#include <errno.h>
#include <stdio.h>
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

static int
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

/* realloc of an array that must have room for n elements. */
static int
fit(void *array, unsigned n, size_t size)
{
	void *old, *p;

	memcpy(&old, array, sizeof(old));
	if ((p = reallocarray(old, n, size)) == NULL)
		return -ENOMEM;
	memcpy(array, &p, sizeof(p));
	return 0;
}

static int
more_columns(struct reader *r)
{
	unsigned n = r->room ? r->room * 2 : 1024;

	if (r->ncol < r->room)
		return 0;
	if (n > MAX_COLUMNS)
		return -E2BIG;
	if (fit(&r->column, n, sizeof(r->column[0])) < 0 ||
	    fit(&r->key_len, n, sizeof(r->key_len[0])) < 0 ||
	    fit(&r->value[0], n, sizeof(uint64_t)) < 0 ||
	    fit(&r->value[1], n, sizeof(uint64_t)) < 0 ||
	    fit(&r->expect, n, sizeof(r->expect[0])) < 0 ||
	    fit(&r->order, n, sizeof(r->order[0])) < 0 ||
	    fit(&r->where, n, sizeof(r->where[0])) < 0)
		return -ENOMEM;
	r->room = n;
	return 0;
}

/* What the head says of a family, else what the table knows. */
static void
describe(struct reader *r, const char *name, struct family *family)
{
	const struct constant *bits, *mul, *unit;

	family_known(name, strlen(name), family);
	unit = head_constant(r, HEAD_FAMILY_UNIT, OF(name));
	if (unit != NULL && unit->kind == CONSTANT_TEXT) {
		/* any PMU's events may be in a family that others know */
		if (family->cls == CLASS_UNKNOWN ||
		    strcmp(unit->text, "events") == 0)
			family->cls = (uint8_t)family_class_of_unit(unit->text);
		family->unit = unit->text;
	}
	bits = head_constant(r, HEAD_FAMILY_BITS, OF(name));
	if (bits != NULL && bits->kind == CONSTANT_INT && bits->u <= 64) {
		family->bits = (uint8_t)bits->u;
		if (family->bits != 0 && !class_is_counter(family->cls))
			family->cls = CLASS_UNCORE;
	}
	mul = head_constant(r, HEAD_FAMILY_MUL, OF(name));
	if (mul != NULL && mul->kind == CONSTANT_INT && mul->u >= 1 &&
	    mul->u <= 255)
		family->mul = (uint8_t)mul->u;
	if (family->bits == 0 && class_is_counter(family->cls))
		family->cls = CLASS_READING;
}

static bool
same(const char *s, const char *p, size_t len)
{
	return s == NULL ? p == NULL :
	    p != NULL && strncmp(s, p, len) == 0 && s[len] == '\0';
}

/*
 * The kind of a column: its family and event.  There are a few dozen, and
 * they come round in the same order for every lproc and box, so the search
 * starts after the one found last.
 */
static const struct column_kind *
take_kind(struct reader *r, const char *name, size_t family_len,
    const char *event, size_t event_len)
{
	struct column_kind *k;
	struct family family;

	for (unsigned i = 0; i < r->nkind; i++) {
		r->kind_at = r->kind_at + 1 < r->nkind ? r->kind_at + 1 : 0;
		k = &r->kind[r->kind_at];
		if (same(k->family, name, family_len) &&
		    same(k->event, event, event_len))
			return k;
	}
	k = reallocarray(r->kind, r->nkind + 1, sizeof(*k));
	if (k == NULL)
		return NULL;
	r->kind = k;
	r->kind_at = r->nkind;
	k += r->nkind;
	memset(k, 0, sizeof(*k));
	if ((k->family = arena_strndup(r->arena, name, family_len)) == NULL ||
	    (event != NULL && (k->event =
	    arena_strndup(r->arena, event, event_len)) == NULL))
		return NULL;
	describe(r, k->family, &family);
	k->bits = family.bits;
	k->mul = family.mul;
	k->unit = family.unit;
	k->cls = class_is_counter(family.cls) ?
	    (uint8_t)family_refine(&family, k->event) : family.cls;
	r->nkind++;
	return k;
}

/* Family, indices and event out of imc_counts[0][3]["CAS_COUNT.READS"]. */
static int
take_apart(struct reader *r, struct read_column *c, size_t len)
{
	const char *p = c->name, *end = c->name + len, *q, *event = NULL;
	size_t family_len = strcspn(p, "["), event_len = 0;
	const struct column_kind *k;

	for (p += family_len; p < end; ) {
		p++;
		if (*p == '"' || *p == '\'') {
			char quote = *p++;

			for (q = p; q < end && *q != quote; q++)
				if (*q == '\\')
					q++;
			event = p;
			event_len = (size_t)((q < end ? q : end) - p);
			p = q < end ? q + 1 : end;
		} else if (c->nindex < 4) {
			for (; *p >= '0' && *p <= '9'; p++)
				c->index[c->nindex] = c->index[c->nindex] *
				    10 + (uint32_t)(*p - '0');
			c->nindex++;
		}
		while (p < end && *p != ']')
			p++;
		p += p < end;
	}
	k = take_kind(r, c->name, family_len, event, event_len);
	if (k == NULL)
		return -ENOMEM;
	c->family = k->family;
	c->event = k->event;
	c->bits = k->bits;
	c->mul = k->mul;
	c->unit = k->unit;
	c->cls = k->cls;
	c->kind = (uint32_t)(k - r->kind);
	return 0;
}

int
names_column(struct reader *r, const char *name, size_t len)
{
	struct read_column *c;
	int id = lookup(r, &r->columns, name, len), rc;

	if (id >= 0)
		return id;
	if ((rc = more_columns(r)) < 0 ||
	    (rc = names_grow(r, &r->columns)) < 0)
		return rc;
	id = (int)r->ncol;
	c = &r->column[id];
	memset(c, 0, sizeof(*c));
	c->name = arena_strndup(r->arena, name, len);
	if (c->name == NULL || take_apart(r, c, len) < 0)
		return -ENOMEM;
	r->key_len[id] = (uint32_t)len;
	r->value[0][id] = r->value[1][id] = ABSENT;
	r->where[id] = 0;
	r->columns.slot[find_slot(r, &r->columns, name, len)] =
	    (uint32_t)id + 1;
	r->columns.used++;
	r->ncol++;
	return id;
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

			if (fit(&r->constant, n, sizeof(r->constant[0])) < 0)
				return -ENOMEM;
			r->constant_room = n;
		}
		if ((rc = names_grow(r, &r->constants)) < 0)
			return rc;
		i = (int)r->nconstant;
		c = &r->constant[i];
		memset(c, 0, sizeof(*c));
		c->name = arena_strndup(r->arena, a->name, a->name_len);
		if (c->name == NULL || (rc = head_classify(r, c)) < 0)
			return -ENOMEM;
		r->constants.slot[find_slot(r, &r->constants, a->name,
		    a->name_len)] = (uint32_t)i + 1;
		r->constants.used++;
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

bool
names_sampled(const struct reader *r, const char *family, size_t len)
{
	struct family unused;
	char name[160];

	if (family_known(family, len, &unused))
		return true;
	snprintf(name, sizeof(name), "%.*s", (int)len, family);
	if (len < sizeof(name) &&
	    head_constant(r, HEAD_FAMILY_BITS, OF(name)) != NULL)
		return true;
	return r->in_samples && head_find(family, len) == HEAD_KEYS;
}

void
names_fini(struct reader *r)
{
	free(r->column);
	free(r->kind);
	free(r->key_len);
	free(r->value[0]);
	free(r->value[1]);
	free(r->expect);
	free(r->order);
	free(r->where);
	free(r->columns.slot);
	free(r->constant);
	free(r->constants.slot);
}

unsigned
read_columns(const struct reader *r)
{
	return r->ncol;
}

const struct read_column *
read_column(const struct reader *r, unsigned id)
{
	return &r->column[id];
}

int
read_find(const struct reader *r, const char *name)
{
	return names_find(r, name, strlen(name));
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
