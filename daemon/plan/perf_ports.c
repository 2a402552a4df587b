/*
 * daemon/plan/perf_ports.c - how many ports are counted, where a filter chooses
 * them: pcie_root_ports[0] = 10 in the head of the dump, by package; 0 where
 * its events count at different ports, so that one number holds for none.
 */
#include "daemon/plan/plan_perf.h"

#include <stdio.h>
#include <string.h>

/* The ports of a package's events: the bits of a format, all alike.  The clock
 * has none.  Returns false where nothing is counted there. */
static bool
ports_of(const struct run *r, int pkg, const struct pmu_format *f,
    uint64_t *ports, bool *alike)
{
	bool any = false;

	*alike = true;
	for (unsigned i = 0; i < r->nplace; i++)
		for (unsigned k = 0; k < r->nevent; k++) {
			const struct perf_event *e = &r->event[k];
			uint64_t bits = e->attr.config[f->word] & f->bits;

			if (e->own || r->place[i].pkg != pkg ||
			    !perf_belongs(r, e, &r->place[i]))
				continue;
			*alike &= !any || bits == *ports;
			*ports = bits;
			any = true;
		}
	return any;
}

int
perf_note_ports(struct run *r)
{
	for (unsigned f = 0; r->type != NULL && f < MAX_FILTERS; f++) {
		const struct box_filter *filter = &r->type->filter[f];
		const struct pmu_format *format;
		uint64_t ports = 0;
		bool alike, none = true;

		if (!filter->ports || (format = pmu_format_named(r->pmu,
		    filter->name)) == NULL)
			continue;
		for (unsigned p = 0; p < r->plan->build->topo->npkg; p++) {
			if (!ports_of(r, (int)p, format, &ports, &alike))
				continue;
			if (!alike)
				plan_remark(r->plan, "%s: the events of package "
				    "%u have different values of %s, so there "
				    "is no utilisation of it", r->type->name,
				    p, filter->name);
			if (none)
				head_put_table(&r->plan->head,
				    HEAD_PCIE_ROOT_PORTS, ALONE, 0);
			head_put_int(&r->plan->head, HEAD_PCIE_ROOT_PORTS,
			    AT(p), alike ? __builtin_popcountll(ports) : 0);
			none = false;
		}
	}
	return plan_head_error(r->plan);
}
