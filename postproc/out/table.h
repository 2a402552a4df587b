/*
 * postproc/out/table.h - what the commands print: aligned text, CSV or JSON, with
 * the same digits in each.
 *
 *	table_begin(out, "channels", columns, 3);
 *	for (...) {
 *		cell_u64(out, pkg);
 *		cell_u64(out, channel);
 *		cell_real(out, gb_per_s);
 *	}
 *	table_end(out);
 *
 * CSV is RFC 4180 with one header line, "name (unit)", so a command that can
 * print CSV prints one table.  JSON is one object:
 *	{ "command": "...", "tables": [ { "name": "...",
 *	  "columns": [ { "name": "...", "unit": "..." }, ... ],
 *	  "rows": [ { "name": value, ... }, ... ] }, ... ] }
 */
#ifndef POSTPROC_OUT_TABLE_H
#define POSTPROC_OUT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "regs/diag.h"

enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };

/* format_named - "text", "csv", "json"; -1 for another word. */
int format_named(const char *word);

struct table_column {
	const char *name;       /* "bandwidth"; in JSON the key */
	const char *unit;       /* "GB/s"; NULL or "": none */
	int decimals;           /* of cell_real; of cell_figure at least */
	bool left;              /* aligned to the left: words */
};

struct out;

/* out_open - to a file, or to stdout where path is NULL or "-".  command is
 * what JSON calls itself.  What is at path stays as it is until out_close; it
 * may be read from.  Returns 0 or -errno with words in why. */
int out_open(struct out **, const char *path, enum format,
    const char *command, struct diag *why);
/* out_close - finish; the -errno of any write that failed, words in why.  A
 * file is replaced only if that is done, and went well. */
int out_close(struct out *, bool done, struct diag *why);

enum format out_format(const struct out *);
/* out_file - to print other text to; not in JSON. */
FILE *out_file(struct out *);
/* out_colour - is it text, on a terminal, and NO_COLOR not set? */
bool out_colour(const struct out *);

/* table_begin - columns must last until table_end. */
void table_begin(struct out *, const char *name, const struct table_column *,
    unsigned ncolumn);
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

/* put_json - a string in quotes; put_csv - a field, quoted where it must be. */
void put_json(FILE *, const char *);
void put_csv(FILE *, const char *);

#endif
