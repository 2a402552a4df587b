/*
 * postproc/pages/pair_rows.c - which figures two independent counters give.
 *
 * A bound is what the hardware cannot go beyond, never what is usual: prefetch,
 * DMA and scrubbing read memory, too, so DRAM reads are at least what cores
 * miss, and how many more nobody knows.  Where RAPL's limits are 1.2 times the
 * TDP as delivered, they can be set to the maximum of MSR 0x614, twice the TDP
 * and more.
 */
#include "postproc/pages/pair_rows.h"

#include <math.h>
#include <stddef.h>

/* A miss is one of the L3 and of its snoop filter (Intel's lists say so of
 * TOR_INSERTS.IA_MISS_DRD_PREF_LOCAL), so that no other core of the package has
 * the line.  It is in the package's memory, in another one's (and comes
 * over a link: 9 flits of UPI or 8 of QPI a line), or is written as a whole
 * without being read.  Persistent memory that is used as such has counters of
 * its own; an access of HBM is of half a line. */
#define LINES "imc[\"CAS_COUNT.RD\"] + imc[\"CAS_COUNT.WR\"]" \
	" + first((mchbm[\"CAS_COUNT.RD\"] + mchbm[\"CAS_COUNT.WR\"]) / 2, 0)" \
	" + first(imc_pmm_read_bytes / 64, imc[\"PMM_RPQ_INSERTS\"], 0)" \
	" + first(upi[\"RxL_FLITS.ALL_DATA\"] / 9," \
	" qpi[\"RxL_FLITS_G1.DRS_DATA\"] / 8)"
#define LINES_ARE "lines read and written by the channels or come over links"
#define LINES_WHY "a miss is served by memory or by another package; the " \
	"caches hold 2 million lines that are not written yet"

/* What moves inside the die (CBDMA) goes through no port. */
#define PCIE(x) "boxes(\"PCIe*\", " x ")"

/* A core that wakes up: its fixed counters run before APERF and MPERF do. */
#define WAKING "max(tsc * lprocs - mperf, 0) / 10 / 1e9"
#define WAKING_WHY "both count the same clock while a thread is not halted; " \
	"as it wakes up, up to a tenth of the halted time, the fixed one alone"

