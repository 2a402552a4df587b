/*
 * tests/lib/parquet_file.c - a reader of Parquet files of its own.
 */
#include "tests/lib/parquet_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/parquet_bounds.h"
#include "tests/lib/parquet_page.h"
#include "tests/lib/parquet_thrift.h"

/* The file on its way in. */
struct reading {
	struct pq_file *file;
	const uint8_t *data;
	size_t n, footer;       /* where that begins */
	uint8_t *used;          /* [n] by pages: each byte once */
};

/* A chunk on its way in. */
struct taken {
	struct pq_column *column;
	struct pq_cell *cell;   /* [rows] of its row group */
	uint64_t rows, have;
	struct pq_cell *dictionary;
	uint64_t ndictionary;
	unsigned encodings;     /* that its pages have, a bit each */
	uint64_t levels;        /* bytes of them */
};

static bool
wrong(struct pq_file *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(f->wrong, sizeof(f->wrong), fmt, ap);
	va_end(ap);
	return false;
}

static void *
must(void *p)
{
	if (p == NULL)
		abort();
	return p;
}

static char *
text_of(const struct tree *t)
{
	char *s = must(calloc(1, t->len + 1));

	if (t->len > 0)
		memcpy(s, t->bytes, t->len);
	return s;
}

/* ---- pages --------------------------------------------------------------- */

static void
free_cells(struct pq_cell *cell, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		free(cell[i].text);
	free(cell);
}

/* Values of a data page, as many as levels have a 1. */
static bool
take_values(struct taken *t, struct pq_cell *value, size_t n, int encoding,
    const uint8_t *p, const uint8_t *end)
{
	uint64_t *number = must(calloc(n + 1, sizeof(*number)));
	bool good = false;

	if (encoding == 0) {
		good = page_plain(value, n, t->column->type, &p, end);
	} else if (encoding == 5) {
		good = t->column->type == 2 && page_delta(number, n, &p, end);
		for (size_t i = 0; i < n; i++)
			value[i] = (struct pq_cell){ true, number[i], NULL, 0 };
	} else if (encoding == 8 && p < end && *p <= 32) {
		unsigned width = *p++;

		good = page_hybrid(number, n, width, &p, end);
		for (size_t i = 0; good && i < n; i++) {
			const struct pq_cell *d;

			if (number[i] >= t->ndictionary) {
				good = false;
				break;
			}
			d = &t->dictionary[number[i]];
			value[i] = *d;
			if (d->text != NULL) {
				value[i].text = must(malloc(d->len + 1));
				memcpy(value[i].text, d->text, d->len + 1);
			}
		}
	}
	free(number);
	return good && p == end;
}

static bool
take_data(struct taken *t, const struct tree *head, const uint8_t *p,
    const uint8_t *end)
{
	uint64_t n = (uint64_t)thrift_number(head, 1, 0), values = 0, k = 0;
	int encoding = (int)thrift_number(head, 2, -1);
	struct pq_cell *value;
	uint64_t *level, len = 0;
	bool good;

	if (n == 0 || n > t->rows - t->have || thrift_number(head, 3, 0) != 3 ||
	    thrift_number(head, 4, 0) != 3 || end - p < 4)
		return false;
	for (unsigned i = 0; i < 4; i++)
		len |= (uint64_t)*p++ << 8 * i;
	level = must(calloc(n, sizeof(*level)));
	good = len <= (size_t)(end - p);
	if (good) {
		const uint8_t *q = p, *levels_end = p + len;

		good = page_hybrid(level, n, 1, &q, levels_end) &&
		    q == levels_end;
		p += len;
	}
	t->levels += 4 + len;
	for (uint64_t i = 0; i < n; i++)
		values += level[i] & 1;
	value = must(calloc(values + 1, sizeof(*value)));
	good = good && take_values(t, value, values, encoding, p, end);
	for (uint64_t i = 0; i < n; i++)
		if (good && level[i])
			t->cell[t->have + i] = value[k++];
	if (!good)
		free_cells(value, values);
	else
		free(value);
	free(level);
	t->have += n;
	t->encodings |= 1u << encoding | 1u << 3;
	return good;
}

