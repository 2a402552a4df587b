/*
 * daemon/record_node.h - --record-node: this node as a machine file, for others
 * to try tallyd on.
 */
#ifndef DAEMON_RECORD_NODE_H
#define DAEMON_RECORD_NODE_H

#include "daemon/node/node.h"

/*
 * record_node - write what a run, --check and the lists read of a node, and every
 * register of its model's tables, into o->record_node.
 *
 * Only reads; of an Atom C2000 as --check does, which writes to its message bus
 * what it takes to read it.  Ten samples of what the configuration counts give
 * the rates.  Returns the exit status, and has said what was wrong.
 */
int record_node(struct node *, const struct options *);

#endif
