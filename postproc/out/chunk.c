/*
 * postproc/out/chunk.c - a column chunk, filled value by value.
 */

#include "lib/checksum.h"
#include "postproc/out/parquet_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BOUND 256           /* bytes: if the least or greatest text is longer,
				 * the chunk says neither */
enum { DATA_PAGE = 0, DICTIONARY_PAGE = 2 };

void
chunk_init(struct column_chunk *c, enum parquet_type type, uint32_t most)
{
	*c = (struct column_chunk){ .type = type, .most = most };
}

void
chunk_fini(struct column_chunk *c)
{
	free(c->value);
	hybrid_fini(&c->level);
	hybrid_fini(&c->which);
	octets_fini(&c->text);
	octets_fini(&c->pages);
	dictionary_fini(&c->dictionary);
	extremes_fini(&c->said.extremes);
}

/* ---- pages --------------------------------------------------------------- */

/* Writes a page with its header; a dictionary page has no levels. */
static void
chunk_put_page(struct octets *to, const struct octets *page, uint32_t n,
    enum page_encoding encoding, bool dictionary)
{
	struct thrift s = { .to = to }, inner;

	thrift_int(&s, 1, dictionary ? DICTIONARY_PAGE : DATA_PAGE);
	thrift_int(&s, 2, (int32_t)page->n);
	thrift_int(&s, 3, (int32_t)page->n);
	thrift_int(&s, 4, (int32_t)crc_of(page->data, page->n));
	inner = thrift_inner(&s, dictionary ? 7 : 5);
	thrift_int(&inner, 1, (int32_t)n);
	thrift_int(&inner, 2, (int32_t)encoding);
	if (!dictionary) {
		thrift_int(&inner, 3, ENCODING_RLE);
		thrift_int(&inner, 4, ENCODING_RLE);
	}
	thrift_end(&inner);
	thrift_end(&s);
	octets_add(to, page->data, page->n);
	to->failed |= page->failed;
}

/* Writes the definition levels: their length in 4 bytes, then runs. */
static void
put_levels(struct octets *page, const struct hybrid *level)
{
	struct octets runs = { .n = 0 };

	hybrid_put(level, &runs, 1);
	octets_le(page, runs.n, 4);
	octets_add(page, runs.data, runs.n);
	page->failed |= runs.failed;
	octets_fini(&runs);
}

static bool
has_dictionary(const struct column_chunk *c)
{
	return c->type != PARQUET_INT && c->type != PARQUET_COUNT &&
	    c->type != PARQUET_REAL && !c->full;
}

static enum page_encoding
encoding_of(const struct column_chunk *c)
{
	if (c->n > 0 && has_dictionary(c))
		return ENCODING_RLE_DICTIONARY;
	/* without values any encoding would do; all readers take PLAIN */
	return (c->type == PARQUET_INT || c->type == PARQUET_COUNT) &&
	    c->n > 0 ? ENCODING_DELTA_BINARY_PACKED : ENCODING_PLAIN;
}

static void
chunk_put_values(const struct column_chunk *c, struct octets *page,
    enum page_encoding encoding)
{
	unsigned width = bits_of(c->dictionary.n > 1 ? c->dictionary.n - 1 : 1);

	if (encoding == ENCODING_RLE_DICTIONARY) {
		octets_byte(page, width);
		hybrid_put(&c->which, page, width);
	} else if (encoding == ENCODING_DELTA_BINARY_PACKED) {
		encode_delta(page, c->value, c->n);
	} else if (c->type == PARQUET_TEXT) {
		octets_add(page, c->text.data, c->text.n);
		page->failed |= c->text.failed;
	} else {
		encode_plain(page, c->value, c->n);
	}
}

