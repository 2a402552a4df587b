/*
 * config/dump/read_columns.c - the columns of a dump: find one by its name, and make a
 * new one with its family, event and class.
 */
#include "config/dump/read_int.h"

#include "lib/array.h"
#include "lib/printable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* realloc of an array that must have room for n elements. */
static int
read_columns_fit(void *array, unsigned n, size_t size)
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
	unsigned n = r->columns.room ? r->columns.room * 2 : 1024;

	if (r->columns.n < r->columns.room)
		return 0;
	if (n > MAX_COLUMNS)
		return -E2BIG;
	if (read_columns_fit(&r->columns.column, n,
	    sizeof(r->columns.column[0])) < 0 ||
	    read_columns_fit(&r->columns.key_len, n,
	    sizeof(r->columns.key_len[0])) < 0 ||
	    read_columns_fit(&r->now.value[0], n, sizeof(uint64_t)) < 0 ||
	    read_columns_fit(&r->now.value[1], n, sizeof(uint64_t)) < 0 ||
	    read_columns_fit(&r->guess.expect, n,
	    sizeof(r->guess.expect[0])) < 0 ||
	    read_columns_fit(&r->guess.order, n, sizeof(uint32_t)) < 0 ||
	    read_columns_fit(&r->guess.where, n, sizeof(uint32_t)) < 0)
		return -ENOMEM;
	r->columns.room = n;
	return 0;
}

/* ---- families --------------------------------------------------------- */

/* The model of the dump.  Dumps of the original tool do not name it: they are
 * of Skylake-SP. */
static const struct model *
model_of(const struct reader *r)
{
	const struct model *m = model_named(head_text(r, HEAD_MODEL,
	    ALONE, "skx"));

	return m != NULL ? m : &model_any;
}

static bool
read_columns_same(const char *s, const char *p, size_t len)
{
	return s == NULL ? p == NULL :
	    p != NULL && strncmp(s, p, len) == 0 && s[len] == '\0';
}

/* Find or make the family of a name.  What the head says of it is added with its first
 * column (read_columns_say). */
static struct family *
family_of(struct reader *r, const char *name, size_t len)
{
	unsigned last = r->columns.kind_at;
	struct family *f;

	/* columns of a family mostly stand together */
	if (last < r->columns.nkind && read_columns_same(
	    r->columns.kind[last].family->name, name, len))
		return r->columns.kind[last].family;
	if ((f = families_find(&r->families, name, len)) != NULL)
		return f;
	r->families.arena = r->arena;
	r->families.model = model_of(r);
	return families_get(&r->families, name, len);
}

static void
read_columns_say(const struct reader *r, struct family *f)
{
	const struct constant *unit, *bits, *mul;

	unit = head_constant(r, HEAD_FAMILY_UNIT, OF(f->name));
	bits = head_constant(r, HEAD_FAMILY_BITS, OF(f->name));
	mul = head_constant(r, HEAD_FAMILY_MUL, OF(f->name));
	family_say(f, unit != NULL && unit->kind == CONSTANT_TEXT ?
	    unit->text : NULL, bits != NULL && bits->kind == CONSTANT_INT &&
	    bits->u <= 64 ? (int)bits->u : -1, mul != NULL &&
	    mul->kind == CONSTANT_INT && mul->u <= 255 ? (unsigned)mul->u : 0);
	family_say_value(f, head_text(r, HEAD_FAMILY_VALUE, OF(f->name), NULL));
}

int
names_sampled(struct reader *r, const char *name, size_t len)
{
	struct family *f = family_of(r, name, len);

	return f == NULL ? -ENOMEM : (f->known || head_constant(r, HEAD_FAMILY_BITS,
	    OF(f->name)) != NULL || (r->in_samples &&
	    head_find(name, len) == HEAD_KEYS));
}

/* ---- columns ---------------------------------------------------------- */

/* The class of an event: from the head, else from its control value, else from
 * its name. */
static uint8_t
read_columns_class_of(const struct reader *r, const struct column_id *id)
{
	const struct constant *k;
	enum column_class cls;

	if (id->event == NULL || !class_is_counter(id->family->cls))
		return id->family->cls;
	cls = class_named(head_text(r, HEAD_EVENT_CLASS,
	    OF(id->family->name, id->event), ""));
	if (cls < CLASSES)
		return (uint8_t)cls;
	k = head_constant(r, HEAD_CONTROL, OF_COLUMN(id));
	return (uint8_t)family_event(id->family, r->families.model, id->event,
	    k != NULL && k->kind == CONSTANT_INT ? k->u : ABSENT);
}

