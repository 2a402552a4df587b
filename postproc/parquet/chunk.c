/*
 * postproc/parquet/chunk.c - a column chunk, filled value by value.
 */
#include "postproc/parquet/chunk.h"

#include "postproc/parquet/thrift.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BOUND 256           /* texts that are longer bound nothing */
enum { DATA_PAGE = 0, DICTIONARY_PAGE = 2 };

void
extremes_fini(struct extremes *e)
{
	free(e->least_text);
	free(e->most_text);
	*e = (struct extremes){ .any = false };
}

void
chunk_init(struct column_chunk *c, enum parquet_type type)
{
	*c = (struct column_chunk){ .type = type };
}

void
chunk_fini(struct column_chunk *c)
{
	free(c->value);
	free(c->level);
	octets_fini(&c->text);
	octets_fini(&c->pages);
	dictionary_fini(&c->dictionary);
	extremes_fini(&c->said.extremes);
}

/* ---- extremes ------------------------------------------------------------ */

static bool
below(enum parquet_type type, uint64_t a, uint64_t b)
{
	double x, y;

	switch (type) {
	case PARQUET_REAL:
	case PARQUET_REAL_FEW:
		memcpy(&x, &a, 8);
		memcpy(&y, &b, 8);
		return x < y;
	case PARQUET_COUNT:
		return a < b;
	default:
		return (int64_t)a < (int64_t)b;
	}
}

static void
extend(struct extremes *e, enum parquet_type type, uint64_t value)
{
	if (!e->any || below(type, value, e->least))
		e->least = value;
	if (!e->any || below(type, e->most, value))
		e->most = value;
	e->any = true;
}

static bool
keep_text(char **to, const char *text)
{
	char *copy = strdup(text);

	if (copy == NULL)
		return false;
	free(*to);
	*to = copy;
	return true;
}

static bool
extend_text(struct extremes *e, const char *text)
{
	bool any = e->any;

	e->any = true;
	return (any && strcmp(text, e->least_text) >= 0) ||
	    keep_text(&e->least_text, text) ?
	    (any && strcmp(text, e->most_text) <= 0) ||
	    keep_text(&e->most_text, text) : false;
}

/* ---- pages --------------------------------------------------------------- */

/* The page's header and what is in it; a dictionary has no levels. */
static void
put_page(struct octets *to, const struct octets *page, uint32_t n,
    enum page_encoding encoding, bool dictionary)
{
	struct thrift s = { .to = to }, inner;

