/*
 * postproc/out/parquet.c - writes an Apache Parquet file: columns, cells, row
 * groups, and the metadata at its end.
 */
#include "postproc/out/parquet_int.h"

#include "config/version.h"
#include "lib/array.h"
#include "lib/printable.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the metadata at its end -------------------------------------------- */

/*
 * The metadata at the end of a Parquet file: columns, row groups, pairs.  Readers
 * begin with it. Source of the numbers of fields and enumerations:
 * apache/parquet-format, src/main/thrift/parquet.thrift.
 */

enum { INT64 = 2, DOUBLE = 5, BYTE_ARRAY = 6 };
enum { UTF8 = 0, TIMESTAMP_MICROS = 10, UINT_64 = 14, NO_CONVERTED = -1 };
enum { OPTIONAL = 1 };
enum { LOGICAL_STRING = 1, LOGICAL_TIMESTAMP = 8, LOGICAL_INTEGER = 10 };

static int
physical(enum parquet_type type)
{
	return type == PARQUET_TEXT ? BYTE_ARRAY : type == PARQUET_REAL ||
	    type == PARQUET_REAL_FEW ? DOUBLE : INT64;
}

/* Does a column have a value above INT64_MAX? */
static bool
is_large(const struct parquet *p, unsigned c)
{
	if (p->column[c].chunk.type != PARQUET_COUNT)
		return false;
	for (unsigned i = 0; i < p->ngroup; i++)
		if (p->group[i].said[c].extremes.any &&
		    p->group[i].said[c].extremes.most > INT64_MAX)
			return true;
	return false;
}

static void
put_logical(struct thrift *s, enum parquet_type type)
{
	struct thrift logical = thrift_inner(s, 10), inner;

	if (type == PARQUET_TEXT) {
		thrift_nothing(&logical, LOGICAL_STRING);
	} else if (type == PARQUET_TIME) {
		inner = thrift_inner(&logical, LOGICAL_TIMESTAMP);
		thrift_bool(&inner, 1, true);           /* adjusted to UTC */
		struct thrift unit = thrift_inner(&inner, 2);
		thrift_nothing(&unit, 2);               /* MICROS */
		thrift_end(&unit);
		thrift_end(&inner);
	} else {
		inner = thrift_inner(&logical, LOGICAL_INTEGER);
		thrift_i8(&inner, 1, 64);
		thrift_bool(&inner, 2, false);          /* not signed */
		thrift_end(&inner);
	}
	thrift_end(&logical);
}

static void
put_column(const struct parquet *p, unsigned c, struct octets *to)
{
	enum parquet_type type = p->column[c].chunk.type;
	int converted = type == PARQUET_TEXT ? UTF8 : type == PARQUET_TIME ?
	    TIMESTAMP_MICROS : is_large(p, c) ? UINT_64 : NO_CONVERTED;
	struct thrift s = { .to = to };

	thrift_int(&s, 1, physical(type));
	thrift_int(&s, 3, OPTIONAL);
	thrift_text(&s, 4, p->column[c].name);
	if (converted != NO_CONVERTED) {
		thrift_int(&s, 6, converted);
		put_logical(&s, type);
	}
	thrift_end(&s);
}

static void
put_schema(const struct parquet *p, struct thrift *file)
{
	struct thrift root;

	thrift_list(file, 2, THRIFT_STRUCT, p->ncolumn + 1);
	root = thrift_element(file);
	thrift_text(&root, 4, "schema");
	thrift_int(&root, 5, (int32_t)p->ncolumn);
	thrift_end(&root);
	for (unsigned c = 0; c < p->ncolumn; c++)
		put_column(p, c, file->to);
}

/* Writes the least (field 6) or greatest value.  For reals, where 0 and -0 are equal, a
 * least value of 0 is written as -0, and a greatest one of -0 as 0. */
