/*
 * postproc/out/table.h - what the commands print: tables of typed cells, in the format
 * that the user asks for.  All formats have the same digits.
 *
 *	static const struct out_table channels = { "channels", columns, 3, false };
 *
 *	table_begin(out, &channels);
 *	for (...) {
 *		cell_u64(out, pkg);
 *		cell_u64(out, channel);
 *		cell_real(out, gb_per_s);
 *	}
 *	table_end(out);
 *
 * Formats for programs have the rows of all input files in one table.  Formats for people
 * have a page for each file, if the command has a page.  A struct view has both.
 */
#ifndef POSTPROC_OUT_TABLE_H
#define POSTPROC_OUT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "config/dump/read.h"
#include "lib/diag.h"
#include "postproc/out/outfile.h"

struct table_column {
	const char *name;       /* "bandwidth"; in JSON the key */
	const char *unit;       /* "GB/s"; NULL or "": none */
	int decimals;           /* digits that cell_real prints behind the point, and
	                         * cell_figure at least */
	int left;               /* 0: numbers, aligned to the right; 1: words, to the
	                         * left; COLUMN_STATE: words of a small set, which
	                         * may be coloured; COLUMN_TIME: us since 1970, only
	                         * in formats that are dated */
};

enum { COLUMN_STATE = 2, COLUMN_TIME = 3 };

struct out_table {
	const char *name;
	const struct table_column *column;
	unsigned ncolumn;
	bool aside;             /* left out by formats whose files hold one table */
};

struct out;

struct view {
	struct out_table table;
	/* rows - prints the cells of one file; page - prints its page for people.  Both
	 * get what view_put is given, and return 0 or -errno.  A view that only text
	 * can show has no `rows`. */
	int (*rows)(struct out *, void *what);
	int (*page)(struct out *, void *what);
	bool apart;             /* pages are separated by a blank line */
};

/* The output formats; the first one is the default.  Each is a struct format_NAME: those
 * that are text in format_text.c, Parquet in format_parquet.c, HTML in
 * postproc/html/markup.c. */
#define OUT_FORMATS(row) \
	row(text) \
	row(csv) \
	row(json) \
	row(html) \
	row(parquet)

/* " text csv json html parquet", for a usage */
#define OUT_FORMAT_NAME(name) " " #name
#define OUT_FORMAT_NAMES OUT_FORMATS(OUT_FORMAT_NAME)

struct out_format;

/* format_named - the format of that name; NULL: there is none.
 * format_default - text. */
const struct out_format *format_named(const char *word);
const struct out_format *format_default(void);

/* format_dated - can its tables have columns of COLUMN_TIME? */
bool format_dated(const struct out_format *);

/* out_open - as outfile_open.  command is the value of "command" in JSON. */
int out_open(struct out **, const struct outname *, const struct out_format *,
    const char *command, struct diag *why);
/* out_close - as outfile_close.  Accepts NULL. */
int out_close(struct out *, bool done, struct diag *why);

/* out_file - the stream that a page is printed to; only the function `page` of a view may
 * use it. */
FILE *out_file(struct out *);
/* out_remark - prints words, in formats for people only. */
void out_remark(struct out *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* out_for_people - is the format one for people? */
bool out_for_people(const struct out *);

/* out_head - gives the head of a dump to formats that keep it; call it once for each
 * input. */
void out_head(struct out *, const struct reader *);

/* view_begin, view_end - call these before the first file and after the last.
 * view_put - prints one file, or a part of it: the view's rows or its page, depending on
 * the format.  Returns what these return. */
void view_begin(struct out *, const struct view *);
int view_put(struct out *, const struct view *, void *what);
void view_end(struct out *);

/* table_begin - the struct must stay valid until table_end. */
void table_begin(struct out *, const struct out_table *);
/* Cells fill the rows from left to right.  NaN and cell_none are "n/a" in text, empty in
 * CSV and null in JSON. */
void cell_text(struct out *, const char *);
void cell_u64(struct out *, uint64_t);
void cell_i64(struct out *, int64_t);
void cell_real(struct out *, double);
/* cell_figure - a real of any size: a small one gets more decimals, so that it has four
 * significant digits. */
void cell_figure(struct out *, double);
void cell_none(struct out *);
void table_end(struct out *);

/* figure_text - a number as cell_figure prints it.  Returns buf. */
const char *figure_text(char *buf, size_t size, double v, int decimals);

/* words_put - prints text for people, behind `col` columns that are printed already, and
 * ends the line.  A word that does not fit in 100 columns begins a line, indented by as
 * many columns. */
void words_put(FILE *, unsigned col, unsigned indent, const char *text);

/* ---- for the formats ------------------------------------------------------- */

/*
 * head_pairs - calls put for each constant of the head.  Neighbouring elements of an
 * array that have the same value become one pair, as lproc_package[0-23].  One more pair,
 * "tally.units", has a line FAMILY=UNIT for each family of columns.
 */
void head_pairs(const struct reader *, void (*put)(void *, const char *key,
    const char *value), void *);

/* put_json - writes a string in quotes.  Bytes that are not UTF-8 are taken as
 * Latin-1. */
void put_json(FILE *, const char *);
/* put_csv - writes a field, in double quotes where it needs them (RFC 4180).  Text that a
 * spreadsheet would take for a formula, as it begins with =, +, - or @ and is no number,
 * gets a ' in front. */
void put_csv(FILE *, const char *);

#endif
