/*
 * config/dump/line.c - parse one line of a dump.
 *
 *   line   = [ name "=" value [ ";" ] | code ] [ comment ]
 *   name   = word { "[" index "]" }
 *   index  = [ "-" ] digits | string
 *   value  = integer | real | string | "{" ... "}" | nil | None
 *   code   = "function" ... | "end" | word "()"
 */
#include "config/dump/dump.h"

#include "lib/printable.h"

#include <string.h>

enum {
	WORD = 1,               /* [A-Za-z0-9_] */
	DIGIT = 2,
	BLANK = 4,
	PLAIN = 8,              /* in a string it stands for itself; no blank */
};

static const uint8_t type[256] = {
	['!'] = PLAIN, ['#' ... '/'] = PLAIN, [':' ... '@'] = PLAIN, ['['] = PLAIN,
	[']' ... '^'] = PLAIN, ['`'] = PLAIN, ['{' ... '~'] = PLAIN,
	['0' ... '9'] = WORD | DIGIT | PLAIN, ['A' ... 'Z'] = WORD | PLAIN,
	['_'] = WORD | PLAIN, ['a' ... 'z'] = WORD | PLAIN,
	[' '] = BLANK, ['\t'] = BLANK, ['\r'] = BLANK,
};

static bool
line_is(char c, unsigned t)
{
	return (type[(unsigned char)c] & t) != 0;
}

static const char *
skip(const char *p, const char *end, unsigned t)
{
	while (p < end && line_is(*p, t))
		p++;
	return p;
}

/* Is the rest of the line empty, or a comment of Lua or Python? */
static bool
at_end(const char *p, const char *end)
{
	p = skip(p, end, BLANK);
	if (p < end && *p == ';')
		p = skip(p + 1, end, BLANK);
	return p == end || *p == '#' ||
	    (end - p >= 2 && p[0] == '-' && p[1] == '-');
}

static const char *
string_end(const char *p, const char *end)
{
	char quote = *p++;
	const char *first = memchr(p, quote, (size_t)(end - p));

	if (first == NULL || memchr(p, '\\', (size_t)(first - p)) == NULL)
		return first != NULL ? first + 1 : NULL;
	for (; p < end && *p != quote; p++)
		if (*p == '\\' && p + 1 < end)
			p++;
	return p < end ? p + 1 : NULL;
}

static const char *
line_bad(struct assign *a, const char *what)
{
	a->kind = LINE_BAD;
	a->bad = what;
	return NULL;
}

/* index = [ "-" ] digits | string.  p is after its '['; returns the end of its
 * ']', or NULL. */
static const char *
parse_index(struct assign *a, const char *p, const char *end)
{
	uint64_t n = 0;

	p = skip(p, end, BLANK);
	a->last_is_int = p < end && line_is(*p, DIGIT);
	if (a->last_is_int) {
		for (; p < end && line_is(*p, DIGIT); p++) {
			if (n > (UINT64_MAX >> 1) / 10 - 1)
				return line_bad(a, "index out of range");
			n = n * 10 + (uint64_t)(*p - '0');
		}
		a->last = n;
	} else if (p < end && (*p == '"' || *p == '\'')) {
		if ((p = string_end(p, end)) == NULL)
			return line_bad(a, "string without an end");
	} else if (end - p >= 2 && *p == '-' && line_is(p[1], DIGIT)) {
		p = skip(p + 1, end, DIGIT);
	} else {
		return line_bad(a, "index that is neither integer nor string");
	}
	p = skip(p, end, BLANK);
	if (p == end || *p != ']')
		return line_bad(a, "index without its ]");
	return p + 1;
}

/* Copy a name without its blanks, except those in strings.  Returns the
 * length. */
static size_t
squeeze(char *to, const char *p, const char *end)
{
	char *start = to;
	const char *q;

	while (p < end) {
		if (*p == '"' || *p == '\'') {
			q = string_end(p, end);
			memcpy(to, p, (size_t)(q - p));
			to += q - p;
			p = q;
		} else if (line_is(*p, BLANK)) {
			p++;
		} else {
			*to++ = *p++;
		}
	}
	return (size_t)(to - start);
}

/* name = word { "[" index "]" }.  Returns the end of it and of the blanks after
 * it, or NULL. */
static const char *
line_parse_name(struct assign *a, const char *p, const char *end, char *scratch)
{
	const char *start = p, *last = NULL, *stop;
	bool blanks = false;

	stop = p = skip(p, end, WORD);
	a->name = start;
	a->family_len = (size_t)(p - start);
	p = skip(p, end, BLANK);
	while (p < end && *p == '[') {
		blanks |= p != stop;
		last = p;
		if ((stop = parse_index(a, p + 1, end)) == NULL)
			return NULL;
		p = skip(stop, end, BLANK);
	}
	a->name_len = (size_t)(stop - start);
	if (last == NULL)
		return p;
	a->indexed = true;
	a->key_len = (size_t)(last - start);
	/* blanks inside the brackets? */
	if (!blanks)
		blanks = memchr(start, ' ', a->name_len) != NULL ||
		    memchr(start, '\t', a->name_len) != NULL;
	if (blanks) {
		a->key_len = squeeze(scratch, start, last);
		a->name_len = a->key_len +
		    squeeze(scratch + a->key_len, last, stop);
		a->name = scratch;
	}
	return p;
}

