/*
 * regs/sim/sim_int.h - what the files of the simulated machine share.  A file of this
 * list calls those above it, never one below.
 *
 * sim_desc.c        an empty description
 * sim_map.c         memory, and finding a register by its address
 * sim_count.c       how much a rate has counted
 * sim_box.c         what a PMON block does when its registers are written
 * sim_mailbox.c     a message bus behind PCI 0:0.0, and its counters
 * sim_reg.c         one register, whole
 * sim_tape.c        recorded values instead of rates
 * sim_counter.c     how the kernel places events on the counters of a core
 * sim_perf.c        perf_event_open
 * sim_perf_read.c   reading perf events, and other users of perf
 * sim_fault.c       carrying out faults at their time
 * sim_time.c        the machine's time, many threads that spend it, the clocks that a
 *                   node shows
 * sim_fault_add.c   finding what a fault is of; adding it
 * sim_stimulus.c    counts of work that was done on it
 * sim_place.c       where the lprocs are, and what CPUID says there
 * sim_files.c       the files of the node
 * sim_build.c       make the machine that a description asks for
 * sim.c             the method of access: dispatches reads and writes
 */
#ifndef REGS_SIM_SIM_INT_H
#define REGS_SIM_SIM_INT_H

#include "regs/access.h"
#include "regs/perf.h"
#include "regs/sim/sim.h"
#include "regs/sim/sim_desc.h"

#include <stdio.h>

#define NS 1000000000u

/*
 * A count.  From machine time a to b it grows by floor(T(b)) - floor(T(a)), where T
 * is the integral of its rate from time 0: nothing is lost by rounding, and two
 * counters of the same event always agree.  With noise, the rate is lower in each
 * slot of NOISE_SLOT ns by a part that depends only on the seed, the statement, `add`
 * and the slot.
 */
#define NOISE_SLOT (NS / 10)
struct sim_count {
	const struct sim_rate *rate;    /* NULL: it does not count */
	uint64_t add;                   /* what the steps add to the rate */
	uint64_t base;                  /* its value; if it counts, less floor(T) */
	/* T at the start of stretch `at`, or of a noise slot in it, is
	 * whole + frac / NS. */
	unsigned at;
	uint64_t hz, slot, whole, frac;
	/* A fault may make it count num / den of the truth; den 0: no fault. */
	uint64_t num, den;
};

enum reg_kind {
	R_NONE,                 /* no such register */
	R_RAZ_WI,               /* reads as 0, ignores writes */
	R_VALUE,                /* holds what is written */
	R_READING,              /* a value for each phase */
	R_COUNT,                /* free-running */
	R_BOXCTL, R_CTL, R_CTR, R_FILTER,
	R_FIXEDCTL,             /* control of the one fixed counter */
	R_FIXED,                /* a fixed counter */
	R_NIBBLES,              /* IA32_FIXED_CTR_CTRL */
	R_ENABLES,              /* IA32_PERF_GLOBAL_CTRL */
	R_INUSE,                /* IA32_PERF_GLOBAL_INUSE */
	R_ALIAS,                /* full-width alias of a counter (IA32_A_PMC) */
	R_GLOBAL,               /* uncore global control */
	R_MDR, R_MCR,           /* of a mailbox; MCRX is an R_VALUE */
};

struct reg {
	uint8_t kind, bits;
	uint8_t n;              /* number of the control or counter in its box */
	bool torn;              /* the next reading of a half tears */
	struct sim_unit *unit;      /* its box */
	uint64_t value, mask;   /* mask: bits that can be written */
	struct sim_count count;
	struct reg *shows;      /* a fault: it reads as this other register; or NULL */
	const uint64_t *tape;
	unsigned ntape;
};

/* The rate of a counter when it was last looked up; it holds as long as the control
 * and the box's filters are the same. */
struct sim_chosen {
	bool known;
	uint64_t ctl, filter[SIM_FILTERS];
	const struct sim_rate *rate;
	uint64_t add;
};

/* An instance of a box. */
struct sim_unit {
	const struct sim_box *box;
	unsigned index;         /* of box, in the description */
	unsigned pkg, inst, thread, lproc;
	unsigned gone;          /* number of faults that make it read all ones */
	uint64_t asked;         /* last value written to boxctl, with reset bits */
	struct reg *boxctl, *fixedctl, *enables, *nibbles;
	struct reg *ctl[SIM_CTRS], *ctr[SIM_CTRS], *fixed[SIM_FIXED];
	struct reg *filter[SIM_FILTERS];
	struct sim_chosen chosen[SIM_CTRS + SIM_FIXED];
};

