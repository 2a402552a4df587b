/*
 * postproc/html/markup.c - an HTML file: what stands around its body, and texts in it;
 * the output format html.
 */
#include "postproc/html/markup.h"

#include <ctype.h>
#include <endian.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "config/texts.h"
#include "config/version.h"
#include "lib/printable.h"
#include "lib/wide.h"
#include "postproc/out/format.h"

static bool
markup_plain(char c)
{
	return c >= ' ' && c < 0x7f && c != '&' && c != '<' && c != '>' &&
	    c != '"' && c != '\'';
}

void
markup_text(FILE *f, const char *s)
{
	for (unsigned n; *s != '\0'; s += n) {
		const char *instead;

		for (n = 0; markup_plain(s[n]);)
			n++;
		n = n > 0 ? n : printable_length(s);
		instead = *s == '&' ? "&amp;" : *s == '<' ? "&lt;" :
		    *s == '>' ? "&gt;" : *s == '"' ? "&quot;" :
		    *s == '\'' ? "&#39;" : *s == '\n' ? "\n" :
		    n == 0 ? "?" : NULL;
		if (instead != NULL)
			fputs(instead, f);
		else
			fwrite(s, 1, n, f);
		n = instead != NULL ? 1 : n;
	}
}

void
markup_document(FILE *f, const char *s, size_t n)
{
	for (const char *end = s + n; s < end;) {
		const char *to = s;

		while (to < end && *to != '&' && *to != '"')
			to++;
		fwrite(s, 1, (size_t)(to - s), f);
		if (to < end)
			fputs(*to++ == '&' ? "&amp;" : "&quot;", f);
		s = to;
	}
}

void
markup_json(FILE *f, const char *s)
{
	uint32_t code;
	unsigned n;

	putc('"', f);
	for (; *s != '\0'; s += n) {
		n = utf8_length(s, &code);
		if (n == 0) {   /* not UTF-8: the byte is taken as Latin-1 */
			code = (unsigned char)*s;
			n = 1;
		}
		if (code >= 0x10000)
			fprintf(f, "\\u%04x\\u%04x", 0xd7c0 + (code >> 10),
			    0xdc00 + (code & 0x3ff));
		else if (code < 0x20 || code > 0x7e ||
		    strchr("\"\\<>&'", (int)code) != NULL)
			fprintf(f, "\\u%04x", code);
		else
			putc((int)code, f);
	}
	putc('"', f);
}

void
markup_number(FILE *f, double v)
{
	if (isfinite(v))
		fprintf(f, "%.9g", v);
	else
		fputs("null", f);
}

void
markup_exact(FILE *f, double v)
{
	if (isfinite(v))
		fprintf(f, "%.17g", v);
	else
		fputs("null", f);
}

#define TENTHS_SIZE 330         /* of the longest double, with a sign and a tenth */

/* Writes a number as "%.1f" does, and returns its end: rounded to the nearest tenth, of two
 * that are as near to the even one.  Below 1e9 there is no rounding on the way there: what
 * is behind the point is exact, and so is the sign of what fma returns. */
static char *
put_tenths(char *to, double v)
{
	double all = fabs(v), part;
	char text[13], *digit = text + sizeof text;
	unsigned whole, tenth;

	if (!(all < 1e9))
		return to + sprintf(to, "%.1f", v);
	whole = (unsigned)all;
	part = all - whole;
	tenth = (unsigned)(part * 10);
	part = fma(part, 20, -(2.0 * tenth + 1));
	tenth += part > 0 || (part == 0 && tenth % 2 != 0);
	whole += tenth / 10;
	*--digit = (char)('0' + tenth % 10);
	*--digit = '.';
	do {
		*--digit = (char)('0' + whole % 10);
	} while ((whole /= 10) > 0);
	if (signbit(v))
		*--digit = '-';
	return mempcpy(to, digit, (size_t)(text + sizeof text - digit));
}

void
markup_point(FILE *f, double x, double y)
{
	char text[2 * TENTHS_SIZE + 2], *to = put_tenths(text, x);

	*to++ = ',';
	to = put_tenths(to, y);
	*to++ = ' ';
	fwrite_unlocked(text, 1, (size_t)(to - text), f);
}

