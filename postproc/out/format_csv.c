/*
 * postproc/out/format_csv.c - CSV: RFC 4180, with one header line, "name (unit)".
 * A file holds one table.
 */
#include "postproc/out/format.h"

#include "postproc/out/quote.h"

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
