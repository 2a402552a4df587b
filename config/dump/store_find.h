/*
 * config/dump/store_find.h - find the store of a running daemon, and the locks
 * that tell that it is running.
 */
#ifndef CONFIG_DUMP_STORE_FIND_H
#define CONFIG_DUMP_STORE_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/diag.h"

/*
 * store_find - find the store of a running daemon in the default folders.
 * Takes stores owned by root or the system user tallyd, else our own; others
 * are ignored, as any user may put files into /dev/shm.
 *
 * path     out: path of the store
 *
 * Returns 0, or -errno with advice in why: -ENOENT: there is none, -EACCES: we
 * may not read it, -EEXIST: there are several.
 */
int store_find(char *path, size_t size, struct diag *why);

/* store_unreadable - explain in why who may read this store and how to get that
 * right.  Returns -EACCES. */
int store_unreadable(const char *path, struct diag *why);

/* store_glance - read a store's header without opening it fully.  0, or -1 if
 * the file is no readable store. */
struct store_glance {
	uint64_t inode;
	uint64_t rows;
	bool sampled;           /* a daemon samples into it */
};
int store_glance(const char *path, struct store_glance *);

/* store_alive - is the daemon that writes this store running? */
bool store_alive(const char *path);

/*
 * The daemon holds write locks on single bytes of its store.  The kernel grants
 * these only to processes that have the file open for writing, so a reader
 * cannot fake one.  A lock ends when the last process closes the daemon's open
 * file description.
 */
enum store_byte {
	STORE_HELD,             /* a daemon has the store open */
	STORE_SAMPLED,          /* and samples into it: one store per daemon */
};

/* store_lock - take or release a lock; for the writer only. */
void store_lock(int fd, enum store_byte, bool on);

/* store_locked - does another process hold the lock? */
bool store_locked(int fd, enum store_byte);

#endif
