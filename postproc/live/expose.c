/*
 * postproc/live/expose.c - what a running daemon has to say, as series.
 */
#include "postproc/live/expose.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "config/version.h"

/* One pass over all series. */
struct pass {
	struct exposed *x;
	const struct exposer *out;
	unsigned n;
};

static void
put(struct pass *p, const struct exposed_group *g,
    const struct exposed_labels *l, double v)
{
	p->n++;
	p->out->value(p->out->to, g, l, v);
}

__attribute__((format(printf, 3, 4))) static void
label(struct exposed_labels *l, const char *key, const char *fmt, ...)
{
	va_list ap;

	if (l->n == EXPOSED_LABELS)
		return;
	l->key[l->n] = key;
	va_start(ap, fmt);
	vsnprintf(l->value[l->n++], sizeof(l->value[0]), fmt, ap);
	va_end(ap);
}

/* A name of letters, digits and _ alone. */
static void
name_group(struct exposed_group *g, const char *scope, const char *name,
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

/* ---- the exporter and its store ------------------------------------------ */

static void
one(struct pass *p, const char *name, const char *unit, bool counter,
    const char *help, double v)
{
	struct exposed_group g = { .counter = counter, .scope = SCOPES };

	name_group(&g, NULL, name, unit);
	snprintf(g.help, sizeof(g.help), "%s", help);
	p->out->group(p->out->to, &g);
	put(p, &g, &(struct exposed_labels){ .n = 0 }, v);
}

static void
info(struct pass *p)
{
	const struct reader *r = p->x->follow.gather.reader;
	struct exposed_group g = { .scope = SCOPES };
	struct exposed_labels l = { .n = 0 };

	name_group(&g, NULL, "node_info", "");
	snprintf(g.help, sizeof(g.help), "What is sampled; always 1");
	p->out->group(p->out->to, &g);
	label(&l, "nodename", "%s", p->x->follow.gather.host);
	label(&l, "model", "%s", head_text(r, HEAD_MODEL, ALONE, "?"));
	label(&l, "cpu", "%s", head_text(r, HEAD_CPU, ALONE, "?"));
	label(&l, "version", "%s", head_text(r, HEAD_TALLYD_VERSION, ALONE,
	    "?"));
	label(&l, "exporter_version", "%s", TALLYD_VERSION);
	put(p, &g, &l, 1);
}

static void
health(struct pass *p)
{
	const struct follow *f = &p->x->follow;
	bool sampled = f->open && f->start > 0;

	one(p, "up", "", false, "Is there a daemon that samples, and on time?",
	    f->state == FOLLOW_LIVE);
	if (!f->open)
		return;
	info(p);
	one(p, "interval", "seconds", false,
	    "Time between samples, as asked for", f->every);
	if (!sampled)
		return;
	one(p, "start_time", "seconds", false,
	    "The daemon's first sample, since 1970: totals began then",
	    f->start);
	one(p, "sample_timestamp", "seconds", false,
	    "The last sample, since 1970", f->gather.wall_last);
	one(p, "sample_age", "seconds", false,
	    "Time since the last sample", f->age);
	one(p, "samples", "", true, "Samples that were taken",
	    (double)intervals_samples(f->gather.intervals));
	one(p, "counts_left_out", "", true,
	    "Counts of one interval that are in no total: counters that were "
	    "restarted, stopped or taken over, registers that were away",
	    (double)f->gather.nleft_out);
	one(p, "figures_left_out", "", false,
	    "Figures of the last interval that are left out, as no node can "
	    "have them", p->x->figures.wrong);
}

/* ---- metrics -------------------------------------------------------------- */

/* What a box is called where people plug things into it. */
static const char *
box_key(const struct binding *b, const struct live_figure *x)
{
	int in = b->bound[x->bound].box_input;
	const struct box_type *t = in < 0 ? NULL :
	    b->domain[b->input[in].domain].type;

	return t == NULL ? "box" : strcmp(t->name, "IMC") == 0 ? "channel" :
	    strcmp(t->name, "UPI") == 0 ? "link" : "box";
}

static void
place_labels(struct exposed_labels *l, const struct binding *b,
    const struct live_figure *x)
{
	const struct window *w = &x->window;
	const struct topology *t = b->topo;
	char name[64];
	const char *in_pkg;

	if (w->scope == SCOPE_OF_NODE)
		return;
	label(l, "package", "%u", w->pkg_lo);
	if (w->scope == SCOPE_OF_PACKAGE)
		return;
	window_name(b, w, name, sizeof(name));
	in_pkg = strchr(name, '/');
	label(l, w->scope == SCOPE_OF_BOX ? box_key(b, x) : scope_name(w->scope),
	    "%s", in_pkg != NULL ? in_pkg + 1 : name);
	if (w->scope == SCOPE_OF_LPROC)
		label(l, "core", "%d", t->core_id[t->core_of[w->lo]]);
}

/* tallyd_package_power, not tallyd_package_package_power; unless there is a
 * metric that is called power. */
static const char *
short_name(const struct pass *p, const struct exposed_group *g)
{
	const char *name = g->metric->name, *scope = scope_name(g->scope);
	size_t n = strlen(scope);

	return strncmp(name, scope, n) == 0 && name[n] == '_' &&
	    metrics_find(&p->x->follow.metrics, name + n + 1) == NULL ?
	    name + n + 1 : name;
}

/* The figures from..to are one metric's in one scope. */
static void
metric(struct pass *p, unsigned from, unsigned to, bool total)
{
	const struct binding *b = &p->x->follow.gather.binding;
	const struct live_figure *x = p->x->figures.figure;
	const struct base_unit *u = x[from].unit;
	struct exposed_group g = { .counter = total,
	    .scope = (enum scope)x[from].window.scope,
	    .metric = b->bound[x[from].bound].metric };
	bool any = false;

	name_group(&g, scope_name(g.scope), short_name(p, &g),
	    !total || x[from].adds ? u->rate : u->total);
	snprintf(g.help, sizeof(g.help), "%s%s", g.metric->text,
	    total ? "" : ", over the last interval");
	for (unsigned i = from; i < to; i++) {
		double v = total ? x[i].total : x[i].now;
		struct exposed_labels l = { .n = 0 };

		if (isnan(v))
			continue;
		if (!any)
			p->out->group(p->out->to, &g);
		any = true;
		place_labels(&l, b, &x[i]);
		put(p, &g, &l, v);
	}
}

static void
all_metrics(struct pass *p)
{
	const struct figures *fs = &p->x->figures;
	unsigned to;

	for (unsigned i = 0; i < fs->n; i = to) {
		const struct live_figure *x = &fs->figure[i];

		for (to = i; to < fs->n && fs->figure[to].bound == x->bound &&
		    fs->figure[to].window.scope == x->window.scope; to++)
			;
		if (!x->adds)
			metric(p, i, to, false);
		if (figures_total(x))
			metric(p, i, to, true);
	}
}

/* ---- counters as they are -------------------------------------------------- */

/* Which package a unit of a series is in. */
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
		label(l, "event", "%s", s->event);
}

