/*
 * config/dump/read_lines.c - the lines of a dump, one by one.
 *
 * One sample repeats the lines of the one before with other numbers, and the
 * numbers, being counters, rarely change their length.  So each line is
 * expected to be, byte for byte, the prefix that stood there last time, this
 * sample's number, "] = ", and as many digits as last time.  lines_expected
 * compares and converts eight bytes at a time with one branch a line; what it
 * does not like goes to lines_take, which takes any line.
 */
#include "config/dump/read_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ZEROS 0x3030303030303030ull
#define SIXES 0x0606060606060606ull
#define HIGHS 0xf0f0f0f0f0f0f0f0ull

static inline uint64_t
load(const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return w;
}

/* Eight digits, the first in the lowest byte, '0' already taken off. */
static inline uint64_t
eight_digits(uint64_t w)
{
	w = w * 2561 >> 8;
	w = (w & 0x00ff00ff00ff00ffull) * 6553601 >> 16;
	return (w & 0x0000ffff0000ffffull) * 42949672960001ull >> 32;
}

/* The words above are little-endian; elsewhere every line is taken apart. */
#define CAN_EXPECT (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

/* By the number of digits of a value: the bytes of the 8 before its end, and
 * of the 8 before those, that belong to it. */
#define TOP(n) (~0ull << (64 - 8 * (n)))
static const uint64_t keep[MAX_VLEN + 1][2] = {
	{ 0, 0 },
	{ TOP(1), 0 }, { TOP(2), 0 }, { TOP(3), 0 }, { TOP(4), 0 },
	{ TOP(5), 0 }, { TOP(6), 0 }, { TOP(7), 0 }, { TOP(8), 0 },
	{ TOP(8), TOP(1) }, { TOP(8), TOP(2) }, { TOP(8), TOP(3) },
	{ TOP(8), TOP(4) }, { TOP(8), TOP(5) }, { TOP(8), TOP(6) },
	{ TOP(8), TOP(7) }, { TOP(8), TOP(8) },
};

/* ---- prediction ------------------------------------------------------- */

int
lines_learn(struct reader *r)
{
	size_t need = 0, at = 0;
	unsigned n = 0;

	for (unsigned i = 0; i < r->norder; i++)
		need += r->key_len[r->order[i]] / 8 + 2;
	if (need > r->words_room) {
		uint64_t *w = reallocarray(r->words, need, 2 * sizeof(*w));

		if (w == NULL)
			return -ENOMEM;
		r->words = w;
		r->words_room = need * 2;
	}
	memset(r->where, 0, r->ncol * sizeof(r->where[0]));
	for (unsigned i = 0; i < r->norder; i++) {
		unsigned col = r->order[i];
		struct expected *e = &r->expect[n];
		size_t len = r->key_len[col] + 1;
		char *text = (char *)(r->words + at);

		if (r->where[col] != 0)
			continue;       /* a value given twice is no rule */
		*e = (struct expected){ .col = col, .text = (uint32_t)at };
		r->where[col] = ++n;
		if (len > UINT16_MAX)
			continue;
		memcpy(text, r->column[col].name, len - 1);
		text[len - 1] = '[';
		if (len >= 8)
			e->last = load(text + len - 8);
		e->nfull = (uint16_t)((len - 1) / 8);
		e->len = (uint16_t)len;
		at += len / 8 + 1;
	}
	r->nexpect = n;
	return 0;
}

/*
 * The number of a line is compared in two overlapping words, its first eight
 * bytes and its last eight, so that no length of it needs a branch.
 */
