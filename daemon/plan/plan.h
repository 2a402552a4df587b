/*
 * daemon/plan/plan.h - config x topology x model: the flat lists that sampling
 * walks.  Everything that can be wrong with a configuration is found here,
 * before any register is written.
 */
#ifndef DAEMON_PLAN_PLAN_H
#define DAEMON_PLAN_PLAN_H

#include "config/dump/column.h"
#include "config/dump/head_put.h"
#include "config/lang/want.h"
#include "regs/held_file.h"
#include "topology/inventory.h"

#include <stdatomic.h>

#define MAX_SETS 64

/*
 * A control register to change: new = (old & ~clear) | set, and only if
 * old & when (when 0: always).  Lists are in the order of programming.
 */
struct plan_write {
	struct reg_addr addr;
	uint64_t clear, set, when;
	uint64_t verify;        /* bits that must read back as written */
	uint64_t in_use;        /* bits that, set beforehand, mean that
	                         * somebody else is counting with it */
	uint64_t old, new;      /* filled by program_save */
	uint64_t seen;          /* last value found by the tamper watch */
	bool written;           /* by program_write */
	bool rotates;           /* rewritten by each event set (rotate.c) */
	const struct box_type *type;
	int pkg;                /* -1 for the core, and what is of a CCX */
	unsigned inst;          /* instance; where pkg is -1 the lproc */
	int box_pkg;            /* package and instance of its box */
	unsigned box;
	char role[16];          /* "ctl0", "filter1", "boxctl", "globalctl" */
	const char *name;       /* event, or NULL */
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

/* How long event sets counted, TSC counts: no less and no more. */
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
	bool left_alone;        /* it gets no thread of its own, all the same */
	unsigned watch, nwatch; /* into plan.watch: controls to check here */
	unsigned rot, nrot;     /* into plan.rot: what a turn rewrites here */
	unsigned shared, nshared;       /* into plan.shared */
	unsigned sat, nsat;             /* into plan.sat */
	unsigned in_set;        /* cells: how long each set had it so far, by
				 * the TSC, set 1 first; 0: nobody asks */
	bool stale;             /* a control could not be written in the last
	                         * turn: what counts may be another set's */
	/* What its shared counters count now began between these two, by the
	 * TSC: they were read, after the turn to their set or last time. */
	uint64_t began, begun;
	struct turn_span counted; /* until they were read */
};

/*
 * Event sets take turns on the counters.  A rotating register has a value for
 * each set; a shared counter is read when its set's turn ends, and what it
 * counted is added to the cell of the event that it counted: cells of rotated
 * events are cumulative over their running time, and wrap like the counter.
 */
struct rotating {
	unsigned write;                 /* into plan->write */
	unsigned value;                 /* into plan->rot_value, + set */
	uint64_t helper;                /* while it holds that, the register
	                                 * behind in the list is changed before
	                                 * it; 0: never */
};

struct shared_counter {
	struct reg_addr addr;
	unsigned lproc;
	int pkg;                        /* as struct block */
	uint8_t bits;
	unsigned cell;                  /* into plan->rot_cell, + set */
	uint64_t start;                 /* where this turn began; or ABSENT */
	uint64_t ahead;                 /* read with others; ABSENT: not yet */
	uint64_t added;                 /* to its cell, when last read */
	bool begun;                     /* it has been read once */
	bool lost;                      /* part of this turn is not known */
	uint64_t lost_sets;             /* bit s: nor of an earlier one of set s,
					 * since the last row */
	unsigned sat;                   /* plan.sat[sat - 1]; 0: it wraps */
};

/*
 * A counter that stops at its end (box_type.saturates).  The daemon sets it to 0
 * before it gets there (daemon/read/saturate.h), and its column has what it counted
 * until then in front of what it counts.
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
	atomic_bool found;              /* so, and nobody has told of it */
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

struct soc_plan;                        /* plan_soc.h */
struct team;                            /* daemon/node/team.h */

