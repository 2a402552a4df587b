/*
 * config/memory.h - how much memory this process may take without the kernel
 * killing somebody for it.
 */
#ifndef CONFIG_MEMORY_H
#define CONFIG_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/*
 * memory_room - bytes that are to be had: MemAvailable of the node, or less
 * where a control group (version 2) of this process or one above it sets a
 * limit; what of the group's use is page cache, the kernel gives back first.
 *
 * The files are read below root ("" for the machine's own).  whose: who sets
 * the limit, for a message: "the node" or "memory.max of /system.slice/x".
 * Returns UINT64_MAX where nothing is known.
 * Source: Linux Documentation/admin-guide/cgroup-v2.rst, filesystems/proc.rst.
 */
uint64_t memory_room(const char *root, char *whose, size_t size);

#endif
