/*
 * daemon/node/probe.h - controls that a hypervisor only seems to have.
 */
#ifndef DAEMON_NODE_PROBE_H
#define DAEMON_NODE_PROBE_H

#include "daemon/node/node.h"

/*
 * node_probe - in a virtual machine: does a control of each kind of box keep what is
 * written to it?
 *
 * One that holds 0 is written without its enable bit, read, and put back at 0: nothing
 * counts meanwhile.  What refuses the write, or reads 0 after it, is not available:
 * the core's counters, or that box, are absent, and the plan is made anew.
 * On hardware, which has what CPUID says, it does nothing.  0; -errno of the new plan,
 * with words in why.
 */
int node_probe(struct node *, struct diag *why);

#endif
