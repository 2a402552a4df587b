/*
 * regs/models/model_zen.c - AMD Zen 1 to Zen 5: the cores and energy, the L3 caches,
 * the data fabric and the memory controllers.  Events of the cores are in zen_events.h.
 *
 * Sources, as gathered in the project's reference "amd-zen", and of Zen 1 in
 * "more-cpus" 4.1: Linux (perf's amd core and rapl code, its lists of events),
 * LIKWID, AMD's energy driver, registers read off real nodes; two or more agree on
 * each number unless a comment says otherwise.
 */
#include "regs/models/model_list.h"

#include "regs/models/zen_events.h"

#include <stddef.h>

/*
 * The boxes outside the cores: the L3 of each core complex, the data fabric of each
 * package (on Zen 1 of each die), the memory controllers of Zen 4 and Zen 5.  Names and
 * numbers as in the reference "amd-zen" 4, 5, 6 and 9.6: Linux (perf's amd uncore code and
 * lists of events) and LIKWID.  For the L3 they agree on addresses and fields, and on the
 * events but where a comment says otherwise.  Before PerfMonV2 (Zen 4) a control of the
 * data fabric has fewer bits for the unit mask, and other places for the high bits of
 * the event.
 */

/*
 * The L3 caches.  A control selects slices of the cache, cores and threads; without a
 * word about them it counts all.
 */
static const struct field zen2_l3_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "slicemask", 48, 51 },
	{ "threadmask", 56, 63 }, { NULL, 0, 0 }
};
/* coreid has no room for the sixteen cores of a complex of Zen 5c. */
static const struct field zen3_l3_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "coreid", 42, 44 },
	{ "enallslices", 46, 46 }, { "enallcores", 47, 47 },
	{ "sliceid", 48, 50 }, { "threadmask", 56, 57 }, { NULL, 0, 0 }
};

/* A control without any slice (or thread) selected gets all of them. */
static const struct ctl_fill zen2_l3_fill[] = {
	{ 0, 0x000f000000000000, 0x000f000000000000 },
	{ 0, 0xff00000000000000, 0xff00000000000000 }, { 0, 0, 0 }
};
/* From Zen 3 on a control without any thread gets all threads, slices and cores, as in
 * the kernel; sampled latency (0xac, 0xad) gets slice 3 only. */
