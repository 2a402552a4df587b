/*
 * daemon/root_ports.h - which root port each PCI device hangs on, where the package
 * counts by root port.
 */
#ifndef DAEMON_ROOT_PORTS_H
#define DAEMON_ROOT_PORTS_H

#include "daemon/node/node.h"

#include <stdio.h>

/* root_ports_say - for --check, a sentence a device.
 * root_ports_list - for --list boxes, a row: PORT, package, port, address, name.
 * Neither prints anything of a model whose domains say nothing of ports. */
void root_ports_say(FILE *, const struct node *);
void root_ports_list(FILE *, const struct node *);

#endif
