/*
 * daemon/run/output.h - where the dump goes, and who owns it.
 */
#ifndef DAEMON_RUN_OUTPUT_H
#define DAEMON_RUN_OUTPUT_H

#include "config/dump/dump.h"
#include "config/dump/store.h"
#include "daemon/node/rights.h"

#include <stdbool.h>
#include <sys/types.h>

struct output {
	struct save_place place;        /* as it was at the start; dir -1: none */
	int claim;                      /* keeps other daemons off the name; < 0: none */
	int had;                        /* the claim of the sampler before; -1 */
	struct owner owner;
};

/*
 * output_find - settles where the dump goes.  To fail now rather than after the run, it
 * makes a file beside it and removes it, as the user who will write the dump.
 *
 * A file that is there, or that another daemon is going to write, is not replaced without
 * --overwrite: a name that was given is refused; with the default name the next free
 * number is taken, and said.
 *
 * name       NULL: HOST.perfcounts.lua
 * as_owner   the output's owner writes the dump, not the user who runs (real machines)
 *
 * 0, or -errno with words.
 */
int output_find(struct output *, const char *name, const char *host,
    bool as_owner, bool overwrite, struct diag *why);

/* output_save - writes the dump, and says so if that is at another place than planned.  0, or -errno with words. */
int output_save(const struct output *, const struct store *,
    struct diag *why);

/* output_fini - accepts one that output_find has refused. */
void output_fini(struct output *);

/*
 * A file that a daemon is going to write, and that no other daemon chooses meanwhile.
 */

/* Where the store is while the daemon samples. */

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
 * they are not touched.  named: the path of --store, beside which segments may be, or
 * NULL. */
void store_left(const struct owner *, const char *named);

/* store_forget - removes the stores without rows of a sampler that died before its first
 * row: those at the path `named` (NULL: none was given) with and without .n, or those with
 * its pid in their name. */
void store_forget(pid_t pid, const char *named, uint64_t n);

#endif
