/*
 * topology/cpu_id.c - which CPU this is, from files alone: /proc/cpuinfo, and
 * /dev/cpu/N/cpuid for the counters that leaf 0xA reports.
 */
#include "topology/topo.h"

#include "lib/printable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPUINFO_HEAD 16384      /* more than one CPU's paragraph */

/* The value of "key\t: value" in the first paragraph; or NULL. */
static const char *
cpuinfo_value(char *text, const char *key, char *buf, size_t size)
{
	size_t n = strlen(key);

	for (char *line = text; line != NULL && *line != '\0' && *line != '\n';
	    line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
		char *p = line + n;
		size_t len;

		if (strncmp(line, key, n) != 0)
			continue;
		while (*p == ' ' || *p == '\t')
			p++;
		if (*p++ != ':')
			continue;
		while (*p == ' ')
			p++;
		len = strcspn(p, "\n");
		if (len >= size)
			len = size - 1;
		memcpy(buf, p, len);
		buf[len] = '\0';
		return printable(buf);
	}
	return NULL;
}

/* Enable bits of general counters, and control fields of fixed ones, in
 * IA32_PERF_GLOBAL_CTRL and IA32_FIXED_CTR_CTRL (reference 3.1). */
#define MAX_GENERAL 32
#define MAX_FIXED 16

static bool
is_width(unsigned bits)
{
	return bits >= 1 && bits <= 64;
}

/* Reads leaf 0xA of an online lproc (reference 3.3); false where it is missing or has
 * values that no CPU has. */
static bool
read_leaf_a(struct cpu_id *cpu, struct access *acc, unsigned lproc)
{
	unsigned general, fixed, version;
	uint32_t reg[4];                /* EAX EBX ECX EDX */
	char path[64];

	snprintf(path, sizeof(path), "/dev/cpu/%u/cpuid", lproc);
	if (access_file(acc, path, 0xa, reg, sizeof(reg)) != sizeof(reg))
		return false;
	version = reg[0] & 0xff;
	general = reg[0] >> 8 & 0xff;
	fixed = reg[3] & 0x1f;
	/* version 5: a bitmap tells which exist above the contiguous ones */
	while (version >= 5 && fixed < 32 && reg[2] >> fixed & 1)
		fixed++;
	cpu->pmu_odd = version != 0 && (general > MAX_GENERAL ||
	    fixed > MAX_FIXED ||
	    (general > 0 && !is_width(reg[0] >> 16 & 0xff)) ||
	    (fixed > 0 && !is_width(reg[3] >> 5 & 0xff)));
	if (cpu->pmu_odd)
		return false;
	cpu->pmu_known = true;
	cpu->pmu_version = version;
	if (version == 0)
		return true;
	cpu->gp_counters = general;
	cpu->gp_bits = general > 0 ? reg[0] >> 16 & 0xff : 0;
	cpu->fixed_counters = fixed;
	cpu->fixed_bits = fixed > 0 ? reg[3] >> 5 & 0xff : 0;
	return true;
}

bool
cpuid(struct access *acc, unsigned lproc, uint32_t leaf, uint32_t sub,
    uint32_t reg[4])
{
	char path[64];

	snprintf(path, sizeof(path), "/dev/cpu/%u/cpuid", lproc);
	return access_file(acc, path, (uint64_t)sub << 32 | leaf, reg, 16) == 16;
}

/*
 * AMD's counters (reference amd-zen 1.3, 2).  Core: six of 48 bits with
 * PerfCtrExtCore (leaf 8000_0001, ECX bit 23); with PerfMonV2 (leaf 8000_0022, EAX
 * bit 0) as many as that leaf says.  Older CPUs have four at other addresses, which
 * count as none here.  The same leaves announce those of the data fabric (bit 24:
 * four, or EBX 15:10) and of the L3s (bit 28: six each).
 */
