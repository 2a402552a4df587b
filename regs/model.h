/*
 * regs/model.h - what a CPU generation's counters look like: the shape of the
 * const tables in model_*.c.  A row describes a type of box; its instances
 * are arithmetic.  Nothing outside those files knows a generation by name.
 */
#ifndef REGS_MODEL_H
#define REGS_MODEL_H

#include "regs/access.h"

#include <stdbool.h>

/*
 * What kind of number a column holds: whether it is a counter, and what bounds its
 * rate.  The models' tables give the class of each event and register.
 */

enum column_class {
	CLASS_UNKNOWN,          /* no table describes its family; kept as it is */
	CLASS_READING,          /* status bits, limits: no counter */
	CLASS_TEMP,             /* degrees Celsius: no counter */
	CLASS_WALL,             /* wall clock, seconds or microseconds */
	CLASS_TSC,              /* the time-stamp counter */
	CLASS_EVENT,            /* programmable core counter */
	CLASS_OCCUPANCY,        /* a queue's length, added up every cycle */
	CLASS_FLOPS,            /* floating-point operations: as many a cycle as
				 * the vector units have lanes */
	CLASS_INSTR,            /* instructions retired */
	CLASS_INSTR_KIND,       /* instructions of one kind, such as branches: no
				 * more than all instructions */
	CLASS_SLOTS,            /* slots of the core's pipeline: a few a cycle */
	CLASS_CYCLES,           /* core clock: at most one a cycle */
	CLASS_REF,              /* ticks of a clock of constant frequency, while
				 * the core runs */
	CLASS_UNCORE,           /* programmable counter outside the cores */
	CLASS_UCLK,             /* uncore clock: at most one a cycle */
	CLASS_TICKS,            /* a box's clock, counted by a programmable counter */
	CLASS_CAS,              /* DRAM column accesses of one channel */
	CLASS_MEMCLK,           /* the memory clock: DCLK */
	CLASS_MEMCMD,           /* at most one a memory clock: ACT, PRE */
	CLASS_ENERGY_PKG,       /* in RAPL_PKG_ENERGY_UNIT */
	CLASS_ENERGY_PART,      /* the same, of a part that may be off: its cores */
	CLASS_ENERGY_DRAM,      /* in RAPL_DRAM_ENERGY_UNIT */
	CLASS_ENERGY_PLATFORM,  /* in joules, of the whole board (psys) */
	CLASS_SECONDS,          /* in RAPL_TIME_UNIT */
	CLASS_BYTES_IO,         /* bytes through a PCIe port */
	CLASS_BYTES_NET,        /* bytes through a network port, or of memory */
	CLASS_RARE,             /* SMIs */
	CLASS_KERNEL,           /* a total that the kernel keeps: bytes, queues, ns */
	CLASS_SOC,              /* a counter behind a SoC's message bus: soc.max_interval
	                         * says how soon it may wrap */
	CLASS_RAW,              /* a register that the user named: its rate has no
	                         * known bound; assumed to wrap at most once
	                         * between two samples */
	CLASSES
};

/* class_is_counter - does a column of this class have deltas? */
bool class_is_counter(enum column_class);

/* class_is_rapl - does MSR_RAPL_POWER_UNIT give the unit of its counts? */
bool class_is_rapl(enum column_class);

/* class_is_clock - does it count all the time that its lproc runs? */
bool class_is_clock(enum column_class);

/* class_is_energy - does it count energy?  class_uses_energy - energy of something
 * that always draws power, so that a counter that stands still is broken? */
bool class_is_energy(enum column_class);
bool class_uses_energy(enum column_class);

/* class_word - the word for it in a dump ("occupancy").  class_named - the class of
 * such a word, or CLASSES where there is none. */
const char *class_word(enum column_class);
enum column_class class_named(const char *word);

/* What a register is of.  SCOPE_CCX: of an AMD core complex, the cores that share an
 * L3; the instance of such a box is the number of the complex in its package. */
enum reg_scope { SCOPE_NODE, SCOPE_PKG, SCOPE_CCX, SCOPE_CORE, SCOPE_LPROC };

/* A field of a control register: bits hi:lo.  A field in several pieces has a row
 * for each, with the same name, lowest bits first.  Lists end with name NULL. */
