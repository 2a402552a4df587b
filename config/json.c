/*
 * config/json.c - a small reader of JSON (RFC 8259).
 */
#include "config/json.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "config/texts.h"
#include "lib/printable.h"

#define MAX_DEPTH 64

struct json_reader {
	struct arena *arena;
	const char *file;
	struct diag *why;
	const char *p, *end;
	unsigned line;
	unsigned depth;
};

static int read_value(struct json_reader *, struct json *);

static int
json_wrong(struct json_reader *r, const char *what)
{
	unsigned char c = r->p < r->end ? (unsigned char)*r->p : 0;

	if (r->p >= r->end)
		return diag_at(r->why, r->file, r->line, "the file ends where "
		    "%s should be", what);
	if (c < 0x20 || c >= 0x7f)
		return diag_at(r->why, r->file, r->line, "byte 0x%02x where %s "
		    "should be", c, what);
	return diag_at(r->why, r->file, r->line, "'%c' where %s should be", c,
	    what);
}

static void
json_skip_blanks(struct json_reader *r)
{
	for (; r->p < r->end; r->p++) {
		if (*r->p == '\n')
			r->line++;
		else if (*r->p != ' ' && *r->p != '\t' && *r->p != '\r')
			return;
	}
}

static bool
accept(struct json_reader *r, char c)
{
	json_skip_blanks(r);
	if (r->p >= r->end || *r->p != c)
		return false;
	r->p++;
	return true;
}

/* Parse four hexadecimal digits; -1: they are none. */
static int
read_hex4(struct json_reader *r)
{
	int v = 0;

	for (int i = 0; i < 4; i++, r->p++) {
		int d = r->p < r->end ? hex_digit(*r->p) : -1;

		if (d < 0)
			return -1;
		v = v * 16 + d;
	}
	return v;
}

static char *
put_utf8(char *out, unsigned c)
{
	if (c < 0x80) {
		*out++ = (char)c;
		return out;
	}
	if (c >= 0x10000) {
		*out++ = (char)(0xf0 | c >> 18);
		*out++ = (char)(0x80 | (c >> 12 & 0x3f));
	} else if (c >= 0x800) {
		*out++ = (char)(0xe0 | c >> 12);
	} else {
		*out++ = (char)(0xc0 | c >> 6);
		*out++ = (char)(0x80 | (c & 0x3f));
		return out;
	}
	*out++ = (char)(0x80 | (c >> 6 & 0x3f));
	*out++ = (char)(0x80 | (c & 0x3f));
	return out;
}

/* Parse the part of an escape after \u; half a surrogate pair becomes U+FFFD. */
static int
read_unicode(struct json_reader *r, char **out)
{
	int c = read_hex4(r), low;

	if (c < 0)
		return json_wrong(r, "a hexadecimal digit");
	if (c == 0)
		return diag_at(r->why, r->file, r->line, "a NUL in a string");
	if (c >= 0xd800 && c < 0xdc00 && r->end - r->p >= 6 &&
	    r->p[0] == '\\' && r->p[1] == 'u') {
		const char *back = r->p;

		r->p += 2;
		low = read_hex4(r);
		if (low >= 0xdc00 && low < 0xe000)
			c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
		else
			r->p = back;
	}
	if (c >= 0xd800 && c < 0xe000)
		c = 0xfffd;
	*out = put_utf8(*out, (unsigned)c);
	return 0;
}

static int
read_escape(struct json_reader *r, char **out)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *at;

	if (r->p < r->end && *r->p == 'u') {
		r->p++;
		return read_unicode(r, out);
	}
	if (r->p >= r->end || *r->p == '\0' ||
	    (at = strchr(from, *r->p)) == NULL)
		return json_wrong(r, "the rest of an escape");
	*(*out)++ = to[at - from];
	r->p++;
	return 0;
}

/* string = '"' { character | '\' escape } '"'; the first " is read already */
static int
read_string(struct json_reader *r, const char **text)
{
	const char *quote = r->p;
	char *out;
	int rc;

	/* Decoded it is never longer than written. */
	while (quote < r->end && *quote != '"')
		quote += quote[0] == '\\' && r->end - quote > 1 ? 2 : 1;
	if (quote >= r->end)
		return diag_at(r->why, r->file, r->line,
		    "a string without its closing \"");
	out = arena_alloc(r->arena, (size_t)(quote - r->p) + 1);
	if (out == NULL)
		return -ENOMEM;
	*text = out;
	while (*r->p != '"') {
		if ((unsigned char)*r->p < 0x20)
			return json_wrong(r, "the rest of a string");
		if (*r->p != '\\') {
			*out++ = *r->p++;
			continue;
		}
		r->p++;
		if ((rc = read_escape(r, &out)) < 0)
			return rc;
	}
	r->p++;
	return 0;
}

static bool
skip_digits(struct json_reader *r)
{
	const char *from = r->p;

	while (r->p < r->end && *r->p >= '0' && *r->p <= '9')
		r->p++;
	return r->p > from;
}

