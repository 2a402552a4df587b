/*
 * topology/unit_umc.c - AMD's memory controllers: CPUID tells for each package which
 * of them are in use, and how many counters they have together.
 *
 * Leaf 8000_0022 (reference amd-zen 1.3, 6): EAX bit 0 PerfMonV2, EBX 23:16 all
 * counters of the package, ECX a bit for each UMC that is in use.  The registers of
 * UMCs in use follow each other without gaps, those of one UMC side by side.
 */
#include "topology/inventory_int.h"
#include "topology/topo_int.h"

#include <inttypes.h>

#define LEAF 0x80000022u

struct umcs {
	unsigned counters;              /* of all UMCs together */
	uint32_t mask;
};

/* Reads the leaf on a CPU of the package; false, with the reason in u, where that
 * tells nothing. */
static bool
unit_umc_ask(struct unit *u, unsigned lproc, struct access *acc,
    struct umcs *say)
{
	uint32_t reg[4];                /* EAX EBX ECX EDX */

	if (!cpuid(acc, lproc, 0x80000000, 0, reg)) {
		unit_absent(u, "how many there are CPUID alone says, and "
		    "/dev/cpu/%u/cpuid cannot be read (load the cpuid module)",
		    lproc);
		return false;
	}
	*say = (struct umcs){ 0 };
	if (reg[0] >= LEAF && reg[0] <= 0x8000ffff &&
	    cpuid(acc, lproc, LEAF, 0, reg) && (reg[0] & 1) != 0)
		*say = (struct umcs){ reg[1] >> 16 & 0xff, reg[2] };
	if (say->counters != 0 || say->mask != 0)
		return true;
	unit_absent(u, "CPUID announces no counters of it (a virtual machine, "
	    "or firmware hides them)");
	return false;
}

void
unit_umc(struct unit *u, const struct package *pkg, struct access *acc)
{
	const struct box_type *type = u->type;
	struct umcs say;
	unsigned n, each;

	if (!unit_umc_ask(u, pkg->first_lproc, acc, &say))
		return;
	n = (unsigned)__builtin_popcount(say.mask);
	each = n != 0 ? say.counters / n : 0;
	if (each == 0 || each * n != say.counters || n > type->instances) {
		unit_absent(u, "CPUID leaf 0x%x has %u counters for the %u UMCs "
		    "of mask 0x%" PRIx32 ", and nobody knows how those lie: "
		    "--access perf (amd_umc_N), or the data fabric (-c @fabric)",
		    LEAF, say.counters, n, say.mask);
		return;
	}
	if (u->inst >= n) {
		unit_absent(u, "not on this part: it has %u (CPUID mask 0x%"
		    PRIx32 ")", n, say.mask);
		return;
	}
	/* the type's stride is that of four counters */
	u->base = (uint64_t)u->inst * 2 * each - (uint64_t)u->inst * type->stride;
	u->counters = (uint8_t)(each < type->counters ? each : type->counters);
}
