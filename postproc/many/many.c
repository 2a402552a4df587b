/*
 * postproc/many/many.c - nodes and metrics of a summary, in an order that does not
 * depend on that of the files; which nodes stand out.
 */
#include "postproc/many/many_tables.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/metrics/node_view.h"
#include "postproc/metrics/statistics.h"

/* ---- nodes and metrics in order -------------------------------------------- */

static int
by_name(const void *a, const void *b, void *ctx)
{
	const struct summed_node *const *x = a, *const *y = b;
	const struct summary *s = ctx;
	int by = strcmp(s->text[(*x)->host], s->text[(*y)->host]);

	if (by == 0)
		by = strcmp(s->text[(*x)->path], s->text[(*y)->path]);
	return by != 0 ? by : (*x)->identity < (*y)->identity ? -1 : 1;
}

/* Nodes of one CPU and one job become neighbours, in the order that they had. */
static int
by_peers(const void *a, const void *b, void *ctx)
{
	const unsigned *i = a, *k = b;
	const struct many_nodes *m = ctx;
	const struct summed_node *x = m->node[*i], *y = m->node[*k];
	int by = strcmp(x->traits.text[TRAIT_CPU], y->traits.text[TRAIT_CPU]);

	if (by == 0)
		by = strcmp(m->s->text[x->job], m->s->text[y->job]);
	return by != 0 ? by : *i < *k ? -1 : 1;
}

static void
name_nodes(struct many_nodes *m)
{
	const struct summary *s = m->s;

	for (unsigned i = 0; i < m->n; i++) {
		const struct summed_node *x = m->node[i];
		bool twice = (i > 0 && m->node[i - 1]->host == x->host) ||
		    (i + 1 < m->n && m->node[i + 1]->host == x->host);

		m->name[i] = s->text[twice ? x->path : x->host];
	}
}

static void
order_metrics(struct many_nodes *m, bool *seen)
{
	const struct summary *s = m->s;

	for (unsigned i = 0; i < m->n; i++)
		for (unsigned k = 0; k < m->node[i]->nvalue; k++) {
			uint32_t which = m->node[i]->value[k].metric;

			if (seen[which])
				continue;
			seen[which] = true;
			if (patterns_match(m->names,
			    s->text[s->metric[which].name]))
				m->metric[m->nmetric++] = which;
		}
}

int
many_init(struct many_nodes *m, const struct summary *s,
    const struct patterns *names)
{
	unsigned n = s->nnode + 1;
	bool *seen = calloc(s->nmetric + 1, sizeof *seen);

	*m = (struct many_nodes){ .s = s, .names = names,
	    .node = calloc(n, sizeof *m->node),
	    .name = calloc(n, sizeof *m->name),
	    .peer = calloc(n, sizeof *m->peer),
	    .metric = calloc(s->nmetric + 1, sizeof *m->metric),
	    .value = calloc(n, sizeof *m->value),
	    .scratch = calloc(n, sizeof *m->scratch),
	    .far = calloc(n, sizeof *m->far),
	    .nfar = calloc(s->nmetric + 1, sizeof *m->nfar),
	    .dist = calloc(s->ndist + 1, sizeof *m->dist) };
	if (seen == NULL || m->node == NULL || m->name == NULL ||
	    m->peer == NULL || m->metric == NULL || m->value == NULL ||
	    m->scratch == NULL || m->far == NULL || m->nfar == NULL || m->dist == NULL) {
		free(seen);
		return -ENOMEM;
	}
	for (; m->n < s->nnode; m->n++) {
		m->node[m->n] = &s->node[m->n];
		m->peer[m->n] = m->n;
	}
	qsort_r(m->node, m->n, sizeof *m->node, by_name, (void *)(uintptr_t)s);
	qsort_r(m->peer, m->n, sizeof *m->peer, by_peers, m);
	name_nodes(m);
	order_metrics(m, seen);
	free(seen);
	return 0;
}

void
many_fini(struct many_nodes *m)
{
	free(m->node);
	free(m->name);
	free(m->peer);
	free(m->metric);
	free(m->value);
	free(m->scratch);
	free(m->far);
	free(m->nfar);
	free(m->dist);
	*m = (struct many_nodes){ .n = 0 };
}

