/*
 * postproc/html/markup.h - an HTML file: its head, style and scripts, and texts that
 * others wrote, escaped, so that nothing of them becomes markup or code.
 */
#ifndef POSTPROC_HTML_MARKUP_H
#define POSTPROC_HTML_MARKUP_H

#include <stdio.h>

/* markup_text - write a text between tags, or an attribute's value in double quotes. */
void markup_text(FILE *, const char *);
/* markup_document - write a whole HTML document of ours as the value of srcdoc="". */
void markup_document(FILE *, const char *, size_t n);
/* markup_json - write a string of JSON that may stand inside <script>: '<', '>', '&',
 * and the line ends that only JavaScript knows are escaped. */
void markup_json(FILE *, const char *);
/* markup_number - write a number of JSON, with 9 digits; null where it is not finite.
 * markup_exact - the same with 17 digits, which is exact. */
void markup_number(FILE *, double);
void markup_exact(FILE *, double);
/* markup_point - write "X,Y " of a picture, each as "%.1f" does. */
void markup_point(FILE *, double x, double y);
/* markup_floats - write n numbers, in quotes, as base64 of their IEEE 754 binary32,
 * lowest byte first; NaN stands for no value.  markup_short_floats - the same, rounded to
 * the upper three bytes of each.  markup_bytes - n bytes, as base64. */
void markup_floats(FILE *, const float *, unsigned n);
void markup_short_floats(FILE *, const float *, unsigned n);
void markup_bytes(FILE *, const unsigned char *, size_t n);

/* document_begin - write all that stands before the body's first element; the title
 * is "name: tally command", or "tally command" where name is NULL.  document_end -
 * what stands behind the last. */
void document_begin(FILE *, const char *name, const char *command);
void document_end(FILE *);

/* document_scripts - write config/page/NAME.js for each "@NAME", as one function. */
void document_scripts(FILE *, const char *const *name, size_t n);

/* document_when - write seconds since 1970 as a date, UTC; "?" where they are not
 * known. */
void document_when(FILE *, double wall);

#endif
