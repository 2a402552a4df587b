/*
 * postproc/many/many_tables.c - the tables of a summary: nodes, metrics, quantiles.
 */
#include "postproc/many/many_tables.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/metrics/statistics.h"

static const struct table_column node_columns[] = {
	{ "node", NULL, 0, true }, { "first", "s", 6, false },
	{ "offset", "s", 6, false }, { "time", "s", 2, false },
	{ "samples", NULL, 0, false }, { "tsc", "GHz", 6, false },
	{ "left_out", NULL, 0, false },
};

static const struct table_column metric_columns[] = {
	{ "metric", NULL, 0, true }, { "unit", NULL, 0, true },
	{ "nodes", NULL, 0, false }, { "min", NULL, 3, false },
	{ "median", NULL, 3, false }, { "max", NULL, 3, false },
	{ "outliers", NULL, 0, true }, { "note", NULL, 0, true },
};

static const struct table_column quantile_columns[] = {
	{ "metric", NULL, 0, true }, { "unit", NULL, 0, true },
	{ "scope", NULL, 0, true }, { "cpu", NULL, 0, true },
	{ "job", NULL, 0, true }, { "values", NULL, 0, false },
	{ "unknown", NULL, 0, false }, { "min", NULL, 3, false },
	{ "p10", NULL, 3, false }, { "p50", NULL, 3, false },
	{ "p90", NULL, 3, false }, { "p99", NULL, 3, false },
	{ "max", NULL, 3, false },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
static const struct out_table nodes = { "nodes", node_columns,
	COUNT(node_columns), true };
static const struct out_table metrics = { "metrics", metric_columns,
	COUNT(metric_columns), false };
static const struct out_table quantiles = { "quantiles", quantile_columns,
	COUNT(quantile_columns), false };

/* ---- nodes ---- */

/* The first samples of all nodes. */
struct first_samples {
	double least, most;     /* s since 1970 */
	bool wall, tsc;         /* all nodes have a wall clock, a TSC */
};

static struct first_samples
clocks_of(const struct many_nodes *m)
{
	struct first_samples c = { INFINITY, 0, true, true };

	for (unsigned i = 0; i < m->n; i++) {
		double t = m->node[i]->first;

		if (t > 0 && t < c.least)
			c.least = t;
		if (t > c.most)
			c.most = t;
		c.wall &= t > 0;
		c.tsc &= m->node[i]->tsc_hz > 0;
	}
	return c;
}

int
many_put_nodes(struct out *out, const struct many_nodes *m)
{
	struct first_samples c = clocks_of(m);
	struct trait_list l;
	char kept[400] = "";
	bool room = many_traits(&l, m);

	table_begin(out, &nodes);
	for (unsigned i = 0; i < m->n; i++) {
		const struct summed_node *x = m->node[i];

		cell_text(out, m->name[i]);
		cell_real(out, x->first > 0 ? x->first : (double)NAN);
		cell_real(out, x->first > 0 ? x->first - c.least :
		    (double)NAN);
		cell_real(out, x->seconds);
		cell_u64(out, x->samples);
		cell_real(out, x->tsc_hz > 0 ? x->tsc_hz / 1e9 : (double)NAN);
		cell_u64(out, x->left_out);
	}
	table_end(out);
	if (!c.wall || !c.tsc)
		out_remark(out, "\nn/a: %s%s%s of that node in its dump\n",
		    c.wall ? "" : "no wall clock", c.wall || c.tsc ? "" : ", ",
		    c.tsc ? "" : "no TSC (Arm: generic timer)");
	if (room)
		traits_clocks(&l, kept, sizeof kept);
	traits_free(&l);
	out_remark(out, "\nClocks: first samples are up to %.6f s apart, each "
	    "by its node's own wall clock.%s\n", c.most > 0 ? c.most -
	    c.least : 0, kept);
	return room ? 0 : -ENOMEM;
}

/* ---- metrics ---- */

/* Prints the nodes that stand out in a metric, as many as fit. */
static void
many_tables_put_far(struct out *out, const struct many_nodes *m,
    uint32_t metric)
{
	char buf[2048] = "";
	size_t used = 0, room = sizeof buf - sizeof " and 4294967295 more";
	unsigned more = 0;

	many_far(m, metric);
	for (unsigned i = 0; i < m->n; i++) {
		size_t len = strlen(m->name[i]);

		if (m->far[i] <= 0)
			continue;
		if (more > 0 || used + len + 1 > room)
			more++;
		else
			used += (size_t)sprintf(buf + used, "%s%s",
			    used > 0 ? " " : "", m->name[i]);
	}
	if (more > 0)
		sprintf(buf + used, " and %u more", more);
	cell_text(out, buf);
}

/* Writes the nodes whose value has a mark, " (n1 n4)".  Returns the length. */
static size_t
name_marked(const struct many_nodes *m, uint32_t metric, unsigned mark, char *to,
    size_t size)
{
	const char *sep = " (";
	unsigned hint = 0;
	size_t used = 0;

	for (unsigned i = 0; i < m->n && used < size; i++) {
		const struct node_value *v = many_value(m->node[i], metric,
		    &hint);

		if (v == NULL || (v->marks >> mark & 1) == 0)
			continue;
		used += (size_t)snprintf(to + used, size - used, "%s%.40s",
		    sep, m->name[i]);
		sep = " ";
	}
	if (used < size)
		used += (size_t)snprintf(to + used, size - used, ")");
	return used;
}

/* Prints "2 incomplete (n1 n4); 5 estimates", and why nodes do not have the metric. */
static void
many_tables_put_note(struct out *out, const struct many_nodes *m,
    uint32_t metric, const char *why)
{
	static const char *const word[MARKS] = { "incomplete", "estimate",
	    "of events not counted at one time", "out of range", "n/a" };
	char note[400] = "";
	size_t used = 0;

	for (unsigned k = 0; k < MARKS && used < sizeof note; k++) {
		unsigned n = 0, hint = 0;

		for (unsigned i = 0; i < m->n; i++) {
			const struct node_value *v = many_value(m->node[i],
			    metric, &hint);

			n += v != NULL && (v->marks >> k & 1) != 0;
		}
		if (n > 0)
			used += (size_t)snprintf(note + used, sizeof note -
			    used, "%s%u %s", used > 0 ? "; " : "", n, word[k]);
		if (n > 0 && n <= 4 && used < sizeof note)
			used += name_marked(m, metric, k, note + used,
			    sizeof note - used);
	}
	if (why != NULL && used < sizeof note)
		snprintf(note + used, sizeof note - used, ": %s", why);
	cell_text(out, note);
}

static void
many_tables_put_metric(struct out *out, const struct many_nodes *m,
    uint32_t metric)
{
	const struct summary_metric *x = &m->s->metric[metric];
	const char *why = NULL;
	unsigned n = 0, hint = 0;
	struct spread s;

	for (unsigned i = 0; i < m->n; i++) {
		const struct node_value *v = many_value(m->node[i], metric,
		    &hint);

		if (v != NULL && !isnan(v->value))
			m->value[n++] = v->value;
		else if (v != NULL && why == NULL && v->why != NO_TEXT)
			why = m->s->text[v->why];
	}
	cell_text(out, m->s->text[x->name]);
	cell_text(out, m->s->text[x->unit]);
	cell_u64(out, n);
	if (n == 0) {
		for (unsigned i = 0; i < 3; i++)
			cell_none(out);
		cell_text(out, "");
		cell_text(out, why != NULL ? why : "");
		return;
	}
	spread_of(&s, m->value, n, m->scratch);
	cell_figure(out, s.least);
	cell_figure(out, s.median);
	cell_figure(out, s.most);
	many_tables_put_far(out, m, metric);
	many_tables_put_note(out, m, metric, why);
}

/* How many nodes have a value of a metric. */
static unsigned
known_in(const struct many_nodes *m, uint32_t metric)
{
	unsigned n = 0, hint = 0;

	for (unsigned i = 0; i < m->n; i++) {
		const struct node_value *v = many_value(m->node[i], metric,
		    &hint);

		n += v != NULL && !isnan(v->value);
	}
	return n;
}

/* For people: metrics in which nodes stand out come first. */
static int
many_tables_by_far(const void *a, const void *b, void *ctx)
{
	const uint32_t *x = a, *y = b;
	const struct many_nodes *m = ctx;

	if (m->nfar[*x] != m->nfar[*y])
		return m->nfar[*x] < m->nfar[*y] ? 1 : -1;
	return *x < *y ? -1 : *x > *y;
}

/* For people: names the metrics that no node has in one line; -m says why. */
static void
put_unknown(struct out *out, const struct many_nodes *m)
{
	unsigned n = 0;

	for (unsigned i = 0; i < m->nmetric; i++)
		if (known_in(m, m->metric[i]) == 0)
			n++;
	if (n > 0)
		out_remark(out, "\n%u metric%s of no node (-m '*' shows %s, and "
		    "why)\n", n, n == 1 ? "" : "s", n == 1 ? "it" : "them");
}

void
many_put_metrics(struct out *out, const struct many_nodes *m)
{
	bool fold = out_for_people(out) && m->names->n == 0;

	for (unsigned i = 0; fold && i < m->nmetric; i++)
		m->nfar[m->metric[i]] = many_far(m, m->metric[i]);
	if (fold)
		qsort_r(m->metric, m->nmetric, sizeof *m->metric,
		    many_tables_by_far, (void *)(uintptr_t)m);
	table_begin(out, &metrics);
	for (unsigned i = 0; i < m->nmetric; i++)
		if (!fold || known_in(m, m->metric[i]) > 0)
			many_tables_put_metric(out, m, m->metric[i]);
	table_end(out);
	if (fold)
		put_unknown(out, m);
}

/* ---- quantiles ---- */

static int
by_kind(const void *a, const void *b, void *ctx)
{
	const struct distribution *const *x = a, *const *y = b;
	const struct summary *s = ctx;
	int by = strcmp(s->text[(*x)->cpu], s->text[(*y)->cpu]);

	if (by == 0)
		by = strcmp(s->text[(*x)->job], s->text[(*y)->job]);
	return by != 0 ? by : (int)(*y)->scope - (int)(*x)->scope;
}

static void
put_quantile(struct out *out, const struct many_nodes *m,
    const struct distribution *d)
{
	static const double q[] = { 0.1, 0.5, 0.9, 0.99 };
	const struct summary *s = m->s;
	bool none = d->of.count == 0;

	cell_text(out, s->text[s->metric[d->metric].name]);
	cell_text(out, s->text[s->metric[d->metric].unit]);
	cell_text(out, scope_name((enum scope)d->scope));
	cell_text(out, s->text[d->cpu]);
	cell_text(out, s->text[d->job]);
	cell_u64(out, d->of.count);
	cell_u64(out, d->unknown);
	cell_figure(out, none ? (double)NAN : d->of.least);
	for (size_t i = 0; i < COUNT(q); i++)
		cell_figure(out, sketch_quantile(&d->of, q[i]));
	cell_figure(out, none ? (double)NAN : d->of.most);
}

void
many_put_quantiles(struct out *out, const struct many_nodes *m)
{
	const struct summary *s = m->s;
	const struct distribution **of = m->dist;

	table_begin(out, &quantiles);
	for (unsigned i = 0; i < m->nmetric; i++) {
		unsigned n = 0;

		for (unsigned k = 0; k < s->ndist; k++)
			if (s->dist[k].metric == m->metric[i])
				of[n++] = &s->dist[k];
		qsort_r(of, n, sizeof *of, by_kind, (void *)(uintptr_t)s);
		for (unsigned k = 0; k < n; k++)
			put_quantile(out, m, of[k]);
	}
	table_end(out);
}
