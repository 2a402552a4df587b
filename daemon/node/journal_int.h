/*
 * daemon/node/journal_int.h - the journal as a file, for what writes it and
 * what restores from it.
 */
#ifndef DAEMON_NODE_JOURNAL_INT_H
#define DAEMON_NODE_JOURNAL_INT_H

#include "daemon/node/journal.h"

#include <stdio.h>

#define JOURNAL_HEAD "tallyd-journal 1\n"

/* journal_space_name, journal_space - a register's space as a line spells it;
 * "none" and REG_NONE for what is never written. */
const char *journal_space_name(uint8_t space);
uint8_t journal_space(const char *name);

/* journal_boot - this boot's id, "" where the kernel says none. */
void journal_boot(struct access *, char id[64]);

/* journal_foreign - was it written before the machine was started again, or on
 * another one? */
bool journal_foreign(FILE *, struct access *);

/* journal_is_at - is this what the path leads to? */
bool journal_is_at(int fd, const char *path);

/* journal_lock - open it with these flags (0, O_CREAT) and lock it.  0, or
 * -errno with words: -EBUSY while a living daemon holds it. */
int journal_lock(const char *path, int flags, FILE **, struct diag *why);

/* journal_end - N where the file ends with `end N`; -1 for a journal that does
 * not, -2 for a file that is none. */
long journal_end(FILE *);

/* journal_acceptable - may a daemon take it that has the lock?  0, or -errno
 * with words. */
int journal_acceptable(FILE *, const char *path, struct access *,
    struct diag *why);

/* The words of a refusal; each returns its -errno.
 * journal_no_file: never emptied or removed, whatever the command line says. */
int journal_no_file(const char *path, struct diag *why);
int journal_no_place(const char *path, int error, struct diag *why);
int journal_held(FILE *, struct diag *why);

#endif
