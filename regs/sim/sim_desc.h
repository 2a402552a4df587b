/*
 * regs/sim/sim_desc.h - the description of a simulated machine, as plain data.
 *
 * config/sim/machine.c fills one from text; sim_build makes the machine of it.
 * Every register is given by its raw address.  Of several statements about the same
 * thing the last one holds.
 */
#ifndef REGS_SIM_SIM_DESC_H
#define REGS_SIM_SIM_DESC_H

#include "lib/diag.h"
#include "regs/sim/sim.h"
#include "regs/stimulus.h"

enum {
	SIM_PKGS = 16, SIM_BUSES = 16, SIM_CORES = 512,
	SIM_PHASES = 16, SIM_STRETCHES = 4096, SIM_INSTANCES = 128, SIM_CTRS = 16,
	SIM_FIXED = 8, SIM_FILTERS = 4, SIM_CONDS = 3, SIM_LANES = 8,
};

/* Which lprocs share a register. */
enum sim_scope { SIM_NODE, SIM_PKG, SIM_CCX, SIM_CORE, SIM_LPROC, SIM_SCOPES };

enum sim_numbering {
	SIM_BLOCK,              /* package by package; second threads at the end */
	SIM_INTERLEAVED,        /* packages in turn; second threads at the end */
	SIM_ADJACENT,           /* the threads of a core have adjacent numbers */
	SIM_EXPLICIT,           /* as the statements "lproc" say */
};

/*
 * Counts a second, by phase of the workload.  The register of instance i, package p
 * and thread t counts hz + i*step + p*pkgstep + t*threadstep a second, so that no two
 * registers count alike; a phase with hz 0 counts nothing.  The instance of a core or
 * a CCX is its index in its package, that of a run of registers the index in the
 * run.  For a reading hz is the value, to which the steps are added.
 */
struct sim_rate {
	uint64_t hz[SIM_PHASES];
	uint64_t step, pkgstep, threadstep;
	uint64_t noise;         /* number of the statement, for its noise; 0: none */
	uint64_t alone;         /* per cent that are counted where the merge event is
	                         * missing; 0: the event needs no merge */
};

/* Which units a statement is about; -1: all of them. */
struct sim_where {
	int pkg, inst, thread, lproc;
};

enum sim_plain_kind {
	SIM_GONE,               /* does not exist (any more) */
	SIM_RAZ_WI,             /* reads as 0, ignores writes */
	SIM_VALUE,
	SIM_READING,            /* a value for each phase */
	SIM_COUNTER,            /* free-running */
};

/* A register that belongs to no box. */
struct sim_plain {
	unsigned line;          /* in the machine file, for messages */
	uint8_t space, scope, kind;
	bool role;              /* PCI: bus is an index into a package's buses */
	bool whole;             /* PCI, SIM_GONE: the whole function does not exist */
	uint8_t bus, devfn;
	uint8_t bits;
	uint64_t offset;        /* MSR number, config offset, address */
	unsigned n, stride;     /* a run of n registers */
	uint64_t value, writable;       /* value: a counter starts there */
	struct sim_where where;
	struct sim_rate rate;
};

struct sim_filter {
	char name[16];
	uint64_t offset, valid, init;
};

/*
 * A type of PMON block.  Addresses are those of instance 0: MSR numbers, offsets in
 * config space or in an MMIO block; SIM_NOWHERE: it has no such register.  Instance i
 * has it at + i*stride, or + base[i]; + pkgbase[pkg] is added to both.
 */
#define SIM_NOWHERE UINT64_MAX
struct sim_box {
	char name[16];
	unsigned line;
	bool none;
	uint64_t space, scope, instances, counters, bits, ctlbits;
	uint64_t stride, nbase, base[SIM_INSTANCES];
	uint64_t npkgbase, pkgbase[SIM_PKGS];
	uint64_t bus;                           /* PCI: index of the package's bus */
	uint64_t ndevfn, devfn[SIM_INSTANCES];
	uint64_t nid, id[SIM_INSTANCES];        /* dword 0 of its function */
	uint64_t present[SIM_PKGS];             /* bit i: instance i is present; those
	                                         * from 64 on always are */
	uint64_t init;                          /* the counters' first value */
	uint64_t boxctl, ctl, ctr, ctlstep, ctrstep, alias, status;
	/* Bits of the box control. */
	uint64_t boxvalid, freeze, frzen, rstctl, rstctr, stepwise;
	/* Bits of a control: those that may be set, that enable the counter, that
	 * do not choose the event, that reset the counter. */
	uint64_t valid, enable, ignore, reset;
	uint64_t saturate;      /* counters stop where bit `bits` is set */
	uint64_t gated;         /* a write to a counter is lost while no control of
	                         * its box is enabled */
	uint64_t write;         /* a write takes so many bits and extends the sign */
	/* One fixed counter with a control of its own. */
	uint64_t fixedctl, fixedctr, fixedbits, fixedenable, fixedreset;
	/* Or nfixed of them with four bits each in nibbles, as cores do. */
	uint64_t nfixed, nibbles, fixed;
	uint64_t global, inuse;
	uint64_t globalmore;    /* further bits of `global` that may be set */
	/* The control value that the odd counter behind an even one needs for some
	 * events to count in full; 0: no event needs one. */
	uint64_t merge;
	unsigned nfilter;
	struct sim_filter filter[SIM_FILTERS];
};