struct field {
	const char *name;               /* "umask", "thresh", "ch_mask" ... */
	uint8_t lo, hi;
};

/* An event that only some counters of its box can count: bit n = counter n.  An
 * `event` above 0xff is umask << 8 | event and means that umask alone.  Lists end
 * with counters 0. */
struct constraint {
	uint16_t event, counters;
};

/* Events that may happen more often in a cycle than one counter can add: such an
 * event needs an even counter, and the control of the odd counter behind it is
 * `helper`. */
struct counter_pair {
	uint64_t mask, event;           /* controls with (ctl & mask) == event */
	uint64_t helper;
};

/* An event that counts what its name says only with one of these bits set in a
 * filter; bits 0: this model cannot count it at all.  Lists end with why NULL. */
struct need {
	uint8_t event, umask;           /* umask: any of these bits */
	uint8_t filter;
	uint64_t bits;
	const char *why;                /* for the user: why, and what to do */
};

/* A register shared by the counters of a box that narrows what they count. */
struct box_filter {
	const char *name;               /* "filter0", "offcore_rsp_0" */
	uint32_t reg;                   /* as box_type.ctl */
	uint64_t valid;                 /* bits that may be set */
	uint64_t idle;                  /* written where no event sets it */
	uint16_t event;                 /* it acts on this event alone, or on this
	                                 * umask << 8 | event; 0: on any */
	bool ports;                     /* it has a bit for each root port; the
	                                 * dump's head says how many are set */
	uint16_t also[2];               /* two more umask << 8 | event that it
	                                 * acts on; or 0 */
};

/* Where a control has none of the bits `where`, `bits` are set in it.  This holds
 * for one event; event 0: for all.  Lists end with where 0. */
struct ctl_fill {
	uint16_t event;
	uint64_t where, bits;
};

/* An event that the model's own list names.  Lists end with name NULL. */
struct event_name {
	const char *name;
	uint64_t event;                 /* its `event` field */
	const char *misleads;           /* why it is not offered; or NULL */
	uint16_t umask;                 /* its second field, mostly `umask`
	                                 * (event_second); 0: none */
};

/* The class of an event that differs from its box's class.  An `event` above 0xff
 * is umask << 8 | event.  Lists end with cls 0. */
struct event_class {
	uint16_t event;
	uint8_t cls;                    /* enum column_class */
	const char *name;               /* by the manual: how the event is found in
	                                 * dumps without control values; or NULL */
};

/* How topology/ decides whether instance i of a type is present. */
enum presence {
	PRESENT_ALWAYS,                 /* yes, if its registers answer */
	PRESENT_CAPID,                  /* i < number of bits set in model.capid */
	PRESENT_COUNT,                  /* i < the value of type.count */
	PRESENT_PCI_ID,                 /* its function has device id devid[i] */
	PRESENT_SOC,                    /* sideband_check succeeds */
	PRESENT_CPUID,                  /* CPUID announces its counters */
	PRESENT_UMC,                    /* it is in CPUID's mask of UMCs */
	PRESENT_TABLE,                  /* the package's discovery table lists it;
	                                 * without a table, by its count, devid
	                                 * or registers */
};

/* Which of CPUID's numbers of counters (AMD) is meant by PRESENT_CPUID. */
enum announced { ANNOUNCED_L3, ANNOUNCED_DF, ANNOUNCED };

/* How many boxes of a type a package has: bits hi:lo of a register. */
struct box_count {
	const char *name;               /* "CAPID4" */
	uint8_t space;                  /* REG_MSR or REG_PCI */
	uint8_t bus, devfn;             /* REG_PCI: this function, */
	uint16_t devid;                 /* if it has this device id */
	uint32_t reg;
	uint8_t lo, hi;
	const uint8_t *many;            /* the number for each value of the field;
	                                 * NULL: the value is the number */
	bool or_cores;                  /* where that is 0 or too large, take the
	                                 * package's number of cores */
};

#define MAX_COUNTERS 16
#define MAX_FILTERS 4

