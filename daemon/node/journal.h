/*
 * daemon/node/journal.h - what the machine's registers were, on disk before the
 * first of them is changed, so that a crash can be undone.
 *
 *   tallyd-journal 1
 *   pid 4711
 *   boot 0cd2a0a1-1b0d-4e6f-9a3e-0c8a4a4b6f11
 *   msr 0 0x38f 8 0x0 0x70000000f 0x70000000f -1 CORE of lproc 0 globalctl
 *   ...     space unit offset bytes old new mask package's id, for people
 *   end 1083
 *
 * A journal without its `end` was being written when its daemon died: nothing
 * had been changed yet; where a register does hold the new value, somebody cut
 * it, and the old one is put back.  An empty one was finished; one of another boot
 * tells nothing of the registers of this.  The daemon holds a lock on the file as
 * long as it lives, and the first two lines are there as soon as it has that.
 */
#ifndef DAEMON_NODE_JOURNAL_H
#define DAEMON_NODE_JOURNAL_H

#include "daemon/node/node.h"

struct journal {
	int fd;                 /* -1: none */
	bool written;           /* registers are in it, and may be changed */
	char path[4096];
};

/* journal_place - the path of the journal.  False: none is kept.  Real machines
 * have one, a simulated one that dies takes its registers with it. */
bool journal_place(const struct options *, const struct access *, char *path,
    size_t size);

/*
 * journal_open - take the journal for this daemon.
 *
 * Refused with -EBUSY and words when another daemon lives (its pid is told),
 * or when one died and left registers changed (`tallyd --restore`).
 */
int journal_open(struct journal *, const char *path, struct access *,
    struct diag *why);

/* journal_look - would journal_open refuse, as things are?  Creates and changes
 * nothing.  0, or -errno with the same words. */
int journal_look(const char *path, struct access *, struct diag *why);

/* journal_write - every register that is going to change, synced to disk. */
int journal_write(struct journal *, const struct node *, struct diag *why);

/* journal_leave - it is another process's from now on: the lock stays as long
 * as that has it. */
void journal_leave(struct journal *);

/* journal_done - all registers are as they were: empty it, unlock, remove it where
 * rights allow. */
void journal_done(struct journal *);

/*
 * journal_restore - put back what a dead daemon changed, and verify.
 *
 * Only registers that the model's tables name are written, whatever the file
 * says.  Returns how many registers were put back, or -errno with words:
 * -EBUSY while the daemon lives, -ENOENT when there is nothing to do, -ESTALE
 * for the journal of another boot (unless force).
 */
int journal_restore(const char *path, const struct node *, bool force,
    struct diag *why);

#endif