#define TRIPLES 64              /* of bytes, that become digits at once */
#define EACH_BYTE 0x01010101u   /* times a number below 256: that in each byte */

/* 1 in each byte of x, which are below 64, that is `from` or more. */
static inline uint32_t
digits_from(uint32_t x, uint32_t from)
{
	return (x + (128 - from) * EACH_BYTE) >> 7 & EACH_BYTE;
}

/* Writes n bytes, of which each number has three, as four digits of base64 a number.  What
 * is between 'A' and a digit is its number, and 6 more from 'a' on, 75 less from '0' on. */
WIDE_TOO static void
put_triples(FILE *f, uint32_t v[TRIPLES], size_t n)
{
	size_t end = (n + 2) / 3 * 4, missing = 2 - (n + 2) % 3;

	for (unsigned i = 0; i < TRIPLES; i++) {
		uint32_t x = v[i] >> 18 | (v[i] >> 4 & 0x3f00) |
		    (v[i] << 10 & 0x3f0000) | (v[i] << 24 & 0x3f000000);

		v[i] = htole32(x + 'A' * EACH_BYTE + 6 * digits_from(x, 26) -
		    75 * digits_from(x, 52) - 15 * digits_from(x, 62) +
		    3 * digits_from(x, 63));
	}
	memset((char *)v + end - missing, '=', missing);
	fwrite_unlocked(v, 1, end, f);
}

static void
put_base64(FILE *f, const unsigned char *b, size_t n)
{
	uint32_t v[TRIPLES] = { 0 };

	for (size_t part; n > 0; b += part, n -= part) {
		part = n < 3 * TRIPLES ? n : 3 * TRIPLES;
		for (size_t i = 0, k = 0; i < part; i += 3)
			v[k++] = (uint32_t)b[i] << 16 |
			    (i + 1 < part ? (uint32_t)b[i + 1] << 8 : 0) |
			    (i + 2 < part ? b[i + 2] : 0u);
		put_triples(f, v, part);
	}
}

void
markup_bytes(FILE *f, const unsigned char *b, size_t n)
{
	putc('"', f);
	put_base64(f, b, n);
	putc('"', f);
}

void
markup_floats(FILE *f, const float *v, unsigned n)
{
	unsigned char b[768];   /* whole triples of bytes, whole floats */
	unsigned len = 0;

	putc('"', f);
	for (unsigned i = 0; i < n; i++) {
		uint32_t bits;

		memcpy(&bits, &v[i], 4);
		for (unsigned j = 0; j < 4; j++)
			b[len++] = (unsigned char)(bits >> 8 * j);
		if (len == sizeof b) {
			put_base64(f, b, len);
			len = 0;
		}
	}
	put_base64(f, b, len);
	putc('"', f);
}

void
markup_short_floats(FILE *f, const float *v, unsigned n)
{
	uint32_t triple[TRIPLES] = { 0 };

	putc('"', f);
	for (unsigned part; n > 0; v += part, n -= part) {
		part = n < TRIPLES ? n : TRIPLES;
		for (unsigned i = 0; i < part; i++) {
			uint32_t bits;

			memcpy(&bits, &v[i], sizeof bits);
			bits += isfinite(v[i]) ? 0x80 : 0;
			triple[i] = __builtin_bswap32(bits) & 0xffffff;
		}
		put_triples(f, triple, 3 * part);
	}
	putc('"', f);
}

/* ---- the document ----------------------------------------------------------- */

static void
document_put_text(FILE *f, const char *name, const char *kind)
{
	const struct text *t = text_named(name, kind);

	if (t != NULL)
		fwrite(t->data, 1, (size_t)(t->end - t->data), f);
}

void
document_begin(FILE *f, const char *name, const char *command)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
	    "<meta name=\"viewport\" content=\"width=device-width\">"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\""
	    "default-src 'none'; style-src 'unsafe-inline'; script-src "
	    "'unsafe-inline'\"><meta name=\"generator\" content=\"tally "
	    TALLYD_VERSION "\"><title>", f);
	if (name != NULL)
		markup_text(f, name);
	fprintf(f, "%stally %s</title>\n<style>\n", name != NULL ? ": " : "",
	    command);
	document_put_text(f, "@page", TEXT_STYLE);
	fputs("</style></head>\n<body>\n", f);
}

