/*
 * config/dump/read_lines.c - parse the lines of a dump.
 *
 * A sample repeats the lines of the sample before with other numbers, and
 * counters rarely change their number of digits.  So each line is predicted:
 * the prefix of last time, this sample's number, "] = ", and as many digits as
 * last time.  lines_expected compares and converts sixteen bytes at a time,
 * with one branch a line; lines that differ go to lines_take, which parses any
 * line.
 */
#include "config/dump/read_int.h"

#include "lib/wide.h"

#ifdef __x86_64__
#include <emmintrin.h>
#endif
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sixteen bytes of a line, as vectors of elements of 1, 2, 4 and 8 bytes. */
typedef uint8_t bytes __attribute__((vector_size(16)));
typedef uint16_t twos __attribute__((vector_size(16)));
typedef uint32_t fours __attribute__((vector_size(16)));
typedef uint64_t eights __attribute__((vector_size(16)));

static inline bytes
load16(const char *p)
{
	bytes w;

	memcpy(&w, p, sizeof(w));
	return w;
}

/*
 * any - not 0 if any bit is set.
 * above_nine - not 0 where a byte is above 9.
 * sixteen_digits - the number of sixteen digits, the first in the lowest byte, '0'
 * already subtracted.
 */
#ifdef __x86_64__
static inline bool
any(bytes w)
{
	return _mm_movemask_epi8(_mm_cmpeq_epi8((__m128i)w,
	    _mm_setzero_si128())) != 0xffff;
}

static inline bytes
above_nine(bytes w)
{
	return (bytes)_mm_subs_epu8((__m128i)w, _mm_set1_epi8(9));
}

static inline uint64_t
sixteen_digits(bytes w)
{
	twos tens = 2561 + (twos){ 0 };
	__m128i pair, four, eight;
	uint64_t both;

	/* one multiplication: of a number that it knows GCC makes two shifts and two
	 * additions */
	__asm__("" : "+x"(tens));
	pair = (__m128i)((twos)w * tens >> 8);
	four = _mm_madd_epi16(pair, _mm_set1_epi32(1 << 16 | 100));
	eight = _mm_madd_epi16(_mm_packs_epi32(four, four),
	    _mm_set1_epi32(1 << 16 | 10000));
	both = (uint64_t)_mm_cvtsi128_si64(eight);
	return (both & UINT32_MAX) * 100000000 + (both >> 32);
}
#else
static inline uint64_t
any(bytes w)
{
	return ((eights)w)[0] | ((eights)w)[1];
}

static inline bytes
above_nine(bytes w)
{
	return (bytes)(w > 9);
}

/*
 * Each step joins neighbours: two digits a pair, two pairs four digits, two fours eight.
 * A multiplication adds the lower element, times 10 or 10000, to the upper one:
 * 2561 is 10 << 8 | 1, and 42949672960001 is 10000 << 32 | 1.
 */
static inline uint64_t
sixteen_digits(bytes w)
{
	static const twos hundreds = { 100, 1, 100, 1, 100, 1, 100, 1 };
	const twos pair = (twos)w * 2561 >> 8;
	const fours part = (fours)(pair * hundreds);
	const eights four = (eights)((part & 0xffff) + (part >> 16));
	const uint64_t high = four[0] * 42949672960001 >> 32;
	const uint64_t low = four[1] * 42949672960001 >> 32;

	return high * 100000000 + low;
}
#endif

/* sixteen_digits needs little-endian; other machines predict no line, so that
 * lines_take parses each. */
#define CAN_EXPECT (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

/* Masks: the 16 bytes from offset n on have ones in their last n bytes, so that they keep
 * the last n bytes of a load. */
static const char last_ones[33] = "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
    "\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377";

/* ---- prediction ------------------------------------------------------- */

/* Sets from which offset the first 16-byte load compares a prefix and the newline before
 * it.  If both together are shorter than 16 bytes, one load ends with the prefix, and
 * `looked` masks out the bytes before the newline. */
static void
place_loads(struct expected *e)
{
	e->looked = e->len < 15 ? (uint8_t)(e->len + 1) : 16;
	e->first = (int8_t)(e->len < 15 ? e->len - 16 : -1);
}

