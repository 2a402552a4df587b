/*
 * postproc/out/quote.c - strings as JSON and CSV have them.
 */
#include "postproc/out/quote.h"

#include "postproc/out/format.h"

#include "lib/printable.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Writes \u0041; a code above 0xffff as a surrogate pair. */
static void
put_escape(FILE *f, uint32_t code)
{
	if (code < 0x10000)
		fprintf(f, "\\u%04x", code);
	else
		fprintf(f, "\\u%04x\\u%04x", 0xd7c0 + (code >> 10),
		    0xdc00 + (code & 0x3ff));
}

void
put_json(FILE *f, const char *s)
{
	uint32_t code;
	unsigned n;

	putc('"', f);
	for (; *s != '\0'; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\') {
			fprintf(f, "\\%c", c);
		} else if ((n = printable_length(s)) > 0) {
			fwrite(s, 1, n, f);
			s += n - 1;
		} else if ((n = utf8_length(s, &code)) > 0) {
			put_escape(f, code);
			s += n - 1;
		} else {
			/* file names may be no UTF-8: bytes as Latin-1 */
			put_escape(f, c);
		}
	}
	putc('"', f);
}

/* Writes one character of a field, '?' if it is not printable; returns where the next one
 * is. */
static const char *
put_shown(FILE *f, const char *s)
{
	unsigned n = printable_length(s);

	if (n == 0)
		putc(*s == '\n' || *s == '\r' || *s == '\t' ? *s : '?', f);
	else
		fwrite(s, 1, n, f);
	return s + (n > 0 ? n : 1);
}

/* Would a spreadsheet take it for a formula?  A number is none. */
static bool
is_formula(const char *s)
{
	char *end;

	if (*s == '\0' || strchr("=+-@\t\r", *s) == NULL || s[1] == '\0')
		return false;
	strtod(s, &end);
	return end == s || *end != '\0';
}

void
put_csv(FILE *f, const char *s)
{
	bool quoted = s[strcspn(s, ",\"\r\n")] != '\0';

	if (quoted)
		putc('"', f);
	if (is_formula(s))
		putc('\'', f);
	while (*s != '\0') {
		if (*s == '"')
			putc('"', f);
		s = put_shown(f, s);
	}
	if (quoted)
		putc('"', f);
}

const char *
column_unit(const struct table_column *c)
{
	return c->unit != NULL ? c->unit : "";
}
