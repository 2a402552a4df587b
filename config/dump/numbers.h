/*
 * config/dump/numbers.h - how many different numbers a dump has: each is a constant of
 * the function that a Lua file is, and of those a function has no more than so many.
 *
 * Measured with Lua 5.1.5, 5.4 and LuaJIT 2.1: `a[1] = N`, of so many N.
 */
#ifndef CONFIG_DUMP_NUMBERS_H
#define CONFIG_DUMP_NUMBERS_H

#include <stdint.h>

/* Names and numbers together in Lua 5.1; from 5.2 on there are tens of millions. */
enum { NUMBERS_LUAJIT = 65536, NUMBERS_LUA51 = 262141 };

#define NUMBERS_BITS 20

/* Set the bit that a number's hash names, and see how many are. */
struct number_map {
	uint64_t *word;         /* [1 << (NUMBERS_BITS - 6)]; NULL: none is counted */
	uint32_t set;
};

/* numbers_take - one that is written.  numbers_seen - how many different ones
 * those were, within a hundredth; of more than two million no better than that. */
void numbers_take(struct number_map *, uint64_t value);
uint64_t numbers_seen(const struct number_map *);

#endif
