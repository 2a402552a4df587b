/*
 * postproc/html/still.c - pictures of metrics over time as inline SVG.
 */
#include "postproc/html/still.h"

#include <math.h>

#include "postproc/html/markup.h"

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

static double
middle(const struct picture *p, unsigned i)
{
	return px(p, (p->t->bucket[i].from + p->t->bucket[i].to) / 2);
}

static bool
has(const struct line *x, unsigned i)
{
	return x->in[i].weight > 0;
}

/* A stretch of buckets without a hole: its band, and its line. */
static void
put_run(const struct picture *p, const struct line *x, unsigned a, unsigned b,
    unsigned colour)
{
	if (p->t->per > 1) {
		fprintf(p->f, "<polygon class=\"band c%u\" points=\"", colour);
		for (unsigned i = a; i < b; i++)
			fprintf(p->f, "%.1f,%.1f ", middle(p, i),
			    py(p, (double)x->in[i].hi));
		for (unsigned i = b; i-- > a;)
			fprintf(p->f, "%.1f,%.1f ", middle(p, i),
			    py(p, (double)x->in[i].lo));
		fputs("\"/>", p->f);
	}
	fprintf(p->f, "<polyline class=\"line c%u\" points=\"", colour);
	for (unsigned i = a; i < b; i++) {
		double y = py(p, x->in[i].sum / x->in[i].weight);

		/* one alone is a dash as long as it lasts */
		fprintf(p->f, "%.1f,%.1f ", b - a > 1 ? middle(p, i) :
		    px(p, p->t->bucket[i].from), y);
		if (b - a == 1)
			fprintf(p->f, "%.1f,%.1f ", px(p, p->t->bucket[i].to),
			    y);
	}
	fputs("\"/>", p->f);
}

static void
put_line(const struct picture *p, const struct line *x, unsigned colour)
{
	for (unsigned i = 0; i < p->t->n; i++) {
		unsigned from = i;

		if (!has(x, i))
			continue;
		while (i < p->t->n && has(x, i))
			i++;
		put_run(p, x, from, i, colour);
	}
	for (unsigned i = 0; i < p->t->n; i++) {
		const struct bucket *b = &p->t->bucket[i];

		if (x->in[i].doubt || b->gap)
			fprintf(p->f, "<rect class=\"doubt\" x=\"%.1f\" y=\"0\" "
			    "width=\"%.1f\" height=\"%.0f\"/>", px(p, b->from),
			    fmax(1, px(p, b->to) - px(p, b->from)), HEIGHT);
	}
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
	p.from = t->bucket[0].from;
	p.to = t->bucket[t->n - 1].to;
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
		if (timeline_find(t, shown[i], SCOPE_OF_PACKAGE, 0) != NULL)
			put_picture(&p, shown[i], SCOPE_OF_PACKAGE);
		else if (timeline_find(t, shown[i], SCOPE_OF_NODE, 0) != NULL)
			put_picture(&p, shown[i], SCOPE_OF_NODE);
}
