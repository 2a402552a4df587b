/*
 * postproc/out/parquet.c - writes an Apache Parquet file: columns, cells, row groups.
 */
#include "postproc/out/parquet_int.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/printable.h"

#define MAGIC "PAR1"

static void
parquet_write(struct parquet *p, const void *data, size_t n)
{
	if (n > 0)
		fwrite(data, 1, n, p->f);
	p->at += n;
}

struct parquet *
parquet_new(FILE *f, uint64_t cells)
{
	struct parquet *p = calloc(1, sizeof(*p));

	if (p == NULL)
		return NULL;
	p->f = f;
	p->cells = cells;
	p->page_rows = PAGE_ROWS;
	parquet_write(p, MAGIC, 4);
	return p;
}

static void
free_columns(struct parquet *p)
{
	for (unsigned i = 0; i < p->ncolumn; i++) {
		free(p->column[i].name);
		chunk_fini(&p->column[i].chunk);
	}
	free(p->column);
	lookup_fini(&p->names);
}

void
parquet_free(struct parquet *p)
{
	if (p == NULL)
		return;
	free_columns(p);
	for (unsigned i = 0; i < p->ngroup; i++) {
		for (unsigned c = 0; c < p->group[i].nsaid; c++)
			extremes_fini(&p->group[i].said[c].extremes);
		free(p->group[i].said);
	}
	free(p->group);
	for (unsigned i = 0; i < p->npair; i++) {
		free(p->pair[i].key);
		free(p->pair[i].value);
	}
	free(p->pair);
	octets_fini(&p->head);
	octets_fini(&p->text);
	free(p);
}

void
parquet_pages(struct parquet *p, uint32_t rows)
{
	p->page_rows = rows;
}

/* ---- names --------------------------------------------------------------- */

/* Returns a text as UTF-8: the text itself, or a copy in p->text. */
static const char *
parquet_utf8(struct parquet *p, const char *s)
{
	const char *c = s;
	unsigned n = 0;

	while ((uint8_t)(*c - 1) < 0x7f || (n = utf8_length(c, NULL)) > 0)
		c += (uint8_t)(*c - 1) < 0x7f ? 1 : n;
	if (*c == '\0')
		return s;
	p->text.n = 0;
	for (; *s != '\0'; s += n > 0 ? n : 1) {
		if ((n = utf8_length(s, NULL)) > 0) {
			octets_add(&p->text, s, n);
		} else {
			octets_byte(&p->text, 0xc0 | (uint8_t)*s >> 6);
			octets_byte(&p->text, 0x80 | ((uint8_t)*s & 0x3f));
		}
	}
	octets_byte(&p->text, 0);
	if (p->text.failed)
		p->failed = true;
	return p->text.failed ? "" : (const char *)p->text.data;
}

/* Some readers ignore case, so names that differ only in case have one hash. */
static uint64_t
name_hash(const char *name)
{
	uint64_t hash = 0;

	for (; *name != '\0'; name++) {
		uint8_t c = (uint8_t)*name | 0x20u;

		hash = lookup_hash(hash, &c, 1);
	}
	return hash;
}

static bool
name_taken(const struct parquet *p, const char *name)
{
	for (uint32_t at = lookup_first(&p->names, name_hash(name));
	    at != LOOKUP_END; at = lookup_next(&p->names, at))
		if (strcasecmp(p->column[lookup_value(&p->names, at)].name,
		    name) == 0)
			return true;
	return false;
}

/* The name, or the first of NAME.2, NAME.3, ... that no column has; the caller frees
 * it. */
static char *
unique_name(struct parquet *p, const char *name)
{
	char *own = strdup(parquet_utf8(p, name)), *s = own;

	for (unsigned n = 2; s != NULL && name_taken(p, s); n++) {
		if (s != own)
			free(s);
		if (asprintf(&s, "%s.%u", own, n) < 0)
			s = NULL;
	}
	if (s != own)
		free(own);
	return s;
}

int
parquet_column(struct parquet *p, const char *name, enum parquet_type type)
{
	struct parquet_column *c;
	char *own = NULL;

	if (!array_room(&p->column, p->ncolumn, &p->column_room, sizeof(*c)) ||
	    (own = unique_name(p, name)) == NULL ||
	    lookup_add(&p->names, name_hash(own), p->ncolumn) < 0) {
		free(own);
		p->failed = true;
		return -ENOMEM;
	}
	c = &p->column[p->ncolumn];
	c->name = own;
	chunk_init(&c->chunk, type, p->page_rows);
	return (int)p->ncolumn++;
}