/* Parse the rest of a real after its digits [start, p); NULL if it is none. */
static const char *
parse_fraction(struct assign *a, const char *start, const char *p,
    const char *end)
{
	size_t ndigit = (size_t)(p - start);
	const char *exponent;

	a->value = VALUE_REAL;
	if (*p == '.') {
		start = ++p;
		p = skip(p, end, DIGIT);
		ndigit += (size_t)(p - start);
	}
	if (ndigit == 0)
		return NULL;
	if (p < end && (*p | 32) == 'e') {
		p++;
		if (p < end && (*p == '-' || *p == '+'))
			p++;
		exponent = p;
		p = skip(p, end, DIGIT);
		if (p == exponent)
			return NULL;
	}
	return p;
}

/* integer = digits | "0x" hex digits; real = any other number that strtod(3)
 * accepts. */
static const char *
parse_number(struct assign *a, const char *p, const char *end)
{
	bool negative = *p == '-';
	uint64_t v = 0;
	const char *digits;

	a->value = VALUE_INT;
	if (negative)
		p++;
	digits = p;
	if (end - p >= 3 && p[0] == '0' && (p[1] | 32) == 'x' &&
	    hex_digit(p[2]) >= 0) {
		for (p += 2; p < end && hex_digit(*p) >= 0; p++) {
			if (v >> 60)
				a->value = VALUE_HUGE;
			v = v << 4 | (unsigned)hex_digit(*p);
		}
	} else {
		for (; p < end && line_is(*p, DIGIT); p++) {
			uint64_t next = v * 10 + (uint64_t)(*p - '0');

			if (v > UINT64_MAX / 10 || next < v * 10)
				a->value = VALUE_HUGE;
			v = next;
		}
		if (p < end && (*p == '.' || (*p | 32) == 'e'))
			p = parse_fraction(a, digits, p, end);
	}
	if (p == NULL || p == digits)
		return line_bad(a, "value that is no number");
	if (negative && a->value == VALUE_INT) {
		if (v > 1ull << 63)
			a->value = VALUE_HUGE;
		v = 0 - v;
	}
	a->u = v;
	a->negative = negative;
	return p;
}

/* The exponent of a real; *before: how many digits are before its point. */
static int
exponent_of(const char *p, const char *end, int *before)
{
	int e = 0, sign = 1;

	for (*before = 0; p < end && line_is(*p, DIGIT); p++)
		++*before;
	while (p < end && (*p | 32) != 'e')
		p++;
	if (p == end)
		return 0;
	p++;
	if (p < end && (*p == '-' || *p == '+'))
		sign = *p++ == '-' ? -1 : 1;
	for (; p < end && line_is(*p, DIGIT); p++)
		e = e < 10000 ? e * 10 + *p - '0' : e;
	return sign * e;
}

const char *
assign_whole(struct assign *a)
{
	const char *p = a->text + a->negative, *end = a->text + a->text_len;
	int before, point = exponent_of(p, end, &before);
	uint64_t v = 0;
	bool zero = true;

	/* first the digits of the whole part, then those of the fraction */
	for (point += before; p < end && (*p | 32) != 'e'; p++) {
		uint64_t next = v * 10 + (uint64_t)(*p - '0');

		if (*p == '.')
			continue;
		zero &= *p == '0';
		if (point-- <= 0) {
			if (*p != '0')
				return "no whole number";
			continue;
		}
		if (v > UINT64_MAX / 10 || next < v * 10)
			return "out of range";
		v = next;
	}
	if (point > 0 && !zero)
		return "rounded: not all of its digits are there";
	if (a->negative && v > 1ull << 63)
		return "out of range";
	a->value = VALUE_INT;
	a->u = a->negative ? 0 - v : v;
	return NULL;
}

static bool
line_word_is(const char *p, size_t n, const char *word)
{
	return strlen(word) == n && memcmp(p, word, n) == 0;
}

