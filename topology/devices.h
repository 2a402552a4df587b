/*
 * topology/devices.h - which PCIe devices are on which I/O stack: root ports, devices
 * below them and their links, from the platform's registers and sysfs.
 */
#ifndef TOPOLOGY_DEVICES_H
#define TOPOLOGY_DEVICES_H

#include "topology/topo.h"

/* A stack: a root bus, whose traffic PMON block `stack` of the package counts. */
struct io_stack {
	uint16_t pkg, stack;
	int bus;                /* in segment package.seg; -1: it has none */
};

/* An endpoint: a function that is neither a bridge nor a virtual function. */
struct io_device {
	char address[20];       /* "0000:17:00.0" */
	char port[20];          /* its root port; "": it is on the root bus itself */
	int pkg, stack;         /* -1: its stack is not known */
	int part;               /* part of the stack, or number of the root port
	                         * where the model has root_ports; -1: unknown */
	int node;               /* NUMA node; -1 unknown */
	unsigned class;         /* 0x020000 */
	unsigned vendor, device;
	char name[96];          /* by pci.ids, else "15b3:101d mlx5_core" */
	char driver[32];        /* "": none */
	/* Its link; 0 where sysfs has no number. */
	unsigned width, max_width;
	double gt_s, max_gt_s;  /* GT/s of a lane */
	char missing[96];       /* attributes that sysfs lacks: "max_link_speed:
	                         * Unknown"; "": none */
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
 * Writes nothing.  A device that is removed meanwhile is left out.  Returns 0 or
 * -ENOMEM; call devices_free in both cases.
 */
int devices_load(struct devices *, const struct topo *, struct access *,
    struct diag *why);
void devices_free(struct devices *);

#endif
