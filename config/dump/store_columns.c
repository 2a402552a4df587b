/*
 * config/dump/store_columns.c - write and read the columns and families in a
 * store's file.
 */
#include "config/dump/store_int.h"

#include "lib/array.h"
#include "lib/printable.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---------------------------------------------------------- */

static uint64_t
align8(uint64_t n)
{
	return (n + 7) & ~7ull;
}

/* The texts of a store, one after the other.  Repeated ones are stored once, as
 * each event's name comes again for every lproc and box. */
struct texts {
	char *to;                       /* NULL: only measure the size */
	uint32_t n;
	struct { const char *s; uint32_t at; } seen[256];
};

static uint32_t
store_columns_put_text(struct texts *t, const char *s)
{
	unsigned slot = (unsigned)((uintptr_t)s * 0x9e3779b97f4a7c15ull >> 56);
	size_t len;

	if (s == NULL)
		return NO_TEXT;
	if (t->seen[slot].s == s)
		return t->seen[slot].at;
	t->seen[slot].s = s;
	t->seen[slot].at = t->n;
	len = strlen(s) + 1;
	if (t->to != NULL)
		memcpy(t->to + t->n, s, len);
	t->n += (uint32_t)len;
	return t->seen[slot].at;
}

/* The families of the columns, numbered in order of first use. */
struct in_order {
	const struct family **family;
	unsigned n, room, last;
};

static int
store_columns_number_of(struct in_order *o, const struct family *f)
{
	if (o->last < o->n && o->family[o->last] == f)
		return (int)o->last;
	for (o->last = 0; o->last < o->n; o->last++)
		if (o->family[o->last] == f)
			return (int)o->last;
	if (!array_room(&o->family, o->n, &o->room, sizeof(*o->family)))
		return -ENOMEM;
	o->family[o->n++] = f;
	return (int)o->last;
}

/* Write columns, families and their texts; col NULL: only measure the size. */
static int
put_columns(const struct store_shape *s, struct texts *t, struct in_order *o,
    struct file_column *col, struct file_family *fam, uint32_t *model)
{
	*model = store_columns_put_text(t, s->model != NULL ? s->model : "");
	for (unsigned i = 0; i < s->ncolumn; i++) {
		const struct column *c = &s->column[i];
		struct file_column fc = {
		    .lprocs = store_columns_put_text(t, c->id.lprocs),
		    .event = store_columns_put_text(t, c->id.event),
		    .cell = c->cell,
		    .nindex = c->id.nindex, .bits = c->bits,
		    .print = c->print, .mul = c->mul, .cls = c->cls,
		    .base = c->base };
		int n = store_columns_number_of(o, c->id.family);

		if (n < 0)
			return n;
		fc.family = (uint32_t)n;
		memcpy(fc.index, c->id.index, sizeof(fc.index));
		if (col != NULL)
			col[i] = fc;
	}
	for (unsigned i = 0; i < o->n; i++) {
		const struct family *f = o->family[i];
		struct file_family ff = {
		    .name = store_columns_put_text(t, f->name),
		    .unit = store_columns_put_text(t, f->unit), .bits = f->bits,
		    .mul = f->mul };

		if (fam != NULL)
			fam[i] = ff;
	}
	return 0;
}

int
store_lay_out(struct file_head *h, const struct store_shape *s)
{
	struct texts t = { .to = NULL };
	struct in_order o = { .family = NULL };
	int rc;

	memset(h, 0, sizeof(*h));
	rc = put_columns(s, &t, &o, NULL, NULL, &h->model);
	free(o.family);
	memcpy(h->magic, MAGIC, sizeof(h->magic));
	h->ncell = s->ncell;
	h->ncolumn = s->ncolumn;
	h->nfamily = o.n;
	h->cell_tsc = s->cell_tsc;
	h->cell_real_sec = s->cell_real_sec;
	h->cell_real_usec = s->cell_real_usec;
	h->cell_mono = s->cell_mono;
	h->capacity = s->capacity;
	h->notes = align8(sizeof(*h));
	h->columns = h->notes + STORE_NOTES;
	h->families = h->columns + s->ncolumn * sizeof(struct file_column);
	h->names = h->families + o.n * sizeof(struct file_family);
	h->preamble = h->names + t.n;
	/* rows begin on a new page: the pages before are written once */
	h->rows = (h->preamble + strlen(s->preamble) + 1 + 4095) & ~4095ull;
	h->size = h->rows + s->capacity * s->ncell * 8;
	return rc;
}

int
store_put_columns(struct store *st, struct file_head *h,
    const struct store_shape *s)
{
	struct texts t = { .to = (char *)st->map + h->names };
	struct in_order o = { .family = NULL };
	int rc = put_columns(s, &t, &o,
	    (struct file_column *)(st->map + h->columns),
	    (struct file_family *)(st->map + h->families), &h->model);

	free(o.family);
	strcpy((char *)st->map + h->preamble, s->preamble);
	memcpy(st->map, h, sizeof(*h));
	return rc;
}

