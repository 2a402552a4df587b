/*
 * daemon/plan_perf.c - the columns that the kernel counts: from the same
 * configuration, in the same families, as the registers would give.
 *
 * A group is counted at one time on one CPU and is one system call a sample.
 * Where groups share counters the kernel gives them turns; how long a group
 * was enabled and how long it ran are columns beside its counts:
 *   core_enabled[lproc]["GROUP"]  core_running[lproc]["GROUP"]     ns
 *   scf_enabled[pkg]["GROUP"]     cha_running[pkg][box]["GROUP"]   ...
 * with event_group["core_counts"]["EVENT"] = "GROUP" in the head.  A group has
 * the name of its set, else of its first event.
 */
#include "daemon/plan_perf.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum domain { ON_CPUS, ON_CORES, ON_BOXES, ON_PMU };

/* Events of one kind, and where they are counted. */
struct run {
	struct plan *plan;
	enum domain domain;
	const struct box_type *type;    /* ON_BOXES; ON_CORES: may be NULL */
	const char *pmu_name;           /* ON_PMU */
	struct pmu *pmu;                /* whose formats hold; type UINT32_MAX:
	                                 * there is none */
	struct perf_event *event;
	unsigned nevent, event_room;
	struct perf_place *place;
	unsigned nplace, place_room;
};

static int
no_memory(struct run *r)
{
	return diag_set(r->plan->build->why, -ENOMEM, "out of memory");
}

/* EVENTS */

static enum domain
domain_of(const struct want *w, const struct box_type **type)
{
	*type = w->kind == WANT_PERF ? w->perf->type : w->type;
	if (w->kind == WANT_PERF && w->perf->known)
		return w->perf->attr.type == PERF_SOFTWARE ? ON_CPUS :
		    ON_CORES;
	if (*type == NULL)
		return ON_PMU;
	return (*type)->scope == SCOPE_LPROC ? ON_CORES : ON_BOXES;
}

/* May two statements be planned together? */
static bool
alike(const struct want *a, const struct want *b)
{
	const struct box_type *ta, *tb;
	enum domain d = domain_of(a, &ta);

	if (d != domain_of(b, &tb))
		return false;
	return d == ON_BOXES ? ta == tb : d != ON_PMU ||
	    strcmp(a->perf->pmu, b->perf->pmu) == 0;
}

static struct perf_event *
new_event(struct run *r, const struct want *w)
{
	struct perf_event *e = plan_grow(r->event, r->nevent, &r->event_room,
	    sizeof(*e));

	if (e == NULL)
		return NULL;
	r->event = e;
	e += r->nevent++;
	memset(e, 0, sizeof(*e));
	e->want = w;
	return e;
}

/* The events that the fixed counters of a core count, as the kernel's core PMU
 * takes them: reference perf-event 8.3. */
static const uint64_t fixed_config[] = { 0x00c0, 0x003c, 0x0300, 0x0400 };

static int
add_fixed(struct run *r, const struct want *w)
{
	const struct core_fixed *cf = r->plan->build->topo->model->fixed;
	unsigned have = r->plan->build->topo->cpu.fixed_counters;
	struct perf_event *e;

	if (r->domain == ON_BOXES) {
		/* the kernel's way to name the fixed counter of a box */
		if ((e = new_event(r, w)) == NULL)
			return no_memory(r);
		e->attr = (struct perf_attr){ r->pmu->type, { 0xff, 0, 0 },
		    false, false };
		e->own = true;
		snprintf(e->family, sizeof(e->family), "%s",
		    r->type->fixed_family != NULL ? r->type->fixed_family :
		    r->type->family);
		if (r->type->fixed_family == NULL)
			snprintf(e->name, sizeof(e->name), "%s", w->name !=
			    NULL ? w->name : r->type->fixed_name);
		return 0;
	}
	/* no leaf 0xA, no count: the three that every supported core has */
	for (unsigned i = 0; i < (have > 0 ? have : 3) && i < 4 &&
	    cf->name[i] != NULL; i++) {
		if (w->counter >= 0 && w->counter != (int)i)
			continue;
		if ((e = new_event(r, w)) == NULL)
			return no_memory(r);
		e->attr = (struct perf_attr){ r->pmu->type, { fixed_config[i],
		    0, 0 }, false, false };
		e->own = true;
		snprintf(e->family, sizeof(e->family), "%s", cf->family);
		snprintf(e->name, sizeof(e->name), "%s", w->name != NULL ?
		    w->name : cf->name[i]);
	}
	return 0;
}

