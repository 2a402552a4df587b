/*
 * daemon/plan/perf_places.c - where events are counted: lprocs, boxes, the CPUs of a
 * PMU; alone, or added up.
 */
#include "daemon/plan/plan_int.h"

#include "lib/array.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct perf_place *
new_place(struct run *r, unsigned ncpu)
{
	struct perf_place *p;

	if (!array_room(&r->place, r->nplace, &r->place_room,
	    sizeof(*r->place)))
		return NULL;
	p = &r->place[r->nplace];
	memset(p, 0, sizeof(*p));
	p->cpu = calloc(ncpu + 1, sizeof(p->cpu[0]));
	p->type = calloc(ncpu + 1, sizeof(p->type[0]));
	if (p->cpu == NULL || p->type == NULL) {
		free(p->cpu);
		free(p->type);
		return NULL;
	}
	r->nplace++;
	return p;
}

static unsigned
core_room(const struct run *r)
{
	const struct cpu_id *cpu = &r->plan->build->topo->cpu;

	if (r->domain == ON_CPUS)
		return PERF_MEMBERS;
	if (r->type != NULL && r->type->space == REG_PERF)
		return r->type->counters;
	return cpu->gp_counters > 0 ? cpu->gp_counters : 4;
}

static void
perf_places_mark(void *ctx, unsigned n)
{
	((bool *)ctx)[n] = true;
}

bool
perf_other_core(const struct run *r, const struct perf_place *p)
{
	return r->core_type != NULL && p->sum == NULL &&
	    r->core_type[p->lproc] != r->pmu->type;
}

struct marking {
	uint32_t *of, type;
};

static void
mark_type(void *ctx, unsigned n)
{
	struct marking *m = ctx;

	m->of[n] = m->type;
}

/* Is a statement about any of these lprocs? */
static bool
wants_some(const struct want *w, const bool *lproc, unsigned n)
{
	for (unsigned l = w->first; l < n && l <= w->last; l++)
		if (lproc[l])
			return true;
	return false;
}

/* A PMU of other cores than the run's (cpu_atom beside cpu_core): marks their lprocs,
 * and notes which events are not counted there. */
static void
try_other(void *ctx, const char *name)
{
	struct run *r = ctx;
	unsigned nlproc = r->plan->build->topo->nlproc, n = 0;
	const struct perf_event *first = NULL;
	struct pmu *pmu;
	bool x86 = strncmp(name, "cpu_", 4) == 0, *there;
	struct marking m;

	if ((!x86 && strncmp(name, "armv8_", 6) != 0) ||
	    strcmp(name, r->pmu->name) == 0 ||
	    (pmu = malloc(sizeof(*pmu))) == NULL)
		return;
	if (pmu_load(pmu, r->plan->build->acc, name) < 0 ||
	    pmu->cpus[0] == '\0' ||
	    (there = calloc(nlproc, sizeof(there[0]))) == NULL) {
		free(pmu);
		return;
	}
	cpulist_parse(pmu->cpus, nlproc, perf_places_mark, there);
	if (x86 && r->core_type == NULL && (r->core_type = calloc(nlproc,
	    sizeof(r->core_type[0]))) != NULL) {
		m = (struct marking){ r->core_type, r->pmu->type };
		cpulist_parse(r->pmu->cpus, nlproc, mark_type, &m);
	}
	if (x86 && r->core_type != NULL) {
		m = (struct marking){ r->core_type, pmu->type };
		cpulist_parse(pmu->cpus, nlproc, mark_type, &m);
	}
	for (unsigned i = 0; i < r->nevent; i++) {
		const struct perf_event *e = &r->event[i];

		if ((x86 && perf_generic(e)) || e->sum != NULL ||
		    !wants_some(e->want, there, nlproc))
			continue;
		first = first == NULL ? e : first;
		n++;
	}
	if (n > 1)
		plan_note(r->plan, "%s and %u more: lprocs %.200s are left "
		    "out, whose PMU is %s", first->name, n - 1, pmu->cpus,
		    name);
	else if (n > 0)
		plan_note(r->plan, "%s: lprocs %.200s are left out, whose PMU "
		    "is %s", first->name, pmu->cpus, name);
	free(there);
	free(pmu);
}

