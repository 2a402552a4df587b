/*
 * postproc/out/quote.c - strings as JSON and CSV have them.
 */
#include "postproc/out/quote.h"

#include <stdint.h>
#include <string.h>

/* The bytes of a character of UTF-8 beyond ASCII at s; 0: there is none. */
static unsigned
utf8_length(const char *s)
{
	unsigned char c = (unsigned char)*s;
	unsigned n = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
	uint32_t code = c & (0xffu >> (n + 1));

	if (c < 0xc2 || c > 0xf4)
		return 0;
	for (unsigned i = 1; i < n; i++) {
		if (((unsigned char)s[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | ((unsigned char)s[i] & 0x3f);
	}
	/* in more bytes than it takes, half of a pair, beyond Unicode */
	return (n == 3 && code < 0x800) || (n == 4 && code < 0x10000) ||
	    (code >= 0xd800 && code < 0xe000) || code > 0x10ffff ? 0 : n;
}

void
put_json(FILE *f, const char *s)
{
	unsigned n;

	putc('"', f);
	for (; *s != '\0'; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\') {
			fprintf(f, "\\%c", c);
		} else if ((n = utf8_length(s)) > 0) {
			fwrite(s, 1, n, f);
			s += n - 1;
		} else if (c < ' ' || c >= 0x7f) {
			/* file names may be no UTF-8: bytes as Latin-1 */
			fprintf(f, "\\u%04x", c);
		} else {
			putc(c, f);
		}
	}
	putc('"', f);
}

void
put_csv(FILE *f, const char *s)
{
	if (s[strcspn(s, ",\"\r\n")] == '\0') {
		fputs(s, f);
		return;
	}
	putc('"', f);
	for (; *s != '\0'; s++) {
		if (*s == '"')
			putc('"', f);
		putc(*s, f);
	}
	putc('"', f);
}