int
lines_learn(struct reader *r)
{
	size_t need = 0, at = 0;
	unsigned n = 0;

	for (unsigned i = 0; i < r->guess.norder; i++)
		need += r->columns.key_len[r->guess.order[i]] + 1 + 16;
	if (need > r->guess.text_room) {
		char *p = realloc(r->guess.text, 2 * need);

		if (p == NULL)
			return -ENOMEM;
		r->guess.text = p;
		r->guess.text_room = 2 * need;
	}
	memset(r->guess.where, 0, r->columns.n * sizeof(r->guess.where[0]));
	for (unsigned i = 0; i < r->guess.norder; i++) {
		unsigned col = r->guess.order[i];
		struct expected *e = &r->guess.expect[n];
		size_t len = r->columns.key_len[col] + 1;

		if (r->guess.where[col] != 0)
			continue;       /* ignore a column given twice */
		at += len < 15 ? 16 - len : 1;
		*e = (struct expected){ .col = col, .text = (uint32_t)at };
		r->guess.where[col] = ++n;
		if (len > UINT16_MAX)
			continue;
		r->guess.text[at - 1] = '\n';
		memcpy(r->guess.text + at, r->columns.column[col].name,
		    len - 1);
		r->guess.text[at + len - 1] = '[';
		e->len = (uint16_t)len;
		place_loads(e);
		at += len;
	}
	r->guess.nexpect = n;
	return 0;
}

/* Nonzero bits where a line's prefix, or the newline before it, differs from the
 * prediction. */
static inline bytes
read_lines_differs(const struct expected *e, const char *p, const char *text)
{
	bytes d = (load16(p + e->first) ^ load16(text + e->first)) |
	    (load16(p + e->len - 16) ^ load16(text + e->len - 16));

	if (e->len > 31)
		d |= load16(p + 15) ^ load16(text + 15);
	for (unsigned i = 31; i + 16 < e->len; i += 16)
		d |= load16(p + i) ^ load16(text + i);
	return d & load16(last_ones + e->looked);
}

/* Undoes the last line that lines_expected took, as no newline follows its value.  p is
 * behind that line.  Returns the line's start. */
static const char *
read_lines_back(struct reader *r, const char *p, const struct expected *e)
{
	r->now.value[r->now.cur][e->col] = ABSENT;
	return p - 1 - e->vlen - r->guess.tail_len - e->len;
}

WIDE_TOO void
lines_expected(struct reader *r)
{
	const char *p = r->at, *end = r->end, *text = r->guess.text;
	uint64_t *value = r->now.value[r->now.cur];
	const struct expected *first = r->guess.expect + r->guess.pos, *e = first;
	const struct expected *last = r->guess.expect + r->guess.nexpect;
	unsigned tail_len = r->guess.tail_len, taken;
	bytes tail, tail_mask;

	if (tail_len > 16)
		return;
	/* each line is compared with the newline before it; the buffer may have
	 * another byte before its first line */
	r->at[-1] = '\n';
	/* a load that ends with the tail: its last tail_len bytes */
	tail_mask = load16(last_ones + tail_len);
	tail = load16(TAIL(r) + tail_len - 16) & tail_mask;
	for (; e < last; e++) {
		const char *q = p + e->len + tail_len, *z = q + e->vlen;
		bytes wrong, digits;

		if (e->vlen == 0 || z >= end)
			break;
		digits = (load16(z - 16) - '0') & load16(last_ones + e->vlen);
		wrong = read_lines_differs(e, p, text + e->text) |
		    ((load16(q - 16) & tail_mask) ^ tail) |
		    above_nine(digits);
		if (any(wrong))
			break;
		value[e->col] = sixteen_digits(digits);
		p = z + 1;
	}
	if (e > first && p[-1] != '\n')
		p = read_lines_back(r, p, --e);
	taken = (unsigned)(e - first);
	r->at = (char *)p;
	r->line += taken;
	r->now.nset += taken;
	r->guess.pos += taken;
}

/* Makes absent what has no value yet, of columns that came as expected so far.  A sample
 * that comes so to its end needs none of that. */
static void
clear_rest(struct reader *r)
{
	uint64_t *value = r->now.value[r->now.cur];

	for (unsigned c = 0; c < r->columns.n; c++)
		if (r->guess.where[c] == 0 || r->guess.where[c] > r->guess.pos)
			value[c] = ABSENT;
}

int
sample_begin(struct reader *r)
{
	int rc;

	/* After samples that were not as expected, learn the order of their
	 * columns.  If the order changes with every sample, learning is useless:
	 * patience doubles the number of such samples up to the next learning. */
	if (r->guess.as_expected)
		r->guess.patience = 0;
	else if (r->guess.norder > 0 &&
	    ++r->guess.deviated >> r->guess.patience != 0) {
		r->guess.deviated = 0;
		r->guess.patience += r->guess.patience < 6;
		if ((rc = lines_learn(r)) < 0)
			return rc;
	}
	r->now.n = r->now.next;
	r->now.line = r->line;
	r->bad.lost_before = r->bad.lost;
	r->now.have_next = false;
	r->now.nset = 0;
	r->guess.pos = 0;
	r->guess.norder = 0;
	r->guess.as_expected = r->guess.nexpect > 0;
	if (!r->guess.as_expected)
		clear_rest(r);
	memset(r->guess.tail, 0, sizeof(r->guess.tail));
	r->guess.tail_len = (unsigned)snprintf(TAIL(r),
	    sizeof(r->guess.tail) / 2, "%llu] = ", (unsigned long long)r->now.n);
	return 0;
}

