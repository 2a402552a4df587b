/*
 * config/dump/head.c - the keys of a dump's head: names, indices, quotes; and head lines
 * that another user may have written, which are parsed and printed anew from their
 * values, so that nothing is copied unchecked.
 */
#include "config/dump/head.h"

#include "config/dump/dump.h"
#include "lib/printable.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct head_row rows[HEAD_KEYS] = {
#define ROW(key, name, shape, type, unit) [key] = { name, shape, type, unit },
#include "config/dump/head_rows.h"
#undef ROW
};

/* How many names and numbers are a shape's indices. */
static const struct { uint8_t names, numbers; } shapes[HEAD_SHAPES] = {
	[HEAD_BY_PACKAGE] = { 0, 1 }, [HEAD_BY_LPROC] = { 0, 1 },
	[HEAD_BY_NODE] = { 0, 1 }, [HEAD_BY_DEVICE] = { 0, 1 },
	[HEAD_BY_SAMPLE] = { 0, 1 }, [HEAD_BY_NUMBER] = { 0, 1 },
	[HEAD_BY_STACK] = { 0, 2 }, [HEAD_BY_BOX] = { 1, 2 },
	[HEAD_BY_FAMILY] = { 1, 0 }, [HEAD_BY_EVENT] = { 2, 0 },
	[HEAD_BY_MODE] = { 1, 0 }, [HEAD_BY_SET] = { 1, 0 },
	[HEAD_BY_GROUP] = { 1, 1 },
};

const struct head_row *
head_row(enum head_key key)
{
	return &rows[key];
}

/* ---- names ------------------------------------------------------------ */

/* Append ["name"], or [n] if name is NULL, to buf; false if it does not fit. */
static bool
add_index(char buf[HEAD_NAME_SIZE], const char *name, uint64_t n)
{
	size_t len = strlen(buf), room = HEAD_NAME_SIZE - len;

	if (name == NULL)
		return snprintf(buf + len, room, "[%" PRIu64 "]", n) <
		    (int)room;
	if (LUA_QUOTED(strlen(name)) + 3 > room)
		return false;
	buf[len++] = '[';
	len += lua_quote(buf + len, name, '"');
	memcpy(buf + len, "]", 2);
	return true;
}

size_t
head_name(char buf[HEAD_NAME_SIZE], enum head_key key, struct head_at at,
    unsigned depth)
{
	const struct head_row *row = &rows[key];
	unsigned names = shapes[row->shape].names;
	unsigned count = names + shapes[row->shape].numbers;
	bool fits = true;

	/* "*_control" of imc_counts[0][3]: imc_counts_control[0][3] */
	if (row->shape == HEAD_BY_COLUMN) {
		size_t len = column_text(at.column, row->name + 1, buf,
		    HEAD_NAME_SIZE);

		if (len < HEAD_NAME_SIZE)
			return len;
		buf[0] = '\0';
		return 0;
	}
	strcpy(buf, row->name);
	for (unsigned i = 0; i < count && i < depth && fits; i++)
		if (i < names && at.name[i] == NULL)
			fits = false;
		else
			fits = add_index(buf, i < names ? at.name[i] : NULL,
			    i < names ? 0 : at.n[i - names]);
	if (!fits)
		buf[0] = '\0';
	return strlen(buf);
}

enum head_key
head_find(const char *name, size_t len)
{
	enum head_key found = HEAD_KEYS;

	for (enum head_key key = 0; key < HEAD_KEYS; key++) {
		const char *s = rows[key].name;
		size_t n;

		if (*s != '*') {
			/* the first letter excludes most keys */
			if (*s == *name && strncmp(s, name, len) == 0 &&
			    s[len] == '\0')
				return key;
		} else if (n = strlen(s), len >= n &&
		    memcmp(s + 1, name + len - n + 1, n - 1) == 0) {
			found = key;    /* an exact match goes first */
		}
	}
	return found;
}

/* Parse the quoted name at p and undo its escapes in place.  Returns the end of
 * it, or NULL if there is none. */
static char *
head_take_name(char *p, const char **name)
{
	char quote = *p, *end = p + 1;

	if (quote != '"' && quote != '\'')
		return NULL;
	while (*end != quote) {
		if (*end == '\\')
			end++;
		if (*end == '\0')
			return NULL;
		end++;
	}
	lua_unquote(p + 1, (size_t)(end - p - 1));
	*name = p + 1;
	return end + 1;
}

unsigned
head_depth(enum head_key key)
{
	return shapes[rows[key].shape].names + shapes[rows[key].shape].numbers;
}

