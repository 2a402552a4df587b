/*
 * postproc/pages/gather_layout.c - the topology of a dump: as it says, else by rule.
 */
#include "postproc/pages/gather.h"
#include "regs/limits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* lproc_package[5] = 0 and so on, where the dump says them. */
static void
declared_places(const struct reader *r, struct place *place, unsigned n)
{
	static const char *const map[] = { "lproc_package[", "lproc_core[",
		"lproc_thread[" };

	for (unsigned i = 0; i < n; i++)
		place[i] = (struct place){ -1, -1, -1 };
	for (unsigned i = 0; i < read_constants(r); i++) {
		const struct constant *c = read_constant(r, i);

		for (unsigned m = 0; m < 3; m++) {
			size_t len = strlen(map[m]);
			unsigned long l;

			if (strncmp(c->name, map[m], len) != 0 ||
			    (l = strtoul(c->name + len, NULL, 10)) >= n)
				continue;
			*(m == 0 ? &place[l].pkg : m == 1 ? &place[l].core :
			    &place[l].thread) = c->real > -1e6 && c->real < 1e6 ?
			    (int)c->real : -1;
		}
	}
}

int
gather_topology(struct gather *g, const char *rule, struct diag *why)
{
	double cpus = read_number(g->reader, "nr_cpus", 0);
	double packages = read_number(g->reader, "packages", 0);
	unsigned n = g->series.nlproc, npkg = g->series.npkg;
	bool declared = read_constant_named(g->reader,
	    "lproc_package[0]") != NULL;
	struct place *place;
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
