/*
 * topology/devices_int.h - what the files of the devices share.
 *
 * devices.c   stacks and devices
 * bus_list.c  the root bus of each I/O stack, where a function of each package has a
 *             list of its buses
 * pci_ids.c   the names of PCI devices, from the list pci.ids that distributions have
 */
#ifndef TOPOLOGY_DEVICES_INT_H
#define TOPOLOGY_DEVICES_INT_H

#include "topology/devices.h"
#include "topology/functions.h"

/* bus_list_load - fill in io_stack.bus of the stacks that the lists name, on a model
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
