/*
 * regs/sim/sim_perf.c - perf_event_open of the simulated machine.
 *
 * As the kernel does:
 *   - an unknown type is ENOENT, a CPU that does not exist EINVAL, one that is
 *     offline ENODEV, a CPU that a PMU does not serve EINVAL
 *   - a group that needs more counters than the PMU has is EINVAL; the event with
 *     a counter of its own needs none, AMD's that takes a pair needs two.  The
 *     drivers of AMD's boxes do not check that: such a group opens and never runs
 *   - groups that together need more counters than there are take turns: each
 *     runs for its share of the time, and counts in that share alone
 *   - events of the PMU "msr" are software events to the kernel: they may be in a
 *     group of any PMU, and need no counter
 *   - a pinned group for which there are no counters is EBUSY
 *   - while its CPU is offline, a group neither counts nor can be read; but a
 *     PMU with a cpumask goes on with another CPU of the same unit
 * Software events are those of every kernel: the two clocks count ns, the
 * others what a machine says, else nothing.
 */
#include "regs/sim/sim_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool
sim_in_list(const char *list, unsigned n)
{
	const char *p = list;

	while (*p != '\0') {
		char *end;
		unsigned long lo = strtoul(p, &end, 10), hi = lo;

		if (end == p)
			return false;
		if (*end == '-')
			hi = strtoul(end + 1, &end, 10);
		if (n >= lo && n <= hi)
			return true;
		p = *end == ',' ? end + 1 : end;
		if (p == end && *p != '\0')
			return false;
	}
	return false;
}

static const struct sim_pmu *
pmu_of(const struct sim *s, uint32_t type)
{
	for (unsigned i = 0; i < s->d->npmu; i++)
		if (s->d->pmu[i].type == type)
			return &s->d->pmu[i];
	/* PERF_RAW means the core's PMU */
	for (unsigned i = 0; type == PERF_RAW && i < s->d->npmu; i++)
		if (s->d->pmu[i].cpus[0] != '\0')
			return &s->d->pmu[i];
	return NULL;
}

/* The rate that the registers of a box would count: config is the control value,
 * config1 the filters, or the extra register of a core's event. */
static const struct sim_rate *
box_rate(const struct sim *s, const struct sim_pmu *pmu,
    const struct perf_attr *a, unsigned cpu, uint64_t *add)
{
	const struct sim_box *box = &s->d->box[pmu->box];
	uint64_t filter[SIM_FILTERS], ctl = a->config[0];
	bool core = box->scope == SIM_LPROC;
	int fixed = -1;

	for (unsigned i = 0; i < SIM_FILTERS; i++)
		filter[i] = core ? a->config[1] : i == 0 ?
		    (uint32_t)a->config[1] : a->config[1] >> 32;
	if (core)       /* rings: bits 16 and 17 */
		ctl |= (uint64_t)!a->no_user << 16 |
		    (uint64_t)!a->no_kernel << 17;
	for (int i = 0; core && !a->no_user && !a->no_kernel &&
	    i < PERF_CORE_FIXED && i < (int)box->nfixed; i++)
		if (a->config[0] == perf_core_fixed[i])
			fixed = i;
	if (!core && a->config[0] == PERF_BOX_FIXED)
		fixed = 0;
	for (unsigned i = 0; i < s->nunits; i++) {
		const struct sim_unit *u = s->units[i];

		if (u->index == (unsigned)pmu->box && (core ? u->lproc == cpu :
		    u->pkg == s->place[cpu].pkg && u->inst == (box->scope ==
		    SIM_CCX ? s->place[cpu].ccx : pmu->inst)))
			return unit_rate(s, u, fixed, ctl, filter, add);
	}
	return NULL;
}

/* The core PMU that counts a generic event: the one whose type is in the upper half of
 * config, else that of the CPU. */