static bool
read_amd(struct cpu_id *cpu, struct access *acc, unsigned lproc)
{
	uint32_t reg[4], v2[4] = { 0 }; /* EAX EBX ECX EDX */
	bool second;

	if (!cpuid(acc, lproc, 0x80000000, 0, reg) || reg[0] < 0x80000001 ||
	    reg[0] > 0x8000ffff)
		return false;
	second = reg[0] >= 0x80000022 && cpuid(acc, lproc, 0x80000022, 0, v2) &&
	    (v2[0] & 1) != 0;
	cpu->pmu_known = true;
	if (!cpuid(acc, lproc, 0x80000001, 0, reg))
		return true;
	if (reg[2] >> 24 & 1)
		cpu->announced[ANNOUNCED_DF] = second ? v2[1] >> 10 & 0x3f : 4;
	if (reg[2] >> 28 & 1)
		cpu->announced[ANNOUNCED_L3] = 6;
	if ((reg[2] >> 23 & 1) == 0)
		return true;
	cpu->pmu_version = second ? 2 : 1;
	cpu->gp_counters = second ? v2[1] & 0xf : 6;
	cpu->gp_bits = 48;
	return true;
}

/* Takes what the kernel found out (/proc/cpuinfo), where there is no cpuid device. */
static void
amd_flags(struct cpu_id *cpu, const char *flags)
{
	if (has_word(flags, ' ', "perfctr_core"))
		cpu->pmu_version = has_word(flags, ' ', "perfmon_v2") ? 2 : 1;
	cpu->announced[ANNOUNCED_DF] = has_word(flags, ' ', "perfctr_nb") ?
	    4 : 0;
	cpu->announced[ANNOUNCED_L3] = has_word(flags, ' ', "perfctr_llc") ?
	    6 : 0;
}

/* Arm's implementers and parts (reference grace-arm 1.3, more-cpus 5.2). */
static const struct {
	uint32_t midr;          /* & MIDR_MASK */
	const char *name;
} arm_parts[] = {
	{ 0x410fd4f0, "Arm Neoverse V2" }, { 0x410fd400, "Arm Neoverse V1" },
	{ 0x410fd490, "Arm Neoverse N2" }, { 0x410fd0c0, "Arm Neoverse N1" },
	{ 0x410fd030, "Arm Cortex-A53" }, { 0x410fd070, "Arm Cortex-A57" },
	{ 0x410fd080, "Arm Cortex-A72" }, { 0x410fd0b0, "Arm Cortex-A76" },
	{ 0x410fd410, "Arm Cortex-A78" }, { 0x410fd440, "Arm Cortex-X1" },
	{ 0x410fd460, "Arm Cortex-A510" }, { 0x410fd470, "Arm Cortex-A710" },
	{ 0x410fd480, "Arm Cortex-X2" }, { 0x420f5160, "ThunderX2" },
	{ 0x430f0af0, "ThunderX2" }, { 0x460f0010, "Fujitsu A64FX" },
	{ 0x480fd010, "HiSilicon TSV110" }, { 0x500f0000, "Ampere eMAG" },
	{ 0xc00fac30, "AmpereOne" }, { 0xc00fac40, "AmpereOne 1A" },
	{ 0x6d0fd490, "Azure Cobalt 100" }, { 0x410fd840, "Arm Neoverse V3" },
	{ 0x410fd8e0, "Arm Neoverse N3" }, { 0x4e0f0100, "NVIDIA Olympus" },
};

/*
 * MIDR_EL1: from sysfs since Linux 4.8, else composed of fields of /proc/cpuinfo.
 * Implementer 31:24, variant 23:20, architecture 19:16 (all ones: look at the
 * ID registers), part 15:4, revision 3:0.
 */
