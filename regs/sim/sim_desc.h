/*
 * regs/sim/sim_desc.h - the description of a simulated machine, as plain data.
 *
 * config/sim/machine.c fills one from text; sim_build() makes the machine of it.
 * Every register is given by raw address.  Statements about the same thing
 * may follow each other: the last one that applies wins.
 */
#ifndef REGS_SIM_SIM_DESC_H
#define REGS_SIM_SIM_DESC_H

#include "regs/diag.h"
#include "regs/sim/sim.h"
#include "regs/stimulus.h"

enum {
	SIM_PKGS = 16, SIM_BUSES = 16, SIM_CORES = 512,
	SIM_PHASES = 16, SIM_STRETCHES = 4096, SIM_INSTANCES = 128, SIM_CTRS = 16,
	SIM_FIXED = 8, SIM_FILTERS = 4, SIM_CONDS = 3, SIM_LANES = 8,
};

/* An lproc may read the register of ... */
enum sim_scope { SIM_NODE, SIM_PKG, SIM_CCX, SIM_CORE, SIM_LPROC, SIM_SCOPES };

enum sim_numbering {
	SIM_BLOCK,              /* package by package, second threads last */
	SIM_INTERLEAVED,        /* packages in turn, second threads last */
	SIM_ADJACENT,           /* the threads of a core side by side */
	SIM_EXPLICIT,           /* only what lproc statements say */
};

/*
 * Counts a second, by phase.  A phase whose rate is 0 stays at 0; otherwise
 * instance i, package p, thread t counts hz + i*step + p*pkgstep +
 * t*threadstep, so that no two registers count alike.  For a core or a CCX the
 * instance is its place in its package, for a run of registers its place in
 * the run.  For a reading hz is the value, and the steps are added likewise.
 */
struct sim_rate {
	uint64_t hz[SIM_PHASES];
	uint64_t step, pkgstep, threadstep;
	uint64_t noise;         /* of which statement; 0: it has none */
	uint64_t alone;         /* per cent that a counter counts without the
	                         * merge event behind it; 0: it needs none */
};

/* Of which units a statement speaks; -1 of all. */
struct sim_where {
	int pkg, inst, thread, lproc;
};

enum sim_plain_kind {
	SIM_GONE,               /* not there (any more) */
	SIM_RAZ_WI,             /* reads 0, forgets what is written */
	SIM_VALUE,
	SIM_READING,            /* a value by phase */
	SIM_COUNTER,            /* always runs */
};

/* A register that belongs to no box. */
struct sim_plain {
	unsigned line;          /* of the machine file, for messages */
	uint8_t space, scope, kind;
	bool role;              /* PCI: bus is a role, not a number */
	bool whole;             /* PCI, SIM_GONE: the whole function */
	uint8_t bus, devfn;
	uint8_t bits;
	uint64_t offset;        /* MSR number, config offset, address */
	unsigned n, stride;     /* a run of n registers */
	uint64_t value, writable;       /* for a counter: where it starts */
	struct sim_where where;
	struct sim_rate rate;
};

struct sim_filter {
	char name[16];
	uint64_t offset, valid, init;
};

/*
 * A type of PMON block.  Addresses are MSR numbers, config offsets or offsets
 * in an MMIO block, of instance 0; SIM_NOWHERE: there is none.  Instance i
 * has them at + i*stride, or + base[i], and + pkgbase[pkg].
 */
#define SIM_NOWHERE UINT64_MAX
struct sim_box {
	char name[16];
	unsigned line;
	bool none;
	uint64_t space, scope, instances, counters, bits, ctlbits;
	uint64_t stride, nbase, base[SIM_INSTANCES];
	uint64_t npkgbase, pkgbase[SIM_PKGS];
	uint64_t bus;                           /* PCI: its role */
	uint64_t ndevfn, devfn[SIM_INSTANCES];
	uint64_t nid, id[SIM_INSTANCES];        /* dword 0 of its function */
	uint64_t present[SIM_PKGS];             /* bit i: instance i is there;
	                                         * so are those from 64 on */
	uint64_t init;                          /* what counters start at */
	uint64_t boxctl, ctl, ctr, ctlstep, ctrstep, alias, status;
	/* Bits of the box control. */
	uint64_t boxvalid, freeze, frzen, rstctl, rstctr, stepwise;
	/* Bits of a control: those that may be set, that switch on, that play
	 * no part in what is counted, that reset the counter. */
	uint64_t valid, enable, ignore, reset;
	uint64_t saturate;      /* counters stop where bit `bits` is set */
	uint64_t gated;         /* writes to counters of a box of which no
	                         * control is on are lost */
	uint64_t write;         /* a write takes so many bits, sign-extended */
	/* One fixed counter with a control of its own. */
	uint64_t fixedctl, fixedctr, fixedbits, fixedenable, fixedreset;
	/* Or nfixed of them with four bits each in nibbles, as cores do. */
	uint64_t nfixed, nibbles, fixed;
	uint64_t global, inuse;
	uint64_t globalmore;    /* further bits of global that can be set */
	/* The control of the counter behind an even one that some events need
	 * to count in full; 0: there is no such. */
	uint64_t merge;
	unsigned nfilter;
	struct sim_filter filter[SIM_FILTERS];
};

/* What a filter has to say for an event to count. */
struct sim_cond {
	uint8_t filter;
	bool any;               /* any bit of mask set; else value under mask */
	uint64_t mask, value;
};

struct sim_event {
	unsigned line;
	unsigned box;           /* index into boxes */
	int fixed;              /* -1, or the fixed counter n */
	uint64_t key, mask;     /* control, enable and ignored bits aside */
	unsigned ncond;
	struct sim_cond cond[SIM_CONDS];
	struct sim_where where;
	struct sim_rate rate;
};