static const struct sim_pmu *
core_of(const struct sim *s, const struct perf_attr *a, unsigned cpu)
{
	if (a->config[0] >> 32 != 0)
		return pmu_of(s, (uint32_t)(a->config[0] >> 32));
	for (unsigned i = 0; i < s->d->npmu; i++)
		if (sim_in_list(s->d->pmu[i].cpus, cpu))
			return &s->d->pmu[i];
	return pmu_of(s, PERF_RAW);
}

const struct sim_pmu *
sim_perf_core(const struct sim *s, unsigned cpu)
{
	const struct perf_attr any = { .type = PERF_RAW };

	return core_of(s, &any, cpu);
}

/* The rate of a generic hardware event by the core's registers: the event that the
 * machine file gives for it, or else Intel's architectural one.  NULL: the kernel has
 * no event for it. */
static const struct sim_rate *
kernel_rate(const struct sim *s, const struct perf_attr *a, unsigned cpu,
    uint64_t *add)
{
	const struct sim_pmu *core = core_of(s, a, cpu);
	const struct sim_rate *rate;
	struct perf_attr same = *a;
	bool renamed = false;

	if (core == NULL || core->box < 0)
		return NULL;
	for (unsigned i = 0; i < s->d->nkcount; i++) {
		const struct sim_kcount *k = &s->d->kcount[i];

		renamed |= k->renamed;
		if (!k->renamed || k->type != a->type ||
		    k->config != (uint32_t)a->config[0])
			continue;
		same.config[0] = k->as;
		rate = box_rate(s, core, &same, cpu, add);
		return rate != NULL ? rate : &s->perf->none;
	}
	if (renamed)
		return NULL;
	for (const struct perf_name *n = perf_names; n->name != NULL; n++)
		if (n->type == a->type && n->config == (uint32_t)a->config[0] &&
		    n->intel != 0) {
			same.config[0] = n->intel;
			return box_rate(s, core, &same, cpu, add);
		}
	return NULL;
}

/* The rate of an event, by the last statement that applies. */
static const struct sim_rate *
rate_of(const struct sim *s, const struct sim_pmu *pmu, uint32_t type,
    const struct perf_attr *a, unsigned cpu, uint64_t *add)
{
	const struct sim_place *at = &s->place[cpu];
	const struct sim_rate *found = NULL;

	*add = 0;
	if (pmu != NULL && pmu->box >= 0)
		return box_rate(s, pmu, a, cpu, add);
	for (unsigned i = 0; i < s->d->nkcount; i++) {
		const struct sim_kcount *k = &s->d->kcount[i];

		if (k->renamed || (pmu != NULL ? k->pmu != (unsigned)(pmu - s->d->pmu) ||
		    k->kernel : !k->kernel || k->type != type) ||
		    k->config != (pmu != NULL ? a->config[0] :
		    (uint32_t)a->config[0]) || (k->filter != 0 &&
		    !(k->filter & a->config[1])))
			continue;
		if ((k->where.pkg >= 0 && (unsigned)k->where.pkg != at->pkg) ||
		    (k->where.lproc >= 0 && (unsigned)k->where.lproc != cpu) ||
		    (k->where.inst >= 0 && (unsigned)k->where.inst !=
		    at->inst) || (k->where.thread >= 0 &&
		    (unsigned)k->where.thread != at->thread))
			continue;
		found = &k->rate;
		*add = at->inst * k->rate.step + at->pkg * k->rate.pkgstep +
		    at->thread * k->rate.threadstep;
	}
	return found == NULL && pmu == NULL ? kernel_rate(s, a, cpu, add) :
	    found;
}

