/*
 * lib/printable.h - text that others wrote, made fit to be shown: in a message,
 * a report, a dump.
 */
#ifndef LIB_PRINTABLE_H
#define LIB_PRINTABLE_H

#include <stddef.h>
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

/*
 * lua_quote - quote a string so that Lua 5.1 to 5.4, LuaJIT and Python 3 read
 * it alike.
 *
 * Quotes and backslashes are escaped; tab, newline and return become \t \n \r.
 * Other control characters (the languages escape them differently), invalid
 * UTF-8 (Python refuses it) and all other unprintable characters become '?'.
 * to: room for LUA_QUOTED(length of s) bytes.  Returns how many bytes were
 * written; no NUL is added.
 */
#define LUA_QUOTED(len) (2 * (len) + 2)
size_t lua_quote(char *to, const char *s, char quote);
/* lua_quote_one - the same for one character; moves *s past it. */
#define LUA_QUOTED_ONE 4
unsigned lua_quote_one(char to[LUA_QUOTED_ONE], const char **s, char quote);
/* lua_unquote - undo the escapes of the n bytes between quotes, in place, and
 * add a NUL (s must have room for n + 1 bytes).  Returns the new length. */
size_t lua_unquote(char *s, size_t n);

/* plural - what an English word for n things ends in: "s", or "" for one. */
const char *plural(uint64_t n);

#endif
