/*
 * daemon/plan/perf_event.c - an event of the configuration as perf_event_open wants it.
 */
#include "daemon/plan/plan_int.h"

#include "config/suggest.h"
#include "config/encode.h"
#include "lib/array.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
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

/* Marks the lprocs that the event's cores list names; events of one list share the
 * marks. */
static int
mark_cores(struct run *r, struct perf_event *e)
{
	const struct cores *cores = e->want->cores;
	unsigned nlproc = r->plan->build->topo->nlproc;
	uint64_t hash = lookup_hash(0, &cores, sizeof(cores));
	uint8_t *listed;

	if (cores == NULL)
		return 0;
	LOOKUP_EACH(i, &r->cores, hash) {
		const struct perf_event *had = &r->event[i];

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
	struct perf_event *e;

	if (!array_room(&r->event, r->nevent, &r->event_room,
	    sizeof(*r->event)))
		return NULL;
	e = &r->event[r->nevent++];
	memset(e, 0, sizeof(*e));
	e->want = w;
	e->sum = w->sum;
	return mark_cores(r, e) < 0 ? NULL : e;
}

/* Sets family and event name of its columns; name NULL: out of memory. */
static int
perf_event_call(struct run *r, struct perf_event *e, const char *family,
    const char *name)
{
	struct plan *plan = r->plan;

	if (family == NULL || name == NULL)
		return plan_no_memory(plan);
	family_describe(&e->family, plan->build->topo->model, family);
	e->name = name;
	return 0;
}

/* Replaces the event that was added last by one for each list of `cores` that is added up,
 * and one for the lprocs that are alone in a list.  `cores` is for PMUs without a cpumask,
 * which every lproc has. */
static int
perf_event_spread(struct run *r, const struct want *w)
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
		e->cls = r->type->fixed.cls;
		if (r->type->fixed.family != NULL)
			return perf_event_call(r, e, r->type->fixed.family, "");
		return perf_event_call(r, e, r->type->family,
		    w->name != NULL ? w->name : r->type->fixed.name);
	}
	/* without CPUID leaf 0xA: the three that every supported core has */
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
		if ((rc = perf_event_call(r, e, cf->family,
		    w->name != NULL ? w->name : cf->name[i])) < 0)
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

/* ---- from a control value to what perf_event_open wants */

/* Does a filter statement hold for some box of the event, or (all) for each? */
static bool
holds(const struct want *filter, const struct want *w, bool all)
{
	if (filter->set != 0 && filter->set != w->set)
		return false;
	if (all)
		return (filter->pkg == ALL_PKG || filter->pkg == w->pkg) &&
		    filter->first <= w->first && filter->last >= w->last;
	return (filter->pkg == ALL_PKG || w->pkg == ALL_PKG ||
	    filter->pkg == w->pkg) && filter->first <= w->last &&
	    filter->last >= w->first;
}

/* The value of a filter of the event's box. */
struct filter_value {
	const char *name;       /* of the filter */
	uint64_t value;
	bool asked;             /* by a statement; else it is the idle value */
};

/* Finds the value of filter f. */
static int
perf_event_filter_of(const struct config *cfg, const struct want *w,
    const struct box_type *type, unsigned f, struct filter_value *v,
    struct diag *why)
{
	const struct box_filter *filter = &type->filter[f];
	const struct want *by = NULL;

	*v = (struct filter_value){ filter->name, w->filter[f], true };
	if (w->filters >> f & 1)
		return 0;
	v->value = filter->event == 0 ? filter->idle : 0;
	for (unsigned i = 0; i < cfg->nwant; i++) {
		const struct want *o = &cfg->want[i];

		if (o->kind != WANT_FILTER || o->type != type ||
		    !(o->filters >> f & 1) || !holds(o, w, false))
			continue;
		if (!holds(o, w, true))
			return diag_at(why, w->file, w->line, "%s: %s is set "
			    "for only some of its boxes (%s:%u): count the "
			    "event on these in a line by itself", w->name,
			    filter->name, o->file, o->line);
		if (by != NULL && v->value != o->filter[f])
			return diag_at(why, o->file, o->line, "%s of %s is "
			    "0x%" PRIx64 " here and 0x%" PRIx64 " in %s:%u: a "
			    "value for one event stands after that event",
			    filter->name, type->name, o->filter[f], v->value,
			    by->file, by->line);
		by = o;
		v->value = o->filter[f];
	}
	v->asked = by != NULL;
	return 0;
}

/* Puts filter0 or filter1, which are the halves of config1. */
static int
put_half(const struct want *w, const struct pmu *pmu,
    const struct filter_value *v, struct perf_attr *attr, struct diag *why)
{
	unsigned half = v->name[strlen("filter")] == '1';
	uint64_t bits = v->value << 32 * half, bad = bits & ~pmu_bits(pmu, 1);
	char list[64];

	if (bad != 0 && v->asked)
		return diag_at(why, w->file, w->line, "%s: PMU %s has no term "
		    "for bits %s of config1, which is filter%u here", w->name,
		    pmu->name, choices_bits(bad, list, sizeof(list)), half);
	attr->config[1] |= bits & ~bad;
	return 0;
}

