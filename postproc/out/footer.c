/*
 * postproc/out/footer.c - the metadata at the end of a Parquet file: columns, row
 * groups, pairs.  Readers begin with it.
 * Source of the numbers of fields and enumerations: apache/parquet-format,
 * src/main/thrift/parquet.thrift.
 */

#include <string.h>

#include "config/version.h"
#include "postproc/out/parquet_int.h"

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

void
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
