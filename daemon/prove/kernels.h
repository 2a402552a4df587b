/*
 * daemon/prove/kernels.h - small loops, each turn of which does a known amount.
 */
#ifndef DAEMON_PROVE_KERNELS_H
#define DAEMON_PROVE_KERNELS_H

#include "regs/stimulus.h"

#include <stdbool.h>

enum kernel_id {
	KERNEL_SLEEP,           /* a turn is 1 ns */
	KERNEL_LOOP,
	KERNEL_MISSES,          /* a branch a turn that nothing predicts */
	KERNEL_LOADS, KERNEL_STORES,
	KERNEL_SCALAR_SINGLE, KERNEL_SCALAR_DOUBLE,
	KERNEL_128_SINGLE, KERNEL_128_DOUBLE,
	KERNEL_256_SINGLE, KERNEL_256_DOUBLE,
	KERNEL_512_SINGLE, KERNEL_512_DOUBLE,
	KERNEL_FMA,
	KERNEL_CHASE,           /* a load a turn, the next address in it */
	KERNEL_READ,            /* a turn is all of the memory, line by line */
	KERNEL_WRITE, KERNEL_STREAM,
	KERNEL_FAULTS,          /* a page a turn */
	KERNEL_NAPS,            /* a sleep of 50 us a turn */
	KERNELS
};

struct kernel_memory {
	void *at;               /* where a chase begins */
	size_t size;
};

struct kernel {
	/* n turns; NULL: not on this architecture. */
	void (*run)(uint64_t n, const struct kernel_memory *);
	const char *needs;      /* a CPU feature; NULL: none */
	double ns;              /* about how long a turn takes */
	double act[ACTS];       /* how much of each act a turn does, in user space */
};

extern const struct kernel kernels[KERNELS];

/* kernel_runs - does this CPU have what the loop needs? */
bool kernel_runs(enum kernel_id);

#endif
