/*
 * config/memory.h - how much memory this process may take without the kernel
 * killing somebody for it.
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
		size_t top;             /* so much of it is the mount point */
	} group[2];                     /* a node may have both versions */
};

/*
 * memory_find - our groups, by /proc/self/cgroup and /proc/self/mountinfo.
 *
 * root   "" for the machine's own files; must outlive the struct
 */
void memory_find(struct memory *, const char *root);

/*
 * memory_room - bytes that are to be had: MemAvailable of the node, or less
 * where a group of ours or one above it has a limit (memory.max, memory.high;
 * version 1: memory.limit_in_bytes, hierarchical_memory_limit).  What of the
 * group's use is page cache of files, the kernel gives back first; tmpfs is
 * not given back.
 *
 * whose: who sets the limit, for a message: "the node" or "memory.max of
 * /system.slice/x".  Returns UINT64_MAX where nothing is known.
 * Source: Linux Documentation/admin-guide/cgroup-v2.rst, cgroup-v1/memory.rst,
 * filesystems/proc.rst.
 */
uint64_t memory_room(const struct memory *, char *whose, size_t size);

#endif