static bool
in_ns(const struct series *s)
{
	return strcmp(s->family->unit, "ns") == 0;
}

/* The count of one column, in base units. */
static double
counted(const struct series *s, uint32_t i, const struct sums *sums)
{
	return sums->value[s->unit[i].column] * (in_ns(s) ? 1e-9 : 1);
}

/* One value a package: the sum over its units. */
static void
by_package(struct pass *p, const struct exposed_group *g,
    const struct series *s, const struct sums *sums)
{
	const struct topology *t = &p->x->follow.gather.topo;

	for (uint32_t k = 0; k < (s->level == LEVEL_NODE ? 1 : t->npkg); k++) {
		struct exposed_labels l = { .n = 0 };
		double sum = 0;
		bool any = false;

		for (uint32_t i = 0; i < s->n; i++) {
			double v = counted(s, i, sums);

			if (package_of(t, s, &s->unit[i]) != k || isnan(v))
				continue;
			sum += v;
			any = true;
		}
		if (!any)
			continue;
		if (s->level != LEVEL_NODE)
			label(&l, "package", "%u", k);
		series_labels(&l, s);
		put(p, g, &l, sum);
	}
}

/* One value a unit: a box, or an lproc. */
static void
by_unit(struct pass *p, const struct exposed_group *g, const struct series *s,
    const struct sums *sums)
{
	for (uint32_t i = 0; i < s->n; i++) {
		double v = counted(s, i, sums);
		struct exposed_labels l = { .n = 0 };

		if (isnan(v))
			continue;
		label(&l, s->level == LEVEL_LPROC ? "lproc" : "package", "%u",
		    s->unit[i].unit);
		if (s->level == LEVEL_BOX)
			label(&l, "box", "%u", s->unit[i].box);
		series_labels(&l, s);
		put(p, g, &l, v);
	}
}

