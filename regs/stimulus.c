/*
 * regs/stimulus.c - the names of enum act.
 */
#include "regs/stimulus.h"

#include <string.h>

static const char *const names[ACTS] = {
	[ACT_INSTRUCTIONS] = "instructions",
	[ACT_BRANCHES] = "branches",
	[ACT_MISSES] = "misses",
	[ACT_LOADS] = "loads",
	[ACT_STORES] = "stores",
	[ACT_SCALAR_SINGLE] = "scalar_single",
	[ACT_SCALAR_DOUBLE] = "scalar_double",
	[ACT_128_SINGLE] = "128_single",
	[ACT_128_DOUBLE] = "128_double",
	[ACT_256_SINGLE] = "256_single",
	[ACT_256_DOUBLE] = "256_double",
	[ACT_512_SINGLE] = "512_single",
	[ACT_512_DOUBLE] = "512_double",
	[ACT_L1_HIT] = "l1_hit",
	[ACT_L1_MISS] = "l1_miss",
	[ACT_L2_MISS] = "l2_miss",
	[ACT_L3_MISS] = "l3_miss",
	[ACT_FAULTS] = "faults",
	[ACT_SWITCHES] = "switches",
	[ACT_BUSY] = "busy",
	[ACT_DRAM_READ] = "dram_read",
	[ACT_DRAM_WRITE] = "dram_write",
	[ACT_LINK_OUT] = "link_out",
	[ACT_LINK_IN] = "link_in",
};

const char *
act_name(enum act act)
{
	return names[act];
}

int
act_named(const char *name, size_t len)
{
	for (int i = 0; i < ACTS; i++)
		if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
			return i;
	return -1;
}
