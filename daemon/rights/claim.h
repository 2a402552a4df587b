/*
 * daemon/rights/claim.h - a file that a daemon is going to write, and that no other
 * daemon chooses meanwhile.
 */
#ifndef DAEMON_RIGHTS_CLAIM_H
#define DAEMON_RIGHTS_CLAIM_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * claim_take - claims a name in a folder for this process and its children, as long as
 * they live; nothing is left behind, however they end.
 *
 * holder  out: the daemon that has it
 *
 * Returns a descriptor to close; -EBUSY: a daemon of ours or of root's has it;
 * -ENOTSUP: claims cannot be made, or another user's process has the address.  The file is
 * then not claimed, and its writer looks once more whether the name is free.
 */
int claim_take(int dir, const char *name, pid_t *holder);

/* claim_is - is a claim that another process of ours has taken that of this name?  If so,
 * others see this process as its owner from now on. */
bool claim_is(int claim, int dir, const char *name);

#endif