struct box_type {
	const char *name;               /* as the manual spells it: "CHA" */
	const char *family;             /* of its columns: "cha_counts" */
	uint8_t space;                  /* enum reg_space */
	uint8_t scope;                  /* SCOPE_PKG; SCOPE_LPROC for the core */
	uint8_t presence;               /* enum presence */
	uint8_t announced;              /* for PRESENT_CPUID: enum announced */
	const struct box_count *count;  /* PRESENT_COUNT: how many; PRESENT_TABLE:
	                                 * at most so many, if not 0; or NULL */
	struct {                        /* discovery tables */
		uint8_t number;         /* the type's number there; 0: they do
		                         * not list it */
		bool only;              /* only a table knows which instances are
		                         * present, and where */
		bool laid;              /* only a table knows space, box_ctl,
		                         * ctl, ctr and their steps, too */
	} table;
	bool hbm;                       /* channels of memory on the package */
	bool single;                    /* family[pkg]["EVENT"]: no box index */
	bool of_die;                    /* SCOPE_CCX: one box for all complexes of
	                                 * a die, with the number of the first */
	uint8_t instances;              /* of a package, at most */
	uint8_t counters;               /* at most: a unit may have fewer */
	uint8_t bits;                   /* width of a counter */
	bool saturates;                 /* instead of wrapping it stops at its
	                                 * largest value and sets the bit above
	                                 * its width; writing 0 while it is
	                                 * enabled starts it again */
	/* Addresses: MSR number, config offset or offset in the MMIO block of
	 * instance 0, counter 0.  Instance i is at + i * stride, or + base[i];
	 * in PCI space in function devfn[i] of bus `bus`. */
	uint32_t box_ctl;               /* 0: the type has none */
	uint32_t ctl, ctr;
	uint8_t ctl_step, ctr_step;
	uint32_t stride;
	const uint32_t *base;
	uint8_t bus;                    /* index into the package's buses */
	const uint8_t *devfn;
	const uint16_t *devid;          /* NULL: not known, or the discovery table
	                                 * says which function a box has */
	const uint8_t *unit_of;         /* MMIO: the number of instance i's BAR */
	const char *bar;                /* MMIO: the BAR's name, where only the
	                                 * discovery table has its address */
	uint64_t enable;                /* bits that switch a counter on; 0:
	                                 * it counts when its control is not 0 */
	uint64_t freeze;                /* bits of box_ctl that stop the box */
	const struct field *field;
	/* A field whose larger values have no documented meaning, and the largest
	 * that has one.  name NULL: there is none. */
	struct { const char *name; uint64_t value; } most;
	const struct ctl_fill *fill;            /* or NULL */
	const struct constraint *only;
	const struct counter_pair *pair;        /* or NULL */
	const struct event_class *classes;      /* NULL: all of them are `cls` */
	uint8_t cls;                    /* of its events: enum column_class; 0:
	                                 * CLASS_UNCORE */
	struct box_filter filter[MAX_FILTERS];
	const struct need *need;
	const struct event_name *event; /* NULL: event lists have the names */
	struct {                        /* its fixed counter (DCLK, UCLK) */
		const char *name;       /* NULL: it has none */
		const char *family;     /* NULL: among the others, by name */
		uint32_t ctl, ctr;
		uint64_t enable;
		uint8_t bits, cls;
	} fixed;
	/* Through the kernel (space REG_PERF, or --access perf). */
	struct {
		const char *pmu;        /* the PMU's name without its number;
		                         * NULL: "uncore_" and the type's name,
		                         * "cpu" */
		bool pmu_of_pkg;        /* each PMU is of one package: numbers
		                         * go on from one package to the next */
		/* Core: what this model counts for the kernel's generic events;
		 * NULL: Intel's architectural events (regs/perf.h). */
		const struct event_name *generic;
		uint64_t own_counter;   /* the event that has a counter of its
		                         * own; 0: none */
		/* Events that come in fours: this one and the next three count
		 * accesses to the sockets of NUMA nodes 0 to 3.  The list ends
		 * with 0. */
		const uint16_t *toward;
	} kernel;
};

