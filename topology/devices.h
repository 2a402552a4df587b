/*
 * topology/devices.h - the PCI functions of a node, as sysfs lists them, and which PCIe
 * devices are on which I/O stack: root ports, devices below them and their links, from
 * the platform's registers and sysfs.  Names: Documentation/ABI/testing/sysfs-bus-pci.
 */
#ifndef TOPOLOGY_DEVICES_H
#define TOPOLOGY_DEVICES_H

#include "topology/topo.h"

/* A PCI function of the node. */
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

/* For topology/ alone.
 *
 * bus_list_load - fill in io_stack.bus of the stacks that the lists name, on a model
 * that has a bus_list.  Writes no register. */
void bus_list_load(struct devices *, const struct topo *, struct access *,
    const struct functions *);

/*
 * bus_list_package - the package of a function, by function_package; where firmware
 * gives no NUMA node, by the list of buses on its bus: the first of those buses has a
 * function with the package's node id.  -1: unknown.
 */
int bus_list_package(const struct topo *, struct access *,
    const struct functions *, const struct function *);

/* pci_ids_load - read the list; the text is empty where the node has none.  The
 * caller frees it.  NULL: out of memory. */
char *pci_ids_load(struct access *, size_t *size);

/* pci_ids_name - the name of a device by the text of pci.ids, or "". */
void pci_ids_name(const char *ids, size_t size, unsigned vendor,
    unsigned device, char *buf, size_t room);

#endif
