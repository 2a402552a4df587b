/*
 * topology/complexes.c - AMD's core complexes (CCX: the cores of one L3) and the
 * dies that they are on (CCD).  Reference amd-zen 8.
 *
 * The kernel tells which lprocs are in a complex: those that share cache index3.  Its
 * number comes from the APIC ids, without the bits of the package; so the numbers of
 * the others stay the same where a complex is offline.
 */
#include "topology/topo.h"

#include "regs/access.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAF_MAX 0x80000000u
#define LEAF_FEATURES 0x80000001u
#define LEAF_SIZES 0x80000008u
#define LEAF_CACHES 0x8000001du
#define LEAF_APIC 0x8000001eu
#define LEAF_LEVELS 0x80000026u

/* How many low bits of an APIC id differ within a complex, a die and a package; -1:
 * unknown. */
struct shifts {
	int ccx, ccd, pkg;
};

/* Each sub-leaf is a level, ECX[15:8] its type; type 0 is the end. */
static void
complexes_by_levels(struct shifts *s, struct access *acc, unsigned lproc)
{
	uint32_t reg[4];                /* EAX EBX ECX EDX */

	for (uint32_t sub = 0; sub < 8 && cpuid(acc, lproc, LEAF_LEVELS, sub,
	    reg) && (reg[2] >> 8 & 0xff) != 0; sub++) {
		int shift = reg[0] & 0x1f;

		switch (reg[2] >> 8 & 0xff) {
		case 2:
			s->ccx = shift;
			break;
		case 3:
			s->ccd = shift;
			break;
		case 4:
			s->pkg = shift;
			break;
		}
	}
}

/* Before Zen 4: sub-leaf 3, if its level is 3, tells how many threads share the L3;
 * rounded up to a power of 2. */
static void
by_caches(struct shifts *s, struct access *acc, unsigned lproc)
{
	uint32_t reg[4];

	if (s->ccx < 0 && cpuid(acc, lproc, LEAF_CACHES, 3, reg) &&
	    (reg[0] >> 5 & 7) == 3)
		s->ccx = log2_up((reg[0] >> 14 & 0xfff) + 1);
	if (s->pkg < 0 && cpuid(acc, lproc, LEAF_SIZES, 0, reg))
		s->pkg = (reg[2] >> 12 & 0xf) != 0 ? (int)(reg[2] >> 12 & 0xf) :
		    log2_up((reg[2] & 0xff) + 1);
}

/* Returns false where CPUID does not tell which bits of an APIC id are the complex. */
static bool
complexes_find_shifts(struct shifts *s, struct access *acc, unsigned lproc)
{
	uint32_t reg[4], max;

	*s = (struct shifts){ -1, -1, -1 };
	if (!cpuid(acc, lproc, LEAF_MAX, 0, reg) || reg[0] < LEAF_APIC ||
	    reg[0] > 0x8000ffff)
		return false;
	max = reg[0];
	/* TopologyExtensions */
	if (!cpuid(acc, lproc, LEAF_FEATURES, 0, reg) ||
	    (reg[2] >> 22 & 1) == 0)
		return false;
	if (max >= LEAF_LEVELS)
		complexes_by_levels(s, acc, lproc);
	if (s->ccx < 0 || s->pkg < 0)
		by_caches(s, acc, lproc);
	if (s->ccd > s->pkg)
		s->ccd = -1;
	return s->ccx >= 0 && s->ccx <= s->pkg;
}

static uint32_t
complexes_number(uint32_t apic, int pkg, int shift)
{
	return (apic & ((1u << pkg) - 1)) >> shift;
}

/* Numbers the complexes by CPUID, for all lprocs whose CPUID can be read. */
static void
number_by_cpuid(struct topo *topo, struct access *acc)
{
	struct shifts s;
	uint32_t reg[4];

	if (!complexes_find_shifts(&s, acc, topo->pkg[0].first_lproc))
		return;
	for (unsigned l = 0; l < topo->nlproc; l++) {
		struct lproc *lp = &topo->lproc[l];

		if (!lp->online || !cpuid(acc, l, LEAF_APIC, 0, reg) ||
		    complexes_number(reg[0], s.pkg, s.ccx) >= MAX_LPROCS)
			continue;
		lp->ccx = (int)complexes_number(reg[0], s.pkg, s.ccx);
		if (s.ccd >= 0)
			lp->ccd = (int)complexes_number(reg[0], s.pkg, s.ccd);
		else if (topo->model != NULL && topo->model->ccxs_per_ccd != 0)
			lp->ccd = lp->ccx / topo->model->ccxs_per_ccd;
	}
}