/* The fixed counters of a core, each controlled by four bits of one register. */
struct core_fixed {
	const char *family;             /* "core_fixed_counts" */
	const char *name[5];            /* as dumps spell them; ends with NULL */
	const char *alias[5];           /* as event lists spell them */
	uint8_t cls[5];                 /* enum column_class */
	uint32_t ctr;                   /* + i */
	uint32_t ctl;                   /* IA32_FIXED_CTR_CTRL */
	/* PERF_METRICS: its register, and the bit of IA32_PERF_GLOBAL_CTRL that
	 * enables it.  0: none. */
	uint32_t metrics;
	uint64_t metrics_on;
};

/* How a raw value is printed: see config/dump/column.h. */
enum print { PRINT_DEC, PRINT_HEX, PRINT_TEMP, PRINT_SCALED,
	PRINT_CORE_TEMP, PRINT_LOW, PRINTS };

/* A scalar that counts only while a bit of an MSR of the same lproc is set.  Lists
 * end with family NULL. */
struct enabler {
	const char *family;
	uint32_t reg;
	uint8_t bit;
	const char *name;               /* of the bit, "HWCR.IRPerfEn" */
};

/* A register that is only ever read, and needs no programming. */
struct scalar {
	const char *family;             /* "rapl_pkg_energy" */
	uint8_t space;
	uint8_t scope;
	uint32_t reg;
	uint8_t bits;                   /* 0: not a counter, a reading */
	uint8_t print;                  /* enum print */
	const char *unit;               /* "rapl_pkg" "s" "count" ... */
	uint8_t cls;                    /* enum column_class */
	bool since_reset;               /* it has counted since the CPU's reset: a
	                                 * 0 means that the register does not
	                                 * exist */
};

/* Free-running counters, a row for each kind.  That of port p of stack s is at
 * reg + s * stride + p * step. */
struct freerun {
	/* "iio_%s_port%u_in_bytes", for stack and port, indexed by package; one
	 * without a '%' is indexed by package and instance (freerun_named) */
	const char *family;
	const char *role;               /* in --list registers: "bw_in" */
	const char *box;                /* the type of box that has them */
	uint8_t space;
	uint8_t ports;                  /* 0: one, which the name leaves out */
	uint32_t reg, step, stride;
	const uint32_t *base;           /* instead of stride */
	uint8_t bits;
	uint8_t mul;                    /* a count is so many units */
	const char *unit;
	uint8_t cls;                    /* enum column_class */
	/* Through the kernel: the event of the free-running PMU; NULL: that of
	 * port p is ROLE_portP. */
	const char *event;
};

/* Where a package's uncore buses are found (topology/topo.c). */
enum bus_method {
	BUS_NONE,
	BUS_MSR_300,            /* SKX: bytes of MSR 0x300 */
	BUS_UBOX,               /* the bus that has the UBOX's function */
};

/*
 * The PCI function that tells which package a bus belongs to.  Bits 2:0 of
 * node_reg are its node id; map_reg has three bits for each package i, the node id
 * of that package.  Its own bus is the package's bus 0.  Bus 1 is the next higher
 * bus number; or, where io_devid is not 0, the nearest lower bus that has that
 * function and is no other package's.
 */
struct ubox_bus {
	uint8_t devfn;
	uint16_t devid;
	uint16_t node_reg, map_reg;
	uint8_t io_devfn;
	uint16_t io_devid;
};

/* The capability register(s) that have a bit set for each CHA that is present. */
struct capid {
	uint8_t bus, devfn;
	uint16_t devid;
	uint16_t offset[2];             /* bits 0.., then bits 32..; 0: none */
	uint32_t mask[2];
};

/*
 * Where the registers of the memory controllers lie in physical memory.  One
 * register of a PCI function holds the base of all of them, and another one, for
 * each controller k, the offset of its block.
 */
struct mmio_bars {
	uint8_t bus, devfn;             /* bus: index into the package's buses */
	uint16_t devid;                 /* 0: this model has none */
	uint16_t base_reg;
	uint32_t base_mask;
	uint8_t base_shift;
	uint16_t offset_reg;            /* + 4 * k */
	uint32_t offset_mask;
	uint8_t offset_shift;
	uint8_t n;
};

/*
 * Which root bus belongs to which IIO stack.  Function 00.0 of each root bus has a
 * register that names the package and the stack; stacks are numbered as in the
 * address decoder, and `pmon` translates to the numbers of the PMON blocks.
 */
