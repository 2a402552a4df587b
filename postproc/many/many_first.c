/*
 * postproc/many/many_first.c - which nodes stand out: a line a node, the worst first.
 */
#include "postproc/many/many_tables.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/metrics/node_view.h"
#include "postproc/metrics/statistics.h"

enum { FIGURES = 32, COLUMNS = 5 };      /* rows of the view, at most */

struct first {
	unsigned node;          /* of many_nodes */
	unsigned n;             /* metrics in which it stands out, */
	double most;            /* and how far, at most, */
	uint32_t metric;        /* in which */
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

/* "frequency 1.910 GHz, median 2.553" */
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

/* The metric of that name; false: no node has it. */
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

/* Columns that all have, and those of figures that some node has. */
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