/*
 * What a counter counts of what a stimulus did (regs/stimulus.h): act * mul /
 * div.  Boxes of a package share what it did.
 */
struct sim_does {
	uint8_t space;          /* REG_NONE: of a box; else of that register */
	uint8_t act;            /* enum act */
	unsigned box;
	int fixed;              /* -1, or the fixed counter n */
	uint64_t key, mask;     /* of a control, as of an event */
	uint64_t offset;
	uint64_t mul, div;
	struct sim_where where;
};

/* A file below the node's root: text, a running number, or not there. */
struct sim_file {
	char *path, *text;
	uint8_t kind;           /* SIM_GONE, SIM_VALUE, SIM_COUNTER */
	uint8_t bits;
	uint64_t value;
	struct sim_rate rate;
};

struct sim_lproc {
	unsigned lproc, pkg, die, core, thread, node;
	uint32_t apic;          /* UINT32_MAX: by the statement "apic" */
};

/*
 * A message bus behind three registers of a PCI function, with a CHAP unit of
 * SIM_LANES counters.  Counter n counts the signal whose id is in register
 * lane + 4 * n of the counters' port, while register gate_reg of the gate's
 * port holds `key`: a stand-in for the muxes of real parts, whose values are
 * not public.
 */
struct sim_mailbox {
	bool there;
	unsigned line;
	uint8_t bus, devfn;
	uint8_t port, gate_port;
	uint32_t lane, gate_reg, key;
};

/* Something that counters of the mailbox can count. */
struct sim_signal {
	uint32_t id;
	struct sim_rate rate;
};

/* Another register of the message bus. */
struct sim_message {
	uint8_t port, opcode;
	uint32_t offset, value, writable;
};

/* A PMU as the kernel shows it; its files are among sim_desc.files. */
struct sim_pmu {
	char name[64];
	uint32_t type;
	unsigned counters;
	unsigned held;          /* counters that others always have */
	unsigned checks;        /* a group with too many members is refused; 0:
	                         * it never runs */
	uint64_t own;           /* event with a counter of its own; all ones */
	uint64_t pair;          /* bits 35:32, 7:0 of one that takes two */
	int box;                /* counts what this box of `inst` does; -1 */
	unsigned inst;
	char cpus[256], cpumask[256], associated[256];
};

/* What an event of a PMU, or one of the kernel's own, counts. */
struct sim_kcount {
	bool kernel;            /* of perf type `type`; else of PMU `pmu` */
	uint32_t type;
	unsigned pmu;
	uint64_t config;
	uint64_t filter;        /* config1 has any of these bits; 0: whatever */
	bool renamed;           /* it is what the core has as config `as` */
	uint64_t as;
	struct sim_where where;
	struct sim_rate rate;
};

struct sim_leaf {
	int lproc;              /* -1: of all */
	uint32_t leaf, sub, reg[4];
};

struct sim_desc {
	char file[256];         /* its name, for messages */
	char host[64], vendor[16], cpu_name[49];
	unsigned family, model, stepping;
	unsigned guest;         /* 1: below a hypervisor, which says so */

	unsigned packages, cores, threads, dies, nodes, numbering;
	uint64_t pkg_id[SIM_PKGS], core_id[SIM_CORES];
	unsigned npkg_id, ncore_id;
	/* APIC ids, of AMD: pkg << apic_pkg | core id << threads' bits | thread;
	 * what is above ccx_shift names the L3.  apic_pkg 0: not said, and a
	 * package is one CCX. */
	unsigned apic_pkg, ccx_shift;
	int bus[SIM_PKGS][SIM_BUSES];   /* -1: none */

	uint64_t start_ns;      /* CLOCK_REALTIME when the machine starts */
	uint64_t tsc_hz, tsc_init, read_cost_ns;
	uint64_t noise, noise_seed;     /* per cent that counts fall short by */
	struct clock_state kept;        /* of the wall clock, by NTP */
	bool kept_known;
	/* Uncore global control (one a package): write-only command bits. */
	uint64_t global, global_freeze, global_unfreeze;
	bool global_frozen;     /* left so by somebody */

	unsigned nphase, nstretch;
	char phase[SIM_PHASES][16];
	struct {
		unsigned phase;
		uint64_t ns;
	} stretch[SIM_STRETCHES];       /* the last one stays for ever */

	struct sim_plain *plain;
	struct sim_box *box;
	struct sim_event *event;
	struct sim_does *does;
	struct sim_file *files;
	struct sim_lproc *lproc;
	struct sim_leaf *leaf;
	struct sim_mailbox mailbox;
	struct sim_signal *signal;
	struct sim_message *message;
	struct sim_pmu *pmu;
	struct sim_kcount *kcount;
	unsigned npmu, nkcount;
	unsigned nplain, nbox, nevent, ndoes, nfile, nlproc, nleaf, nsignal, nmessage;
};

/* sim_desc_new - an empty machine: one package, core and thread; or NULL. */
struct sim_desc *sim_desc_new(const char *file);
void sim_desc_free(struct sim_desc *);

/* sim_desc_grow - one more zeroed element of the array *a of *n of `size`
 * bytes; or NULL, the array as it was. */
void *sim_desc_grow(void *a, unsigned *n, size_t size);

/* sim_build - make the machine that d describes, at its time 0.  It owns d from
 * then on, also when it fails.  0, or -errno with "file:line: ..." in why. */
int sim_build(struct sim **, struct sim_desc *d, struct diag *why);
void sim_free(struct sim *);

#endif