/* ---- reading ---------------------------------------------------------- */

static const struct file_column *
store_columns_of(const struct store *st)
{
	return (const struct file_column *)(st->map + st->head->columns);
}

static const struct file_family *
families_of(const struct store *st)
{
	return (const struct file_family *)(st->map + st->head->families);
}

static bool
sound_column(const struct file_head *h, const struct file_column *c)
{
	uint64_t texts = h->preamble - h->names;

	return c->family < h->nfamily && c->cell < h->ncell &&
	    (c->lprocs == NO_TEXT || c->lprocs < texts) &&
	    (c->event == NO_TEXT || c->event < texts) &&
	    c->nindex <= MAX_INDEX && c->bits <= 64 && c->cls < CLASSES &&
	    (c->bits > 0 || !class_is_counter(c->cls)) &&
	    c->print < PRINTS && (c->print != PRINT_SCALED ||
	    (c->base >= 1 && (uint32_t)c->base <= c->cell)) &&
	    (c->print != PRINT_LOW || (c->base >= 1 && c->base <= 63));
}

static const char *
text_at(const struct store *st, uint32_t at)
{
	return at == NO_TEXT ? NULL :
	    (const char *)st->map + st->head->names + at;
}

/* Is it a valid family name? */
static bool
is_word(const char *s)
{
	for (const char *p = s; *p != '\0'; p++)
		if (!isalpha((unsigned char)*p) && *p != '_' &&
		    (p == s || !isdigit((unsigned char)*p)))
			return false;
	return *s != '\0';
}

static bool
store_columns_is_shown(const char *s)
{
	for (unsigned n; *s != '\0'; s += n)
		if ((n = printable_length(s)) == 0)
			return false;
	return true;
}

bool
store_sound_columns(const struct store *st)
{
	const struct file_head *h = st->head;
	const struct file_family *f = families_of(st);
	uint64_t texts = h->preamble - h->names;

	for (unsigned i = 0; i < h->ncolumn; i++)
		if (!sound_column(h, &store_columns_of(st)[i]))
			return false;
	if (texts == 0 || h->model >= texts ||
	    st->map[h->preamble - 1] != '\0' ||
	    memchr(st->map + h->preamble, '\0', h->rows - h->preamble) == NULL)
		return false;
	for (unsigned i = 0; i < h->nfamily; i++)
		if (f[i].name >= texts || f[i].unit >= texts ||
		    f[i].bits > 64 || !is_word(text_at(st, f[i].name)) ||
		    !store_columns_is_shown(text_at(st, f[i].unit)))
			return false;
	return true;
}

/* The family with an index in the file; NULL: out of memory. */
static struct family *
take_family(struct store *st, unsigned i)
{
	const struct file_family *ff = &families_of(st)[i];
	const char *name = text_at(st, ff->name);
	struct family *f = families_get(&st->families, name, strlen(name));

	if (f != NULL && !f->said)
		family_say(f, text_at(st, ff->unit), ff->bits, ff->mul);
	return f;
}

static int
store_columns_take_columns(struct store *st)
{
	const struct file_column *fc = store_columns_of(st);
	const struct model *model = model_named(text_at(st, st->head->model));

	st->families = (struct families){ .arena = arena_new(),
	    .model = model != NULL ? model : &model_any };
	st->column = calloc(st->head->ncolumn + 1, sizeof(*st->column));
	if (st->families.arena == NULL || st->column == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < st->head->ncolumn; i++, fc++) {
		struct column *c = &st->column[i];

		*c = (struct column){ .cell = fc->cell, .bits = fc->bits,
		    .print = fc->print, .mul = fc->mul, .cls = fc->cls,
		    .base = fc->base };
		c->id = (struct column_id){ .family = take_family(st,
		    fc->family), .lprocs = text_at(st, fc->lprocs),
		    .event = text_at(st, fc->event), .nindex = fc->nindex };
		if (c->id.family == NULL)
			return -ENOMEM;
		memcpy(c->id.index, fc->index, sizeof(fc->index));
	}
	return 0;
}

int
store_take_shape(struct store *st)
{
	const struct file_head *h = st->head;

	st->shape = (struct store_shape){ .ncolumn = h->ncolumn,
	    .ncell = h->ncell, .capacity = h->capacity,
	    .model = text_at(st, h->model),
	    .preamble = (char *)st->map + h->preamble,
	    .cell_tsc = h->cell_tsc, .cell_real_sec = h->cell_real_sec,
	    .cell_real_usec = h->cell_real_usec,
	    .cell_mono = h->cell_mono };
	if (store_columns_take_columns(st) < 0)
		return -ENOMEM;
	st->shape.column = st->column;
	return 0;
}
