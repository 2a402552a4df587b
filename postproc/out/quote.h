/*
 * postproc/out/quote.h - strings as JSON and CSV have them.
 */
#ifndef POSTPROC_OUT_QUOTE_H
#define POSTPROC_OUT_QUOTE_H

#include <stdio.h>

/* put_json - a string in quotes; bytes that are no UTF-8 as Latin-1. */
void put_json(FILE *, const char *);
/* put_csv - a field, in double quotes where it must be (RFC 4180).  Text that a
 * spreadsheet would take for a formula (=, +, -, @, and more behind it) gets a '
 * before it; a number does not. */
void put_csv(FILE *, const char *);

#endif
