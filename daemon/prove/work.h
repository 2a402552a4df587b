/*
 * daemon/prove/work.h - the threads that do the work of --prove: one bound to each
 * lproc, asleep until it is told what to do.
 */
#ifndef DAEMON_PROVE_WORK_H
#define DAEMON_PROVE_WORK_H

#include "daemon/prove/kernels.h"
#include "lib/diag.h"
#include "topology/topo.h"

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