void
sample_end(struct reader *r)
{
	if (r->guess.as_expected && r->now.nset < r->columns.n)
		clear_rest(r);
}

/* ---- one line --------------------------------------------------------- */

/* A value as text; it may be negative (a temperature) or absent. */
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

/* Sets a column's value in this sample; notes a second value of the same column. */
static void
set_value(struct reader *r, unsigned col, uint64_t v)
{
	uint64_t *value = r->now.value[r->now.cur];
	char now[24], had[24];

	/* columns that come in the expected order come once each */
	if (!r->guess.as_expected && value[col] != ABSENT) {
		read_note(r, PROBLEM_DUPLICATE, r->line, "%s[%llu] again: %s "
		    "after %s; the later one holds",
		    r->columns.column[col].name, (unsigned long long)r->now.n,
		    shown(&r->columns.column[col], v, now),
		    shown(&r->columns.column[col], value[col], had));
		r->now.nset--;
	}
	value[col] = v;
	r->now.nset += v != ABSENT;
}

/* The sample differs from the prediction here: from now on note_order records the order
 * of its columns, which begins with those that were as expected. */
static void
deviate(struct reader *r)
{
	if (!r->guess.as_expected)
		return;
	r->guess.as_expected = false;
	clear_rest(r);
	for (unsigned i = 0; i < r->guess.pos; i++)
		r->guess.order[i] = r->guess.expect[i].col;
	r->guess.norder = r->guess.pos;
}

/* Appends a column to the order that is recorded for lines_learn. */
static void
note_order(struct reader *r, unsigned col)
{
	if (!r->guess.as_expected && r->guess.norder < r->columns.room)
		r->guess.order[r->guess.norder++] = col;
}

/* Parse [p, end) if it is only digits and below 10^19; else false. */
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

/* The start of a line's value: after its last blank. */
static const char *
read_lines_value_of(const char *at, const char *newline)
{
	const char *p = newline;

	while (p > at && p[-1] != ' ')
		p--;
	return p;
}

/* Parse [p, end) as a value in decimal or hexadecimal digits; else false. */
static bool
plain_value(const char *p, const char *end, uint64_t *v)
{
	return plain_digits(p, end, v) || plain_hex(p, end, v);
}

/* Take the predicted line if its name and sample match, whatever its value: one that has
 * not the predicted number of digits, or is hexadecimal. */
static bool
expected_name(struct reader *r, const char *newline)
{
	struct expected *e;
	const char *p = r->at;
	uint64_t v = 0;
	size_t n;

	if (r->guess.pos >= r->guess.nexpect)
		return false;
	e = &r->guess.expect[r->guess.pos];
	if (e->len == 0 ||
	    (size_t)(newline - p) <= (size_t)e->len + r->guess.tail_len ||
	    memcmp(p, r->guess.text + e->text, e->len) != 0 ||
	    memcmp(p + e->len, TAIL(r), r->guess.tail_len) != 0)
		return false;
	p += e->len + r->guess.tail_len;
	n = (size_t)(newline - p);
	if (!plain_digits(p, newline, &v)) {
		if (!plain_hex(p, newline, &v))
			return false;
		n = 0;
	}
	e->vlen = (uint8_t)(CAN_EXPECT && n <= MAX_VLEN ? n : 0);
	note_order(r, e->col);
	set_value(r, e->col, v);
	r->guess.pos++;
	return true;
}

/* Take a value of a column that need not be the predicted one; the prediction goes on
 * behind this column. */
static void
read_lines_out_of_order(struct reader *r, unsigned col, uint64_t v)
{
	if (r->guess.pos >= r->guess.nexpect ||
	    r->guess.expect[r->guess.pos].col != col)
		deviate(r);
	note_order(r, col);
	set_value(r, col, v);
	if (r->guess.where[col] != 0)
		r->guess.pos = r->guess.where[col];
}

/* Take a line of this sample in tallyd's own format, of a known column.  Its
 * name is looked up as it is, without parsing it. */
static bool
known_name(struct reader *r, const char *newline)
{
	const char *p = read_lines_value_of(r->at, newline), *key_end;
	uint64_t v;
	int col;

	if (p - r->at < (ptrdiff_t)r->guess.tail_len + 2 ||
	    memcmp(p - r->guess.tail_len, TAIL(r), r->guess.tail_len) != 0)
		return false;
	key_end = p - r->guess.tail_len - 1;
	if (*key_end != '[' || !plain_value(p, newline, &v))
		return false;
	col = names_find(r, r->at, (size_t)(key_end - r->at));
	if (col < 0)
		return false;
	read_lines_out_of_order(r, (unsigned)col, v);
	return true;
}

