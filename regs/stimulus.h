/*
 * regs/stimulus.h - what a piece of work did that --prove had done: how often
 * each lproc and each package did what.
 *
 * A real node does the work (daemon/prove/work.h); a simulated one is told, and
 * its counters count what its text says that they count (machine.h, "does").
 */
#ifndef REGS_STIMULUS_H
#define REGS_STIMULUS_H

#include <stddef.h>
#include <stdint.h>

/* Of an lproc; instructions are those of user space. */
enum act {
	ACT_INSTRUCTIONS,
	ACT_BRANCHES,
	ACT_MISSES,             /* branches that were predicted wrongly */
	ACT_LOADS, ACT_STORES,
	/* Operations of vectors of so many bits, an FMA being two. */
	ACT_SCALAR_SINGLE, ACT_SCALAR_DOUBLE,
	ACT_128_SINGLE, ACT_128_DOUBLE,
	ACT_256_SINGLE, ACT_256_DOUBLE,
	ACT_512_SINGLE, ACT_512_DOUBLE,
	ACT_L1_HIT, ACT_L1_MISS, ACT_L2_MISS, ACT_L3_MISS,      /* loads */
	ACT_FAULTS,             /* pages touched first */
	ACT_SWITCHES,           /* of context: sleeps begun and ended */
	ACT_BUSY,               /* ns; of a package: of all its lprocs */
	/* Of a package: cache lines of 64 bytes. */
	ACT_DRAM_READ, ACT_DRAM_WRITE,
	ACT_LINK_OUT, ACT_LINK_IN,      /* data, to and from other packages */
	ACTS
};

struct stimulus {
	uint64_t ns;            /* it took */
	unsigned nlproc, npkg;
	uint64_t (*lproc)[ACTS];        /* [nlproc] */
	uint64_t (*pkg)[ACTS];          /* [npkg] */
};

/* act_name - "scalar_double"; act_named - which that is, of `len` characters;
 * -1: none. */
const char *act_name(enum act);
int act_named(const char *name, size_t len);

#endif
