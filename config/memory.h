/*
 * config/memory.h - how much memory this process may allocate before the kernel
 * invokes the OOM killer.
 */
#ifndef CONFIG_MEMORY_H
#define CONFIG_MEMORY_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

enum memory_version { MEMORY_NONE, MEMORY_V1, MEMORY_V2 };

/* The control groups of this process whose limits can be seen. */
struct memory {
	const char *root;               /* what all files are read below */
	struct memory_group {
		enum memory_version version;
		char dir[PATH_MAX];     /* the group's folder */
		size_t top;             /* length of the mount point in dir */
	} group[2];                     /* a node may have both versions */
};

/*
 * memory_find - find our control groups in /proc/self/cgroup and
 * /proc/self/mountinfo.
 *
 * root   "" for the machine's own files; must outlive the struct
 */
void memory_find(struct memory *, const char *root);

/*
 * memory_room - bytes that can still be allocated: MemAvailable of the node, or
 * less if our group or one above it has a limit (memory.max, memory.high;
 * version 1: memory.limit_in_bytes, hierarchical_memory_limit).  The page cache
 * of files counts as free, as the kernel reclaims it first; tmpfs does not.
 *
 * whose: out, what sets the limit, for a message: "the node" or "memory.max of
 * /system.slice/x".  Returns UINT64_MAX if nothing is known.
 * Source: Linux Documentation/admin-guide/cgroup-v2.rst, cgroup-v1/memory.rst,
 * filesystems/proc.rst.
 */
uint64_t memory_room(const struct memory *, char *whose, size_t size);

#endif