static bool
is_kind(const struct column_kind *k, const struct column_words *w)
{
	return read_columns_same(k->family->name, w->family, w->family_len) &&
	    read_columns_same(k->event, w->event, w->event_len);
}

static uint64_t
kind_hash(const struct column_words *w)
{
	uint64_t h = lookup_hash(0, w->family, w->family_len);

	return w->event == NULL ? h : lookup_hash(h + 1, w->event,
	    w->event_len);
}

static struct column_kind *
find_kind(struct reader *r, const struct column_words *w)
{
	unsigned next = r->columns.kind_at + 1 < r->columns.nkind ?
	    r->columns.kind_at + 1 : 0;
	uint64_t hash;

	/* every lproc and box has the same kinds in the same order */
	if (r->columns.nkind > 0 && is_kind(&r->columns.kind[next], w)) {
		r->columns.kind_at = next;
		return &r->columns.kind[next];
	}
	hash = kind_hash(w);
	LOOKUP_EACH(i, &r->columns.kinds, hash) {
		if (is_kind(&r->columns.kind[i], w)) {
			r->columns.kind_at = i;
			return &r->columns.kind[i];
		}
	}
	return NULL;
}

/* Find the kind (family and event) of a column, or make it.  made: out, it is new, and
 * the caller sets its class. */
static struct column_kind *
take_kind(struct reader *r, const struct column_words *w, bool *made)
{
	struct column_kind *k = find_kind(r, w);
	struct family *f;

	*made = k == NULL;
	if (k != NULL)
		return k;
	if (!array_room(&r->columns.kind, r->columns.nkind,
	    &r->columns.kind_room, sizeof(*r->columns.kind)))
		return NULL;
	k = &r->columns.kind[r->columns.nkind];
	*k = (struct column_kind){ .event = NULL };
	if ((f = family_of(r, w->family, w->family_len)) == NULL ||
	    (w->event != NULL && (k->event = arena_strndup(r->arena, w->event,
	    w->event_len)) == NULL) ||
	    lookup_add(&r->columns.kinds, kind_hash(w), r->columns.nkind) < 0)
		return NULL;
	if (!f->said)
		read_columns_say(r, f);
	k->family = f;
	r->columns.kind_at = r->columns.nkind++;
	return k;
}

/* Replace a label by a copy without escapes, if it has any. */
static int
plain_label(struct reader *r, const char **label, size_t *len)
{
	char *s;

	if (*label == NULL || memchr(*label, '\\', *len) == NULL)
		return 0;
	if ((s = arena_strndup(r->arena, *label, *len)) == NULL)
		return -ENOMEM;
	*len = lua_unquote(s, *len);
	*label = s;
	return 0;
}

/* column_parse, and unescape the labels. */
static int
read_columns_take_apart(struct reader *r, struct column_words *w,
    const char *name, size_t len)
{
	column_parse(w, name, len);
	return plain_label(r, &w->lprocs, &w->lprocs_len) < 0 ? -ENOMEM :
	    plain_label(r, &w->event, &w->event_len);
}

/* Make the identity of a column from the parts of its name.  f and event outlive it; the
 * list of lprocs is copied. */
static int
make_id(struct reader *r, const struct column_words *w, const struct family *f,
    const char *event, struct column_id *id)
{
	*id = (struct column_id){ .family = f, .event = event, .odd = w->odd,
	    .nindex = w->nindex };
	memcpy(id->index, w->index, sizeof(id->index));
	return w->lprocs == NULL || (id->lprocs = arena_strndup(r->arena,
	    w->lprocs, w->lprocs_len)) != NULL ? 0 : -ENOMEM;
}

/* Fill in a new column by its name, which is set. */
static int
read_columns_describe(struct reader *r, struct column *c, size_t len)
{
	struct column_words w;
	struct column_kind *k;
	bool made;

	if (read_columns_take_apart(r, &w, c->name, len) < 0 ||
	    (k = take_kind(r, &w, &made)) == NULL ||
	    make_id(r, &w, k->family, k->event, &c->id) < 0)
		return -ENOMEM;
	if (made)
		k->cls = read_columns_class_of(r, &c->id);
	c->bits = k->family->bits;
	c->mul = k->family->mul;
	c->cls = k->cls;
	c->kind = (uint32_t)(k - r->columns.kind);
	return 0;
}