/* A page at *p, which is moved past it. */
static bool
take_page(struct reading *r, struct taken *t, size_t *at, bool *dictionary)
{
	const uint8_t *from = r->data + *at, *p = from;
	const uint8_t *end = r->data + r->footer;
	struct tree head;
	size_t size;
	bool good = thrift_tree(&head, &p, end);

	size = (size_t)thrift_number(&head, 3, 0);
	good = good && size <= (size_t)(end - p) &&
	    thrift_number(&head, 2, -1) == (int64_t)size &&
	    (uint32_t)thrift_number(&head, 4, 0) == page_crc(p, size) &&
	    thrift_get(&head, 4)->field == 4;
	*dictionary = thrift_number(&head, 1, -1) == 2;
	if (good && *dictionary) {
		const struct tree *d = thrift_get(&head, 7);
		const uint8_t *q = p;

		t->ndictionary = (uint64_t)thrift_number(d, 1, 0);
		good = t->dictionary == NULL && t->have == 0 &&
		    t->ndictionary <= size && thrift_number(d, 2, 1) == 0;
		t->dictionary = must(calloc(size + 1, sizeof(struct pq_cell)));
		good = good && page_plain(t->dictionary, t->ndictionary,
		    t->column->type, &q, p + size) && q == p + size;
		t->encodings |= 1;
	} else if (good) {
		good = thrift_number(&head, 1, -1) == 0 &&
		    take_data(t, thrift_get(&head, 5), p, p + size);
	}
	thrift_drop(&head);
	if (!good)
		return wrong(r->file, "%s: page at %zu", t->column->name, *at);
	for (const uint8_t *u = from; u < p + size; u++)
		if (r->used[u - r->data]++)
			return wrong(r->file, "%s: page at %zu is another's",
			    t->column->name, *at);
	*at += (size_t)(p - from) + size;
	r->file->bytes.page_heads += (uint64_t)(p - from);
	r->file->bytes.values += size;
	r->file->npage += !*dictionary;
	return true;
}

/* ---- chunks -------------------------------------------------------------- */

static bool
check_meta(struct reading *r, const struct taken *t, const struct tree *meta)
{
	const struct tree *name = thrift_get(meta, 3);
	const struct tree *encodings = thrift_get(meta, 2);
	const char *words;
	unsigned said = 0;

	for (unsigned i = 0; i < encodings->n; i++)
		said |= 1u << (encodings->child[i].number & 31);
	if (said != t->encodings)
		return wrong(r->file, "%s: encodings %x, not %x",
		    t->column->name, said, t->encodings);
	if (name->n != 1 || name->child[0].len != strlen(t->column->name) ||
	    memcmp(name->child[0].bytes, t->column->name, name->child[0].len))
		return wrong(r->file, "%s: another name", t->column->name);
	r->file->bytes.names += name->child[0].len;
	r->file->bytes.bounds += thrift_get(meta, 12)->size;
	if (thrift_number(meta, 1, -1) != t->column->type ||
	    thrift_number(meta, 4, -1) != 0 ||
	    (uint64_t)thrift_number(meta, 5, -1) != t->rows ||
	    thrift_number(meta, 6, -1) != thrift_number(meta, 7, -2))
		return wrong(r->file, "%s: metadata", t->column->name);
	words = bounds_wrong(t->column, t->cell, t->rows, thrift_get(meta, 12));
	return words == NULL || wrong(r->file, "%s: %s", t->column->name, words);
}

static bool
take_chunk(struct reading *r, struct taken *t, const struct tree *chunk)
{
	const struct tree *meta = thrift_get(chunk, 3);
	size_t data = (size_t)thrift_number(meta, 9, 0);
	size_t at = (size_t)thrift_number(meta, 11, (int64_t)data);
	size_t size = (size_t)thrift_number(meta, 7, 0), from = at;
	bool dictionary;

	if (at < 4 || data < at || size > r->footer || at > r->footer - size)
		return wrong(r->file, "%s: its place", t->column->name);
	while (at < from + size) {
		size_t page = at;

		if (!take_page(r, t, &at, &dictionary))
			return false;
		if (dictionary != (page < data))
			return wrong(r->file, "%s: the dictionary's place",
			    t->column->name);
	}
	if (at != from + size || t->have != t->rows)
		return wrong(r->file, "%s: its size", t->column->name);
	return check_meta(r, t, meta);
}

static bool
take_group(struct reading *r, const struct tree *group, uint64_t from)
{
	const struct tree *chunks = thrift_get(group, 1);
	uint64_t rows = (uint64_t)thrift_number(group, 3, 0);
	int64_t size = 0;

	if (chunks->n != r->file->ncolumn || rows == 0 ||
	    rows > r->file->rows - from)
		return wrong(r->file, "a row group");
	for (unsigned c = 0; c < chunks->n; c++) {
		struct pq_column *column = &r->file->column[c];
		struct taken t = { .column = column, .rows = rows,
		    .cell = column->cell + from };
		bool good = take_chunk(r, &t, &chunks->child[c]);

		free_cells(t.dictionary, t.ndictionary);
		if (!good)
			return false;
		r->file->bytes.levels += t.levels;
		r->file->bytes.values -= t.levels;
		size += thrift_number(thrift_get(&chunks->child[c], 3), 7, 0);
	}
	return size == thrift_number(group, 2, -1) ||
	    wrong(r->file, "size of a row group");
}

/* ---- the footer ---------------------------------------------------------- */

