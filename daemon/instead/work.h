/*
 * daemon/instead/work.h - the threads that do the work of --prove: one bound to each
 * lproc, asleep until it is told what to do.
 */
#ifndef DAEMON_INSTEAD_WORK_H
#define DAEMON_INSTEAD_WORK_H

#include "lib/diag.h"
#include "regs/stimulus.h"
#include "topology/topo.h"

#include <stdbool.h>

/* Small loops, each turn of which does a known amount. */

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

/* The most memory that is taken of a NUMA node; and no more than a quarter of what is
 * free. */
#define WORK_MEMORY (UINT64_C(256) << 20)

struct work;

/* What an lproc has to do, and the result. */
struct work_task {
	bool wanted;
	enum kernel_id kernel;
	uint64_t turns;
	struct kernel_memory memory;
	/* out */
	uint64_t busy_ns;
	bool disturbed;         /* another thread ran there, or it was migrated */
};

/*
 * work_open - starts a thread on each lproc that is online and may be used.
 *
 * Threads have the lowest priority.  0, or -errno with words in why; an lproc where
 * no thread can run is left out, work_has is false of it.
 */
int work_open(struct work **, const struct topo *, struct diag *why);
bool work_has(const struct work *, unsigned lproc);

/* work_memory - memory of a NUMA node (bound by mbind), touched; its size is 0 where
 * there is too little.  It belongs to the work. */
struct kernel_memory work_memory(struct work *, unsigned node);
/* work_ring - a chase through `size` bytes in random order; it belongs to the work. */
struct kernel_memory work_ring(struct work *, size_t size);

/* work_task - the task of an lproc, for the caller to fill.  work_do - does all tasks at
 * once, and waits for them.  0, or -errno. */
struct work_task *work_task(struct work *, unsigned lproc);
int work_do(struct work *);

void work_close(struct work *);         /* NULL accepted */

#endif
