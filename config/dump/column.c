/*
 * config/dump/column.c - print, parse and compare the names of columns.
 */
#include "config/dump/column.h"

#include "lib/array.h"
#include "lib/printable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- printing --------------------------------------------------------- */

/* A buffer for text that may not fit: n counts on past its end. */
struct room {
	char *buf;
	size_t size, n;
};

static void
column_put(struct room *t, const char *s, size_t len)
{
	if (t->n < t->size)
		memcpy(t->buf + t->n, s, len < t->size - t->n ? len :
		    t->size - t->n);
	t->n += len;
}

static void
put_index(struct room *t, uint32_t v)
{
	char digits[16], *p = digits + sizeof(digits);

	*--p = ']';
	do
		*--p = (char)('0' + v % 10);
	while ((v /= 10) != 0);
	*--p = '[';
	column_put(t, p, (size_t)(digits + sizeof(digits) - p));
}

static void
put_label(struct room *t, const char *label)
{
	char one[LUA_QUOTED_ONE];

	column_put(t, "[\"", 2);
	for (size_t plain; *label != '\0'; label += plain) {
		plain = lua_plain(label, '"');
		column_put(t, label, plain);
		if (plain == 0)
			column_put(t, one, lua_quote_one(one, &label, '"'));
	}
	column_put(t, "\"]", 2);
}

/* column_text that also stores the length of each prefix that names a table: the name,
 * the name with its first index, ... the whole.  Returns how many there are. */
static unsigned
column_texts(const struct column_id *id, const char *suffix, char *buf,
    size_t size, size_t length[MAX_TABLES])
{
	struct room t = { buf, size, 0 };
	unsigned n = 0;

	column_put(&t, id->family->name, strlen(id->family->name));
	column_put(&t, suffix, strlen(suffix));
	length[n++] = t.n;
	if (id->odd != NULL) {
		column_put(&t, id->odd, strlen(id->odd));
		length[n++] = t.n;
	} else {
		if (id->lprocs != NULL) {
			put_label(&t, id->lprocs);
			length[n++] = t.n;
		}
		for (unsigned i = 0; i < id->nindex; i++) {
			put_index(&t, id->index[i]);
			length[n++] = t.n;
		}
		if (id->event != NULL) {
			put_label(&t, id->event);
			length[n++] = t.n;
		}
	}
	if (size > 0)
		buf[t.n < size ? t.n : size - 1] = '\0';
	return n;
}

size_t
column_text(const struct column_id *id, const char *suffix, char *buf,
    size_t size)
{
	size_t length[MAX_TABLES];

	return length[column_texts(id, suffix, buf, size, length) - 1];
}

char *
column_string(const struct column_id *id, const char *suffix)
{
	size_t size = column_text(id, suffix, NULL, 0) + 1;
	char *s = malloc(size);

	if (s != NULL)
		column_text(id, suffix, s, size);
	return s;
}

/* ---- parsing ---------------------------------------------------------- */

/* index = "[" ( digits | string ) "]".  p is at its '['; returns the end of the
 * index.  A string is stored in *label.  Sets *odd for an index that is not
 * written as column_texts would write it. */
static const char *
take_index(struct column_words *w, const char *p, const char *end,
    const char **label, size_t *len, bool *odd)
{
	const char *first = ++p;

	*label = NULL;
	if (p < end && (*p == '"' || *p == '\'')) {
		char quote = *p++;

		*odd |= quote != '"';
		*label = p;
		p = memchr(p, quote, (size_t)(end - p));
		if (p == NULL || memchr(*label, '\\', (size_t)(p - *label)) != NULL)
			for (p = *label; p < end && *p != quote; p++)
				if (*p == '\\')
					p++;
		*len = (size_t)((p < end ? p : end) - *label);
		p += p < end;
	} else if (w->nindex < MAX_INDEX) {
		uint64_t v = 0;

		for (; p < end && *p >= '0' && *p <= '9'; p++)
			v = v * 10 + (uint64_t)(*p - '0');
		*odd |= p == first || p - first > 9 ||
		    (*first == '0' && p - first > 1);
		w->index[w->nindex++] = (uint32_t)v;
	} else {
		*odd = true;
	}
	*odd |= p >= end || *p != ']';
	while (p < end && *p != ']')
		p++;
	return p < end ? p + 1 : end;
}