/*
 * Do the kernel's sets of lprocs and the numbers agree?  0: one of them has
 * nothing to say; 1: they do; -1: they do not, and ccx_doubt has words.
 * of: by package and number, the set that has it, [npkg * nnumber], -1: none.
 */
static int
complexes_compare(struct topo *topo, int *of, unsigned nnumber)
{
	for (unsigned i = 0; i < topo->npkg * nnumber; i++)
		of[i] = -1;
	for (unsigned l = 0; l < topo->nlproc; l++) {
		const struct lproc *lp = &topo->lproc[l];
		int *set;

		if (!lp->online)
			continue;
		if (lp->l3 < 0 || lp->ccx < 0)
			return 0;
		set = &of[(unsigned)lp->pkg * nnumber + (unsigned)lp->ccx];
		if (*set < 0)
			*set = lp->l3;
		if (*set == lp->l3 && lp->ccx == topo->lproc[lp->l3].ccx)
			continue;
		snprintf(topo->ccx_doubt, sizeof(topo->ccx_doubt), "CPUID has "
		    "lproc %u in CCX %d of package %d, where sysfs "
		    "(cache/index3/shared_cpu_list) has %s: the sets are those "
		    "of sysfs, numbered in the order of their L3s", l, lp->ccx,
		    lp->pkg, *set != lp->l3 ? "not all of that one" :
		    "it with others");
		return -1;
	}
	return 1;
}

/* Compares two sets by the kernel's numbers of their caches. */
static bool
before(const struct lproc *a, const struct lproc *b)
{
	return a->l3_id != b->l3_id ? a->l3_id < b->l3_id : a->l3 < b->l3;
}

/* The rank of an lproc's L3 among those of its package. */
static int
rank(const struct topo *topo, const struct lproc *lp)
{
	int n = 0;

	for (unsigned k = 0; k < topo->nlproc; k++)
		n += topo->lproc[k].l3 == (int)k &&
		    topo->lproc[k].pkg == lp->pkg &&
		    before(&topo->lproc[k], lp);
	return n;
}

static void
number_by_rank(struct topo *topo)
{
	for (unsigned l = 0; l < topo->nlproc; l++) {
		struct lproc *lp = &topo->lproc[l];

		lp->ccx = lp->online && lp->l3 == (int)l ? rank(topo, lp) : -1;
		lp->ccd = -1;
	}
	for (unsigned l = 0; l < topo->nlproc; l++) {
		struct lproc *lp = &topo->lproc[l];

		if (lp->online && lp->l3 >= 0)
			lp->ccx = topo->lproc[lp->l3].ccx;
	}
}

static unsigned
complexes_highest(const struct topo *topo)
{
	unsigned n = 0;

	for (unsigned l = 0; l < topo->nlproc; l++)
		if (topo->lproc[l].ccx >= (int)n)
			n = (unsigned)topo->lproc[l].ccx + 1;
	return n;
}

int
complexes_load(struct topo *topo, struct access *acc)
{
	bool sets = false;
	int *of, agree;

	if (strcmp(topo->cpu.vendor, "AuthenticAMD") != 0)
		return 0;
	number_by_cpuid(topo, acc);
	topo->nccx = complexes_highest(topo);
	of = calloc((size_t)topo->npkg * topo->nccx + 1, sizeof(*of));
	if (of == NULL)
		return -ENOMEM;
	agree = complexes_compare(topo, of, topo->nccx);
	free(of);
	for (unsigned l = 0; l < topo->nlproc; l++)
		sets |= topo->lproc[l].l3 >= 0;
	/* where the kernel has no sets, CPUID's numbers stand alone */
	if (agree < 0 || (agree == 0 && sets))
		number_by_rank(topo);
	topo->nccx = complexes_highest(topo);
	return 0;
}

int
topo_ccx(const struct topo *topo, unsigned pkg, unsigned ccx)
{
	for (unsigned l = 0; l < topo->nlproc; l++) {
		const struct lproc *lp = &topo->lproc[l];

		if (lp->online && !lp->unreadable && lp->pkg == (int)pkg &&
		    lp->ccx == (int)ccx)
			return (int)l;
	}
	return -1;
}
