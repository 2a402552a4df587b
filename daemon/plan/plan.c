/*
 * daemon/plan/plan.c - what a configuration asks of a node, as columns and control
 * registers, in the order of the dump.
 */
#include "daemon/plan/plan_int.h"

#include "daemon/plan/plan_soc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The columns of one target that wants [first, first + n) ask for. */
static int
target_columns(struct plan *plan, const struct target *t,
    const struct want *first, unsigned n)
{
	const struct box_type *type = t->type;
	const struct core_fixed *cf = plan->build->topo->model->fixed;
	bool core = type->scope == SCOPE_LPROC;
	struct slot slot[MAX_COUNTERS + 1];
	struct column like = { .bits = t->bits };
	char name[256], index[32];
	struct reg_addr addr;
	int rc, pkg = core ? -1 : t->pkg;
	unsigned nslot, set = 0;

	if ((rc = plan_slots(plan->build, t, 0, slot, &nslot)) < 0)
		return rc;
	if (core)
		snprintf(index, sizeof(index), "[%u]", t->inst);
	else if (type->single)
		snprintf(index, sizeof(index), "[%d]", t->pkg);
	else
		snprintf(index, sizeof(index), "[%d][%u]", t->pkg, t->inst);
	for (const struct want *w = first; w < first + n; w++) {
		if (!want_matches(w, t))
			continue;
		if (w->set != set && (rc = plan_slots(plan->build, t,
		    set = w->set, slot, &nslot)) < 0)
			return rc;
		for (unsigned i = 0; i < nslot; i++) {
			if (slot[i].want != w)
				continue;
			snprintf(name, sizeof(name), "%s%s[\"%.128s\"]",
			    type->family, index, w->name);
			addr = target_addr(t, type->ctr + (unsigned)
			    slot[i].counter * type->ctr_step, 8);
			rc = w->set != 0 ? plan_add_rotated(plan, name, t,
			    &addr, w->set) : plan_add_column(plan, name, &addr,
			    t->lproc, pkg, &like, "count");
			if (rc < 0 || (rc = plan_add_control(plan, name,
			    w->ctl, w->set)) < 0)
				return rc;
		}
		for (unsigned i = 0; w->kind == WANT_FIXED && core &&
		    i < plan->build->topo->cpu.fixed_counters &&
		    cf->name[i] != NULL; i++) {
			struct column fixed = { .bits = (uint8_t)
			    plan->build->topo->cpu.fixed_bits };

			if (w->counter >= 0 && w->counter != (int)i)
				continue;
			snprintf(name, sizeof(name), "%s%s[\"%s\"]",
			    cf->family, index, w->name != NULL ? w->name :
			    cf->name[i]);
			addr = target_addr(t, cf->ctr + i, 8);
			if ((rc = plan_add_column(plan, name, &addr, t->lproc,
			    pkg, &fixed, "count")) < 0)
				return rc;
		}
		if (w->kind == WANT_FIXED && !core) {
			struct column fixed = { .bits = type->fixed_bits };

			if (type->fixed_family != NULL)
				snprintf(name, sizeof(name), "%s%s",
				    type->fixed_family, index);
			else
				snprintf(name, sizeof(name), "%s%s[\"%s\"]",
				    type->family, index, w->name != NULL ?
				    w->name : type->fixed_name);
			addr = target_addr(t, type->fixed_ctr, 8);
			if ((rc = plan_add_column(plan, name, &addr, t->lproc,
			    pkg, &fixed, "count")) < 0)
				return rc;
		}
	}
	return 0;
}

/* Why this node has no box that a statement asks for. */
static const char *
why_none(struct plan_build *b, const struct want *w)
{
	if (w->type->scope == SCOPE_LPROC)
		return b->topo->cpu.gp_counters == 0 ? "CPUID leaf 0xA tells "
		    "no performance counters (a virtual machine without a "
		    "PMU?)" : w->pkg != ALL_PKG ? "no such lproc is online "
		    "in that package" : "no such lproc is online";
	if (w->pkg != ALL_PKG && (unsigned)w->pkg >= b->topo->npkg)
		return "there is no such package";
	for (unsigned i = 0; i < b->inv->n; i++) {
		const struct unit *u = &b->inv->unit[i];

		if (u->type == w->type && !u->present && u->inst >= w->first &&
		    u->inst <= w->last && (w->pkg == ALL_PKG ||
		    w->pkg == u->pkg))
			return u->reason;
	}
	return "it does not exist";
}

