/*
 * config/dump/store_lock.h - locks that tell readers and other daemons that the
 * daemon of a store is running.
 *
 * The daemon holds write locks on single bytes of the file.  The kernel grants
 * these only to processes that have it open for writing, so a reader cannot
 * fake one.  A lock ends when the last process closes the daemon's open file
 * description.
 */
#ifndef CONFIG_DUMP_STORE_LOCK_H
#define CONFIG_DUMP_STORE_LOCK_H

#include <stdbool.h>

enum store_byte {
	STORE_HELD,             /* a daemon has the store open */
	STORE_SAMPLED,          /* and samples into it: one store per daemon */
};

/* store_lock - take or release a lock; for the writer only. */
void store_lock(int fd, enum store_byte, bool on);

/* store_locked - does another process hold the lock? */
bool store_locked(int fd, enum store_byte);

#endif
