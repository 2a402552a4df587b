/*
 * postproc/charts/timeline_figures.c - what each line is worth over all samples:
 * the report's figure, never a mean of points.
 */
#include "postproc/charts/timeline.h"

#include <math.h>

#define SAME 2e-5               /* of a figure: below its last digit shown */

/* A metric's number in another binding; false: it is not bound there, or cannot be
 * had. */
static bool
bound_there(const struct binding *b, const struct metric *m, unsigned *out)
{
	for (*out = 0; *out < b->nbound; ++*out)
		if (b->bound[*out].metric == m)
			return b->bound[*out].nmissing == 0;
	return false;
}

void
timeline_figures(struct timeline *t, struct gather *g,
    const struct metrics *metrics, const struct sums *all)
{
	unsigned bound = 0, metric = UINT32_MAX;
	bool have = false;

	for (unsigned i = 0; i < t->nline; i++) {
		struct line *x = &t->line[i];
		struct line_metric *m = &t->metric[x->metric];
		struct figure f;

		x->figure = NAN;
		x->mark = ' ';
		if (x->metric != metric)
			have = bound_there(&g->binding, metrics_find(metrics,
			    m->metric->name), &bound);
		metric = x->metric;
		if (!have)
			continue;
		f = binding_eval(&g->binding, bound, &x->window, all);
		x->figure = f.value;
		x->mark = figure_mark(&f);
		/* what all its points do not make, those of a stretch do not */
		if (x->window.scope >= SCOPE_OF_PACKAGE && !isnan(f.value) &&
		    !(fabs(timeline_mean(t, x) - f.value) <=
		    SAME * fabs(f.value)))
			m->guess = true;
	}
}
