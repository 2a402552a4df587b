/*
 * config/dump/head_put.c - build the head of a dump in memory, line by line.
 */
#include "config/dump/head_put.h"

#include "lib/printable.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