static void
load_midr(struct cpu_id *cpu, struct access *acc, unsigned lproc, char *text)
{
	static const struct { const char *key; unsigned lo, bits; } part[] = {
		{ "CPU implementer", 24, 8 }, { "CPU variant", 20, 4 },
		{ "CPU part", 4, 12 }, { "CPU revision", 0, 4 },
	};
	char path[96], buf[32];
	int64_t midr = 0;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/regs/"
	    "identification/midr_el1", lproc);
	if (access_number(acc, path, &midr) < 0 || midr <= 0 ||
	    midr > UINT32_MAX) {
		if (cpuinfo_value(text, part[0].key, buf, sizeof(buf)) == NULL)
			return;
		midr = 0xf << 16;
		for (unsigned i = 0; i < 4; i++)
			if (cpuinfo_value(text, part[i].key, buf,
			    sizeof(buf)) != NULL)
				midr |= (int64_t)(strtoul(buf, NULL, 0) &
				    ((1u << part[i].bits) - 1)) << part[i].lo;
	}
	cpu->midr = (uint32_t)midr;
	snprintf(cpu->name, sizeof(cpu->name), "Arm core, MIDR 0x%08x",
	    cpu->midr);
	for (size_t i = 0; i < sizeof(arm_parts) / sizeof(arm_parts[0]); i++)
		if (arm_parts[i].midr == (cpu->midr & MIDR_MASK))
			snprintf(cpu->name, sizeof(cpu->name), "%s r%up%u",
			    arm_parts[i].name, cpu->midr >> 20 & 0xf,
			    cpu->midr & 0xf);
	snprintf(cpu->vendor, sizeof(cpu->vendor), "%s",
	    cpu->midr >> 24 == 0x41 ? "ARM" : "Arm licensee");
}

void
cpu_id_assume(struct cpu_id *cpu, const struct model *m, bool threaded)
{
	bool known = m != NULL && m->core != NULL &&
	    m->core->space == REG_MSR;

	if (cpu->pmu_known || cpu->pmu_version == 0)
		return;
	cpu->gp_counters = known ? m->core->counters : 8;
	cpu->gp_bits = cpu->fixed_bits = known ? m->core->bits : 48;
	if (threaded && (!known || m->threads_share))
		cpu->gp_counters /= 2;
	cpu->fixed_counters = known ? 0 : 3;
	while (known && m->fixed != NULL && m->fixed->name[cpu->fixed_counters] != NULL)
		cpu->fixed_counters++;
}

void
cpu_id_load(struct cpu_id *cpu, struct access *acc, unsigned lproc)
{
	char *text = malloc(CPUINFO_HEAD), *flags = malloc(CPUINFO_HEAD);
	char buf[32];

	memset(cpu, 0, sizeof(*cpu));
	if (text == NULL || flags == NULL)
		goto out;
	if (access_slurp(acc, "/proc/cpuinfo", text, CPUINFO_HEAD) < 0)
		text[0] = '\0';
	cpuinfo_value(text, "vendor_id", cpu->vendor, sizeof(cpu->vendor));
	cpuinfo_value(text, "model name", cpu->name, sizeof(cpu->name));
	if (cpuinfo_value(text, "cpu family", buf, sizeof(buf)) != NULL)
		cpu->family = (unsigned)strtoul(buf, NULL, 10);
	if (cpuinfo_value(text, "model", buf, sizeof(buf)) != NULL)
		cpu->model = (unsigned)strtoul(buf, NULL, 10);
	if (cpuinfo_value(text, "stepping", buf, sizeof(buf)) != NULL)
		cpu->stepping = (unsigned)strtoul(buf, NULL, 10);
	if (cpu->vendor[0] == '\0')
		load_midr(cpu, acc, lproc, text);
	if (cpuinfo_value(text, "flags", flags, CPUINFO_HEAD) == NULL)
		flags[0] = '\0';
	cpu->guest = has_word(flags, ' ', "hypervisor");
	/* no cpuid device: cpu_id_assume */
	if (strcmp(cpu->vendor, "AuthenticAMD") == 0 ||
	    strcmp(cpu->vendor, "HygonGenuine") == 0) {
		if (!read_amd(cpu, acc, lproc))
			amd_flags(cpu, flags);
	} else if (!read_leaf_a(cpu, acc, lproc) &&
	    has_word(flags, ' ', "arch_perfmon"))
		cpu->pmu_version = 3;
out:
	free(text);
	free(flags);
}
