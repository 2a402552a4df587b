/*
 * regs/models/zen_boxes.c - fields and events of the boxes of AMD's Zen outside the
 * cores.  Names and numbers as in the reference "amd-zen" 4, 5, 6 and 9.6, which says
 * who else has them.
 */
#include "regs/models/zen_boxes.h"

#include <stddef.h>

/*
 * The L3 caches.  A control selects slices of the cache, cores and threads; without a
 * word about them it counts all.
 */
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

/* A control without any slice (or thread) selected gets all of them. */
const struct ctl_fill zen2_l3_fill[] = {
	{ 0, 0x000f000000000000, 0x000f000000000000 },
	{ 0, 0xff00000000000000, 0xff00000000000000 }, { 0, 0, 0 }
};
/* From Zen 3 on a control without any thread gets all threads, slices and cores, as in
 * the kernel; sampled latency (0xac, 0xad) gets slice 3 only. */
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

/* Latency in units of 16 cycles, and the number of requests behind it, for which LIKWID
 * has mask 0x1f on Zen 2.  Both count for the whole L3, whatever is selected. */
#define FILLS(umask) \
	{ "l3_fill_latency16", 0x90, NULL, 0x00 }, \
	{ "l3_fill_requests", 0x9a, NULL, umask }

/* The kinds of requests whose latency is sampled.  It counts in units of 10; sources
 * disagree on 10 of what. */
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

/*
 * The data fabric.  An event is of an instance: instance << 6 | code.  An instance with
 * nothing behind it (a channel without memory) counts 0.  Left out are events that
 * LIKWID alone names, but for ports of CXL memory on Zen 5.
 */
const struct field zen_df_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "event", 32, 35 },
	{ "event", 59, 60 }, { NULL, 0, 0 }
};
const struct field zen_df_v2_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "umask", 24, 27 },
	{ "event", 32, 37 }, { NULL, 0, 0 }
};

#define AT(name, code, n, umask) { name, (code) + ((n) << 6), NULL, umask },

#define FIRST_4(row) row(0) row(1) row(2) row(3)
#define FIRST_6(row) FIRST_4(row) row(4) row(5)
#define FIRST_8(row) FIRST_6(row) row(6) row(7)
#define FIRST_12(row) FIRST_8(row) row(8) row(9) row(10) row(11)

/* Zen 1 to Zen 3: a count is 64 bytes read or written on a channel, or 32 bytes on a
 * link. */
#define CHANNEL(n) AT("dram_ch_" #n, 0x07, n, 0x38)
#define LINK_2(n) AT("xgmi_out_" #n, 0x7c7, n, 0x02)
const struct event_name zen2_df_events[] = {
	FIRST_8(CHANNEL)
	FIRST_4(LINK_2)
	END
};

/* From Zen 4 on a count is 64 bytes, and 32 where cores read.  The unit mask selects
 * the direction, and requests of this socket or of the other. */
#define READ_LOCAL 0x7fe
#define WRITE_LOCAL 0x7ff
#define READ_REMOTE 0xbfe
#define WRITE_REMOTE 0xbff
#define READ 0xffe
#define WRITE 0xfff
#define LINK_OUT 0xf3e
#define LINK_IN 0xf3f