static const struct {
	const char *prefix;
	enum scope scope;
} raw_scopes[] = {
	{ "raw", SCOPE_OF_PACKAGE },
	{ "box_raw", SCOPE_OF_BOX },
	{ "lproc_raw", SCOPE_OF_LPROC },
};

static bool
raw_at(const struct series *s, enum scope scope)
{
	return scope == SCOPE_OF_PACKAGE || (scope == SCOPE_OF_BOX &&
	    s->level == LEVEL_BOX) || (scope == SCOPE_OF_LPROC &&
	    s->level == LEVEL_LPROC);
}

/* All events of a family are one group. */
static void
family(struct pass *p, uint32_t first, unsigned how, const struct sums *sums)
{
	const struct seriesset *set = &p->x->follow.gather.series;
	const struct family *f = set->series[first].family;
	enum scope scope = raw_scopes[how].scope;
	struct exposed_group g = { .counter = true, .scope = scope,
	    .series = &set->series[first] };
	char name[100];
	size_t n = strlen(f->name);

	/* sample_cpu_ns is in seconds, and its name says so */
	snprintf(name, sizeof(name), "%s", f->name);
	if (in_ns(&set->series[first]) && n > 3 &&
	    strcmp(name + n - 3, "_ns") == 0)
		name[n - 3] = '\0';
	name_group(&g, raw_scopes[how].prefix, name,
	    in_ns(&set->series[first]) ? "seconds" : "");
	snprintf(g.help, sizeof(g.help), "%s: counts, corrected for wraps",
	    f->name);
	p->out->group(p->out->to, &g);
	for (uint32_t i = first; i < set->n; i++) {
		const struct series *s = &set->series[i];

		if (s->family != f || !s->counter)
			continue;
		if (scope == SCOPE_OF_PACKAGE)
			by_package(p, &g, s, sums);
		else
			by_unit(p, &g, s, sums);
	}
}

static void
all_counters(struct pass *p)
{
	const struct exposed *x = p->x;
	const struct seriesset *set = &x->follow.gather.series;
	const struct sums *sums = gather_sums(&p->x->follow.gather);

	for (uint32_t i = 0; i < set->n; i++) {
		const struct series *s = &set->series[i];
		bool first = s->counter;

		for (uint32_t k = 0; k < i && first; k++)
			first = set->series[k].family != s->family;
		for (unsigned how = 0; first && how < 3; how++)
			if ((x->figures.scopes >> raw_scopes[how].scope & 1) !=
			    0 && raw_at(s, raw_scopes[how].scope))
				family(p, i, how, sums);
	}
}

/* ---- the whole ------------------------------------------------------------- */

void
exposed_init(struct exposed *x, const char *store, unsigned scopes)
{
	*x = (struct exposed){ .figures = { .scopes = scopes } };
	x->follow = (struct follow){ .asked = store, .of = &x->figures,
	    .opened = figures_open, .interval = figures_interval };
}

void
exposed_fini(struct exposed *x)
{
	follow_close(&x->follow);
	figures_fini(&x->figures);
}

void
expose(struct exposed *x, const struct exposer *out)
{
	struct pass p = { .x = x, .out = out };

	follow_poll(&x->follow);
	health(&p);
	if (x->follow.state == FOLLOW_LIVE) {
		all_metrics(&p);
		if (!x->no_raw)
			all_counters(&p);
	}
	one(&p, "series", "", false, "Series on this page, this one too",
	    p.n + 1);
	x->nseries = p.n;
}
