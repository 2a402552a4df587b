/*
 * daemon/allowlist.h - --print @msr-safe-allowlist: the MSRs that this
 * configuration needs on this machine.
 */
#ifndef DAEMON_ALLOWLIST_H
#define DAEMON_ALLOWLIST_H

#include "daemon/node/node.h"

#include <stdio.h>

#define ALLOWLIST "@msr-safe-allowlist"

/* allowlist_asked - is it this that --print names? */
bool allowlist_asked(const struct options *);

/*
 * allowlist_print - a line for each MSR that is read, with the bits that may be
 * changed in it, none where it is read alone, in the form of msr-safe (LLNL,
 * README.md, /dev/cpu/msr_allowlist):
 *
 *   # MSR # Write Mask # Comment
 *   0x00000010 0x0000000000000000 # MSR_TSC
 *
 * node  planned, and opened with such options, so that it has noted what was
 *       read so far; here all is read once that sampling reads, nothing written
 *
 * Returns 0, or -errno with words; -ENOTSUP where the kernel counts.
 */
int allowlist_print(FILE *, struct node *, const struct options *,
    struct diag *why);

#endif