static int
lproc_places(struct run *r)
{
	const struct topo *topo = r->plan->build->topo;
	bool *may = calloc(topo->nlproc, sizeof(may[0]));
	struct perf_place *p;

	if (may == NULL)
		return plan_no_memory(r->plan);
	if (r->domain == ON_CPUS || r->pmu->cpus[0] == '\0')
		memset(may, true, topo->nlproc);
	else
		cpulist_parse(r->pmu->cpus, topo->nlproc, perf_places_mark,
		    may);
	if (r->domain == ON_CORES && r->pmu->cpus[0] != '\0')
		access_list(r->plan->build->acc, PMU_DIR,
		    try_other, r);
	for (unsigned l = 0; r->core_type != NULL && l < topo->nlproc; l++)
		may[l] |= r->core_type[l] != 0;
	for (unsigned l = 0; l < topo->nlproc; l++) {
		if (!may[l] || !topo->lproc[l].online)
			continue;
		if ((p = new_place(r, 1)) == NULL) {
			free(may);
			return plan_no_memory(r->plan);
		}
		p->at = (struct column_id){ .nindex = 1, .index = { l } };
		p->lproc = p->cpu[0] = l;
		p->pkg = -1;
		p->n = 1;
		p->room = core_room(r);
	}
	free(may);
	return 0;
}

/* The lprocs of `cores "0-3"`, added up. */
static int
sum_place(struct run *r, const struct core_group *g, const struct want *w)
{
	const struct topo *topo = r->plan->build->topo;
	struct perf_place *p = new_place(r, g->n);
	char label[64];

	if (p == NULL)
		return plan_no_memory(r->plan);
	snprintf(label, sizeof(label), "%.60s", g->label);
	if ((p->at.lprocs = plan_text(r->plan, label)) == NULL)
		return plan_no_memory(r->plan);
	p->adds = SUM_LPROCS;
	p->sum = g;
	p->pkg = -1;
	p->lproc = g->lproc[0];
	p->room = core_room(r);
	for (unsigned i = 0; i < g->n; i++) {
		if (g->lproc[i] >= topo->nlproc ||
		    !topo->lproc[g->lproc[i]].online)
			return diag_at(r->plan->build->why, w->file, w->line,
			    g->lproc[i] < topo->nlproc ? "cores \"%s\": lproc "
			    "%u is offline" : "cores \"%s\": lproc %u is not "
			    "there (they are 0 to %u)", g->label, g->lproc[i],
			    topo->nlproc - 1);
		p->cpu[p->n++] = g->lproc[i];
	}
	return 0;
}

/* Makes a place of each list that is added up. */
static int
sum_places(struct run *r)
{
	struct lookup had = { .n = 0 };
	unsigned first;
	int rc = 0;

	for (unsigned i = 0; i < r->nevent && rc == 0; i++) {
		const struct core_group *g = r->event[i].sum;
		uint64_t hash = lookup_hash(0, &g, sizeof(g));
		uint32_t at = lookup_first(&had, hash);

		while (at != LOOKUP_END &&
		    r->event[lookup_value(&had, at)].sum != g)
			at = lookup_next(&had, at);
		if (g == NULL)
			continue;
		first = at == LOOKUP_END ? i : lookup_value(&had, at);
		if (at != LOOKUP_END)
			r->event[r->event[first].last_sum].next_sum = i;
		r->event[i].next_sum = NO_EVENT;
		r->event[first].last_sum = i;
		if (at != LOOKUP_END)
			continue;
		if ((rc = sum_place(r, g, r->event[i].want)) == 0 &&
		    lookup_add(&had, hash, i) < 0)
			rc = plan_no_memory(r->plan);
		if (rc == 0)
			r->place[r->nplace - 1].first_event = i;
	}
	lookup_fini(&had);
	return rc;
}

/* Is the lproc in the event's cores list; with `alone`, in a list of one? */
static bool
in_cores(const struct perf_event *e, unsigned cpu, bool alone)
{
	return e->listed == NULL || (e->listed[cpu] & (alone ? CORES_ALONE :
	    CORES_ALONE | CORES_SUMMED)) != 0;
}

/* The number of a PMU; 0: it is gone. */
static uint32_t
perf_places_type_of(struct run *r, const char *pmu)
{
	char path[256];
	int64_t type;

	snprintf(path, sizeof(path), PMU_DIR "/%s/type", pmu);
	return access_number(r->plan->build->acc, path, &type) < 0 ? 0 :
	    (uint32_t)type;
}

bool
perf_names_pmu(const struct want *w)
{
	const char *pmu = w->perf != NULL ? w->perf->pmu : NULL;
	const char *n = pmu != NULL ? strrchr(pmu, '_') : NULL;

	return n != NULL && n[1] != '\0' &&
	    n[1 + strspn(n + 1, "0123456789")] == '\0';
}

/* Is a statement about this box? */
static bool
names_box(const struct run *r, const struct want *w, const struct unit *u)
{
	const char *pmu = u->pmu;

	if (perf_names_pmu(w) && (r->type->single || w->kind == WANT_PERF))
		return strcmp(w->perf->pmu, pmu) == 0 || (strncmp(pmu,
		    "uncore_", 7) == 0 && strcmp(w->perf->pmu, pmu + 7) == 0);
	return (w->pkg == ALL_PKG || w->pkg == u->pkg) &&
	    u->inst >= w->first && u->inst <= w->last;
}

