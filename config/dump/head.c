/*
 * config/dump/head.c - the keys of a dump's head: names, indices, quotes.
 */
#include "config/dump/head.h"

#include "config/dump/column.h"
#include "lib/printable.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct head_row rows[HEAD_KEYS] = {
#define ROW(key, name, shape, type, unit, meaning) \
	[key] = { name, shape, type, unit, meaning },
#include "config/dump/head_rows.h"
#undef ROW
};

static const struct {
	uint8_t names, numbers;
	const char *text;
} shapes[HEAD_SHAPES] = {
	[HEAD_ALONE] = { 0, 0, "" },
	[HEAD_BY_PACKAGE] = { 0, 1, "[package]" },
	[HEAD_BY_LPROC] = { 0, 1, "[lproc]" },
	[HEAD_BY_NODE] = { 0, 1, "[node]" },
	[HEAD_BY_DEVICE] = { 0, 1, "[device]" },
	[HEAD_BY_SAMPLE] = { 0, 1, "[sample]" },
	[HEAD_BY_NUMBER] = { 0, 1, "[n]" },
	[HEAD_BY_STACK] = { 0, 2, "[package][stack]" },
	[HEAD_BY_BOX] = { 1, 2, "[type][package][box]" },
	[HEAD_BY_FAMILY] = { 1, 0, "[family]" },
	[HEAD_BY_EVENT] = { 2, 0, "[family][event]" },
	[HEAD_BY_MODE] = { 1, 0, "[mode]" },
	[HEAD_BY_SET] = { 1, 0, "[set]" },
	[HEAD_BY_GROUP] = { 1, 1, "[group][n]" },
	[HEAD_BY_COLUMN] = { 0, 0, "..." },
};

const struct head_row *
head_row(enum head_key key)
{
	return &rows[key];
}

const char *
head_shape_text(enum head_shape shape)
{
	return shapes[shape].text;
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
