/*
 * regs/linux/linux.h - the backend for real nodes.
 */
#ifndef REGS_LINUX_LINUX_H
#define REGS_LINUX_LINUX_H

#include "regs/access.h"
#include "lib/diag.h"

/*
 * linux_open - registers through /dev/cpu/N/msr, /dev/mem and sysfs, all below
 * `root` ("/" for the node itself; a directory tree can stand in for one).
 *
 * Opens nothing yet but raises RLIMIT_NOFILE as far as it may go, since every
 * lproc's msr device stays open.  Returns 0 or -errno.
 */
int linux_open(struct access **, const char *root, struct diag *why);

#endif