/* The registers of one MSR number, by unit of its scope. */
struct msr {
	uint32_t number;
	uint8_t scope;
	struct reg *reg;
	struct msr *next;       /* in the list of all */
	struct msr *beside;     /* in the same hash slot */
};

/* 4 KiB of PCI config space or of physical memory, by dword.  A register of
 * 64 bits stands in two slots. */
struct sim_page {
	uint64_t key;           /* space << 56 | unit, or address >> 12 */
	unsigned gone;          /* number of statements and faults that removed it */
	uint64_t stall_ns;      /* its next read takes so long */
	struct reg *dword[1024];
	uint8_t high[1024];     /* 1: this dword is the upper half */
	struct sim_page *next;
};

struct sim_place {
	bool exists;
	unsigned offline;       /* number of faults that keep it offline */
	uint64_t stall_ns;      /* its next read takes so long */
	unsigned pkg, die, core, thread, node;
	unsigned inst;          /* index of its core in its package */
	unsigned ccx;           /* index of its CCX in its package, by APIC id */
	unsigned apic;          /* its APIC id, where the machine has them */
	unsigned unit[SIM_SCOPES];      /* index into msr.reg for each scope */
};

/* A fault that begins (on) or ends at time t.  The names in `is` are not kept: what they
 * stand for was found before. */
struct fault {
	uint64_t t;
	bool on;
	struct sim_fault is;
	struct reg *reg;
	struct sim_page *page;
	struct sim_unit *unit;
	/* FAULT_SHOWS: `reg` reads as `other`, or all of the unit as that of `as`. */
	struct reg *other;
	struct sim_unit *as;
};

/* FAULT_COUNTS in force: counters of a unit whose control is key under mask. */
struct sim_wrong {
	struct sim_unit *unit;
	uint64_t key, mask, num, den;
};

struct text_file {
	const struct sim_file *file;
	struct reg reg;
};

#define MSR_SLOTS 0x4000
/* More registers than any node has; a limit for machine files with mistakes. */
#define SIM_REGS 2000000
#define PAGE_SLOTS 1024
/* The most faults of a kind that a machine can have in all. */
#define MSR_FAULTS 256
#define COUNT_FAULTS 256

struct sim {
	struct access access;   /* first: an access is a sim */
	struct sim_desc *d;

	/* clock */
	bool virtual;
	uint64_t t;             /* ns since machine start */
	uint64_t t0;            /* the host's CLOCK_MONOTONIC at that time */
	int64_t real_step;      /* ns that faults have moved the wall clock */
	unsigned now;           /* the stretch of the workload at t */
	uint64_t sec, ns;       /* since that stretch began */
	uint64_t start[SIM_STRETCHES];
	struct sim_rate tsc_rate;
	struct sim_count tsc;

	/* registers */
	unsigned nlproc;        /* highest number + 1 */
	struct sim_place *place;
	unsigned nunit[SIM_SCOPES];     /* units of each scope */
	struct msr *msr[MSR_SLOTS], *msr_all;
	struct sim_page *page[PAGE_SLOTS];
	struct sim_unit **units;
	unsigned nunits;
	const struct sim_event ***events;       /* [box], ends with NULL */
	bool frozen[SIM_PKGS];
	uint64_t writes;
	bool tainted;           /* an MSR was written */
	uint64_t regs;          /* how many registers there are */

	/* files */
	struct text_file *text;

	struct mailbox *mailbox;        /* NULL: this machine has none */
	struct sim_perf *perf;          /* sim_perf.c; NULL: nothing is open */
	struct reg_addr *batch;         /* sim.c; NULL: not prepared */
	unsigned nbatch;

	/* faults */
	struct fault *fault;            /* those to come, by time */
	unsigned nfault;
	struct fault msr_fault[MSR_FAULTS];     /* in force */
	unsigned nmsr_fault;
	unsigned msr_faults, count_faults;      /* added so far */
	int write_error;
	struct sim_wrong wrong[COUNT_FAULTS];
	unsigned nwrong;

	struct sim_threads *threads;    /* NULL: there is one thread */

	/* tape */
	const struct stamp *tape;
	unsigned ntape, position;

	void *memory;           /* sim_alloc: freed together */
};

