/*
 * postproc/out/convert.h - all samples of a dump, for other programs: what each
 * conversion says of itself.
 */
#ifndef POSTPROC_OUT_CONVERT_H
#define POSTPROC_OUT_CONVERT_H

#include <stdio.h>

#include "postproc/data/intervals.h"
#include "postproc/out/outfile.h"

/* What tally convert writes, a row each: conversion_NAME is in conversion_NAME.c or in
 * conversion_raw.c. */
#define CONVERSIONS(row) \
	row(wide_csv) \
	row(npy) \
	row(parquet) \
	row(parquet_long) \
	row(lua_chunks)

/* One dump on its way. */
struct source {
	struct intervals *iv;
	/* a reader of the same file, at its end: all columns; NULL where the
	 * conversion can do without */
	const struct reader *columns;
	unsigned number;        /* the option's argument */
};

struct conversion {
	const char *option;     /* "lua-chunks": --lua-chunks asks for it */
	const char *argument;   /* what its usage calls the number; NULL: none */
	unsigned most;          /* the argument is 1 to this */
	const char *help;       /* lines of --help, below each other */
	bool columns_first;     /* needs source.columns */
	bool seeks;             /* to a file alone, by -o */
	/* write - 0 or -errno with words in why */
	int (*write)(const struct source *, FILE *, struct diag *why);
	/* write_folder - the same to files below output's path, which ends in
	 * '/'; NULL: to a file alone */
	int (*write_folder)(const struct source *,
	    const struct outname *output, struct diag *why);
	/* beside - what goes to FILE.columns.csv; NULL: nothing */
	void (*beside)(const struct source *, FILE *);
};

#define CONVERSION_IS(name) extern const struct conversion conversion_##name;
CONVERSIONS(CONVERSION_IS)
#define CONVERSION_COUNTS(name) + 1
#define NCONVERSIONS (0 CONVERSIONS(CONVERSION_COUNTS))
extern const struct conversion *const conversions[NCONVERSIONS];

/* convert - the dump at path to output; select and number as in struct source.
 * 0 or -errno with words in why. */
int convert(const struct conversion *, const char *path,
    const struct select *, unsigned number, const struct outname *output,
    struct diag *why);

#endif
