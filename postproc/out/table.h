/*
 * postproc/out/table.h - what the commands print: tables of typed cells, in
 * whichever format was asked for, with the same digits in each.
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
 * Formats for programs have the rows of all input files in one table.  Formats
 * for people have a page of each file, where a command has one.  A struct view
 * is both.
 */
#ifndef POSTPROC_OUT_TABLE_H
#define POSTPROC_OUT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "regs/diag.h"
#include "postproc/out/outfile.h"

struct table_column {
	const char *name;       /* "bandwidth"; in JSON the key */
	const char *unit;       /* "GB/s"; NULL or "": none */
	int decimals;           /* of cell_real; of cell_figure at least */
	int left;               /* aligned to the left: words; COLUMN_STATE: each
	                         * one of a few, which may be coloured;
	                         * COLUMN_TIME: us since 1970, of a format that is
	                         * dated */
};

enum { COLUMN_STATE = 2, COLUMN_TIME = 3 };

struct out_table {
	const char *name;
	const struct table_column *column;
	unsigned ncolumn;
	bool aside;             /* left out where there is room for one table */
};

struct out;

struct view {
	struct out_table table;
	/* rows - all cells of it, of one file; page - the same for people.
	 * Either returns 0 or -errno, and is given what out_put is.  Without
	 * rows it is for text alone. */
	int (*rows)(struct out *, void *what);
	int (*page)(struct out *, void *what);
	bool apart;             /* a blank line between pages */
};

/* The output formats, a row each; each is a file, format_NAME.c (HTML in postproc/html).
 * The first is the default. */
#define OUT_FORMATS(row) \
	row(text) \
	row(csv) \
	row(json) \
	row(html) \
	row(parquet)

/* " text csv json html": for the words of a usage. */
#define OUT_FORMAT_NAME(name) " " #name
#define OUT_FORMAT_NAMES OUT_FORMATS(OUT_FORMAT_NAME)

struct out_format;

/* format_named - "text", "csv" ...; NULL: no such format.  format_default -
 * text. */
const struct out_format *format_named(const char *word);
const struct out_format *format_default(void);

/* format_dated - may its tables have columns of COLUMN_TIME? */
bool format_dated(const struct out_format *);

/* out_open - as outfile_open.  command is what JSON calls itself. */
int out_open(struct out **, const struct outname *, const struct out_format *,
    const char *command, struct diag *why);
/* out_close - finish; the -errno of any write that failed, words in why.  A
 * file is replaced only if that is done, and went well.  Accepts NULL. */
int out_close(struct out *, bool done, struct diag *why);

/* out_file - where pages go: only for a view's page. */
FILE *out_file(struct out *);
/* out_remark - words for people; in other formats nothing. */
void out_remark(struct out *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* out_for_people - is it text, to be read, not to be taken apart? */
bool out_for_people(const struct out *);

/* out_head - what an input says of itself, once; for formats that are dated. */
struct reader;
void out_head(struct out *, const struct reader *);

/* view_begin, view_end - before the first file and after the last.  view_put -
 * what there is of one, or a part of it: the view's rows or page, and what that
 * returns. */
void view_begin(struct out *, const struct view *);
int view_put(struct out *, const struct view *, void *what);
void view_end(struct out *);

/* table_begin - columns must last until table_end. */
void table_begin(struct out *, const struct out_table *);
/* Cells fill rows from left to right.  A NaN, or no value, is "n/a" in text,
 * empty in CSV and null in JSON. */
void cell_text(struct out *, const char *);
void cell_u64(struct out *, uint64_t);
void cell_i64(struct out *, int64_t);
void cell_real(struct out *, double);
/* cell_figure - a real of any size: where it is small, more decimals, so that
 * four digits of it are there. */
void cell_figure(struct out *, double);
void cell_none(struct out *);
void table_end(struct out *);

/* figure_text - as cell_figure has it.  Returns buf. */
const char *figure_text(char *buf, size_t size, double v, int decimals);

#endif
