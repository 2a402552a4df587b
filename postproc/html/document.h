/*
 * postproc/html/document.h - what all HTML files of tally have in common: a head
 * that lets nothing be asked of anybody, the style, the scripts.
 */
#ifndef POSTPROC_HTML_DOCUMENT_H
#define POSTPROC_HTML_DOCUMENT_H

#include <stdio.h>

/* document_begin - up to the body's first element; the title is "name: tally
 * command", without a name (NULL) "tally command".  document_end - after its last. */
void document_begin(FILE *, const char *name, const char *command);
void document_end(FILE *);

/* document_scripts - config/page/NAME.js for each "@NAME", as one function. */
void document_scripts(FILE *, const char *const *name, size_t n);

/* document_when - seconds since 1970 as a date, UTC; "?": unknown. */
void document_when(FILE *, double wall);

#endif
