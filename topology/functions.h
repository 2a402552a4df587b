/*
 * topology/functions.h - the PCI functions of a node, as sysfs lists them.
 * Names: Documentation/ABI/testing/sysfs-bus-pci.
 */
#ifndef TOPOLOGY_FUNCTIONS_H
#define TOPOLOGY_FUNCTIONS_H

#include "topology/topo.h"

struct function {
	unsigned seg, bus, dev, fn;
};

struct functions {
	struct function *f;             /* by address */
	unsigned n, room;
	bool full;                      /* out of memory */
};

/* functions_load - list all functions.  0 or -ENOMEM; call functions_free in both
 * cases. */
int functions_load(struct functions *, struct access *);
void functions_free(struct functions *);

/* function_text - read an attribute of a function; its length, or -errno.
 * function_number - the same for a number; false: it is none, or the file is gone. */
int function_text(struct access *, const struct function *, const char *name,
    char *buf, size_t size);
bool function_number(struct access *, const struct function *,
    const char *name, unsigned *value);

/* function_package - the package of a function: the one whose uncore is on its bus;
 * else the one of its NUMA node; else the only one.  -1: unknown. */
int function_package(const struct topo *, struct access *,
    const struct function *);

#endif
