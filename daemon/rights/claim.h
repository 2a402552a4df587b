/*
 * daemon/rights/claim.h - a file that a daemon is going to write, and that no other
 * shall choose meanwhile.
 */
#ifndef DAEMON_RIGHTS_CLAIM_H
#define DAEMON_RIGHTS_CLAIM_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * claim_take - a name in a folder, for this process and its children as long as
 * they live; nothing is left behind, however they end.
 *
 * holder  out: the daemon that has it
 *
 * Returns a descriptor to close; -EBUSY where a daemon of ours or of root's has
 * it; -ENOTSUP where claims cannot be made, or a stranger is in the way: the
 * file is then not claimed, and whoever writes it looks once more.
 */
int claim_take(int dir, const char *name, pid_t *holder);

/* claim_is - is a claim that another process of ours has taken the one of this
 * name?  It is this process's by then, as others see it. */
bool claim_is(int claim, int dir, const char *name);

#endif
