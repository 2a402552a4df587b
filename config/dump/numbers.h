/*
 * config/dump/numbers.h - estimates how many different numbers a dump has.  Lua compiles
 * a file to one function, keeps each number as a constant of it, and limits those.
 *
 * Limits measured with files of `a[1] = N` lines: Lua 5.1.5, 5.4 and LuaJIT 2.1.
 */
#ifndef CONFIG_DUMP_NUMBERS_H
#define CONFIG_DUMP_NUMBERS_H

#include <stdint.h>

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

#endif
