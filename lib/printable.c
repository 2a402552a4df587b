/*
 * lib/printable.c - text for people.
 */
#include "lib/printable.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

unsigned
utf8_length(const char *s, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *u = (const unsigned char *)s;
	unsigned n = u[0] < 0x80 ? u[0] != '\0' : u[0] < 0xc2 ? 0 :
	    u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3 : u[0] < 0xf5 ? 4 : 0;
	uint32_t c = n < 2 ? u[0] : u[0] & (0x7fu >> n);

	for (unsigned i = 1; i < n; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (u[i] & 0x3f);
	}
	if (n > 1 && (c < least[n] || c > 0x10ffff ||
	    (c >= 0xd800 && c < 0xe000)))
		return 0;
	if (code != NULL)
		*code = c;
	return n;
}

/* Is it a character without a shape of its own?  By Unicode 15: categories Cc and Cf
 * without the Arabic and Kaithi signs, and the line and paragraph separators. */
static bool
is_control(uint32_t c)
{
	static const struct { uint32_t first, last; } none[] = {
		{ 0, 0x1f }, { 0x7f, 0x9f }, { 0xad, 0xad }, { 0x61c, 0x61c },
		{ 0x180e, 0x180e }, { 0x200b, 0x200f }, { 0x2028, 0x202e },
		{ 0x2060, 0x206f }, { 0xfeff, 0xfeff }, { 0xfff9, 0xfffb },
		{ 0xe0000, 0xe007f },
	};

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		if (c >= none[i].first && c <= none[i].last)
			return true;
	return false;
}

unsigned
printable_length(const char *s)
{
	uint32_t code;
	unsigned n;

	if (*s >= ' ' && *s < 0x7f)
		return 1;
	n = utf8_length(s, &code);
	return n > 0 && is_control(code) ? 0 : n;
}

char *
printable(char *s)
{
	for (char *p = s; *p != '\0';) {
		unsigned n = printable_length(p);

		if (n > 0)
			p += n;
		else if (*p == '\t' || *p == '\n' || *p == '\r')
			*p++ = ' ';
		else
			*p++ = '?';
	}
	return s;
}

int
hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ?
	    c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

const char *
plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

unsigned
lua_quote_one(char to[LUA_QUOTED_ONE], const char **s, char quote)
{
	static const char letter[] = "\nn\tt\rr";
	const char *l = letter;
	unsigned n = printable_length(*s);

	if (n == 1 && **s != quote && **s != '\\') {
		to[0] = *(*s)++;
		return 1;
	}
	while (*l != '\0' && *l != **s)
		l += 2;
	if (*l != '\0' || **s == quote || **s == '\\') {
		to[0] = '\\';
		to[1] = *l != '\0' ? l[1] : **s;
		++*s;
		return 2;
	}
	if (n == 0) {
		to[0] = '?';
		++*s;
		return 1;
	}
	memcpy(to, *s, n);
	*s += n;
	return n;
}

size_t
lua_plain(const char *s, char quote)
{
	static const bool plain[256] = { [' ' ... '['] = true,
		[']' ... '~'] = true };        /* all but the backslash */
	const char *p = s;

	while (plain[(unsigned char)*p] && *p != quote)
		p++;
	return (size_t)(p - s);
}

size_t
lua_quote(char *to, const char *s, char quote)
{
	char *start = to, one[LUA_QUOTED_ONE];

	*to++ = quote;
	while (*s != '\0') {
		size_t n = lua_plain(s, quote);

		if (n > 0) {
			memcpy(to, s, n);
			s += n;
		} else {
			n = lua_quote_one(one, &s, quote);
			memcpy(to, one, n);
		}
		to += n;
	}
	*to++ = quote;
	return (size_t)(to - start);
}

/* The character of an escape: \n and the like, or Lua's decimal \065.  *p is
 * after the backslash and is moved past the escape. */
static char
lua_escaped(const char **p, const char *end)
{
	static const char letter[] = "n\nt\tr\ra\ab\bf\fv\v";
	unsigned code = 0;

	for (const char *l = letter; *l != '\0'; l += 2)
		if (**p == *l)
			return l[1];
	if (**p < '0' || **p > '9' || end - *p < 3)
		return **p;
	for (const char *d = *p; d < *p + 3; d++) {
		if (*d < '0' || *d > '9')
			return **p;
		code = code * 10 + (unsigned)(*d - '0');
	}
	if (code == 0 || code > 255)
		return **p;
	*p += 2;
	return (char)code;
}

size_t
lua_unquote(char *s, size_t n)
{
	const char *end = s + n;
	char *to = s;

	for (const char *p = s; p < end; p++) {
		char c = *p;

		if (c == '\\' && p + 1 < end) {
			p++;
			c = lua_escaped(&p, end);
		}
		*to++ = c != '\0' ? c : '?';
	}
	*to = '\0';
	return (size_t)(to - s);
}

bool
has_word(const char *list, char between, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = list; p != NULL; p = strchr(p, between)) {
		p += *p == between;
		if (strncmp(p, word, n) == 0 &&
		    (p[n] == between || p[n] == '\0'))
			return true;
	}
	return false;
}

const char *
utc_text(char *buf, size_t size, double wall, const char *format,
    const char *none)
{
	time_t t = (time_t)wall;
	struct tm tm;

	if (!(wall > 0 && wall < 1e11) || gmtime_r(&t, &tm) == NULL ||
	    strftime(buf, size, format, &tm) == 0)
		snprintf(buf, size, "%s", none);
	return buf;
}
