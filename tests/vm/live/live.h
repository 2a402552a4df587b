/* SPDX-License-Identifier: Dual BSD/GPL */
/*
 * tests/vm/live/live.h - registers with contents, for a guest whose emulated
 * CPU has none: what the parts of the module share.
 *
 * A bank holds the registers of an lproc, of a package or of a PCI function.
 * Its counters are computed when they are read, from the TSC of that moment,
 * and run while their controls have them run.
 */
#ifndef TESTS_VM_LIVE_LIVE_H
#define TESTS_VM_LIVE_LIVE_H

#include <linux/seq_file.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "planted.h"

#define LIVE_MSRS 0x1000        /* numbers below it may be live */

/* Bits of Intel's controls, as in regs/models/. */
#define CTL_ENABLE (1ull << 22)
#define BOX_FREEZE (1ull << 8)
#define GLOBAL_FREEZE (1ull << 63)

struct live_reg {
	u32 number;             /* MSR; offset in config space */
	u8 bits;                /* of a counter; 0: keeps what is written */
	bool on;                /* it counts */
	u8 nth;                 /* its bits in globalctl and fixedctl */
	bool is_fixed;
	/* what a counter runs by; NULL: it always does */
	const struct live_reg *ctl, *box, *global;
	u8 kind;                /* enum planted_kind, unit: of its rate */
	u16 unit;
	u64 value, since, rate; /* value at TSC since, when it last changed */
};

struct live_bank {
	raw_spinlock_t lock;
	unsigned int n, room;
	struct live_reg *reg;
	u16 *by_msr;            /* [LIVE_MSRS]: index + 1; NULL: a function */
};

/* live_bank_init - room for so many; live_add - the next one, all else 0;
 * live_start - all have been added. */
int live_bank_init(struct live_bank *, unsigned int room, bool msrs);
struct live_reg *live_add(struct live_bank *, u32 number, u8 bits, u64 value);
void live_start(struct live_bank *);
void live_bank_free(struct live_bank *);
struct live_reg *live_find(struct live_bank *, u32 number);

/* live_read, live_write - a register of a bank. */
u64 live_read(struct live_bank *, const struct live_reg *);
void live_write(struct live_bank *, struct live_reg *, u64 value);

/* live_box - the registers of a box: n counters, at ctl and ctr + i * step. */
struct live_box {
	u32 box_ctl, ctl, ctr, fixed_ctl, fixed_ctr;    /* 0: none */
	u32 filter[2];
	u8 n, ctl_step, ctr_step;
	const struct live_reg *global;
};
void live_box(struct live_bank *, const struct live_box *, unsigned int unit);

/* live_show - NAME and each register that is no counter, a line each. */
void live_show(struct seq_file *, const char *name, struct live_bank *);

/* MSRs: live_msr_init makes those of every lproc and package;
 * live_msr_read and _write - of an lproc; false: not a live one. */
int live_msr_init(void);
void live_msr_exit(void);
bool live_msr_read(unsigned int lproc, u32 msr, u64 *value);
bool live_msr_write(unsigned int lproc, u32 msr, u64 value);
void live_msr_show(struct seq_file *);

/* live_bus - number `role` of a package's PCI buses. */
unsigned int live_bus(unsigned int pkg, unsigned int role);

int live_pci_init(unsigned int packages);
void live_pci_exit(void);
void live_pci_show(struct seq_file *);

/* A batch of MSR operations in one call, with msr-safe's interface. */
int live_batch_init(void);
void live_batch_exit(void);

#endif
