/*
 * config/dump/store_lock.h - by what readers and other daemons know that the
 * daemon of a store lives.
 *
 * Write locks of single bytes of the file, which the kernel gives to whoever has
 * it open for writing: a reader cannot have one, whatever it locks.  They end
 * with the last process that has the file open as its daemon opened it.
 */
#ifndef CONFIG_DUMP_STORE_LOCK_H
#define CONFIG_DUMP_STORE_LOCK_H

#include <stdbool.h>

enum store_byte {
	STORE_HELD,             /* a daemon takes care of it */
	STORE_SAMPLED,          /* and samples into it: one store a daemon */
};

/* store_lock - of the file's writer, which alone may: have the lock, or give it
 * back. */
void store_lock(int fd, enum store_byte, bool on);

/* store_locked - has another one the lock? */
bool store_locked(int fd, enum store_byte);

#endif
