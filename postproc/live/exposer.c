/*
 * postproc/live/exposer.c - names, labels and values of series, the totals of stores that
 * have ended, and the counts as series.
 */
#include "postproc/live/expose.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "postproc/data/turns.h"

/* ---- totals of stores that have ended -------------------------------------- */

struct carried_total {
	char *series;
	struct exposed_turns value;
};

struct series_key {
	char text[160 + EXPOSED_LABELS * 128];
	uint64_t hash;
};

static struct series_key
carried_key_of(const struct exposed_group *g, const struct exposed_labels *l)
{
	struct series_key k;
	char *p = stpcpy(k.text, g->name);

	for (unsigned i = 0; i < l->n; i++) {
		*p++ = '\n';
		p = stpcpy(p, l->key[i]);
		*p++ = '=';
		p = stpcpy(p, l->value[i]);
	}
	k.hash = lookup_hash(0, k.text, (size_t)(p - k.text));
	return k;
}

static struct carried_total *
carried_search(const struct carried *c, const struct series_key *k)
{
	LOOKUP_EACH(i, &c->by_series, k->hash) {
		struct carried_total *t = &c->total[i];

		if (strcmp(t->series, k->text) == 0)
			return t;
	}
	return NULL;
}

/* The total of a series, known by its group's name and its labels; NULL: none. */
static const struct exposed_turns *
carried_find(const struct carried *c, const struct exposed_group *g,
    const struct exposed_labels *l)
{
	const struct carried_total *t;
	struct series_key k;

	if (c->n == 0)
		return NULL;
	k = carried_key_of(g, l);
	t = carried_search(c, &k);
	return t != NULL ? &t->value : NULL;
}

void
carried_set(struct carried *c, const struct exposed_group *g,
    const struct exposed_labels *l, const struct exposed_turns *value)
{
	struct series_key k = carried_key_of(g, l);
	struct carried_total *t = carried_search(c, &k);

	if (t == NULL) {
		if (!array_room(&c->total, c->n, &c->room, sizeof(*c->total)))
			return;
		t = &c->total[c->n];
		if ((t->series = strdup(k.text)) == NULL)
			return;
		if (lookup_add(&c->by_series, k.hash, c->n) < 0) {
			free(t->series);
			return;
		}
		c->n++;
	}
	t->value = *value;
}

void
carried_fini(struct carried *c)
{
	for (unsigned i = 0; i < c->n; i++)
		free(c->total[i].series);
	free(c->total);
	lookup_fini(&c->by_series);
	*c = (struct carried){ .n = 0 };
}

/* ---- series ---------------------------------------------------------------- */

void
expose_group(struct pass *p, const struct exposed_group *g)
{
	if (p->out->group != NULL)
		p->out->group(p->out->to, g);
}

void
expose_value(struct pass *p, const struct exposed_group *g,
    const struct exposed_labels *l, double v)
{
	const struct exposed_turns *had = g->counter ?
	    carried_find(&p->x->carried, g, l) : NULL;

	p->n++;
	p->out->value(p->out->to, g, l, had != NULL ? had->scaled + v : v);
}

static void
expose_turns(struct pass *p, const struct exposed_group *g,
    const struct exposed_labels *l, const struct exposed_turns *t)
{
	const struct exposed_turns *had = carried_find(&p->x->carried, g, l);
	struct exposed_turns sum = *t;

	if (had != NULL) {
		sum.scaled += had->scaled;
		sum.raw += had->raw;
		sum.enabled += had->enabled;
		sum.running += had->running;
	}
	p->n++;
	p->out->turns(p->out->to, g, l, &sum);
}

void
expose_label(struct exposed_labels *l, const char *key, const char *fmt, ...)
{
	va_list ap;

	if (l->n == EXPOSED_LABELS)
		return;
	l->key[l->n] = key;
	va_start(ap, fmt);
	vsnprintf(l->value[l->n++], sizeof(l->value[0]), fmt, ap);
	va_end(ap);
}

void
expose_name(struct exposed_group *g, const char *scope, const char *name,
    const char *unit)
{
	snprintf(g->name, sizeof(g->name), "tallyd_%s%s%s%s%s",
	    scope != NULL ? scope : "", scope != NULL ? "_" : "", name,
	    unit[0] != '\0' ? "_" : "", unit);
	for (char *c = g->name; *c != '\0'; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
	g->unit = unit;
}

const char *
value_label(const struct exposed_labels *l, const char *key)
{
	for (unsigned i = 0; i < l->n; i++)
		if (strcmp(l->key[i], key) == 0)
			return l->value[i];
	return NULL;
}

int
value_name(const struct exposed_group *g, const struct exposed_labels *l,
    char *buf, size_t size)
{
	const char *event = value_label(l, "event");

	/* the metric's name; for a gauge with its unit */
	if (g->metric != NULL && g->counter)
		return snprintf(buf, size, "%s", g->metric->name);
	if (g->metric != NULL)
		return snprintf(buf, size, "%s%s%s", g->metric->name,
		    g->unit[0] != '\0' ? "_" : "", g->unit);
	if (g->series != NULL)
		return snprintf(buf, size, "%s%s%s", g->series->family->name,
		    event != NULL ? "." : "", event != NULL ? event : "");
	return snprintf(buf, size, "%s", g->name + strlen("tallyd_"));
}

size_t
value_place(const struct exposed_labels *l, char *buf, size_t size)
{
	size_t n = 0;

	buf[0] = '\0';
	for (unsigned i = 0; i < l->n; i++)
		if (strcmp(l->key[i], "event") != 0)
			n += (size_t)snprintf(buf + (n < size ? n : size - 1),
			    n < size ? size - n : 1, "%s%s%s", n > 0 ? "-" : "",
			    l->key[i], l->value[i]);
	if (n == 0)
		n = (size_t)snprintf(buf, size, "node");
	return n;
}

/* ---- counts, raw and scaled -------------------------------------------- */

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
