/*
 * daemon/node/choose.c - registers, or the kernel?
 */
#include "daemon/node/choose.h"

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
	if (o->node.access == ACCESS_RAW || node->topo.cpu.vendor[0] == '\0')
		return NULL;
	return node->topo.cpu.midr != 0 ? &model_any_arm : &model_any;
}

/* Does the configuration ask for nothing but software events and files? */
static bool
software_only(const struct config *cfg)
{
	for (unsigned i = 0; i < cfg->nwant; i++)
		if (cfg->want[i].of_file == NULL &&
		    (cfg->want[i].kind != WANT_PERF ||
		    !cfg->want[i].perf->known ||
		    cfg->want[i].perf->attr.type != PERF_SOFTWARE))
			return false;
	return cfg->nwant > 0;
}

/* Is all that a configuration asks for read from files? */
static bool
files_only(const struct config *cfg)
{
	for (unsigned i = 0; i < cfg->nwant; i++)
		if (cfg->want[i].of_file == NULL)
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

/* Could the kernel program the counters? */
static bool
kernel_can(struct node *node)
{
	struct diag why;
	char core[64];

	return pmu_core(node->acc, core, sizeof(core)) != NULL &&
	    perf_check(node->acc, node->topo.pkg[0].first_lproc, &why) == 0;
}

/* --access auto: chooses *by and says why in how; or fails with what is in the way
 * of every access. */
static int
decide(struct node *node, bool no_taint, enum access_mode *by,
    struct diag *why)
{
	const struct model *m = node->topo.model;
	bool writes = programs(&node->config);
	int rc;

	*by = ACCESS_PERF;
	if (software_only(&node->config)) {
		snprintf(node->how, sizeof(node->how), files_only(
		    &node->config) ? "files: all that is sampled is read from "
		    "files of the kernel, and no register is" :
		    "perf: all that is asked for is the kernel's own");
		return 0;
	}
	if (!has_registers(m)) {
		snprintf(node->how, sizeof(node->how), "perf: %s", m ==
		    &model_any ? "tallyd has no tables for this CPU" :
		    "this CPU counts through the kernel");
		return 0;
	}
	*by = ACCESS_RAW;
	snprintf(node->how, sizeof(node->how), "raw: registers");
	rc = obstacle_msr(node, why);
	if (rc == 0 && writes && no_taint && kernel_can(node)) {
		*by = ACCESS_HYBRID;
		snprintf(node->how, sizeof(node->how), "hybrid, since "
		    "--no-taint has no MSR written");
		return 0;
	}
	if (rc == 0 && writes)
		rc = obstacle_refusals(node, why);
	if (rc == 0)
		return 0;
	/* perf is an alternative only where the kernel shows a PMU */
	if (!kernel_can(node))
		return obstacle_msr(node, why);
	*by = ACCESS_PERF;
	snprintf(node->how, sizeof(node->how), "perf, since raw would not "
	    "work: %.200s", why->text);
	return 0;
}

static const char *const names[] = { "auto", "raw", "perf", "hybrid" };

/* Prepares the node for an access. */
static int
check_way(const struct node *node, const struct options *o,
    enum access_mode by, struct diag *why)
{
	const struct model *m = node->topo.model;

	if (by != ACCESS_PERF && !has_registers(m))
		return diag_set(why, -ENOTSUP, "--access %s: %s", names[by],
		    m == &model_any ? "tallyd has no tables for this CPU" :
		    "this CPU has no registers that tallyd could read; the "
		    "kernel counts (--access perf)");
	if (by == ACCESS_RAW && o->node.no_taint && programs(&node->config))
		return diag_set(why, -EPERM, "--no-taint: to count by "
		    "registers, MSRs are written, which taints the kernel: "
		    "--access hybrid or --access perf has the kernel program "
		    "them (it needs its PMUs), and `read` statements alone "
		    "write none");
	if (by != ACCESS_RAW && node->replay != NULL)
		return diag_set(why, -ENOTSUP, "a replay has registers alone, "
		    "no perf events");
	return by == o->node.access && by != ACCESS_PERF ?
	    obstacle_msr(node, why) : 0;
}

/* hybrid: the kernel programs, and tallyd reads the counters that it names. */
static int
make_hybrid(struct node *node, struct diag *why)
{
	const struct box_type *core = node->topo.model->core;
	const struct core_fixed *fixed = node->topo.model->fixed;
	struct perf_msrs msrs = { .nfixed = 0 };
	int rc;

	if (core != NULL) {
		msrs.general = core->ctr;
		msrs.step = core->ctr_step;
		msrs.ngeneral = core->counters;
	}
	if (fixed != NULL) {
		msrs.fixed = fixed->ctr;
		msrs.nfixed = PERF_CORE_FIXED;
	}
	rc = access_perf_direct(node->acc, &msrs);

	if (rc < 0)
		return diag_set(why, rc, "--access hybrid: %s", rc ==
		    -ENOTSUP ? "there are no perf events here" :
		    strerror(-rc));
	node->registers = node->inv;
	node->inv = (struct inventory){ .n = 0 };
	node->config.hybrid = true;
	/* an event keeps its counter, unless event sets take turns */
	node->config.pinned = node->config.nset <= 1;
	return 0;
}

int
choose_access(struct node *node, const struct options *o, struct diag *why)
{
	const struct access_ops *ops = node->acc->ops;
	enum access_mode by = o->node.access;
	int rc = 0;

	if (by == ACCESS_AUTO)
		rc = decide(node, o->node.no_taint, &by, why);
	else
		snprintf(node->how, sizeof(node->how), "%s, as asked",
		    names[by]);
	if (rc < 0 || (rc = check_way(node, o, by, why)) < 0)
		return rc;
	/* registers are opened to be read alone */
	if ((by == ACCESS_HYBRID || o->node.no_taint) && ops->seal != NULL &&
	    (rc = ops->seal(node->acc)) < 0)
		return diag_set(why, rc, "cannot open registers to read them "
		    "alone: %s", strerror(-rc));
	if (by == ACCESS_RAW)
		return 0;
	if ((!files_only(&node->config) && (rc = perf_check(node->acc,
	    node->topo.pkg[0].first_lproc, why)) < 0) || (by == ACCESS_HYBRID &&
	    (rc = make_hybrid(node, why)) < 0))
		return rc;
	node->config.perf = true;
	rc = inventory_perf(&node->inv, &node->topo, node->acc, why);
	if (by == ACCESS_HYBRID)
		node->inv.registers = &node->registers;
	return rc;
}
