/*
 * regs/host.h - the node that runs this: its files, below a root, and its
 * clocks.
 */
#ifndef REGS_HOST_H
#define REGS_HOST_H

#include "regs/access.h"

#include <time.h>

extern const struct host_ops host_here;

/* host_wait - so long, with the signals of `unblocked` let in: 0, or -errno;
 * -EINTR as in host_ops.sleep. */
int host_wait(struct access *, const struct timespec *,
    const sigset_t *unblocked);

/* host_path - acc->root + path into buf; returns buf. */
const char *host_path(const struct access *, const char *path, char *buf,
    size_t size);

#endif
