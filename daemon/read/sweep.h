/*
 * daemon/read/sweep.h - how a sample is read, each lproc disturbed once; and the row
 * that it fills.
 */
#ifndef DAEMON_READ_SWEEP_H
#define DAEMON_READ_SWEEP_H

#include "daemon/options.h"
#include "daemon/plan/plan.h"

/* What one sample asks of each block, and what was found on the way. */
struct sweep_pass {
	unsigned active;        /* the event set whose turn it is */
	unsigned next;          /* the set to turn to; 0: none */
	bool watching;          /* look whether controls hold our values */
	struct changed {
		unsigned write;         /* into plan->write */
		uint64_t found, ours;
	} *changed;             /* room for each control of the blocks */
	unsigned nchanged;
	uint64_t rotate_ns;     /* spent on turning */
	uint64_t longest;       /* the longest time from a block's stamp to its last read,
				 * TSC counts */
	bool batch;             /* the blocks of a batch have been read */
};

/* block_read - reads a block, with a stamp, into its cells of a row; through another lproc
 * of its package if the usual one is offline.  The block of an lproc that is offline has
 * no stamp. */
void block_read(struct plan *, struct block *, unsigned active,
    struct access *, uint64_t *row);

/* block_finish - does what else is due at a block: adds up what event sets counted, checks
 * the controls, turns to the next set. */
void block_finish(struct sweep_pass *, struct plan *, struct block *,
    struct access *, uint64_t *row);

/* block_move_to - has that lproc read and write a package's registers; does nothing where
 * it is of another package, whose registers of the same numbers it would reach. */
void block_move_to(struct plan *, struct block *, unsigned lproc);

/* block_has_msr - does it have MSRs?  Other registers can be read from any lproc. */
bool block_has_msr(const struct plan *, const struct block *);
/* block_answers - can an MSR of that lproc be read? */
bool block_answers(struct access *, unsigned lproc);

/* All MSRs of a sample in one call. */

struct msr_batch {
	uint64_t *value;
	unsigned *cell;         /* where each belongs, see msr_batch_init */
	unsigned n;
};

/* msr_batch_init - lists the registers, block by block, tries the call once, and marks the
 * blocks that are in it.  0; -ENOTSUP: the method has no such call; or its -errno. */
int msr_batch_init(struct msr_batch *, struct plan *, struct access *);

void msr_batch_fini(struct msr_batch *);

/* Chooses the way to read, by what was measured of each. */

/* What a sample takes in one way to read. */
struct read_cost {
	double wall_us;         /* 0: this way is not available */
	double cpu_us;          /* CPU time of all our threads */
	double switches;        /* context switches of all lprocs */
	double interrupts;      /* of all lprocs: to run a thread there, or to
				 * call a function (to read a register) */
};

/* Several trials of one way, between which the other ways have theirs. */
#define READ_TRIALS 7
struct read_trials {
	unsigned n;
	struct read_cost of[READ_TRIALS];
};

/* read_cost_median - of each figure of some trials; all 0 where there are none. */
struct read_cost read_cost_median(const struct read_trials *);

/*
 * read_cost_choose - the way to take, of READ_MODES measured ones.
 *
 * Begins with `visit`, and leaves it for another one that takes clearly less of the
 * node, or as much in a clearly shorter sample; for `remote`, which interrupts other
 * lprocs for each register, only where it takes less than half and sends few of these.
 * The margins are wide so that a node gets the same answer at each start.
 */
enum read_mode read_cost_choose(const struct read_cost cost[READ_MODES]);

/* What a turn of event sets takes, us; 0: it was not measured. */
struct turn_cost {
	double lproc_us;        /* of each lproc; where one lproc reads all, of that one */
	double all_us;          /* of all lprocs together */
	double lasts_us;        /* from the first lproc's turn to the last one's */
};

struct sweep {
	enum read_mode mode;
	int home;               /* lproc to sleep on; -1: where the sweep ends */
	struct msr_batch batch; /* READ_BATCH */
	uint64_t longest;       /* the longest time from a block's stamp to its last read
				 * in this row, TSC counts */
	/* the tamper watch: controls that do not hold what they should */
	bool watching;          /* check them in the next row */
	struct changed *changed;
	unsigned nchanged;
	/* event sets */
	uint64_t last_tsc;      /* of the last row; 0: there is none */
	unsigned next;          /* the set to turn to in the next row; 0: none */
	uint64_t rotate_ns;     /* spent on turning so far */
	struct turn_cost turn;  /* as turn_budget.h measured it */
	struct pinned *pinned;  /* READ_PINNED, while they run; NULL */
	bool stay;              /* READ_REMOTE: do not move to the packages */
	unsigned left_alone;    /* lprocs that get no thread of their own */
	struct read_cost cost[READ_MODES];      /* measured, of a sample */
	char why[400];          /* what was chosen and why */
};

struct sweep_how {
	enum read_mode read;
	int home;               /* --cpu; -1 */
	uint64_t interval_ns;   /* 0: too short for threads */
	const char *cpus;       /* --cpus; NULL: all but nohz_full ones */
};

/*
 * sweep_choose - choose how to read a plan.
 *
 * READ_AUTO tries every mode that there is on the plan's registers and takes
 * one (measure.h).  Any other mode is taken as asked, or refused
 * with -ENOTSUP and words in why.  Marks in plan->block which lprocs can be
 * visited, and which are left alone by threads.
 */
int sweep_choose(struct sweep *, struct plan *, struct access *,
    const struct sweep_how *, struct diag *why);
/* sweep_init - the same, without threads. */
int sweep_init(struct sweep *, struct plan *, struct access *,
    enum read_mode asked, int home, struct diag *why);

/*
 * sweep_row - reads the registers of one sample into row, with a stamp for each
 * block.  ABSENT where a read fails.  No allocation, no log, no branch on the
 * model.
 */
void sweep_row(struct sweep *, struct plan *, struct access *,
    uint64_t *row);

/* sweep_visits - does the thread move to a block's lproc for its turn? */
bool sweep_visits(const struct sweep *, const struct block *);

/* sweep_turn - makes a turn between two samples: adds up what the active set has counted,
 * and gives the counters to the next one.  Not for pinned threads. */
void sweep_turn(struct sweep *, struct plan *, unsigned next,
    struct access *);

/* sweep_threads - starts the threads of READ_PINNED, before the last rights are given up;
 * does nothing in other modes.  0, or -errno with words. */
int sweep_threads(struct sweep *, struct plan *, struct access *,
    struct diag *why);

void sweep_fini(struct sweep *);    /* NULL accepted */

/*
 * row_take - fill one row of the plan.
 *
 * deadline_ns  when it was due (monotonic); 0: now
 *
 * No allocation, no log.
 */
void row_take(struct sweep *, struct plan *, struct access *,
    uint64_t deadline_ns, uint64_t *row);

/* row_clocks, row_costs - the cells before CELL_READS: when it began, and what
 * it cost; rotate_ns: spent on turning to other event sets so far. */
void row_clocks(const struct stamp *begin, uint64_t *row);
void row_costs(const struct stamp *begin, uint64_t end_ns,
    uint64_t deadline_ns, uint64_t rotate_ns, uint64_t *row);

/* slow_reads - reads the slow registers that are due in sample n, with their stamps, into
 * its row; the others are ABSENT.  Reads from where the caller runs, and visits no lproc.
 * No allocation, no log. */
void slow_reads(struct plan *, struct access *, uint64_t n, uint64_t *row);

#endif
