/*
 * postproc/html/format_html.c - tables as an HTML file that loads nothing.  Where scripts
 * run, its tables can be sorted and filtered.
 */
#include <ctype.h>
#include <string.h>

#include "postproc/html/markup.h"
#include "postproc/out/format.h"

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
