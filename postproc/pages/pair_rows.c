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
	  PAIR_ALL_BOXES, 0, 0 },
	{ "dram_writes", "package", "GB",
	  "CAS writes of the channels", "imc[\"CAS_COUNT.WR\"] * 64 / 1e9",
	  "bytes that the controllers wrote", "imc_ddr_write_bytes / 1e9",
	  0.98, 1.02, NULL, 1e-4, "both count the same bursts of 64 bytes",
	  PAIR_ALL_BOXES, 0, 0 },
	{ "imc_reads", "package", "M",
	  "reads that controllers were asked for",
	  "first(m2m[\"IMC_READS.ALL\"], cha[\"IMC_READS_COUNT.NORMAL\"],"
	  " ha[\"IMC_READS.NORMAL\"]) / 1e6",
	  "CAS reads", "(imc[\"CAS_COUNT.RD\"]"
	  " + first(imc_pmm_read_bytes / 64, imc[\"PMM_RPQ_INSERTS\"], 0))"
	  " / 1e6",
	  0, 1.05, NULL, 0.01, "what is asked for is read, but for a few lines "
	  "that wait to be written; scrubbing and partial writes read, too",
	  PAIR_ALL_BOXES, 0, 0 },
	{ "core_misses", "package", "M",
	  "L3 misses of the cores",
	  "first(core[\"OFFCORE_REQUESTS.L3_MISS_DEMAND_DATA_RD\"],"
	  " core[\"LONGEST_LAT_CACHE.MISS\"]) / 1e6",
	  LINES_ARE, "(" LINES ") / 1e6",
	  0, 1.02, NULL, 2, LINES_WHY, PAIR_ALL_BOXES, 0, 0 },
	{ "cha_misses", "package", "M",
	  "L3 misses that the CHAs saw",
	  "first(cha[\"TOR_INSERTS.IA_MISS_DRD\"], cbo[\"TOR_INSERTS.MISS_LOCAL"
	  "\"] + cbo[\"TOR_INSERTS.MISS_REMOTE\"]) / 1e6",
	  LINES_ARE, "(" LINES ") / 1e6",
	  0, 1.02, NULL, 2, LINES_WHY, PAIR_ALL_BOXES, 0, 0 },
	{ "upi", "package", "GB",
	  "UPI data sent", "upi[\"TxL_FLITS.ALL_DATA\"] * 64 / 9 / 1e9",
	  "received at the other end",
	  "upi[\"RxL_FLITS.ALL_DATA\"] * 64 / 9 / 1e9",
	  0.98, 1.02, NULL, 1e-5, "what one end sends the other receives; what "
	  "is sent again after an error is little",
	  PAIR_ALL_BOXES | PAIR_ACROSS, 0, 0 },
	{ "qpi", "package", "GB",
	  "QPI data sent", "qpi[\"TxL_FLITS_G0.DATA\"] * 8 / 1e9",
	  "of coherent reads and writes back, received at the other end",
	  "qpi[\"RxL_FLITS_G1.DRS_DATA\"] * 8 / 1e9",
	  0.98, INFINITY, NULL, 1e-5, "what one end receives the other sent",
	  PAIR_ALL_BOXES | PAIR_ACROSS, 0, 0 },
	{ "core_cycles", "package", "G",
	  "APERF", "aperf / 1e9", "fixed counter 1",
	  "core_fixed_counts[\"CPU_CLK_UNHALTED.THREAD\"] / 1e9",
	  0.98, 1.02, WAKING, 1e-4, WAKING_WHY, PAIR_BOTH_RINGS, 1, 0 },
	{ "ref_cycles", "package", "G",
	  "MPERF", "mperf / 1e9", "fixed counter 2",
	  "core_fixed_counts[\"CPU_CLK_UNHALTED.REF_TSC\"] / 1e9",
	  0.98, 1.02, WAKING, 1e-4, WAKING_WHY, PAIR_BOTH_RINGS, 2, 0 },
	{ "energy_parts", "package", "J",
	  "package energy", "rapl_pkg_energy * RAPL_PKG_ENERGY_UNIT",
	  "energy of its cores", "rapl_pp0_energy * RAPL_PKG_ENERGY_UNIT",
	  1, INFINITY, NULL, 0.2, "the whole is no less than a part", 0, 0, 0 },
	{ "energy_tdp", "package", "J",
	  "package energy", "rapl_pkg_energy * RAPL_PKG_ENERGY_UNIT",
	  "TDP x time", "PACKAGE_TDP * time * packages",
	  0.005, 2, NULL, 0.2, "no package draws nothing; RAPL limits what it "
	  "draws, and to about the TDP", 0, 0, 0 },
	{ "node_power", "node", "J",
	  "energy of packages and DRAM",
	  "parts(rapl_pkg_energy * RAPL_PKG_ENERGY_UNIT,"
	  " rapl_dram_energy * RAPL_DRAM_ENERGY_UNIT)",
	  "of the node, by its own meter",
	  "first(file_node_energy, file_node_power * time,"
	  " file_acpi_power[\"00\"] * time)",
	  0, 1.02, NULL, 2, "parts draw no more than the whole, which rises when "
	  "they do", PAIR_RARE | PAIR_FOLLOWS, 0, 0 },
	{ "iio_in", "package", "GB",
	  "bytes in by PCIe, by counters that always run", PCIE("\"iio_*_in_bytes\"") " / 1e9",
	  "written by devices",
	  PCIE("first(iio[\"DATA_REQ_OF_CPU.MEM_WRITE\"],"
	  " iio[\"DATA_REQ_OF_CPU.MEM_WRITE.PART*\"])") " * 4 / 1e9",
	  0.98, INFINITY, NULL, 1e-4, "all that comes in is at least what "
	  "devices write; the rest is what the CPU reads of them",
	  PAIR_LEFT_MOVES, 0, 0 },
	{ "iio_out", "package", "GB",
	  "bytes out by PCIe, by counters that always run", PCIE("\"iio_*_out_bytes\"") " / 1e9",
	  "read by devices",
	  PCIE("first(iio[\"DATA_REQ_OF_CPU.MEM_READ\"],"
	  " iio[\"DATA_REQ_OF_CPU.MEM_READ.PART*\"])") " * 4 / 1e9",
	  0.98, INFINITY, NULL, 1e-4, "all that goes out is at least what "
	  "devices read; the rest is what the CPU writes to them",
	  PAIR_LEFT_MOVES, 0, 0 },
	/* the same of each port, for events that take turns part by part */
	{ "iio_in_part#", "package", "GB",
	  "bytes in by PCIe, by counters that always run",
	  PCIE("\"iio_*_port#_in_bytes\"") " / 1e9", "written by devices",
	  PCIE("iio[\"DATA_REQ_OF_CPU.MEM_WRITE.PART#\"]") " * 4 / 1e9",
	  0.98, INFINITY, NULL, 1e-4, "all that comes in is at least what "
	  "devices write; the rest is what the CPU reads of them",
	  PAIR_LEFT_MOVES, 0, 8 },
	{ "iio_out_part#", "package", "GB",
	  "bytes out by PCIe, by counters that always run",
	  PCIE("\"iio_*_port#_out_bytes\"") " / 1e9", "read by devices",
	  PCIE("iio[\"DATA_REQ_OF_CPU.MEM_READ.PART#\"]") " * 4 / 1e9",
	  0.98, INFINITY, NULL, 1e-4, "all that goes out is at least what "
	  "devices read; the rest is what the CPU writes to them",
	  PAIR_LEFT_MOVES, 0, 8 },
	{ "tsc_wall", "node", "s",
	  "time by the TSC", "tsc / tsc_hz", "by the wall clock", "wall_time",
	  0.995, 1.005, NULL, 0.005, "NTP slews the wall clock by 0.05 % at "
	  "most; the TSC's nominal rate is good to 0.3 %", PAIR_AT_ONCE, 0, 0 },
	{ "tsc_monotonic", "node", "s",
	  "time by the TSC's nominal rate",
	  "tsc / first(tsc_hz_nominal, TSC_ratio * 1e8)",
	  "by the monotonic clock", "tsc / monotonic_hz",
	  0.995, 1.005, NULL, 0.005, "the TSC's nominal rate is good to 0.3 %",
	  PAIR_AT_ONCE, 0, 0 },
	{ .name = NULL },
};
