/*
 * lib/printable.h - text that others wrote, made fit to be shown: in a message,
 * a report, a dump.
 */
#ifndef LIB_PRINTABLE_H
#define LIB_PRINTABLE_H

#include <stdint.h>

/* utf8_length - how many bytes at s are one character of UTF-8, as RFC 3629 has
 * it (not overlong, no surrogate, not past U+10FFFF), and which; 0: none, or
 * the end of s.  code may be NULL. */
unsigned utf8_length(const char *s, uint32_t *code);

/* printable_length - the same of a character that may be shown: none that
 * controls a terminal (C0, DEL, C1), turns the direction of what follows, ends a
 * line, or cannot be seen. */
unsigned printable_length(const char *s);

/*
 * printable - text as one line that may be shown, where it stands: tab, newline
 * and return become a blank, each other byte that is not of such a character
 * '?'.  Returns s.
 */
char *printable(char *s);

/* plural - what an English word for n things ends in: "s", or "" for one. */
const char *plural(uint64_t n);

#endif