void
lines_expected(struct reader *r)
{
	const char *p = r->at, *end = r->end;
	uint64_t *value = r->value[r->cur];
	unsigned tail_len = r->tail_len, pos = r->pos, first = pos;
	uint64_t head_mask, last_mask, head, last;

	if (tail_len > 16)
		return;
	head_mask = tail_len >= 8 ? ~0ull : ~0ull >> (64 - 8 * tail_len);
	last_mask = tail_len >= 8 ? ~0ull : ~0ull << (64 - 8 * tail_len);
	head = load(r->tail) & head_mask;
	last = load(r->tail + tail_len - 8) & last_mask;
	for (; pos < r->nexpect; pos++) {
		const struct expected *e = &r->expect[pos];
		const uint64_t *text = r->words + e->text, *k = keep[e->vlen];
		const char *q = p + e->len, *z = q + tail_len + e->vlen;
		uint64_t wrong, lo, hi;

		if (e->vlen == 0 || z >= end)
			break;
		wrong = load(q - 8) ^ e->last;
		for (unsigned w = 0; w < e->nfull; w++)
			wrong |= load(p + 8 * w) ^ text[w];
		wrong |= (load(q) & head_mask) ^ head;
		wrong |= (load(q + tail_len - 8) & last_mask) ^ last;
		lo = (load(z - 8) ^ ZEROS) & k[0];
		hi = (load(z - 16) ^ ZEROS) & k[1];
		wrong |= (((lo + SIXES) | lo) & HIGHS) |
		    (((hi + SIXES) | hi) & HIGHS);
		wrong |= (uint64_t)(*z ^ '\n');
		if (wrong != 0)
			break;
		value[e->col] = eight_digits(hi) * 100000000 +
		    eight_digits(lo);
		p = z + 1;
	}
	r->at = (char *)p;
	r->line += pos - first;
	r->nset += pos - first;
	r->pos = pos;
}

/* ---- one line --------------------------------------------------------- */

/* A value as a dump has it, which may be a reading below 0, or none. */
static const char *
shown(const struct column *c, uint64_t v, char buf[24])
{
	bool below = !class_is_counter((enum column_class)c->cls) && v >> 63;

	if (v == ABSENT)
		return "none";
	snprintf(buf, 24, "%s%llu", below ? "-" : "", (unsigned long long)
	    (below ? 0 - v : v));
	return buf;
}

static void
set_value(struct reader *r, unsigned col, uint64_t v)
{
	uint64_t *value = r->value[r->cur];
	char now[24], had[24];

	if (value[col] != ABSENT) {
		read_note(r, PROBLEM_DUPLICATE, r->line, "%s[%llu] again: %s "
		    "after %s; the later one holds", r->column[col].name,
		    (unsigned long long)r->sample, shown(&r->column[col], v,
		    now), shown(&r->column[col], value[col], had));
		r->nset--;
	}
	value[col] = v;
	r->nset += v != ABSENT;
}

/* The sample no longer is as expected: note the order that it has. */
static void
deviate(struct reader *r)
{
	if (!r->as_expected)
		return;
	r->as_expected = false;
	for (unsigned i = 0; i < r->pos; i++)
		r->order[i] = r->expect[i].col;
	r->norder = r->pos;
}

static void
note_order(struct reader *r, unsigned col)
{
	if (!r->as_expected && r->norder < r->room)
		r->order[r->norder++] = col;
}

/* Digits that make a number below 10^19, and no more: false for others. */
static bool
plain_digits(const char *p, const char *end, uint64_t *v)
{
	if (p == end || end - p > 19)
		return false;
	for (*v = 0; p < end; p++) {
		unsigned d = (unsigned char)*p - '0';

		if (d > 9)
			return false;
		*v = *v * 10 + d;
	}
	return true;
}

static bool
plain_hex(const char *p, const char *end, uint64_t *v)
{
	if (end - p < 3 || end - p > 18 || p[0] != '0' || p[1] != 'x')
		return false;
	for (p += 2, *v = 0; p < end; p++) {
		unsigned c = (unsigned char)*p, d = c - '0';

		if (d > 9 && (d = (c | 32) - 'a' + 10) - 10 > 5)
			return false;
		*v = *v << 4 | d;
	}
	return true;
}

/* The expected line with a value of another length, or in hexadecimal. */
static bool
expected_name(struct reader *r, const char *newline)
{
	struct expected *e;
	const char *p = r->at;
	uint64_t v = 0;
	size_t n;

	if (r->pos >= r->nexpect)
		return false;
	e = &r->expect[r->pos];
	if (e->len == 0 ||
	    (size_t)(newline - p) <= (size_t)e->len + r->tail_len ||
	    memcmp(p, r->words + e->text, e->len) != 0 ||
	    memcmp(p + e->len, r->tail, r->tail_len) != 0)
		return false;
	p += e->len + r->tail_len;
	n = (size_t)(newline - p);
	if (!plain_digits(p, newline, &v)) {
		if (!plain_hex(p, newline, &v))
			return false;
		n = 0;
	}
	e->vlen = (uint8_t)(CAN_EXPECT && n <= MAX_VLEN && e->len >= 8 ? n : 0);
	note_order(r, e->col);
	set_value(r, e->col, v);
	r->pos++;
	return true;
}

