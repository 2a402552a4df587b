/*
 * lib/printable.h - text for people: text of others made safe to show in a message, a
 * report or a dump; times and endings of nouns.
 */
#ifndef LIB_PRINTABLE_H
#define LIB_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* utf8_length - the length in bytes of the UTF-8 character at s, as RFC 3629 defines
 * it (not overlong, no surrogate, up to U+10FFFF).  Returns 0 at the end of s and for
 * bytes that are no such character.  code: out, the character; may be NULL. */
unsigned utf8_length(const char *s, uint32_t *code);

/* printable_length - the same, but also 0 for a character that is not safe to show: one
 * that controls a terminal (C0, DEL, C1), changes the direction of the text after it,
 * ends a line, or is invisible. */
unsigned printable_length(const char *s);

/*
 * printable - turn s, in place, into one line that is safe to show: tab, newline and
 * return become a blank, every other byte that is part of no printable character
 * becomes '?'.  Returns s.
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
/* lua_plain - how many characters from s on stay as they are. */
size_t lua_plain(const char *s, char quote);
/* lua_unquote - undo the escapes of the n bytes between quotes, in place, and
 * add a NUL (s must have room for n + 1 bytes).  Returns the new length. */
size_t lua_unquote(char *s, size_t n);

/* hex_digit - the value of a hexadecimal digit; -1: c is none. */
int hex_digit(char c);

/* has_word - is the word one of a list whose words have `between` between them? */
bool has_word(const char *list, char between, const char *word);

/* utc_text - write a time, in s since 1970, as strftime(3) has `format`, in UTC; `none`
 * where it is not known (not above 0, or NaN).  Returns buf. */
const char *utc_text(char *buf, size_t size, double wall, const char *format,
    const char *none);

/* plural - the ending of an English noun after the number n: "" for 1, else "s". */
const char *plural(uint64_t n);

#endif
