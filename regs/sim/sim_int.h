/*
 * regs/sim/sim_int.h - inside the simulated machine, from what all stand on to
 * the door: a file calls those above it in this list, never one below.
 *
 * sim_desc.c        an empty description
 * sim_words.c       words of a machine file and of a fault line
 * sim_map.c         memory, and the registers that there are, by address
 * sim_count.c       how much a rate has counted
 * sim_box.c         what a PMON block does when its registers are written
 * sim_mailbox.c     a message bus behind PCI 0:0.0, and its counters
 * sim_reg.c         one register, whole
 * sim_tape.c        recorded values instead of rates
 * sim_counter.c     what the kernel does with the counters of a core
 * sim_perf.c        perf_event_open
 * sim_perf_read.c   reading what it counts, and others who count
 * sim_fault.c       what goes wrong, when its time has come
 * sim_time.c        the time
 * sim_threads.c     many threads, and time that one of them spends
 * sim_clock.c       the clocks
 * sim_fault_line.c  a line that says what goes wrong, and when
 * sim_stimulus.c    counts of work that was done on it
 * sim_files.c       the files of the node
 * sim_cpuid.c       what CPUID says
 * sim_place.c       where the lprocs are
 * sim_unit.c        the registers of the PMON blocks
 * sim_build.c       make the machine that a description asks for
 * sim_msr.c         an MSR, read or written
 * sim_batch.c       many of them in one call
 * sim.c             the door: which register, read or written
 */
#ifndef REGS_SIM_SIM_INT_H
#define REGS_SIM_SIM_INT_H

#include <stdio.h>

#include "regs/limits.h"
#include "regs/sim/sim.h"
#include "regs/sim/sim_desc.h"

#define NS 1000000000u

/*
 * A count.  From machine time a to b it grows by floor(T(b)) - floor(T(a)),
 * T being the integral of its rate from time 0: so nothing is lost to
 * rounding, and two counters of one event always agree.  With noise, the rate
 * of each slot of NOISE_SLOT ns is less by a part that only the seed, the
 * statement, `add` and the slot decide.
 */
#define NOISE_SLOT (NS / 10)
struct sim_count {
	const struct sim_rate *rate;    /* NULL: it stands */
	uint64_t add;                   /* what steps add to the rate */
	uint64_t base;                  /* value, less floor(T) if it runs */
	/* T at the start of stretch `at`, or of a slot of it, is whole + frac
	 * / NS. */
	unsigned at;
	uint64_t hz, slot, whole, frac;
	/* A fault: it counts num / den of the truth; den 0: the truth. */
	uint64_t num, den;
};

enum reg_kind {
	R_NONE,                 /* no such register */
	R_RAZ_WI,               /* reads 0, forgets what is written */
	R_VALUE,                /* holds what is written */
	R_READING,              /* a value by phase */
	R_COUNT,                /* runs by itself */
	R_BOXCTL, R_CTL, R_CTR, R_FILTER,
	R_FIXEDCTL,             /* control of the one fixed counter */
	R_FIXED,                /* a fixed counter */
	R_NIBBLES,              /* IA32_FIXED_CTR_CTRL */
	R_ENABLES,              /* IA32_PERF_GLOBAL_CTRL */
	R_INUSE,                /* IA32_PERF_GLOBAL_INUSE */
	R_ALIAS,                /* full-width way to a counter */
	R_GLOBAL,               /* uncore global control */
	R_MDR, R_MCR,           /* of a mailbox; MCRX is an R_VALUE */
};

struct reg {
	uint8_t kind, bits;
	uint8_t n;              /* which control or counter of its box */
	bool torn;              /* the next reading of a half tears */
	struct sim_unit *unit;      /* its box */
	uint64_t value, mask;   /* mask: bits that can be written */
	struct sim_count count;
	struct reg *shows;      /* a fault: it reads as that one; or NULL */
	const uint64_t *tape;
	unsigned ntape;
};

/* What a counter counted when it was last looked up: the same as long as its
 * control and its box's filters are the same. */
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
	unsigned gone;          /* faults that make it read all ones */
	uint64_t asked;         /* last written to boxctl, reset bits too */
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
	struct msr *next;       /* of all */
	struct msr *beside;     /* in the same slot */
};

/* 4 KiB of PCI config space or of physical memory, by dword.  A register of
 * 64 bits stands in two slots. */