static const struct ctl_fill zen3_l3_fill[] = {
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

static const struct event_name zen1_l3_events[] = {
	LOOKUPS, FILLS(0x3f), NO_SAMPLED("Zen 1 has"), END
};
static const struct event_name zen2_l3_events[] = {
	LOOKUPS, FILLS(0x3f), NO_SAMPLED("Zen 2 has"), END
};
static const struct event_name zen3_l3_events[] = {
	LOOKUPS, FILLS(0xff), NO_SAMPLED("Zen 3 has"), END
};
static const struct event_name zen4_l3_events[] = {
	LOOKUPS, SOURCES(SAMPLED) NO_FILLS("Zen 4 and Zen 5 have"), END
};

/*
 * The data fabric.  An event is of an instance: instance << 6 | code.  An instance with
 * nothing behind it (a channel without memory) counts 0.  Left out are events that
 * LIKWID alone names, but for ports of CXL memory on Zen 5.
 */
static const struct field zen_df_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "event", 32, 35 },
	{ "event", 59, 60 }, { NULL, 0, 0 }
};
static const struct field zen_df_v2_fields[] = {
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
static const struct event_name zen2_df_events[] = {
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
static const struct event_name zen4_df_events[] = {
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
static const struct event_name zen5_df_events[] = {
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
static const struct field zen_umc_fields[] = {
	{ "event", 0, 7 }, { "rdwrmask", 8, 9 }, { NULL, 0, 0 }
};

/* The data bus transfers twice a memory clock, and its own clock is twice as fast. */
#define CAS(name) { 0x0a, CLASS_CAS, name }
#define COMMAND(event, name) { event, CLASS_MEMCMD, name }
static const struct event_class zen_umc_classes[] = {
	{ 0x00, CLASS_MEMCLK, "umc_clk" },
	CAS("umc_cas_all"), CAS("umc_cas_rd"), CAS("umc_cas_wr"),
	COMMAND(0x05, "umc_act_all"), COMMAND(0x05, "umc_act_rd"),
	COMMAND(0x05, "umc_act_wr"), COMMAND(0x06, "umc_pchg_all"),
	COMMAND(0x06, "umc_pchg_rd"), COMMAND(0x06, "umc_pchg_wr"),
	{ 0, 0, NULL }
};

#define UMC_EVENT(name, event, rdwrmask) { name, event, NULL, rdwrmask }
#define UMC_EVENTS(name, event) \
	UMC_EVENT(name "_all", event, 0), UMC_EVENT(name "_rd", event, 1), \
	UMC_EVENT(name "_wr", event, 2)
static const struct event_name zen_umc_events[] = {
	UMC_EVENT("umc_clk", 0x00, 0),
	UMC_EVENTS("umc_act", 0x05),
	UMC_EVENTS("umc_pchg", 0x06),
	UMC_EVENTS("umc_cas", 0x0a),
	UMC_EVENTS("umc_slot_clks", 0x14),
	{ NULL, 0, NULL, 0 }
};

#define ZEN_L3(fields, fills, events) { \
	.name = "L3", .family = "l3_counts", .space = REG_MSR, \
	.scope = SCOPE_CCX, .presence = PRESENT_CPUID, \
	.announced = ANNOUNCED_L3, .instances = 32, .counters = 6, .bits = 48, \
	.ctl = 0xc0010230, .ctl_step = 2, .ctr = 0xc0010231, .ctr_step = 2, \
	.enable = EN, .field = fields, .fill = fills, .kernel.pmu = "amd_l3", \
	.event = events }
#define ZEN1_L3 ZEN_L3(zen2_l3_fields, zen2_l3_fill, zen1_l3_events)
#define ZEN2_L3 ZEN_L3(zen2_l3_fields, zen2_l3_fill, zen2_l3_events)
#define ZEN3_L3 ZEN_L3(zen3_l3_fields, zen3_l3_fill, zen3_l3_events)
#define ZEN4_L3 ZEN_L3(zen3_l3_fields, zen3_l3_fill, zen4_l3_events)

#define ZEN_DF(of, n, fields, events) { \
	.name = "DF", .family = "df_counts", .space = REG_MSR, of, \
	.presence = PRESENT_CPUID, .announced = ANNOUNCED_DF, \
	.counters = n, .bits = 48, \
	.ctl = 0xc0010240, .ctl_step = 2, .ctr = 0xc0010241, .ctr_step = 2, \
	.enable = EN, .field = fields, .kernel.pmu = "amd_df", .event = events }
#define OF_PACKAGE .scope = SCOPE_PKG, .single = true, .instances = 1
/* A die has the number of its first core complex. */
#define OF_DIE .scope = SCOPE_CCX, .of_die = true, .instances = 32
#define ZEN1_DF ZEN_DF(OF_DIE, 4, zen_df_fields, zen2_df_events)
#define ZEN2_DF ZEN_DF(OF_PACKAGE, 4, zen_df_fields, zen2_df_events)
#define ZEN4_DF ZEN_DF(OF_PACKAGE, 16, zen_df_v2_fields, zen4_df_events)
#define ZEN5_DF ZEN_DF(OF_PACKAGE, 16, zen_df_v2_fields, zen5_df_events)

/* CPUID tells for each package how many UMCs it has and how many counters they have
 * together.  Both numbers give the real stride; this one is for four counters. */
#define ZEN_UMC { \
	.name = "UMC", .family = "umc_counts", .space = REG_MSR, \
	.scope = SCOPE_PKG, .presence = PRESENT_UMC, .instances = 16, \
	.counters = 4, .bits = 48, .saturates = true, \
	.ctl = 0xc0010800, .ctl_step = 2, .ctr = 0xc0010801, .ctr_step = 2, \
	.stride = 8, .enable = 1u << 31, .field = zen_umc_fields, \
	.most = { "rdwrmask", 2 }, \
	.classes = zen_umc_classes, .event = zen_umc_events, \
	.kernel.pmu = "amd_umc", .kernel.pmu_of_pkg = true }

/* Classes go by the low byte of an event, so only events are here whose low byte no
 * event above 0xff shares. */
#define FLOPS(of) { 0x03, CLASS_FLOPS, "flops_" of }
static const struct event_class core_classes[] = {
	{ 0x76, CLASS_CYCLES, "cycles_unhalted" },
	{ 0xc0, CLASS_INSTR, "instr_retired" },
	{ 0x5f, CLASS_OCCUPANCY, "mab_occupancy" },
	FLOPS("all"), FLOPS("add_sub"), FLOPS("mul"), FLOPS("div_sqrt"),
	FLOPS("fma"), FLOPS("bf16"), FLOPS("sp_scalar"), FLOPS("sp_packed"),
	FLOPS("dp_scalar"), FLOPS("dp_packed"), FLOPS("sp"), FLOPS("dp"),
	END_OF_CLASSES
};

/* More than 15 FLOPs in a cycle are counted only with the merge event in the counter
 * behind (reference 2.4). */
static const struct counter_pair merge = {
	.mask = 0xf000000ff, .event = 0x03, .helper = 0xf004000ff
};

#define NUMBER(e) ((e) & 0xffff)
#define NAMED(name, e, gen) { name, \
	NUMBER(e) == NO || NUMBER(e) == WRONG ? 0 : NUMBER(e), \
	NUMBER(e) == NO ? gen " has no such event" : \
	NUMBER(e) == WRONG ? "an erratum of " gen " makes it count wrongly" : \
	NULL, (e) >> 16 },
