/*
 * postproc/out/format_parquet.c - Apache Parquet: a file holds one table, with the
 * numbers that the other formats print.
 */
#include "postproc/out/format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/out/parquet.h"

#define GROUP_CELLS (1u << 20)

struct parquet_table {
	struct parquet *file;
	int *column;            /* [ncolumn] columns of the file */
	int *real;              /* [ncolumn] columns for numbers that are not whole,
				 * though the table says so; -1: there were none */
};

static void
parquet_open(struct out *o, const char *command)
{
	struct parquet_table *t = calloc(1, sizeof(*t));

	o->own = t;
	if (t == NULL || (t->file = parquet_new(o->file.f,
	    GROUP_CELLS)) == NULL) {
		o->file.error = -ENOMEM;
		return;
	}
	parquet_key(t->file, "tally.rows", command);
}

static void
parquet_head(struct out *o, const char *key, const char *value)
{
	struct parquet_table *t = o->own;

	if (o->file.error == 0)
		parquet_key(t->file, key, value);
}

static enum parquet_type
format_parquet_type_of(const struct table_column *c)
{
	if (c->left == COLUMN_TIME)
		return PARQUET_TIME;
	if (c->left)
		return PARQUET_TEXT;
	return c->decimals > 0 ? PARQUET_REAL : PARQUET_INT;
}

/* Writes the units as metadata, "column=unit" line by line. */
static void
format_parquet_put_units(struct out *o, struct parquet *p)
{
	char *units = NULL;
	size_t size;
	FILE *f = open_memstream(&units, &size);

	if (f == NULL)
		return;
	for (unsigned i = 0; i < o->ncolumn; i++)
		if (column_unit(&o->column[i])[0] != '\0')
			fprintf(f, "%s=%s\n", o->column[i].name,
			    column_unit(&o->column[i]));
	if (fclose(f) == 0)
		parquet_key(p, "tally.column_units", units);
	free(units);
}

static void
parquet_begin(struct out *o, const char *table)
{
	struct parquet_table *t = o->own;

	(void)table;
	if (o->file.error != 0 || t->column != NULL)
		return;
	t->column = calloc(o->ncolumn, sizeof(*t->column));
	t->real = calloc(o->ncolumn, sizeof(*t->real));
	if (t->column == NULL || t->real == NULL) {
		o->file.error = -ENOMEM;
		return;
	}
	for (unsigned i = 0; i < o->ncolumn; i++) {
		t->column[i] = parquet_column(t->file, o->column[i].name,
		    format_parquet_type_of(&o->column[i]));
		t->real[i] = -1;
	}
	format_parquet_put_units(o, t->file);
}

/* Writes a number: if the column is one of whole numbers and it fits into 64 bits, as it
 * is; else as a real. */
static void
format_parquet_put_number(struct out *o, struct parquet_table *t, const char *s)
{
	char *end;
	unsigned at = o->at;

	errno = 0;
	if (format_parquet_type_of(&o->column[at]) != PARQUET_REAL) {
		long long n = strtoll(s, &end, 10);

		if (errno == 0 && *end == '\0') {
			parquet_number(t->file, t->column[at], (uint64_t)n);
			return;
		}
		if (t->real[at] < 0)
			t->real[at] = parquet_column(t->file,
			    o->column[at].name, PARQUET_REAL);
	}
	parquet_real(t->file, t->real[at] >= 0 ? t->real[at] : t->column[at],
	    strtod(s, NULL));
}

static void
parquet_cell(struct out *o, const char *s, bool word)
{
	struct parquet_table *t = o->own;

	(void)word;
	if (o->file.error != 0 || s == NULL)
		return;
	if (format_parquet_type_of(&o->column[o->at]) == PARQUET_TEXT)
		parquet_text(t->file, t->column[o->at], s);
	else if (s[0] != '\0')
		format_parquet_put_number(o, t, s);
}

static void
parquet_end_row(struct out *o)
{
	struct parquet_table *t = o->own;

	if (o->file.error == 0)
		parquet_row(t->file);
}

static void
parquet_close(struct out *o)
{
	struct parquet_table *t = o->own;
	struct diag why;

	if (o->file.error == 0)
		o->file.error = parquet_end(t->file, &why);
	if (t == NULL)
		return;
	parquet_free(t->file);
	free(t->column);
	free(t->real);
	free(t);
}

const struct out_format format_parquet = {
	.name = "parquet", .one_table = true, .dated = true,
	.open = parquet_open, .head = parquet_head, .begin = parquet_begin,
	.cell = parquet_cell, .row = parquet_end_row, .close = parquet_close,
};
