/*
 * postproc/metrics/figure_notes.c - why figures are n/a, and which are outside their range.
 */
#include "postproc/metrics/figure_notes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 80                /* columns of the lines of reasons */

void
why_not_take(struct why_not *w, const struct binding *b,
    const struct figure *f)
{
	char why[sizeof w->reason[0].why];
	unsigned i = 0, k = 0;

	if (!isnan(f->value) || figure_why(b, f, why, sizeof why)[0] == '\0')
		return;
	while (i < w->n && strcmp(w->reason[i].why, why) != 0)
		i++;
	if (i == WHY_NOT_REASONS) {
		w->more++;
		return;
	}
	if (i == w->n) {
		strcpy(w->reason[i].why, why);
		w->reason[w->n++].n = 0;
	}
	if (f->metric == NULL)
		return;
	while (k < w->reason[i].n && k < WHY_NOT_METRICS)
		if (w->reason[i].metric[k++] == f->metric)
			return;
	if (k < WHY_NOT_METRICS)
		w->reason[i].metric[k] = f->metric;
	w->reason[i].n++;
}

void
why_not_put(const struct why_not *w, FILE *f)
{
	for (unsigned i = 0; i < w->n; i++) {
		unsigned n = w->reason[i].n;

		size_t col;

		fputs(i == 0 ? "\n" : "", f);
		col = (size_t)fprintf(f, "n/a: %s%s", w->reason[i].why,
		    n > 0 ? ":" : "");
		for (unsigned k = 0; k < n && k <= WHY_NOT_METRICS; k++) {
			const char *name = k < WHY_NOT_METRICS ?
			    w->reason[i].metric[k]->name : "and others";

			col += (size_t)fprintf(f, "%s", k > 0 ? "," : "");
			/* room for the comma behind it, too */
			if (col + strlen(name) + 2 > WIDTH)
				col = (size_t)fprintf(f, "\n    ") - 1;
			col += (size_t)fprintf(f, " %s", name);
		}
		fputc('\n', f);
	}
	if (w->more > 0)
		fprintf(f, "n/a: %u more (tally metrics says why)\n", w->more);
}

/* ---- values outside their range ------------------------------------------ */

/* The windows of a scope in which a metric's value is outside its range: n of `of`.  The other
 * members are of the first of them. */
struct outside {
	unsigned n, of;         /* windows of that scope */
	double value, most;
	struct window window;
	char where[80];
};

static struct outside
ranges_look(struct gather *g, const struct sums *sums, unsigned bound,
    enum scope scope)
{
	const struct binding *b = &g->binding;
	struct outside o = { .n = 0 };

	for (unsigned i = 0; i < binding_windows(b, bound, scope); i++) {
		struct window w;
		struct figure f;

		if (!binding_window(b, bound, scope, i, &w))
			continue;
		f = binding_eval_quick(b, bound, &w, sums);
		o.of++;
		if (!f.wrong || o.n++ > 0)
			continue;
		o.value = f.value;
		o.most = binding_most(b, bound, &w, sums);
		o.window = w;
		window_name(b, &w, o.where, sizeof(o.where));
	}
	return o;
}

/* Writes "24 channels": the value of a metric that the end of a range is computed from. */
static size_t
ranges_put_part(struct gather *g, const struct metrics *metrics,
    const char *name, const struct outside *o, char *buf, size_t size)
{
	struct binding *b = &g->binding;
	const struct metric *m = metrics_find(metrics, name);
	const struct metrics *had = b->metrics;
	struct diag why;
	unsigned bound;
	int rc;

	b->metrics = metrics;
	rc = m == NULL ? -ENOENT : binding_add(b, m, &bound, &why);
	b->metrics = had;
	return rc < 0 ? 0 : (size_t)snprintf(buf, size, "%.6g %s", binding_eval(
	    b, bound, &o->window, gather_sums(g)).value, m->unit);
}

/* Writes what the end of a range is computed from, "24 channels, 6400 MT/s": the inputs of the
 * metric that says it, or how many units there are of which each has its own end. */
static const char *
ranges_made_of(struct gather *g, unsigned bound, const struct outside *o,
    char *buf, size_t size)
{
	struct bound x = g->binding.bound[bound];
	const struct metric *most = x.most < 0 ? NULL :
	    g->binding.bound[x.most].metric;
	size_t n = 0;

	buf[0] = '\0';
	if (x.metric->each)
		n = (size_t)snprintf(buf, size, ": %.6g %s each, %u there",
		    x.metric->hi, x.metric->unit, binding_each(&g->binding,
		    bound, &o->window));
	for (uint32_t i = 0; most != NULL && i < most->expr.nref; i++) {
		if (n + 2 < size)
			n += (size_t)snprintf(buf + n, size - n, "%s", n == 0 ?
			    ": " : ", ");
		if (n < size)
			n += ranges_put_part(g, x.metrics,
			    most->expr.ref[i].name, o, buf + n, size - n);
	}
	return buf;
}

static void
check_metric(struct findings *f, struct gather *g, const struct sums *sums,
    const struct metric *m, unsigned bound)
{
	/* no scope below the package: an lproc that hardly ran counts less than
	 * what passes between the readings of two of its registers */
	for (int scope = SCOPES - 1; scope >= SCOPE_OF_PACKAGE; scope--) {
		struct outside o = ranges_look(g, sums, bound,
		    (enum scope)scope);
		char of[40] = "", why[120];

		if (o.n == 0)
			continue;
		if (o.of > 1)
			snprintf(of, sizeof(of), ", %u of %u outside", o.n,
			    o.of);
		finding_add(f, "range", "%s of %s%s%s is %.6g %s, and %g to "
		    "%.6g is what there can be%s%s", m->name,
		    scope_name((enum scope)scope), o.where[0] != '\0' ? " " :
		    "", o.where, o.value, m->unit, m->lo, o.most,
		    ranges_made_of(g, bound, &o, why, sizeof(why)), of);
		return;
	}
}

/* A metric that is bound already is not bound again. */
static int
ranges_bind(struct binding *b, const struct metric *m, unsigned *out)
{
	struct diag why;

	for (*out = 0; *out < b->nbound; ++*out)
		if (b->bound[*out].metric == m && b->bound[*out].asked &&
		    b->bound[*out].metrics == b->metrics)
			return 0;
	return binding_add(b, m, out, &why);
}

int
check_ranges(struct findings *f, struct gather *g,
    const struct metrics *metrics)
{
	unsigned *bound = malloc((metrics->n + 1) * sizeof *bound);
	const struct metrics *had = g->binding.metrics;
	const struct sums *sums;
	unsigned n = 0;
	int rc = 0;

	if (bound == NULL)
		return -ENOMEM;
	g->binding.metrics = metrics;
	for (unsigned i = 0; rc == 0 && i < metrics->n; i++)
		if (metrics_at(metrics, i)->ranged)
			rc = ranges_bind(&g->binding, metrics_at(metrics, i),
			    &bound[n++]);
	g->binding.metrics = had;
	sums = rc == -ENOMEM ? NULL : gather_sums(g);
	n -= rc < 0;
	for (unsigned i = 0; sums != NULL && i < n; i++)
		check_metric(f, g, sums, g->binding.bound[bound[i]].metric,
		    bound[i]);
	free(bound);
	return sums == NULL ? -ENOMEM : 0;
}