/* Ends the page: it is full, or its row group ends. */
static void
end_page(struct column_chunk *c)
{
	enum page_encoding encoding = encoding_of(c);
	struct octets page = { .n = 0 };

	if (c->rows == 0)
		return;
	put_levels(&page, &c->level);
	chunk_put_values(c, &page, encoding);
	chunk_put_page(&c->pages, &page, c->rows, encoding, false);
	octets_fini(&page);
	c->said.encodings |= (uint16_t)(1u << encoding | 1u << ENCODING_RLE);
	c->rows = c->n = c->level.nrun = c->which.nrun = 0;
	c->text.n = 0;
}

/* ---- cells --------------------------------------------------------------- */

/* Room for n more values of a page; false: out of memory. */
static bool
value_room(struct column_chunk *c, unsigned n)
{
	uint32_t room = c->room > 0 ? c->room : 32;
	uint64_t *p;

	while (room < c->n + n)
		room = room < c->most / 2 ? 2 * room : c->most;
	if (room == c->room)
		return true;
	if ((p = reallocarray(c->value, room, sizeof(*p))) == NULL)
		return false;
	c->value = p;
	c->room = room;
	return true;
}

/* How many of n rows still fit into the page. */
static unsigned
piece(const struct column_chunk *c, uint64_t n)
{
	unsigned room = c->most - c->rows;

	return n < room ? (unsigned)n : room;
}

/* Adds the definition level of n rows, whose values have been added.  Ends the page if it
 * is full. */
static void
add_levels(struct column_chunk *c, uint8_t level, unsigned n)
{
	if (!hybrid_add(&c->level, level, n)) {
		c->failed = true;
		return;
	}
	c->rows += n;
	c->said.rows += n;
	c->said.nulls += level ? 0 : n;
	if (c->rows == c->most || c->text.n >= PAGE_TEXT)
		end_page(c);
}

/* Adds a number n times, without a dictionary. */
static void
add_same(struct column_chunk *c, uint64_t value, unsigned n)
{
	if (!value_room(c, n)) {
		c->failed = true;
		return;
	}
	for (unsigned i = 0; i < n; i++)
		c->value[c->n + i] = value;
	c->n += n;
}

/* Adds rows without a value up to `row`. */
static void
skip_to(struct column_chunk *c, uint64_t row)
{
	while (c->said.rows < row && !c->failed)
		add_levels(c, 0, piece(c, row - c->said.rows));
}

/*
 * Adds n cells by their number in the dictionary; false: the dictionary is
 * full, and the following pages hold the values themselves.
 */
static bool
looked_up(struct column_chunk *c, int which, unsigned n)
{
	if (which >= 0 && hybrid_add(&c->which, (uint32_t)which, n))
		c->n += n;
	else if (which != -ENOSPC)
		c->failed = true;
	if (which >= 0 || c->failed)
		return true;
	end_page(c);
	c->full = true;
	return false;
}

void
chunk_number(struct column_chunk *c, uint64_t row, uint64_t value, unsigned n)
{
	skip_to(c, row);
	while (!c->failed && n > 0) {
		uint32_t known = c->dictionary.n;
		unsigned k = piece(c, n);

		if (!has_dictionary(c) || !looked_up(c,
		    dictionary_number(&c->dictionary, value), k))
			add_same(c, value, k = piece(c, n));
		if (!has_dictionary(c) || c->dictionary.n != known)
			extremes_number(&c->said.extremes, c->type, value);
		add_levels(c, 1, k);
		n -= k;
	}
}

/* Adds n numbers, without a dictionary, that fit into the page. */
static void
add_numbers(struct column_chunk *c, const uint64_t *value, size_t step,
    unsigned n)
{
	uint64_t *to;

	if (!value_room(c, n)) {
		c->failed = true;
		return;
	}
	to = c->value + c->n;
	if (step == 1)
		memcpy(to, value, n * sizeof(*to));
	for (unsigned i = 0; step != 1 && i < n; i++)
		to[i] = value[i * step];
	extremes_numbers(&c->said.extremes, c->type, to, n);
	c->n += n;
	add_levels(c, 1, n);
}