/* "uncore_imc" -> "imc_counts"; of a PMU that every lproc has: "msr" ->
 * "core_msr_counts", since "core_" is what families of lprocs begin with. */
static void
family_of_pmu(const char *pmu, bool by_lproc, char *buf, size_t size)
{
	size_t n, len;

	if (strncmp(pmu, "uncore_", 7) == 0)
		pmu += 7;
	len = strlen(pmu);
	by_lproc |= len > 5 && strcmp(pmu + len - 5, "_core") == 0;
	n = strlen(pmu);
	while (n > 1 && isdigit((unsigned char)pmu[n - 1]))
		n--;
	if (n < 2 || pmu[n - 1] != '_' || pmu[n] == '\0')
		n = strlen(pmu) + 1;
	snprintf(buf, size, "%s%.*s_counts", by_lproc ? "core_" : "",
	    (int)n - 1, pmu);
	for (char *c = buf; *c != '\0'; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
}

static int
add_event(struct run *r, const struct want *w)
{
	struct plan_build *b = r->plan->build;
	const struct perf_want *pw = w->perf;
	struct perf_event *e;
	int rc = 0;

	if (w->kind == WANT_FIXED)
		return add_fixed(r, w);
	if ((e = new_event(r, w)) == NULL)
		return no_memory(r);
	snprintf(e->name, sizeof(e->name), "%s", w->name);
	if (pw != NULL && pw->known) {
		e->attr = pw->attr;
		snprintf(e->family, sizeof(e->family), "%s", pw->family);
	} else if (w->kind == WANT_PERF) {
		rc = terms_encode(r->pmu, b->acc, (struct word){ pw->terms,
		    strlen(pw->terms) }, (struct place){ w->file, w->line },
		    &e->attr, &e->says, b->why);
		if (r->type != NULL)
			snprintf(e->family, sizeof(e->family), "%s",
			    r->type->family);
		else
			family_of_pmu(pw->pmu, r->pmu->cpumask[0] == '\0',
			    e->family, sizeof(e->family));
	} else {
		rc = perf_encode(b->config, w, r->pmu, &e->attr, b->why);
		snprintf(e->family, sizeof(e->family), "%s",
		    r->type->family);
	}
	e->own = r->type != NULL && r->type->own_counter != 0 &&
	    e->attr.config[0] == r->type->own_counter;
	return rc;
}

/* PLACES */

static struct perf_place *
new_place(struct run *r, unsigned ncpu)
{
	struct perf_place *p = plan_grow(r->place, r->nplace, &r->place_room,
	    sizeof(*p));

	if (p == NULL)
		return NULL;
	r->place = p;
	p += r->nplace;
	memset(p, 0, sizeof(*p));
	p->suffix = "";
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
mark(void *ctx, unsigned n)
{
	((bool *)ctx)[n] = true;
}

static int
lproc_places(struct run *r)
{
	const struct topo *topo = r->plan->build->topo;
	bool *may = calloc(topo->nlproc, sizeof(may[0]));
	struct perf_place *p;

	if (may == NULL)
		return no_memory(r);
	if (r->domain == ON_CPUS || r->pmu->cpus[0] == '\0')
		memset(may, true, topo->nlproc);
	else
		cpulist_parse(r->pmu->cpus, topo->nlproc, mark, may);
	for (unsigned l = 0; l < topo->nlproc; l++) {
		if (!may[l] || !topo->lproc[l].online)
			continue;
		if ((p = new_place(r, 1)) == NULL) {
			free(may);
			return no_memory(r);
		}
		snprintf(p->index, sizeof(p->index), "[%u]", l);
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

	if (p == NULL)
		return no_memory(r);
	snprintf(p->index, sizeof(p->index), "[\"%.60s\"]", g->label);
	p->suffix = "_group";
	p->sum = g;
	p->pkg = -1;
	p->lproc = g->lproc[0];
	p->room = core_room(r);
	for (unsigned i = 0; i < g->n; i++) {
		if (g->lproc[i] >= topo->nlproc ||
		    !topo->lproc[g->lproc[i]].online)
			return diag_at(r->plan->build->why, w->file, w->line,
			    "cores \"%s\": lproc %u is not there (they are 0 "
			    "to %u)", g->label, g->lproc[i], topo->nlproc - 1);
		p->cpu[p->n++] = g->lproc[i];
	}
	return 0;
}

static bool
in_cores(const struct cores *cores, unsigned cpu)
{
	for (unsigned i = 0; cores != NULL && i < cores->n; i++)
		for (unsigned k = 0; k < cores->group[i].n; k++)
			if (cores->group[i].lproc[k] == cpu)
				return true;
	return cores == NULL;
}

static uint32_t
type_of(struct run *r, const char *pmu)
{
	char path[256];
	int64_t type;

	snprintf(path, sizeof(path), PMU_DIR "/%s/type", pmu);
	return access_number(r->plan->build->acc, path, &type) < 0 ? 0 :
	    (uint32_t)type;
}

/* The boxes of a type; those of a package together when sum. */
static int
box_places(struct run *r, bool sum)
{
	const struct inventory *inv = r->plan->build->inv;
	const struct topo *topo = r->plan->build->topo;
	struct perf_place *p = NULL;

	for (unsigned i = 0; i < inv->n; i++) {
		const struct unit *u = &inv->unit[i];

		if (u->type != r->type || !u->present || u->pmu[0] == '\0')
			continue;
		if (!sum || p == NULL || p->suffix[0] == '\0' ||
		    p->pkg != u->pkg) {
			if ((p = new_place(r, inv->n)) == NULL)
				return no_memory(r);
			if (sum || r->type->single)
				snprintf(p->index, sizeof(p->index), "[%u]",
				    u->pkg);
			else
				snprintf(p->index, sizeof(p->index),
				    "[%u][%u]", u->pkg, u->inst);
			p->suffix = sum ? "_sum" : "";
			p->pkg = u->pkg;
			p->lproc = topo->pkg[u->pkg].first_lproc;
			p->room = r->type->counters > 0 ? r->type->counters : 4;
			p->unit = u;
		}
		p->cpu[p->n] = u->where;
		p->type[p->n++] = type_of(r, u->pmu);
	}
	return 0;
}

struct listing {
	struct run *r;
	const char *pmu;
	int n;
	uint32_t type;
	unsigned ncpu;
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
		if (p->suffix[0] != '\0' && p->pkg == pkg && p->n < 512) {
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
	p->lproc = topo->pkg[pkg].first_lproc;
	p->room = 4;
	p->cpu[0] = cpu;
	p->type[0] = l->type;
	p->n = 1;
	if (l->sum || (l->n < 0 && l->ncpu <= topo->npkg))
		snprintf(p->index, sizeof(p->index), "[%d]", pkg);
	else if (l->n < 0) {
		snprintf(p->index, sizeof(p->index), "[%u]", cpu);
		p->lproc = cpu;
		p->pkg = -1;
	} else
		snprintf(p->index, sizeof(p->index), "[%d][%d]", pkg, l->n);
	p->suffix = l->sum ? "_sum" : "";
}

/* A PMU of no table: one place for each CPU of its cpumask; every lproc where
 * it has none. */
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
		l->type = pmu->type;
		cpulist_parse(pmu->cpumask, nlproc, count_cpu, &l->ncpu);
		cpulist_parse(pmu->cpumask, nlproc, place_on, l);
	}
	free(pmu);
}

/* GROUPS */

static bool
belongs(const struct run *r, const struct perf_event *e,
    const struct perf_place *p)
{
	const struct want *w = e->want;
	bool exact;

	if (e->dropped)
		return false;
	if (r->domain == ON_CPUS || r->domain == ON_CORES ||
	    (p->pkg < 0 && p->suffix[0] == '\0')) {
		if (p->sum != NULL || w->sum != NULL)
			return p->sum == w->sum;
		return p->lproc >= w->first && p->lproc <= w->last &&
		    in_cores(w->cores, p->lproc);
	}
	if ((p->suffix[0] != '\0') != w->added_up || !in_cores(w->cores,
	    p->cpu[0]))
		return false;
	if (p->unit == NULL)
		return true;
	exact = w->perf != NULL && w->perf->pmu != NULL &&
	    isdigit((unsigned char)w->perf->pmu[strlen(w->perf->pmu) - 1]) &&
	    strrchr(w->perf->pmu, '_') != NULL;
	if (exact && r->type->single)
		return strcmp(w->perf->pmu, p->unit->pmu) == 0;
	return (w->pkg == ALL_PKG || w->pkg == p->pkg) &&
	    (p->suffix[0] != '\0' || (p->unit->inst >= w->first &&
	    p->unit->inst <= w->last));
}

/* A line of the head: event_group["core_counts"]["X"] = VALUE. */
static int
tell(struct plan *plan, const char *table, const char *family,
    const char *event, const char *value)
{
	char top[128], sub[192], line[512], *more;
	size_t n = plan->head != NULL ? strlen(plan->head) : 0;

	snprintf(top, sizeof(top), "%s = {}\n", table);
	snprintf(sub, sizeof(sub), "%s[\"%s\"] = {}\n", table, family);
	snprintf(line, sizeof(line), "%s%s%s[\"%s\"][\"%s\"] = %s\n",
	    n > 0 && strstr(plan->head, top) != NULL ? "" : top,
	    n > 0 && strstr(plan->head, sub) != NULL ? "" : sub,
	    table, family, event, value);
	if ((more = realloc(plan->head, n + strlen(line) + 1)) == NULL)
		return -ENOMEM;
	strcpy(more + n, line);
	plan->head = more;
	return 0;
}

static int
tell_event(struct plan *plan, const struct perf_event *e, const char *family,
    const char *group)
{
	char text[200], start[256];
	int rc = 0;

	snprintf(start, sizeof(start), "event_group[\"%s\"][\"%s\"] = ",
	    family, e->name);
	if (group != NULL && (plan->head == NULL ||
	    strstr(plan->head, start) == NULL)) {
		snprintf(text, sizeof(text), "\"%s\"", group);
		rc = tell(plan, "event_group", family, e->name, text);
	}
	snprintf(start, sizeof(start), "event_unit[\"%s\"][\"%s\"] = ",
	    family, e->name);
	if (rc < 0 || e->says.scale[0] == '\0' || (plan->head != NULL &&
	    strstr(plan->head, start) != NULL))
		return rc;
	snprintf(text, sizeof(text), "\"%s\"", e->says.unit);
	if (strpbrk(e->says.unit, "\"\\\n") == NULL)
		rc = tell(plan, "event_unit", family, e->name, text);
	/* passed on as it is written, whatever the locale */
	if (rc == 0 && e->says.scale[strspn(e->says.scale,
	    "0123456789.eE+-")] == '\0')
		rc = tell(plan, "event_scale", family, e->name, e->says.scale);
	return rc;
}

static void
family_at(const struct perf_event *e, const struct perf_place *p, char *buf,
    size_t size)
{
	size_t n = strlen(e->family);

	if (n > 7 && strcmp(e->family + n - 7, "_counts") == 0)
		snprintf(buf, size, "%.*s%s_counts", (int)n - 7, e->family,
		    p->suffix);
	else
		snprintf(buf, size, "%s%s", e->family, p->suffix);
}

/* The columns of a group that was opened as `handle`. */
static int
group_columns(struct run *r, const struct perf_place *p,
    struct perf_event **member, unsigned n, unsigned handle, const char *group)
{
	struct plan *plan = r->plan;
	struct reg_addr addr = { REG_PERF, 8, handle, PERF_ENABLED };
	const struct column like = { .bits = 64 };
	const char *unit = r->domain == ON_CPUS || r->domain == ON_PMU ||
	    (r->type != NULL && r->type->space == REG_PERF) ? "events" :
	    "count";
	char family[96], name[320];
	bool times;
	size_t len;
	int rc;

	family_at(member[0], p, family, sizeof(family));
	len = strlen(family);
	times = r->domain != ON_CPUS && member[0]->name[0] != '\0' &&
	    len > 7 && strcmp(family + len - 7, "_counts") == 0;
	for (unsigned k = 0; k < 2; k++, addr.offset++) {
		snprintf(name, sizeof(name), "%.*s_%s%s[\"%.128s\"]",
		    (int)len - 7, family, k == 0 ? "enabled" : "running",
		    p->index, group);
		rc = times ? plan_add_column(plan, name, &addr, p->lproc,
		    p->pkg, &like, "ns") : plan_add_read(plan, &addr,
		    p->lproc, p->pkg) < 0 ? -ENOMEM : 0;
		if (rc < 0)
			return rc;
	}
	for (unsigned k = 0; k < n; k++, addr.offset++) {
		if (member[k]->name[0] != '\0')
			snprintf(name, sizeof(name), "%s%s[\"%s\"]", family,
			    p->index, member[k]->name);
		else
			snprintf(name, sizeof(name), "%s%s", family, p->index);
		if ((rc = plan_add_column(plan, name, &addr, p->lproc, p->pkg,
		    &like, unit)) < 0 || (rc = plan_add_control(plan, name,
		    member[k]->attr.config[0], 0)) < 0 ||
		    (member[k]->name[0] != '\0' && (rc = tell_event(plan,
		    member[k], family, times ? group : NULL)) < 0))
			return rc;
	}
	return 0;
}

/* Open events together at a place; *bad: the one that was refused. */
static int
open_group(struct run *r, const struct perf_place *p,
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
		for (unsigned k = 0; k < n; k++) {
			g[i].attr[k] = member[k]->attr;
			if (p->type[i] != 0)
				g[i].attr[k].type = p->type[i];
		}
	}
	rc = acc->ops->perf_open(acc, g, p->n, bad);
	*first = g[0];
	free(g);
	return rc;
}

/* A group, or where the kernel finds it too large, its halves. */
static int
add_group(struct run *r, struct perf_place *p, struct perf_event **member,
    unsigned n, const char *group, unsigned part)
{
	struct plan_build *b = r->plan->build;
	const struct want *w = member[0]->want;
	struct perf_group g;
	char name[160], text[200];
	struct diag words;
	unsigned bad;
	int rc = open_group(r, p, member, n, &g, &bad);

	if (rc == -EINVAL && n > 1) {
		if (p == &r->place[0])
			plan_note(r->plan, "%s and %u more: too many for one "
			    "group, their ratios are not of one time",
			    member[0]->name, n - 1);
		rc = add_group(r, p, member, n / 2, group, part);
		return rc < 0 ? rc : add_group(r, p, member + n / 2,
		    n - n / 2, group, part + 1);
	}
	if (rc >= 0) {
		if (part == 0)
			snprintf(name, sizeof(name), "%s", group);
		else
			snprintf(name, sizeof(name), "%.120s.%u", group,
			    part + 1);
		return group_columns(r, p, member, n, (unsigned)rc, name);
	}
	snprintf(text, sizeof(text), "%s", member[bad < n ? bad : 0]->name);
	perf_explain(b->acc, rc, text, &g, bad, &words);
	if (rc == -ENODEV || rc == -ENXIO) {
		plan_note(r->plan, "%s", words.text);
		return 0;
	}
	return diag_at(b->why, w->file, w->line, "%s", words.text);
}

/* Does this node count the event at all?  Found out once, alone. */
static int
probe(struct run *r, struct perf_place *p, struct perf_event *e)
{
	struct plan_build *b = r->plan->build;
	const struct want *w = e->want;
	struct perf_place one = *p;
	struct diag words;
	struct perf_group g;
	char text[200];
	unsigned bad;
	int rc;

	e->probed = true;
	one.n = 1;
	rc = open_group(r, &one, &e, 1, &g, &bad);
	if (rc >= 0) {
		b->acc->ops->perf_drop(b->acc, (unsigned)rc);
		return 0;
	}
	if (rc == -ENODEV || rc == -ENXIO) {
		e->probed = false;
		return 0;
	}
	snprintf(text, sizeof(text), "%s", e->name[0] != '\0' ? e->name :
	    e->family);
	perf_explain(b->acc, rc, text, &g, bad, &words);
	if (!w->optional || rc == -EACCES || rc == -EPERM || rc == -EMFILE)
		return diag_at(b->why, w->file, w->line, "%s", words.text);
	plan_note(r->plan, "%s", words.text);
	e->dropped = true;
	return 0;
}

static bool
together(const struct perf_event *a, const struct perf_event *b)
{
	return a->want->set == b->want->set &&
	    a->want->together == b->want->together &&
	    strcmp(a->family, b->family) == 0;
}

static int
place_groups(struct run *r, struct perf_place *p)
{
	struct perf_event *member[PERF_MEMBERS];
	bool *done = calloc(r->nevent + 1, sizeof(done[0]));
	unsigned part[MAX_SETS] = { 0 };
	int rc = 0;

	if (done == NULL)
		return no_memory(r);
	for (unsigned i = 0; i < r->nevent && rc == 0; i++)
		if (belongs(r, &r->event[i], p) && !r->event[i].probed)
			rc = probe(r, p, &r->event[i]);
	for (unsigned i = 0; i < r->nevent && rc == 0; i++) {
		struct perf_event *lead = &r->event[i];
		unsigned set = lead->want->set, n = 0, used = 0;
		bool own = false, named;

		if (done[i] || !belongs(r, lead, p))
			continue;
		for (unsigned k = i; k < r->nevent && n < PERF_MEMBERS; k++) {
			struct perf_event *e = &r->event[k];
			bool costs = !e->own || own;

			if (done[k] || !belongs(r, e, p) ||
			    !together(lead, e) || (used + costs > p->room &&
			    lead->want->together == 0))
				continue;
			used += costs;
			own |= e->own;
			member[n++] = e;
			done[k] = true;
		}
		named = set > 0 && lead->want->together == 0;
		rc = add_group(r, p, member, n, named ?
		    r->plan->build->config->set[set] : lead->name[0] != '\0' ?
		    lead->name : lead->family, named ? part[set]++ : 0);
	}
	free(done);
	return rc;
}

/* RUNS */

static void
keep_first(void *ctx, const char *name, int n)
{
	char *buf = ctx;

	(void)n;
	if (buf[0] == '\0')
		snprintf(buf, 64, "%s", name);
}

static void
near_pmu(void *ctx, const char *name)
{
	char *buf = ctx;
	size_t n = strlen(buf);

	if (n < 400)
		snprintf(buf + n, 512 - n, "%s%s", n > 0 ? " " : "", name);
}

/* The PMU whose formats hold for the run; none leaves type UINT32_MAX. */
static int
find_pmu(struct run *r, const struct want *w)
{
	struct plan_build *b = r->plan->build;
	char name[64] = "";

	memset(r->pmu, 0, sizeof(*r->pmu));
	r->pmu->type = UINT32_MAX;
	switch (r->domain) {
	case ON_CPUS:
		return 0;
	case ON_CORES:
		pmu_core(b->acc, name, sizeof(name));
		break;
	case ON_BOXES:
		for (unsigned i = 0; i < b->inv->n && name[0] == '\0'; i++)
			if (b->inv->unit[i].type == r->type &&
			    b->inv->unit[i].present)
				snprintf(name, sizeof(name), "%s",
				    b->inv->unit[i].pmu);
		break;
	case ON_PMU:
		r->pmu_name = w->perf->pmu;
		pmu_each(b->acc, r->pmu_name, keep_first, name);
		break;
	}
	if (name[0] != '\0' && pmu_load(r->pmu, b->acc, name) < 0)
		r->pmu->type = UINT32_MAX;
	return 0;
}

/* Statements that this node cannot follow. */
static int
none_here(struct run *r, const struct want *w)
{
	struct plan_build *b = r->plan->build;
	const struct unit *u = NULL;
	char words[640] = "";

	for (unsigned i = 0; i < b->inv->n && u == NULL; i++)
		if (b->inv->unit[i].type == r->type &&
		    !b->inv->unit[i].present)
			u = &b->inv->unit[i];
	if (r->domain == ON_CORES)
		strcpy(words, "no hardware PMU is visible, this is probably a "
		    "virtual machine; software events work (-c "
		    "software.conf)");
	else if (r->domain == ON_BOXES)
		snprintf(words, sizeof(words), "this node has no %s: %s",
		    r->type->name, u != NULL ? u->reason : "no such PMU");
	else {
		char have[512] = "";

		b->acc->ops->list(b->acc, PMU_DIR, near_pmu, have);
		snprintf(words, sizeof(words), "this node has no PMU %s; it "
		    "has %s", r->pmu_name, have[0] != '\0' ? have : "none");
	}
	if (!w->optional)
		return diag_at(b->why, w->file, w->line, "%s: %s", w->name !=
		    NULL ? w->name : "fixed", words);
	plan_note(r->plan, "%s: %s", w->name != NULL ? w->name : "fixed",
	    words);
	return 0;
}

static int
make_places(struct run *r)
{
	struct listing l = { .r = r };
	bool sum = false, apart = false;
	int rc;

	for (unsigned i = 0; i < r->nevent; i++) {
		sum |= r->event[i].want->added_up;
		apart |= !r->event[i].want->added_up;
	}
	if (r->domain == ON_BOXES) {
		rc = apart ? box_places(r, false) : 0;
		return rc == 0 && sum ? box_places(r, true) : rc;
	}
	if (r->domain == ON_PMU && r->pmu->cpumask[0] != '\0') {
		for (unsigned k = 0; k < 2; k++) {
			l.sum = k == 1;
			if (l.sum ? sum : apart)
				pmu_each(r->plan->build->acc, r->pmu_name,
				    pmu_places, &l);
		}
		return l.rc < 0 ? no_memory(r) : 0;
	}
	if ((rc = lproc_places(r)) < 0)
		return rc;
	for (unsigned i = 0; i < r->nevent && rc == 0; i++) {
		const struct core_group *g = r->event[i].want->sum;
		bool had = g == NULL;

		for (unsigned k = 0; k < i; k++)
			had |= r->event[k].want->sum == g;
		if (!had)
			rc = sum_place(r, g, r->event[i].want);
	}
	return rc;
}

/* Did every statement find a place? */
static int
check_used(struct run *r)
{
	struct plan_build *b = r->plan->build;

	for (unsigned i = 0; i < r->nevent; i++) {
		const struct perf_event *e = &r->event[i];
		bool found = e->dropped;

		for (unsigned p = 0; p < r->nplace && !found; p++)
			found = belongs(r, e, &r->place[p]);
		if (found)
			continue;
		if (!e->want->optional)
			return diag_at(b->why, e->want->file, e->want->line,
			    "%s: this node has none of the lprocs or boxes "
			    "asked for", e->name);
		plan_note(r->plan, "%s: none of the lprocs or boxes asked for",
		    e->name);
	}
	return 0;
}

static int
plan_run(struct plan *plan, const struct want *first, unsigned n)
{
	struct run r = { .plan = plan };
	int rc = 0;

	r.domain = domain_of(first, &r.type);
	if (r.domain == ON_CORES)
		r.type = plan->build->topo->model->core;
	if ((r.pmu = malloc(sizeof(*r.pmu))) == NULL)
		return no_memory(&r);
	find_pmu(&r, first);
	for (unsigned i = 0; i < n && rc == 0; i++) {
		const struct want *w = &first[i];
		bool known = w->perf != NULL && w->perf->known;

		if (w->kind == WANT_FILTER || w->kind == WANT_CONTROL)
			continue;
		/* the kernel's own names are left to the kernel */
		if (r.pmu->type == UINT32_MAX && !known)
			rc = none_here(&r, w);
		else
			rc = add_event(&r, w);
	}
	if (rc == 0)
		rc = make_places(&r);
	for (unsigned i = 0; i < r.nplace && rc == 0; i++)
		rc = place_groups(&r, &r.place[i]);
	if (rc == 0)
		rc = check_used(&r);
	for (unsigned i = 0; i < r.nplace; i++) {
		free(r.place[i].cpu);
		free(r.place[i].type);
	}
	free(r.place);
	free(r.event);
	free(r.pmu);
	return rc;
}

int
plan_perf_one(struct plan *plan, const char *column, const char *pmu_name,
    const char *terms, unsigned cpu, int pkg, const struct column *like,
    const char *unit)
{
	struct access *acc = plan->build->acc;
	struct pmu *pmu = malloc(sizeof(*pmu));
	struct perf_group g = { .cpu = cpu, .n = 1 };
	struct reg_addr addr = { REG_PERF, 8, 0, PERF_ENABLED };
	struct pmu_event says;
	unsigned bad, lproc = pkg >= 0 ?
	    plan->build->topo->pkg[pkg].first_lproc : cpu;
	int rc = -ENOMEM;

	if (pmu != NULL && (rc = pmu_load(pmu, acc, pmu_name)) == 0 &&
	    (rc = terms_encode(pmu, acc, (struct word){ terms,
	    strlen(terms) }, (struct place){ pmu_name, 0 }, &g.attr[0],
	    &says, NULL)) == 0)
		rc = acc->ops->perf_open(acc, &g, 1, &bad);
	free(pmu);
	if (rc < 0)
		return rc == -ENOMEM || rc == -EMFILE ? rc : -ENOENT;
	addr.unit = (uint32_t)rc;
	if (plan_add_read(plan, &addr, lproc, pkg) < 0)
		return -ENOMEM;
	addr.offset = PERF_FIRST;
	return plan_add_column(plan, column, &addr, lproc, pkg, like, unit);
}

/* One name, one column: in several sets an event needs several names. */
static int
check_names(const struct config *cfg, struct diag *why)
{
	for (unsigned i = 0; i < cfg->nwant; i++)
		for (unsigned k = 0; k < i; k++) {
			const struct want *a = &cfg->want[i];
			const struct want *b = &cfg->want[k];

			if (a->kind != WANT_EVENT || b->kind != WANT_EVENT ||
			    a->type != b->type || a->set == b->set ||
			    strcmp(a->name, b->name) != 0)
				continue;
			return diag_at(why, a->file, a->line, "%s is in set "
			    "\"%s\", too (line %u): here it needs another "
			    "name, such as %s@%s", a->name, cfg->set[b->set],
			    b->line, a->name, cfg->set[a->set]);
		}
	return 0;
}

int
plan_perf_only(const struct want *w, struct diag *why)
{
	const char *what = w->name != NULL ? w->name : "fixed";

	if (w->kind == WANT_PERF && !(w->perf->known &&
	    w->perf->attr.type == PERF_SOFTWARE))
		diag_at(why, w->file, w->line, "%s: only the kernel can count "
		    "it as it is written here: --access perf", what);
	else if (w->kind != WANT_PERF && (w->sum != NULL || w->added_up))
		diag_at(why, w->file, w->line, "%s: counts are added up by the "
		    "kernel's side alone: --access perf", what);
	else
		return 0;
	return -ENOTSUP;
}

int
plan_perf(struct plan *plan, const struct want *first, unsigned n)
{
	struct plan_build *b = plan->build;
	int rc = 0;

	if ((rc = perf_check(b->acc, b->topo->npkg > 0 ?
	    b->topo->pkg[0].first_lproc : 0, b->why)) < 0 ||
	    (rc = check_names(b->config, b->why)) < 0)
		return rc;
	for (unsigned i = 0, k; i < n && rc == 0; i += k) {
		const struct want *w = &first[i];

		k = 1;
		if (w->kind == WANT_SOC)
			return diag_at(b->why, w->file, w->line, "SoC "
			    "counters are behind a message bus, which the "
			    "kernel does not show: --access raw");
		if (w->kind == WANT_FILTER || w->kind == WANT_CONTROL)
			continue;
		while (i + k < n && (w->kind == WANT_READ ?
		    first[i + k].kind == WANT_READ :
		    first[i + k].kind != WANT_READ &&
		    first[i + k].kind != WANT_SOC && alike(w, &first[i + k])))
			k++;
		rc = w->kind == WANT_READ ? plan_perf_read(plan, w, k) :
		    plan_run(plan, w, k);
	}
	return rc;
}
