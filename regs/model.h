/*
 * regs/model.h - what a CPU generation's counters look like: the shape of the
 * const tables in model_*.c.  A row describes a type of box; its instances
 * are arithmetic.  Nothing outside those files knows a generation by name.
 */
#ifndef REGS_MODEL_H
#define REGS_MODEL_H

#include "regs/access.h"
#include "regs/class.h"

/* SCOPE_CCX: of those that share an L3 on AMD's; a box of that scope has the
 * number of its CCX in the package as instance. */
enum reg_scope { SCOPE_NODE, SCOPE_PKG, SCOPE_CCX, SCOPE_CORE, SCOPE_LPROC };

/* A field of a control register: bits hi:lo.  A name that a list has again goes
 * on there, with the next higher bits.  Lists end with name NULL. */
struct field {
	const char *name;               /* "umask", "thresh", "ch_mask" ... */
	uint8_t lo, hi;
};

/* An event that only some counters of its box can count: bit n = counter n.
 * Above 0xff it is umask << 8 | event, and of that alone.  Lists end with
 * counters 0. */
struct constraint {
	uint16_t event, counters;
};

/* An event that can add more in a cycle than a counter takes: it counts on an
 * even one while the control of the odd one behind it says `helper`. */
struct counter_pair {
	uint64_t mask, event;           /* of a control: which event */
	uint64_t helper;
};

/* An event that needs one of these bits of a filter to count what it says;
 * without bits, what this model cannot give it.  Lists end with why NULL. */
struct need {
	uint8_t event, umask;           /* with these bits of the unit mask */
	uint8_t filter;
	uint64_t bits;
	const char *why;                /* what to do, too */
};

/* A register shared by the counters of a box that narrows what they count. */
struct box_filter {
	const char *name;               /* "filter0", "offcore_rsp_0" */
	uint32_t reg;                   /* as box_type.ctl */
	uint64_t valid;                 /* bits that may be set */
	uint64_t idle;                  /* what to write when nothing is asked */
	uint16_t event;                 /* for this event alone, or this umask
	                                 * << 8 | event; 0: for any */
	bool ports;                     /* it has a bit for each root port: the
	                                 * dump's head says how many count */
	uint16_t also[2];               /* umask << 8 | event of others that it
	                                 * is for; or 0 */
};

/* Bits that a control has to have: where none of `where` is set, these are.  Of
 * an event alone; 0: of any.  Lists end with where 0. */
struct ctl_fill {
	uint16_t event;
	uint64_t where, bits;
};

/* An event by name, where the model itself has a list.  Lists end with name
 * NULL. */
struct event_name {
	const char *name;
	uint64_t event;                 /* its `event` field */
	const char *misleads;           /* why it is not offered; or NULL */
	uint16_t umask;                 /* and its second one, `umask` mostly;
	                                 * 0: none */
};

/* What an event counts, where that is not what its box's events do by default.
 * As struct constraint: above 0xff it is umask << 8 | event.  Lists end with
 * cls 0. */
struct event_class {
	uint16_t event;
	uint8_t cls;                    /* enum column_class */
	const char *name;               /* as the manual has it, for dumps without
	                                 * control values; or NULL */
};

/* How topology/ decides whether instance i of a type is there. */
enum presence {
	PRESENT_ALWAYS,                 /* if its registers answer */
	PRESENT_CAPID,                  /* i is below the bits set in model.capid */
	PRESENT_COUNT,                  /* i is below the value of type.count */
	PRESENT_PCI_ID,                 /* its function has devid[i] */
	PRESENT_SOC,                    /* the message bus proves itself */
	PRESENT_CPUID,                  /* CPUID announces its counters */
	PRESENT_UMC,                    /* CPUID's mask of its package says so */
	PRESENT_TABLE,                  /* the package's discovery table lists
	                                 * it; without a table as far as its
	                                 * registers, its count or devid say */
};

/* Whose counters CPUID numbers (AMD), of PRESENT_CPUID. */
enum announced { ANNOUNCED_L3, ANNOUNCED_DF, ANNOUNCED };