/* What a filter has to hold for an event to count. */
struct sim_cond {
	uint8_t filter;
	bool any;               /* any bit of mask set; else value under mask */
	uint64_t mask, value;
};

struct sim_event {
	unsigned line;
	unsigned box;           /* index into boxes */
	int fixed;              /* -1, or the fixed counter n */
	uint64_t key, mask;     /* of a control without enable and ignored bits */
	unsigned ncond;
	struct sim_cond cond[SIM_CONDS];
	struct sim_where where;
	struct sim_rate rate;
};

/*
 * What a counter counts of a stimulus (regs/stimulus.h): act * mul / div.  A
 * package's counts are divided among its boxes.
 */
struct sim_does {
	uint8_t space;          /* REG_NONE: a box's counter; else a register */
	uint8_t act;            /* enum act */
	unsigned box;
	int fixed;              /* -1, or the fixed counter n */
	uint64_t key, mask;     /* of a control, as of an event */
	uint64_t offset;
	uint64_t mul, div;
	struct sim_where where;
};

/* A file below the node's root: text, a running number, or none. */
struct sim_file {
	char *path, *text;
	uint8_t kind;           /* SIM_GONE, SIM_VALUE, SIM_COUNTER */
	uint8_t bits;
	uint64_t value;
	struct sim_rate rate;
};

struct sim_lproc {
	unsigned lproc, pkg, die, core, thread, node;
	uint32_t apic;          /* its APIC id; UINT32_MAX: see apic_pkg below */
};

/*
 * A message bus behind three registers of a PCI function, with a CHAP unit of
 * SIM_LANES counters.  Counter n counts the signal whose id is in register
 * lane + 4 * n of the counters' port, and only while register gate_reg of the gate's
 * port holds `key`.  This stands in for the muxes of real parts, whose values are
 * not public.
 */
struct sim_mailbox {
	bool there;
	unsigned line;
	uint8_t bus, devfn;
	uint8_t port, gate_port;
	uint32_t lane, gate_reg, key;
};

/* A signal that the mailbox's counters can count. */
struct sim_signal {
	uint32_t id;
	struct sim_rate rate;
};

/* Another register of the message bus. */
struct sim_message {
	uint8_t port, opcode;
	uint32_t offset, value, writable;
};

/* A PMU of the kernel; its files are among sim_desc.files. */
struct sim_pmu {
	char name[64];
	uint32_t type;
	unsigned counters;
	unsigned held;          /* counters that other users always hold */
	unsigned checks;        /* 1: a group with too many members is refused; 0: it
	                         * opens and never runs */
	uint64_t own;           /* the event with a counter of its own; all ones: none */
	uint64_t pair;          /* bits 35:32 and 7:0 of the event that takes two
	                         * counters */
	int box;                /* the box whose instance `inst` it counts, or -1 */
	unsigned inst;
	char cpus[256], cpumask[256], associated[256];
};

/* What an event of a PMU, or a generic event of the kernel, counts. */
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
	int lproc;              /* -1: on all */
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
	/* APIC ids of AMD: pkg << apic_pkg | core id << threads' bits | thread.  The
	 * bits from ccx_shift on name the L3.  apic_pkg 0: there are no such ids,
	 * and a package is one CCX. */
	unsigned apic_pkg, ccx_shift;
	int bus[SIM_PKGS][SIM_BUSES];   /* -1: none */

	uint64_t start_ns;      /* CLOCK_REALTIME when the machine starts */
	uint64_t tsc_hz, tsc_init, read_cost_ns;
	uint64_t noise, noise_seed;     /* counts are less by up to so many per cent */
	struct clock_state kept;        /* how NTP keeps the wall clock */
	bool kept_known;
	/* Uncore global control (one a package): write-only command bits. */
	uint64_t global, global_freeze, global_unfreeze;
	bool global_frozen;     /* frozen when the machine starts */

	unsigned nphase, nstretch;
	char phase[SIM_PHASES][16];
	struct {
		unsigned phase;
		uint64_t ns;
	} stretch[SIM_STRETCHES];       /* the last one has no end */

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

/* sim_desc_add - append an element of `size` bytes to an array of *n of them.  array:
 * the address of the pointer to it.  0 or -ENOMEM. */
int sim_desc_add(void *array, unsigned *n, const void *element, size_t size);

/* sim_build - make the machine that d describes, at its time 0.  The machine owns d;
 * on an error d is freed, too.  0, or -errno with "file:line: ..." in why. */
int sim_build(struct sim **, struct sim_desc *d, struct diag *why);
void sim_free(struct sim *);

#endif