void
parquet_key(struct parquet *p, const char *key, const char *value)
{
	struct parquet_pair *pair;

	if (!array_room(&p->pair, p->npair, &p->pair_room, sizeof(*pair))) {
		p->failed = true;
		return;
	}
	pair = &p->pair[p->npair++];
	pair->key = strdup(parquet_utf8(p, key));
	pair->value = strdup(parquet_utf8(p, value));
	p->failed |= pair->key == NULL || pair->value == NULL;
}

/* ---- cells --------------------------------------------------------------- */

void
parquet_number(struct parquet *p, int column, uint64_t value)
{
	parquet_same_number(p, column, value, 1);
}

void
parquet_real(struct parquet *p, int column, double value)
{
	parquet_same_real(p, column, value, 1);
}

void
parquet_text(struct parquet *p, int column, const char *text)
{
	parquet_same_text(p, column, text, 1);
}

void
parquet_same_number(struct parquet *p, int column, uint64_t value, unsigned n)
{
	if (column >= 0)
		chunk_number(&p->column[column].chunk, p->row + p->ahead,
		    value, n);
}

void
parquet_same_real(struct parquet *p, int column, double value, unsigned n)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	if (!isnan(value))
		parquet_same_number(p, column, bits, n);
}

void
parquet_same_text(struct parquet *p, int column, const char *text, unsigned n)
{
	if (column >= 0 && text != NULL)
		chunk_text(&p->column[column].chunk, p->row + p->ahead,
		    parquet_utf8(p, text), n);
}

void
parquet_row(struct parquet *p)
{
	p->row++;
	if (p->row * p->ncolumn >= p->cells && p->row % 16 == 0)
		parquet_group(p);
}

void
parquet_ahead(struct parquet *p, unsigned n)
{
	p->ahead = n;
}

void
parquet_numbers(struct parquet *p, int column, const uint64_t *value,
    const bool *none, size_t step, unsigned n)
{
	if (column >= 0)
		chunk_numbers(&p->column[column].chunk, p->row + p->ahead,
		    value, none, step, n);
}

void
parquet_rows(struct parquet *p, unsigned n)
{
	p->ahead = 0;
	p->row += n;
	if (p->row * p->ncolumn >= p->cells)
		parquet_group(p);
}

/* ---- groups -------------------------------------------------------------- */

static bool
parquet_put_chunk(struct parquet *p, struct column_chunk *c,
    struct chunk_said *said)
{
	bool done = chunk_end(c, p->row, &p->head, said) == 0;

	said->at = p->at;
	parquet_write(p, p->head.data, p->head.n);
	parquet_write(p, c->pages.data, c->pages.n);
	chunk_again(c);
	return done;
}

void
parquet_group(struct parquet *p)
{
	struct parquet_rows *g;

	if (p->row == 0 || p->failed)
		return;
	if (!array_room(&p->group, p->ngroup, &p->group_room, sizeof(*g))) {
		p->failed = true;
		return;
	}
	g = &p->group[p->ngroup];
	*g = (struct parquet_rows){ .rows = p->row, .said = calloc(p->ncolumn +
	    1, sizeof(*g->said)) };
	if (g->said == NULL) {
		p->failed = true;
		return;
	}
	p->ngroup++;
	for (unsigned i = 0; i < p->ncolumn; i++) {
		g->nsaid++;
		p->failed |= !parquet_put_chunk(p, &p->column[i].chunk,
		    &g->said[i]);
	}
	p->row = 0;
}

/*
 * Gives columns that were added after a group was written a chunk without
 * values.
 */
static void
complete(struct parquet *p, struct parquet_rows *g)
{
	struct chunk_said *more = reallocarray(g->said, p->ncolumn + 1,
	    sizeof(*more));

	if (more == NULL) {
		p->failed = true;
		return;
	}
	g->said = more;
	while (g->nsaid < p->ncolumn && !p->failed) {
		struct octets pages = { .n = 0 };
		struct chunk_said *said = &g->said[g->nsaid];

		p->failed = chunk_absent(g->rows, &pages,
		    said) < 0;
		said->at = p->at;
		parquet_write(p, pages.data, pages.n);
		octets_fini(&pages);
		g->nsaid++;
	}
}

int
parquet_end(struct parquet *p, struct diag *why)
{
	struct octets footer = { .n = 0 };
	size_t n;

	parquet_group(p);
	for (unsigned i = 0; i < p->ngroup && !p->failed; i++)
		if (p->group[i].nsaid < p->ncolumn)
			complete(p, &p->group[i]);
	if (!p->failed)
		footer_put(p, &footer);
	n = footer.n;
	octets_le(&footer, n, 4);
	octets_add(&footer, MAGIC, 4);
	parquet_write(p, footer.data, footer.n);
	p->failed |= footer.failed;
	octets_fini(&footer);
	return p->failed ? diag_set(why, -ENOMEM, "out of memory") : 0;
}
