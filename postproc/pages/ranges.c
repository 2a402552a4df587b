/*
 * postproc/pages/ranges.c - metrics whose value cannot be.
 */
#include "postproc/pages/ranges.h"

#include <stdio.h>
#include <string.h>

#include "postproc/pages/gather.h"

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

static int
read_all(struct gather *g, struct pairs *pairs, struct diag *why)
{
	int rc;

	while ((rc = gather_next(g, why)) > 0)
		pairs_take(pairs, g);
	return rc;
}

void
check_ranges(struct findings *f, const char *path,
    const struct select *select, struct pairs *pairs)
{
	struct gather_ask ask = { .select = *select };
	struct gather g = { 0 };
	struct metrics metrics = { 0 };
	struct diag why;
	unsigned bound;

	if (strcmp(path, "-") != 0 &&
	    gather_load(&g, &metrics, path, &ask, &why) == 0 &&
	    pairs_bind(pairs, &g, &metrics, &why) == 0 &&
	    read_all(&g, pairs, &why) == 0) {
		const struct sums *sums;

		pairs_judge(pairs, &g);
		pairs_find(pairs, f);
		for (unsigned i = 0; i < metrics.n; i++)
			if (binding_add(&g.binding, metrics_at(&metrics, i),
			    &bound, &why) < 0)
				break;
		sums = gather_sums(&g);
		for (unsigned i = 0; i < g.binding.nbound; i++)
			if (g.binding.bound[i].metric->ranged)
				check_metric(f, &g, sums,
				    g.binding.bound[i].metric, i);
	} else {
		pairs_fini(pairs);
	}
	gather_unload(&g, &metrics);
}