/* Consecutive statements about one type of box. */
static int
box_columns(struct plan *plan, const struct want *first, unsigned n)
{
	struct plan_build *b = plan->build;
	struct target t;
	unsigned at = 0;
	int rc;

	while (next_target(b, first->type, &at, &t))
		if ((rc = target_columns(plan, &t, first, n)) < 0)
			return rc;
	for (const struct want *w = first; w < first + n; w++) {
		bool found = false;

		for (at = 0; !found && next_target(b, w->type, &at, &t);)
			found = want_matches(w, &t);
		if (found)
			continue;
		if (!w->optional)
			return diag_at(b->why, w->file, w->line, "%s: this "
			    "node has no such %s: %s (start the line with "
			    "`optional` to go on without)", w->name != NULL ?
			    w->name : "fixed", w->type->name, why_none(b, w));
		plan_note(plan, "%s %s: %s", w->type->name, w->name != NULL ?
		    w->name : "fixed", why_none(b, w));
	}
	return 0;
}

static int
make_columns(struct plan *plan)
{
	const struct config *cfg = plan->build->config;
	int rc;

	if (cfg->perf)
		return plan_perf(plan, cfg->want, cfg->nwant);
	for (unsigned i = 0; i < cfg->nwant;) {
		const struct want *w = &cfg->want[i];
		unsigned n = 1;

		if ((rc = plan_perf_only(w, plan->build->why)) < 0)
			return rc;
		if (w->kind == WANT_PERF) {
			if ((rc = plan_perf(plan, w, 1)) < 0)
				return rc;
			i++;
			continue;
		}
		while (i + n < cfg->nwant && cfg->want[i + n].type == w->type &&
		    cfg->want[i + n].kind != WANT_PERF &&
		    (cfg->want[i + n].kind == WANT_READ) ==
		    (w->kind == WANT_READ))
			n++;
		rc = w->kind == WANT_READ ? plan_scalar(plan, w, n) :
		    w->kind == WANT_SOC ? plan_soc(plan, w, n) :
		    box_columns(plan, w, n);
		if (rc < 0)
			return rc;
		i += n;
	}
	return 0;
}

static int
make_writes(struct plan *plan)
{
	const struct model *m = plan->build->topo->model;
	const struct box_type *type;
	struct target t;
	unsigned at, before;
	int rc;

	if (plan->build->config->perf)
		return 0;
	for (type = m->box; type->name != NULL; type++)
		for (at = 0; next_target(plan->build, type, &at, &t);)
			if ((rc = plan_program(plan, &t)) < 0)
				return rc;
	before = plan->nwrite;
	/* A global freeze left by another program stops every box, and cannot
	 * be seen: its bits are commands, so it is lifted in any case. */
	for (unsigned p = 0; m->global_ctl != 0 && before > 0 &&
	    p < plan->build->topo->npkg; p++) {
		struct plan_write w = { .addr = { REG_MSR, 8,
		    plan->build->topo->pkg[p].first_lproc, m->global_ctl },
		    .clear = ~0ull, .set = m->global_unfreeze, .pkg = (int)p,
		    .role = "uncorectl" };

		if ((rc = plan_add_write(plan, &w)) < 0)
			return rc;
	}
	for (at = 0; m->core != NULL &&
	    next_target(plan->build, m->core, &at, &t);)
		if ((rc = plan_program(plan, &t)) < 0)
			return rc;
	return 0;
}

/* Does a register answer, and may it be believed? */
static const char *
read_problem(struct plan_build *b, const struct reg_addr *addr,
    const struct column *c)
{
	uint64_t raw;
	int rc;

	if (addr->space == REG_PERF)
		return NULL;            /* it was opened; it may wait its turn */
	rc = access_read(b->acc, addr, &raw);
	access_map(b->acc, addr);
	if (rc < 0)
		return rc == -EIO ? "no such register" : strerror(-rc);
	if (raw == ABSENT)
		return "reads all ones";
	/* They count from reset; hypervisors answer 0 for what they lack. */
	if (raw == 0 && (strncmp(c->name, "aperf", 5) == 0 ||
	    strncmp(c->name, "mperf", 5) == 0))
		return "stays 0 (a virtual machine?)";
	return NULL;
}

static bool
same_family(const char *a, const char *b)
{
	size_t n = strcspn(b, "[");

	return strncmp(a, b, n) == 0 && (a[n] == '[' || a[n] == '\0');
}

