/*
 * daemon/plan/perf_encode.c - from a control value to what perf_event_open wants.
 */
#include "daemon/plan/plan_perf.h"

#include "config/choices.h"
#include "config/encode.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Does the filter's statement hold for a box of the event; for all of them? */
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

/* What a filter of the event's box is to hold. */
struct filter_value {
	const char *name;       /* of the filter */
	uint64_t value;
	bool asked;             /* by somebody: not merely its idle value */
};

/* Of filter f of the type. */
static int
filter_of(const struct config *cfg, const struct want *w,
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

/* filter0 and filter1 are the halves of config1. */
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
	/* offcore_rsp_0 and _1 are one term: the kernel chooses */
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

/* Rings are exclude bits of the attribute, not bits of config. */
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
		if ((rc = filter_of(cfg, w, type, f, &v, why)) < 0)
			return rc;
		if ((v.asked || v.value != 0) &&
		    (rc = put_filter(w, pmu, &v, attr, why)) < 0)
			return rc;
	}
	return 0;
}

int
perf_filters(const struct config *cfg, const struct want *w,
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
		if ((rc = filter_of(cfg, w, type, f, &v, why)) < 0 ||
		    (rc = put_filter(w, pmu, &v, attr, why)) < 0)
			return rc;
	}
	return 0;
}