static int
check_group(struct sim *s, struct sim_group *g, unsigned *bad)
{
	const struct perf_group *w = &g->want;
	bool own = false, core;

	*bad = 0;
	if (w->cpu >= s->nlproc || !s->place[w->cpu].exists)
		return -EINVAL;
	if (s->place[w->cpu].offline > 0)
		return -ENODEV;
	for (unsigned k = 0; k < w->n; k++) {
		uint32_t type = w->attr[k].type;
		const struct sim_pmu *pmu = pmu_of(s, type);
		bool kernel = type == PERF_HARDWARE || type == PERF_HW_CACHE;
		uint64_t add;

		*bad = k;
		if (type == PERF_SOFTWARE) {
			if (w->attr[k].config[0] > 11)
				return -ENOENT;
			continue;
		}
		if (kernel) {
			/* the core PMU counts it, if the machine knows it */
			if (rate_of(s, NULL, type, &w->attr[k], w->cpu,
			    &add) == NULL)
				return -ENOENT;
			pmu = core_of(s, &w->attr[k], w->cpu);
		}
		if (pmu == NULL)
			return -ENOENT;
		if (strcmp(pmu->name, "msr") == 0)
			continue;
		if (g->pmu != NULL && g->pmu != pmu)
			return -EINVAL;
		g->pmu = pmu;
		core = pmu->cpus[0] != '\0';
		if (!sim_in_list(core ? pmu->cpus : pmu->associated[0] != '\0' ?
		    pmu->associated : pmu->cpumask, w->cpu) ||
		    (!core && (w->attr[k].no_user || w->attr[k].no_kernel)))
			return -EINVAL;
		if (pmu->own != UINT64_MAX && !kernel && !own &&
		    w->attr[k].config[0] == pmu->own)
			own = true;
		else
			g->need += sim_perf_takes(pmu, &w->attr[k]);
		if (g->need > pmu->counters && pmu->checks)
			return -EINVAL;
	}
	return 0;
}

void
sim_group_start(struct sim *s, struct sim_group *g)
{
	for (unsigned k = 0; k < g->want.n; k++) {
		const struct perf_attr *a = &g->want.attr[k];
		const struct sim_rate *rate = NULL;
		bool kernel = a->type == PERF_HARDWARE ||
		    a->type == PERF_HW_CACHE || a->type == PERF_SOFTWARE;
		uint64_t add = 0;

		rate = rate_of(s, kernel ? NULL : pmu_of(s, a->type), a->type,
		    a, g->want.cpu, &add);
		if (rate == NULL && a->type == PERF_SOFTWARE &&
		    a->config[0] < 2)
			rate = &s->perf->clock;
		memset(&g->count[k], 0, sizeof(g->count[k]));
		if (rate != NULL)
			count_by(s, &g->count[k], rate, add);
		count_set(s, &g->count[k], 0);
	}
	g->opened = s->t;
}

static struct sim_perf *
perf_of(struct sim *s)
{
	struct sim_perf *p = s->perf;

	if (p != NULL || (p = calloc(1, sizeof(*p))) == NULL)
		return p;
	p->demand = calloc((size_t)s->d->npmu * s->nlproc + 1,
	    sizeof(p->demand[0]));
	p->skip = calloc(s->nlproc + 1, sizeof(p->skip[0]));
	if (p->demand == NULL || p->skip == NULL) {
		free(p->demand);
		free(p->skip);
		free(p);
		return NULL;
	}
	for (unsigned i = 0; i < SIM_PHASES; i++)
		p->clock.hz[i] = NS;
	return s->perf = p;
}

/* How many counters of a PMU on a CPU all groups together need. */
unsigned *
sim_group_demand(const struct sim *s, const struct sim_group *g)
{
	return &s->perf->demand[(size_t)(g->pmu - s->d->pmu) * s->nlproc +
	    g->want.cpu];
}

/* Adds or removes what a handle's groups need. */
static void
sim_perf_ask(struct sim *s, const struct sim_handle *h, bool more)
{
	for (unsigned i = 0; i < h->n; i++)
		if (h->group[i].pmu != NULL &&
		    h->group[i].need <= sim_perf_usable(h->group[i].pmu))
			*sim_group_demand(s, &h->group[i]) += more ? h->group[i].need :
			    -h->group[i].need;
}

