/*
 * daemon/plan/plan.h - what a configuration asks of this node, as flat lists that
 * sampling walks.  Everything that can be wrong with a configuration is found while
 * the plan is made, before any register is written.
 */
#ifndef DAEMON_PLAN_PLAN_H
#define DAEMON_PLAN_PLAN_H

#include "config/dump/column.h"
#include "config/dump/head.h"
#include "config/lang/site.h"
#include "config/lang/want.h"
#include "regs/host.h"
#include "regs/sideband.h"
#include "topology/inventory.h"

#include <stdatomic.h>

/*
 * The groups of SoC events of a plan: what to write to the message bus for each of
 * them.
 */

/* One group, in one event set. */
struct soc_turn {
	unsigned set;
	const struct soc_group *group;
	const struct site_group *programming;   /* NULL: another tool's */
	struct reg_step *start, *sample;        /* what to write, in order */
	unsigned nstart, nsample;
};

struct soc_plan {
	struct soc_turn *turn;
	unsigned n;
	const struct site *site;
	struct reg_step *mux;           /* as found, if they can be read back */
	unsigned nmux;
	struct reg_step stop[2 * CHAP_COUNTERS];
	unsigned nstop;
	bool running;
};

void soc_free(struct soc_plan *);       /* NULL accepted */

#define MAX_SETS 64

/*
 * A control register to change: new = (old & ~clear) | set, and only if
 * old & when (when 0: always).  Lists are in the order of programming.
 */
struct plan_write {
	struct reg_addr addr;
	uint64_t clear, set, when;
	uint64_t verify;        /* bits that must read back as written */
	uint64_t in_use;        /* bits that, if they are set beforehand, mean
	                         * that somebody else counts with it */
	uint64_t old, new;      /* filled by program_save */
	bool rotates;           /* rewritten by each event set (rotate.c) */
	/* of which unit it is: type (NULL: of all boxes of the package), package,
	 * instance (of a core its lproc) */
	const struct box_type *type;
	unsigned unit_pkg, unit_inst;
	/* who writes it, as of struct block: lproc where pkg is -1 (the core, and
	 * what is of a CCX) */
	int pkg;
	unsigned lproc;
	char role[16];          /* "ctl0", "filter1", "boxctl", "globalctl" */
	const char *name;       /* event, or NULL */
};

/* What becomes of a control register.  Apart from plan_write: sampler and writer share the
 * pages of that as long as neither of them writes there. */
struct plan_fate {
	uint64_t seen;          /* last value found by the tamper watch */
	bool written;           /* by program_write */
	bool gone;              /* its lproc was offline when it was to be written,
	                         * or put back for a pause */
};

/*
 * Registers read from one lproc, in one go: its own, or its package's where it
 * is the package's reader.  The blocks of one lproc stand side by side.  The
 * TSC at which a block begins goes into the cell before those of its reads.
 *
 * A package that has MSRs and others (PCI, MMIO, files) has a block of each:
 * they are not always read at one time.
 */
enum block_part { BLOCK_ALL, BLOCK_MSR, BLOCK_BUS };

/* How long an event set counted, in TSC counts: at least, and at most. */
struct turn_span {
	uint64_t least, most;
};

struct block {
	unsigned lproc;
	int pkg;                /* whose registers these are; -1: the lproc's */
	uint8_t part;           /* enum block_part, of a package's */
	unsigned first, n;      /* into plan.read */
	unsigned bus;           /* how many of these, the first ones, are on a bus */
	unsigned cell;          /* of the stamp; reads follow */
	bool visit;             /* may the thread run there? (sweep.c) */
	bool batched;           /* stamp and all in one call (sweep.c) */
	bool left_alone;        /* the lproc gets no thread (--cpus, nohz_full) */
	bool unwritten;         /* the lproc was offline when its controls were
	                         * written: nothing of it is a value */
	unsigned watch, nwatch; /* into plan.watch: controls to check here */
	unsigned rot, nrot;     /* into plan.sets.rot: what a turn rewrites */
	unsigned shared, nshared;       /* into plan.sets.shared */
	unsigned sat, nsat;             /* into plan.stops.counter */
	unsigned in_set;        /* first of the cells of how long each set had the
				 * block so far, by the TSC; 0: there are none */
	bool taken;             /* somebody else had a counter in the turn that
	                         * ends */
	bool stale;             /* a control could not be written in the last
	                         * turn: another set's event may be counted */
	/* When the shared counters were last read, by the TSC: before the first
	 * and after the last of them.  They count the active set since then. */
	uint64_t began, begun;
	uint64_t quickest;      /* such reading of late; UINT64_MAX: none yet */
	struct turn_span counted; /* until they were read */
};