int
head_indices(enum head_key key, char *text, struct head_at *at)
{
	unsigned names = shapes[rows[key].shape].names, i = 0;

	*at = ALONE;
	if (rows[key].shape == HEAD_BY_COLUMN)
		return 0;
	for (; *text != '\0' && i < head_depth(key); i++) {
		if (*text++ != '[')
			return -1;
		if (i < names)
			text = head_take_name(text, &at->name[i]);
		else if (isdigit((unsigned char)*text))
			at->n[i - names] = strtoull(text, &text, 10);
		else
			return -1;
		if (text == NULL || *text++ != ']')
			return -1;
	}
	return *text == '\0' ? (int)i : -1;
}

/* ---- values ----------------------------------------------------------- */

bool
head_is_number(const char *s)
{
	const char *first = s + (*s == '-');
	char *end;
	double v = strtod(s, &end);

	return s[strspn(s, "0123456789.eE+-")] == '\0' && *end == '\0' &&
	    end > s && *s != '+' && isfinite(v) && !(first[0] == '0' &&
	    isdigit((unsigned char)first[1]));
}

/* ---- the words of a mark ------------------------------------------------ */

static const char may[] = "abcdefghijklmnopqrstuvwxyz"
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,:+@%/=-";

int
mark_words_check(const char *text, struct diag *why)
{
	const char *p = text;

	if (strlen(text) > MARK_WORDS)
		return diag_set(why, -EINVAL, "a mark of %zu bytes: at most "
		    "%d", strlen(text), MARK_WORDS);
	for (;;) {
		size_t n = strspn(p, may);

		if (n == 0 || p[0] == '=' || (p[n] != '\0' && p[n] != ' '))
			return diag_set(why, -EINVAL, "mark \"%s\": words KEY "
			    "or KEY=VALUE with one blank between, of letters, "
			    "digits and _.,:+@%%/=-", text);
		p += n;
		if (*p == '\0')
			return 0;
		p++;
	}
}

const char *
mark_words_value(const char *text, const char *key, size_t *n)
{
	size_t len = strlen(key);

	for (const char *p = text; p != NULL; p = strchr(p, ' ')) {
		p += *p == ' ';
		if (strncmp(p, key, len) != 0 || (p[len] != '=' &&
		    p[len] != ' ' && p[len] != '\0'))
			continue;
		p += len + (p[len] == '=');
		*n = strcspn(p, " ");
		return p;
	}
	return NULL;
}

bool
mark_has(const char *text, const char *key)
{
	size_t n;

	return mark_words_value(text, key, &n) != NULL;
}

/* ---- writing ------------------------------------------------------------- */

struct head
head_buffer(char *buf, size_t size)
{
	buf[0] = '\0';
	return (struct head){ .text = buf, .room = size, .fixed = true };
}

void
head_fini(struct head *h)
{
	if (h != NULL && !h->fixed)
		free(h->text);
	if (h != NULL)
		*h = (struct head){ .text = NULL };
}

char *
head_take(struct head *h)
{
	char *text = h->error == 0 ? h->text : NULL;

	if (text == NULL && h->error == 0)
		text = strdup("");
	else if (text == NULL)
		free(h->text);
	*h = (struct head){ .text = NULL };
	return text;
}

static void
fail(struct head *h, int error)
{
	if (h->error == 0)
		h->error = error;
}

/* Make room for n more bytes and a NUL.  Returns where they go, or NULL. */
static char *
head_put_room_for(struct head *h, size_t n)
{
	size_t room = h->room > 0 ? h->room : 4096;
	char *p;

	while (room <= h->n + n)
		room *= 2;
	if (h->error != 0)
		return NULL;
	if (room > h->room && h->fixed) {
		fail(h, -ENOSPC);
		return NULL;
	}
	if (room > h->room) {
		if ((p = realloc(h->text, room)) == NULL) {
			fail(h, -ENOMEM);
			return NULL;
		}
		h->text = p;
		h->room = room;
	}
	return h->text + h->n;
}

void
head_put_lines(struct head *h, const char *text, size_t n)
{
	char *to = head_put_room_for(h, n);

	if (to == NULL)
		return;
	memcpy(to, text, n);
	to[n] = '\0';
	h->n += n;
}

void
head_append(struct head *h, const struct head *more)
{
	if (more->error != 0)
		fail(h, more->error);
	if (more->n > 0)
		head_put_lines(h, more->text, more->n);
}

