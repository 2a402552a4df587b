/*
 * topology/cpu_id.c - which CPU this is, from files alone: /proc/cpuinfo, and
 * /dev/cpu/N/cpuid for the counters that leaf 0xA tells.
 */
#include "topology/topo_int.h"

#include <ctype.h>
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
		return buf;
	}
	return NULL;
}

static bool
has_word(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = list; (p = strstr(p, word)) != NULL; p += n)
		if ((p == list || p[-1] == ' ') && (p[n] == ' ' || p[n] == 0))
			return true;
	return false;
}

/* Leaf 0xA of one online lproc (reference 3.3). */
static int
read_leaf_a(struct cpu_id *cpu, struct access *acc, unsigned lproc)
{
	uint32_t reg[4];                /* EAX EBX ECX EDX */
	char path[64];

	snprintf(path, sizeof(path), "/dev/cpu/%u/cpuid", lproc);
	if (acc->ops->file(acc, path, 0xa, reg, sizeof(reg)) != sizeof(reg))
		return -1;
	cpu->pmu_known = true;
	cpu->pmu_version = reg[0] & 0xff;
	if (cpu->pmu_version == 0)
		return 0;
	cpu->gp_counters = reg[0] >> 8 & 0xff;
	cpu->gp_bits = reg[0] >> 16 & 0xff;
	cpu->fixed_counters = reg[3] & 0x1f;
	cpu->fixed_bits = reg[3] >> 5 & 0xff;
	/* v5: a bitmap says which exist beyond the contiguous ones */
	while (cpu->pmu_version >= 5 && reg[2] >> cpu->fixed_counters & 1)
		cpu->fixed_counters++;
	return 0;
}

void
cpu_id_load(struct cpu_id *cpu, struct access *acc, unsigned lproc,
    bool threaded)
{
	char *text = malloc(CPUINFO_HEAD), *flags = malloc(CPUINFO_HEAD);
	char buf[32];

	memset(cpu, 0, sizeof(*cpu));
	if (text == NULL || flags == NULL)
		goto out;
	if (access_slurp(acc, "/proc/cpuinfo", text, CPUINFO_HEAD) < 0)
		goto out;
	cpuinfo_value(text, "vendor_id", cpu->vendor, sizeof(cpu->vendor));
	cpuinfo_value(text, "model name", cpu->name, sizeof(cpu->name));
	if (cpuinfo_value(text, "cpu family", buf, sizeof(buf)) != NULL)
		cpu->family = (unsigned)strtoul(buf, NULL, 10);
	if (cpuinfo_value(text, "model", buf, sizeof(buf)) != NULL)
		cpu->model = (unsigned)strtoul(buf, NULL, 10);
	if (cpuinfo_value(text, "stepping", buf, sizeof(buf)) != NULL)
		cpu->stepping = (unsigned)strtoul(buf, NULL, 10);
	if (read_leaf_a(cpu, acc, lproc) < 0 &&
	    cpuinfo_value(text, "flags", flags, CPUINFO_HEAD) != NULL &&
	    has_word(flags, "arch_perfmon")) {
		/* No cpuid device: what every supported server has, threads
		 * sharing the eight counters of a core (reference 3.3). */
		cpu->pmu_version = 3;
		cpu->gp_counters = threaded ? 4 : 8;
		cpu->gp_bits = cpu->fixed_bits = 48;
		cpu->fixed_counters = 3;
	}
out:
	free(text);
	free(flags);
}
