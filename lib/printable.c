/*
 * lib/printable.c - text that others wrote, made fit to be shown.
 */
#include "lib/printable.h"

#include <stdbool.h>
#include <stddef.h>

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

/* Characters of Unicode 15 that are no text: of the categories Cc and Cf,
 * without the Arabic and Kaithi signs, and the two separators. */
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

const char *
plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}
