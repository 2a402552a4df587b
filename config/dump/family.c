/*
 * config/dump/family.c - the families of columns, and what their numbers are.
 *
 * Widths: Intel SDM vol. 3B ch. 19 (core, 48 bits since Nehalem), vol. 4
 * (RAPL status and MSR_SMI_COUNT, 32); Skylake-SP uncore manual 336274 (48;
 * free-running IIO counters 36).  The original tool prints the IIO counts
 * times 4, as bytes, so those wrap at 2^38.
 */
#include "config/dump/family.h"

#include <string.h>

/* A pattern is a name, or a head and a tail around one '*'. */
static const struct {
	const char *pattern;
	struct family family;
} families[] = {
	{ "tsc", { 64, 1, CLASS_TSC, "count" } },
	{ "lproc_tsc", { 64, 1, CLASS_TSC, "count" } },
	{ "pkg_tsc", { 64, 1, CLASS_TSC, "count" } },
	{ "walltime", { 0, 1, CLASS_WALL, "s" } },
	{ "core_fixed_counts", { 48, 1, CLASS_CYCLES, "count" } },
	{ "core_counts", { 48, 1, CLASS_EVENT, "count" } },
	{ "aperf", { 64, 1, CLASS_CYCLES, "count" } },
	{ "mperf", { 64, 1, CLASS_CYCLES, "count" } },
	{ "imc_counts", { 48, 1, CLASS_MEMCLK, "count" } },
	{ "soc_counts", { 32, 1, CLASS_SOC, "SoC counts" } },
	{ "ubox_uclk", { 48, 1, CLASS_UCLK, "count" } },
	{ "rapl_dram_energy", { 32, 1, CLASS_ENERGY_DRAM, "rapl_dram" } },
	{ "rapl_*_energy", { 32, 1, CLASS_ENERGY_PKG, "rapl_pkg" } },
	{ "rapl_*_throttled", { 32, 1, CLASS_SECONDS, "rapl_time" } },
	{ "smi_count", { 32, 1, CLASS_RARE, "count" } },
	{ "iio_*_bytes", { 36, 4, CLASS_BYTES_IO, "bytes" } },
	{ "ib_*", { 64, 1, CLASS_BYTES_NET, "bytes" } },
	{ "opa_*", { 64, 1, CLASS_BYTES_NET, "bytes" } },
	{ "*_temperature", { 0, 1, CLASS_TEMP, "C" } },
	{ "*_therm_status", { 0, 1, CLASS_READING, "bits" } },
	{ "*_limit_reasons", { 0, 1, CLASS_READING, "bits" } },
	/* what tallyd says of itself: so far, except the two last */
	{ "set_enabled", { 64, 1, CLASS_UCLK, "ns" } },
	{ "set_running", { 64, 1, CLASS_UCLK, "ns" } },
	{ "sample_cpu_ns", { 64, 1, CLASS_UCLK, "ns" } },
	{ "sample_rotate_ns", { 64, 1, CLASS_UCLK, "ns" } },
	{ "sample_duration_ns", { 0, 1, CLASS_READING, "ns" } },
	{ "sample_late_ns", { 0, 1, CLASS_READING, "ns" } },
	/* estimates of the daemon; what tally scales, it scales itself, but
	 * for sums, whose parts it does not see */
	{ "*_group_scaled", { 64, 1, CLASS_KERNEL, "count" } },
	{ "*_sum_scaled", { 64, 1, CLASS_KERNEL, "count" } },
	{ "*_scaled", { 0, 1, CLASS_READING, "count" } },
	/* sums over lprocs or boxes: no limit of one counter holds */
	{ "*_group_counts", { 64, 1, CLASS_KERNEL, "count" } },
	{ "*_sum_counts", { 64, 1, CLASS_KERNEL, "count" } },
	{ "*_group_enabled", { 64, 1, CLASS_KERNEL, "ns" } },
	{ "*_sum_enabled", { 64, 1, CLASS_KERNEL, "ns" } },
	{ "*_group_running", { 64, 1, CLASS_KERNEL, "ns" } },
	{ "*_sum_running", { 64, 1, CLASS_KERNEL, "ns" } },
	{ "*_counts", { 48, 1, CLASS_UNCORE, "count" } },
	/* residencies count at TSC frequency: MSR_CORE_C6_RESIDENCY, ... */
	{ "*_residency", { 64, 1, CLASS_CYCLES, "count" } },
};