/* A column that came where another was expected. */
static void
out_of_order(struct reader *r, unsigned col, uint64_t v)
{
	if (r->pos >= r->nexpect || r->expect[r->pos].col != col)
		deviate(r);
	note_order(r, col);
	set_value(r, col, v);
	if (r->where[col] != 0)
		r->pos = r->where[col];
}

/* Any line of this sample that is written as dumps are, of a column that is
 * known: it need not be taken apart, for its name is found as it stands. */
static bool
known_name(struct reader *r, const char *newline)
{
	const char *p = newline, *key_end;
	uint64_t v;
	int col;

	while (p > r->at && (unsigned char)(p[-1] - '0') <= 9)
		p--;
	if (p - r->at < (ptrdiff_t)r->tail_len + 2 ||
	    memcmp(p - r->tail_len, r->tail, r->tail_len) != 0)
		return false;
	key_end = p - r->tail_len - 1;
	if (*key_end != '[' || !plain_digits(p, newline, &v))
		return false;
	col = names_find(r, r->at, (size_t)(key_end - r->at));
	if (col < 0)
		return false;
	out_of_order(r, (unsigned)col, v);
	return true;
}

/* What is wrong with the value of a column; NULL: nothing. */
static const char *
wrong_value(struct assign *a, enum column_class cls)
{
	const char *wrong = a->value == VALUE_REAL ? assign_whole(a) :
	    a->value == VALUE_HUGE ? "out of range" :
	    a->value == VALUE_TEXT ? "no number" : NULL;

	if (wrong == NULL && a->value == VALUE_INT && a->negative &&
	    (class_is_counter(cls) || cls == CLASS_WALL))
		return class_is_counter(cls) ? "less than 0, and it counts" :
		    "less than 0";
	return wrong;
}

/* name[...][sample] = value, of this sample. */
static int
take_sample(struct reader *r, struct assign *a)
{
	int col = names_column(r, a->name, a->key_len);
	const char *wrong;
	uint64_t v = ABSENT;

	if (col < 0)
		return col;
	wrong = wrong_value(a, (enum column_class)r->column[col].cls);
	if (wrong != NULL)
		read_note(r, PROBLEM_VALUE, r->line, "%s[%llu]: value %.*s is "
		    "%s; left out", r->column[col].name,
		    (unsigned long long)r->sample,
		    a->text_len < 40 ? (int)a->text_len : 40, a->text, wrong);
	else if (a->value == VALUE_INT)
		v = a->u;
	out_of_order(r, (unsigned)col, v);
	return TAKEN;
}

/* Is it one value of a column?  1, 0, -ENOMEM. */
static int
of_column(struct reader *r, const struct assign *a)
{
	if (!a->indexed || !a->last_is_int)
		return 0;
	return names_find(r, a->name, a->key_len) >= 0 ? 1 :
	    names_sampled(r, a->name, a->family_len);
}

int
lines_take(struct reader *r, const char *newline)
{
	struct assign a;
	int rc;

	if (expected_name(r, newline) || known_name(r, newline))
		return TAKEN;
	assign_parse(&a, r->at, newline, r->scratch);
	if (a.kind == LINE_BAD) {
		read_note(r, PROBLEM_GARBAGE, r->line, "%s", a.bad);
		return TAKEN;
	}
	if (a.kind != LINE_VALUE)
		return TAKEN;
	if ((rc = names_clean(r, &a)) < 0 || (rc = of_column(r, &a)) < 0)
		return rc;
	if (rc == 0) {
		rc = names_constant(r, &a);
		return rc < 0 ? rc : TAKEN;
	}
	if (!r->in_samples || a.last != r->sample) {
		r->in_samples = true;
		r->next_sample = a.last;
		r->have_next = true;
		return NEXT_SAMPLE;
	}
	return take_sample(r, &a);
}

