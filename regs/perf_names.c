/*
 * regs/perf_names.c - the kernel's own events, by the names that perf and
 * collectd's intel_pmu plugin give them.
 *
 * Numbers: include/uapi/linux/perf_event.h.  A cache event is cache |
 * operation << 8 | result << 16.  Intel's architectural events are the SDM's
 * (vol. 3B, 20.2.1.2): 0x3c, 0xc0, 0x4f2e, 0x412e, 0xc4, 0xc5, and reference
 * cycles at bus rate, 0x13c.
 */
#include "regs/perf.h"

#define HW(name, alias, config, intel) \
	{ name, alias, PERF_HARDWARE, config, intel }
#define SW(name, alias, config) { name, alias, PERF_SOFTWARE, config, 0 }
#define CACHE(name, cache, op, miss) \
	{ name, NULL, PERF_HW_CACHE, (cache) | (op) << 8 | (miss) << 16, 0 }

enum { L1D, L1I, LL, DTLB, ITLB, BPU, NODE };
enum { READ, WRITE, PREFETCH };

const struct perf_name perf_names[] = {
	HW("cpu-cycles", "cycles", 0, 0x003c),
	HW("instructions", NULL, 1, 0x00c0),
	HW("cache-references", NULL, 2, 0x4f2e),
	HW("cache-misses", NULL, 3, 0x412e),
	HW("branches", "branch-instructions", 4, 0x00c4),
	HW("branch-misses", NULL, 5, 0x00c5),
	HW("bus-cycles", NULL, 6, 0x013c),
	CACHE("L1-dcache-loads", L1D, READ, 0),
	CACHE("L1-dcache-load-misses", L1D, READ, 1),
	CACHE("L1-dcache-stores", L1D, WRITE, 0),
	CACHE("L1-dcache-store-misses", L1D, WRITE, 1),
	CACHE("L1-dcache-prefetches", L1D, PREFETCH, 0),
	CACHE("L1-dcache-prefetch-misses", L1D, PREFETCH, 1),
	CACHE("L1-icache-loads", L1I, READ, 0),
	CACHE("L1-icache-load-misses", L1I, READ, 1),
	CACHE("L1-icache-prefetches", L1I, PREFETCH, 0),
	CACHE("L1-icache-prefetch-misses", L1I, PREFETCH, 1),
	CACHE("LLC-loads", LL, READ, 0),
	CACHE("LLC-load-misses", LL, READ, 1),
	CACHE("LLC-stores", LL, WRITE, 0),
	CACHE("LLC-store-misses", LL, WRITE, 1),
	CACHE("LLC-prefetches", LL, PREFETCH, 0),
	CACHE("LLC-prefetch-misses", LL, PREFETCH, 1),
	CACHE("dTLB-loads", DTLB, READ, 0),
	CACHE("dTLB-load-misses", DTLB, READ, 1),
	CACHE("dTLB-stores", DTLB, WRITE, 0),
	CACHE("dTLB-store-misses", DTLB, WRITE, 1),
	CACHE("dTLB-prefetches", DTLB, PREFETCH, 0),
	CACHE("dTLB-prefetch-misses", DTLB, PREFETCH, 1),
	CACHE("iTLB-loads", ITLB, READ, 0),
	CACHE("iTLB-load-misses", ITLB, READ, 1),
	CACHE("branch-loads", BPU, READ, 0),
	CACHE("branch-load-misses", BPU, READ, 1),
	SW("cpu-clock", NULL, 0),
	SW("task-clock", NULL, 1),
	SW("page-faults", "faults", 2),
	SW("context-switches", "cs", 3),
	SW("cpu-migrations", "migrations", 4),
	SW("minor-faults", NULL, 5),
	SW("major-faults", NULL, 6),
	SW("alignment-faults", NULL, 7),
	SW("emulation-faults", NULL, 8),
	/* perf knows these; collectd's plugin does not. */
	HW("stalled-cycles-frontend", "idle-cycles-frontend", 7, 0),
	HW("stalled-cycles-backend", "idle-cycles-backend", 8, 0),
	HW("ref-cycles", NULL, 9, 0),
	CACHE("node-loads", NODE, READ, 0),
	CACHE("node-load-misses", NODE, READ, 1),
	CACHE("node-stores", NODE, WRITE, 0),
	CACHE("node-store-misses", NODE, WRITE, 1),
	CACHE("node-prefetches", NODE, PREFETCH, 0),
	CACHE("node-prefetch-misses", NODE, PREFETCH, 1),
	SW("dummy", NULL, 9),
	SW("bpf-output", NULL, 10),
	SW("cgroup-switches", NULL, 11),
	{ 0 }
};

const uint16_t perf_core_fixed[PERF_CORE_FIXED] = {
	0x00c0, 0x003c, 0x0300, 0x0400
};
