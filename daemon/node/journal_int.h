/*
 * daemon/node/journal_int.h - the journal as a file, for what writes it and
 * what restores from it.
 */
#ifndef DAEMON_NODE_JOURNAL_INT_H
#define DAEMON_NODE_JOURNAL_INT_H

#include "daemon/node/journal.h"
#include "daemon/node/journal_text.h"

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