const struct pair_row pair_rows[] = {
	{ "dram_reads", "package", "GB",
	  "CAS reads of the channels", "imc[\"CAS_COUNT.RD\"] * 64 / 1e9",
	  "bytes that the controllers read", "imc_ddr_read_bytes / 1e9",
	  0.98, 1.02, NULL, 1e-4, "both count the same bursts of 64 bytes",
	  PAIR_ALL_BOXES, 0, 0, NULL },
	{ "dram_writes", "package", "GB",
	  "CAS writes of the channels", "imc[\"CAS_COUNT.WR\"] * 64 / 1e9",
	  "bytes that the controllers wrote", "imc_ddr_write_bytes / 1e9",
	  0.98, 1.02, NULL, 1e-4, "both count the same bursts of 64 bytes",
	  PAIR_ALL_BOXES, 0, 0, NULL },
	{ "imc_reads", "package", "M",
	  "reads that controllers were asked for",
	  "first(m2m[\"IMC_READS.ALL\"], cha[\"IMC_READS_COUNT.NORMAL\"],"
	  " ha[\"IMC_READS.NORMAL\"]) / 1e6",
	  "CAS reads", "(imc[\"CAS_COUNT.RD\"]"
	  " + first(imc_pmm_read_bytes / 64, imc[\"PMM_RPQ_INSERTS\"], 0))"
	  " / 1e6",
	  0, 1.05, NULL, 0.01, "what is asked for is read, but for a few lines "
	  "that wait to be written; scrubbing and partial writes read, too",
	  PAIR_ALL_BOXES, 0, 0, NULL },
	{ "core_misses", "package", "M",
	  "L3 misses of the cores",
	  "first(core[\"OFFCORE_REQUESTS.L3_MISS_DEMAND_DATA_RD\"],"
	  " core[\"LONGEST_LAT_CACHE.MISS\"]) / 1e6",
	  LINES_ARE, "(" LINES ") / 1e6",
	  0, 1.02, NULL, 2, LINES_WHY, PAIR_ALL_BOXES, 0, 0, NULL },
	{ "cha_misses", "package", "M",
	  "L3 misses that the CHAs saw",
	  "first(cha[\"TOR_INSERTS.IA_MISS_DRD\"], cbo[\"TOR_INSERTS.MISS_LOCAL"
	  "\"] + cbo[\"TOR_INSERTS.MISS_REMOTE\"]) / 1e6",
	  LINES_ARE, "(" LINES ") / 1e6",
	  0, 1.02, NULL, 2, LINES_WHY, PAIR_ALL_BOXES, 0, 0, NULL },
	{ "upi", "package", "GB",
	  "UPI data sent", "upi[\"TxL_FLITS.ALL_DATA\"] * 64 / 9 / 1e9",
	  "received at the other end",
	  "upi[\"RxL_FLITS.ALL_DATA\"] * 64 / 9 / 1e9",
	  0.98, 1.02, NULL, 1e-5, "what one end sends the other receives; what "
	  "is sent again after an error is little",
	  PAIR_ALL_BOXES | PAIR_ACROSS, 0, 0, NULL },
	{ "qpi", "package", "GB",
	  "QPI data sent", "qpi[\"TxL_FLITS_G0.DATA\"] * 8 / 1e9",
	  "of coherent reads and writes back, received at the other end",
	  "qpi[\"RxL_FLITS_G1.DRS_DATA\"] * 8 / 1e9",
	  0.98, INFINITY, NULL, 1e-5, "what one end receives the other sent",
	  PAIR_ALL_BOXES | PAIR_ACROSS, 0, 0, NULL },
	/* NVIDIA's guide has 36.2 to 33.5 million and 962 to 993 MB */
	{ "remote_reads", "package", "GB",
	  "read of the other socket's memory",
	  "scf[\"REMOTE_SOCKET_RD_DATA\"] * 32 / 1e9",
	  "read there by all CPUs", "scf[\"CMEM_RD_DATA\"] * 32 / 1e9",
	  0, 1.15, NULL, 0.01, "what one socket reads of the other is read "
	  "there", PAIR_ACROSS, 0, 0, NULL },
	{ "remote_writes", "package", "GB",
	  "written to the other socket's memory",
	  "scf[\"REMOTE_SOCKET_WR_TOTAL_BYTES\"] / 1e9",
	  "written there by all CPUs", "scf[\"CMEM_WR_TOTAL_BYTES\"] / 1e9",
	  0, 1.15, NULL, 0.01, "what one socket writes to the other is written "
	  "there", PAIR_ACROSS, 0, 0, NULL },
	{ "scf_writes", "package", "GB",
	  "bytes written to the socket's memory",
	  "scf[\"CMEM_WR_TOTAL_BYTES\"] / 1e9",
	  "32 for each beat written back, and the bytes of other writes",
	  "(scf[\"CMEM_WB_DATA\"] * 32 + scf[\"CMEM_WR_DATA\"]) / 1e9",
	  0.98, 1.02, NULL, 1e-4, "the one counter is the sum of the two",
	  PAIR_RARE, 0, 0, NULL },
	{ "core_cycles", "package", "G",
	  "APERF", "aperf / 1e9", "cycles counted",
	  "first(core_fixed_counts[\"CPU_CLK_UNHALTED.THREAD\"],"
	  " core[\"cycles_unhalted\"]) / 1e9",
	  0.98, 1.02, WAKING, 1e-4, WAKING_WHY, PAIR_BOTH_RINGS, 1, 0,
	  "lproc" },
	{ "ref_cycles", "package", "G",
	  "MPERF", "mperf / 1e9", "reference cycles counted",
	  "first(core_fixed_counts[\"CPU_CLK_UNHALTED.REF_TSC\"],"
	  " core[\"ref_cycles_p0\"]) / 1e9",
	  0.98, 1.02, WAKING, 1e-4, WAKING_WHY, PAIR_BOTH_RINGS, 2, 0,
	  "lproc" },
	{ "energy_parts", "package", "J",
	  "package energy", "rapl_pkg_energy * RAPL_PKG_ENERGY_UNIT",
	  "energy of its cores",
	  "first(rapl_pp0_energy, rapl_core_energy) * RAPL_PKG_ENERGY_UNIT",
	  1, INFINITY, NULL, 0.2, "the whole is no less than a part", 0, 0, 0, NULL },
	{ "energy_tdp", "package", "J",
	  "package energy", "rapl_pkg_energy * RAPL_PKG_ENERGY_UNIT",
	  "TDP x time", "PACKAGE_TDP * time * packages",
	  0.005, 2, NULL, 0.2, "no package draws nothing; RAPL limits what it "
	  "draws, and to about the TDP", 0, 0, 0, NULL },
	{ "node_power", "node", "J",
	  "energy of packages and DRAM",
	  "parts(rapl_pkg_energy * RAPL_PKG_ENERGY_UNIT,"
	  " if(count(rapl_dram_energy) > 0,"
	  " rapl_dram_energy * RAPL_DRAM_ENERGY_UNIT, 0))",
	  "of the node, by its own meter",
	  "first(file_node_energy, file_node_power * time,"
	  " file_acpi_power[\"00\"] * time)",
	  0, 1.02, NULL, 2, "parts draw no more than the whole, which rises when "
	  "they do", PAIR_RARE | PAIR_FOLLOWS, 0, 0, NULL },
	{ "iio_in", "package", "GB",
	  "bytes in by PCIe, by counters that always run", PCIE("\"iio_*_in_bytes\"") " / 1e9",
	  "written by devices",
	  PCIE("first(iio[\"DATA_REQ_OF_CPU.MEM_WRITE\"],"
	  " iio[\"DATA_REQ_OF_CPU.MEM_WRITE.PART*\"])") " * 4 / 1e9",
	  0.98, INFINITY, NULL, 1e-4, "all that comes in is at least what "
	  "devices write; the rest is what the CPU reads of them",
	  PAIR_LEFT_MOVES, 0, 0, NULL },
	{ "iio_out", "package", "GB",
	  "bytes out by PCIe, by counters that always run", PCIE("\"iio_*_out_bytes\"") " / 1e9",
	  "read by devices",
	  PCIE("first(iio[\"DATA_REQ_OF_CPU.MEM_READ\"],"
	  " iio[\"DATA_REQ_OF_CPU.MEM_READ.PART*\"])") " * 4 / 1e9",
	  0.98, INFINITY, NULL, 1e-4, "all that goes out is at least what "
	  "devices read; the rest is what the CPU writes to them",
	  PAIR_LEFT_MOVES, 0, 0, NULL },
	/* the same of each port, for events that take turns part by part */
	{ "iio_in_part#", "package", "GB",
	  "bytes in by PCIe, by counters that always run",
	  PCIE("\"iio_*_port#_in_bytes\"") " / 1e9", "written by devices",
	  PCIE("iio[\"DATA_REQ_OF_CPU.MEM_WRITE.PART#\"]") " * 4 / 1e9",
	  0.98, INFINITY, NULL, 1e-4, "all that comes in is at least what "
	  "devices write; the rest is what the CPU reads of them",
	  PAIR_LEFT_MOVES, 0, 8, NULL },
	{ "iio_out_part#", "package", "GB",
	  "bytes out by PCIe, by counters that always run",
	  PCIE("\"iio_*_port#_out_bytes\"") " / 1e9", "read by devices",
	  PCIE("iio[\"DATA_REQ_OF_CPU.MEM_READ.PART#\"]") " * 4 / 1e9",
	  0.98, INFINITY, NULL, 1e-4, "all that goes out is at least what "
	  "devices read; the rest is what the CPU writes to them",
	  PAIR_LEFT_MOVES, 0, 8, NULL },
	{ "tsc_wall", "node", "s",
	  "time by the TSC", "tsc / tsc_hz", "by the wall clock", "wall_time",
	  0.995, 1.005, NULL, 0.005, "NTP slews the wall clock by 0.05 % at "
	  "most; the TSC's nominal rate is good to 0.3 %", PAIR_AT_ONCE, 0, 0, NULL },
	{ "tsc_monotonic", "node", "s",
	  "time by the TSC's nominal rate",
	  "tsc / first(tsc_hz_nominal, TSC_ratio * 1e8)",
	  "by the monotonic clock", "tsc / monotonic_hz",
	  0.995, 1.005, NULL, 0.005, "the TSC's nominal rate is good to 0.3 %",
	  PAIR_AT_ONCE, 0, 0, NULL },

	/* ---- what there can be, at most or at least ------------------- */

	{ .name = "mperf", .scope = "package", .narrow = "lproc", .unit = "G",
	  .left_is = "MPERF", .left = "mperf / 1e9",
	  .right_is = "TSC of its lprocs", .right = "tsc * lprocs / 1e9",
	  .most = 1.005, .once = 1e-4, .needs = PAIR_BOUND,
	  .why = "MPERF counts the clock of the TSC, but not while halted" },
	{ .name = "clock", .scope = "package", .narrow = "lproc", .unit = "G",
	  .left_is = "APERF", .left = "aperf / 1e9",
	  .right_is = "6 GHz while MPERF counts",
	  .right = "mperf * 6 / tsc_hz", .most = 1.02, .less = WAKING,
	  .once = 1e-2, .needs = PAIR_BOUND,
	  .why = "no server part is as fast" },
	{ .name = "flops", .scope = "package", .narrow = "core", .unit = "G",
	  .left_is = "floating-point operations", .left = "flops * time",
	  .right_is = "what its units can do in their cycles",
	  .right = "flops_a_cycle * core_cycles_most / 1e9",
	  .most = 1.02, .once = 1e-3, .needs = PAIR_BOUND,
	  .why = "each unit does one of its width a cycle, and a fused "
	  "multiply-add is two" },
	{ .name = "slots", .scope = "package", .narrow = "lproc", .unit = "G",
	  .left_is = "slots", .left = "core_fixed_counts[\"TOPDOWN.SLOTS\"]"
	  " / 1e9", .right_is = "slots of the cycles",
	  .right = "slots_a_cycle * core_fixed_counts"
	  "[\"CPU_CLK_UNHALTED.THREAD\"] / 1e9",
	  .least = 0.45, .most = 1.02, .once = 1e-2, .needs = PAIR_BOUND,
	  .why = "two threads share those of their core" },
	{ .name = "shares", .scope = "package", .narrow = "lproc", .unit = "",
	  .left_is = "PERF_METRICS", .left = "core_perf_metrics",
	  .right_is = "the least that it is", .right = "1",
	  .least = 1, .most = INFINITY, .needs = PAIR_BOUND,
	  .why = "its shares of the slots add up to all of them: of none it "
	  "does not count" },
	{ .name = "energy_most", .scope = "package", .unit = "J",
	  .left_is = "package energy",
	  .left = "rapl_pkg_energy * RAPL_PKG_ENERGY_UNIT",
	  .right_is = "what a package can draw",
	  .right = "package_watts_most * time * packages",
	  .least = 0.005, .most = 1, .once = 0.2, .needs = PAIR_BOUND,
	  .why = "of no part of this CPU the configurable TDP is as much" },
	{ .name = "energy_cores", .scope = "package", .unit = "J",
	  .left_is = "energy of its cores",
	  .left = "rapl_core_energy * RAPL_PKG_ENERGY_UNIT",
	  .right_is = "of the package, a ten-thousandth",
	  .right = "rapl_pkg_energy * RAPL_PKG_ENERGY_UNIT / 1e4",
	  .least = 1, .most = INFINITY, .needs = PAIR_BOUND,
	  .why = "idle cores of real nodes draw 0.2 % and more of it" },
	{ .name = "l2_misses", .scope = "package", .narrow = "ccx",
	  .unit = "M", .left_is = "L2 misses of code and data",
	  .left = "core[\"l2_miss_ic_dc\"] / 1e6",
	  .right_is = "requests to the L3", .right = "l3[\"l3_lookups\"] / 1e6",
	  .most = 1.02, .once = 5, .needs = PAIR_BOUND,
	  .why = "what misses the L2 asks the L3" },
	{ .name = "l3_timed", .scope = "package", .narrow = "ccx",
	  .unit = "M", .left_is = "requests whose latency was taken",
	  .left = "first(l3[\"l3_latreq_all\"],"
	  " l3[\"l3_fill_requests\"]) / 1e6",
	  .right_is = "L3 misses, one in 100,000",
	  .right = "l3[\"l3_misses\"] / 1e11",
	  .least = 1, .most = INFINITY, .once = 1e-6, .needs = PAIR_BOUND,
	  .why = "what misses is sampled" },
	{ .name = "l3_latency", .scope = "package", .narrow = "ccx",
	  .unit = "M", .left_is = "latency that was added up",
	  .left = "first(10 * l3[\"l3_lat10_all\"],"
	  " 16 * l3[\"l3_fill_latency16\"]) / 1e6",
	  .right_is = "20 of each request",
	  .right = "20 * first(l3[\"l3_latreq_all\"],"
	  " l3[\"l3_fill_requests\"]) / 1e6",
	  .least = 1, .most = 500, .once = 1e-3, .needs = PAIR_BOUND,
	  .why = "no miss takes as little, or 10,000" },
	{ .name = "dram_bus", .scope = "package", .narrow = "box",
	  .unit = "G", .left_is = "half clocks that DRAM commands take",
	  .left = "8 * umc_commands / 1e9", .right_is = "that the bus was busy",
	  .right = "umc[\"umc_slot_clks_all\"] / 1e9",
	  .least = 0.45, .most = 2.2, .once = 1e-3, .needs = PAIR_RARE,
	  .why = "a command moves 64 bytes; what the event of the bus counts "
	  "two sources tell apart by a factor of two" },
	{ .name = "dram_clock", .scope = "package", .narrow = "box",
	  .unit = "G", .left_is = "clocks that DRAM commands take",
	  .left = "4 * first(umc_commands, imc[\"CAS_COUNT.RD\"]"
	  " + imc[\"CAS_COUNT.WR\"], imc[\"CAS_COUNT_SCH0.RD\"]"
	  " + imc[\"CAS_COUNT_SCH1.RD\"] + imc[\"CAS_COUNT_SCH0.WR\"]"
	  " + imc[\"CAS_COUNT_SCH1.WR\"]) / 1e9",
	  .right_is = "memory clocks",
	  .right = "first(umc[\"umc_clk\"], imc[\"CLOCKTICKS\"]) / 1e9",
	  .most = 1.02, .once = 1e-3, .needs = PAIR_BOUND,
	  .why = "64 bytes take four clocks of a channel of 64 bits" },
	{ .name = "dram_rate", .scope = "package", .narrow = "box",
	  .unit = "MT", .left_is = "transfers that the memory clock allows",
	  .left = "dram_transfers * time",
	  .right_is = "that the slowest modules have",
	  .right = "if(dram_busy > 5, dram_transfers_least, 0) * time",
	  .least = 1, .most = INFINITY, .needs = PAIR_BOUND,
	  .why = "no clock is lower than that of the slowest modules while "
	  "the bus is busy" },
	{ .name = "hbm_clock", .scope = "package", .narrow = "box",
	  .unit = "G", .left_is = "commands of HBM",
	  .left = "(mchbm[\"CAS_COUNT.RD\"] + mchbm[\"CAS_COUNT.WR\"]) / 1e9",
	  .right_is = "clocks of its channels",
	  .right = "mchbm[\"CLOCKTICKS\"] / 1e9",
	  .most = 1.02, .once = 1e-3, .needs = PAIR_BOUND,
	  .why = "a channel takes one command a clock" },
	{ .name = "dram_pages", .scope = "package", .narrow = "box",
	  .unit = "M", .left_is = "pages closed",
	  .left = "imc[\"PRE_COUNT.ALL\"] / 1e6", .right_is = "pages opened",
	  .right = "imc[\"ACT_COUNT.ALL\"] / 1e6", .most = 1.1, .once = 1,
	  .needs = PAIR_BOUND, .why = "a page is closed that was opened" },
	{ .name = "upi_slots", .scope = "package", .narrow = "box",
	  .unit = "G", .left_is = "flits sent",
	  .left = "(upi[\"TxL_FLITS.ALL_DATA\"]"
	  " + upi[\"TxL_FLITS.NON_DATA\"]) / 3e9",
	  .right_is = "that the link's clock allows",
	  .right = "upi[\"CLOCKTICKS\"] * 5 / 6e9",
	  .most = 1.05, .once = 1e-3, .needs = PAIR_BOUND,
	  .why = "five in six clocks can start a flit of three slots" },
	{ .name = "home_reads", .scope = "node", .unit = "M",
	  .left_is = "reads of cores that missed the L3",
	  .left = "cha[\"TOR_INSERTS.IA_MISS_DRD\"] / 1e6",
	  .right_is = "reads that home agents had",
	  .right = "cha[\"REQUESTS.READS\"] / 1e6",
	  .most = 1.05, .once = 1, .needs = PAIR_BOUND | PAIR_ALL_BOXES,
	  .why = "what misses the L3 is asked of a home agent" },
	{ .name = "uncore_clock", .scope = "package", .unit = "G", .left_is = "clock of the CHAs",
	  .left = "cha[\"CLOCKTICKS\"] / count(cha[\"CLOCKTICKS\"]) / 1e9",
	  .right_is = "of the UBox", .right = "ubox_uclk / count(ubox_uclk)"
	  " / 1e9", .least = 0.9, .most = 1.1, .once = 1e-3,
	  .needs = PAIR_BOUND, .why = "both are the clock of the uncore" },

	/* ---- of units that are alike ----------------------------------- */

#define PEERS(name_, unit_, is, formula, least_, most_, once_, why_, more) \
	{ .name = name_, .scope = "box", .unit = unit_, .left_is = is, \
	  .left = formula, .right_is = "the median of its package", \
	  .least = least_, .most = most_, .once = once_, .why = why_, \
	  .needs = PAIR_PEERS | (more) }
	PEERS("channels", "GB/s", "DRAM bandwidth", "dram_bandwidth",
	    0.6, 1.7, 0.01, "lines are spread over the channels: is a module "
	    "missing, or broken?", PAIR_NOTE),
	PEERS("hbm_channels", "GB/s", "HBM bandwidth", "hbm_bandwidth",
	    0.6, 1.7, 0.01, "lines are spread over the channels", PAIR_NOTE),
	PEERS("pages", "M/s", "pages opened", "first(umc[\"umc_act_all\"],"
	    " imc[\"ACT_COUNT.ALL\"]) / time / 1e6", 0.4, 2.5, 0.01,
	    "lines are spread over the channels", PAIR_NOTE),
	PEERS("hbm_pages", "M/s", "pages of HBM opened",
	    "mchbm[\"ACT_COUNT.ALL\"] / time / 1e6", 0.4, 2.5, 0.01,
	    "lines are spread over the channels", PAIR_NOTE),
	PEERS("bus", "%", "data bus of DRAM", "dram_busy", 0.4, 2.5, 1,
	    "lines are spread over the channels", PAIR_NOTE),
	PEERS("links", "GB/s", "data sent by a link", "upi_out", 0.1, 10, 0.01,
	    "links of one package share what it sends", PAIR_NOTE),
	PEERS("cha_reads", "M/s", "reads that a CHA had",
	    "cha[\"REQUESTS.READS\"] / time / 1e6", 0.1, 10, 0.01,
	    "lines are spread over the CHAs", PAIR_NOTE),
	PEERS("cha_tor", "M/s", "misses that a CHA saw",
	    "cha[\"TOR_INSERTS.IA_MISS_DRD\"] / time / 1e6", 0.1, 10, 0.01,
	    "lines are spread over the CHAs", PAIR_NOTE),
	PEERS("cha_victims", "M/s", "modified victims of a CHA",
	    "cha[\"LLC_VICTIMS.TOTAL_M\"] / time / 1e6", 0.1, 10, 0.01,
	    "lines are spread over the CHAs", PAIR_NOTE),
	PEERS("dram_clocks", "GHz", "memory clock", "first(umc[\"umc_clk\"],"
	    " imc[\"CLOCKTICKS\"]) / time / 1e9", 0.97, 1.03, 0.1,
	    "one clock is that of all channels", 0),
	PEERS("hbm_clocks", "GHz", "clock of HBM", "mchbm[\"CLOCKTICKS\"]"
	    " / time / 1e9", 0.97, 1.03, 0.1,
	    "one clock is that of all channels", 0),
	PEERS("cha_clocks", "GHz", "clock of a CHA", "cha[\"CLOCKTICKS\"]"
	    " / time / 1e9", 0.97, 1.03, 0.1,
	    "one clock is that of all CHAs", 0),
	PEERS("link_clocks", "GHz", "clock of a link", "upi[\"CLOCKTICKS\"]"
	    " / time / 1e9", 0.97, 1.03, 0.1,
	    "one clock is that of all links", 0),
	{ .name = NULL },
};
