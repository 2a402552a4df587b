/*
 * config/dump/numbers.c - estimates how many different numbers a dump has: each number
 * sets the bit that its hash selects; linear counting (Whang, Vander-Zanden, Taylor 1990).
 */
#include "config/dump/numbers.h"

#include <math.h>

void
numbers_take(struct number_map *n, uint64_t value)
{
	/* equally spaced numbers have to spread over the map, too */
	uint64_t mixed = (value ^ value >> 32) * 0x9e3779b97f4a7c15;
	uint32_t at = (uint32_t)((mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9 >>
	    (64 - NUMBERS_BITS));
	uint64_t bit = 1ull << (at & 63), *word = &n->word[at >> 6];

	n->set += (*word & bit) == 0;
	*word |= bit;
}

uint64_t
numbers_seen(const struct number_map *n)
{
	double all = 1u << NUMBERS_BITS, unset = all - n->set;

	return (uint64_t)(all * log(all / (unset < 1 ? 1 : unset)) + 0.5);
}
