/*
 * daemon/read/read_cost.h - chooses the way to read, by what was measured of each.
 */
#ifndef DAEMON_READ_READ_COST_H
#define DAEMON_READ_READ_COST_H

#include "daemon/options.h"

/* What a sample takes in one way to read. */
struct read_cost {
	double wall_us;         /* 0: this way is not to be had */
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

/* read_cost_us - what a sample takes of the node, in us: CPU time, and for each switch
 * and interrupt what it takes of the lproc where it happens. */
double read_cost_us(const struct read_cost *);

/*
 * read_cost_choose - the way to take, of READ_MODES measured ones.
 *
 * Begins with `visit`, and leaves it for another one that takes clearly less of the
 * node, or as much in a clearly shorter sample; for `remote`, which interrupts other
 * lprocs for each register, only where it takes less than half and sends few of these.
 * The margins are wide so that a node gets the same answer at each start.
 */
enum read_mode read_cost_choose(const struct read_cost cost[READ_MODES]);

/* read_cost_text - what was weighed: "visit 11.0 ms, CPU 7.7 ms, 72 switches, 25
 * interrupts; remote ..." */
void read_cost_text(const struct read_cost cost[READ_MODES], char *buf, size_t size);

#endif
