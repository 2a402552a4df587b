/*
 * daemon/plan/perf_open.c - groups of events are opened on the CPUs of a place, no larger
 * than the PMU can count; and what is told of them once they are.
 *
 * The kernel refuses a group that is too large for a PMU where the driver looks at
 * that.  AMD's drivers for the L3, the data fabric and the memory controllers do not:
 * such a group is opened, is enabled, and never runs (reference amd-zen 10.1).  Nor
 * does one that wants all counters of a core while the NMI watchdog has one.  So tallyd
 * opens no group that is larger than a box of the tables; of a PMU without a table, and
 * of a core as a whole, it opens the group and looks whether it runs.
 */
#include "daemon/plan/plan_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Where cores have several PMUs, one of the kernel's own events is of the PMU whose
 * type is in the upper half of config (reference perf-event 5.4). */
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

/* The kernel's turns are of one to four ms: in 40 ms each group has had one. */
#define TRIES 40
#define TRY_NS 1000000ull

static bool
is_uncore(const struct run *r)
{
	return r->domain == ON_BOXES || (r->domain == ON_PMU &&
	    r->pmu->cpumask[0] != '\0');
}

/* Is an open group enabled, and has not run at all? */
static bool
perf_open_is_silent(struct access *acc, unsigned handle)
{
	struct reg_addr addr = { REG_PERF, 8, handle, PERF_ENABLED };
	uint64_t enabled, running;

	for (unsigned i = 0; i < TRIES; i++) {
		addr.offset = PERF_ENABLED;
		if (access_read(acc, &addr, &enabled) < 0)
			return false;
		addr.offset = PERF_RUNNING;
		if (access_read(acc, &addr, &running) < 0 || running > 0)
			return false;
		if (access_sleep(acc, access_mono(acc) + TRY_NS, NULL) < 0)
			return false;
	}
	return enabled > 0;
}

unsigned
perf_takes(const struct run *r, const struct perf_event *e)
{
	return r->domain == ON_CORES && r->type != NULL && !perf_generic(e) &&
	    box_pairs(r->type, e->attr.config[0]) ? 2 : 1;
}

bool
perf_too_large(struct run *r, const struct perf_place *p,
    struct perf_event *const *member, unsigned n)
{
	struct access *acc = r->plan->build->acc;
	struct perf_group g;
	unsigned need = 0, bad;
	bool own = false, silent;
	int rc;

	for (unsigned k = 0; k < n; k++) {
		need += !member[k]->own || own ? perf_takes(r, member[k]) : 0;
		own |= member[k]->own;
	}
	if (n < 2 || need <= r->ran || need + (r->domain == ON_CORES) <=
	    p->room || (r->domain != ON_CORES && !is_uncore(r)))
		return false;
	if (p->unit != NULL)
		return true;
	if (r->silent != 0 && need >= r->silent)
		return true;
	if ((rc = perf_open_group(r, p, member, n, &g, &bad)) < 0)
		return false;           /* whoever opens it says why */
	silent = perf_open_is_silent(acc, (unsigned)rc);
	access_perf_drop(acc, (unsigned)rc);
	if (silent)
		r->silent = need;
	else
		r->ran = need;
	return silent;
}

void
perf_note_silent(struct run *r)
{
	struct access *acc = r->plan->build->acc;
	const struct perf_event *first = NULL;
	unsigned n = 0, last = 0;

	for (unsigned i = 0; is_uncore(r) && i < r->nevent; i++) {
		const struct perf_event *e = &r->event[i];

		if (e->handle == 0 || e->handle == last)
			continue;
		last = e->handle;
		if (!perf_open_is_silent(acc, e->handle - 1))
			continue;
		first = first == NULL ? e : first;
		n++;
	}
	if (n > 0)
		plan_remark(r->plan, "%s%s of PMU %s %s not run so far: other "
		    "programs have its counters", first->name, n > 1 ?
		    " and others" : "", r->pmu->name, n > 1 ? "have" : "has");
}

/* ---- how many ports are counted, where a filter chooses them: pcie_root_ports[0] = 10
 * in the head of the dump, by package; 0 where its events count at different ports */

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
