/*
 * daemon/node/probe.c - controls that a hypervisor only seems to have: they read 0,
 * whatever was written, or refuse to be written (reference amd-zen 12); and boxes of
 * which a register cannot be read, or not be written.
 */
#include "daemon/node/node.h"

#include "daemon/log.h"
#include "daemon/node/program.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char swallowed[] = "a control reads 0 after it was written (a "
    "hypervisor that drops writes?)";
static const char refused[] = "a control refuses to be written (a hypervisor "
    "without a PMU?)";

/* Writes a control and reads it.  Returns why it is unusable; NULL: it keeps its value,
 * or that cannot be told. */
static const char *
try_control(struct access *acc, const struct plan_write *w)
{
	uint64_t value = w->set & ~w->in_use, old, back;
	int rc;

	/* without its enable bit event 0 is zero: try bit 0 of the event field */
	if (value == 0 && w->type->field != NULL)
		value = 1ull << w->type->field[0].lo;
	if (value == 0 || access_read(acc, &w->addr, &old) < 0 || old != 0)
		return NULL;
	if ((rc = access_write(acc, &w->addr, value)) < 0)
		return rc == -EIO ? refused : NULL;
	if (access_read(acc, &w->addr, &back) < 0)
		back = value;
	access_write(acc, &w->addr, 0);
	return back == 0 ? swallowed : NULL;
}

/* Makes the box of a control absent; for a core's control, the counters of all cores.
 * error: -errno of what could not be looked at, or 0. */
static void
probe_leave_out(struct node *node, const struct plan_write *w, const char *why,
    int error)
{
	struct inventory *inv = &node->inv;

	if (w->type->scope == SCOPE_LPROC) {
		node->topo.cpu.gp_counters = 0;
		node->topo.cpu.no_counters = why;
		return;
	}
	for (unsigned i = 0; i < inv->n; i++) {
		struct unit *u = &inv->unit[i];

		if (!u->present || u->type != w->type ||
		    u->pkg != w->unit_pkg || u->inst != w->unit_inst)
			continue;
		u->present = false;
		u->error = error;
		snprintf(u->reason, sizeof(u->reason), "%s", why);
	}
}

/* Plans again without what was left out. */
static int
plan_without(struct node *node, struct diag *why)
{
	plan_free(&node->plan);
	memset(&node->plan, 0, sizeof(node->plan));
	return node_plan(node, why);
}

/* Is it the first control of its box, or of the cores? */
static bool
is_first(const struct plan *plan, unsigned i)
{
	const struct plan_write *w = &plan->write[i];

	if (w->type == NULL || strncmp(w->role, "ctl", 3) != 0)
		return false;
	for (unsigned k = 0; k < i; k++) {
		const struct plan_write *v = &plan->write[k];

		if (v->type == w->type && strncmp(v->role, "ctl", 3) == 0 &&
		    (w->type->scope == SCOPE_LPROC ||
		    (v->unit_pkg == w->unit_pkg &&
		    v->unit_inst == w->unit_inst)))
			return false;
	}
	return true;
}

int
node_probe(struct node *node, struct diag *why)
{
	const struct plan *plan = &node->plan;
	unsigned left_out = 0;

	/* Intel's guests have as many counters as answer (topology/made.c); of those a
	 * control that does not keep its value is an error */
	if (!node->topo.cpu.guest || node->replay != NULL ||
	    strcmp(node->topo.cpu.vendor, "GenuineIntel") == 0)
		return 0;
	for (unsigned i = 0; i < plan->nwrite; i++) {
		const char *problem = is_first(plan, i) ?
		    try_control(node->acc, &plan->write[i]) : NULL;

		if (problem == NULL)
			continue;
		probe_leave_out(node, &plan->write[i], problem, 0);
		left_out++;
	}
	return left_out == 0 ? 0 : plan_without(node, why);
}

/* Why a box's register cannot be used; NULL: it can, or another look may tell more. */
static const char *
unusable(struct access *acc, const struct plan_write *w, int *error, char *buf,
    size_t size)
{
	char addr[64];
	uint64_t raw;

	if ((*error = access_writable(acc, &w->addr)) == -EROFS)
		return READ_ONLY;
	if (w->addr.space != REG_MSR ||
	    (*error = access_read(acc, &w->addr, &raw)) != -EIO)
		return NULL;
	snprintf(buf, size, "%s: no such register", reg_addr_text(&w->addr,
	    addr, sizeof(addr)));
	return buf;
}

/* Leaves out the boxes of which a register cannot be used; returns how many registers
 * those were. */
static unsigned
leave_out_unusable(struct node *node)
{
	const struct plan *plan = &node->plan;
	char buf[128];
	unsigned n = 0;

	for (unsigned i = 0; i < plan->nwrite; i++) {
		const struct plan_write *w = &plan->write[i];
		const char *why;
		int error;

		if (w->type == NULL || w->type->scope == SCOPE_LPROC || (why =
		    unusable(node->acc, w, &error, buf, sizeof(buf))) == NULL)
			continue;
		probe_leave_out(node, w, why, error);
		n++;
	}
	return n;
}

/* Takes an lproc for offline, and has another one of its package read what it read;
 * false: there is none. */
static bool
lproc_left(struct node *node, unsigned lproc)
{
	struct topo *topo = &node->topo;
	struct lproc *lp = &topo->lproc[lproc];
	struct package *pkg = &topo->pkg[lp->pkg];
	unsigned l = 0;

	while (l < topo->nlproc && (l == lproc || !topo->lproc[l].online ||
	    topo->lproc[l].pkg != lp->pkg))
		l++;
	if (l == topo->nlproc)
		return false;
	lp->online = false;
	pkg->nlproc--;
	if (pkg->first_lproc == lproc)
		pkg->first_lproc = l;
	for (unsigned i = 0; i < node->inv.n; i++) {
		struct unit *u = &node->inv.unit[i];

		if (u->type->space == REG_MSR && u->where == lproc &&
		    u->type->scope != SCOPE_LPROC && u->type->scope != SCOPE_CCX)
			u->where = l;
	}
	log_warnx("lproc %u has gone offline: it is not sampled", lproc);
	return true;
}

/* Leaves out the lprocs that went offline since the plan was made; returns how many. */
static unsigned
leave_out_offline(struct node *node)
{
	const struct plan *plan = &node->plan;
	unsigned n = 0;
	uint64_t raw;

	for (unsigned i = 0; i < plan->nwrite; i++) {
		const struct reg_addr *a = &plan->write[i].addr;

		if (a->space == REG_MSR && a->unit < node->topo.nlproc &&
		    node->topo.lproc[a->unit].online &&
		    access_read(node->acc, a, &raw) == -ENXIO)
			n += lproc_left(node, a->unit);
	}
	return n;
}

/* Saves registers by threads on all lprocs, as the writer writes them. */
static int
save_by_team(struct node *node, struct diag *why)
{
	struct plan *plan = &node->plan;
	int rc;

	/* without threads it takes longer */
	if (!node->acc->ops->simulated)
		team_start(&plan->team, plan, node->acc, NULL);
	rc = program_save(plan, node->acc, why);
	team_stop(plan->team);
	plan->team = NULL;
	return rc;
}

int
node_save(struct node *node, struct diag *why)
{
	struct diag other;
	int rc = save_by_team(node, why);

	if (rc >= 0 || node->replay != NULL ||
	    leave_out_offline(node) + leave_out_unusable(node) == 0)
		return rc;
	if ((rc = plan_without(node, &other)) == 0)
		rc = save_by_team(node, &other);
	if (rc < 0)
		*why = other;
	return rc;
}
