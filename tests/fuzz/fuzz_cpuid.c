/*
 * tests/fuzz/fuzz_cpuid.c - any bytes as the answer of CPUID, 16 of them, and as
 * /proc/cpuinfo, the rest: counters that a CPU can have, or none.  All leaves
 * answer alike, but that 8000_0000 has those that are asked for wherever the
 * first byte is odd.  With libFuzzer; seeds in seeds/cpuid.
 */
#include "lib/printable.h"
#include "topology/topo.h"

#include <errno.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct stand_in {
	struct access acc;
	const uint8_t *data;
	size_t size;
};

static ssize_t
file(struct access *acc, const char *path, uint64_t offset, void *buf,
    size_t size)
{
	const struct stand_in *s = (const struct stand_in *)acc;
	size_t leaf = s->size < 16 ? s->size : 16, n;
	bool cpuid = strcmp(path, "/dev/cpu/3/cpuid") == 0;
	static const uint32_t highest = 0x80000022;

	if (cpuid && offset != 0xa && offset >> 8 != 0x800000)
		__builtin_trap();
	if (!cpuid && strcmp(path, "/proc/cpuinfo") != 0)
		return -ENOENT;
	n = cpuid ? leaf : s->size - leaf;
	n = n < size ? n : size;
	memcpy(buf, s->data + (cpuid ? 0 : leaf), n);
	if (offset == 0x80000000 && n >= sizeof(highest) && s->data[0] % 2 != 0)
		memcpy(buf, &highest, sizeof(highest));
	return (ssize_t)n;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct host_ops host = { .file = file };
	static const struct access_ops ops = { .name = "fuzz", .host = &host };
	struct stand_in s = { .acc = { .ops = &ops }, .data = data,
	    .size = size };
	struct cpu_id cpu;

	cpu_id_load(&cpu, &s.acc, 3);
	cpu_id_assume(&cpu, model_named(size % 2 ? "skx" : "grace"),
	    size % 3 == 0);
	if (cpu.gp_counters > 32 || cpu.gp_bits > 64 ||
	    cpu.fixed_counters > 16 || cpu.fixed_bits > 64 ||
	    (cpu.pmu_known && cpu.pmu_odd) ||
	    (cpu.gp_counters > 0 && cpu.gp_bits == 0))
		__builtin_trap();
	for (const char *p = cpu.name; *p != '\0';)
		if (printable_length(p) == 0)
			__builtin_trap();
		else
			p += printable_length(p);
	return 0;
}
