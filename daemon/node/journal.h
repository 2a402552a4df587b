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

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

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

/*
 * lend_begin - gives the counters to others: puts back what was written, and empties the
 * journal, if there is one, which stays locked.
 *
 * all    nothing may be left; else registers of lprocs that are offline are left out
 *        (program_lend), and stay in the journal
 *
 * Returns how many registers are not as they were found; why names the first.  0: why has
 * words where any were left out, and none otherwise.
 */
unsigned lend_begin(struct node *, struct journal *, bool all, struct diag *why);

/*
 * lend_end - takes the counters again: saves what the registers hold now, which is what
 * will be put back, writes the journal, programs.
 *
 * 0, or -errno with words, and all is as it was: -EBUSY where somebody else
 * counts with them, and force is not given.
 */
int lend_end(struct node *, struct journal *, bool force, struct diag *why);

/* What stands in a journal (journal.h), as text. */

#define JOURNAL_HEAD 160        /* bytes, its newline among them */
#define JOURNAL_LINE 512
#define JOURNAL_COPIES 2        /* of each record: one byte may be wrong */

struct journal_head {
	long pid;
	char boot[64];          /* "-": the kernel says none */
	unsigned registers;     /* 0: none was changed yet, or all are back */
	uint64_t bytes;         /* of the whole file */
};

enum journal_state {
	JOURNAL_EMPTY,
	JOURNAL_IDLE,           /* whole, and of no register */
	JOURNAL_CHANGED,        /* its registers may be changed */
	JOURNAL_DAMAGED,        /* neither its head nor its end is whole */
	JOURNAL_OLDER,          /* of another version of the format */
	JOURNAL_OTHER,          /* none: a file of another kind */
};

/* A journal, read. */
struct journal_text {
	enum journal_state state;
	struct journal_head head;       /* IDLE and CHANGED */
	char *data;
	uint64_t size;
};

/* journal_put_head - JOURNAL_HEAD bytes and a NUL. */
void journal_put_head(char line[JOURNAL_HEAD + 1], const struct journal_head *);

/* journal_put_record - record n of a file, with its number and its checksum. */
void journal_put_record(FILE *, unsigned n, const char *record);

/* journal_read - all of it, by its descriptor.  0, or -errno. */
int journal_read(struct journal_text *, int fd);
void journal_text_fini(struct journal_text *);

/*
 * journal_record - the next record that is whole, behind its number.
 *
 * at     where to look, 0 at first; moved behind it
 * bad    counts the lines on the way that are not whole
 *
 * False: there is none any more.
 */
bool journal_record(const struct journal_text *, uint64_t *at, unsigned *n,
    char record[JOURNAL_LINE], unsigned *bad);

/* For the files of the journal alone. */

/* journal_space_name, journal_space - a register's space as a line spells it;
 * "none" and REG_NONE for what is never written. */
const char *journal_space_name(uint8_t space);
uint8_t journal_space(const char *name);

/* journal_boot - the id of this boot; "-": the kernel gives none. */
void journal_boot(struct access *, char id[64]);

/* journal_foreign - was it written in another boot, or on another machine?  False for a
 * damaged one, which does not tell. */
bool journal_foreign(const struct journal_text *, struct access *);

/* journal_find - opens its folder, and refuses one that others may write.  0, or -errno
 * with words. */
int journal_find(struct journal *, const char *path, struct diag *why);

/* journal_put - writes n bytes at an offset, and syncs.  0 or -errno.
 * journal_put_idle - writes a head without registers, and cuts the file behind it; pid
 * 0: no daemon has it. */
int journal_put(int fd, const char *text, size_t n, uint64_t at);
int journal_put_idle(int fd, long pid);

/* journal_lock - opens the journal, or makes it, and locks it.  0, or
 * -errno with words: -EBUSY while a living daemon holds it, -EACCES for one
 * that is another user's, or that others may write. */
int journal_lock(struct journal *, bool make, struct diag *why);

/* journal_acceptable - may a daemon that has the lock use it?
 * 0, or -errno with words. */
int journal_acceptable(int fd, const char *path, struct access *,
    struct diag *why);

/* The words of a refusal; each returns its -errno.
 * journal_unknown: of a file that is none, and never emptied or removed,
 * whatever the command line says. */
int journal_unknown(const struct journal_text *, const char *path,
    struct diag *why);
int journal_no_place(const char *path, int error, struct diag *why);

#endif
