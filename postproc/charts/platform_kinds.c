/*
 * postproc/charts/platform_kinds.c - what the drawing of a node has, by kind of CPU:
 * metrics of config/metrics.
 */
#include "postproc/charts/platform.h"

#define ALL(place) PLACE_##place, ON_ALL, SCOPE_OF_PACKAGE
#define XEON(place) PLACE_##place, ON_XEON, SCOPE_OF_PACKAGE
#define GRACE(place) PLACE_##place, ON_GRACE, SCOPE_OF_PACKAGE
#define SOC(place) PLACE_##place, ON_SOC, SCOPE_OF_NODE

#define MODULE(name, number) { SOC(MODULES), .label = "module " #number, \
	.caption = "Modules of two cores: traffic, MB/s", \
	.metric = { name, name "_estimate" }, .module = number + 1, \
	.more = { name "_read", name "_write", name "_requests", \
	name "_snoops", name "_snoop_replies" } }

static const struct part_kind kinds[] = {
	{ ALL(TITLE), .metric = { "utilisation" } },
	{ ALL(TITLE), .metric = { "frequency", "mean_frequency" } },
	{ ALL(TITLE), .metric = { "package_power" } },
	{ ALL(TITLE), .metric = { "temperature" } },

	{ PLACE_ABOVE, ON_XEON, SCOPE_OF_BOX, .label = "UPI",
	    .caption = "Links to other packages: sent, GB/s",
	    .metric = { "upi_out" }, .load = "upi_utilisation",
	    .more = { "upi_in" }, .unit = "UPI" },
	{ GRACE(ABOVE), .caption = "Links, and memory of other sockets, GB/s",
	    .label = "C2C0 read", .metric = { "c2c0_rd_bw", "c2c0_bw" },
	    .more = { "c2c0_rd_latency" } },
	{ GRACE(ABOVE), .label = "C2C0 write", .metric = { "c2c0_wr_bw" } },
	{ GRACE(ABOVE), .label = "C2C1 read", .metric = { "c2c1_rd_bw",
	    "c2c1_bw" }, .more = { "c2c1_rd_latency" } },
	{ GRACE(ABOVE), .label = "C2C1 write", .metric = { "c2c1_wr_bw" } },
	{ GRACE(ABOVE), .label = "CNVLink read", .metric = { "cnvlink_rd_bw",
	    "cnvlink_bw" }, .more = { "cnvlink_rd_latency" } },
	{ GRACE(ABOVE), .label = "CNVLink write",
	    .metric = { "cnvlink_wr_bw" } },
	{ GRACE(ABOVE), .label = "remote read", .metric = { "remote_rd_bw" },
	    .load = "remote_rd_util", .more = { "remote_rd_latency" } },
	{ GRACE(ABOVE), .label = "remote write",
	    .metric = { "remote_wr_bw" }, .load = "remote_wr_util" },

	{ PLACE_BESIDE, ON_XEON, SCOPE_OF_BOX, .caption = "DRAM",
	    .label = "ch", .metric = { "dram_bandwidth" }, .load = "dram_busy",
	    .more = { "dram_read", "dram_write", "page_hit", "page_miss",
	    "page_conflict" }, .unit = "IMC" },
	{ GRACE(BESIDE), .caption = "Memory", .label = "CPU read",
	    .metric = { "cmem_rd_bw" }, .load = "cmem_rd_util",
	    .more = { "cmem_rd_latency" } },
	{ GRACE(BESIDE), .label = "CPU write", .metric = { "cmem_wr_bw" },
	    .load = "cmem_wr_util" },
	{ GRACE(BESIDE), .label = "GPU read", .metric = { "gmem_rd_bw" },
	    .load = "gmem_rd_util", .more = { "gmem_rd_latency" } },
	{ GRACE(BESIDE), .label = "GPU write", .metric = { "gmem_wr_bw" },
	    .load = "gmem_wr_util" },
	{ SOC(BESIDE), .caption = "DRAM", .label = "ch 0", .metric = { "ddr0" },
	    .more = { "ddr0_read", "ddr0_write", "ddr0_self_refresh" } },
	{ SOC(BESIDE), .label = "ch 1", .metric = { "ddr1" },
	    .more = { "ddr1_read", "ddr1_write", "ddr1_self_refresh" } },

	{ PLACE_CORES, ON_ALL, SCOPE_OF_CORE, .caption = "Cores",
	    .metric = { "utilisation", "mean_frequency" },
	    .more = { "frequency", "ipc", "l2_miss_ratio" } },
	MODULE("mod0", 0), MODULE("mod1", 1), MODULE("mod2", 2),
	MODULE("mod3", 3),

	{ XEON(CACHES), .caption = "Caches", .label = "L2 misses",
	    .metric = { "l2_miss_ratio", "l2_mpki", "l2_misses" } },
	{ XEON(CACHES), .caption = "Caches", .label = "L3 miss reads",
	    .metric = { "l3_miss_reads", "l3_mpki" } },
	{ XEON(CACHES), .caption = "Caches", .label = "L3 misses",
	    .metric = { "l3_miss_ratio" }, .more = { "l3_miss_latency" } },
	{ XEON(CACHES), .caption = "Caches", .label = "uncore clock",
	    .metric = { "uncore_frequency" } },
	{ GRACE(CACHES), .caption = "Caches and fabric (SCF)",
	    .label = "L1D refills", .metric = { "l1d_miss_ratio" },
	    .more = { "l1d_mpki" } },
	{ GRACE(CACHES), .label = "L2 refills", .metric = { "l2_miss_ratio" },
	    .more = { "l2_mpki" } },
	{ GRACE(CACHES), .label = "LL read hits",
	    .metric = { "ll_read_hit_ratio" }, .more = { "ll_read_mpki" } },
	{ GRACE(CACHES), .label = "SCF clock", .metric = { "scf_freq" } },
	{ GRACE(CACHES), .label = "SCF cache",
	    .metric = { "scf_cache_rate" } },
	{ GRACE(CACHES), .label = "SCF hits",
	    .metric = { "ll_hit_estimate" } },
	{ PLACE_CACHES, ON_SOC, SCOPE_OF_PACKAGE, .caption = "Caches",
	    .label = "L2 misses", .metric = { "l2_misses" },
	    .more = { "l2_miss_traffic" } },
	{ PLACE_CACHES, ON_SOC, SCOPE_OF_PACKAGE, .label = "L2 miss ratio",
	    .metric = { "l2_miss_ratio" } },
	{ SOC(CACHES), .label = "SoC clock", .metric = { "soc_clock" } },

	{ PLACE_SLICES, ON_XEON, SCOPE_OF_BOX, .caption = "L3 slices (CHA)",
	    .metric = { "cha_sf_evict_modified" }, .more = { "cha_sf_evict_exclusive",
	    "cha_sf_evict_shared", "cha_snoop_evict_hit", "home_reads",
	    "home_writes", "cha_frequency" }, .unit = "CHA" },

	{ PLACE_INSIDE, ON_XEON, SCOPE_OF_BOX, .caption = "HBM",
	    .metric = { "hbm_bandwidth" }, .more = { "hbm_read",
	    "hbm_write" }, .unit = "MCHBM" },

	{ GRACE(BELOW), .caption = "PCIe, GB/s", .label = "PCIe read",
	    .metric = { "pcie_rd_bw", "pcie_bw" }, .load = "pcie_rd_port_util",
	    .more = { "pcie_loc_rd_latency", "pcie_rem_rd_latency" } },
	{ GRACE(BELOW), .label = "PCIe write", .metric = { "pcie_wr_bw" },
	    .load = "pcie_wr_port_util" },
	{ SOC(BELOW), .caption = "Fabrics, MB/s", .label = "high-speed",
	    .metric = { "high", "high_estimate" },
	    .more = { "high_read", "high_write", "high_requests" } },
	{ SOC(BELOW), .label = "low-speed", .metric = { "low",
	    "low_estimate" }, .more = { "low_read", "low_write",
	    "low_requests" } },

	{ PLACE_STACKS, ON_XEON, SCOPE_OF_BOX,
	    .caption = "I/O stacks and devices", .unit = "IIO" },
};

const struct part_kind *
platform_kinds(size_t *n)
{
	*n = sizeof kinds / sizeof *kinds;
	return kinds;
}