struct sim_page {
	uint64_t key;           /* space << 56 | unit, or address >> 12 */
	unsigned gone;          /* statements and faults that took it away */
	uint64_t stall_ns;      /* that its next read waits */
	struct reg *dword[1024];
	uint8_t high[1024];     /* the upper half of a register */
	struct sim_page *next;
};

struct sim_place {
	bool exists;
	unsigned offline;       /* faults that hold it offline */
	uint64_t stall_ns;      /* that its next read waits */
	unsigned pkg, die, core, thread, node;
	unsigned inst;          /* of its core, in its package */
	unsigned ccx;           /* in its package, by APIC id */
	unsigned apic;          /* its id, where the machine has such */
	unsigned unit[SIM_SCOPES];      /* of its registers */
};

enum fault_kind {
	F_OFFLINE, F_MSR, F_WRITES, F_PCI_ABSENT, F_BOX_ABSENT, F_SET, F_TEAR,
	F_CLOCK, F_STALL, F_PCI_STALL, F_COUNTS, F_SHOWS, F_PERF,
};

/* Something that happens at time t; `on` is false where it ends. */
struct fault {
	uint64_t t;
	uint8_t kind;
	bool on;
	int error;
	int lproc, pkg;         /* F_MSR: as seen from; -1 anywhere */
	uint64_t msr;
	struct reg *reg;
	struct sim_page *page;
	struct sim_unit *unit;
	uint64_t value;
	/* F_COUNTS: so much of the truth, of one register, or of all of a box
	 * that select key under mask; F_SHOWS: what `reg`, or all of the unit,
	 * reads as. */
	uint64_t num, den, key, mask;
	struct reg *other;
	struct sim_unit *as;
};

/* Some of a unit's counters count wrongly. */
struct sim_wrong {
	struct sim_unit *unit;
	uint64_t key, mask, num, den;
};

struct text_file {
	const struct sim_file *file;
	struct reg reg;
};

#define MSR_SLOTS 0x4000
/* More registers than any node of today has; a limit for wild texts. */
#define SIM_REGS 2000000
#define PAGE_SLOTS 1024
#define MSR_FAULTS 64
#define COUNT_FAULTS 256

struct sim {
	struct access access;   /* first: an access is a sim */
	struct sim_desc *d;

	/* clock */
	bool virtual;
	uint64_t t;             /* ns since machine start */
	uint64_t t0;            /* host's CLOCK_MONOTONIC then */
	int64_t real_step;      /* ns, by faults */
	unsigned now;           /* the stretch of the workload at t */
	uint64_t sec, ns;       /* since it started */
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
	bool tainted;           /* an MSR was */
	uint64_t regs;          /* how many there are */

	/* files */
	struct text_file *text;

	struct mailbox *mailbox;        /* NULL: this machine has none */
	struct sim_perf *perf;          /* sim_perf.c; NULL: nothing is open */
	struct reg_addr *batch;         /* sim_batch.c; NULL: not prepared */
	unsigned nbatch;

	/* faults */
	struct fault *fault;            /* to come, by time */
	unsigned nfault;
	struct fault msr_fault[MSR_FAULTS];     /* in force */
	unsigned nmsr_fault;
	int write_error;
	struct sim_wrong wrong[COUNT_FAULTS];
	unsigned nwrong;

	struct sim_threads *threads;    /* NULL: there is one */

	/* tape */
	const struct stamp *tape;
	unsigned ntape, position;

	void *memory;           /* sim_alloc: freed together */
};

/* The bits of a register that is so many wide. */
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
void sim_free_all(struct sim *);                /* what sim_alloc gave */
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
/* From now on count by this rate; the value stays. */
void count_by(struct sim *, struct sim_count *, const struct sim_rate *,
    uint64_t add);
/* From now on count num / den of the truth (den 0: the truth); of n, how much
 * that is. */
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
/* unit_present - a block that is there; unit_runs - is counter n, or fixed
 * counter n, enabled, and not frozen? */
bool unit_present(const struct sim_unit *);
bool unit_runs(const struct sim *, const struct sim_unit *, unsigned n,
    bool fixed);
/* unit_rate - what control value ctl, or fixed counter `fixed` (-1: none),
 * counts in a unit whose filters hold filter[SIM_FILTERS]: by the last statement
 * of the machine's text that matches; NULL: nothing. */
