/*
 * topology/bus_list.h - the root bus of each I/O stack, where a function of each
 * package has a list of its buses.
 */
#ifndef TOPOLOGY_BUS_LIST_H
#define TOPOLOGY_BUS_LIST_H

#include "topology/devices.h"
#include "topology/functions.h"

/* bus_list_load - fill in io_stack.bus of what the lists say; the rest stays as it
 * is.  Only reads.  For a model that has a bus_list. */
void bus_list_load(struct devices *, const struct topo *, struct access *,
    const struct functions *);

/*
 * bus_list_package - the package that a function is of, by function_package; where
 * firmware says no NUMA node, by the list of buses that is on its bus: the first of
 * them has a function that says the package's node id.  -1: nothing says.
 */
int bus_list_package(const struct topo *, struct access *,
    const struct functions *, const struct function *);

#endif