/* A field, hi:lo, of a register: how many of a type a package has. */
struct box_count {
	const char *name;               /* "CAPID4" */
	uint8_t space;                  /* REG_MSR, or REG_PCI: a function */
	uint8_t bus, devfn;             /* of that id */
	uint16_t devid;
	uint32_t reg;
	uint8_t lo, hi;
	const uint8_t *many;            /* by value; NULL: the value itself, */
	bool or_cores;                  /* and where that is none or too many,
	                                 * as many as the package has cores */
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
	const struct box_count *count;  /* for PRESENT_COUNT; of PRESENT_TABLE
	                                 * there are no more than that, where
	                                 * it is not 0; or NULL */
	uint8_t table_type;             /* its number there; of PRESENT_PCI_ID,
	                                 * too, where tables list such; or 0 */
	bool table_only;                /* without a table nobody knows which of
	                                 * them there are, or where */
	bool table_laid;                /* nor how their registers lie: space,
	                                 * box_ctl, ctl, ctr and their steps
	                                 * are the table's alone */
	bool hbm;                       /* channels of memory on the package */
	bool single;                    /* family[pkg]["EVENT"]: no box index */
	bool of_die;                    /* SCOPE_CCX: the complexes of a die have
	                                 * one, by the number of the first */
	uint8_t instances;
	uint8_t counters;               /* at most: a unit may have fewer */
	uint8_t bits;                   /* width of a counter */
	bool saturates;                 /* it stops at its end, the bit above
	                                 * its width set, instead of wrapping,
	                                 * and begins anew when 0 is written
	                                 * while its control is on */
	/* Addresses: MSR number, config offset or offset in the MMIO block of
	 * instance 0, counter 0.  Instance i is at + i * stride, or + base[i];
	 * in PCI space in function devfn[i] of bus `bus`. */
	uint32_t box_ctl;               /* 0: the type has none */
	uint32_t ctl, ctr;
	uint8_t ctl_step, ctr_step;
	uint32_t stride;
	const uint32_t *base;
	uint8_t bus;                    /* role: index into a package's buses */
	const uint8_t *devfn;
	const uint16_t *devid;          /* NULL: not known; whose function it is
	                                 * a table says, by the box's id */
	const uint8_t *unit_of;         /* MMIO: which BAR instance i is in */
	const char *bar;                /* or the name of that, where only the
	                                 * table says its address */
	uint64_t enable;                /* bits that switch a counter on; 0:
	                                 * it counts when its control is not 0 */
	uint64_t freeze;                /* bits of box_ctl that stop the box */
	const struct field *field;
	/* A field whose bits could hold more than any source gives a meaning:
	 * its largest value.  name NULL: there is none. */
	struct { const char *name; uint64_t value; } most;
	const struct ctl_fill *fill;            /* or NULL */
	const struct constraint *only;
	const struct counter_pair *pair;        /* or NULL */
	const struct event_class *classes;      /* NULL: all of them are `cls` */
	uint8_t cls;                    /* of its events: enum column_class; 0:
	                                 * CLASS_UNCORE */
	struct box_filter filter[MAX_FILTERS];
	const struct need *need;
	/* The fixed counter of a box (DCLK, UCLK), if it has one. */
	const char *fixed_name;
	const char *fixed_family;       /* NULL: among the others, by name */
	uint32_t fixed_ctl, fixed_ctr;
	uint64_t fixed_enable;
	uint8_t fixed_bits;
	uint8_t fixed_cls;
	/* Through the kernel (space REG_PERF, or --access perf): the PMU's name
	 * without its number; NULL: "uncore_" and the type's name, "cpu". */
	const char *pmu;
	bool pmu_of_pkg;                /* each such PMU is of one package, and
	                                 * their numbers go on in the next */
	const struct event_name *event; /* NULL: event lists have the names */
	/* Of a core: the kernel's own events, as it has them; NULL: as Intel's
	 * architecture does (regs/perf.h). */
	const struct event_name *generic;
	uint64_t own_counter;           /* the event that has one; 0: none */
	/* Events that have one each for the sockets that are accessed: this
	 * and the three behind it, of NUMA nodes 0 to 3.  Ends with 0. */
	const uint16_t *toward;
};

