/*
 * daemon/node/node.h - everything that is known of the machine before sampling:
 * access, topology, inventory, configuration, plan.
 */
#ifndef DAEMON_NODE_NODE_H
#define DAEMON_NODE_NODE_H

#include "config/eventlist.h"
#include "daemon/options.h"
#include "daemon/plan/plan.h"
#include "lib/diag.h"
#include "regs/access.h"

struct node {
	struct access *acc;
	struct noting *noting;          /* what acc has read; NULL: not noted */
	struct replay *replay;          /* NULL unless --replay */
	struct topo topo;
	struct inventory inv;
	struct inventory registers;     /* inv.registers, where it is needed */
	struct config config;
	struct plan plan;
	char how[256];                  /* the access and why: choose.h */
	/* Why neither registers nor the kernel's PMU of the cores count, and what
	 * is sampled instead, a line each; "": they do. */
	char without[3][256];
};

/* node_open - the machine that the options name: access, topology, inventory.
 * With --print what is read from the first register on is noted.
 * An unknown CPU is no error yet (topo.model is NULL). */
int node_open(struct node *, const struct options *, struct diag *why);

/* node_configure - read what to count (files, inputs, the model's default).
 * model: the node's, or another one for --list. */
int node_configure(struct node *, const struct options *,
    const struct model *, struct diag *why);

/* node_plan - plans what the configuration asks of this node. */
int node_plan(struct node *, struct diag *why);

/* The shortest turn of event sets without --turn. */
#define TURN_LEAST_NS 10000000

/* node_turn_by_sample - plans again (registers alone) with turns of one sample for each
 * event set. */
int node_turn_by_sample(struct node *, struct diag *why);

/* node_close - NULL and half-built accepted. */
void node_close(struct node *);

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

/*
 * node_save - program_save of the node's plan; a box of which a register cannot be saved,
 * as the processor, a hypervisor or a read-only /sys refuses it, is left out, and the
 * plan is made anew without it; so is an lproc that has gone offline meanwhile, with a
 * warning.
 *
 * Registers of lprocs that are online are not left out: that a core cannot count is an
 * error.
 */
int node_save(struct node *, struct diag *why);

struct method {
	const char *option;     /* "sim": --sim WHAT.  NULL: where none is */
	/* 0, or -errno with what to do in why; what: the option's value, and
	 * of the one without an option that of --root. */
	int (*open)(struct access **, const char *what, struct diag *why);
};

extern const struct method methods[];   /* ends with open NULL */

#endif