#define MAX_STACK 16
#define NO_STACK 0xff
struct stack_map {
	uint16_t devid;                 /* 0: byte s of MSR 0x300 is stack s */
	uint16_t reg;
	uint8_t pkg_lo, pkg_hi;         /* its fields: package, stack */
	uint8_t stack_lo, stack_hi;
	uint8_t pmon[MAX_STACK];        /* PMON stack of a stack, or NO_STACK */
	/* Device number of the root port of part 0; part p is at + p. */
	uint8_t first_port;
	uint8_t parts;
};

/*
 * Another way to know the buses of IIO stacks: a PCI function of each package holds
 * a list of 32 bytes, the bus of each stack as the address decoder numbers them, and
 * 32 bits, which of them are valid.  How stack numbers translate to PMON blocks may
 * differ from die to die.
 */
struct bus_list {
	uint16_t devid;                 /* of the function with the list */
	uint16_t valid_reg, list_reg[2];        /* of entries 0-15, 16-31 */
	/* The device id of function 00.0 of those buses, and its register whose
	 * bits 3:0 are the node id of the package. */
	uint16_t node_devid, node_reg;
	/* The function that tells dies apart, by two bits of a register. */
	uint16_t die_devid;             /* 0: pmon[0] holds for all dies */
	uint8_t die_bus, die_devfn;
	uint16_t die_reg;
	uint8_t die_lo;
	const uint8_t *pmon[4];         /* by those bits: the PMON block of each of
	                                 * the 32 stacks; NULL: not known */
};

/* The bus clock of a model where it is not always 100 MHz: the bits `mask` of a
 * register are the index into the table. */
struct bus_clock {
	uint32_t msr;
	uint8_t mask, n;
	uint16_t mhz_times_6[8];        /* 83.33 MHz is 500 */
};
struct soc;                             /* regs/sideband.h */

/* CPUs that a model is for.  Lists end with step_max 0. */
struct cpu_match {
	uint8_t model, step_min, step_max;
	uint8_t model_max;              /* a range of models; 0: that one */
};

/* MSRs that CPUs of one vendor have in common; 0: this vendor's have none. */
struct common_msrs {
	uint32_t platform_info;         /* 15:8 the ratio of the TSC */
	uint32_t temperature_target;    /* 23:16 TjMax */
	uint32_t energy_unit;           /* 3:0, 12:8, 19:16: 2^-n W, J, s */
	uint32_t power_info;            /* 14:0 the TDP */
	uint32_t core_global;           /* enables of a core's counters */
	uint32_t core_in_use;           /* PERF_GLOBAL_INUSE: which are taken */
};

struct model {
	const char *name;               /* "skx" */
	const char *title;              /* "Skylake-SP, Cascade Lake-SP" */
	const char *default_config;     /* "@default-skx" */
	const char *vendor;             /* CPUID's string; NULL: GenuineIntel */
	uint8_t cpu_family;             /* 0: 6 */
	uint8_t uncore_list_of;         /* the CPU model (same family) whose list
	                                 * of uncore events holds here, too */
	const struct cpu_match *id;     /* its CPUs; NULL: an Arm core, known by */
	uint32_t midr;                  /* MIDR_EL1 & MIDR_MASK, and by a PMU */
	const char *needs_pmu;          /* that the node has to have, */
	const char *pmu_driver;         /* which this kernel module brings */
	bool pkg_is_node;               /* each NUMA node is a package, however
	                                 * firmware numbers packages */
	unsigned root_ports;            /* PCIe root ports of a package, one in each
	                                 * PCI domain: domain 0018 is port 8 of
	                                 * package 1.  0: domains do not tell */
	const struct box_type *core;
	bool threads_share;             /* with SMT on, each of two threads has
	                                 * half of core->counters */
	const struct core_fixed *fixed;
	const struct box_type *box;     /* ends with name NULL */
	const struct freerun *freerun;  /* ends with family NULL */
	const struct scalar *const *scalar;     /* tables that each end with family
	                                 * NULL; the list ends with NULL */
	const struct enabler *enabler;  /* NULL: no scalar needs to be enabled */
	const char *const *stack;       /* names of IIO stacks, by instance */
	uint8_t bus_method;
	struct ubox_bus ubox;
	struct capid capid;
	struct mmio_bars mmio;
	struct stack_map stacks;
	const struct bus_list *bus_list;        /* instead of stacks; or NULL */
	uint32_t global_ctl;            /* uncore freeze and unfreeze, 0: none */
	uint64_t global_freeze, global_unfreeze;
	uint8_t dram_unit_log2;        /* DRAM energy: 2^-n J; 0: as package */
	bool dram_energy_rests;         /* DRAM energy stands still at any value
	                                 * where firmware did not enable it */
	uint8_t ccxs_per_ccd;           /* AMD, where CPUID does not tell which
	                                 * complexes share a die; 0: it does */
	bool module_filters;            /* cores that share an L2 also share the
	                                 * core's filters of a single event */
	uint8_t energy_unit_min;        /* a smaller ESU is suspect; 0: none is */
	const struct common_msrs *msr;  /* NULL: it has none of them */
	const struct bus_clock *bus_clock;      /* NULL: 100 MHz */
	const struct soc *soc;          /* message bus; NULL: it has none */
	/* Bounds for checks: more than this is a wrong count. */
	double max_ghz;                 /* above any turbo */
	double max_io_bytes;            /* bytes/s of a PCIe port, each way */
	uint64_t max_cas_hz;            /* CAS commands/s of a channel */
};

