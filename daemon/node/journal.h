/*
 * daemon/node/journal.h - what the machine's registers were, on disk before the
 * first of them is changed, so that a crash can be undone.
 *
 *   tallyd-journal 2 pid 4711 boot 0cd2a0a1-... registers 1083 bytes 226014 #SUM
 *   0 msr 0 0x38f 8 0x0 0x70000000f 0x70000000f -1 CORE of lproc 0 globalctl #SUM
 *   ...     number space unit offset bytes old new mask package's id, for people
 *   1082 pci 55378 0xf4 4 0x0 0x30100 0xffffffff 1 IMC 5 of package 1 boxctl #SUM
 *   ...     the records once more
 *   tallyd-journal 2 pid 4711 ...         the head once more
 *
 * Each line has its checksum, so that a wrong one is no record.  The head is
 * there, with 0 registers, as soon as the daemon has the file, and is replaced
 * once the records are on disk, by one that is as long: until then no register
 * has been changed.  All is there twice: a byte that is wrong, or a cut in the
 * second half, loses nothing.  The daemon holds a lock on the file as long as it
 * lives.
 */
#ifndef DAEMON_NODE_JOURNAL_H
#define DAEMON_NODE_JOURNAL_H

#include "daemon/node/node.h"

struct journal {
	int fd;                 /* -1: none */
	int dir;                /* its folder */
	bool written;           /* registers are in it, and may be changed */
	bool kept;              /* another process holds it, too, and removes it */
	long pid;               /* in the head; 0: that of the process that writes first */
	char boot[64];
	char path[4096];
};

/* journal_place - the path of the journal.  False: there is none, as on a simulated
 * machine, whose registers end with it. */
bool journal_place(const struct options *, const struct access *, char *path,
    size_t size);

/*
 * journal_open - take the journal for this daemon.
 *
 * Refused with -EBUSY and words when another daemon lives (why has its pid),
 * or when one died and left registers changed (`tallyd --restore`); with -EACCES
 * where another user could have written it, or could swap it.
 */
int journal_open(struct journal *, const char *path, struct access *,
    struct diag *why);

/* journal_look - would journal_open refuse now?  Creates and changes nothing.  0, or
 * -errno with the same words. */
int journal_look(const char *path, struct access *, struct diag *why);

/* journal_write - every register that is going to change, synced to disk. */
int journal_write(struct journal *, const struct node *, struct diag *why);

/* journal_idle - all registers are as they were, and the daemon goes on: empty
 * it, and keep its lock.  0 or -errno. */
int journal_idle(struct journal *);

/* journal_leave - leaves the journal to another process that has it open, and with it
 * the lock. */
void journal_leave(struct journal *);

/* journal_done - all registers are as they were: empty it, unlock, remove it where
 * rights allow; one that is kept is emptied and left.
 * journal_drop - the last process that has it removes it, if no register is changed. */
void journal_done(struct journal *);
void journal_drop(struct journal *);

/*
 * journal_restore - put back what a dead daemon changed, and verify.
 *
 * Only registers that the model's tables name are written, and only by records
 * whose checksum holds, whatever the file says.  The words say what was found,
 * of a success too.
 *
 * force  also by the journal of another boot, and by the records of one whose
 *        head is damaged
 *
 * Returns how many registers were put back, or -errno: -EBUSY while the daemon
 * lives, -ENOENT when there is nothing to do, -ENODATA for an empty file, -ESTALE
 * for the journal of another boot, -EIO when registers may still be changed; the
 * file is then kept.
 */
int journal_restore(const char *path, const struct node *, bool force,
    struct diag *why);

/* lend_begin - gives the counters to others: puts back what was written
 * (program_restore), and empties the journal, if there is one, which stays locked.
 * Returns how many registers are not as they were found; why names the first. */
unsigned lend_begin(struct plan *, struct access *, struct journal *,
    struct diag *why);

/*
 * lend_end - takes the counters again: saves what the registers hold now, which is what
 * will be put back, writes the journal, programs.
 *
 * 0, or -errno with words, and all is as it was: -EBUSY where somebody else
 * counts with them, and force is not given.
 */
int lend_end(struct node *, struct journal *, bool force, struct diag *why);

#endif