/* A mask of the low `bits` bits. */
static inline uint64_t
low_bits(unsigned bits)
{
	return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/*
 * sim_map.c
 */
/* sim_alloc - zeroed memory that lives as long as the machine, or NULL. */
void *sim_alloc(struct sim *, size_t size);
void sim_free_all(struct sim *);                /* all memory of sim_alloc */
struct msr *sim_msr(struct sim *, uint32_t number);
struct msr *sim_msr_new(struct sim *, uint32_t number, unsigned scope);
struct sim_page *sim_page_at(struct sim *, unsigned space, uint64_t key,
    bool make);
int sim_slot(struct sim_page *, struct reg *, unsigned offset);
int sim_no_room(const struct sim *, unsigned line, struct diag *why);
struct reg *reg_find(struct sim *, const struct reg_addr *, bool *high,
    struct sim_page **page);

/* sim_count.c */
uint64_t count_get(struct sim *, struct sim_count *);
void count_set(struct sim *, struct sim_count *, uint64_t value);
/* count_by - from now on count at this rate; the value stays. */
void count_by(struct sim *, struct sim_count *, const struct sim_rate *,
    uint64_t add);
/* count_scale - from now on count num / den of the truth (den 0: the truth).
 * count_wrong - what is counted of n. */
void count_scale(struct sim *, struct sim_count *, uint64_t num, uint64_t den);
uint64_t count_wrong(const struct sim_count *, uint64_t n);

/*
 * sim_box.c
 */
void unit_update(struct sim *, struct sim_unit *);
void sim_update_package(struct sim *, unsigned pkg);
int unit_put(struct sim *, struct reg *, uint64_t value, bool strict);
uint64_t unit_inuse(const struct sim_unit *);
bool unit_applies(const struct sim_where *, const struct sim_unit *);
/* unit_present - does the block exist?  unit_runs - is counter n, or fixed counter n,
 * enabled and not frozen? */
bool unit_present(const struct sim_unit *);
bool unit_runs(const struct sim *, const struct sim_unit *, unsigned n,
    bool fixed);
/* unit_rate - the rate at which control value ctl, or fixed counter `fixed` (-1:
 * none), counts in a unit whose filters hold filter[SIM_FILTERS].  The last statement
 * of the machine file that matches decides; NULL: it counts nothing. */
const struct sim_rate *unit_rate(const struct sim *, const struct sim_unit *,
    int fixed, uint64_t ctl, const uint64_t *filter, uint64_t *add);

/* sim_mailbox.c */
int mailbox_build(struct sim *, struct diag *why);
void mailbox_transact(struct sim *);            /* the command was written */

/* sim_reg.c */
uint64_t reg_get(struct sim *, struct reg *);
/* strict: fail where a processor raises #GP; otherwise ignore such a write */
int reg_put(struct sim *, struct reg *, uint64_t value, bool strict);

/* sim_tape.c: -1 no tape; 0 or -EIO */
int tape_get(const struct sim *, const struct reg *, uint64_t *raw);

/* sim_perf.c */
struct perf_group;
int sim_perf_open(struct sim *, const struct perf_group *, unsigned n,
    unsigned *bad);
void sim_perf_drop(struct sim *, unsigned handle);
/* sim_perf_direct - from now on read groups by their pages.  0 or -ENOMEM. */
int sim_perf_direct(struct sim *, const struct perf_msrs *);
int sim_perf_read(struct sim *, const struct reg_addr *, uint64_t *raw);
/* sim_perf_note - access_ops.note for REG_PERF. */
const char *sim_perf_note(struct sim *);
/* sim_perf_cpu - the CPU on which a handle counts (of several, the first), or -1
 * where there is no such handle. */
int sim_perf_cpu(const struct sim *, unsigned handle);
/* sim_perf_others - another user of perf takes so many counters of an lproc's core
 * from us, or gives them back.  counters 0: the kernel moves our events to other
 * counters. */
void sim_perf_others(struct sim *, unsigned lproc, unsigned counters, bool on);
/* sim_perf_hotplug - an lproc went offline or came back. */
void sim_perf_hotplug(struct sim *);
void sim_perf_free(struct sim *);

/* sim_fault.c */
void fault_apply(struct sim *, const struct fault *);
void sim_fault_next(struct sim *);              /* carry out the next one */
int msr_refused(const struct sim *, unsigned lproc, uint64_t number);

/* sim_time.c */
void sim_time(struct sim *, uint64_t t);        /* set the time to t */
void sim_tick(struct sim *);                    /* set it by the host's clock */

extern const struct thread_ops sim_threads;
void sim_threads_free(struct sim *);
/* sim_lock, sim_unlock - around each call of the method of access, as threads call at
 * the same time when the machine's time is the host's. */
void sim_lock(struct sim *);
void sim_unlock(struct sim *);
/* sim_spend - in virtual time: the calling thread sleeps, or its read takes, until
 * then. */
void sim_spend(struct sim *, uint64_t until);

void sim_now(struct access *, struct stamp *);
int sim_kept(struct access *, struct clock_state *);
int sim_sleep(struct access *, uint64_t mono_ns, const sigset_t *unblocked);

/* sim_stimulus.c */
int sim_stimulate(struct access *, const struct stimulus *);

/* sim_cpuid - EAX, EBX, ECX and EDX of a leaf, on an lproc that exists. */
void sim_cpuid(const struct sim *, unsigned lproc, uint32_t leaf, uint32_t sub,
    uint32_t reg[4]);

/* sim_files.c */
ssize_t sim_file(struct access *, const char *path, uint64_t offset, void *,
    size_t size);
int sim_list(struct access *, const char *dir,
    void (*each)(void *, const char *), void *ctx);
int sim_link(struct access *, const char *path, char *buf, size_t size);
int sim_text(struct access *, const char *path);

/* sim_place.c */
int sim_place_lprocs(struct sim *, struct diag *why);

/*
 * The events that the simulated kernel counts, for the files that open and read them.
 */

/* An event that the kernel has on a counter of a core, and its page. */
struct sim_slot {
	struct sim_unit *unit;          /* of the lproc; NULL: none */
	struct reg *counter;
	unsigned n;                     /* which of its kind */
	bool fixed, pair;
	struct perf_event_mmap_page *page;
};

/* One group on one CPU, of one PMU; software has none. */
struct sim_group {
	struct perf_group want;
	const struct sim_pmu *pmu;
	unsigned need;                  /* counters */
	uint64_t opened;
	struct sim_count count[PERF_MEMBERS];
	bool away;                      /* nobody serves it */
	bool lost;                      /* pinned, and others have its counters */
	uint64_t since;                 /* lost, or away */
	uint64_t kept[PERF_CELLS];      /* what it counted until then */
	struct perf_part part;
	struct perf_direct direct;
	struct sim_slot *slot;          /* [want.n]; NULL: on no counters */
};

struct sim_handle {
	unsigned n;
	struct perf_sum sum;
	struct sim_group *group;
};

struct sim_perf {
	struct sim_handle **handle;
	unsigned n;
	unsigned *demand;               /* counters wanted, by PMU and CPU */
	unsigned *skip;                 /* where the core's next is, by CPU */
	char note[128];
	bool direct;                    /* counters are read by their pages, */
	struct perf_msrs msrs;          /* at these registers */
	struct sim_rate clock;          /* ns in every phase */
	struct sim_rate none;           /* nothing in any */
};

/*
 * sim_counter.c
 */
/* sim_perf_usable - how many counters of a PMU are not always somebody else's. */
unsigned sim_perf_usable(const struct sim_pmu *);
/* sim_perf_takes - how many counters of its PMU an event takes. */
unsigned sim_perf_takes(const struct sim_pmu *, const struct perf_attr *);
/* sim_counter_take - a free counter of an lproc's core, from number `skip` on,
 * that counts what is asked for from now on, at value 0; false: there is none,
 * or no MSR would count it. */
bool sim_counter_take(struct sim *, unsigned lproc, const struct sim_pmu *,
    const struct perf_attr *, unsigned skip, struct sim_slot *);
/* sim_counter_give - back, where it was taken; the page says so. */
void sim_counter_give(struct sim *, struct sim_slot *);
/* sim_counter_page - write the page: the event has counted so much, and was
 * enabled and ran so long. */
void sim_counter_page(struct sim *, struct sim_slot *, const uint64_t *times,
    uint64_t count);
/* sim_counter_read - the counter of an index, as the lproc's MSR has it. */
int sim_counter_read(struct sim *, unsigned lproc, uint32_t index,
    uint64_t *raw);

/*
 * sim_perf.c
 */
/* sim_group_start - the counters of a group count from now on, from 0. */
void sim_group_start(struct sim *, struct sim_group *);
/* sim_group_demand - counters that groups want of its PMU on its CPU. */
unsigned *sim_group_demand(const struct sim *, const struct sim_group *);
/* sim_perf_core - the PMU of a CPU's core; NULL: none.  sim_perf_open_nothing -
 * there is a place for events from now on; 0 or -ENOMEM. */
const struct sim_pmu *sim_perf_core(const struct sim *, unsigned cpu);
int sim_perf_open_nothing(struct sim *);
bool sim_in_list(const char *list, unsigned n);
/* sim_group_leave - a group gives its counters back to the PMU. */
void sim_group_leave(struct sim *, struct sim_group *);

#endif
