/*
 * regs/models/zen_l3.c - fields and events of the L3 caches of AMD's Zen, as in the
 * reference "amd-zen" 4 and 9.6.
 *
 * A control selects slices of the cache, cores and threads; without a word about
 * them it counts all.
 */
#include "regs/models/zen_l3.h"

#include <stddef.h>

const struct field zen2_l3_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "slicemask", 48, 51 },
	{ "threadmask", 56, 63 }, { NULL, 0, 0 }
};
/* coreid has no room for the sixteen cores of a complex of Zen 5c. */
const struct field zen3_l3_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "coreid", 42, 44 },
	{ "enallslices", 46, 46 }, { "enallcores", 47, 47 },
	{ "sliceid", 48, 50 }, { "threadmask", 56, 57 }, { NULL, 0, 0 }
};

/* No slice, or no thread, is all of them. */
const struct ctl_fill zen2_l3_fill[] = {
	{ 0, 0x000f000000000000, 0x000f000000000000 },
	{ 0, 0xff00000000000000, 0xff00000000000000 }, { 0, 0, 0 }
};
/* From Zen 3 on no thread is all slices and cores, too, as the kernel has it.  What
 * is sampled is of slice 3 then. */
const struct ctl_fill zen3_l3_fill[] = {
	{ 0xac, 0x0300000000000000, 0x0303c00000000000 },
	{ 0xad, 0x0300000000000000, 0x0303c00000000000 },
	{ 0, 0x0300000000000000, 0x0300c00000000000 }, { 0, 0, 0 }
};

#define LOOKUPS \
	{ "l3_lookups", 0x04, NULL, 0xff }, { "l3_misses", 0x04, NULL, 0x01 }, \
	{ "l3_hits", 0x04, NULL, 0xfe }
#define END { NULL, 0, NULL, 0 }
#define NONE(name, gen) { name, 0, gen " no such event", 0 }

/* Latency in units of 16 cycles, and the requests that it is of.  LIKWID has mask
 * 0x1f of them on Zen 2.  They are of the whole L3, whatever is selected. */
#define FILLS(umask) \
	{ "l3_fill_latency16", 0x90, NULL, 0x00 }, \
	{ "l3_fill_requests", 0x9a, NULL, umask }

/* What a latency was sampled of; it is in units of 10, of what no two sources say
 * the same. */
#define SOURCES(row) \
	row("dram_near", 0x01) row("dram_far", 0x02) row("near_cache", 0x04) \
	row("far_cache", 0x08) row("cxl_near", 0x10) row("cxl_far", 0x20) \
	row("all", 0x3f)
#define SAMPLED(source, umask) \
	{ "l3_lat10_" source, 0xac, NULL, umask }, \
	{ "l3_latreq_" source, 0xad, NULL, umask },
#define NO_SAMPLED(gen) \
	NONE("l3_lat10_all", gen), NONE("l3_latreq_all", gen)
#define NO_FILLS(gen) \
	NONE("l3_fill_latency16", gen), NONE("l3_fill_requests", gen)

const struct event_name zen1_l3_events[] = {
	LOOKUPS, FILLS(0x3f), NO_SAMPLED("Zen 1 has"), END
};
const struct event_name zen2_l3_events[] = {
	LOOKUPS, FILLS(0x3f), NO_SAMPLED("Zen 2 has"), END
};
const struct event_name zen3_l3_events[] = {
	LOOKUPS, FILLS(0xff), NO_SAMPLED("Zen 3 has"), END
};
const struct event_name zen4_l3_events[] = {
	LOOKUPS, SOURCES(SAMPLED) NO_FILLS("Zen 4 and Zen 5 have"), END
};