/* The fixed counters of a core: four bits each in one control register. */
struct core_fixed {
	const char *family;             /* "core_fixed_counts" */
	const char *name[5];            /* as dumps spell them; ends with NULL */
	const char *alias[5];           /* as event lists spell them */
	uint8_t cls[5];                 /* enum column_class */
	uint32_t ctr;                   /* + i */
	uint32_t ctl;                   /* IA32_FIXED_CTR_CTRL */
	/* PERF_METRICS, a scalar of the same address: the register, and the
	 * bit of IA32_PERF_GLOBAL_CTRL that it runs by.  0: none. */
	uint32_t metrics;
	uint64_t metrics_on;
};

/* How a raw value is printed: see config/dump/column.h. */
enum print { PRINT_DEC, PRINT_HEX, PRINT_TEMP, PRINT_SCALED,
	PRINT_CORE_TEMP, PRINT_LOW, PRINTS };

/* A bit of an MSR of the same lproc that says whether a scalar counts.  Lists end
 * with family NULL. */
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
	bool since_reset;               /* it counts from then: a 0 says that
	                                 * there is no such register */
};

/* Counters that always run, one row for each kind; ports p of stack s are at
 * reg + s * stride + p * step. */
struct freerun {
	/* "iio_%s_port%u_in_bytes": of stack and port, by package; one without
	 * a '%' is indexed by package and instance (freerun_named) */
	const char *family;
	const char *role;               /* in --list registers: "bw_in" */
	const char *box;                /* the type whose instances they are of */
	uint8_t space;
	uint8_t ports;                  /* 0: one, and none in the name */
	uint32_t reg, step, stride;
	const uint32_t *base;           /* instead of stride */
	uint8_t bits;
	uint8_t mul;                    /* counts to unit */
	const char *unit;
	uint8_t cls;                    /* enum column_class */
	/* Through the kernel: the event of its free-running PMU; NULL: of port
	 * p ROLE_portP. */
	const char *event;
};

/* Where a package's uncore buses are found (topology/buses.c). */
enum bus_method {
	BUS_NONE,
	BUS_MSR_300,            /* SKX: bytes of MSR 0x300 */
	BUS_UBOX,               /* the bus that has the UBOX's function */
};

/*
 * The function that knows which package a bus is of: node_reg 2:0 is its node
 * id, field i of map_reg, three bits each, the node id of package i.  Its bus
 * has role 0.  Role 1 is the bus behind it, or where io_devid is not 0 the
 * nearest bus below it, down to another package's, that has that function.
 */
struct ubox_bus {
	uint8_t devfn;
	uint16_t devid;
	uint16_t node_reg, map_reg;
	uint8_t io_devfn;
	uint16_t io_devid;
};

/* The capability register(s) that have a bit set for each CHA that is there. */
struct capid {
	uint8_t bus, devfn;
	uint16_t devid;
	uint16_t offset[2];             /* bits 0.., then bits 32..; 0: none */
	uint32_t mask[2];
};

/*
 * Where the registers of memory controllers are in physical memory: the
 * controllers' base is a field of one register of a function, and the block
 * of controller k lies at the offset that another register holds.
 */
struct mmio_bars {
	uint8_t bus, devfn;             /* role of the bus in its package */
	uint16_t devid;                 /* 0: this model has no such */
	uint16_t base_reg;
	uint32_t base_mask;
	uint8_t base_shift;
	uint16_t offset_reg;            /* + 4 * k */
	uint32_t offset_mask;
	uint8_t offset_shift;
	uint8_t n;
};

/*
 * Which root bus belongs to which IIO stack: a function 00.0 on each root bus
 * whose register names the package and the stack, numbered by the address
 * decoder; PMON blocks have numbers of their own.
 */
#define MAX_STACK 16
#define NO_STACK 0xff
struct stack_map {
	uint16_t devid;                 /* 0: byte s of MSR 0x300 is stack s */
	uint16_t reg;
	uint8_t pkg_lo, pkg_hi;         /* fields of it */
	uint8_t stack_lo, stack_hi;
	uint8_t pmon[MAX_STACK];        /* PMON stack of a number, or NO_STACK */
	/* Device number of the root port of part 0; part p is at + p. */
	uint8_t first_port;
	uint8_t parts;
};

/*
 * Or a function of each package has a list of its buses, by the number that the
 * address decoder gives their stacks: 32 entries of a byte, and a bit for each that
 * there is.  Which PMON stack a number is may differ between dies.
 */