bool
many_traits(struct trait_list *l, const struct many_nodes *m)
{
	*l = (struct trait_list){ calloc(m->n + 1, sizeof *l->of),
	    calloc(m->n + 1, sizeof *l->host), m->n };
	for (unsigned i = 0; l->of != NULL && l->host != NULL && i < m->n;
	    i++) {
		l->of[i] = &m->node[i]->traits;
		l->host[i] = m->name[i];
	}
	return l->of != NULL && l->host != NULL;
}

void
traits_free(struct trait_list *l)
{
	free(l->of);
	free(l->host);
}

/* ---- nodes among their peers --------------------------------------------- */

const struct node_value *
many_value(const struct summed_node *n, uint32_t metric, unsigned *hint)
{
	if (*hint < n->nvalue && n->value[*hint].metric == metric)
		return &n->value[*hint];
	for (unsigned i = 0; i < n->nvalue; i++)
		if (n->value[i].metric == metric) {
			*hint = i;
			return &n->value[i];
		}
	return NULL;
}

/* Have two nodes the same CPU and the same job? */
static bool
many_peers(const struct summed_node *a, const struct summed_node *b)
{
	return a->job == b->job && strcmp(a->traits.text[TRAIT_CPU],
	    b->traits.text[TRAIT_CPU]) == 0;
}

/* Sets far[] of the peers from..to-1.  Returns how many stand out. */
static unsigned
far_of_peers(const struct many_nodes *m, uint32_t metric, unsigned from,
    unsigned to)
{
	unsigned n = 0, nfar = 0, hint = 0;
	const struct node_value *v;
	struct spread s;

	for (unsigned i = from; i < to; i++) {
		v = many_value(m->node[m->peer[i]], metric, &hint);
		if (v != NULL && !isnan(v->value))
			m->value[n++] = v->value;
	}
	if (n < SPREAD_LEAST)
		return 0;
	spread_of(&s, m->value, n, m->scratch);
	for (unsigned i = from; i < to; i++) {
		double score = NAN;

		v = many_value(m->node[m->peer[i]], metric, &hint);
		if (v != NULL)
			score = spread_score(&s, v->value);
		if (score > SPREAD_FAR) {
			m->far[m->peer[i]] = score;
			nfar++;
		}
	}
	return nfar;
}

unsigned
many_far(const struct many_nodes *m, uint32_t metric)
{
	unsigned n = 0;

	memset(m->far, 0, m->n * sizeof *m->far);
	for (unsigned from = 0, to; from < m->n; from = to) {
		for (to = from; to < m->n &&
		    many_peers(m->node[m->peer[from]],
		    m->node[m->peer[to]]); to++)
			continue;
		n += far_of_peers(m, metric, from, to);
	}
	return n;
}

/* ---- the table of nodes, the worst first ----------------------------------- */

enum { FIGURES = 32, COLUMNS = 5 };      /* rows of the view, at most */

struct first {
	unsigned node;          /* index of many_nodes.node */
	unsigned n;             /* in how many metrics it stands out */
	uint32_t metric;        /* the one in which it stands out most */
	double most;            /* how far in that one */
	uint64_t left_out;
};

/*
 * The node that stands out most comes first; then the one with most left out;
 * equal nodes keep their order.
 */
static int
by_far(const void *a, const void *b)
{
	const struct first *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	if (x->most != y->most)
		return x->most < y->most ? 1 : -1;
	if (x->left_out != y->left_out)
		return x->left_out < y->left_out ? 1 : -1;
	return x->node < y->node ? -1 : 1;
}

static struct first *
sort_nodes(const struct many_nodes *m)
{
	struct first *f = calloc(m->n + 1, sizeof *f);
	unsigned hint = 0;

	for (unsigned i = 0; f != NULL && i < m->n; i++)
		f[i] = (struct first){ .node = i,
			.left_out = m->node[i]->left_out };
	for (unsigned k = 0; f != NULL && k < m->nmetric; k++) {
		many_far(m, m->metric[k]);
		for (unsigned i = 0; i < m->n; i++) {
			const struct node_value *v = m->far[i] > 0 ?
			    many_value(m->node[i], m->metric[k], &hint) : NULL;

			/*
			 * a value outside its range says nothing about the node
			 */
			if (v == NULL || (v->marks & WRONG) != 0)
				continue;
			f[i].n++;
			if (m->far[i] > f[i].most) {
				f[i].most = m->far[i];
				f[i].metric = m->metric[k];
			}
		}
	}
	if (f != NULL)
		qsort(f, m->n, sizeof *f, by_far);
	return f;
}