/* Add one line, KEY = VALUE; the value is quoted unless quote is 0. */
static void
head_put_line(struct head *h, enum head_key key, struct head_at at,
    unsigned depth, const char *value, char quote)
{
	char name[HEAD_NAME_SIZE], *to;
	size_t len = head_name(name, key, at, depth), n = strlen(value);

	if (len == 0)
		fail(h, -ENAMETOOLONG);
	if ((to = head_put_room_for(h, len + 3 + LUA_QUOTED(n) + 1)) == NULL)
		return;
	memcpy(to, name, len);
	memcpy(to + len, " = ", 3);
	len += 3;
	if (quote != '\0')
		n = lua_quote(to + len, value, quote);
	else
		memcpy(to + len, value, n);
	memcpy(to + len + n, "\n", 2);
	h->n += len + n + 1;
}

void
head_put_table(struct head *h, enum head_key key, struct head_at at,
    unsigned depth)
{
	head_put_line(h, key, at, depth, "{}", '\0');
}

static void
head_put_number(struct head *h, enum head_key key, struct head_at at, bool is,
    const char *digits)
{
	if (!is)
		fail(h, -EINVAL);
	head_put_line(h, key, at, HEAD_WHOLE, digits, '\0');
}

void
head_put_int(struct head *h, enum head_key key, struct head_at at, int64_t v)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%" PRId64, v);
	head_put_number(h, key, at, head_row(key)->type == HEAD_INT, digits);
}

void
head_put_count(struct head *h, enum head_key key, struct head_at at,
    uint64_t v)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%" PRIu64, v);
	head_put_number(h, key, at, head_row(key)->type == HEAD_INT, digits);
}

void
head_put_hex(struct head *h, enum head_key key, struct head_at at, uint64_t v)
{
	enum head_type type = head_row(key)->type;
	char digits[32];

	snprintf(digits, sizeof(digits), "0x%0*" PRIx64,
	    type == HEAD_HEX8 ? 8 : 1, v);
	head_put_number(h, key, at, type == HEAD_HEX || type == HEAD_HEX8,
	    digits);
}

/* Write a number with that many decimals and without an exponent, so that
 * simple patterns ([0-9.]+) match it.  Trailing zeros are removed. */
static void
written_out(char *buf, size_t size, double v, int decimals)
{
	size_t n;

	snprintf(buf, size, "%.*f", decimals > 0 ? decimals : 0, v);
	if (strchr(buf, '.') == NULL)
		return;
	n = strlen(buf);
	while (buf[n - 1] == '0')
		n--;
	buf[buf[n - 1] == '.' ? n - 1 : n] = '\0';
}

void
head_put_real(struct head *h, enum head_key key, struct head_at at, double v)
{
	char digits[352];	/* as long as the largest double, written out */
	int exponent = v == 0 || !isfinite(v) ? 0 : (int)floor(log10(fabs(v)));

	if (exponent >= -4 && exponent < 9)
		snprintf(digits, sizeof(digits), "%.9g", v);
	else
		written_out(digits, sizeof(digits), v, 8 - exponent);
	head_put_digits(h, key, at, digits);
}

void
head_put_digits(struct head *h, enum head_key key, struct head_at at,
    const char *digits)
{
	if (head_is_number(digits))
		head_put_number(h, key, at, head_row(key)->type == HEAD_REAL,
		    digits);
}

void
head_put_text(struct head *h, enum head_key key, struct head_at at,
    const char *text)
{
	enum head_type type = head_row(key)->type;

	if (type != HEAD_TEXT && type != HEAD_COLUMN)
		fail(h, -EINVAL);
	head_put_line(h, key, at, HEAD_WHOLE, text, type == HEAD_COLUMN ? '\'' :
	    '"');
}

bool
head_has(const struct head *h, enum head_key key, struct head_at at,
    unsigned depth)
{
	char name[HEAD_NAME_SIZE];
	size_t n = head_name(name, key, at, depth);
	const char *p = h->text;

	while (p != NULL && n > 0 && (p = strstr(p, name)) != NULL) {
		if ((p == h->text || p[-1] == '\n') &&
		    strncmp(p + n, " = ", 3) == 0)
			return true;
		p += n;
	}
	return false;
}

void
head_declare(struct head *h, enum head_key key, struct head_at at)
{
	for (unsigned depth = 0; depth < head_depth(key); depth++)
		if (!head_has(h, key, at, depth))
			head_put_table(h, key, at, depth);
}

/* ---- lines of another user ---------------------------------------------- */

/* A parsed line. */
struct again {
	struct assign a;
	enum head_key key;
	struct head_at at;
	unsigned depth;
	char *name, *value;
	struct family family;           /* of at.column */
	struct column_id id;
};

