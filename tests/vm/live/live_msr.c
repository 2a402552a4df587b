// SPDX-License-Identifier: Dual BSD/GPL
/*
 * tests/vm/live/live_msr.c - the MSRs of a Skylake-SP.  Numbers: Intel's SDM and
 * uncore manual, as the tables of tests/data/skx-registers.tsv have them.
 */
#include "live.h"

#include <asm/msr.h>
#include <asm/tsc.h>
#include <linux/cpumask.h>
#include <linux/slab.h>
#include <linux/topology.h>

#define LPROC_REGS 48
#define PKG_REGS 512
#define PACKAGES 4

static struct live_bank *lproc_bank;
static struct live_bank pkg_bank[PACKAGES];
static unsigned int packages;

/* As a real node has them, by the recording of tests/data/. */
static const u8 buses[2][4] = {
	{ 0x00, 0x17, 0x3a, 0x5d }, { 0x80, 0x85, 0xae, 0xd7 },
};

unsigned int
live_bus(unsigned int pkg, unsigned int role)
{
	return buses[pkg & 1][role];
}

/* How many CHAs a package has: bits of its CAPID6. */
static unsigned int
chas(unsigned int pkg)
{
	return pkg == 0 ? 12 : 9;
}

static void
add_core(struct live_bank *b, unsigned int lproc)
{
	static const u16 free[] = { 0xe7, 0xe8, 0x64e, 0x3fd };
	static const u16 plain[] = { 0x1a6, 0x1a7, 0x3f6, 0x3f7 };
	struct live_reg *global = live_add(b, 0x38f, 0, 0xf), *fixed, *r;
	unsigned int i;

	fixed = live_add(b, 0x38d, 0, 0);
	for (i = 0; i < 7; i++) {
		bool is_fixed = i >= 4;
		struct live_reg *ctl = is_fixed ? fixed : live_add(b, 0x186 +
		    i, 0, 0x10000 | lproc << 8 | (i + 1));

		r = live_add(b, is_fixed ? 0x309 + i - 4 : 0xc1 + i, 48,
		    (1ull << 48) - ((lproc + 1ull) << (24 + i / 2)));
		r->is_fixed = is_fixed;
		r->nth = is_fixed ? i - 4 : i;
		r->ctl = ctl;
		r->global = global;
		r->kind = is_fixed ? PLANTED_LPROC : PLANTED_CORE;
		r->unit = lproc;
	}
	for (i = 0; i < ARRAY_SIZE(free); i++) {
		r = live_add(b, free[i], 64, (u64)lproc << 32 | i << 20 | 1);
		r->kind = PLANTED_LPROC;
		r->unit = lproc;
	}
	for (i = 0; i < ARRAY_SIZE(plain); i++)
		live_add(b, plain[i], 0, 0);
}

static void
add_free(struct live_bank *b, u32 msr, u8 bits, unsigned int pkg)
{
	struct live_reg *r = live_add(b, msr, bits, (1ull << (bits - 1)) +
	    msr * 977ull);

	r->kind = PLANTED_PKG;
	r->unit = pkg;
}

static void
add_uncore(struct live_bank *b, unsigned int pkg)
{
	struct live_reg *global = live_add(b, 0x700, 0, 0);
	unsigned int unit = pkg << 7, i, k;

	live_box(b, &(struct live_box){ .ctl = 0x705, .ctl_step = 1, .n = 2,
	    .ctr = 0x709, .ctr_step = 1, .fixed_ctl = 0x703,
	    .fixed_ctr = 0x704, .global = global }, unit + PLANTED_UBOX);
	live_box(b, &(struct live_box){ .box_ctl = 0x710, .ctl = 0x711,
	    .ctl_step = 1, .ctr = 0x717, .ctr_step = 1, .n = 4,
	    .filter = { 0x715 }, .global = global }, unit + PLANTED_PCU);
	for (i = 0; i < chas(pkg); i++)
		live_box(b, &(struct live_box){ .box_ctl = 0xe00 + 0x10 * i,
		    .ctl = 0xe01 + 0x10 * i, .ctl_step = 1, .n = 4,
		    .ctr = 0xe08 + 0x10 * i, .ctr_step = 1, .global = global,
		    .filter = { 0xe05 + 0x10 * i, 0xe06 + 0x10 * i } },
		    unit + PLANTED_CHA + i);
	for (i = 0; i < 6; i++) {
		live_box(b, &(struct live_box){ .box_ctl = 0xa40 + 0x20 * i,
		    .ctl = 0xa48 + 0x20 * i, .ctl_step = 1, .n = 4,
		    .ctr = 0xa41 + 0x20 * i, .ctr_step = 1, .global = global },
		    unit + PLANTED_IIO + i);
		live_box(b, &(struct live_box){ .box_ctl = 0xa58 + 0x20 * i,
		    .ctl = 0xa5b + 0x20 * i, .ctl_step = 1, .n = 2,
		    .ctr = 0xa59 + 0x20 * i, .ctr_step = 1, .global = global },
		    unit + PLANTED_IRP + i);
		add_free(b, 0xa45 + 0x20 * i, 36, pkg);
		for (k = 0; k < 16; k++)
			add_free(b, 0xb00 + 0x10 * i + k, 36, pkg);
	}
}