int
read_id(struct reader *r, const char *name, struct column_id *id)
{
	struct column_words w;
	const struct family *f;
	const char *event = NULL;

	if ((name = arena_strndup(r->arena, name, strlen(name))) == NULL)
		return -ENOMEM;
	if (read_columns_take_apart(r, &w, name, strlen(name)) < 0 ||
	    (f = family_of(r, w.family, w.family_len)) == NULL ||
	    (w.event != NULL && (event = arena_strndup(r->arena, w.event,
	    w.event_len)) == NULL))
		return -ENOMEM;
	return make_id(r, &w, f, event, id);
}

int
names_find(const struct reader *r, const char *name, size_t len)
{
	const struct lookup *l = &r->columns.names;

	LOOKUP_EACH(id, l, names_hash(name, len)) {
		if (r->columns.key_len[id] == len &&
		    memcmp(r->columns.column[id].name, name, len) == 0)
			return (int)id;
	}
	return -1;
}

unsigned
columns_shown(const struct reader *r)
{
	return r->columns.n - r->columns.hidden;
}

/* Show the hidden columns from the present sample on; the sample before has no
 * value of them. */
static void
show_all(struct reader *r)
{
	uint64_t *before = r->now.value[r->now.cur ^ 1];

	for (unsigned c = columns_shown(r); c < r->columns.n; c++)
		before[c] = ABSENT;
	r->columns.hidden = 0;
}

int
names_add(struct reader *r, const char *name, size_t len)
{
	struct column *c;
	int id, rc;

	if (r->threads.ahead != NULL)
		return -EAGAIN;
	show_all(r);
	if ((rc = more_columns(r)) < 0)
		return rc;
	id = (int)r->columns.n;
	c = &r->columns.column[id];
	*c = (struct column){ .name = arena_strndup(r->arena, name, len),
	    .cell = (uint32_t)id };
	if (c->name == NULL || read_columns_describe(r, c, len) < 0)
		return -ENOMEM;
	r->columns.key_len[id] = (uint32_t)len;
	r->now.value[0][id] = r->now.value[1][id] = ABSENT;
	r->guess.where[id] = 0;
	if (lookup_add(&r->columns.names, names_hash(name, len), (uint32_t)id) < 0)
		return -ENOMEM;
	r->columns.n++;
	return id;
}

int
names_column(struct reader *r, const char *name, size_t len)
{
	int id = names_find(r, name, len);

	return id >= 0 ? id : names_add(r, name, len);
}

int
read_show(struct reader *r, const char *const *name, unsigned n,
    unsigned shown)
{
	int id = 0;

	if (r->columns.n > 0 || r->run != NULL || shown > n)
		return -EINVAL;
	for (unsigned i = 0; i < n && id >= 0; i++)
		id = names_column(r, name[i], strlen(name[i]));
	r->columns.hidden = r->columns.n - shown;
	return id < 0 ? id : 0;
}

void
names_fini(struct reader *r)
{
	families_fini(&r->families);
	lookup_fini(&r->columns.kinds);
	free(r->columns.column);
	free(r->columns.kind);
	free(r->columns.key_len);
	free(r->now.value[0]);
	free(r->now.value[1]);
	free(r->guess.expect);
	free(r->guess.order);
	free(r->guess.where);
	lookup_fini(&r->columns.names);
	free(r->constant);
	lookup_fini(&r->constants);
}

unsigned
read_columns(const struct reader *r)
{
	return columns_shown(r);
}

const struct column *
read_column(const struct reader *r, unsigned id)
{
	return &r->columns.column[id];
}

/* The id of a column that is shown, or -1. */
static int
find_shown(const struct reader *r, const char *name, size_t len)
{
	int id = names_find(r, name, len);

	return id < (int)columns_shown(r) ? id : -1;
}

int
read_find_id(const struct reader *r, const struct column_id *id)
{
	char name[MAX_NAME];
	size_t len = column_text(id, "", name, sizeof(name));

	return len < sizeof(name) ? find_shown(r, name, len) : -1;
}

int
read_find(const struct reader *r, const char *name)
{
	return find_shown(r, name, strlen(name));
}
