/*
 * daemon/instead/record_cpuid.c - CPUID of every lproc.
 *
 * Leaf 3 is left out: where a CPU has it, it is its serial number.
 */
#include "daemon/instead/recorder.h"

#include <inttypes.h>
#include <string.h>

#define SERIAL_NUMBER 3
#define MAX_LEAVES 0x40         /* above each of the bases below */
#define MAX_SUBLEAVES 8

/* Leaves with subleaves; the hardware ends their list with zeros. */
static bool
record_cpuid_is_counted(uint32_t leaf)
{
	static const uint32_t counted[] = { 0x4, 0x7, 0xb, 0xd, 0xf, 0x10,
		0x12, 0x14, 0x17, 0x18, 0x1d, 0x1f, 0x20, 0x23, 0x24,
		0x8000001d, 0x80000020, 0x80000026 };

	for (size_t i = 0; i < sizeof(counted) / sizeof(counted[0]); i++)
		if (counted[i] == leaf)
			return true;
	return false;
}

static bool
leaf_of(const struct recording *r, unsigned lproc, uint32_t leaf, uint32_t sub,
    uint32_t reg[4])
{
	char path[64];

	snprintf(path, sizeof(path), "/dev/cpu/%u/cpuid", lproc);
	return access_file(r->node->acc, path, leaf | (uint64_t)sub << 32, reg,
	    4 * sizeof(*reg)) == 4 * sizeof(*reg);
}

bool
record_cpuid_read(const struct recording *r)
{
	uint32_t reg[4];

	return leaf_of(r, topo_first(&r->node->topo), 0, 0, reg);
}

/* Does a subleaf end its list: no cache type, or no level? */
static bool
record_cpuid_is_end(uint32_t leaf, const uint32_t reg[4])
{
	switch (leaf) {
	case 0x4:
	case 0x8000001d:
		return (reg[0] & 0x1f) == 0;
	case 0xb:
	case 0x1f:
	case 0x80000026:
		return (reg[2] >> 8 & 0xff) == 0;
	}
	return false;
}

/* Records a subleaf: that of the first lproc, and where another lproc has another one.
 * False: it is the last. */
static bool
put_leaf(struct recording *r, uint32_t leaf, uint32_t sub)
{
	const struct topo *topo = &r->node->topo;
	unsigned first = topo_first(topo);
	uint32_t reg[4], own[4];
	char name[32];

	if (!leaf_of(r, first, leaf, sub, reg) ||
	    record_cpuid_is_end(leaf, reg))
		return false;
	if ((reg[0] | reg[1] | reg[2] | reg[3]) == 0)
		return true;
	snprintf(name, sizeof(name), sub == 0 ? "0x%" PRIx32 : "0x%" PRIx32
	    ".%" PRIu32, leaf, sub);
	fprintf(r->out, "cpuid %s 0x%08" PRIx32 " 0x%08" PRIx32 " 0x%08" PRIx32
	    " 0x%08" PRIx32 "\n", name, reg[0], reg[1], reg[2], reg[3]);
	for (unsigned l = 0; l < topo->nlproc; l++)
		if (l != first && topo->lproc[l].online &&
		    leaf_of(r, l, leaf, sub, own) &&
		    memcmp(reg, own, sizeof(reg)) != 0)
			fprintf(r->out, "cpuid %s 0x%08" PRIx32 " 0x%08" PRIx32
			    " 0x%08" PRIx32 " 0x%08" PRIx32 " lproc=%u\n",
			    name, own[0], own[1], own[2], own[3], l);
	return true;
}

/* Records the leaves from a base on, up to the last that the base names. */
static void
put_leaves(struct recording *r, uint32_t base)
{
	uint32_t reg[4], last;

	if (!leaf_of(r, topo_first(&r->node->topo), base, 0, reg) ||
	    reg[0] < base)
		return;
	last = reg[0] - base < MAX_LEAVES ? reg[0] : base + MAX_LEAVES;
	for (uint32_t leaf = base; leaf <= last; leaf++) {
		if (leaf == SERIAL_NUMBER)
			continue;
		for (uint32_t sub = 0; sub < MAX_SUBLEAVES; sub++)
			if (!put_leaf(r, leaf, sub) ||
			    !record_cpuid_is_counted(leaf))
				break;
	}
}

void
record_cpuid(struct recording *r)
{
	fputs("\n# CPUID\n", r->out);
	if (!record_cpuid_read(r)) {
		fprintf(r->out, "# unreadable (load the cpuid module)\n"
		    "file /dev/cpu/%u/cpuid none\n",
		    topo_first(&r->node->topo));
		return;
	}
	put_leaves(r, 0);
	put_leaves(r, 0x80000000);
}