/*
 * Event sets take turns on the counters.  A rotating register has a value for
 * each set; a shared counter is read when its set's turn ends, and what it
 * counted is added to the cell of the event that it counted: cells of rotated
 * events are cumulative over their running time, and wrap like the counter.
 */
struct rotating {
	unsigned write;                 /* into plan.write */
	unsigned value;                 /* into plan.sets.value, + set */
	uint64_t helper;                /* the value by which it serves the next
	                                 * register in the list, which is then
	                                 * changed first; 0: it never does */
};

struct shared_counter {
	struct reg_addr addr;
	unsigned lproc;
	int pkg;                        /* as struct block */
	uint8_t bits;
	unsigned cell;                  /* into plan.sets.cell, + set */
	uint64_t start;                 /* its value when this turn began; ABSENT */
	uint64_t ahead;                 /* its value, read in a batch; ABSENT */
	uint64_t added;                 /* what was added to its cell last */
	bool begun;                     /* it has been read once */
	bool lost;                      /* part of this turn is not known */
	uint64_t lost_sets;             /* bit s: part of an earlier turn of set s
					 * since the last row is not known */
	unsigned sat;                   /* plan.stops.counter[sat - 1]; 0: it
					 * wraps */
};

/*
 * A counter that stops at its end (box_type.saturates).  The daemon sets it to 0
 * before it gets there (daemon/read/saturate.h), and its column is the sum of what it
 * counted before and what it holds.
 */
struct saturating {
	struct reg_addr addr, control;
	unsigned write;                 /* of its control, into plan->write */
	uint64_t enable;                /* bits of that */
	uint8_t bits;
	unsigned cell;                  /* of each row; 0: event sets share it,
	                                 * or it is slow */
	uint64_t before;                /* counted until it was set to 0 last */
	bool stopped;                   /* it stood at its end when last read */
	atomic_bool found;              /* stopped, which nobody has noted yet */
};

/* The first cells of every row are its clocks and what the sample cost. */
enum {
	CELL_TSC, CELL_SEC, CELL_USEC,
	CELL_CPU,               /* CPU time of the daemon so far, ns */
	CELL_DURATION,          /* of this sample, ns */
	CELL_LATE,              /* behind its deadline, ns */
	CELL_BLOCK,             /* under one stamp at most, TSC counts */
	CELL_ROTATE,            /* spent on turning to the next set so far, ns */
	CELL_MONO,              /* when, on a clock that nobody sets, ns */
	CELL_READS
};

struct team;                            /* daemon/node/program.h */

/* Lines for people. */
struct plan_lines {
	char **line;
	unsigned n;
};

struct plan_lprocs {
	int *pkg;                       /* package of each lproc; -1: offline */
	int *reader;                    /* the lproc that the boxes of its core
					 * complex are read from; -1: none */
	unsigned n;
};

/* Event sets; n is 1 and the rest is empty where nothing rotates. */
struct plan_sets {
	unsigned n;                     /* set 0 is always counted */
	const char **name;              /* the configuration's */
	unsigned active;                /* the set whose turn it is */
	unsigned turns;                 /* from one sample to the next, a whole
					 * number of rounds (rotate.h); 0: a turn
					 * lasts one sample or more */
	uint64_t seed;                  /* of the order of a round */
	bool checked;                   /* at the end of a turn: do controls
					 * hold what its set has there? */
	/* turns of an lproc or a package that count for nobody, by set, since
	 * the last row that said so; threads add to it */
	struct lost_turns { atomic_uint late, taken; } lost[MAX_SETS + 1];
	struct rotating *rot;
	unsigned nrot;
	uint64_t *value;                /* of these: see struct rotating */
	struct shared_counter *shared;
	unsigned nshared;
	unsigned *cell;                 /* of each event of these, 0: none */
	uint64_t *total;                /* [ncell] cumulative counts so far */
	unsigned times;                 /* cells: enabled and running time of
					 * set 1, of set 2, ... */
};

/* A number in a file of the node. */
struct plan_file {
	struct held_file held;
	uint64_t at;                    /* binary: offset of its eight bytes */
	bool binary, gauge;
	unsigned digits;                /* behind the point, that are kept */
	unsigned every;                 /* samples between two readings */
	unsigned statement;             /* one stamp for those of a statement */
	unsigned cell, stamp;           /* of a row */
	struct column_id id;
};

