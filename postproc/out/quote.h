/*
 * postproc/out/quote.h - strings as JSON and CSV have them.
 */
#ifndef POSTPROC_OUT_QUOTE_H
#define POSTPROC_OUT_QUOTE_H

#include <stdio.h>

/* put_json - writes a string in quotes.  Bytes that are not UTF-8 are taken as
 * Latin-1. */
void put_json(FILE *, const char *);
/* put_csv - writes a field, in double quotes where it needs them (RFC 4180).  Text that a
 * spreadsheet would take for a formula, as it begins with =, +, - or @ and is no number,
 * gets a ' in front. */
void put_csv(FILE *, const char *);

#endif
