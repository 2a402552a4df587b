/*
 * postproc/out/format.h - what an output format is made of.  For format_*.c and
 * table.c alone: commands print cells, and do not know which format they are in.
 */
#ifndef POSTPROC_OUT_FORMAT_H
#define POSTPROC_OUT_FORMAT_H

#include "postproc/out/outfile.h"
#include "postproc/out/table.h"

struct out {
	struct outfile file;
	const struct out_format *format;
	const struct table_column *column;      /* of the present table */
	unsigned ncolumn;
	unsigned at;            /* the cell that is next, from the left */
	unsigned ntable;        /* tables before the present one */
	uint64_t nrow;          /* whole rows of it, so far */
	uint64_t npage;         /* pages so far */
	unsigned nhead;         /* heads */
	bool left_out;          /* its cells go nowhere */
	bool in_line;           /* a remark has begun a line */
	void *own;              /* the format's */
};

/* Members that a format has no need of are NULL; cell it must have. */
struct out_format {
	const char *name;       /* what -f calls it */
	bool pages;             /* for people: what a command lays out as a page,
	                         * and words between tables */
	bool dated;             /* takes times of day, and what a dump says */
	bool one_table;         /* has room for one: those aside are left out */
	void (*open)(struct out *, const char *command);
	/* remark - words of out_remark, a part of a line or several */
	void (*remark)(struct out *, const char *);
	/* head - a pair of what is said of an input */
	void (*head)(struct out *, const char *key, const char *value);
	void (*begin)(struct out *, const char *table);
	/* cell - column o->at; word: a text, not a number; NULL: no value */
	void (*cell)(struct out *, const char *, bool word);
	void (*row)(struct out *);      /* after its last cell */
	void (*end)(struct out *);
	void (*close)(struct out *);
};

#define OUT_FORMAT_IS(name) extern const struct out_format format_##name;
OUT_FORMATS(OUT_FORMAT_IS)

/* column_unit - "" where it has none. */
const char *column_unit(const struct table_column *);

#endif