static bool
matches(const char *pattern, const char *name, size_t len)
{
	const char *star;
	size_t head, tail;

	if (*pattern != '*' && (len == 0 || *pattern != *name))
		return false;
	if ((star = strchr(pattern, '*')) == NULL)
		return strlen(pattern) == len && memcmp(pattern, name, len) == 0;
	head = (size_t)(star - pattern);
	tail = strlen(star + 1);
	return len >= head + tail && memcmp(pattern, name, head) == 0 &&
	    memcmp(star + 1, name + len - tail, tail) == 0;
}

bool
family_known(const char *name, size_t len, struct family *family)
{
	static const struct family unknown = { 0, 1, CLASS_UNKNOWN, "" };

	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (matches(families[i].pattern, name, len)) {
			*family = families[i].family;
			return true;
		}
	*family = unknown;
	return false;
}

enum column_class
family_refine(const struct family *family, const char *event)
{
	if (event == NULL)
		return family->cls;
	switch (family->cls) {
	case CLASS_EVENT:
	case CLASS_UNCORE:
		/* Names that Intel gives to counters of queue entries. */
		if (strcasestr(event, "OCCUPANCY") != NULL ||
		    strcasestr(event, "OUTSTANDING") != NULL ||
		    strcasestr(event, "PEND") != NULL)
			return CLASS_OCCUPANCY;
		if (family->cls == CLASS_EVENT &&
		    strcasestr(event, "CPU_CLK") != NULL)
			return CLASS_CYCLES;
		return family->cls;
	case CLASS_CYCLES:
		/* Fixed counters: instructions, slots, and clocks. */
		if (strncasecmp(event, "INST", 4) == 0 ||
		    strcasestr(event, "SLOTS") != NULL)
			return CLASS_INSTR;
		return CLASS_CYCLES;
	case CLASS_MEMCLK:
		if (strncasecmp(event, "UNC_M_", 6) == 0)
			event += 6;
		if (strncasecmp(event, "CAS", 3) == 0)
			return CLASS_CAS;
		/* Another name says nothing: it may be a queue's length. */
		if (strncasecmp(event, "ACT", 3) == 0 ||
		    strncasecmp(event, "PRE_", 4) == 0 ||
		    strcasestr(event, "CLK") != NULL ||
		    strcasestr(event, "CLOCK") != NULL)
			return CLASS_MEMCLK;
		return CLASS_OCCUPANCY;
	default:
		return family->cls;
	}
}

enum column_class
family_class_of_unit(const char *unit)
{
	static const struct { const char *unit; uint8_t cls; } by_unit[] = {
		{ "rapl_pkg", CLASS_ENERGY_PKG },
		{ "rapl_dram", CLASS_ENERGY_DRAM },
		{ "rapl_time", CLASS_SECONDS },
		{ "bytes", CLASS_BYTES_NET }, { "C", CLASS_TEMP },
		{ "bits", CLASS_READING }, { "tsc", CLASS_TSC },
		{ "count", CLASS_UNCORE }, { "clocks", CLASS_UCLK },
		{ "cycles", CLASS_CYCLES }, { "ns", CLASS_UCLK },
		{ "events", CLASS_KERNEL },
	};

	for (size_t i = 0; i < sizeof(by_unit) / sizeof(by_unit[0]); i++)
		if (strcmp(unit, by_unit[i].unit) == 0)
			return by_unit[i].cls;
	return CLASS_UNKNOWN;
}