/* Are the boxes of a statement added up?  A single box has its ordinary column, as a
 * cores list of one lproc has. */
static bool
adds_up(const struct want *w)
{
	return w->dispatch == DISPATCH_OFF && !perf_names_pmu(w) &&
	    w->first != w->last;
}

/* Makes a place of each box of the type; with sum, of each package's boxes. */
static int
box_places(struct run *r, bool sum)
{
	const struct inventory *inv = r->plan->build->inv;
	struct perf_place *p = NULL;

	for (unsigned i = 0; i < inv->n; i++) {
		const struct unit *u = &inv->unit[i];
		uint32_t type;
		bool one;

		if (u->type != r->type || !u->present || u->pmu[0] == '\0')
			continue;
		if ((type = perf_places_type_of(r, u->pmu)) == 0) {
			plan_note(r->plan, "%s %u of package %u: its PMU %s is "
			    "gone", u->type->name, u->inst, u->pkg, u->pmu);
			continue;
		}
		if (!sum || p == NULL || p->pkg != u->pkg) {
			bool ccx = !sum && r->type->scope == SCOPE_CCX;

			if ((p = new_place(r, inv->n)) == NULL)
				return plan_no_memory(r->plan);
			one = sum || r->type->single;
			p->at = (struct column_id){ .nindex = one ? 1 : 2,
			    .index = { u->pkg, one ? 0 : u->inst } };
			p->adds = sum ? SUM_BOXES : SUM_NONE;
			p->pkg = ccx ? -1 : u->pkg;
			p->lproc = u->where;
			p->room = u->counters > 0 ? u->counters : 4;
			p->unit = u;
		}
		p->cpu[p->n] = u->where;
		p->type[p->n++] = type;
	}
	return 0;
}

struct listing {
	struct run *r;
	const char *pmu;
	int n;
	uint32_t type;
	unsigned ncpu;
	unsigned npmu;                  /* PMUs of that kind */
	unsigned dies[MAX_PKG];         /* CPUs of this PMU so far, by package */
	bool sum;
	int rc;
};

static void
count_cpu(void *ctx, unsigned cpu)
{
	(void)cpu;
	(*(unsigned *)ctx)++;
}

static void
place_on(void *ctx, unsigned cpu)
{
	struct listing *l = ctx;
	const struct topo *topo = l->r->plan->build->topo;
	int pkg = topo->lproc[cpu].pkg;
	struct perf_place *p;

	if (pkg < 0 || l->rc < 0)
		return;
	for (unsigned i = 0; l->sum && i < l->r->nplace; i++) {
		p = &l->r->place[i];
		if (p->adds != SUM_NONE && p->pkg == pkg && p->n < 512) {
			p->cpu[p->n] = cpu;
			p->type[p->n++] = l->type;
			return;
		}
	}
	if ((p = new_place(l->r, l->sum ? 512 : 1)) == NULL) {
		l->rc = -ENOMEM;
		return;
	}
	p->pkg = pkg;
	p->room = 4;
	p->cpu[0] = cpu;
	p->type[0] = l->type;
	p->n = 1;
	if (l->sum || (l->n < 0 && l->ncpu <= topo->npkg))
		p->at = (struct column_id){ .nindex = 1,
		    .index = { (uint32_t)pkg } };
	else if (l->n < 0) {
		p->at = (struct column_id){ .nindex = 1, .index = { cpu } };
		p->lproc = cpu;
		p->pkg = -1;
	} else  /* numbers of a second die's boxes follow those of the first */
		p->at = (struct column_id){ .nindex = 2, .index = {
		    (uint32_t)pkg, (unsigned)l->n + l->dies[pkg]++ *
		    l->npmu } };
	p->adds = l->sum ? SUM_BOXES : SUM_NONE;
}

/* Makes a place of each CPU in the cpumask of a PMU that no table has. */
static void
pmu_places(void *ctx, const char *name, int n)
{
	struct listing *l = ctx;
	struct pmu *pmu = malloc(sizeof(*pmu));
	unsigned nlproc = l->r->plan->build->topo->nlproc;

	if (pmu == NULL) {
		l->rc = -ENOMEM;
		return;
	}
	if (l->rc == 0 &&
	    pmu_load(pmu, l->r->plan->build->acc, name) == 0) {
		l->n = n;
		l->ncpu = 0;
		memset(l->dies, 0, sizeof(l->dies));
		l->type = pmu->type;
		cpulist_parse(pmu->cpumask, nlproc, count_cpu, &l->ncpu);
		cpulist_parse(pmu->cpumask, nlproc, place_on, l);
	} else if (l->rc == 0 && pmu->wrong[0] != '\0')
		plan_note(l->r->plan, "PMU %s: %s", name, pmu->wrong);
	free(pmu);
}

