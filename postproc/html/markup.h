/*
 * postproc/html/markup.h - what others wrote, as text of an HTML file: nothing of
 * it becomes markup or code.
 */
#ifndef POSTPROC_HTML_MARKUP_H
#define POSTPROC_HTML_MARKUP_H

#include <stdio.h>

/* markup_text - between tags, or as an attribute's value in double quotes. */
void markup_text(FILE *, const char *);
/* markup_document - a whole document of ours, as the value of srcdoc="". */
void markup_document(FILE *, const char *, size_t n);
/* markup_json - a string of JSON inside <script>: without '<', '>', '&' and the
 * line ends that JavaScript alone has. */
void markup_json(FILE *, const char *);
/* markup_number - of JSON; null where it is not finite.  markup_exact - to the
 * last bit. */
void markup_number(FILE *, double);
void markup_exact(FILE *, double);
/* markup_floats - n numbers as base64 of their IEEE 754 binary32, the lowest byte
 * first, in quotes; NaN: no value.  markup_bytes - n bytes, the same. */
void markup_floats(FILE *, const float *, unsigned n);
void markup_bytes(FILE *, const unsigned char *, size_t n);

#endif
