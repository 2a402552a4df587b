/*
 * daemon/plan/perf_event.c - the events of a statement, as the kernel shall be told
 * of them.
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
	return e;
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

	if (r->domain == ON_BOXES) {
		if ((e = new_event(r, w)) == NULL)
			return plan_no_memory(r->plan);
		e->attr = (struct perf_attr){ r->pmu->type,
		    { PERF_BOX_FIXED, 0, 0 }, false, false };
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

int
perf_add_event(struct run *r, const struct want *w)
{
	struct plan_build *b = r->plan->build;
	const struct perf_want *pw = w->perf;
	struct perf_event *e;
	int rc = 0;

	if (w->kind == WANT_FIXED)
		return add_fixed(r, w);
	if ((e = new_event(r, w)) == NULL)
		return plan_no_memory(r->plan);
	snprintf(e->name, sizeof(e->name), "%s", w->name);
	if (pw != NULL && pw->known) {
		e->attr = pw->attr;
		snprintf(e->family, sizeof(e->family), "%s", pw->family);
	} else if (w->kind == WANT_PERF) {
		rc = terms_encode(r->pmu, b->acc, (struct word){ pw->terms,
		    strlen(pw->terms) }, (struct place){ w->file, w->line },
		    &e->says, b->why);
		e->attr = e->says.attr;
		if (rc == 0)
			rc = perf_filters(b->config, w, r->pmu, &e->attr,
			    b->why);
		if (r->type != NULL || r->domain == ON_CORES)
			snprintf(e->family, sizeof(e->family), "%s",
			    r->type != NULL ? r->type->family :
			    "core_counts");
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
	return rc < 0 ? rc : spread(r, w);
}
