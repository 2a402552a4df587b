/*
 * config/dump/dump.c - write the rows of a store as text, one assignment a
 * line.
 *
 *   dump        = preamble head declaration... { row }
 *   head        = "samples = 30" "missed_deadlines = 0" [ "tsc_hz = ..." ]
 *                 [ "notes_lost = 2" ]
 *                 { notes of the daemon } [ "phase_mark = {}" ... ]
 *   declaration = "imc_counts = {}" "imc_counts[0] = {}" ...
 *   row         = { 'imc_counts[0][3]["CAS_COUNT.READS"][17] = 123' }
 *
 * Rows are written without printf, for speed: prefixes are copied, and numbers
 * are converted eight digits at a time.
 */
#include "config/dump/dump.h"

#include "config/dump/column.h"
#include "config/dump/head.h"
#include "lib/array.h"

#include <endian.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER (1u << 18)
#define LONGEST 1024            /* a line: name, index, value */

/* ---- how many different numbers ----------------------------------------- */

/* The method is linear counting (Whang, Vander-Zanden, Taylor 1990): each number sets
 * the bit that its hash selects, and the bits that are still 0 give the estimate. */
void
numbers_take(struct number_map *n, uint64_t value)
{
	/* equally spaced numbers have to spread over the map, too */
	uint64_t mixed = (value ^ value >> 32) * 0x9e3779b97f4a7c15;
	uint32_t at = (uint32_t)((mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9 >>
	    (64 - NUMBERS_BITS));
	uint64_t bit = 1ull << (at & 63), *word = &n->word[at >> 6];

	n->set += (*word & bit) == 0;
	*word |= bit;
}

uint64_t
numbers_seen(const struct number_map *n)
{
	double all = 1u << NUMBERS_BITS, unset = all - n->set;

	return (uint64_t)(all * log(all / (unset < 1 ? 1 : unset)) + 0.5);
}

/* ---- output ------------------------------------------------------------- */

struct out {
	int fd, error;
	char *at, *end;         /* end leaves room for one line */
	char *buf;
	struct number_map numbers;
};

static void
flush(struct out *o)
{
	char *p = o->buf;

	while (p < o->at && o->error == 0) {
		ssize_t n = write(o->fd, p, (size_t)(o->at - p));

		if (n < 0 && errno != EINTR)
			o->error = -errno;
		else if (n > 0)
			p += n;
	}
	o->at = o->buf;
}

static void
dump_put(struct out *o, const char *s, size_t n)
{
	while (n > 0 && o->error == 0) {
		size_t room, take;

		if (o->at >= o->end)
			flush(o);
		room = (size_t)(o->end - o->at);
		take = n < room ? n : room;
		memcpy(o->at, s, take);
		o->at += take;
		s += take;
		n -= take;
	}
}

/* The eight decimal digits of v, one a byte, the first in the lowest byte.  v
 * is split into two halves, four quarters and eight digits; each step handles
 * all parts at once in one 64-bit word. */
static uint64_t
eight_digits(uint32_t v)
{
	uint64_t four = v / 10000 | (uint64_t)(v % 10000) << 32;
	uint64_t high = (four * 10486 >> 20) & 0x0000007f0000007f;
	uint64_t two = high | (four - high * 100) << 16;
	uint64_t tens = (two * 103 >> 10) & 0x000f000f000f000f;

	return tens | (two - tens * 10) << 8;
}

static char *
put_eight(char *at, uint64_t eight)
{
	eight = htole64(eight | 0x3030303030303030);
	memcpy(at, &eight, 8);
	return at + 8;
}

/* Write v without leading zeros.  Always stores eight bytes; returns the end of
 * the valid ones. */
static char *
put_leading(char *at, uint32_t v)
{
	uint64_t eight = eight_digits(v);
	int zeros = __builtin_ctzll(eight | 1ull << 56) & ~7;

	put_eight(at, eight >> zeros);
	return at + 8 - zeros / 8;
}

static char *
put_decimal(char *at, uint64_t v)
{
	const uint32_t e8 = 100000000;

	if (v < e8)
		return put_leading(at, (uint32_t)v);
	if (v < (uint64_t)e8 * e8)
		at = put_leading(at, (uint32_t)(v / e8));
	else {
		at = put_leading(at, (uint32_t)(v / e8 / e8));
		at = put_eight(at, eight_digits((uint32_t)(v / e8 % e8)));
	}
	return put_eight(at, eight_digits((uint32_t)(v % e8)));
}

static char *
put_hex(char *at, uint64_t v)
{
	int shift = 60;

	*at++ = '0';
	*at++ = 'x';
	while (shift > 0 && !(v >> shift & 0xf))
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		*at++ = "0123456789abcdef"[v >> shift & 0xf];
	return at;
}

static char *
dump_put_value(char *at, const struct column *c, uint64_t raw)
{
	int64_t degrees;

	switch (c->print) {
	case PRINT_HEX:
		return put_hex(at, raw);
	case PRINT_TEMP:
	case PRINT_CORE_TEMP:
		degrees = c->base - (int64_t)(raw >> 16 & 0x7f);
		if (degrees < 0) {
			*at++ = '-';
			degrees = -degrees;
		}
		return put_decimal(at, (uint64_t)degrees);
	default:
		return put_decimal(at, c->mul > 1 ? raw * c->mul : raw);
	}
}

/* The text that all lines of a column begin with.  It is copied in blocks of
 * fixed size, which compilers turn into a few moves; most prefixes need only
 * one block. */
#define BLOCK 48

struct prefix {
	const char *s;
	uint32_t n;
};

static void
dump_put_row(struct out *o, const struct store_shape *s,
    const struct prefix *prefix, const uint64_t *row, uint64_t index)
{
	char tail[32] = { 0 }, *end = tail;
	size_t n;

	*end++ = '[';
	end = put_decimal(end, index);
	memcpy(end, "] = ", 4);
	n = (size_t)(end + 4 - tail);
	for (unsigned i = 0; i < s->ncolumn; i++) {
		const struct column *c = &s->column[i];
		uint64_t raw = row[c->cell];
		char *at;

		if (c->print >= PRINT_SCALED)
			raw = column_raw(c, row);
		if (raw == ABSENT)
			continue;
		if (o->at >= o->end)
			flush(o);
		at = o->at;
		memcpy(at, prefix[i].s, BLOCK);
		for (uint32_t k = BLOCK; k < prefix[i].n; k += BLOCK)
			memcpy(at + k, prefix[i].s + k, BLOCK);
		at += prefix[i].n;
		memcpy(at, tail, 16);
		if (n > 16)
			memcpy(at + 16, tail + 16, 16);
		numbers_take(&o->numbers, raw);
		at = dump_put_value(at + n, c, raw);
		*at++ = '\n';
		o->at = at;
	}
}

static void
put_to(void *ctx, const char *text, size_t n)
{
	dump_put(ctx, text, n);
}

static int
put_declarations(struct out *o, const struct store_shape *s)
{
	struct declared *d = declare_new(put_to, o);
	int rc = d == NULL ? -ENOMEM : 0;

	for (unsigned i = 0; i < s->ncolumn && rc == 0; i++)
		rc = declare_tables(d, &s->column[i].id, "", true);
	declare_free(d);
	return rc;
}

struct clocks {
	uint64_t tsc, sec, usec, mono;
};

static bool
read_clocks(const struct store *st, uint64_t row, struct clocks *c)
{
	const struct store_shape *s = store_shape(st);

	return store_read(st, row, s->cell_tsc, 1, &c->tsc) == 0 &&
	    store_read(st, row, s->cell_real_sec, 1, &c->sec) == 0 &&
	    store_read(st, row, s->cell_real_usec, 1, &c->usec) == 0 &&
	    store_read(st, row, s->cell_mono, 1, &c->mono) == 0;
}

/* TSC counts and seconds from one row to the next, by the monotonic clock, or
 * by the wall clock if the store has no other.  Returns the rate in Hz, 0 if
 * unknown. */
static double
row_rate(const struct store *st, uint64_t row, double *counts, double *sec)
{
	struct clocks a, b;

	if (!read_clocks(st, row, &a) || !read_clocks(st, row + 1, &b))
		return 0;
	*counts = (double)(int64_t)(b.tsc - a.tsc);
	*sec = (double)(int64_t)(b.sec - a.sec) +
	    ((double)b.usec - (double)a.usec) * 1e-6;
	if (store_shape(st)->cell_mono != 0)
		*sec = (double)(int64_t)(b.mono - a.mono) * 1e-9;
	return *sec > 0 && *counts > 0 ? *counts / *sec : 0;
}

/* The TSC's frequency in Hz.  Intervals in which the wall clock was set are
 * left out: their rate differs from the others. */
static double
tsc_hz(const struct store *st, uint64_t rows)
{
	double some[63], typical, c, t, counts = 0, sec = 0;
	uint64_t pairs = rows > 0 ? rows - 1 : 0;
	unsigned n = pairs < 63 ? (unsigned)pairs : 63;

	if (n == 0)
		return 0;
	for (unsigned i = 0; i < n; i++)
		some[i] = row_rate(st, i * pairs / n, &c, &t);
	order_doubles(some, n);
	typical = some[n / 2];
	for (uint64_t r = 0; r < pairs; r++) {
		double hz = row_rate(st, r, &c, &t);

		if (hz > typical * 0.9 && hz < typical * 1.1) {
			counts += c;
			sec += t;
		}
	}
	return sec > 0 ? counts / sec : 0;
}

char *
dump_head(const struct store *st, uint64_t rows)
{
	const uint64_t *mark;
	unsigned nmark = store_marks(st, &mark);
	double hz = tsc_hz(st, rows);
	struct head h = { .text = NULL };

	head_put_count(&h, HEAD_SAMPLES, ALONE, rows);
	head_put_count(&h, HEAD_MISSED_DEADLINES, ALONE,
	    store_missed_count(st));
	if (hz > 0)
		head_put_int(&h, HEAD_TSC_HZ, ALONE, llrint(hz));
	if (store_notes_lost(st) > 0)
		head_put_count(&h, HEAD_NOTES_LOST, ALONE,
		    store_notes_lost(st));
	head_put_again(&h, store_notes(st));
	if (nmark > 0)
		head_put_table(&h, HEAD_PHASE_MARK, ALONE, 0);
	for (unsigned i = 0; i < nmark; i++)
		head_put_count(&h, HEAD_PHASE_MARK, AT(i), mark[i]);
	return head_take(&h);
}

/* The prefixes of all columns, in one allocation; NULL with *rc set. */
static struct prefix *
make_prefixes(const struct store_shape *s, int *rc)
{
	size_t size = (s->ncolumn + 1) * sizeof(struct prefix), n;
	struct prefix *prefix;
	char *text;

	for (unsigned i = 0; i < s->ncolumn; i++) {
		n = column_text(&s->column[i].id, "", NULL, 0);
		*rc = -EINVAL;          /* a damaged store: no plan makes such
					 * long names */
		if (n > LONGEST - 128)
			return NULL;
		size += (n / BLOCK + 1) * BLOCK;
	}
	*rc = -ENOMEM;
	if ((prefix = calloc(1, size)) == NULL)
		return NULL;
	text = (char *)(prefix + s->ncolumn + 1);
	for (unsigned i = 0; i < s->ncolumn; i++) {
		n = column_text(&s->column[i].id, "", text, LONGEST);
		prefix[i] = (struct prefix){ text, (uint32_t)n };
		text += (n / BLOCK + 1) * BLOCK;
	}
	return prefix;
}

int
dump_write(const struct store *st, int fd, uint64_t *numbers)
{
	const struct store_shape *s = store_shape(st);
	uint64_t rows = store_rows(st);
	struct out o = { .fd = fd };
	struct prefix *prefix;
	char *head = NULL;
	uint64_t *row;
	int rc;

	if ((prefix = make_prefixes(s, &rc)) == NULL)
		return rc;
	rc = -ENOMEM;
	row = malloc(s->ncell * sizeof(*row));
	o.numbers.word = calloc(1u << (NUMBERS_BITS - 6), sizeof(uint64_t));
	if (row == NULL || o.numbers.word == NULL || (o.buf = malloc(BUFFER)) == NULL ||
	    (head = dump_head(st, rows)) == NULL)
		goto out;
	o.at = o.buf;
	o.end = o.buf + BUFFER - LONGEST;
	dump_put(&o, s->preamble, strlen(s->preamble));
	dump_put(&o, head, strlen(head));
	if ((rc = put_declarations(&o, s)) < 0)
		goto out;
	for (uint64_t r = 0; r < rows && o.error == 0; r++) {
		if ((rc = store_read(st, r, 0, s->ncell, row)) < 0)
			goto out;
		dump_put_row(&o, s, prefix, row, r);
	}
	flush(&o);
	rc = o.error;
	if (numbers != NULL)
		*numbers = numbers_seen(&o.numbers);
out:
	free(row);
	free(o.numbers.word);
	free(o.buf);
	free(head);
	free(prefix);
	return rc;
}