/* Prints in what a node stands out most: "frequency 1.910 GHz, median 2.553". */
static void
put_most(struct out *out, const struct many_nodes *m, const struct first *f)
{
	const struct summary_metric *x = &m->s->metric[f->metric];
	const char *unit = m->s->text[x->unit];
	char words[240] = "", value[40], median[40];
	unsigned n = 0, hint = 0;
	struct spread s;

	for (unsigned i = 0; f->n > 0 && i < m->n; i++) {
		const struct node_value *v = many_value(m->node[i], f->metric,
		    &hint);

		if (v != NULL && !isnan(v->value) &&
		    many_peers(m->node[i], m->node[f->node]))
			m->value[n++] = v->value;
	}
	if (n > 0) {
		spread_of(&s, m->value, n, m->scratch);
		hint = 0;
		snprintf(words, sizeof words, "%s %s%s%s, median %s",
		    m->s->text[x->name], figure_text(value, sizeof value,
		    many_value(m->node[f->node], f->metric, &hint)->value, 3),
		    unit[0] ? " " : "", unit, figure_text(median,
		    sizeof median, s.median, 3));
	}
	cell_text(out, words);
}

/* Finds the metric of that name; false: no node has it. */
static bool
metric_of(const struct many_nodes *m, const char *name, uint32_t *metric)
{
	for (unsigned k = 0; k < m->nmetric; k++)
		if (strcmp(m->s->text[m->s->metric[m->metric[k]].name],
		    name) == 0) {
			*metric = m->metric[k];
			return true;
		}
	return false;
}

/* Makes the columns of the table: those that it always has, and the view's figures that
 * some node has. */
static unsigned
many_first_find_columns(const struct many_nodes *m,
    const struct node_view *view, struct table_column *column, uint32_t *metric)
{
	static const struct table_column all[COLUMNS] = {
		{ "node", NULL, 0, true },
		{ "stands out", "metrics", 0, false },
		{ "most in", NULL, 0, true }, { "sampled", "s", 2, false },
		{ "left out", "deltas", 0, false },
	};
	const struct view_line *x = NULL;
	unsigned n = 0;

	memcpy(column, all, sizeof all);
	while (n < FIGURES && (x = view_next(view, VIEW_ROW, x)) != NULL)
		if (metric_of(m, x->metric, &metric[n])) {
			column[COLUMNS + n] = (struct table_column){ x->title,
				m->s->text[m->s->metric[metric[n]].unit],
				x->decimals, false };
			n++;
		}
	return n;
}

int
many_put_first(struct out *out, const struct many_nodes *m)
{
	struct table_column column[COLUMNS + FIGURES];
	uint32_t metric[FIGURES];
	struct out_table table = { "first", column, 0, false };
	struct node_view view;
	struct diag why;
	struct first *f = NULL;
	unsigned n, hint;
	int rc = node_view_load(&view, "@many", NULL, &why);

	if (rc < 0 || (f = sort_nodes(m)) == NULL) {
		node_view_fini(&view);
		return rc < 0 ? rc : -ENOMEM;
	}
	n = many_first_find_columns(m, &view, column, metric);
	table.ncolumn = COLUMNS + n;
	table_begin(out, &table);
	for (unsigned i = 0; i < m->n; i++) {
		const struct summed_node *x = m->node[f[i].node];

		cell_text(out, m->name[f[i].node]);
		cell_u64(out, f[i].n);
		put_most(out, m, &f[i]);
		cell_real(out, x->seconds);
		cell_u64(out, x->left_out);
		for (unsigned k = 0; k < n; k++) {
			const struct node_value *v;

			hint = 0;
			v = many_value(x, metric[k], &hint);
			cell_figure(out, v != NULL ? v->value : (double)NAN);
		}
	}
	table_end(out);
	out_remark(out, "\n");
	free(f);
	node_view_fini(&view);
	return 0;
}