void
document_end(FILE *f)
{
	fputs("</body></html>\n", f);
}

void
document_scripts(FILE *f, const char *const *name, size_t n)
{
	fputs("<script>\n\"use strict\";\n(() => {\n", f);
	for (size_t i = 0; i < n; i++)
		document_put_text(f, name[i], TEXT_SCRIPT);
	fputs("})();\n</script>\n", f);
}

void
document_when(FILE *f, double wall)
{
	char buf[32];

	fputs(utc_text(buf, sizeof buf, wall, "%Y-%m-%d %H:%M:%S", "?"), f);
}

/* ---- the output format: tables in a file that loads nothing -----------------
 *
 * Where scripts run, its tables can be sorted and filtered.
 */

static const char *const scripts[] = { "@tools", "@table" };

static void
html_open(struct out *o, const char *command)
{
	document_begin(o->file.f, NULL, command);
	fprintf(o->file.f, "<header><h1>tally %s</h1></header>\n<main>\n",
	    command);
}

static void
end_line(struct out *o)
{
	if (o->in_line)
		fputs("</p>\n", o->file.f);
	o->in_line = false;
}

/* Writes a remark: each of its lines becomes a paragraph, even if it comes in parts. */
static void
html_remark(struct out *o, const char *words)
{
	for (size_t n; *words != '\0'; words += n) {
		char line[1000];

		n = strcspn(words, "\n");
		n = n < sizeof line ? n : sizeof line - 1;
		snprintf(line, sizeof line, "%.*s", (int)n, words);
		if (n > 0 && !o->in_line)
			fputs("<p class=\"remark\">", o->file.f);
		o->in_line |= n > 0;
		markup_text(o->file.f, line);
		if (words[n] == '\n') {
			end_line(o);
			n++;
		}
	}
}

static void
html_begin(struct out *o, const char *table)
{
	FILE *f = o->file.f;

	end_line(o);
	fprintf(f, "<div class=\"wide\" tabindex=\"0\" role=\"region\" "
	    "aria-label=\"Table: %s\"><table id=\"%s\" class=\"sorts\">"
	    "<thead><tr>", table, table);
	for (unsigned i = 0; i < o->ncolumn; i++) {
		const struct table_column *c = &o->column[i];

		fprintf(f, "<th scope=\"col\"%s>", c->left ? "" :
		    " class=\"n\"");
		markup_text(f, c->name);
		fputs(column_unit(c)[0] != '\0' ? ", " : "", f);
		markup_text(f, column_unit(c));
		fputs("</th>", f);
	}
	fputs("</tr></thead><tbody>\n", f);
}

/* Begins a cell whose class is the word in it, up to the first character that is no
 * small letter. */
static void
put_state(FILE *f, const char *s)
{
	fputs("<td class=\"is-", f);
	while (islower((unsigned char)*s))
		putc(*s++, f);
	fputs("\">", f);
}

static void
html_cell(struct out *o, const char *s, bool word)
{
	const struct table_column *c = &o->column[o->at];
	FILE *f = o->file.f;

	if (o->at == 0)
		fputs(c->left ? "<tr><th scope=\"row\">" :
		    "<tr><th scope=\"row\" class=\"n\">", f);
	else if (c->left == COLUMN_STATE && s != NULL)
		put_state(f, s);
	else
		fputs(c->left ? "<td>" : "<td class=\"n\">", f);
	(void)word;
	markup_text(f, s != NULL ? s : "n/a");
	fputs(o->at == 0 ? "</th>" : "</td>", f);
}

static void
html_row(struct out *o)
{
	fputs("</tr>\n", o->file.f);
}

static void
html_end(struct out *o)
{
	fputs("</tbody></table></div>\n", o->file.f);
}

static void
html_close(struct out *o)
{
	end_line(o);
	fputs("</main>\n", o->file.f);
	document_scripts(o->file.f, scripts, sizeof scripts / sizeof *scripts);
	document_end(o->file.f);
}

const struct out_format format_html = {
	.name = "html",
	.open = html_open, .remark = html_remark, .begin = html_begin,
	.cell = html_cell, .row = html_row, .end = html_end,
	.close = html_close,
};
