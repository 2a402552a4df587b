/*
 * postproc/live/expose_counters.c - the counts of a running daemon as series, raw and
 * scaled.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "postproc/data/turns.h"
#include "postproc/live/expose_int.h"

/* The package that a unit of a series is in; UINT32_MAX: not known. */
static uint32_t
package_of(const struct topology *t, const struct series *s,
    const struct series_unit *u)
{
	uint32_t rank, p = 0;

	if (s->level != LEVEL_LPROC)
		return s->level == LEVEL_NODE ? 0 : u->unit;
	if (u->unit >= t->max_lproc || (rank = t->rank_of[u->unit]) == NO_RANK)
		return UINT32_MAX;
	while (p + 1 < t->npkg && t->pkg_first[p + 1] <= rank)
		p++;
	return p;
}

static void
series_labels(struct exposed_labels *l, const struct series *s)
{
	if (s->event != NULL)
		expose_label(l, "event", "%s", s->event);
}

static bool
in_ns(const struct series *s)
{
	return strcmp(s->family->unit, "ns") == 0;
}

/* A pass over all counters in one scope, raw or scaled. */
struct counters {
	struct pass *p;
	const struct sums *sums;
	enum scope scope;
	bool scaled;
};

static double
seconds_of(const struct sums *sums, int32_t column)
{
	return column < 0 || (uint32_t)column >= sums->ncol ? (double)NAN :
	    sums->value[column] / 1e9;
}

/* Adds the count of a column; false: it has none. */
static bool
expose_counters_add_column(const struct counters *c, const struct series *s,
    uint32_t i, struct exposed_turns *t)
{
	const struct sums *sums = c->sums;
	uint32_t column = s->unit[i].column;
	double v = sums->value[column] * (in_ns(s) ? 1e-9 : 1);

	if (isnan(v))
		return false;
	t->raw += v;
	if (!c->scaled)
		return true;
	v = figures_scaled(&c->p->x->figures, sums, column);
	if (isnan(v))
		return false;
	t->scaled += v;
	t->enabled += seconds_of(sums, sums->turns->times[column].enabled);
	t->running += seconds_of(sums, sums->turns->times[column].running);
	return true;
}

static void
expose_counters_put_counts(const struct counters *c,
    const struct exposed_group *g,
    const struct exposed_labels *l, const struct exposed_turns *t)
{
	if (!c->scaled || c->p->out->turns == NULL)
		expose_value(c->p, g, l, c->scaled ? t->scaled : t->raw);
	else
		expose_turns(c->p, g, l, t);
}

/* Gives a value for each package: the sum of its units. */
static void
expose_counters_by_package(const struct counters *c,
    const struct exposed_group *g, const struct series *s)
{
	const struct topology *t = &c->p->x->follow.gather.topo;

	for (uint32_t k = 0; k < (s->level == LEVEL_NODE ? 1 : t->npkg); k++) {
		struct exposed_labels l = { .n = 0 };
		struct exposed_turns sum = { .raw = 0 };
		bool any = false;

		for (uint32_t i = 0; i < s->n; i++)
			if (package_of(t, s, &s->unit[i]) == k)
				any |= expose_counters_add_column(c, s, i,
				    &sum);
		if (!any)
			continue;
		if (s->level != LEVEL_NODE)
			expose_label(&l, "package", "%u", k);
		series_labels(&l, s);
		expose_counters_put_counts(c, g, &l, &sum);
	}
}

/* Gives a value for each unit: box or lproc. */
static void
expose_counters_by_unit(const struct counters *c, const struct exposed_group *g,
    const struct series *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		struct exposed_labels l = { .n = 0 };
		struct exposed_turns one = { .raw = 0 };

		if (!expose_counters_add_column(c, s, i, &one))
			continue;
		expose_label(&l, s->level == LEVEL_LPROC ? "lproc" : "package", "%u",
		    s->unit[i].unit);
		if (s->level == LEVEL_BOX)
			expose_label(&l, "box", "%u", s->unit[i].box);
		series_labels(&l, s);
		expose_counters_put_counts(c, g, &l, &one);
	}
}

