/*
 * regs/host.h - the node that runs this: its files, below a root, its clocks,
 * sampling deadlines, its threads.
 */
#ifndef REGS_HOST_H
#define REGS_HOST_H

#include "regs/access.h"

#include <stdatomic.h>
#include <time.h>

/* clock_ns - the kernel's clock of that id, in ns. */
uint64_t clock_ns(clockid_t);

/* clock_next - the next deadline, in ns of the monotonic clock: the first multiple of
 * the interval on the wall clock (now real_ns) more than a tenth of an interval away. */
uint64_t clock_next(uint64_t mono_ns, uint64_t real_ns, uint64_t interval_ns);

extern const struct host_ops host_here;

/* host_wait - sleep for that time with the signal mask `unblocked`.  0 or -errno;
 * -EINTR as in host_ops.sleep. */
int host_wait(struct access *, const struct timespec *,
    const sigset_t *unblocked);

/* host_path - write acc->root and path into buf; returns buf. */
const char *host_path(const struct access *, const char *path, char *buf,
    size_t size);

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
