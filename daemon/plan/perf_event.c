/*
 * daemon/plan/perf_event.c - the events of a statement, as the kernel is asked for
 * them.
 */
#include "daemon/plan/plan_perf.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum domain
perf_domain(const struct want *w, const struct box_type **type)
{
	*type = w->kind == WANT_PERF ? w->perf->type : w->type;
	if (w->kind == WANT_PERF && w->perf->known)
		return w->perf->attr.type == PERF_SOFTWARE ? ON_CPUS :
		    ON_CORES;
	if (*type == NULL)
		return pmu_is_core(w->perf->pmu) ? ON_CORES : ON_PMU;
	return (*type)->scope == SCOPE_LPROC ? ON_CORES : ON_BOXES;
}

bool
perf_generic(const struct perf_event *e)
{
	return e->attr.type == PERF_HARDWARE || e->attr.type == PERF_HW_CACHE;
}

/* Which lprocs its cores list names, once for all events of that list. */
static int
mark_cores(struct run *r, struct perf_event *e)
{
	const struct cores *cores = e->want->cores;
	unsigned nlproc = r->plan->build->topo->nlproc;
	uint64_t hash = lookup_hash(0, &cores, sizeof(cores));
	uint8_t *listed;

	if (cores == NULL)
		return 0;
	for (uint32_t at = lookup_first(&r->cores, hash); at != LOOKUP_END;
	    at = lookup_next(&r->cores, at)) {
		const struct perf_event *had =
		    &r->event[lookup_value(&r->cores, at)];

		if (had != e && had->want->cores == cores) {
			e->listed = had->listed;
			return 0;
		}
	}
	if ((listed = arena_alloc(r->plan->text, nlproc)) == NULL)
		return -ENOMEM;
	memset(listed, 0, nlproc);
	for (unsigned i = 0; i < cores->n; i++)
		for (unsigned k = 0; k < cores->group[i].n; k++)
			if (cores->group[i].lproc[k] < nlproc)
				listed[cores->group[i].lproc[k]] |=
				    cores->group[i].n == 1 ? CORES_ALONE :
				    CORES_SUMMED;
	e->listed = listed;
	return lookup_add(&r->cores, hash, (uint32_t)(e - r->event));
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
	e->sum = w->sum;
	return mark_cores(r, e) < 0 ? NULL : e;
}

/* Family and event of its columns; name NULL: no memory for it. */
static int
call(struct run *r, struct perf_event *e, const char *family, const char *name)
{
	struct plan *plan = r->plan;

	if (family == NULL || name == NULL)
		return plan_no_memory(plan);
	family_describe(&e->family, plan->build->topo->model, family);
	e->name = name;
	return 0;
}

/* `cores` holds for what every lproc has.  Of a PMU that is looked up here,
 * this is known by its having no cpumask: the event that was added last is
 * one for each list, and one for the lprocs that are kept apart. */
static int
spread(struct run *r, const struct want *w)
{
	struct perf_event *e, like = r->event[r->nevent - 1];
	bool alone = false;

	if (r->domain != ON_PMU || r->pmu->cpumask[0] != '\0' ||
	    w->cores == NULL)
		return 0;
	for (unsigned i = 0; i < w->cores->n; i++)
		alone |= w->cores->group[i].n == 1;
	r->nevent -= !alone;
	for (unsigned i = 0; i < w->cores->n; i++) {
		if (w->cores->group[i].n == 1)
			continue;
		if ((e = new_event(r, w)) == NULL)
			return plan_no_memory(r->plan);
		*e = like;
		e->sum = &w->cores->group[i];
	}
	return 0;
}

static int
add_fixed(struct run *r, const struct want *w)
{
	const struct core_fixed *cf = r->plan->build->topo->model->fixed;
	unsigned have = r->plan->build->topo->cpu.fixed_counters;
	struct perf_event *e;
	int rc;

	if (r->domain == ON_BOXES) {
		if ((e = new_event(r, w)) == NULL)
			return plan_no_memory(r->plan);
		e->attr = (struct perf_attr){ r->pmu->type,
		    { PERF_BOX_FIXED, 0, 0 }, false, false };
		e->own = true;
		e->cls = r->type->fixed_cls;
		if (r->type->fixed_family != NULL)
			return call(r, e, r->type->fixed_family, "");
		return call(r, e, r->type->family, w->name != NULL ? w->name :
		    r->type->fixed_name);
	}
	/* no leaf 0xA, no count: the three that every supported core has */
	for (unsigned i = 0; i < (have > 0 ? have : 3) && 
	    i < PERF_CORE_FIXED &&
	    cf->name[i] != NULL; i++) {
		if (w->counter >= 0 && w->counter != (int)i)
			continue;
		if ((e = new_event(r, w)) == NULL)
			return plan_no_memory(r->plan);
		e->attr = (struct perf_attr){ r->pmu->type, 
		    { perf_core_fixed[i], 0, 0 }, false, false };
		e->own = true;
		e->cls = cf->cls[i];
		if ((rc = call(r, e, cf->family, w->name != NULL ? w->name :
		    cf->name[i])) < 0)
			return rc;
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

/* The family of what the kernel alone counts; NULL: out of memory. */
static const char *
family_of_want(struct run *r, const struct want *w)
{
	char name[64];

	if (w->perf->known)
		return w->perf->family;
	if (r->type != NULL)
		return r->type->family;
	if (r->domain == ON_CORES)
		return "core_counts";
	family_of_pmu(w->perf->pmu, r->pmu->cpumask[0] == '\0', name,
	    sizeof(name));
	return plan_text(r->plan, name);
}

/* What the kernel is asked for. */
static int
encode(struct run *r, const struct want *w, struct perf_event *e)
{
	struct plan_build *b = r->plan->build;
	int rc;

	if (w->kind != WANT_PERF)
		return perf_encode(b->config, w, r->pmu, &e->attr, b->why);
	if (w->perf->known) {
		e->attr = w->perf->attr;
		return 0;
	}
	rc = terms_encode(r->pmu, b->acc, (struct word){ w->perf->terms,
	    strlen(w->perf->terms) }, (struct place){ w->file, w->line },
	    &e->says, b->why);
	e->attr = e->says.attr;
	return rc < 0 ? rc : perf_filters(b->config, w, r->pmu, &e->attr,
	    b->why);
}

int
perf_add_event(struct run *r, const struct want *w)
{
	struct perf_event *e;
	int rc;

	if (w->kind == WANT_FIXED)
		return add_fixed(r, w);
	if ((e = new_event(r, w)) == NULL)
		return plan_no_memory(r->plan);
	if ((rc = encode(r, w, e)) < 0 || (rc = call(r, e, w->kind ==
	    WANT_PERF ? family_of_want(r, w) : r->type->family,
	    plan_event(r->plan, w->name))) < 0)
		return rc;
	/* the kernel's own numbers are no control values */
	if (r->type != NULL && !perf_generic(e))
		e->cls = (uint8_t)box_class(r->type, e->attr.config[0]);
	e->own = r->type != NULL && r->type->own_counter != 0 &&
	    e->attr.config[0] == r->type->own_counter;
	return spread(r, w);
}
