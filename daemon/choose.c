/*
 * daemon/choose.c - registers, or the kernel?
 */
#include "daemon/choose.h"

#include "daemon/node/obstacle.h"
#include "regs/perf.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const struct model *
choose_model(const struct node *node, const struct options *o)
{
	if (node->topo.model != NULL)
		return node->topo.model;
	/* nobody asked for anything: better to say that the CPU is unknown */
	if (o->access == ACCESS_PERF || (o->access == ACCESS_AUTO &&
	    o->config.n > 0))
		return &model_any;
	return NULL;
}

/* Is everything that is asked for the kernel's own software? */
static bool
software_only(const struct config *cfg)
{
	for (unsigned i = 0; i < cfg->nwant; i++)
		if (cfg->want[i].kind != WANT_PERF ||
		    !cfg->want[i].perf->known ||
		    cfg->want[i].perf->attr.type != PERF_SOFTWARE)
			return false;
	return cfg->nwant > 0;
}

static bool
programs(const struct config *cfg)
{
	for (unsigned i = 0; i < cfg->nwant; i++)
		if (cfg->want[i].kind != WANT_READ &&
		    cfg->want[i].kind != WANT_PERF)
			return true;
	return false;
}

static bool
has_registers(const struct model *m)
{
	return m != &model_any && (m->core == NULL ||
	    m->core->space != REG_PERF);
}

/* auto: *raw, and why in how; or what is in the way of both. */
static int
decide(struct node *node, bool *raw, struct diag *why)
{
	const struct model *m = node->topo.model;
	struct diag perf;
	char core[64];
	int rc;

	*raw = false;
	if (software_only(&node->config)) {
		snprintf(node->how, sizeof(node->how), "perf: all that is "
		    "asked for is the kernel's own");
		return 0;
	}
	if (!has_registers(m)) {
		snprintf(node->how, sizeof(node->how), "perf: %s", m ==
		    &model_any ? "tallyd has no tables for this CPU" :
		    "this CPU counts through the kernel");
		return 0;
	}
	*raw = true;
	snprintf(node->how, sizeof(node->how), "raw: registers");
	if ((rc = obstacle_msr(node, why)) == 0 && programs(&node->config))
		rc = obstacle_refusals(node, why);
	if (rc == 0)
		return 0;
	/* The kernel's side is a way out only where it has a PMU. */
	if (pmu_core(node->acc, core, sizeof(core)) == NULL ||
	    perf_check(node->acc, node->topo.pkg[0].first_lproc, &perf) < 0)
		return obstacle_msr(node, why);
	*raw = false;
	snprintf(node->how, sizeof(node->how), "perf, since raw would not "
	    "work: %.200s", why->text);
	return 0;
}

int
choose_access(struct node *node, const struct options *o, struct diag *why)
{
	const struct model *m = node->topo.model;
	bool raw = o->access == ACCESS_RAW;
	int rc = 0;

	if (o->access == ACCESS_RAW && !has_registers(m))
		return diag_set(why, -ENOTSUP, "--access raw: %s",
		    m == &model_any ? "tallyd has no tables for this CPU" :
		    "this CPU has no registers that tallyd could read; the "
		    "kernel counts (--access perf)");
	if (o->access == ACCESS_AUTO)
		rc = decide(node, &raw, why);
	else
		snprintf(node->how, sizeof(node->how), "%s, as asked",
		    raw ? "raw" : "perf");
	if (rc == 0 && raw)
		rc = o->access == ACCESS_RAW ? obstacle_msr(node, why) : 0;
	if (rc < 0 || raw)
		return rc;
	if (node->replay != NULL)
		return diag_set(why, -ENOTSUP, "a replay has registers alone, "
		    "no perf events");
	if ((rc = perf_check(node->acc, node->topo.pkg[0].first_lproc,
	    why)) < 0)
		return rc;
	node->config.perf = true;
	return inventory_perf(&node->inv, &node->topo, node->acc, why);
}