struct plan {
	struct plan_write *write;
	unsigned nwrite;
	struct team *team;              /* threads that change registers at
					 * once; NULL: one after the other */
	unsigned *watch;                /* indices into write, block by block */
	struct reg_addr *read;          /* block by block */
	unsigned nread;
	struct block *block;
	unsigned nblock;
	int *lproc_pkg;                 /* package of each lproc; -1: offline */
	int *lproc_reader;              /* the lproc that the boxes of its core
	                                 * complex are read from; -1: none */
	unsigned nlproc;
	struct column *column;          /* in the order of the dump */
	unsigned ncolumn;
	unsigned ncell;
	/* what the configuration asked for and this node lacks, one line each */
	char **note;
	unsigned nnote;
	/* what has to be known of that which is counted */
	char **remark;
	unsigned nremark;
	struct arena *text;             /* families, and names made here */
	struct families families;       /* those `said` are in the head */
	/* Event sets; nset is 1 and the rest empty where nothing rotates. */
	unsigned nset;                  /* set 0 is always counted */
	const char **set;               /* names, the configuration's */
	unsigned active;                /* the set whose turn it is */
	unsigned turns;                 /* from one sample to the next, a whole
					 * number of rounds (daemon/read/rounds.h);
					 * 0: a turn is of samples */
	uint64_t seed;                  /* of their order */
	struct rotating *rot;
	unsigned nrot;
	uint64_t *rot_value;
	struct shared_counter *shared;
	unsigned nshared;
	unsigned *rot_cell;             /* cell of the event, 0: none */
	uint64_t *total;                /* [ncell] cumulative counts so far */
	unsigned cell_sets;             /* enabled, running of set 1, of 2, ... */
	struct plan_control {           /* the control value of each column */
		struct column_id id;
		uint64_t ctl;           /* ABSENT: it has none of its own */
		unsigned set;
	} *control;
	unsigned ncontrol;
	struct plan_opened {            /* what the kernel shall count */
		struct column_id id;
		unsigned cpu;
		unsigned group;         /* those of one number share a read */
		struct perf_attr attr;
	} *opened;
	unsigned nopened;
	struct plan_file {              /* a number in a file of the node */
		struct held_file held;
		uint64_t at;            /* binary: offset of its eight bytes */
		bool binary, gauge;
		unsigned digits;        /* behind the point, that are kept */
		unsigned every;         /* samples from one reading to the next */
		unsigned statement;     /* which: those of one share a stamp */
		unsigned cell, stamp;   /* of a row */
		struct column_id id;
	} *file;
	unsigned nfile;
	struct plan_slow {              /* a register that is not read in every */
		struct reg_addr addr;   /* sample; space REG_NONE: it is none */
		unsigned every;         /* from one reading to the next */
		unsigned statement;     /* as of files: those of one name */
		unsigned cell, stamp;
		const struct family *family;
		const char *event;      /* or NULL: of all the family */
		unsigned lproc;         /* of an event: whose control is to be */
		int pkg;                /* watched; as of reads */
		unsigned sat;           /* as struct shared_counter */
	} *slow;
	unsigned nslow;
	struct saturating *sat;         /* block by block; first those of none */
	unsigned nsat;
	atomic_bool stopped;            /* one was found so */
	unsigned nread_apart;           /* statements of these two */
	struct soc_plan *soc;           /* NULL: no SoC counters asked for */
	struct head head;               /* further lines of the dump's */
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

/* plan_write_id - the table of the columns that hang on a control register,
 * core_counts[5], but for its family. */
struct column_id plan_write_id(const struct plan_write *);

/* block_holds - is a register of that space in the block, if it is of its
 * package?  The counters behind a SoC's message bus: block_soc. */
bool block_holds(const struct block *, enum reg_space);
bool block_soc(const struct block *);

/* plan_wrap_seconds - how soon a family's counters could wrap at the worst rate
 * that hardware has, in seconds; an interval should be shorter.  Of the user's
 * own nobody knows the rate: HUGE_VAL. */
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
