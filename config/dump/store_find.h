/*
 * config/dump/store_find.h - the stores of daemons that sample now.
 */
#ifndef CONFIG_DUMP_STORE_FIND_H
#define CONFIG_DUMP_STORE_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "regs/diag.h"

/*
 * store_find - in the daemon's usual folders, of root's and of the system user
 * tallyd's, else of our own: anybody may put files into /dev/shm.
 *
 * path     out: its name
 *
 * Returns 0, or -errno with words in why that say what to do: -ENOENT there is
 * none, -EACCES one that we may not read, -EEXIST more than one.
 */
int store_find(char *path, size_t size, struct diag *why);

/* store_unreadable - a store that we may not read: -EACCES, and who may, and how
 * to be one of them, in why. */
int store_unreadable(const char *path, struct diag *why);

/* store_glance - what a store's file says of itself.  0, or -1: it is none that can
 * be read. */
struct store_glance {
	uint64_t inode;
	uint64_t rows;
	bool sampled;           /* a daemon samples into it */
};
int store_glance(const char *path, struct store_glance *);

/* store_alive - does the daemon that writes it run? */
bool store_alive(const char *path);

#endif
