/*
 * postproc/gather/gather_layout.c - the topology of a dump: as it says, else by rule.
 */
#include "postproc/gather/gather.h"
#include "regs/access.h"

#include <errno.h>
#include <stdlib.h>

static int
gather_layout_number_of(const struct reader *r, enum head_key key,
    unsigned lproc)
{
	double v = head_number(r, key, AT(lproc), -1);

	return v > -1e6 && v < 1e6 ? (int)v : -1;
}

/* lproc_package[5] = 0 and so on, where the dump says them. */
static void
declared_places(const struct reader *r, struct lproc_place *place, unsigned n)
{
	for (unsigned l = 0; l < n; l++)
		place[l] = (struct lproc_place){
		    .pkg = gather_layout_number_of(r, HEAD_LPROC_PACKAGE, l),
		    .core = gather_layout_number_of(r, HEAD_LPROC_CORE, l),
		    .thread = gather_layout_number_of(r, HEAD_LPROC_THREAD, l),
		    .die = gather_layout_number_of(r, HEAD_LPROC_DIE, l),
		    .numa = gather_layout_number_of(r, HEAD_LPROC_NODE, l),
		    .ccx = gather_layout_number_of(r, HEAD_LPROC_CCX, l) };
}

int
gather_topology(struct gather *g, const char *rule, struct diag *why)
{
	double cpus = head_number(g->reader, HEAD_NR_CPUS, ALONE, 0);
	double packages = head_number(g->reader, HEAD_PACKAGES, ALONE, 0);
	unsigned n = g->series.nlproc, npkg = g->series.npkg;
	bool declared = head_constant(g->reader, HEAD_LPROC_PACKAGE,
	    AT(0)) != NULL;
	struct lproc_place *place;
	int rc = 0;

	if (cpus > n && cpus <= MAX_LPROCS)
		n = (unsigned)cpus;
	if (packages >= 1 && packages <= TOPO_MAX_PKG)
		npkg = (unsigned)packages;
	if ((place = calloc(n + 1, sizeof *place)) == NULL)
		return -ENOMEM;
	if (rule == NULL && declared)
		declared_places(g->reader, place, n);
	else
		rc = topology_rule(place, n, npkg ? npkg : 1,
		    rule ? rule : "block", why);
	if (rc == 0)
		rc = topology_init(&g->topo, place, n, npkg, why);
	if (rc == 0 && (rule != NULL || !declared)) {
		g->topo.how = rule ? rule : "block";
		g->topo.assumed = rule == NULL && npkg > 1;
	}
	free(place);
	return rc;
}