static bool
take_columns(struct pq_file *f, const struct tree *schema)
{
	if (schema->n == 0 || thrift_number(&schema->child[0], 5, -1) !=
	    (int64_t)schema->n - 1)
		return wrong(f, "the schema's root");
	f->column = must(calloc(schema->n, sizeof(*f->column)));
	for (f->ncolumn = 0; f->ncolumn + 1 < schema->n; f->ncolumn++) {
		const struct tree *s = &schema->child[f->ncolumn + 1];
		const struct tree *logical = thrift_get(s, 10);
		struct pq_column *c = &f->column[f->ncolumn];

		c->name = text_of(thrift_get(s, 4));
		f->bytes.names += thrift_get(s, 4)->len;
		c->type = (int)thrift_number(s, 1, -1);
		c->converted = (int)thrift_number(s, 6, -1);
		c->logical = logical->n == 1 ? logical->child[0].field : 0;
		c->cell = must(calloc(f->rows + 1, sizeof(*c->cell)));
		if (thrift_number(s, 3, -1) != 1 || (c->type != 2 &&
		    c->type != 5 && c->type != 6) ||
		    (c->converted == 0) != (c->logical == 1) ||
		    (c->converted == 10) != (c->logical == 8) ||
		    (c->converted == 14) != (c->logical == 10)) {
			f->ncolumn++;
			return wrong(f, "%s: its type", c->name);
		}
	}
	return true;
}

static void
take_pairs(struct pq_file *f, const struct tree *pairs)
{
	f->key = must(calloc(pairs->n + 1, sizeof(*f->key)));
	f->value = must(calloc(pairs->n + 1, sizeof(*f->value)));
	for (; f->nkey < pairs->n; f->nkey++) {
		f->key[f->nkey] = text_of(thrift_get(&pairs->child[f->nkey],
		    1));
		f->value[f->nkey] = text_of(thrift_get(&pairs->child[f->nkey],
		    2));
	}
}

static bool
take_footer(struct reading *r, const struct tree *meta)
{
	const struct tree *groups = thrift_get(meta, 4);
	const struct tree *orders = thrift_get(meta, 7);
	struct pq_file *f = r->file;
	uint64_t rows = 0;

	f->rows = (uint64_t)thrift_number(meta, 3, 0);
	if (f->rows > 1u << 26)
		return wrong(f, "so many rows");
	f->ngroup = groups->n;
	take_pairs(f, thrift_get(meta, 5));
	if (!take_columns(f, thrift_get(meta, 2)))
		return false;
	for (unsigned i = 0; i < groups->n; i++) {
		if (!take_group(r, &groups->child[i], rows))
			return false;
		rows += (uint64_t)thrift_number(&groups->child[i], 3, 0);
	}
	for (size_t i = 4; i < r->footer; i++)
		if (r->used[i] != 1)
			return wrong(f, "byte %zu is in no page", i);
	if (orders->n != f->ncolumn)
		return wrong(f, "orders of columns");
	return rows == f->rows || wrong(f, "number of rows");
}

bool
pq_read(struct pq_file *f, const uint8_t *data, size_t n)
{
	struct reading r = { .file = f, .data = data, .n = n };
	const uint8_t *p, *end;
	struct tree meta;
	size_t len = 0;
	bool good;

	*f = (struct pq_file){ .rows = 0 };
	if (n < 12 || memcmp(data, "PAR1", 4) != 0 ||
	    memcmp(data + n - 4, "PAR1", 4) != 0)
		return wrong(f, "magic");
	for (unsigned i = 0; i < 4; i++)
		len |= (size_t)data[n - 8 + i] << 8 * i;
	if (len > n - 12)
		return wrong(f, "length of the footer");
	r.footer = n - 8 - len;
	p = data + r.footer;
	end = data + n - 8;
	good = thrift_tree(&meta, &p, end) && p == end;
	if (!good)
		wrong(f, "the footer");
	r.used = must(calloc(n, 1));
	good = good && take_footer(&r, &meta);
	f->bytes.rest = n - r.footer + 4 - f->bytes.names - f->bytes.bounds;
	free(r.used);
	thrift_drop(&meta);
	return good;
}

void
pq_free(struct pq_file *f)
{
	for (unsigned c = 0; c < f->ncolumn; c++) {
		free_cells(f->column[c].cell, f->rows);
		free(f->column[c].name);
	}
	free(f->column);
	for (unsigned i = 0; i < f->nkey; i++) {
		free(f->key[i]);
		free(f->value[i]);
	}
	free(f->key);
	free(f->value);
	*f = (struct pq_file){ .rows = 0 };
}

const struct pq_column *
pq_find(const struct pq_file *f, const char *name)
{
	for (unsigned c = 0; c < f->ncolumn; c++)
		if (strcmp(f->column[c].name, name) == 0)
			return &f->column[c];
	return NULL;
}

const char *
pq_value(const struct pq_file *f, const char *key)
{
	for (unsigned i = 0; i < f->nkey; i++)
		if (strcmp(f->key[i], key) == 0)
			return f->value[i];
	return NULL;
}