/* Architectural MSRs, the same on every model (SDM; reference 3.1, 4.1). */
enum {
	MSR_TSC = 0x10, MSR_PLATFORM_INFO = 0xce,
	MSR_TEMPERATURE_TARGET = 0x1a2, MSR_RAPL_POWER_UNIT = 0x606,
	MSR_PKG_POWER_INFO = 0x614, MSR_FIXED_CTR_CTRL = 0x38d,
	MSR_PERF_GLOBAL_CTRL = 0x38f, MSR_PERF_GLOBAL_INUSE = 0x392,
};

/* MIDR_EL1 without variant and revision. */
#define MIDR_MASK 0xff0ffff0u

/* Models of CPUs that have no table.  model_any: only the kernel can count there;
 * model_any_arm: the same, for Arm.  model_any_x86: CPUID announces counters; at
 * start the daemon makes a model of what it announces (regs/made.h), and this
 * constant one is for reading dumps of it.  None of them is in models[]. */
extern const struct model model_any;
extern const struct model model_any_x86;
extern const struct model model_any_arm;
extern const struct model *const models_any[];  /* ends with NULL */

extern const struct model *const models[];      /* ends with NULL */

/* model_find - the model of a CPU of that vendor, or NULL.
 * model_is - is the model for CPUs of that family and CPUID model? */
const struct model *model_find(const char *vendor, unsigned family,
    unsigned model, unsigned stepping);
bool model_is(const struct model *, unsigned family, unsigned model,
    unsigned stepping);
/* model_msrs - the model's common MSRs, never NULL; all 0 for a model without any,
 * and for NULL. */
const struct common_msrs *model_msrs(const struct model *);
/* model_arm - the model of an Arm core that needs the PMU `pmu`, or NULL. */
const struct model *model_arm(uint32_t midr, const char *pmu);
/* model_named - by name ("skx"), or NULL. */
const struct model *model_named(const char *name);
/* model_box - a box type by name, in any case; "core" is one, too.  Or NULL. */
const struct box_type *model_box(const struct model *, const char *name);

/* model_scalar - scalar n of the model's tables in their order; NULL past the end. */
const struct scalar *model_scalar(const struct model *, unsigned n);
/* scalar_named - by its family, or NULL. */
const struct scalar *scalar_named(const struct model *, const char *family);

/* Register numbers of an instance; MSR number or offset in its function. */
uint32_t box_ctl_reg(const struct box_type *, unsigned inst);
uint32_t box_counter_ctl(const struct box_type *, unsigned inst, unsigned n);
uint32_t box_counter_ctr(const struct box_type *, unsigned inst, unsigned n);
uint32_t box_reg(const struct box_type *, unsigned inst, uint32_t reg);

/* freerun_reg - the register of port p of instance inst. */
uint32_t freerun_reg(const struct freerun *, unsigned inst, unsigned port);
/* freerun_family - the family of its column: iio_PCIe0_port1_in_bytes, or
 * imc_ddr_read_bytes.  freerun_named - is the instance part of that name, and not an
 * index? */
