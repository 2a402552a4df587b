/*
 * regs/threads.h - threads that each sleep until a time of the node's clock, and can
 * be woken earlier.
 */
#ifndef REGS_THREADS_H
#define REGS_THREADS_H

#include "regs/access.h"

#include <stdatomic.h>

/* A time that never comes: sleep until woken. */
#define FOR_EVER UINT64_MAX

struct thread_ops {
	/* Called before n threads are started, which have the numbers 0 to n-1.
	 * Returns 0, or -errno where there can be no threads.  From then on all of
	 * them may call read, write, now, tsc and wait; everything else is for the
	 * caller of open alone. */
	int (*open)(struct access *, unsigned n);
	/* Each thread calls enter first and leave last. */
	void (*enter)(struct access *, unsigned thread);
	void (*leave)(struct access *, unsigned thread);
	/* Sleeps until mono_ns, or until *word differs from `seen`. */
	void (*wait)(struct access *, unsigned thread, uint64_t mono_ns,
	    atomic_uint *word, unsigned seen);
	/* Wakes the threads that sleep on *word, which the caller has changed. */
	void (*wake)(struct access *, atomic_uint *word);
	/* The caller of open waits here until the `started` threads have left. */
	void (*close)(struct access *, unsigned started);
};

extern const struct thread_ops threads_here;    /* of this process's node */

/* access_threads - the threads of a method of access; NULL where one thread alone
 * may read. */
const struct thread_ops *access_threads(const struct access *);

#endif