static int
put_filter(const struct want *w, const struct pmu *pmu,
    const struct filter_value *v, struct perf_attr *attr, struct diag *why)
{
	const struct pmu_format *f;
	char name[32];
	size_t n;

	if (strcmp(v->name, "filter0") == 0 || strcmp(v->name, "filter1") == 0)
		return put_half(w, pmu, v, attr, why);
	/* the kernel has one term for offcore_rsp_0 and _1, and chooses the register */
	snprintf(name, sizeof(name), "%s", v->name);
	n = strlen(name);
	if (pmu_format_named(pmu, name) == NULL && n > 2 &&
	    name[n - 2] == '_' && isdigit((unsigned char)name[n - 1]))
		name[n - 2] = '\0';
	if ((f = pmu_format_named(pmu, name)) == NULL)
		return !v->asked || v->value == 0 ? 0 : diag_at(why, w->file,
		    w->line, "%s: PMU %s has no term %s on this kernel",
		    w->name, pmu->name, name);
	if (pmu_put(f, v->value, attr) < 0)
		return diag_at(why, w->file, w->line, "%s: %s 0x%" PRIx64
		    " is too large for PMU %s", w->name, name, v->value,
		    pmu->name);
	return 0;
}

/* The bits of field usr or os, which are no part of config: *without is set if the
 * ring is not counted, for the attribute's exclude bits. */
static uint64_t
take_ring(const struct box_type *type, const char *name, uint64_t ctl,
    bool *without)
{
	const struct field *f = field_named(type->field, name);

	if (f == NULL)
		return 0;
	*without = !(ctl >> f->lo & 1);
	return field_bits(f);
}

int
perf_encode(const struct config *cfg, const struct want *w,
    const struct pmu *pmu, struct perf_attr *attr, struct diag *why)
{
	const struct box_type *type = w->type;
	uint64_t away = type->enable, bad;
	char list[64];
	int rc;

	memset(attr, 0, sizeof(*attr));
	attr->type = pmu->type;
	away |= take_ring(type, "usr", w->ctl, &attr->no_user);
	away |= take_ring(type, "os", w->ctl, &attr->no_kernel);
	attr->config[0] = w->ctl & ~away;
	if ((bad = attr->config[0] & ~pmu_bits(pmu, 0)) != 0)
		return diag_at(why, w->file, w->line, "%s: PMU %s has no term "
		    "for bits %s of config 0x%" PRIx64, w->name, pmu->name,
		    choices_bits(bad, list, sizeof(list)), attr->config[0]);
	for (unsigned f = 0; f < MAX_FILTERS; f++) {
		struct filter_value v;

		if (type->filter[f].name == NULL)
			continue;
		if ((rc = perf_event_filter_of(cfg, w, type, f, &v, why)) < 0)
			return rc;
		if ((v.asked || v.value != 0) &&
		    (rc = put_filter(w, pmu, &v, attr, why)) < 0)
			return rc;
	}
	return 0;
}

/* The same filters, for an event that sysfs names, where its terms leave them
 * out. */
static int
encode_filters(const struct config *cfg, const struct want *w,
    const struct pmu *pmu, struct perf_attr *attr, struct diag *why)
{
	const struct box_type *type = w->perf->type;
	const struct pmu_format *fmt;
	struct filter_value v;
	int rc;

	for (unsigned f = 0; type != NULL && f < MAX_FILTERS; f++) {
		const char *name = type->filter[f].name;

		fmt = name != NULL ? pmu_format_named(pmu, name) : NULL;
		if (fmt != NULL && (attr->config[fmt->word] & fmt->bits) == 0 &&
		    strstr(w->perf->terms, name) != NULL && (rc =
		    encode_filter(type, f, 0, 0, (struct place){ w->file,
		    w->line }, why)) < 0)
			return rc;
		if (fmt == NULL || (attr->config[fmt->word] & fmt->bits) != 0 ||
		    strstr(w->perf->terms, name) != NULL)
			continue;
		if ((rc = perf_event_filter_of(cfg, w, type, f, &v, why)) < 0 ||
		    (rc = put_filter(w, pmu, &v, attr, why)) < 0)
			return rc;
	}
	return 0;
}

/* Fills the attribute of an event. */
static int
perf_event_encode(struct run *r, const struct want *w, struct perf_event *e)
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
	return rc < 0 ? rc : encode_filters(b->config, w, r->pmu, &e->attr,
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
	if ((rc = perf_event_encode(r, w, e)) < 0 ||
	    (rc = perf_event_call(r, e, w->kind ==
	    WANT_PERF ? family_of_want(r, w) : r->type->family,
	    plan_event(r->plan, w->name))) < 0)
		return rc;
	/* numbers of the kernel's own events are no control values */
	if (r->type != NULL && !perf_generic(e))
		e->cls = (uint8_t)box_class(r->type, e->attr.config[0]);
	e->own = r->type != NULL && r->type->kernel.own_counter != 0 &&
	    e->attr.config[0] == r->type->kernel.own_counter;
	return perf_event_spread(r, w);
}
