/*
 * regs/threads.h - threads that sleep by themselves, each to a time of the
 * node's clock, and can be woken before.
 */
#ifndef REGS_THREADS_H
#define REGS_THREADS_H

#include "regs/access.h"

#include <stdatomic.h>

/* Without end: until woken. */
#define FOR_EVER UINT64_MAX

struct thread_ops {
	/* Before n threads are started, numbered from 0: 0, or -errno where
	 * there can be none.  From now on read, write, now, tsc and wait may be
	 * called by all of them; the rest by the caller alone. */
	int (*open)(struct access *, unsigned n);
	/* What each of them calls first, and last. */
	void (*enter)(struct access *, unsigned thread);
	void (*leave)(struct access *, unsigned thread);
	/* Sleep until mono_ns, or until *word is not `seen` any more. */
	void (*wait)(struct access *, unsigned thread, uint64_t mono_ns,
	    atomic_uint *word, unsigned seen);
	/* Who sleeps on it shall look at it: it was changed. */
	void (*wake)(struct access *, atomic_uint *word);
	/* The caller of open waits here until all of those that were started
	 * have left. */
	void (*close)(struct access *, unsigned started);
};

extern const struct thread_ops threads_here;    /* of this process's node */

/* access_threads - how they sleep there; NULL: it knows one thread alone. */
const struct thread_ops *access_threads(const struct access *);

#endif
