/*
 * postproc/gather/ranges.c - metrics whose value cannot be.
 */
#include "postproc/gather/ranges.h"

#include <errno.h>
#include <stdio.h>

/* What is outside, of one metric: where it is so first, at the widest scope. */
struct outside {
	unsigned n, of;         /* windows of that scope */
	double value;
	char where[80];
};

static struct outside
look(struct gather *g, const struct sums *sums, unsigned bound,
    enum scope scope)
{
	const struct binding *b = &g->binding;
	struct outside o = { .n = 0 };

	for (unsigned i = 0; i < binding_windows(b, bound, scope); i++) {
		struct window w;
		struct figure f;

		if (!binding_window(b, bound, scope, i, &w))
			continue;
		f = binding_eval(b, bound, &w, sums);
		o.of++;
		if (!f.wrong || o.n++ > 0)
			continue;
		o.value = f.value;
		window_name(b, &w, o.where, sizeof(o.where));
	}
	return o;
}

static void
check_metric(struct findings *f, struct gather *g, const struct sums *sums,
    const struct metric *m, unsigned bound)
{
	/* of an lproc that hardly ran, the moments at which two registers were
	 * read differ by more than what they counted */
	for (int scope = SCOPES - 1; scope >= SCOPE_OF_PACKAGE; scope--) {
		struct outside o = look(g, sums, bound, (enum scope)scope);
		char of[40] = "";

		if (o.n == 0)
			continue;
		if (o.of > 1)
			snprintf(of, sizeof(of), ", %u of %u outside", o.n,
			    o.of);
		finding_add(f, "range", "%s of %s%s%s is %.6g %s, and %g to %g "
		    "is what there can be%s", m->name,
		    scope_name((enum scope)scope), o.where[0] != '\0' ? " " :
		    "", o.where, o.value, m->unit, m->lo, m->hi, of);
		return;
	}
}

int
check_ranges(struct findings *f, struct gather *g,
    const struct metrics *metrics)
{
	struct binding *b = &g->binding;
	const struct metrics *had = b->metrics;
	unsigned from = b->nbound, bound;
	const struct sums *sums;
	struct diag why;
	int rc = 0;

	b->metrics = metrics;
	for (unsigned i = 0; rc == 0 && i < metrics->n; i++)
		if (metrics_at(metrics, i)->ranged)
			rc = binding_add(b, metrics_at(metrics, i), &bound,
			    &why);
	b->metrics = had;
	if (rc == -ENOMEM)
		return rc;
	sums = gather_sums(g);
	for (unsigned i = from; i < b->nbound; i++)
		check_metric(f, g, sums, b->bound[i].metric, i);
	return 0;
}