/* The columns of a row may be one macro, so that they are separated a step later. */
#define ZEN2(...) OF_ZEN2(__VA_ARGS__)
#define ZEN3(...) OF_ZEN3(__VA_ARGS__)
#define ZEN4(...) OF_ZEN4(__VA_ARGS__)
#define ZEN5(...) OF_ZEN5(__VA_ARGS__)
#define OF_ZEN2(name, z2, z3, z4, z5) NAMED(name, z2, "Zen 2")
#define OF_ZEN3(name, z2, z3, z4, z5) NAMED(name, z3, "Zen 3")
#define OF_ZEN4(name, z2, z3, z4, z5) NAMED(name, z4, "Zen 4")
#define OF_ZEN5(name, z2, z3, z4, z5) NAMED(name, z5, "Zen 5")
#define ZEN1(name, e) NAMED(name, e, "Zen 1")
static const struct event_name zen1_events[] = {
	ZEN1_EVENTS(ZEN1) { NULL, 0, NULL, 0 }
};
static const struct event_name zen2_events[] = {
	ZEN_EVENTS(ZEN2) { NULL, 0, NULL, 0 }
};
static const struct event_name zen3_events[] = {
	ZEN_EVENTS(ZEN3) { NULL, 0, NULL, 0 }
};
static const struct event_name zen4_events[] = {
	ZEN_EVENTS(ZEN4) { NULL, 0, NULL, 0 }
};
static const struct event_name zen5_events[] = {
	ZEN_EVENTS(ZEN5) { NULL, 0, NULL, 0 }
};

/* What Linux counts for its generic events (reference 10).  Left out are those whose
 * event differs between versions of Linux. */
static const struct event_name generic[] = {
	{ "cpu-cycles", 0x76, NULL, 0 }, { "instructions", 0xc0, NULL, 0 },
	{ "cache-references", 0x60, NULL, 0xff },
	{ "cache-misses", 0x64, NULL, 0x09 },
	{ "branches", 0xc2, NULL, 0 }, { "branch-misses", 0xc3, NULL, 0 },
	{ "L1-dcache-loads", 0x40, NULL, 0 },
	{ "L1-dcache-load-misses", 0x60, NULL, 0xc8 },
	{ "L1-dcache-prefetches", 0x5a, NULL, 0xff },
	{ "L1-icache-loads", 0x80, NULL, 0 },
	{ "L1-icache-load-misses", 0x81, NULL, 0 },
	{ "dTLB-loads", 0x45, NULL, 0xff },
	{ "dTLB-load-misses", 0x45, NULL, 0xf0 },
	{ "iTLB-loads", 0x84, NULL, 0 },
	{ "iTLB-load-misses", 0x85, NULL, 0xff },
	{ "branch-loads", 0xc2, NULL, 0 },
	{ "branch-load-misses", 0xc3, NULL, 0 }, { NULL, 0, NULL, 0 }
};

/* Six counters for each thread, where CPUID announces them (reference 2). */
#define CORE(events) { \
	AMD_CORE, .classes = core_classes, .counters = 6, .bits = 48, .pair = &merge, \
	.event = events, .kernel.generic = generic }
static const struct box_type zen1_core = CORE(zen1_events);
static const struct box_type zen2_core = CORE(zen2_events);
static const struct box_type zen3_core = CORE(zen3_events);
static const struct box_type zen4_core = CORE(zen4_events);
static const struct box_type zen5_core = CORE(zen5_events);

static const struct box_type zen1_boxes[] = {
	ZEN1_L3, ZEN1_DF, { .name = NULL }
};
static const struct box_type zen2_boxes[] = {
	ZEN2_L3, ZEN2_DF, { .name = NULL }
};
static const struct box_type zen3_boxes[] = {
	ZEN3_L3, ZEN2_DF, { .name = NULL }
};
static const struct box_type zen4_boxes[] = {
	ZEN4_L3, ZEN4_DF, ZEN_UMC, { .name = NULL }
};
static const struct box_type zen5_boxes[] = {
	ZEN4_L3, ZEN5_DF, ZEN_UMC, { .name = NULL }
};