const char *freerun_family(const struct model *, const struct freerun *,
    unsigned inst, unsigned port, char *buf, size_t size);
bool freerun_named(const struct freerun *);
/* freerun_is - is `family` its family for any stack and port? */
bool freerun_is(const struct freerun *, const char *family);

/* box_bits - the width of the columns of its counters: 64 where they saturate, as
 * such columns do not wrap. */
uint8_t box_bits(const struct box_type *);
/* box_toward - the NUMA node of the socket to which an event counts accesses, or
 * -1. */
int box_toward(const struct box_type *, uint64_t event);
/* event_named - an event of the type's own list by name, in any case; or NULL.
 * event_generic - one of the kernel's generic events, by its first name. */
const struct event_name *event_named(const struct box_type *, const char *name);
const struct event_name *event_generic(const struct box_type *,
    const char *name);
/* box_fill - the control value with the bits that struct ctl_fill adds. */
uint64_t box_fill(const struct box_type *, uint64_t ctl);
/* event_second - the name of the second field of listed events, mostly "umask".
 * event_terms - the event's fields as perf writes them: event=0x64,umask=0x9. */
const char *event_second(const struct box_type *);
const char *event_terms(const struct box_type *, const struct event_name *,
    char *buf, size_t size);
/* box_pmu - the name of the kernel's PMU for a type, without its number. */
const char *box_pmu(const struct box_type *, char *buf, size_t size);

/* box_event_mask - the counters that can count control value ctl. */
unsigned box_event_mask(const struct box_type *, uint64_t ctl);
/* box_pairs - does control value ctl need a pair of counters?  box_helps - is it the
 * helper that the odd counter of a pair holds? */
bool box_pairs(const struct box_type *, uint64_t ctl);
bool box_helps(const struct box_type *, uint64_t ctl);
/* box_class - the class of what control value ctl counts.  box_class_named - the
 * class of an event by its name (UNC_M_CAS_COUNT.RD), where the list has names. */
enum column_class box_class(const struct box_type *, uint64_t ctl);
enum column_class box_class_named(const struct box_type *, const char *event);
/* core_fixed_class - the class of a fixed counter by either of its names; CLASS_REF
 * for any other name. */
enum column_class core_fixed_class(const struct core_fixed *, const char *name);
/* box_filter_for - does the filter narrow what control value ctl counts? */
bool box_filter_for(const struct box_filter *, uint64_t ctl);
/* box_need - what control value ctl needs of filters: the next one after `from`
 * (NULL: the first), or NULL at the end. */
const struct need *box_need(const struct box_type *, uint64_t ctl,
    const struct need *from);
/* box_in_use - bits of a control; any of them set means that the counter is in
 * use. */
uint64_t box_in_use(const struct box_type *);
/* box_ctl_valid - the bits that a control of this type may have set. */
uint64_t box_ctl_valid(const struct box_type *);
/* field_named - the first piece of a field of that name, or NULL. */
const struct field *field_named(const struct field *, const char *name);
/* field_bits - where one piece of a field lies in its register: a mask. */
uint64_t field_bits(const struct field *);
/* These take a field's first piece and go on with the others of its name.
 * field_max - the largest value that fits.  field_get - the field's value in a
 * control.  field_put - the control with the field set to a value, which has to
 * fit. */
uint64_t field_max(const struct field *);
uint64_t field_get(const struct field *, uint64_t ctl);
uint64_t field_put(const struct field *, uint64_t ctl, uint64_t value);

/* bus_clock_tsc - the TSC's frequency by the registers: base ratio times bus clock.
 * Returns 0; -ENODATA where the registers do not tell; or -errno. */
int bus_clock_tsc(const struct model *, struct access *, unsigned lproc,
    uint64_t *hz);

/* bus_clock_measure - measure the TSC's frequency over a sleep of about 50 ms.  Returns Hz, or 0 when the monotonic clock stood still. */
uint64_t bus_clock_measure(struct access *);

/* bus_clock_agree - do two frequencies differ by at most 1 %? */
bool bus_clock_agree(uint64_t a_hz, uint64_t b_hz);

#endif
