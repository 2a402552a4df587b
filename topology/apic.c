/*
 * topology/apic.c - packages, cores and L3s by CPUID alone, where sysfs lacks them: in
 * a container that hides it, or with a kernel built without cache information.
 *
 * An APIC id has the fields thread, core and package, from low to high.  Leaf 0x1F or
 * 0xB tells their widths (SDM vol. 2A, CPUID); on older CPUs leaves 1 and 4 do, on
 * older AMD CPUs leaves 8000_0008 and 8000_001E (reference amd-zen 8).  Lprocs whose
 * ids are equal above a cache's shift share that cache: leaf 4, on AMD 8000_001D.
 */
#include "topology/topo.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { EAX, EBX, ECX, EDX };

/* How many low bits of an APIC id differ within a core, an L3 and a package; -1:
 * unknown. */
struct apic_fields {
	uint32_t leaf;                  /* the leaf that has the id, */
	unsigned reg, bit;              /* its register, and the id's lowest bit */
	int core, l3, pkg;
	bool core_ids;                  /* leaf 8000_001E has core ids */
};

int
log2_up(unsigned n)
{
	int bits = 0;

	while (bits < 31 && 1u << bits < n)
		bits++;
	return bits;
}

/* Each sub-leaf is a level, the widest last; ECX[15:8] is its type, 1: threads of a
 * core. */
static bool
by_levels(struct apic_fields *s, struct access *acc, unsigned lproc, uint32_t leaf)
{
	uint32_t reg[4];

	for (uint32_t sub = 0; sub < 8 && cpuid(acc, lproc, leaf, sub, reg) &&
	    (reg[ECX] >> 8 & 0xff) != 0 && reg[EBX] != 0; sub++) {
		s->pkg = reg[EAX] & 0x1f;
		if ((reg[ECX] >> 8 & 0xff) == 1)
			s->core = s->pkg;
	}
	s->leaf = leaf;
	s->reg = EDX;
	return s->pkg >= 0 && s->core >= 0;
}

/* Does AMD's CPU have TopologyExtensions? */
static bool
by_amd(struct apic_fields *s, struct access *acc, unsigned lproc)
{
	uint32_t reg[4];

	if (!cpuid(acc, lproc, 0x80000001, 0, reg) || (reg[ECX] >> 22 & 1) == 0 ||
	    !cpuid(acc, lproc, 0x80000008, 0, reg))
		return false;
	s->pkg = (reg[ECX] >> 12 & 0xf) != 0 ? (int)(reg[ECX] >> 12 & 0xf) :
	    log2_up((reg[ECX] & 0xff) + 1);
	if (!cpuid(acc, lproc, 0x8000001e, 0, reg))
		return false;
	s->core = log2_up((reg[EBX] >> 8 & 0xff) + 1);
	s->leaf = 0x8000001e;
	s->reg = EAX;
	return true;
}

/* Leaf 1: ids of 8 bits, and how many ids a package may have. */
static bool
by_leaf_1(struct apic_fields *s, struct access *acc, unsigned lproc, uint32_t max)
{
	uint32_t reg[4];
	unsigned ids, cores = 1;

	if (!cpuid(acc, lproc, 1, 0, reg))
		return false;
	ids = (reg[EDX] >> 28 & 1) != 0 ? reg[EBX] >> 16 & 0xff : 1;
	if (max >= 4 && cpuid(acc, lproc, 4, 0, reg))
		cores = (reg[EAX] >> 26) + 1;
	s->pkg = log2_up(ids);
	s->core = log2_up(ids / cores);
	s->leaf = 1;
	s->reg = EBX;
	s->bit = 24;
	return true;
}

/* Finds how many lprocs share the L3, rounded up to a power of two. */
static void
find_l3(struct apic_fields *s, struct access *acc, unsigned lproc, uint32_t leaf)
{
	uint32_t reg[4];

	for (uint32_t sub = 0; sub < 8 && cpuid(acc, lproc, leaf, sub, reg) &&
	    (reg[EAX] & 0x1f) != 0; sub++)
		if ((reg[EAX] >> 5 & 7) == 3)
			s->l3 = log2_up((reg[EAX] >> 14 & 0xfff) + 1);
	if (s->l3 > s->pkg)
		s->l3 = s->pkg;
}