static char *
head_again_cut(const char *s, size_t n)
{
	char *copy = malloc(n + 1);

	if (copy != NULL) {
		memcpy(copy, s, n);
		copy[n] = '\0';
	}
	return copy;
}

/* Unescape a label in place. */
static const char *
head_again_label(const char *in, size_t n)
{
	char *s = (char *)in;

	if (s != NULL)
		lua_unquote(s, n);
	return s;
}

/* Parse imc_counts_control[0][3]["X"], where `suffix` is "_control", into
 * at.column. */
static bool
head_again_take_column(struct again *x, const char *suffix)
{
	struct column_words w;
	size_t n = x->a.family_len - strlen(suffix);

	column_parse(&w, x->name, strlen(x->name));
	if (w.odd != NULL || n == 0)
		return false;
	x->id = (struct column_id){ .family = &x->family, .nindex = w.nindex,
	    .lprocs = head_again_label(w.lprocs, w.lprocs_len),
	    .event = head_again_label(w.event, w.event_len) };
	memcpy(x->id.index, w.index, sizeof(w.index));
	x->family.name = x->name;
	x->name[n] = '\0';
	x->at = OF_COLUMN(&x->id);
	x->depth = HEAD_WHOLE;
	return true;
}

/* Finds which key of the head the line assigns to, and its indices. */
static bool
head_again_take_name(struct again *x)
{
	const struct head_row *row;
	char *indices;
	int depth;

	x->key = head_find(x->a.name, x->a.family_len);
	if (x->key == HEAD_KEYS || memchr(x->a.name, '\0', x->a.name_len))
		return false;
	row = head_row(x->key);
	if (row->shape == HEAD_BY_COLUMN)
		return head_again_take_column(x, row->name + 1);
	indices = x->name + x->a.family_len;
	if ((depth = head_indices(x->key, indices, &x->at)) < 0)
		return false;
	x->depth = (unsigned)depth;
	return x->a.kind == LINE_VALUE ? x->depth == head_depth(x->key) :
	    x->depth < head_depth(x->key);
}

static bool
head_again_put_number(struct head *h, const struct again *x)
{
	if (x->a.value != VALUE_INT)
		return false;
	if (head_row(x->key)->type != HEAD_INT)
		head_put_hex(h, x->key, x->at, x->a.u);
	else if (x->a.text[0] == '-')
		head_put_int(h, x->key, x->at, (int64_t)x->a.u);
	else
		head_put_count(h, x->key, x->at, x->a.u);
	return true;
}

static bool
head_again_put_value(struct head *h, const struct again *x)
{
	switch ((enum head_type)head_row(x->key)->type) {
	case HEAD_INT:
	case HEAD_HEX:
	case HEAD_HEX8:
		return head_again_put_number(h, x);
	case HEAD_REAL:
		if (!head_is_number(x->value))
			return false;
		head_put_digits(h, x->key, x->at, x->value);
		return true;
	case HEAD_TEXT:
	case HEAD_COLUMN:
		if (x->a.value != VALUE_TEXT)
			return false;
		lua_unquote(x->value, x->a.text_len);
		head_put_text(h, x->key, x->at, x->value);
		return true;
	}
	return false;
}

/* Print the line anew; false if it is not a valid line of tallyd's head. */
static bool
head_again_put_again(struct head *h, struct again *x)
{
	char name[HEAD_NAME_SIZE];

	if (!head_again_take_name(x) ||
	    head_name(name, x->key, x->at, x->depth) == 0)
		return false;
	if (x->a.kind == LINE_VALUE)
		return head_again_put_value(h, x);
	head_put_table(h, x->key, x->at, x->depth);
	return true;
}

unsigned
head_put_again(struct head *h, const char *text)
{
	char *scratch = malloc(strlen(text) + 1);
	unsigned left_out = 0;
	size_t len;

	for (; *text != '\0' && h->error == 0; text += len) {
		struct again x = { .depth = 0 };

		len = strcspn(text, "\n");
		if (scratch == NULL)
			h->error = -ENOMEM;
		else
			assign_parse(&x.a, text, text + len, scratch);
		if (x.a.kind == LINE_TABLE || x.a.kind == LINE_VALUE) {
			x.name = head_again_cut(x.a.name, x.a.name_len);
			x.value = head_again_cut(x.a.text, x.a.text_len);
			if (x.name == NULL || x.value == NULL)
				h->error = -ENOMEM;
			else
				left_out += !head_again_put_again(h, &x);
			free(x.name);
			free(x.value);
		} else {
			left_out += x.a.kind != LINE_BLANK;
		}
		len += text[len] == '\n';
	}
	free(scratch);
	return left_out;
}
