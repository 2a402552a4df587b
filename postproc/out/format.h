/*
 * postproc/out/format.h - what an output format consists of.  Only format_*.c and table.c
 * include it: commands print cells (table.h) without knowing the format.
 */
#ifndef POSTPROC_OUT_FORMAT_H
#define POSTPROC_OUT_FORMAT_H

#include "postproc/out/outfile.h"
#include "postproc/out/table.h"

struct out {
	struct outfile file;
	const struct out_format *format;
	const struct table_column *column;      /* [ncolumn] of the current table */
	unsigned ncolumn;
	unsigned at;            /* column of the next cell */
	unsigned ntable;        /* tables that have ended */
	uint64_t nrow;          /* complete rows of the current table */
	uint64_t npage;         /* pages so far */
	unsigned nhead;         /* calls of out_head so far */
	bool left_out;          /* the current table is not printed */
	bool in_line;           /* the last remark did not end its line */
	void *own;              /* the format's own data */
};

/* Every format has `cell`; the other functions may be NULL. */
struct out_format {
	const char *name;       /* as -f has it */
	bool pages;             /* for people: commands print pages and remarks instead
	                         * of bare tables */
	bool dated;             /* takes columns of COLUMN_TIME, and dumps' heads */
	bool one_table;         /* a file holds one table: those with `aside` are left
	                         * out */
	void (*open)(struct out *, const char *command);
	/* remark - prints words of out_remark, which need not be a whole line */
	void (*remark)(struct out *, const char *);
	/* head - takes one pair of the head of a dump */
	void (*head)(struct out *, const char *key, const char *value);
	void (*begin)(struct out *, const char *table);
	/* cell - prints the cell of column o->at; word: it is text, not a number; NULL:
	 * there is no value */
	void (*cell)(struct out *, const char *, bool word);
	void (*row)(struct out *);      /* ends a row, after its last cell */
	void (*end)(struct out *);      /* ends a table */
	void (*close)(struct out *);
};

#define OUT_FORMAT_IS(name) extern const struct out_format format_##name;
OUT_FORMATS(OUT_FORMAT_IS)

/* column_unit - the unit of a column; "": it has none. */
const char *column_unit(const struct table_column *);

#endif