	thrift_int(&s, 1, dictionary ? DICTIONARY_PAGE : DATA_PAGE);
	thrift_int(&s, 2, (int32_t)page->n);
	thrift_int(&s, 3, (int32_t)page->n);
	thrift_int(&s, 4, (int32_t)octets_crc(page->data, page->n));
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

/* Which rows have a value: the length of that, in 4 bytes, and runs. */
static void
put_levels(struct octets *page, const uint8_t *level, uint32_t n)
{
	struct octets runs = { .n = 0 };
	uint64_t *wide;

	if (memchr(level, 0, n) == NULL) {
		octets_varint(&runs, (uint64_t)n << 1);
		octets_byte(&runs, 1);
		octets_le(page, runs.n, 4);
		octets_add(page, runs.data, runs.n);
		page->failed |= runs.failed;
		octets_fini(&runs);
		return;
	}
	wide = reallocarray(NULL, (size_t)n + 1, sizeof(*wide));
	if (wide == NULL) {
		page->failed = true;
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		wide[i] = level[i];
	encode_hybrid(&runs, wide, n, 1);
	octets_le(page, runs.n, 4);
	octets_add(page, runs.data, runs.n);
	page->failed |= runs.failed;
	octets_fini(&runs);
	free(wide);
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
	/* an empty page is one of any kind; all read a plain one */
	return (c->type == PARQUET_INT || c->type == PARQUET_COUNT) &&
	    c->n > 0 ? ENCODING_DELTA_BINARY_PACKED : ENCODING_PLAIN;
}

static void
put_values(const struct column_chunk *c, struct octets *page, enum page_encoding encoding)
{
	unsigned width = bits_of(c->dictionary.n > 1 ? c->dictionary.n - 1 : 1);

	if (encoding == ENCODING_RLE_DICTIONARY) {
		octets_byte(page, width);
		encode_hybrid(page, c->value, c->n, width);
	} else if (encoding == ENCODING_DELTA_BINARY_PACKED) {
		encode_delta(page, c->value, c->n);
	} else if (c->type == PARQUET_TEXT) {
		octets_add(page, c->text.data, c->text.n);
		page->failed |= c->text.failed;
	} else {
		encode_plain(page, c->value, c->n);
	}
}

/* The page is full, or the group at its end. */
static void
end_page(struct column_chunk *c)
{
	enum page_encoding encoding = encoding_of(c);
	struct octets page = { .n = 0 };

	if (c->nlevel == 0)
		return;
	put_levels(&page, c->level, c->nlevel);
	put_values(c, &page, encoding);
	put_page(&c->pages, &page, c->nlevel, encoding, false);
	octets_fini(&page);
	c->said.encodings |= (uint16_t)(1u << encoding | 1u << ENCODING_RLE);
	c->n = c->nlevel = 0;
	c->text.n = 0;
}

/* ---- cells --------------------------------------------------------------- */

/* How large an array is to be, for n and one more. */
static uint32_t
room_for(uint32_t n)
{
	return n < 16 ? 32 : n < PAGE_ROWS / 2 ? 2 * n : PAGE_ROWS;
}

/* Room for n more levels, or values, of a page; false: out of memory. */
static bool
level_room(struct column_chunk *c, unsigned n)
{
	uint32_t room = c->level_room;
	uint8_t *p;

	while (room < c->nlevel + n)
		room = room_for(room);
	if (room == c->level_room)
		return true;
	if ((p = realloc(c->level, room)) == NULL)
		return false;
	c->level = p;
	c->level_room = room;
	return true;
}

static bool
value_room(struct column_chunk *c, unsigned n)
{
	uint32_t room = c->room;
	uint64_t *p;

	while (room < c->n + n)
		room = room_for(room);
	if (room == c->room)
		return true;
	if ((p = reallocarray(c->value, room, sizeof(*p))) == NULL)
		return false;
	c->value = p;
	c->room = room;
	return true;
}

static void
add_level(struct column_chunk *c, uint8_t level)
{
	if (!level_room(c, 1)) {
		c->failed = true;
		return;
	}
	c->level[c->nlevel++] = level;
	c->said.rows++;
	c->said.nulls += !level;
	if (!level && c->nlevel == PAGE_ROWS)
		end_page(c);
}

static void
add_value(struct column_chunk *c, uint64_t value)
{
	if (!value_room(c, 1))
		c->failed = true;
	else
		c->value[c->n++] = value;
}

static void
skip_to(struct column_chunk *c, uint64_t row)
{
	while (c->said.rows < row && !c->failed)
		add_level(c, 0);
}

/* A value's row, once the value is there. */
static void
end_value(struct column_chunk *c)
{
	add_level(c, 1);
	if (c->nlevel == PAGE_ROWS || c->text.n >= PAGE_TEXT)
		end_page(c);
}

/* Which of the dictionary a cell is; where that takes no more, pages that
 * follow have the values themselves: false. */
static bool
looked_up(struct column_chunk *c, int which)
{
	if (which >= 0)
		add_value(c, (uint64_t)which);
	else if (which != -ENOSPC)
		c->failed = true;
	if (which >= 0 || c->failed)
		return true;
	end_page(c);
	c->full = true;
	return false;
}

void
chunk_number(struct column_chunk *c, uint64_t row, uint64_t value)
{
	skip_to(c, row);
	if (c->failed)
		return;
	extend(&c->said.extremes, c->type, value);
	if (!has_dictionary(c) ||
	    !looked_up(c, dictionary_number(&c->dictionary, value)))
		add_value(c, value);
	end_value(c);
}

/* All of them have a value, and they are packed as they are. */
static void
add_numbers(struct column_chunk *c, const uint64_t *value, size_t step,
    unsigned n)
{
	/* what makes either kind of number an unsigned one */
	uint64_t bias = c->type == PARQUET_COUNT ? 0 : 1ull << 63;
	struct extremes *e = &c->said.extremes;
	uint64_t least = UINT64_MAX, most = 0;

	for (unsigned i = 0; i < n; i++) {
		uint64_t v = value[i * step], x = v ^ bias;

		c->value[c->n + i] = v;
		least = x < least ? x : least;
		most = x > most ? x : most;
	}
	memset(c->level + c->nlevel, 1, n);
	c->n += n;
	c->nlevel += n;
	c->said.rows += n;
	if (!e->any || least < (e->least ^ bias))
		e->least = least ^ bias;
	if (!e->any || most > (e->most ^ bias))
		e->most = most ^ bias;
	e->any = true;
}

void
chunk_numbers(struct column_chunk *c, uint64_t row, const uint64_t *value,
    const bool *none, size_t step, unsigned n)
{
	bool all = c->type == PARQUET_INT || c->type == PARQUET_COUNT;

	skip_to(c, row);
	for (unsigned i = 0; all && i < n; i++)
		all = !none[i * step];
	if (all && n > 0 && c->nlevel + n < PAGE_ROWS &&
	    level_room(c, n) && value_room(c, n)) {
		add_numbers(c, value, step, n);
		return;
	}
	for (unsigned i = 0; i < n; i++)
		if (!none[i * step])
			chunk_number(c, row + i, value[i * step]);
}

void
chunk_text(struct column_chunk *c, uint64_t row, const char *text)
{
	uint32_t known = c->dictionary.n;

	skip_to(c, row);
	if (c->failed)
		return;
	if (!has_dictionary(c) ||
	    !looked_up(c, dictionary_text(&c->dictionary, text))) {
		octets_le(&c->text, strlen(text), 4);
		octets_add(&c->text, text, strlen(text));
		c->n++;                 /* value is not used */
	}
	if ((c->full || c->dictionary.n != known) &&
	    !extend_text(&c->said.extremes, text))
		c->failed = true;
	end_value(c);
}

/* ---- the end ------------------------------------------------------------- */

static void
put_dictionary(const struct column_chunk *c, struct octets *to)
{
	struct octets page = { .n = 0 };

	dictionary_put(&c->dictionary, &page);
	put_page(to, &page, c->dictionary.n, ENCODING_PLAIN, true);
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
chunk_absent(uint64_t rows, struct octets *pages, struct chunk_said *said)
{
	struct column_chunk c;
	struct octets head = { .n = 0 };
	int rc;

	chunk_init(&c, PARQUET_REAL);
	rc = chunk_end(&c, rows, &head, said);
	octets_add(pages, c.pages.data, c.pages.n);
	chunk_fini(&c);
	octets_fini(&head);
	return rc < 0 || pages->failed ? -ENOMEM : 0;
}