static void
line_parse_value(struct assign *a, const char *p, const char *end)
{
	const char *stop;

	a->kind = LINE_VALUE;
	if (p == end) {
		line_bad(a, "no value");
		return;
	}
	a->text = p;
	if (line_is(*p, DIGIT) || *p == '-' || *p == '.') {
		if ((stop = parse_number(a, p, end)) == NULL)
			return;
		a->text_len = (size_t)(stop - p);
	} else if (*p == '"' || *p == '\'') {
		if ((stop = string_end(p, end)) == NULL) {
			line_bad(a, "string without an end");
			return;
		}
		a->value = VALUE_TEXT;
		a->text = p + 1;
		a->text_len = (size_t)(stop - p) - 2;
	} else if (*p == '{') {
		a->kind = LINE_TABLE;
		stop = skip(p + 1, end, BLANK);
		if (stop == end || *stop != '}') {
			line_bad(a,
			    memchr(stop, '}', (size_t)(end - stop)) == NULL ?
			    "table over several lines" :
			    "table with values in it");
			return;
		}
		stop++;
	} else {
		stop = skip(p, end, WORD);
		a->text_len = (size_t)(stop - p);
		a->value = VALUE_INT;
		if (line_word_is(p, a->text_len, "nil") ||
		    line_word_is(p, a->text_len, "None"))
			a->value = VALUE_NONE;
		else if (line_word_is(p, a->text_len, "true") ||
		    line_word_is(p, a->text_len, "True"))
			a->u = 1;
		else if (!line_word_is(p, a->text_len, "false") &&
		    !line_word_is(p, a->text_len, "False")) {
			line_bad(a, "value that is no number and no string");
			return;
		}
	}
	/* a comment amid digits is a byte gone wrong */
	if (!at_end(stop, end) || (stop < end && (*stop == '#' ||
	    *stop == '-') && line_is(stop[-1], WORD)))
		line_bad(a, "more after the value");
}

/* code = "function" ... | "end" | word "()" | "return" ... */
static bool
is_code(const char *p, const char *end)
{
	const char *stop = skip(p, end, WORD), *q;
	size_t n = (size_t)(stop - p);

	if (line_word_is(p, n, "function") || line_word_is(p, n, "return"))
		return true;
	if (line_word_is(p, n, "end") || line_word_is(p, n, "do"))
		return at_end(stop, end);
	q = skip(stop, end, BLANK);
	if (n == 0 || q == end || *q != '(')
		return false;
	q = skip(q + 1, end, BLANK);
	return q < end && *q == ')' && at_end(q + 1, end);
}

void
assign_parse(struct assign *a, const char *p, const char *end, char *scratch)
{
	const char *start;

	memset(a, 0, sizeof(*a));
	start = p = skip(p, end, BLANK);
	if (at_end(p, end))
		return;                 /* LINE_BLANK */
	if (end - p > 6 && memcmp(p, "local ", 6) == 0)
		start = p = skip(p + 6, end, BLANK);
	if (!line_is(*p, WORD) || line_is(*p, DIGIT)) {
		line_bad(a, "no assignment");
		return;
	}
	if ((p = line_parse_name(a, p, end, scratch)) != NULL && p < end &&
	    *p == '=' && !(p + 1 < end && p[1] == '=')) {
		line_parse_value(a, skip(p + 1, end, BLANK), end);
		return;
	}
	if (is_code(start, end))
		a->kind = LINE_CODE;
	else if (p != NULL)
		line_bad(a, "no assignment");
}

/* ---- lines as tallyd writes them --------------------------------------- */

#define PLAIN_DIGITS 18         /* so many digits fit 64 bits for certain */

/* digits; NULL where there are none, or too many. */
static const char *
plain_number(const char *p, const char *end, uint64_t *v)
{
	const char *start = p;

	for (*v = 0; p < end && line_is(*p, DIGIT); p++)
		*v = *v * 10 + (uint64_t)(*p - '0');
	return p > start && p - start <= PLAIN_DIGITS ? p : NULL;
}

/* "[" ( digits | '"' { PLAIN } '"' ) "]"; NULL: it is another one. */
static const char *
plain_index(struct assign *a, const char *p, const char *end)
{
	a->last_is_int = end - p > 2 && p[1] != '"';
	if (a->last_is_int)
		p = plain_number(p + 1, end, &a->last);
	else if ((p = skip(p + 2, end, PLAIN)) < end && *p == '"')
		p++;
	else
		return NULL;
	return p != NULL && p < end && *p == ']' ? p + 1 : NULL;
}

bool
assign_plain(struct assign *a, const char *p, const char *end)
{
	const char *start = p, *last = NULL;

	if (p == end || line_is(*p, DIGIT) || !line_is(*p, WORD))
		return false;
	p = skip(p, end, WORD);
	*a = (struct assign){ .kind = LINE_VALUE, .name = start, .indexed = true,
	    .value = VALUE_INT, .family_len = (size_t)(p - start) };
	while (p != NULL && p < end && *p == '[') {
		last = p;
		p = plain_index(a, p, end);
	}
	if (p == NULL || last == NULL || !a->last_is_int ||
	    end - p < 4 || memcmp(p, " = ", 3) != 0)
		return false;
	a->name_len = (size_t)(p - start);
	a->key_len = (size_t)(last - start);
	a->text = p + 3;
	a->text_len = (size_t)(end - a->text);
	return plain_number(a->text, end, &a->u) == end;
}