void
column_parse(struct column_words *w, const char *name, size_t len)
{
	const char *end = name + len, *p = memchr(name, '[', len);
	bool odd = false;

	*w = (struct column_words){ .family = name };
	if (p == NULL)
		p = end;
	w->family_len = (size_t)(p - name);
	for (const char *tail = p; p < end; w->odd = odd ? tail : NULL) {
		const char *label;
		size_t label_len = 0;

		p = take_index(w, p, end, &label, &label_len, &odd);
		/* in tallyd's names nothing follows the event */
		odd |= w->event != NULL && (label == NULL || w->nindex > 0 ||
		    w->lprocs != NULL);
		if (label == NULL)
			continue;
		w->lprocs = w->event;
		w->lprocs_len = w->event_len;
		w->event = label;
		w->event_len = label_len;
	}
}

/* ---- comparing -------------------------------------------------------- */

static int
label_order(const char *a, const char *b)
{
	return a == b ? 0 : a == NULL ? -1 : b == NULL ? 1 : strcmp(a, b);
}

int
column_order(const struct column_id *a, const struct column_id *b)
{
	int d = a->family == b->family ? 0 :
	    strcmp(a->family->name, b->family->name);

	for (unsigned i = 0; d == 0 && i < a->nindex && i < b->nindex; i++)
		d = (a->index[i] > b->index[i]) - (a->index[i] < b->index[i]);
	if (d == 0)
		d = a->nindex - b->nindex;
	if (d == 0)
		d = label_order(a->lprocs, b->lprocs);
	if (d == 0)
		d = label_order(a->event, b->event);
	return d != 0 ? d : label_order(a->odd, b->odd);
}

bool
column_same(const struct column_id *a, const struct column_id *b)
{
	/* numbers differ most often, and are compared faster than names */
	if (a->nindex != b->nindex)
		return false;
	for (unsigned i = 0; i < a->nindex; i++)
		if (a->index[i] != b->index[i])
			return false;
	return column_order(a, b) == 0;
}

bool
column_in(const struct column_id *id, const struct column_id *table)
{
	struct column_id part = *id;

	if (table->event == NULL)
		part.event = NULL;
	if (table->nindex < part.nindex && part.event == NULL)
		part.nindex = table->nindex;
	if (table->lprocs == NULL && part.nindex == 0 && part.event == NULL)
		part.lprocs = NULL;
	return column_same(&part, table);
}

/* ---- values ----------------------------------------------------------- */

/*
 * The value of a PRINT_SCALED column in a row.  ABSENT if its group ran all the
 * time (then the raw count is exact), never ran or was not read, or if the
 * product does not fit 64 bits.
 */
static uint64_t
scaled(const struct column *c, const uint64_t *row)
{
	const uint64_t *times = &row[c->cell - (uint32_t)c->base];
	uint64_t raw = row[c->cell], enabled = times[0], running = times[1];
	__extension__ unsigned __int128 wide;

	if (raw == ABSENT || enabled == ABSENT || running == ABSENT ||
	    running == 0 || running >= enabled)
		return ABSENT;
	wide = raw;
	wide = wide * enabled / running;
	return wide < ABSENT ? (uint64_t)wide : ABSENT;
}

uint64_t
column_raw(const struct column *c, const uint64_t *row)
{
	uint64_t raw = row[c->cell];

	if (c->print == PRINT_SCALED)
		return scaled(c, row);
	if (c->print == PRINT_LOW && raw != ABSENT)
		return raw & ((1ull << c->base) - 1);
	return c->print == PRINT_CORE_TEMP && !(raw >> 31 & 1) ? ABSENT : raw;
}

