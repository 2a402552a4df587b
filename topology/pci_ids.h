/*
 * topology/pci_ids.h - the names of PCI devices, from the list pci.ids that
 * distributions have.
 */
#ifndef TOPOLOGY_PCI_IDS_H
#define TOPOLOGY_PCI_IDS_H

#include "regs/access.h"

/* pci_ids_load - read the list; the text is empty where the node has none.  The
 * caller frees it.  NULL: out of memory. */
char *pci_ids_load(struct access *, size_t *size);

/* pci_ids_name - the name of a device by the text of pci.ids, or "". */
void pci_ids_name(const char *ids, size_t size, unsigned vendor,
    unsigned device, char *buf, size_t room);

#endif
