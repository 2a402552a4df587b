/*
 * daemon/prove/work.h - the threads that do the work of --prove: one bound to each
 * lproc, asleep until it is told what to do.
 */
#ifndef DAEMON_PROVE_WORK_H
#define DAEMON_PROVE_WORK_H

#include "daemon/prove/kernels.h"
#include "regs/diag.h"
#include "topology/topo.h"

/* Of each NUMA node's memory at most; a quarter of what is free. */
#define WORK_MEMORY (UINT64_C(256) << 20)

struct work;

/* What an lproc is to do; what became of it. */
struct work_task {
	bool wanted;
	enum kernel_id kernel;
	uint64_t turns;
	struct kernel_memory memory;
	/* out */
	uint64_t busy_ns;
	bool disturbed;         /* interrupted for another, or migrated */
};

/*
 * work_open - a thread on each lproc that is online and may be used.
 *
 * It has the lowest priority.  0, or -errno with words in why; an lproc where
 * no thread can run is left out, work_has is false of it.
 */
int work_open(struct work **, const struct topo *, struct diag *why);
bool work_has(const struct work *, unsigned lproc);

/* work_memory - memory of the NUMA node (bound by mbind), touched; where there
 * is too little, its size is 0.  The work's own. */
struct kernel_memory work_memory(struct work *, unsigned node);
/* work_ring - a chase through `size` bytes in no order; kept likewise. */
struct kernel_memory work_ring(struct work *, size_t size);

/* work_job - that of an lproc, to be filled; work_do - do all that is wanted, at
 * once, and wait for it.  0, or -errno. */
struct work_task *work_task(struct work *, unsigned lproc);
int work_do(struct work *);

void work_close(struct work *);         /* NULL accepted */

#endif
