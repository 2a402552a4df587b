/*
 * config/dump/dump.h - write the rows of a store as text, the file that users
 * keep.
 *
 * A dump consists of assignments, one a line, valid in Lua and in Python.
 * README.md and tallyd-dump(5) specify it; config/dump/read.h reads it.
 */
#ifndef CONFIG_DUMP_DUMP_H
#define CONFIG_DUMP_DUMP_H

#include "config/dump/store.h"

/*
 * An estimate of how many different numbers a dump has.  Lua compiles a file to
 * one function, keeps each number as a constant of it, and limits those.  Limits
 * measured with files of `a[1] = N` lines: Lua 5.1.5, 5.4 and LuaJIT 2.1.
 */

/* Constants a function may have; 5.1 counts names, too; 5.2 allows tens of millions. */
enum { NUMBERS_LUAJIT = 65536, NUMBERS_LUA51 = 262141 };

#define NUMBERS_BITS 20

/* One bit for each value of the hash; `set` counts the bits that are 1. */
struct number_map {
	uint64_t *word;         /* [1 << (NUMBERS_BITS - 6)]; NULL: not counting */
	uint32_t set;
};

/* numbers_take - count one number.  numbers_seen - estimate how many different
 * numbers were taken: within 1 %; beyond two million the error grows. */
void numbers_take(struct number_map *, uint64_t value);
uint64_t numbers_seen(const struct number_map *);

/* dump_write - write preamble, declarations and all rows counted so far to fd.
 * numbers: out, how many different numbers its rows have (numbers_seen); or
 * NULL.  Returns 0 or -errno for store_error. */
int dump_write(const struct store *, int fd, uint64_t *numbers);

/* dump_head - the text between preamble and declarations of a dump of the first
 * `rows` rows.  The caller frees it.  NULL: out of memory. */
char *dump_head(const struct store *, uint64_t rows);

#endif
