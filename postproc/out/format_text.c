/*
 * postproc/out/format_text.c - the formats that are text: for people pages, and tables
 * with aligned columns; for programs CSV and JSON.
 */
#include "postproc/out/format.h"

#include "lib/printable.h"
#include "postproc/out/table.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- strings as JSON and CSV have them --------------------------------- */

/* Writes a character as JSON escapes it, \u and four hexadecimal digits; one above
 * U+FFFF as two of these, a surrogate pair. */
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

/* ---- text for people --------------------------------------------------------
 *
 * A table has to wait for its end, to know how wide the columns are.
 */

/* The cells of a table, each with its '\0'. */
struct kept {
	char *text;
	size_t used, room;
};

static void
text_open(struct out *o, const char *command)
{
	(void)command;
	if ((o->own = calloc(1, sizeof(struct kept))) == NULL)
		o->file.error = -ENOMEM;
}

static void
text_remark(struct out *o, const char *words)
{
	fputs(words, o->file.f);
}

static void
text_keep(struct out *o, const char *s, bool word)
{
	struct kept *k = o->own;
	size_t n;

	(void)word;
	if (s == NULL)
		s = "n/a";
	if (k == NULL)
		return;
	n = strlen(s) + 1;
	if (k->room - k->used < n) {
		size_t room = (k->room + n) * 2;
		char *p = realloc(k->text, room);

		if (p == NULL) {
			o->file.error = -ENOMEM;
			return;
		}
		k->text = p;
		k->room = room;
	}
	printable(memcpy(k->text + k->used, s, n));
	k->used += n;
}

/* How many columns UTF-8 text takes on a screen: one for each byte that is not a
 * continuation byte. */
static size_t
width_of(const char *s)
{
	size_t n = 0;

	for (; *s != '\0'; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

static void
format_text_widen(size_t *width, const char *s)
{
	size_t n = width_of(s);

	*width = n > *width ? n : *width;
}

/* Writes cell i of a row in a column of this width.  *owed: how many blanks the next text has
 * to be written behind; they are written with it alone, so that no row ends in blanks. */
static void
text_cell(struct out *o, unsigned i, const char *s, size_t width, size_t *owed)
{
	FILE *f = o->file.f;
	size_t pad = width - width_of(s);
	bool left = o->column[i].left;

	*owed = i == 0 ? 0 : *owed + 2;
	if (!left)
		*owed += pad;
	if (*s != '\0') {
		fprintf(f, "%*s%s", (int)*owed, "", s);
		*owed = 0;
	}
	if (left)
		*owed += pad;
	if (i + 1 == o->ncolumn)
		putc('\n', f);
}

static void
text_table(struct out *o, const struct kept *k, size_t *width)
{
	const char *end = k->text + k->used, *p;
	bool units = false;
	size_t owed = 0;
	unsigned i;

	for (i = 0; i < o->ncolumn; i++) {
		format_text_widen(&width[i], o->column[i].name);
		format_text_widen(&width[i], column_unit(&o->column[i]));
		units |= column_unit(&o->column[i])[0] != '\0';
	}
	for (i = 0, p = k->text; p < end; p += strlen(p) + 1) {
		format_text_widen(&width[i], p);
		i = (i + 1) % o->ncolumn;
	}
	for (i = 0; i < o->ncolumn; i++)
		text_cell(o, i, o->column[i].name, width[i], &owed);
	for (i = 0; units && i < o->ncolumn; i++)
		text_cell(o, i, column_unit(&o->column[i]), width[i],
		    &owed);
	for (i = 0, p = k->text; p < end; p += strlen(p) + 1) {
		text_cell(o, i, p, width[i], &owed);
		i = (i + 1) % o->ncolumn;
	}
}

static void
text_end(struct out *o)
{
	struct kept *k = o->own;
	size_t *width;

	if (k == NULL || k->used == 0)
		return;
	if ((width = calloc(o->ncolumn, sizeof(*width))) != NULL)
		text_table(o, k, width);
	else
		o->file.error = -ENOMEM;
	free(width);
	k->used = 0;
}

static void
text_close(struct out *o)
{
	struct kept *k = o->own;

	if (k != NULL)
		free(k->text);
	free(k);
}

const struct out_format format_text = {
	.name = "text", .pages = true,
	.open = text_open, .remark = text_remark, .cell = text_keep,
	.end = text_end, .close = text_close,
};

/* ---- CSV: RFC 4180, with one header line, "name (unit)"; a file holds one table */

static void
csv_begin(struct out *o, const char *table)
{
	(void)table;
	for (unsigned i = 0; i < o->ncolumn; i++) {
		const char *unit = column_unit(&o->column[i]);
		char head[160];

		snprintf(head, sizeof(head), unit[0] != '\0' ? "%s (%s)" :
		    "%s", o->column[i].name, unit);
		if (i > 0)
			putc(',', o->file.f);
		put_csv(o->file.f, head);
	}
	fputs("\r\n", o->file.f);
}

static void
csv_cell(struct out *o, const char *s, bool word)
{
	(void)word;
	if (o->at > 0)
		putc(',', o->file.f);
	if (s != NULL)
		put_csv(o->file.f, s);
}

static void
csv_row(struct out *o)
{
	fputs("\r\n", o->file.f);
}

const struct out_format format_csv = {
	.name = "csv", .one_table = true,
	.begin = csv_begin, .cell = csv_cell, .row = csv_row,
};

/* ---- JSON, one object ----------------------------------------------------
 *
 *	{ "command": "...", "tables": [ { "name": "...",
 *	  "columns": [ { "name": "...", "unit": "..." }, ... ],
 *	  "rows": [ { "name": value, ... }, ... ] }, ... ] }
 */

static void
json_open(struct out *o, const char *command)
{
	fputs("{\"command\": ", o->file.f);
	put_json(o->file.f, command);
	fputs(", \"tables\": [", o->file.f);
}

static void
json_begin(struct out *o, const char *table)
{
	FILE *f = o->file.f;

	fprintf(f, "%s\n{\"name\": ", o->ntable > 0 ? "," : "");
	put_json(f, table);
	fputs(", \"columns\": [", f);
	for (unsigned i = 0; i < o->ncolumn; i++) {
		fputs(i > 0 ? ", {\"name\": " : "{\"name\": ", f);
		put_json(f, o->column[i].name);
		fputs(", \"unit\": ", f);
		put_json(f, column_unit(&o->column[i]));
		putc('}', f);
	}
	fputs("], \"rows\": [", f);
}

static void
json_cell(struct out *o, const char *s, bool word)
{
	FILE *f = o->file.f;

	fputs(o->at > 0 ? ", " : o->nrow > 0 ? ",\n{" : "\n{", f);
	put_json(f, o->column[o->at].name);
	fputs(": ", f);
	if (s == NULL)
		fputs("null", f);
	else if (word)
		put_json(f, s);
	else
		fputs(s, f);
}

static void
json_row(struct out *o)
{
	putc('}', o->file.f);
}

static void
json_end(struct out *o)
{
	fputs("\n]}", o->file.f);
}

static void
json_close(struct out *o)
{
	fputs("\n]}\n", o->file.f);
}

const struct out_format format_json = {
	.name = "json",
	.open = json_open, .begin = json_begin, .cell = json_cell,
	.row = json_row, .end = json_end, .close = json_close,
};
