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

/* functions_load - all that the kernel knows.  0 or -ENOMEM; functions_free
 * accepts either. */
int functions_load(struct functions *, struct access *);
void functions_free(struct functions *);

/* function_text - an attribute of it; its length, or -errno.
 * function_number - one that is a number; false: it is not, or has vanished. */
int function_text(struct access *, const struct function *, const char *name,
    char *buf, size_t size);
bool function_number(struct access *, const struct function *,
    const char *name, unsigned *value);

/* function_package - the package that it is of: whose uncore is on its bus,
 * else by its NUMA node, else the only one.  -1: not known. */
int function_package(const struct topo *, struct access *,
    const struct function *);

#endif
