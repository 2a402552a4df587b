/*
 * postproc/out/format_json.c - JSON, one object:
 *	{ "command": "...", "tables": [ { "name": "...",
 *	  "columns": [ { "name": "...", "unit": "..." }, ... ],
 *	  "rows": [ { "name": value, ... }, ... ] }, ... ] }
 */
#include "postproc/out/format.h"

#include "postproc/out/quote.h"

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
