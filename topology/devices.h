/*
 * topology/devices.h - what hangs on which I/O stack: root ports, the devices
 * below them, and their links, from the platform's registers and sysfs.
 */
#ifndef TOPOLOGY_DEVICES_H
#define TOPOLOGY_DEVICES_H

#include "topology/topo.h"

/* A stack: a root bus that PMON block `stack` of a package watches. */
struct io_stack {
	uint16_t pkg, stack;
	int bus;                /* of segment package.seg; -1: it has none */
};

/* An endpoint: a function that is no bridge, and no virtual one. */
struct io_device {
	char address[20];       /* "0000:17:00.0" */
	char port[20];          /* its root port; "": none, it is on the stack */
	int pkg, stack;         /* -1: on no stack that is known */
	int part;               /* of the stack, -1: unknown; where a package
	                         * has model.root_ports, which of these */
	int node;               /* NUMA node; -1 unknown */
	unsigned class;         /* 0x020000 */
	unsigned vendor, device;
	char name[96];          /* of pci.ids, else "15b3:101d mlx5_core" */
	char driver[32];        /* "": none */
	/* Its link: 0 where sysfs has no number. */
	unsigned width, max_width;
	double gt_s, max_gt_s;  /* GT/s of a lane */
	char missing[96];       /* "max_link_speed: Unknown"; "": nothing */
};

struct devices {
	struct io_stack *stack; /* every stack of every package */
	unsigned nstack;
	struct io_device *device;       /* by address */
	unsigned ndevice;
};

/*
 * devices_load - find the stacks and devices of a node.
 *
 * Only reads.  A device that vanishes meanwhile is left out, an attribute that
 * sysfs lacks is named in `missing`.  Returns 0 or -ENOMEM; devices_free
 * accepts either.
 */
int devices_load(struct devices *, const struct topo *, struct access *,
    struct diag *why);
void devices_free(struct devices *);

#endif