struct bus_list {
	uint16_t devid;                 /* of that function */
	uint16_t valid_reg, list_reg[2];        /* of entries 0-15, 16-31 */
	/* Function 00.0 of each of these buses: bits 3:0 of that register are the
	 * node id of its package. */
	uint16_t node_devid, node_reg;
	/* The function that tells dies apart; its field has two bits. */
	uint16_t die_devid;             /* 0: all dies are as pmon[0] says */
	uint8_t die_bus, die_devfn;
	uint16_t die_reg;
	uint8_t die_lo;
	const uint8_t *pmon[4];         /* [32], by that field; NULL: not known */
};

struct bus_clock;                       /* regs/busclock.h */
struct soc;                             /* regs/sideband.h */

/* Lists end with step_max 0. */
struct cpu_match {
	uint8_t model, step_min, step_max;
	uint8_t model_max;              /* a range of models; 0: that one */
};

/* Registers that CPUs of one maker have in common; 0: these have it not. */
struct common_msrs {
	uint32_t platform_info;         /* 15:8 the ratio of the TSC */
	uint32_t temperature_target;    /* 23:16 TjMax */
	uint32_t energy_unit;           /* 3:0, 12:8, 19:16: 2^-n W, J, s */
	uint32_t power_info;            /* 14:0 the TDP */
	uint32_t core_global;           /* enables of a core's counters */
	uint32_t core_in_use;           /* whose are they? */
};