/* The reason why a column's value is wrong; NULL: it is right. */
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

/* Take the value of a parsed line name[...][sample] = value of this sample, of a column
 * that is new if col is below 0.  Returns TAKEN, or what names_add returns below 0. */
static int
take_sample(struct reader *r, struct assign *a, int col)
{
	const char *wrong;
	uint64_t v = ABSENT;

	if (col < 0 && (col = names_add(r, a->name, a->key_len)) < 0)
		return col;
	wrong = wrong_value(a, (enum column_class)r->columns.column[col].cls);
	if (wrong != NULL)
		read_note(r, PROBLEM_VALUE, r->line, "%s[%llu]: value %.*s is "
		    "%s; left out", r->columns.column[col].name,
		    (unsigned long long)r->now.n,
		    a->text_len < 40 ? (int)a->text_len : 40, a->text, wrong);
	else if (a->value == VALUE_INT)
		v = a->u;
	read_lines_out_of_order(r, (unsigned)col, v);
	return TAKEN;
}

/* Is the line a value of a sample (1) or a constant (0)?  Or -ENOMEM.  *col: the column,
 * or -1 where it is new. */
static int
is_sample_value(struct reader *r, const struct assign *a, int *col)
{
	*col = -1;
	if (!a->indexed || !a->last_is_int)
		return 0;
	*col = names_find(r, a->name, a->key_len);
	return *col >= 0 ? 1 : names_sampled(r, a->name, a->family_len);
}

bool
lines_other_dump(const struct reader *r, const struct assign *a)
{
	const char *host;

	if (head_find(a->name, a->name_len) == HEAD_TALLYD_FORMAT)
		return !r->has_key[HEAD_SEGMENT_OF];
	if (head_find(a->name, a->name_len) != HEAD_HOST ||
	    (host = head_text(r, HEAD_HOST, ALONE, NULL)) == NULL)
		return false;
	return strlen(host) != a->text_len ||
	    memcmp(host, a->text, a->text_len) != 0;
}

int
lines_take(struct reader *r, const char *newline)
{
	struct assign a;
	int rc, col;

	/* in the first sample each line is of a new column */
	if (expected_name(r, newline) || (r->now.nset < r->columns.n &&
	    known_name(r, newline)))
		return TAKEN;
	if (!assign_plain(&a, r->at, newline)) {
		assign_parse(&a, r->at, newline, r->scratch);
		if (a.kind == LINE_BAD) {
			read_note(r, PROBLEM_GARBAGE, r->line, "%s", a.bad);
			return TAKEN;
		}
		if (a.kind != LINE_VALUE)
			return TAKEN;
		if ((rc = names_clean(r, &a)) < 0)
			return rc;
	}
	if ((rc = is_sample_value(r, &a, &col)) < 0)
		return rc;
	if (rc == 0) {
		if (r->in_samples && lines_other_dump(r, &a))
			return OTHER_DUMP;
		rc = names_constant(r, &a);
		return rc < 0 ? rc : TAKEN;
	}
	if (!r->in_samples || a.last != r->now.n) {
		r->in_samples = true;
		r->now.next = a.last;
		r->now.have_next = true;
		return NEXT_SAMPLE;
	}
	return take_sample(r, &a, col);
}


/* Parse a sample's number as dumps write it: at most 19 digits, without leading zeros. */
static bool
plain_sample(const char *p, const char *end, uint64_t *v)
{
	return plain_digits(p, end, v) && (*p != '0' || end - p == 1);
}

bool
lines_begin(struct reader *r, const char *newline)
{
	const char *value = read_lines_value_of(r->at, newline), *end, *p;
	uint64_t v, sample;

	if (value - r->at < 6 || !plain_value(value, newline, &v) ||
	    memcmp(value - 4, "] = ", 4) != 0)
		return false;
	for (p = end = value - 4; p > r->at &&
	    (unsigned char)(p[-1] - '0') <= 9;)
		p--;
	if (p - r->at < 2 || p[-1] != '[' || !plain_sample(p, end, &sample) ||
	    names_find(r, r->at, (size_t)(p - 1 - r->at)) < 0)
		return false;
	r->now.next = sample;
	r->now.have_next = true;
	return true;
}

int
lines_known(struct reader *r, const char *newline)
{
	if (expected_name(r, newline) || known_name(r, newline))
		return TAKEN;
	return lines_begin(r, newline) && r->now.next != r->now.n ?
	    NEXT_SAMPLE : -EINVAL;
}