/* ---- sums by event set -------------------------------------------------- */

/* Families of clocks (TSC stamps of blocks, APERF, MPERF), and those of their sums by
 * event set. */
static const struct { const char *family, *in_set; } clocks[] = {
	{ "lproc_tsc", "lproc_set_tsc" }, { "pkg_tsc", "pkg_set_tsc" },
	{ "pkg_bus_tsc", "pkg_bus_set_tsc" },
	{ "aperf", "set_aperf" }, { "mperf", "set_mperf" },
};

/* The family of the sums of a core's fixed counter, by the class of its event. */
static const char *
set_family_of_class(unsigned cls)
{
	return cls == CLASS_INSTR ? "set_instructions" :
	    cls == CLASS_CYCLES ? "set_cycles" :
	    cls == CLASS_REF ? "set_ref_cycles" :
	    cls == CLASS_SLOTS ? "set_slots" : NULL;
}

const char *
column_set_family(const struct column_id *id, unsigned cls)
{
	if (id->nindex != 1 || id->lprocs != NULL || id->odd != NULL)
		return NULL;
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		if (id->event == NULL && strcmp(id->family->name,
		    clocks[i].family) == 0)
			return clocks[i].in_set;
	if (id->event == NULL)
		return NULL;
	if (strcmp(id->family->name, "core_fixed_counts") == 0)
		return set_family_of_class(cls);
	/* AMD: two of the general counters count these events */
	if (strcmp(id->family->name, "core_counts") != 0)
		return NULL;
	return strcmp(id->event, "instr_retired") == 0 ? set_family_of_class(CLASS_INSTR) :
	    strcmp(id->event, "cycles_unhalted") == 0 ?
	    set_family_of_class(CLASS_CYCLES) : NULL;
}

/* ---- tables -------------------------------------------------------------- */

/* The tables declared so far. */
struct declared {
	struct arena *arena;
	declare_put *put;
	void *ctx;
	const char **name;
	unsigned n, room;
	struct lookup by_name;
};

struct declared *
declare_new(declare_put *put, void *ctx)
{
	struct declared *d = calloc(1, sizeof(*d));

	if (d == NULL)
		return NULL;
	*d = (struct declared){ .put = put, .ctx = ctx, .arena = arena_new() };
	if (d->arena == NULL) {
		declare_free(d);
		return NULL;
	}
	return d;
}

void
declare_free(struct declared *d)
{
	if (d == NULL)
		return;
	arena_free(d->arena);
	lookup_fini(&d->by_name);
	free(d->name);
	free(d);
}

/* Add a table.  Returns 1 if it is new, 0 if not, or -ENOMEM. */
static int
declare_add(struct declared *d, const char *s, size_t n)
{
	uint64_t hash = lookup_hash(0, s, n);

	LOOKUP_EACH(i, &d->by_name, hash) {
		const char *had = d->name[i];

		if (strlen(had) == n && memcmp(had, s, n) == 0)
			return 0;
	}
	if (!array_room(&d->name, d->n, &d->room, sizeof(*d->name)))
		return -ENOMEM;
	if ((d->name[d->n] = arena_strndup(d->arena, s, n)) == NULL ||
	    lookup_add(&d->by_name, hash, d->n) < 0)
		return -ENOMEM;
	d->n++;
	return 1;
}

int
declare_tables(struct declared *d, const struct column_id *id,
    const char *suffix, bool whole)
{
	char name[MAX_NAME];
	size_t length[MAX_TABLES];
	unsigned n = column_texts(id, suffix, name, sizeof(name), length);

	for (unsigned i = 0; i + !whole < n; i++) {
		int rc = length[i] < sizeof(name) ?
		    declare_add(d, name, length[i]) : 0;

		if (rc < 0)
			return rc;
		if (rc == 0)
			continue;
		d->put(d->ctx, name, length[i]);
		d->put(d->ctx, " = {}\n", 6);
	}
	return 0;
}