static void
add_package(struct live_bank *b, unsigned int pkg)
{
	/* energy, throttled time, SMIs, residencies */
	static const struct { u16 msr; u8 bits; } free[] = {
		{ 0x611, 32 }, { 0x619, 32 }, { 0x613, 32 }, { 0x61b, 32 },
		{ 0x34, 32 }, { 0x60d, 64 }, { 0x3f9, 64 },
	};
	/* units, temperature and limits: they stand still */
	static const struct { u16 msr; u64 value; } plain[] = {
		{ 0x606, 0xa0e03 }, { 0x1a2, 98 << 16 }, { 0x1b1, 0x88280000 },
		{ 0x64f, 0 }, { 0x6b1, 0 }, { 0x621, 0x18 },
	};
	u64 map = 1ull << 63;
	unsigned int i;

	for (i = 0; i < 4; i++)
		map |= (u64)live_bus(pkg, i) << 8 * i;
	live_add(b, 0x300, 0, map);
	for (i = 0; i < ARRAY_SIZE(free); i++)
		add_free(b, free[i].msr, free[i].bits, pkg);
	for (i = 0; i < ARRAY_SIZE(plain); i++)
		live_add(b, plain[i].msr, 0, plain[i].value);
	add_uncore(b, pkg);
}

static struct live_bank *
bank_of(unsigned int lproc, u32 msr, struct live_reg **r)
{
	struct live_bank *b = &lproc_bank[lproc];
	unsigned int pkg = topology_physical_package_id(lproc);

	if (!(*r = live_find(b, msr)) && pkg < packages)
		*r = live_find(b = &pkg_bank[pkg], msr);
	return *r ? b : NULL;
}

bool
live_msr_read(unsigned int lproc, u32 msr, u64 *value)
{
	struct live_reg *r;
	struct live_bank *b = bank_of(lproc, msr, &r);

	/* QEMU's software emulation has the instruction alone */
	if (msr == MSR_IA32_TSC)
		*value = rdtsc_ordered();
	else if (b)
		*value = live_read(b, r);
	return b || msr == MSR_IA32_TSC;
}

bool
live_msr_write(unsigned int lproc, u32 msr, u64 value)
{
	struct live_reg *r;
	struct live_bank *b = bank_of(lproc, msr, &r);

	if (b)
		live_write(b, r, value);
	return b;
}

int
live_msr_init(void)
{
	unsigned int i;

	lproc_bank = kcalloc(nr_cpu_ids, sizeof(lproc_bank[0]), GFP_KERNEL);
	if (!lproc_bank)
		return -ENOMEM;
	for (i = 0; i < nr_cpu_ids; i++) {
		if (live_bank_init(&lproc_bank[i], LPROC_REGS, true) < 0)
			return -ENOMEM;
		add_core(&lproc_bank[i], i);
		live_start(&lproc_bank[i]);
	}
	packages = topology_max_packages();
	if (packages > 2)
		return -ENODEV;
	for (i = 0; i < packages; i++) {
		if (live_bank_init(&pkg_bank[i], PKG_REGS, true) < 0)
			return -ENOMEM;
		add_package(&pkg_bank[i], i);
		live_start(&pkg_bank[i]);
	}
	return live_pci_init(packages);
}

void
live_msr_exit(void)
{
	unsigned int i;

	live_pci_exit();
	for (i = 0; lproc_bank && i < nr_cpu_ids; i++)
		live_bank_free(&lproc_bank[i]);
	for (i = 0; i < PACKAGES; i++)
		live_bank_free(&pkg_bank[i]);
	kfree(lproc_bank);
}

void
live_msr_show(struct seq_file *m)
{
	char name[32];
	unsigned int i;

	for (i = 0; i < nr_cpu_ids; i++) {
		snprintf(name, sizeof(name), "lproc %u msr", i);
		live_show(m, name, &lproc_bank[i]);
	}
	for (i = 0; i < packages; i++) {
		snprintf(name, sizeof(name), "package %u msr", i);
		live_show(m, name, &pkg_bank[i]);
	}
	live_pci_show(m);
}
