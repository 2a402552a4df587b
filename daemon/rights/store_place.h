/*
 * daemon/rights/store_place.h - where the store is while the daemon samples.
 */
#ifndef DAEMON_RIGHTS_STORE_PLACE_H
#define DAEMON_RIGHTS_STORE_PLACE_H

#include "config/dump/store.h"
#include "daemon/rights/rights.h"

#include <sys/types.h>

/*
 * store_place - makes the store at path; NULL: in /run/tallyd if only root may write that
 * folder, else in /dev/shm, under a name that nobody can guess:
 * tallyd-PID-RANDOM.store.
 *
 * 0, or -errno with words in why.
 */
int store_place(struct store **, const char *path, const struct store_shape *,
    struct diag *why);

/* store_dead - is it a store whose daemon died, of this user, root or the owner?  Anybody
 * may put files there: so it does not wait for a pipe, follows no link, and maps nothing
 * that another user could truncate.  file: gets its descriptor; or -1. */
bool store_dead(int dir, const char *name, const struct owner *, int *file);

/* store_left - says which stores daemons that died have left, and what to do with them;
 * they are not touched. */
void store_left(const struct owner *);

/* store_forget - removes the stores without rows of a sampler that died before its first
 * row: those at the path `named` (NULL: none was given) with and without .n, or those with
 * its pid in their name. */
void store_forget(pid_t pid, const char *named, uint64_t n);

#endif
