/*
 * daemon/plan/plan_soc.h - the groups of SoC events of a plan: what to write to
 * the message bus for each of them.
 */
#ifndef DAEMON_PLAN_PLAN_SOC_H
#define DAEMON_PLAN_PLAN_SOC_H

#include "config/lang/site.h"
#include "regs/sideband.h"

/* One group, in one event set. */
struct soc_turn {
	unsigned set;
	const struct soc_group *group;
	const struct site_group *programming;   /* NULL: another tool's */
	struct reg_step *start, *sample;        /* what to write, in order */
	unsigned nstart, nsample;
};

struct soc_plan {
	struct soc_turn *turn;
	unsigned n;
	const struct site *site;
	struct reg_step *mux;           /* as found, if they can be read back */
	unsigned nmux;
	struct reg_step stop[2 * CHAP_COUNTERS];
	unsigned nstop;
	bool running;
};

void soc_free(struct soc_plan *);       /* NULL accepted */

#endif