/* number = [ "-" ] digits [ "." digits ] [ ( "e" | "E" ) [ sign ] digits ] */
static int
json_read_number(struct json_reader *r, struct json *json)
{
	const char *from;
	bool zero;

	if (*r->p == '-')
		r->p++;
	zero = r->p < r->end && *r->p == '0';
	from = r->p;
	if (!skip_digits(r))
		return json_wrong(r, "a digit");
	if (zero && r->p - from > 1) {
		r->p = from;
		return json_wrong(r, "a number that does not start with 0");
	}
	if (r->p < r->end && *r->p == '.') {
		r->p++;
		if (!skip_digits(r))
			return json_wrong(r, "a digit");
	}
	if (r->p < r->end && (*r->p == 'e' || *r->p == 'E')) {
		r->p++;
		if (r->p < r->end && (*r->p == '+' || *r->p == '-'))
			r->p++;
		if (!skip_digits(r))
			return json_wrong(r, "a digit");
	}
	json->kind = JSON_NUMBER;
	return 0;
}

static int
read_word(struct json_reader *r, struct json *json, const char *word,
    enum json_kind kind)
{
	size_t n = strlen(word);

	if ((size_t)(r->end - r->p) < n || memcmp(r->p, word, n) != 0)
		return json_wrong(r, "a value");
	r->p += n;
	json->kind = kind;
	return 0;
}

/* members = [ member { "," member } ] close; a member of an object starts
 * with string ":" */
static int
read_members(struct json_reader *r, struct json *json, char close)
{
	const struct json **link = &json->child;
	bool object = close == '}';
	int rc;

	json->kind = object ? JSON_OBJECT : JSON_ARRAY;
	if (++r->depth > MAX_DEPTH)
		return diag_at(r->why, r->file, r->line, "nested deeper than "
		    "%d", MAX_DEPTH);
	if (!accept(r, close)) {
		do {
			struct json *member = arena_alloc(r->arena,
			    sizeof(*member));

			if (member == NULL)
				return -ENOMEM;
			if (object && !accept(r, '"'))
				return json_wrong(r,
				    "a member's name in quotes");
			if (object && (rc = read_string(r, &member->name)) < 0)
				return rc;
			if (object && !accept(r, ':'))
				return json_wrong(r, "':'");
			if ((rc = read_value(r, member)) < 0)
				return rc;
			*link = member;
			link = &member->next;
		} while (accept(r, ','));
		if (!accept(r, close))
			return json_wrong(r,
			    object ? "',' or '}'" : "',' or ']'");
	}
	r->depth--;
	return 0;
}

/* value = object | array | string | number | "true" | "false" | "null" */
static int
read_value(struct json_reader *r, struct json *json)
{
	const char *from;
	int rc;

	json_skip_blanks(r);
	json->line = r->line;
	if (r->p >= r->end)
		return json_wrong(r, "a value");
	switch (*r->p) {
	case '{':
		r->p++;
		return read_members(r, json, '}');
	case '[':
		r->p++;
		return read_members(r, json, ']');
	case '"':
		r->p++;
		json->kind = JSON_STRING;
		return read_string(r, &json->text);
	case 't':
		return read_word(r, json, "true", JSON_TRUE);
	case 'f':
		return read_word(r, json, "false", JSON_FALSE);
	case 'n':
		return read_word(r, json, "null", JSON_NULL);
	}
	if (*r->p != '-' && (*r->p < '0' || *r->p > '9'))
		return json_wrong(r, "a value");
	from = r->p;
	if ((rc = json_read_number(r, json)) < 0)
		return rc;
	json->text = arena_strndup(r->arena, from, (size_t)(r->p - from));
	return json->text != NULL ? 0 : -ENOMEM;
}

int
json_parse(struct arena *arena, const char *file, const char *text,
    size_t size, const struct json **root, struct diag *why)
{
	struct json_reader r = { .arena = arena, .file = file, .why = why,
	    .p = text, .end = text + size, .line = 1 };
	struct json *json = arena_alloc(arena, sizeof(*json));
	int rc = json != NULL ? 0 : -ENOMEM;

	if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		r.p += 3;               /* a byte order mark */
	if (rc == 0)
		rc = read_value(&r, json);
	if (rc == 0) {
		json_skip_blanks(&r);
		if (r.p < r.end)
			rc = json_wrong(&r, "the end");
	}
	if (rc == -ENOMEM)
		diag_set(why, rc, "%s: out of memory", file);
	*root = rc == 0 ? json : NULL;
	return rc;
}

const struct json *
json_get(const struct json *json, const char *name)
{
	if (json == NULL || json->kind != JSON_OBJECT)
		return NULL;
	for (const struct json *m = json->child; m != NULL; m = m->next)
		if (strcmp(m->name, name) == 0)
			return m;
	return NULL;
}

const char *
json_text(const struct json *json, const char *name)
{
	const struct json *m = json_get(json, name);

	return m != NULL ? m->text : NULL;
}

const char *
json_kind_name(enum json_kind kind)
{
	static const char *const names[] = {
		"null", "false", "true", "a number", "a string", "an array",
		"an object",
	};

	return names[kind];
}
