/*
 * daemon/rights/store_place.h - where the store is while the daemon samples.
 */
#ifndef DAEMON_RIGHTS_STORE_PLACE_H
#define DAEMON_RIGHTS_STORE_PLACE_H

#include "config/dump/store.h"
#include "daemon/rights/rights.h"

#include <sys/types.h>

/*
 * store_place - make the store at path; NULL: in /run/tallyd where that is a
 * folder that root alone may write, else in /dev/shm, under a name that nobody
 * can have taken: tallyd-PID-RANDOM.store.
 *
 * 0, or -errno with words in why.
 */
int store_place(struct store **, const char *path, const struct store_shape *,
    struct diag *why);

/* store_dead - is it a store of ours, of root's or of the owner's whose daemon died?
 * Anybody may put files there: it is not waited for, no link is followed, and
 * nothing is mapped that somebody could cut meanwhile.  file: it, open; or -1. */
bool store_dead(int dir, const char *name, const struct owner *, int *file);

/* store_left - say which stores were left by daemons that died, and what to do;
 * they are not touched. */
void store_left(const struct owner *);

/* store_forget - a sampler that has died before its first row, pid, leaves no
 * store: neither at the path that was given, with .n, nor of its number where
 * nobody has said.  One with a row stays.  named: NULL: none. */
void store_forget(pid_t pid, const char *named, uint64_t n);

#endif
