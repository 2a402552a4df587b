/*
 * postproc/out/formats.h - the output formats of tally: a row each, and a file,
 * format_NAME.c (html's is in postproc/html).  The first is the default.
 */
#ifndef POSTPROC_OUT_FORMATS_H
#define POSTPROC_OUT_FORMATS_H

#define OUT_FORMATS(row) \
	row(text) \
	row(csv) \
	row(json) \
	row(html) \
	row(parquet)

/* " text csv json html": for the words of a usage. */
#define OUT_FORMAT_NAME(name) " " #name
#define OUT_FORMAT_NAMES OUT_FORMATS(OUT_FORMAT_NAME)

#endif