/* How many rows from the first one on have its value, or none like it. */
static unsigned
chunk_alike(const uint64_t *value, const bool *none, size_t step, unsigned n)
{
	unsigned k = 1;

	while (k < n && (none == NULL || none[k * step] == none[0]) &&
	    ((none != NULL && none[0]) || value[k * step] == value[0]))
		k++;
	return k;
}

void
chunk_numbers(struct column_chunk *c, uint64_t row, const uint64_t *value,
    const bool *none, size_t step, unsigned n)
{
	bool all = c->type == PARQUET_INT || c->type == PARQUET_COUNT;

	skip_to(c, row);
	for (unsigned i = 0; all && none != NULL && i < n; i++)
		all = !none[i * step];
	for (unsigned i = 0, k; i < n && !c->failed; i += k) {
		const uint64_t *v = value + i * step;
		const bool *no = none != NULL ? none + i * step : NULL;

		if (all)
			add_numbers(c, v, step, k = piece(c, n - i));
		else if (k = chunk_alike(v, no, step, n - i), no == NULL ||
		    !*no)
			chunk_number(c, row + i, *v, k);
	}
}

/* Adds a text to a page without a dictionary. */
static void
add_text(struct column_chunk *c, const char *text)
{
	octets_le(&c->text, strlen(text), 4);
	octets_add(&c->text, text, strlen(text));
	c->n++;                         /* value is not used */
}

void
chunk_text(struct column_chunk *c, uint64_t row, const char *text, unsigned n)
{
	skip_to(c, row);
	while (!c->failed && n > 0) {
		uint32_t known = c->dictionary.n;
		unsigned k = piece(c, n);

		if (!has_dictionary(c) || !looked_up(c,
		    dictionary_text(&c->dictionary, text), k)) {
			add_text(c, text);
			k = 1;
		}
		if ((c->full || c->dictionary.n != known) &&
		    !extremes_text(&c->said.extremes, text))
			c->failed = true;
		add_levels(c, 1, k);
		n -= k;
	}
}

/* ---- the end ------------------------------------------------------------- */

static void
put_dictionary(const struct column_chunk *c, struct octets *to)
{
	struct octets page = { .n = 0 };

	dictionary_put(&c->dictionary, &page);
	chunk_put_page(to, &page, c->dictionary.n, ENCODING_PLAIN, true);
	octets_fini(&page);
}

int
chunk_end(struct column_chunk *c, uint64_t rows, struct octets *head,
    struct chunk_said *said)
{
	struct extremes *e = &c->said.extremes;

	skip_to(c, rows);
	end_page(c);
	head->n = 0;
	if (c->dictionary.n > 0) {
		put_dictionary(c, head);
		c->said.encodings |= 1u << ENCODING_PLAIN;
	}
	c->said.dictionary = head->n;
	c->said.size = head->n + c->pages.n;
	if (e->any && e->least_text != NULL && e->most_text != NULL &&
	    (strlen(e->least_text) > MAX_BOUND ||
	    strlen(e->most_text) > MAX_BOUND))
		extremes_fini(e);
	*said = c->said;
	c->said = (struct chunk_said){ .rows = 0 };
	return c->failed || head->failed || c->pages.failed ? -ENOMEM : 0;
}

void
chunk_again(struct column_chunk *c)
{
	dictionary_empty(&c->dictionary);
	c->full = false;
	c->pages.n = 0;
}

int
chunk_absent(uint64_t rows, struct octets *pages,
    struct chunk_said *said)
{
	struct column_chunk c;
	struct octets head = { .n = 0 };
	int rc;

	chunk_init(&c, PARQUET_REAL, PAGE_ROWS);
	rc = chunk_end(&c, rows, &head, said);
	octets_add(pages, c.pages.data, c.pages.n);
	chunk_fini(&c);
	octets_fini(&head);
	return rc < 0 || pages->failed ? -ENOMEM : 0;
}
