/*
 * daemon/plan/perf_open.c - events of one group, opened on the CPUs of a place.
 *
 * Where cores have several PMUs, the kernel's own events want the type of one in
 * the upper half (reference perf-event 5.4).
 */
#include "daemon/plan/plan_perf.h"

#include <errno.h>
#include <stdlib.h>

const struct perf_attr *
perf_attr_at(const struct run *r, const struct perf_event *e,
    const struct perf_place *p, unsigned i, struct perf_attr *attr)
{
	*attr = e->attr;
	if (p->type[i] != 0)
		attr->type = p->type[i];
	if (r->core_type != NULL && perf_generic(e))
		attr->config[0] |= (uint64_t)r->core_type[p->cpu[i]] << 32;
	return attr;
}

int
perf_open_group(struct run *r, const struct perf_place *p,
    struct perf_event *const *member, unsigned n, struct perf_group *first,
    unsigned *bad)
{
	struct access *acc = r->plan->build->acc;
	struct perf_group *g = calloc(p->n, sizeof(*g));
	int rc;

	*bad = 0;
	if (g == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < p->n; i++) {
		g[i].cpu = p->cpu[i];
		g[i].n = n;
		g[i].pinned = r->plan->build->config->pinned;
		for (unsigned k = 0; k < n; k++)
			perf_attr_at(r, member[k], p, i, &g[i].attr[k]);
	}
	rc = access_perf_open(acc, g, p->n, bad);
	*first = g[0];
	free(g);
	return rc;
}