/* Gives a value for each list of lprocs, whose counts the daemon added up. */
static void
by_list(const struct counters *c, const struct exposed_group *g,
    const struct series *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		const struct column *column = read_column(
		    c->p->x->follow.gather.reader, s->unit[i].column);
		struct exposed_labels l = { .n = 0 };
		struct exposed_turns one = { .raw = 0 };

		if (!expose_counters_add_column(c, s, i, &one))
			continue;
		if (column->id.lprocs != NULL)
			expose_label(&l, "lprocs", "%s", column->id.lprocs);
		series_labels(&l, s);
		expose_counters_put_counts(c, g, &l, &one);
	}
}

static const struct {
	const char *prefix;
	enum scope scope;
	bool scaled;
} raw_groups[] = {
	{ "raw", SCOPE_OF_PACKAGE, false },
	{ "scaled", SCOPE_OF_PACKAGE, true },
	{ "box_raw", SCOPE_OF_BOX, false },
	{ "box_scaled", SCOPE_OF_BOX, true },
	{ "lproc_raw", SCOPE_OF_LPROC, false },
	{ "lproc_scaled", SCOPE_OF_LPROC, true },
};
#define NRAW (sizeof(raw_groups) / sizeof(raw_groups[0]))

static bool
raw_at(const struct series *s, enum scope scope)
{
	return scope == SCOPE_OF_PACKAGE || (scope == SCOPE_OF_BOX &&
	    s->level == LEVEL_BOX) || (scope == SCOPE_OF_LPROC &&
	    s->level == LEVEL_LPROC);
}

/* Does any event of a family rotate? */
static bool
expose_counters_takes_turns(const struct counters *c, const struct family *f)
{
	const struct seriesset *set = &c->p->x->follow.gather.series;

	for (uint32_t i = 0; i < set->n; i++)
		if (set->series[i].family == f && !isnan(figures_scaled(
		    &c->p->x->figures, c->sums, set->series[i].unit[0].column)))
			return true;
	return false;
}

/* Gives all events of a family, as one group. */
static void
family(const struct counters *c, uint32_t first, const char *prefix)
{
	const struct seriesset *set = &c->p->x->follow.gather.series;
	const struct family *f = set->series[first].family;
	struct exposed_group g = { .counter = true, .scope = c->scope,
	    .series = &set->series[first] };
	char name[100];
	size_t n = strlen(f->name);

	/* sample_cpu_ns is given in seconds: tallyd_..._sample_cpu_seconds */
	snprintf(name, sizeof(name), "%s", f->name);
	if (in_ns(&set->series[first]) && n > 3 &&
	    strcmp(name + n - 3, "_ns") == 0)
		name[n - 3] = '\0';
	expose_name(&g, prefix, name,
	    in_ns(&set->series[first]) ? "seconds" : "");
	snprintf(g.help, sizeof(g.help), "%s: counts, corrected for wraps%s",
	    f->name, c->scaled ? ", scaled to all of the time" : "");
	expose_group(c->p, &g);
	for (uint32_t i = first; i < set->n; i++) {
		const struct series *s = &set->series[i];

		if (s->family != f || !s->counter)
			continue;
		if (f->sum == SUM_LPROCS)
			by_list(c, &g, s);
		else if (c->scope == SCOPE_OF_PACKAGE)
			expose_counters_by_package(c, &g, s);
		else
			expose_counters_by_unit(c, &g, s);
	}
}

void
expose_counters(struct pass *p)
{
	const struct exposed *x = p->x;
	const struct seriesset *set = &x->follow.gather.series;
	struct counters c = { .p = p,
	    .sums = gather_sums(&p->x->follow.gather) };

	for (uint32_t i = 0; i < set->n; i++) {
		const struct series *s = &set->series[i];
		bool first = s->counter;

		for (uint32_t k = 0; k < i && first; k++)
			first = set->series[k].family != s->family;
		for (unsigned k = 0; first && k < NRAW; k++) {
			c.scope = raw_groups[k].scope;
			c.scaled = raw_groups[k].scaled;
			if ((x->figures.scopes >> c.scope & 1) != 0 &&
			    raw_at(s, c.scope) &&
			    (!c.scaled ||
			    expose_counters_takes_turns(&c, s->family)))
				family(&c, i, raw_groups[k].prefix);
		}
	}
}
