/*
 * daemon/node/lend.h - the registers, given to others for a while.
 */
#ifndef DAEMON_NODE_LEND_H
#define DAEMON_NODE_LEND_H

#include "daemon/node/journal.h"

/* lend_begin - put back what was written (program_restore), and empty the
 * journal, if there is one, which stays locked.  Returns how many registers are
 * not as they were found; the first is named in why. */
unsigned lend_begin(struct plan *, struct access *, struct journal *,
    struct diag *why);

/*
 * lend_end - what the registers hold by now is what will be put back: save them,
 * write the journal, program.
 *
 * 0, or -errno with words, and all is as it was: -EBUSY where somebody else
 * counts with them, and force is not given.
 */
int lend_end(struct node *, struct journal *, bool force, struct diag *why);

#endif