static bool
find_shifts(const struct topo *topo, struct access *acc, unsigned lproc,
    struct apic_fields *s)
{
	bool amd = strcmp(topo->cpu.vendor, "AuthenticAMD") == 0 ||
	    strcmp(topo->cpu.vendor, "HygonGenuine") == 0;
	uint32_t reg[4], max;

	*s = (struct apic_fields){ .core = -1, .l3 = -1, .pkg = -1 };
	if (!cpuid(acc, lproc, 0, 0, reg))
		return false;
	max = reg[EAX];
	if (!(max >= 0x1f && by_levels(s, acc, lproc, 0x1f)) &&
	    !(max >= 0xb && by_levels(s, acc, lproc, 0xb)) &&
	    !(amd && by_amd(s, acc, lproc)) && !by_leaf_1(s, acc, lproc, max))
		return false;
	s->core_ids = amd && topo->cpu.family >= 0x17;
	if (amd || max >= 4)
		find_l3(s, acc, lproc, amd ? 0x8000001d : 4);
	return s->core <= s->pkg;
}

/* The lowest lproc up to l whose id is the same above the shift. */
static unsigned
apic_first_of(const struct topo *topo, const uint32_t *apic, unsigned l,
    int shift)
{
	for (unsigned k = 0; k < l; k++)
		if (topo->lproc[k].online && apic[k] >> shift == apic[l] >> shift)
			return k;
	return l;
}

static void
apic_place(struct topo *topo, struct access *acc, const struct apic_fields *s,
    const uint32_t *apic, unsigned l)
{
	struct lproc *lp = &topo->lproc[l];
	uint32_t reg[4], of = apic[l] & ((1u << s->pkg) - 1);

	lp->core = (int)(of >> s->core);
	if (s->core_ids && cpuid(acc, l, 0x8000001e, 0, reg))
		lp->core = (int)(reg[EBX] & 0xff);
	lp->die = 0;
	lp->thread = 0;
	for (unsigned k = 0; k < l; k++)
		lp->thread += topo->lproc[k].online &&
		    apic[k] >> s->core == apic[l] >> s->core;
}

/* Reads the ids of all online lprocs; false where one cannot be read. */
static bool
read_ids(const struct topo *topo, struct access *acc,
    const struct apic_fields *s, uint32_t *apic)
{
	uint32_t reg[4];

	for (unsigned l = 0; l < topo->nlproc; l++) {
		if (!topo->lproc[l].online)
			continue;
		if (!cpuid(acc, l, s->leaf, 0, reg))
			return false;
		apic[l] = reg[s->reg] >> s->bit;
	}
	return true;
}

int
apic_load(struct topo *topo, struct access *acc, unsigned lproc, int *pkg_id)
{
	bool cores = false, l3s = false;
	struct apic_fields s;
	uint32_t *apic;

	for (unsigned l = 0; l < topo->nlproc; l++) {
		cores |= topo->lproc[l].core >= 0;
		l3s |= topo->lproc[l].l3 >= 0;
	}
	if ((cores && l3s) || !find_shifts(topo, acc, lproc, &s))
		return 0;
	if ((apic = calloc(topo->nlproc, sizeof(*apic))) == NULL)
		return -ENOMEM;
	if (!read_ids(topo, acc, &s, apic))
		cores = l3s = true;             /* an id is missing: use none of them */
	for (unsigned l = 0; l < topo->nlproc; l++) {
		if (!topo->lproc[l].online)
			continue;
		if (!cores) {
			pkg_id[l] = (int)(apic[l] >> s.pkg);
			apic_place(topo, acc, &s, apic, l);
		}
		if (!l3s && s.l3 >= 0)
			topo->lproc[l].l3 = (int)apic_first_of(topo, apic, l,
			    s.l3);
	}
	free(apic);
	return 0;
}