struct model {
	const char *name;               /* "skx" */
	const char *title;              /* "Skylake-SP, Cascade Lake-SP" */
	const char *default_config;     /* "@default-skx" */
	const char *vendor;             /* as CPUID has it; NULL: GenuineIntel */
	uint8_t cpu_family;             /* 0: 6 */
	uint8_t uncore_list_of;         /* the model of that family whose list of
	                                 * uncore events is this one's, too */
	const struct cpu_match *id;     /* models of that family.  NULL: */
	uint32_t midr;                  /* an Arm core: MIDR_EL1 & MIDR_MASK, */
	const char *needs_pmu;          /* and a PMU that the node must have, */
	const char *pmu_driver;         /* of this module */
	bool pkg_is_node;               /* a package is what is one NUMA node,
	                                 * whatever firmware numbers it */
	unsigned root_ports;            /* of a package, one in each PCI domain:
	                                 * domain 0018 is port 8 of package 1.
	                                 * 0: domains say nothing of ports */
	const struct box_type *core;
	bool threads_share;             /* two threads halve core->counters */
	const struct core_fixed *fixed;
	const struct box_type *box;     /* ends with name NULL */
	const struct freerun *freerun;  /* ends with family NULL */
	const struct scalar *const *scalar;     /* tables, one after the other,
	                                 * each ends with family NULL; NULL */
	const struct enabler *enabler;  /* NULL: all of them just count */
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
	bool dram_energy_rests;         /* it stands still, at any number, where
	                                 * firmware did not switch it on */
	uint8_t ccxs_per_ccd;           /* AMD, where no leaf of CPUID says where
	                                 * a die ends; 0: one does */
	bool module_filters;            /* cores that share an L2 share those
	                                 * filters of the core that are of
	                                 * one event */
	uint8_t energy_unit_min;        /* a smaller ESU is suspect; 0: none */
	const struct common_msrs *msr;  /* NULL: none of them */
	const struct bus_clock *bus_clock;      /* NULL: 100 MHz */
	const struct soc *soc;          /* message bus; NULL: it has none */
	double max_ghz;                 /* above any turbo: bound for checks */
	double max_io_bytes;            /* a PCIe port, a second, one way: bound */
	uint64_t max_cas_hz;            /* per channel: bound for checks */
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

/* Stand for CPUs without tables: model_any and, of Arm's architecture, model_any_arm
 * where only the kernel can count,
 * model_any_x86 where the CPU itself announces counters (regs/made.h has what is
 * made of that; this is for dumps of it).  All are outside of models[]. */
extern const struct model model_any;
extern const struct model model_any_x86;
extern const struct model model_any_arm;
extern const struct model *const models_any[];  /* ends with NULL */

extern const struct model *const models[];      /* ends with NULL */

/* model_find - the model of a CPU of that vendor, or NULL.
 * model_is - is a CPU of that family and model one of these? */
const struct model *model_find(const char *vendor, unsigned family,
    unsigned model, unsigned stepping);
bool model_is(const struct model *, unsigned family, unsigned model,
    unsigned stepping);
/* model_msrs - what it has of the common ones; NULL, too, has none. */
const struct common_msrs *model_msrs(const struct model *);
/* model_arm - the model of an Arm core whose needs_pmu is `pmu`, or NULL. */
const struct model *model_arm(uint32_t midr, const char *pmu);
/* model_named - by name ("skx"), or NULL. */
const struct model *model_named(const char *name);
/* model_box - a box type by name, case ignored; "core" too.  Or NULL. */
const struct box_type *model_box(const struct model *, const char *name);

/* model_scalar - scalar n in the order of the model's tables; NULL: no more. */
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
 * imc_ddr_read_bytes.  freerun_named - has that the instance in its name, and
 * not as an index? */
const char *freerun_family(const struct model *, const struct freerun *,
    unsigned inst, unsigned port, char *buf, size_t size);
bool freerun_named(const struct freerun *);
/* freerun_is - is that its family, of whatever stack and port? */
bool freerun_is(const struct freerun *, const char *family);

/* box_bits - how wide the columns of its counters are: of those that do not wrap,
 * as wide as any. */
uint8_t box_bits(const struct box_type *);
/* box_toward - the NUMA node of the socket that an event is of; -1: none. */
int box_toward(const struct box_type *, uint64_t event);
/* event_named - an event of the type's own list, case ignored; or NULL.
 * event_generic - one of the kernel's own, by its first name. */
const struct event_name *event_named(const struct box_type *, const char *name);
const struct event_name *event_generic(const struct box_type *,
    const char *name);
/* box_fill - a control value with the bits that it has to have. */
uint64_t box_fill(const struct box_type *, uint64_t ctl);
/* event_second - the field beside `event` that a listed event may have.
 * event_terms - its fields as perf writes them: event=0x64,umask=0x9. */
const char *event_second(const struct box_type *);
const char *event_terms(const struct box_type *, const struct event_name *,
    char *buf, size_t size);
/* box_pmu - the name of the kernel's PMU for a type, without its number. */
const char *box_pmu(const struct box_type *, char *buf, size_t size);

/* box_event_mask - the counters that can count control value ctl. */
unsigned box_event_mask(const struct box_type *, uint64_t ctl);
/* box_pairs - does control value ctl need a pair of counters?  box_helps - is it
 * what the odd one of a pair holds? */
bool box_pairs(const struct box_type *, uint64_t ctl);
bool box_helps(const struct box_type *, uint64_t ctl);
/* box_class - what control value ctl counts; box_class_named - what the event
 * of a name does, UNC_M_CAS_COUNT.RD, as far as the list has names. */
enum column_class box_class(const struct box_type *, uint64_t ctl);
enum column_class box_class_named(const struct box_type *, const char *event);
/* core_fixed_class - of a fixed counter, by either of its names; of another one
 * CLASS_REF. */
enum column_class core_fixed_class(const struct core_fixed *, const char *name);
/* box_filter_for - does the filter narrow what control value ctl counts? */
bool box_filter_for(const struct box_filter *, uint64_t ctl);
/* box_need - what control value ctl needs of a filter, from *from on; NULL:
 * nothing more.  Begin with NULL. */
const struct need *box_need(const struct box_type *, uint64_t ctl,
    const struct need *from);
/* box_in_use - the bits of which one, set in a control, says that somebody counts
 * with it. */
uint64_t box_in_use(const struct box_type *);
/* box_ctl_valid - the bits that a control of this type may have set. */
uint64_t box_ctl_valid(const struct box_type *);
/* field_named - its first piece; or NULL. */
const struct field *field_named(const struct field *, const char *name);
/* field_bits - the bits of this piece alone. */
uint64_t field_bits(const struct field *);
/* Of a field and all its pieces, which follow it in its list: field_max - the
 * largest value that fits.  field_get - its value in a control.  field_put - the
 * control with that value, which fits. */
uint64_t field_max(const struct field *);
uint64_t field_get(const struct field *, uint64_t ctl);
uint64_t field_put(const struct field *, uint64_t ctl, uint64_t value);

#endif
