/*
 * regs/stimulus.h - the known counts of a piece of work that --prove runs: how often
 * each lproc and each package did what.
 *
 * On a real node the work is run (daemon/instead/work.h).  A simulated node is told
 * these counts instead, and its counters count as its text says (machine.h, "does").
 */
#ifndef REGS_STIMULUS_H
#define REGS_STIMULUS_H

#include <stddef.h>
#include <stdint.h>

/* ACT_INSTRUCTIONS to ACT_BUSY are of an lproc; instructions are those of user
 * space. */
enum act {
	ACT_INSTRUCTIONS,
	ACT_BRANCHES,
	ACT_MISSES,             /* branches that were predicted wrongly */
	ACT_LOADS, ACT_STORES,
	/* Floating-point operations, by width of the vector; an FMA is two. */
	ACT_SCALAR_SINGLE, ACT_SCALAR_DOUBLE,
	ACT_128_SINGLE, ACT_128_DOUBLE,
	ACT_256_SINGLE, ACT_256_DOUBLE,
	ACT_512_SINGLE, ACT_512_DOUBLE,
	ACT_L1_HIT, ACT_L1_MISS, ACT_L2_MISS, ACT_L3_MISS,      /* loads */
	ACT_FAULTS,             /* pages touched first */
	ACT_SWITCHES,           /* of context: sleeps begun and ended */
	ACT_BUSY,               /* ns; of a package: the sum of its lprocs' */
	/* The rest are of a package, in cache lines of 64 bytes. */
	ACT_DRAM_READ, ACT_DRAM_WRITE,
	ACT_LINK_OUT, ACT_LINK_IN,      /* data to and from other packages */
	ACTS
};

struct stimulus {
	uint64_t ns;            /* how long the work took */
	unsigned nlproc, npkg;
	uint64_t (*lproc)[ACTS];        /* [nlproc] */
	uint64_t (*pkg)[ACTS];          /* [npkg] */
};

/* act_name - its name, "scalar_double".  act_named - the act with that name of `len`
 * characters, or -1. */
const char *act_name(enum act);
int act_named(const char *name, size_t len);

#endif
