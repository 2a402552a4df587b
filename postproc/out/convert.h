/*
 * postproc/out/convert.h - tally convert: all samples of a dump, in a format of other
 * programs.
 */
#ifndef POSTPROC_OUT_CONVERT_H
#define POSTPROC_OUT_CONVERT_H

#include <stdio.h>

#include "postproc/data/intervals.h"
#include "postproc/out/outfile.h"

/* The conversions: each is a struct conversion_NAME, in a file conversion_*.c. */
#define CONVERSIONS(row) \
	row(wide_csv) \
	row(npy) \
	row(parquet) \
	row(parquet_long) \
	row(lua_chunks)

/* The dump that is converted. */
struct source {
	struct intervals *iv;
	const struct reader *columns;   /* has read the same file to its end, so it has
	                                 * all columns; NULL without columns_first */
	unsigned number;        /* the option's argument */
};

struct conversion {
	const char *option;     /* "lua-chunks" for --lua-chunks */
	const char *argument;   /* name of the option's number in the usage; NULL: it
	                         * takes none */
	unsigned most;          /* the number may be 1 to this */
	const char *help;       /* text of --help, lines separated by '\n' */
	bool columns_first;     /* has to know all columns before the first sample */
	bool seeks;             /* cannot write to standard output: -o is needed */
	/* write - writes one file.  0 or -errno with words in why. */
	int (*write)(const struct source *, FILE *, struct diag *why);
	/* write_folder - writes files into the folder output->path, which ends in '/';
	 * NULL: it has only `write`. */
	int (*write_folder)(const struct source *,
	    const struct outname *output, struct diag *why);
	/* beside - writes the list of columns, FILE.columns.csv; NULL: there is none. */
	void (*beside)(const struct source *, FILE *);
};

#define CONVERSION_IS(name) extern const struct conversion conversion_##name;
CONVERSIONS(CONVERSION_IS)

#endif