const struct sim_rate *unit_rate(const struct sim *, const struct sim_unit *,
    int fixed, uint64_t ctl, const uint64_t *filter, uint64_t *add);

/* sim_mailbox.c */
int mailbox_build(struct sim *, struct diag *why);
void mailbox_transact(struct sim *);            /* the command was written */

/* sim_reg.c */
uint64_t reg_get(struct sim *, struct reg *);
/* strict: refuse what a processor refuses with #GP; otherwise drop it */
int reg_put(struct sim *, struct reg *, uint64_t value, bool strict);

/* sim_tape.c: -1 no tape; 0 or -EIO */
int tape_get(const struct sim *, const struct reg *, uint64_t *raw);

/* sim_perf.c */
struct perf_group;
int sim_perf_open(struct sim *, const struct perf_group *, unsigned n,
    unsigned *bad);
void sim_perf_drop(struct sim *, unsigned handle);
/* sim_perf_direct - from now on groups are read by their pages.  0 or -ENOMEM. */
int sim_perf_direct(struct sim *, const struct perf_msrs *);
int sim_perf_read(struct sim *, const struct reg_addr *, uint64_t *raw);
/* sim_perf_note - as access_ops has it. */
const char *sim_perf_note(struct sim *);
/* sim_perf_cpu - the CPU that a handle counts on, of several the first; -1:
 * there is no such handle. */
int sim_perf_cpu(const struct sim *, unsigned handle);
/* sim_perf_others - another user of perf takes so many counters of an lproc's
 * core first, or gives them back; 0: it makes the kernel count our events on
 * other counters. */
void sim_perf_others(struct sim *, unsigned lproc, unsigned counters, bool on);
/* an lproc went offline, or came back */
void sim_perf_hotplug(struct sim *);
void sim_perf_free(struct sim *);

/* sim_fault.c */
void fault_apply(struct sim *, const struct fault *);
void sim_fault_next(struct sim *);              /* the first to come happens */
int msr_refused(const struct sim *, unsigned lproc, uint64_t number);

/* sim_time.c */
uint64_t sim_machine_time(const struct sim *, uint64_t mono_ns);
uint64_t sim_mono(const struct sim *);
void sim_time(struct sim *, uint64_t t);        /* it is t now */
void sim_tick(struct sim *);                    /* let the clock catch up */

/* sim_threads.c */
extern const struct thread_ops sim_threads;
void sim_threads_free(struct sim *);
/* Around all that is asked of the machine: in the host's time threads ask at
 * once. */
void sim_lock(struct sim *);
void sim_unlock(struct sim *);
/* In virtual time whoever runs sleeps, or waits for a read, until then. */
void sim_spend(struct sim *, uint64_t until);

/* sim_clock.c */
void sim_now(struct access *, struct stamp *);
int sim_kept(struct access *, struct clock_state *);
int sim_sleep(struct access *, uint64_t mono_ns, const sigset_t *unblocked);

/* sim_stimulus.c */
int sim_stimulate(struct access *, const struct stimulus *);

/* sim_cpuid - EAX, EBX, ECX and EDX of a leaf, on an lproc that is there. */
void sim_cpuid(const struct sim *, unsigned lproc, uint32_t leaf, uint32_t sub,
    uint32_t reg[4]);

/* sim_files.c */
ssize_t sim_file(struct access *, const char *path, uint64_t offset, void *,
    size_t size);
int sim_list(struct access *, const char *dir,
    void (*each)(void *, const char *), void *ctx);
int sim_link(struct access *, const char *path, char *buf, size_t size);
int sim_text(struct access *, const char *path);

/*
 * sim_functions.c
 */
/* sim_functions - every PCI function by its name in sysfs. */
void sim_functions(struct sim *, void (*each)(void *ctx, const char *name),
    void *ctx);
/* sim_function_file - one of its files, into f; false: there is none. */
bool sim_function_file(struct sim *, const char *path, FILE *f);

/* sim_place.c */
int sim_place_lprocs(struct sim *, struct diag *why);

/* sim_unit.c: every instance of box `index` of the description */
int sim_units(struct sim *, unsigned index, struct diag *why);

/* sim_msr.c */
int sim_read_msr(struct sim *, const struct reg_addr *, uint64_t *raw);
int sim_write_msr(struct sim *, const struct reg_addr *, uint64_t raw);

/* sim_batch.c */
extern const struct batch_ops sim_batch;

#endif
