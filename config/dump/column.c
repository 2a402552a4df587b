/*
 * config/dump/column.c - numbers that a dump shows beside the raw ones.
 */
#include "config/dump/column.h"

uint64_t
column_raw(const struct column *c, const uint64_t *row)
{
	uint64_t raw = row[c->cell];

	if (c->print == PRINT_SCALED)
		return column_scaled(c, row);
	return c->print == PRINT_CORE_TEMP && !(raw >> 31 & 1) ? ABSENT : raw;
}

uint64_t
column_scaled(const struct column *c, const uint64_t *row)
{
	const uint64_t *times = &row[c->cell - (uint32_t)c->base];
	uint64_t raw = row[c->cell], enabled = times[0], running = times[1];
	__extension__ unsigned __int128 wide;

	if (raw == ABSENT || enabled == ABSENT || running == ABSENT ||
	    running == 0 || running >= enabled)
		return ABSENT;
	wide = raw;
	wide = wide * enabled / running;
	return wide < ABSENT ? (uint64_t)wide : ABSENT;
}