void
sim_group_leave(struct sim *s, struct sim_group *g)
{
	for (unsigned k = 0; g->slot != NULL && k < g->want.n; k++)
		sim_counter_give(s, &g->slot[k]);
}

static void
free_handle(struct sim *s, struct sim_handle *h)
{
	for (unsigned i = 0; h != NULL && h->group != NULL && i < h->n; i++) {
		struct sim_group *g = &h->group[i];

		sim_group_leave(s, g);
		for (unsigned k = 0; g->slot != NULL && k < g->want.n; k++)
			free(g->slot[k].page);
		free(g->slot);
	}
	if (h != NULL)
		free(h->group);
	free(h);
}

/* Opens a pinned group, which is always counted or not at all. */
static int
check_pinned(const struct sim *s, const struct sim_group *g)
{
	return g->want.pinned && g->pmu != NULL && *sim_group_demand(s, g) +
	    g->need > sim_perf_usable(g->pmu) ? -EBUSY : 0;
}

int
sim_perf_open(struct sim *s, const struct perf_group *group, unsigned n,
    unsigned *bad)
{
	struct sim_perf *p = perf_of(s);
	struct sim_handle *h = calloc(1, sizeof(*h)), **more;
	int rc = 0;

	if (h != NULL)
		h->group = calloc(n, sizeof(h->group[0]));
	if (p == NULL || h == NULL || h->group == NULL) {
		free_handle(s, h);
		return -ENOMEM;
	}
	if (n == 0 || group[0].n == 0 || group[0].n > PERF_MEMBERS)
		rc = -EINVAL;
	h->sum.n = group[0].n;
	for (unsigned i = 0; i < n && rc == 0; i++) {
		h->group[h->n++].want = group[i];
		if ((rc = check_group(s, &h->group[i], bad)) == 0 &&
		    (rc = check_pinned(s, &h->group[i])) == 0)
			sim_group_start(s, &h->group[i]);
	}
	if (rc == 0 && p->n == PERF_HANDLES)
		rc = -EDQUOT;
	if (rc == 0 && (more = realloc(p->handle, (p->n + 1) *
	    sizeof(*more))) == NULL)
		rc = -ENOMEM;
	if (rc < 0) {
		free_handle(s, h);
		return rc;
	}
	p->handle = more;
	p->handle[p->n] = h;
	sim_perf_ask(s, h, true);
	return (int)p->n++;
}

int
sim_perf_open_nothing(struct sim *s)
{
	return perf_of(s) != NULL ? 0 : -ENOMEM;
}

int
sim_perf_direct(struct sim *s, const struct perf_msrs *msrs)
{
	struct sim_perf *p = perf_of(s);

	if (p == NULL)
		return -ENOMEM;
	p->direct = true;
	p->msrs = *msrs;
	return 0;
}

const char *
sim_perf_note(struct sim *s)
{
	struct sim_perf *p = s->perf;
	unsigned n = 0, direct = 0;

	for (unsigned i = 0; p != NULL && i < p->n; i++)
		for (unsigned k = 0; k < p->handle[i]->n; k++) {
			n++;
			direct += p->handle[i]->group[k].direct.trusted;
		}
	return p != NULL && p->direct ? perf_direct_text(direct, n, p->note,
	    sizeof(p->note)) : NULL;
}

void
sim_perf_drop(struct sim *s, unsigned handle)
{
	struct sim_perf *p = s->perf;

	if (p != NULL && handle + 1 == p->n) {
		sim_perf_ask(s, p->handle[--p->n], false);
		free_handle(s, p->handle[p->n]);
	}
}

void
sim_perf_free(struct sim *s)
{
	if (s->perf == NULL)
		return;
	for (unsigned i = 0; i < s->perf->n; i++)
		free_handle(s, s->perf->handle[i]);
	free(s->perf->demand);
	free(s->perf->skip);
	free(s->perf->handle);
	free(s->perf);
}
