/*
 * regs/host.h - the node that runs this: its files, below a root, its clocks, and
 * sampling deadlines.
 */
#ifndef REGS_HOST_H
#define REGS_HOST_H

#include "regs/access.h"

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

#endif