/* The two ports of a core complex's interface, 0x41e and 0x41f. */
#define CCM(n) \
	AT("ccm_in_local_" #n "_0", 0x41e, n, READ_LOCAL) \
	AT("ccm_out_local_" #n "_0", 0x41e, n, WRITE_LOCAL) \
	AT("ccm_in_remote_" #n "_0", 0x41e, n, READ_REMOTE) \
	AT("ccm_out_remote_" #n "_0", 0x41e, n, WRITE_REMOTE) \
	AT("ccm_in_local_" #n "_1", 0x41f, n, READ_LOCAL) \
	AT("ccm_out_local_" #n "_1", 0x41f, n, WRITE_LOCAL) \
	AT("ccm_in_remote_" #n "_1", 0x41f, n, READ_REMOTE) \
	AT("ccm_out_remote_" #n "_1", 0x41f, n, WRITE_REMOTE)
#define IO(n) \
	AT("io_rd_local_" #n, 0x81f, n, READ_LOCAL) \
	AT("io_wr_local_" #n, 0x81f, n, WRITE_LOCAL) \
	AT("io_rd_remote_" #n, 0x81f, n, READ_REMOTE) \
	AT("io_wr_remote_" #n, 0x81f, n, WRITE_REMOTE)

#define CHANNEL_4(n) \
	AT("dram_rd_local_" #n, 0x1f, n, READ_LOCAL) \
	AT("dram_wr_local_" #n, 0x1f, n, WRITE_LOCAL) \
	AT("dram_rd_remote_" #n, 0x1f, n, READ_REMOTE) \
	AT("dram_wr_remote_" #n, 0x1f, n, WRITE_REMOTE)
#define LINK_4(n) AT("xgmi_out_" #n, 0xb5f, n, LINK_OUT)
const struct event_name zen4_df_events[] = {
	FIRST_12(CHANNEL_4)
	FIRST_4(IO)
	FIRST_8(LINK_4)
	FIRST_8(CCM)
	END
};

/* Zen 5 has masks for both sockets together; reads of DRAM by this socket alone are
 * only in LIKWID's list. */
#define CHANNEL_5(n) \
	AT("dram_rd_" #n, 0x1f, n, READ) \
	AT("dram_wr_" #n, 0x1f, n, WRITE) \
	AT("dram_wr_local_" #n, 0x1f, n, WRITE_LOCAL) \
	AT("dram_wr_remote_" #n, 0x1f, n, WRITE_REMOTE)
#define CXL(n) \
	AT("cxl_rd_" #n, 0x31f, n, READ) \
	AT("cxl_wr_" #n, 0x31f, n, WRITE)
#define IO_5(n) \
	AT("io_rd_" #n, 0x81f, n, READ) \
	AT("io_wr_" #n, 0x81f, n, WRITE) \
	IO(n)
#define CCM_5(n) \
	AT("ccm_in_" #n "_0", 0x41e, n, READ) \
	AT("ccm_out_" #n "_0", 0x41e, n, WRITE) \
	AT("ccm_in_" #n "_1", 0x41f, n, READ) \
	AT("ccm_out_" #n "_1", 0x41f, n, WRITE) \
	CCM(n)
#define LINK_5(n) \
	AT("xgmi_out_" #n, 0xd5f, n, LINK_OUT) \
	AT("xgmi_in_" #n, 0xd5f, n, LINK_IN)
const struct event_name zen5_df_events[] = {
	FIRST_12(CHANNEL_5)
	FIRST_4(CXL)
	FIRST_8(IO_5)
	FIRST_6(LINK_5)
	FIRST_8(CCM_5)
	END
};

/*
 * The memory controllers.  Sources: Linux, LIKWID and FreeBSD's hwpmc, which agree but
 * for the clocks of the data bus: 0x14 of Linux, 0x12 of LIKWID.
 */
/* rdwrmask: 1 reads only, 2 writes only, 0 both. */
const struct field zen_umc_fields[] = {
	{ "event", 0, 7 }, { "rdwrmask", 8, 9 }, { NULL, 0, 0 }
};

/* The data bus transfers twice a memory clock, and its own clock is twice as fast. */
#define CAS(name) { 0x0a, CLASS_CAS, name }
#define COMMAND(event, name) { event, CLASS_MEMCMD, name }
const struct event_class zen_umc_classes[] = {
	{ 0x00, CLASS_MEMCLK, "umc_clk" },
	CAS("umc_cas_all"), CAS("umc_cas_rd"), CAS("umc_cas_wr"),
	COMMAND(0x05, "umc_act_all"), COMMAND(0x05, "umc_act_rd"),
	COMMAND(0x05, "umc_act_wr"), COMMAND(0x06, "umc_pchg_all"),
	COMMAND(0x06, "umc_pchg_rd"), COMMAND(0x06, "umc_pchg_wr"),
	{ 0, 0, NULL }
};

#define EVENT(name, event, rdwrmask) { name, event, NULL, rdwrmask }
#define EVENTS(name, event) \
	EVENT(name "_all", event, 0), EVENT(name "_rd", event, 1), \
	EVENT(name "_wr", event, 2)
const struct event_name zen_umc_events[] = {
	EVENT("umc_clk", 0x00, 0),
	EVENTS("umc_act", 0x05),
	EVENTS("umc_pchg", 0x06),
	EVENTS("umc_cas", 0x0a),
	EVENTS("umc_slot_clks", 0x14),
	{ NULL, 0, NULL, 0 }
};