static void
put_bound(struct thrift *s, unsigned field, enum parquet_type type,
    uint64_t value)
{
	uint8_t bytes[8];
	double real;

	memcpy(&real, &value, sizeof(real));
	if (physical(type) == DOUBLE && real == 0)
		value = field == 6 ? 1ull << 63 : 0;
	for (unsigned i = 0; i < 8; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
	thrift_binary(s, field, bytes, 8);
}

static void
put_statistics(struct thrift *meta, enum parquet_type type,
    const struct chunk_said *said)
{
	const struct extremes *e = &said->extremes;
	struct thrift s = thrift_inner(meta, 12);

	thrift_long(&s, 3, (int64_t)said->nulls);
	if (e->any && type == PARQUET_TEXT) {
		thrift_text(&s, 5, e->most_text);
		thrift_text(&s, 6, e->least_text);
	} else if (e->any) {
		put_bound(&s, 5, type, e->most);
		put_bound(&s, 6, type, e->least);
	}
	thrift_end(&s);
}

static void
put_chunk(const struct parquet_column *c, const struct chunk_said *said,
    struct octets *to)
{
	struct thrift s = { .to = to }, meta;

	thrift_long(&s, 2, 0);                  /* file_offset, deprecated */
	meta = thrift_inner(&s, 3);
	thrift_int(&meta, 1, physical(c->chunk.type));
	thrift_list(&meta, 2, THRIFT_INT, (size_t)__builtin_popcount(
	    said->encodings));
	for (unsigned e = 0; e < 16; e++)
		if (said->encodings >> e & 1)
			octets_zigzag(to, e);
	thrift_list(&meta, 3, THRIFT_BINARY, 1);
	octets_varint(to, strlen(c->name));
	octets_add(to, c->name, strlen(c->name));
	thrift_int(&meta, 4, 0);                /* UNCOMPRESSED */
	thrift_long(&meta, 5, (int64_t)said->rows);
	thrift_long(&meta, 6, (int64_t)said->size);
	thrift_long(&meta, 7, (int64_t)said->size);
	thrift_long(&meta, 9, (int64_t)(said->at + said->dictionary));
	if (said->dictionary > 0)
		thrift_long(&meta, 11, (int64_t)said->at);
	put_statistics(&meta, c->chunk.type, said);
	thrift_end(&meta);
	thrift_end(&s);
}

static void
footer_put_group(const struct parquet *p, const struct parquet_rows *g,
    struct octets *to)
{
	struct thrift s = { .to = to };
	uint64_t size = 0;

	for (unsigned c = 0; c < g->nsaid; c++)
		size += g->said[c].size;
	thrift_list(&s, 1, THRIFT_STRUCT, g->nsaid);
	for (unsigned c = 0; c < g->nsaid; c++)
		put_chunk(&p->column[c], &g->said[c], to);
	thrift_long(&s, 2, (int64_t)size);
	thrift_long(&s, 3, (int64_t)g->rows);
	if (g->nsaid > 0)
		thrift_long(&s, 5, (int64_t)g->said[0].at);
	thrift_long(&s, 6, (int64_t)size);
	thrift_end(&s);
}

static void
put_pairs(const struct parquet *p, struct thrift *file)
{
	thrift_list(file, 5, THRIFT_STRUCT, p->npair);
	for (unsigned i = 0; i < p->npair; i++) {
		struct thrift s = thrift_element(file);

		thrift_text(&s, 1, p->pair[i].key);
		thrift_text(&s, 2, p->pair[i].value);
		thrift_end(&s);
	}
}

/* Says that least and greatest are by the order of the column's type. */
static void
put_orders(const struct parquet *p, struct thrift *file)
{
	thrift_list(file, 7, THRIFT_STRUCT, p->ncolumn);
	for (unsigned c = 0; c < p->ncolumn; c++) {
		struct thrift s = thrift_element(file);

		thrift_nothing(&s, 1);
		thrift_end(&s);
	}
}

/* footer_put - encodes the file's metadata: columns, row groups, pairs. */
static void
footer_put(const struct parquet *p, struct octets *to)
{
	struct thrift s = { .to = to };
	uint64_t rows = 0;

	for (unsigned i = 0; i < p->ngroup; i++)
		rows += p->group[i].rows;
	thrift_int(&s, 1, 1);
	put_schema(p, &s);
	thrift_long(&s, 3, (int64_t)rows);
	thrift_list(&s, 4, THRIFT_STRUCT, p->ngroup);
	for (unsigned i = 0; i < p->ngroup; i++)
		footer_put_group(p, &p->group[i], to);
	if (p->npair > 0)
		put_pairs(p, &s);
	thrift_text(&s, 6, "tally version " TALLYD_VERSION);
	put_orders(p, &s);
	thrift_end(&s);
}

/* ---- a file ------------------------------------------------------------- */

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
	LOOKUP_EACH(i, &p->names, name_hash(name))
		if (strcasecmp(p->column[i].name,
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