/* A register that is not read in every sample. */
struct plan_slow {
	struct reg_addr addr;           /* space REG_NONE: it does not answer */
	unsigned every;                 /* samples between two readings */
	unsigned statement;             /* those of one name share a stamp */
	unsigned cell, stamp;
	const struct family *family;
	const char *event;              /* NULL: the register has no event */
	unsigned lproc;                 /* of an event: where its control is */
	int pkg;                        /* watched; as of struct block */
	unsigned sat;                   /* as struct shared_counter */
	bool unwritten;                 /* as struct block */
};

/* What is in no block. */
struct plan_apart {
	struct plan_file *file;
	unsigned nfile;
	struct plan_slow *slow;
	unsigned nslow;
	unsigned nstatement;            /* of both: each has a stamp */
};

/* Counters that stop at their end. */
struct plan_stops {
	struct saturating *counter;     /* block by block; first those that are
					 * in no block */
	unsigned n;
	atomic_bool found;              /* one stood at its end when read */
};

/* The control value of a column. */
struct plan_control {
	struct column_id id;
	uint64_t ctl;                   /* ABSENT: it has none of its own */
	unsigned set;
};

/* What the kernel is asked to count for a column. */
struct plan_opened {
	struct column_id id;
	unsigned cpu;
	unsigned group;                 /* those of one number share a read */
	struct perf_attr attr;
};

struct plan {
	/* what is programmed */
	struct plan_write *write;
	struct plan_fate *fate;         /* [nwrite] */
	unsigned nwrite;
	unsigned *watch;                /* indices into write, block by block */
	struct team *team;              /* threads that change registers at
					 * once; NULL: one after the other */
	/* what is read */
	struct reg_addr *read;          /* block by block */
	unsigned nread;
	struct block *block;
	unsigned nblock;
	struct plan_lprocs lproc;
	struct plan_sets sets;
	struct plan_apart apart;
	struct plan_stops stops;
	struct soc_plan *soc;           /* NULL: no SoC counters asked for */
	/* what a row has */
	struct column *column;          /* in the order of the dump; none after plan_told */
	unsigned ncolumn;
	unsigned ncell;
	/* what people are told */
	struct plan_lines absent;       /* asked for, and this node lacks it */
	struct plan_lines remarks;      /* on what is counted */
	struct plan_control *control;
	unsigned ncontrol;
	struct plan_opened *opened;
	unsigned nopened;
	struct head head;               /* further lines of the dump's head */
	struct families families;       /* those `said` are in the head */
	struct arena *text;             /* families, and names made here */
	struct plan_build *build;       /* working state; NULL afterwards */
};

/*
 * plan_make - everything that sampling needs to know.
 *
 * Reads hardware (each register once, to leave out those that do not answer),
 * writes nothing.  Returns 0, or -errno with one line in why.
 */
int plan_make(struct plan *, const struct config *, const struct topo *,
    const struct inventory *, struct access *, struct diag *why);
void plan_free(struct plan *);

/* plan_told - the head of the dump and the store have what the plan tells of columns:
 * frees that (column, control), which sampling does not need. */
void plan_told(struct plan *);

/* plan_write_id - the table of the columns that hang on a control register,
 * core_counts[5], but for its family. */
struct column_id plan_write_id(const struct plan_write *);

/* block_holds - is a register of that space in the block, if it is of its
 * package?  The counters behind a SoC's message bus: block_soc. */
bool block_holds(const struct block *, enum reg_space);
bool block_soc(const struct block *);

/* plan_wrap_seconds - how soon a family's counters could wrap at the highest rate that
 * hardware has, in seconds; an interval should be shorter.  HUGE_VAL: never, or a register
 * of the user's own, whose rate is not known. */
double plan_wrap_seconds(const struct family *);

/* plan_may_reset - is it a counter that is set to 0 while others count? */
bool plan_may_reset(const struct plan *, const struct reg_addr *);

/* plan_every - how many samples a family's counters are apart at most. */
unsigned plan_every(const struct plan *, const struct family *);

/* plan_cell_addr - the register that a cell shows; NULL for clocks, stamps and
 * costs. */
const struct reg_addr *plan_cell_addr(const struct plan *, unsigned cell);

/*
 * assign_counters - a counter for each of n events of one box.
 *
 * mask   bit c of mask[i]: event i can be counted on counter c
 * out    out[i]: the counter of event i, all different
 * Earlier events get lower counters where they can.  Returns 0, or i + 1
 * where event i is the first that does not fit.
 */
int assign_counters(const unsigned *mask, unsigned n, int *out);

#endif
