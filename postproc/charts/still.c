/*
 * postproc/charts/still.c - pictures of metrics over time as inline SVG.
 */
#include "postproc/charts/still.h"

#include <math.h>

#include "postproc/charts/markup.h"

#define WIDTH 720.0
#define HEIGHT 120.0
#define COLOURS 8               /* classes c0 to c7 of page.css */

static const char *const shown[] = { "utilisation", "frequency", "ipc",
	"dram_read", "dram_write", "package_power", "temperature", "upi_out",
	"pcie_in", "scf_freq", "cmem_rd_util", "soc_power", "cpu_clock" };

struct picture {
	const struct timeline *t;
	const struct phases *phases;
	FILE *f;
	double lo, hi, from, to;
	unsigned coarse, n;     /* a point is of 2^coarse buckets; n points */
};

static double
px(const struct picture *p, double at)
{
	return p->to > p->from ? (at - p->from) / (p->to - p->from) * WIDTH : 0;
}

static double
py(const struct picture *p, double v)
{
	return HEIGHT - 4 - (v - p->lo) / (p->hi - p->lo) * (HEIGHT - 8);
}

static struct bucket_value
at(const struct picture *p, const struct line *x, unsigned i)
{
	return timeline_point(p->t, x, i, p->coarse);
}

static double
from(const struct picture *p, unsigned i)
{
	return px(p, p->t->bucket[i << p->coarse].from);
}

static double
to(const struct picture *p, unsigned i)
{
	unsigned end = (i + 1) << p->coarse;

	return px(p, p->t->bucket[end < p->t->n ? end - 1 : p->t->n - 1].to);
}

static double
middle(const struct picture *p, unsigned i)
{
	return (from(p, i) + to(p, i)) / 2;
}

static bool
has(const struct picture *p, const struct line *x, unsigned i)
{
	return at(p, x, i).weight > 0;
}

static bool
is_gap(const struct picture *p, unsigned i)
{
	unsigned k = i << p->coarse;

	while (k < p->t->n && k < (i + 1) << p->coarse)
		if (p->t->bucket[k++].gap)
			return true;
	return false;
}

/* A stretch of buckets without a hole: its band, and its line. */
static void
put_run(const struct picture *p, const struct line *x, unsigned a, unsigned b,
    unsigned colour)
{
	if (p->t->per > 1 || p->coarse > 0) {
		fprintf(p->f, "<polygon class=\"band c%u\" points=\"", colour);
		for (unsigned i = a; i < b; i++)
			fprintf(p->f, "%.1f,%.1f ", middle(p, i),
			    py(p, (double)at(p, x, i).hi));
		for (unsigned i = b; i-- > a;)
			fprintf(p->f, "%.1f,%.1f ", middle(p, i),
			    py(p, (double)at(p, x, i).lo));
		fputs("\"/>", p->f);
	}
	fprintf(p->f, "<polyline class=\"line c%u\" points=\"", colour);
	for (unsigned i = a; i < b; i++) {
		struct bucket_value v = at(p, x, i);
		double y = py(p, v.sum / v.weight);

		/* one alone is a dash as long as it lasts */
		fprintf(p->f, "%.1f,%.1f ", b - a > 1 ? middle(p, i) :
		    from(p, i), y);
		if (b - a == 1)
			fprintf(p->f, "%.1f,%.1f ", to(p, i), y);
	}
	fputs("\"/>", p->f);
}

static void
put_line(const struct picture *p, const struct line *x, unsigned colour)
{
	for (unsigned i = 0; i < p->n; i++) {
		unsigned first = i;

		if (!has(p, x, i))
			continue;
		while (i < p->n && has(p, x, i))
			i++;
		put_run(p, x, first, i, colour);
	}
	for (unsigned i = 0; i < p->n; i++)
		if (at(p, x, i).doubt || is_gap(p, i))
			fprintf(p->f, "<rect class=\"doubt\" x=\"%.1f\" y=\"0\" "
			    "width=\"%.1f\" height=\"%.0f\"/>", from(p, i),
			    fmax(1, to(p, i) - from(p, i)), HEIGHT);
}

static void
range_of(struct picture *p, const struct line *x)
{
	for (unsigned i = 0; i < p->t->n; i++) {
		p->lo = fmin(p->lo, (double)x->in[i].lo);
		p->hi = fmax(p->hi, (double)x->in[i].hi);
	}
}

static void
put_picture(struct picture *p, const char *name, enum scope scope)
{
	const struct timeline *t = p->t;
	const struct line *x = timeline_find(t, name, scope, 0);
	const struct metric *m = t->metric[x->metric].metric;

	p->lo = 0;
	p->hi = NAN;
	for (unsigned k = 0; (x = timeline_find(t, name, scope, k)) != NULL; k++)
		range_of(p, x);
	if (!(p->hi > p->lo))
		p->hi = p->lo + 1;
	fputs("<figure><figcaption>", p->f);
	markup_text(p->f, m->text);
	fprintf(p->f, " <span>(%.4g to %.4g ", p->lo, p->hi);
	markup_text(p->f, m->unit);
	fputs(")</span></figcaption>", p->f);
	phases_names(p->phases, p->f);
	fputs("<svg role=\"img\" viewBox=\"0 0 720 120\" "
	    "preserveAspectRatio=\"none\" aria-label=\"", p->f);
	markup_text(p->f, m->text);
	fprintf(p->f, " over time, by %s\">", scope_name(scope));
	phases_bands(p->phases, p->f, WIDTH, HEIGHT);
	for (unsigned k = 0; (x = timeline_find(t, name, scope, k)) != NULL; k++)
		put_line(p, x, k % COLOURS);
	fprintf(p->f, "</svg><div class=\"ends\"><span>%.1f s</span>"
	    "<span>%.1f s</span></div></figure>\n", p->from, p->to);
}

void
stills_put(const struct timeline *t, const struct phases *phases, FILE *f)
{
	struct picture p = { .t = t, .phases = phases, .f = f };

	if (t->n == 0)
		return;
	while (timeline_points(t, p.coarse) > t->ask->buckets)
		p.coarse++;
	p.n = timeline_points(t, p.coarse);
	p.from = t->bucket[0].from;
	p.to = t->bucket[t->n - 1].to;
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
		if (timeline_find(t, shown[i], SCOPE_OF_PACKAGE, 0) != NULL)
			put_picture(&p, shown[i], SCOPE_OF_PACKAGE);
		else if (timeline_find(t, shown[i], SCOPE_OF_NODE, 0) != NULL)
			put_picture(&p, shown[i], SCOPE_OF_NODE);
}