/* Leave out columns whose register does not answer; one note a family. */
static void
drop_silent(struct plan *plan)
{
	struct plan_build *b = plan->build;
	char text[64], noted[64] = "";
	unsigned kept = 0;

	for (unsigned i = 0; i < plan->ncolumn; i++) {
		struct column *c = &plan->column[i];
		struct want_read *r;
		const char *problem;

		if (c->cell >= ROTATED) {
			plan->column[kept++] = *c;
			continue;
		}
		r = &b->read[c->cell];
		problem = r->dropped ? "" : read_problem(b, &r->addr, c);

		if (problem == NULL) {
			plan->column[kept++] = *c;
			continue;
		}
		r->dropped = true;
		if (problem[0] != '\0' && !same_family(noted, c->name)) {
			plan_note(plan, "%s: %s: %s", c->name,
			    reg_addr_text(&r->addr, text, sizeof(text)),
			    problem);
			snprintf(noted, sizeof(noted), "%s", c->name);
		}
		free(c->name);
	}
	plan->ncolumn = kept;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Two counters under one name would be one column of wrong numbers. */
static int
check_columns(const struct plan *plan)
{
	char **name = calloc(plan->ncolumn + 1, sizeof(name[0]));
	int rc = 0;

	if (name == NULL)
		return plan_no_memory(plan);
	for (unsigned i = 0; i < plan->ncolumn; i++)
		name[i] = plan->column[i].name;
	qsort(name, plan->ncolumn, sizeof(name[0]), by_name);
	for (unsigned i = 1; i < plan->ncolumn && rc == 0; i++)
		if (strcmp(name[i - 1], name[i]) == 0)
			rc = diag_set(plan->build->why, -EINVAL, "two counters "
			    "would be the column %s: one of the events, or of "
			    "the sets, needs another name", name[i]);
	free(name);
	return rc;
}

/* A run that samples nothing but the time is not what anybody asked for. */
static int
check_some(const struct plan *plan)
{
	const struct config *cfg = plan->build->config;

	if (plan->ncolumn > 0 || plan->nwrite > 0 || cfg->nwant == 0)
		return 0;
	return diag_set(plan->build->why, -ENODEV, "nothing that is asked for "
	    "can be counted here: %s", plan->nnote > 0 ? plan->note[0] :
	    "there is no such lproc or box");
}

int
plan_make(struct plan *plan, const struct config *config,
    const struct topo *topo, const struct inventory *inv, struct access *acc,
    struct diag *why)
{
	struct plan_build build = { .config = config, .topo = topo,
	    .inv = inv, .acc = acc, .why = why };
	int rc;

	memset(plan, 0, sizeof(*plan));
	plan->build = &build;
	/* where the kernel counts, sets are groups, and it gives the turns */
	plan->nset = config->nset > 0 && !config->perf ? config->nset : 1;
	plan->set = config->set;
	if (plan->nset > MAX_SETS)
		return diag_set(why, -E2BIG, "at most %d event sets", MAX_SETS -
		    1);
	plan->active = plan->nset > 1;
	if ((rc = config_alone(config, why)) == 0 &&
	    (rc = plan_modules(&build)) == 0 &&
	    (rc = make_columns(plan)) == 0 &&
	    (rc = make_writes(plan)) == 0) {
		drop_silent(plan);
		if ((rc = check_columns(plan)) == 0 &&
		    (rc = check_some(plan)) == 0)
			rc = plan_blocks(plan);
	}
	plan->build = NULL;
	free(build.read);
	return rc;
}

void
plan_free(struct plan *plan)
{
	if (plan == NULL)
		return;
	for (unsigned i = 0; i < plan->ncolumn; i++)
		free(plan->column[i].name);
	for (unsigned i = 0; i < plan->nnote; i++)
		free(plan->note[i]);
	free(plan->column);
	for (unsigned i = 0; i < plan->nremark; i++)
		free(plan->remark[i]);
	free(plan->note);
	free(plan->remark);
	free(plan->write);
	free(plan->read);
	free(plan->block);
	free(plan->watch);
	free(plan->lproc_pkg);
	free(plan->rot);
	free(plan->rot_value);
	free(plan->shared);
	free(plan->rot_cell);
	free(plan->total);
	for (unsigned i = 0; i < plan->ncontrol; i++)
		free(plan->control[i].column);
	free(plan->control);
	for (unsigned i = 0; i < plan->nopened; i++)
		free(plan->opened[i].column);
	free(plan->opened);
	soc_free(plan->soc);
	free(plan->family);
	head_fini(&plan->head);
	memset(plan, 0, sizeof(*plan));
}
