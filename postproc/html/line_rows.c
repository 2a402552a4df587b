/*
 * postproc/html/line_rows.c - the numbers that a page's lines are drawn of.
 */
#include "postproc/html/html_page.h"

#include <math.h>

static const struct table_column columns[] = {
	{ "node", NULL, 0, true }, { "before", NULL, 0, false },
	{ "last", NULL, 0, false }, { "from", "s", 3, false },
	{ "to", "s", 3, false }, { "metric", NULL, 0, true },
	{ "scope", NULL, 0, true }, { "where", NULL, 0, true },
	{ "mean", NULL, 4, false }, { "least", NULL, 4, false },
	{ "greatest", NULL, 4, false }, { "unit", NULL, 0, true },
	{ "doubt", NULL, 0, true },
};

static const struct out_table table = {
	.name = "series", .column = columns,
	.ncolumn = sizeof columns / sizeof *columns,
};

static double
line_rows_mean(const struct bucket_value *v)
{
	return v->weight > 0 ? v->sum / v->weight :
	    ((double)v->lo + (double)v->hi) / 2;
}

static void
put_point(const struct html_page *h, const struct line *x, unsigned i,
    unsigned coarse, struct out *out)
{
	const struct timeline *t = &h->timeline;
	const struct metric *m = t->metric[x->metric].metric;
	struct bucket_value v = timeline_point(t, x, i, coarse);
	unsigned end = (i + 1) << coarse;
	const struct bucket *from = &t->bucket[i << coarse];
	const struct bucket *to = &t->bucket[(end < t->n ? end : t->n) - 1];

	cell_text(out, h->page.gather.host);
	cell_u64(out, from->before);
	cell_u64(out, to->last);
	cell_real(out, from->from);
	cell_real(out, to->to);
	cell_text(out, m->name);
	cell_text(out, scope_name((enum scope)x->window.scope));
	cell_text(out, x->where);
	cell_figure(out, line_rows_mean(&v));
	cell_figure(out, (double)v.lo);
	cell_figure(out, (double)v.hi);
	cell_text(out, m->unit);
	cell_text(out, v.doubt ? x->why : "");
}

void
line_rows_put(const struct html_page *h, struct out *out)
{
	const struct timeline *t = &h->timeline;

	table_begin(out, &table);
	for (unsigned l = 0; l < t->nline; l++) {
		const struct line *x = &t->line[l];
		unsigned coarse = timeline_coarse(t, x);
		unsigned n = x->any ? timeline_points(t, coarse) : 0;

		for (unsigned i = 0; i < n; i++)
			put_point(h, x, i, coarse, out);
	}
	table_end(out);
}
