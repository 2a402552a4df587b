/*
 * daemon/node/choose.h - registers, or the kernel?
 */
#ifndef DAEMON_NODE_CHOOSE_H
#define DAEMON_NODE_CHOOSE_H

#include "daemon/node/node.h"

/*
 * choose_model - the tables to read the configuration with: those of the CPU, or what
 * was made of what it announces; where there are neither and the kernel may count,
 * model_any.  NULL: none.
 */
const struct model *choose_model(const struct node *, const struct options *);

/*
 * choose_access - how the node is counted: as --access says, or raw where it
 * would work, else through the kernel.  After node_configure, before node_plan.
 *
 * Sets config.perf, and node->how, a line that says what was chosen and why.
 * Through the kernel the inventory becomes that of its PMUs.
 * Returns 0, or -errno with what to do in why.
 */
int choose_access(struct node *, const struct options *, struct diag *why);

#endif