bool
perf_own_socket(const struct run *r, const struct perf_event *e,
    const struct perf_place *p)
{
	const struct want *w = e->want;
	int node, toward = r->type == NULL ? -1 : box_toward(r->type,
	    e->attr.config[0]);

	if (toward < 0 || p->pkg < 0 || w->pkg != ALL_PKG ||
	    perf_names_pmu(w))
		return false;
	node = r->plan->build->topo->pkg[p->pkg].node;
	return toward == (node < 0 ? p->pkg : node);
}

bool
perf_belongs(const struct run *r, const struct perf_event *e,
    const struct perf_place *p)
{
	const struct want *w = e->want;

	if (e->dropped & (perf_other_core(r, p) ? 2 : 1))
		return false;
	if (perf_other_core(r, p) && !perf_generic(e))
		return false;
	if (p->sum != NULL || e->sum != NULL)
		return p->sum == e->sum;
	if (r->domain == ON_CPUS || r->domain == ON_CORES ||
	    (p->pkg < 0 && p->adds == SUM_NONE))
		return p->lproc >= w->first && p->lproc <= w->last &&
		    in_cores(e, p->lproc, r->pmu->cpumask[0] == '\0');
	if ((p->adds != SUM_NONE) != adds_up(w) || !in_cores(e, p->cpu[0],
	    false))
		return false;
	if (p->unit == NULL)
		return true;
	if (perf_own_socket(r, e, p))
		return false;
	return adds_up(w) || names_box(r, w, p->unit);
}

int
perf_make_places(struct run *r)
{
	struct listing l = { .r = r };
	bool sum = false, apart = false;
	char kind[64];
	int rc;

	for (unsigned i = 0; i < r->nevent; i++) {
		bool off = adds_up(r->event[i].want);

		sum |= off;
		apart |= !off;
	}
	if (r->domain == ON_BOXES) {
		rc = apart ? box_places(r, false) : 0;
		return rc == 0 && sum ? box_places(r, true) : rc;
	}
	if (r->domain == ON_PMU && r->pmu->cpumask[0] != '\0') {
		snprintf(kind, sizeof(kind), "%s", r->pmu_name);
		if (r->nevent > 0 && perf_names_pmu(r->event[0].want))
			*strrchr(kind, '_') = '\0';
		l.npmu = pmu_each(r->plan->build->acc, kind, NULL, NULL);
		for (unsigned k = 0; k < 2; k++) {
			l.sum = k == 1;
			if (l.sum ? sum : apart)
				pmu_each(r->plan->build->acc, r->pmu_name,
				    pmu_places, &l);
		}
		return l.rc < 0 ? plan_no_memory(r->plan) : 0;
	}
	return (rc = lproc_places(r)) < 0 ? rc : sum_places(r);
}

static bool
counts_at(const struct topo *topo, const struct want *w, unsigned lproc)
{
	return lproc < topo->nlproc && topo->lproc[lproc].online &&
	    lproc >= w->first && lproc <= w->last;
}

/* On how many CPUs a statement is counted, each box being one. */
static unsigned
places_of(const struct plan *plan, const struct want *w)
{
	const struct plan_build *b = plan->build;
	const struct box_type *type;
	enum domain domain = perf_domain(w, &type);
	unsigned n = 0;

	if (w->sum != NULL)
		return w->sum->n;
	if (domain == ON_BOXES)
		for (unsigned i = 0; i < b->inv->n; i++)
			n += b->inv->unit[i].type == type &&
			    b->inv->unit[i].present;
	else if (domain == ON_PMU) {
		n = pmu_each(b->acc, w->perf->pmu, NULL, NULL) *
		    b->topo->npkg;
	} else if (w->cores != NULL)
		for (unsigned i = 0; i < w->cores->n; i++)
			for (unsigned k = 0; k < w->cores->group[i].n; k++)
				n += counts_at(b->topo, w,
				    w->cores->group[i].lproc[k]);
	else
		for (unsigned l = 0; l < b->topo->nlproc; l++)
			n += counts_at(b->topo, w, l);
	return n;
}

unsigned
perf_files(const struct plan *plan)
{
	const struct config *cfg = plan->build->config;
	unsigned n = 64;                /* a reserve for all else */

	for (unsigned i = 0; i < cfg->nwant; i++) {
		const struct want *w = &cfg->want[i];
		bool all_fixed = w->kind == WANT_FIXED && w->counter < 0 &&
		    w->type->scope == SCOPE_LPROC;

		if (w->kind == WANT_EVENT || w->kind == WANT_PERF ||
		    w->kind == WANT_FIXED)
			n += places_of(plan, w) * (all_fixed ? 3 : 1);
	}
	return n;
}