/* The counter of retired instructions counts where firmware or the kernel has enabled
 * it, which they have on some real nodes.  The daemon does not set the bit, as the
 * register controls much else. */
static const struct enabler enablers[] = {
	{ "irperf", 0xc0010015, 30, "HWCR.IRPerfEn" }, { .family = NULL }
};

/*
 * The read-only copies of APERF and MPERF; energy of package and core, 32 bits wide
 * before Zen 4, 64 bits from Zen 4 on.
 */
static const struct scalar clocks[] = {
	CORE_CLOCK("aperf", 0xc00000e8, CLASS_CYCLES),
	CORE_CLOCK("mperf", 0xc00000e7, CLASS_REF),
	MSR_COUNT("irperf", SCOPE_LPROC, 0xc00000e9, 64, "instructions",
	    CLASS_INSTR),
	{ .family = NULL }
};
static const struct scalar energy32[] = { AMD_ENERGY(32) };
static const struct scalar energy64[] = { AMD_ENERGY(64) };
static const struct scalar *const scalars32[] = { energy32, clocks, NULL };
static const struct scalar *const scalars64[] = { energy64, clocks, NULL };

static const struct common_msrs msrs = { .energy_unit = 0xc0010299 };
static const struct common_msrs v2_msrs = {
	.energy_unit = 0xc0010299, .core_global = 0xc0000301
};

/* The ranges that Linux has.  No source describes models outside of them. */
static const struct cpu_match zen1_id[] = {
	{ 0x00, 0, 15, 0x2f }, { 0x50, 0, 15, 0x5f }, { 0, 0, 0, 0 }
};
static const struct cpu_match zen2_id[] = {
	{ 0x30, 0, 15, 0x4f }, { 0x60, 0, 15, 0x7f }, { 0x90, 0, 15, 0x91 },
	{ 0xa0, 0, 15, 0xaf }, { 0, 0, 0, 0 }
};
static const struct cpu_match zen3_id[] = {
	{ 0x00, 0, 15, 0x0f }, { 0x20, 0, 15, 0x5f }, { 0, 0, 0, 0 }
};
static const struct cpu_match zen4_id[] = {
	{ 0x10, 0, 15, 0x1f }, { 0x60, 0, 15, 0xaf }, { 0, 0, 0, 0 }
};
static const struct cpu_match zen5_id[] = {
	{ 0x00, 0, 15, 0x2f }, { 0x40, 0, 15, 0x4f }, { 0x60, 0, 15, 0x7f },
	{ 0xd0, 0, 15, 0xd7 }, { 0, 0, 0, 0 }
};

#define COMMON \
	.vendor = "AuthenticAMD", .bus_method = BUS_NONE, .max_ghz = 6.0, \
	.enabler = enablers

/* Package energy is taken as that of all dies of the package: a reading of a 7551P is
 * more than one die can draw. */
const struct model model_zen1 = {
	.name = "zen1", .title = "AMD Zen 1",
	.default_config = "@default-zen", .cpu_family = 0x17,
	.id = zen1_id, .core = &zen1_core,
	.box = zen1_boxes, .scalar = scalars32, .msr = &msrs,
	.ccxs_per_ccd = 2, COMMON
};

const struct model model_zen2 = {
	.name = "zen2", .title = "AMD Zen 2",
	.default_config = "@default-zen", .cpu_family = 0x17,
	.id = zen2_id, .core = &zen2_core,
	.box = zen2_boxes, .scalar = scalars32, .msr = &msrs,
	.ccxs_per_ccd = 2, COMMON
};

const struct model model_zen3 = {
	.name = "zen3", .title = "AMD Zen 3",
	.default_config = "@default-zen", .cpu_family = 0x19,
	.id = zen3_id, .core = &zen3_core,
	.box = zen3_boxes, .scalar = scalars32, .msr = &msrs,
	.ccxs_per_ccd = 1, COMMON
};

const struct model model_zen4 = {
	.name = "zen4", .title = "AMD Zen 4",
	.default_config = "@default-zen4", .cpu_family = 0x19,
	.id = zen4_id, .core = &zen4_core,
	.box = zen4_boxes, .scalar = scalars64, .msr = &v2_msrs,
	.max_cas_hz = 1000000000,       /* DDR5-8000: 8000e6 * 8 / 64 */
	COMMON
};

const struct model model_zen5 = {
	.name = "zen5", .title = "AMD Zen 5",
	.default_config = "@default-zen5", .cpu_family = 0x1a,
	.id = zen5_id, .core = &zen5_core,
	.box = zen5_boxes, .scalar = scalars64, .msr = &v2_msrs,
	.max_cas_hz = 1000000000,       /* DDR5-8000: 8000e6 * 8 / 64 */
	COMMON
};
