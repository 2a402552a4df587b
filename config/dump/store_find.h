/*
 * config/dump/store_find.h - find the store of a running daemon.
 */
#ifndef CONFIG_DUMP_STORE_FIND_H
#define CONFIG_DUMP_STORE_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "regs/diag.h"

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

#endif
