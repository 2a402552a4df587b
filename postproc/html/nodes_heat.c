/*
 * postproc/html/nodes_heat.c - the heat map of many nodes: a row for each node, with the
 * values of one metric over time as colours.  As an SVG picture, and as JSON for the
 * page's script, which draws any of the metrics.
 */
#include "postproc/html/nodes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/html/markup.h"

#define WIDTH 1000.0
#define SHADES 6                /* classes h0 to h5 of page.css */

unsigned
nodes_heat_metric(const struct nodes *x)
{
	/*
	 * the metric in which the first node stands out most; if none does, a
	 * measure of load
	 */
	if (x->n > 0 && x->node[0].score > 0)
		return x->node[0].metric[x->node[0].worst].metric;
	for (unsigned k = 0; k < x->nmetric; k++)
		if (strcmp(x->metric[k].name, "utilisation") == 0)
			return k;
	return x->nmetric > 0 ? 0 : x->nmetric;
}

/* Finds the least and greatest value of a metric in any bucket; false: it has none. */
static bool
nodes_heat_range_of(const struct nodes *x, unsigned metric, double *lo,
    double *hi)
{
	*lo = *hi = NAN;
	for (unsigned i = 0; i < x->n; i++) {
		const struct node_metric *m = nodes_metric_of(&x->node[i],
		    metric);

		for (unsigned k = 0; m != NULL && k < x->node[i].n; k++) {
			*lo = fmin(*lo, (double)m->at[k]);
			*hi = fmax(*hi, (double)m->at[k]);
		}
	}
	return !isnan(*lo);
}

/* To which of n steps from lo (0) to hi (n - 1) a value is nearest. */
static unsigned
step(double v, double lo, double hi, unsigned n)
{
	double p = hi > lo ? (v - lo) / (hi - lo) * (n - 1) : 0;

	return (unsigned)(p + 0.5);
}

/* A heat map without a script, while it is drawn. */
struct still {
	const struct nodes *nodes;
	FILE *f;
	unsigned metric;
	double lo, hi;          /* least and greatest value */
	double from, span;      /* of the axis: s since 1970, s */
	bool apart;             /* nodes_apart: each row begins at its node's
				 * first sample, as time 0 */
};

/* Draws all values of one shade as one path: a rectangle for each sequence of buckets of
 * this shade without a gap in time. */
static void
put_shade(const struct still *s, unsigned shade)
{
	fprintf(s->f, "<path class=\"h%u\" d=\"", shade);
	for (unsigned i = 0; i < s->nodes->n; i++) {
		const struct nodes_node *d = &s->nodes->node[i];
		const struct node_metric *m = nodes_metric_of(d, s->metric);
		double begin = s->apart || d->wall_first <= 0 ? 0 :
		    d->wall_first - s->from;
		double scale = s->span > 0 ? WIDTH / s->span : 0;

		for (unsigned k = 0; m != NULL && k < d->n; k++) {
			unsigned from = k;

			while (k < d->n && !isnan(m->at[k]) && step(
			    (double)m->at[k], s->lo, s->hi, SHADES) == shade &&
			    (k == from || d->from[k] <= d->to[k - 1]))
				k++;
			if (k == from)
				continue;
			k--;
			fprintf(s->f, "M%.1f %uh%.1fv1H%.1fz",
			    (begin + (double)d->from[from]) * scale, i,
			    (double)(d->to[k] - d->from[from]) * scale,
			    (begin + (double)d->from[from]) * scale);
		}
	}
	fputs("\"/>", s->f);
}

void
nodes_heat_still(const struct nodes *x, unsigned metric, FILE *f)
{
	struct still s = { .nodes = x, .f = f, .metric = metric };
	const struct nodes_metric *m = &x->metric[metric];
	double to;

	if (!nodes_heat_range_of(x, metric, &s.lo, &s.hi))
		return;
	nodes_span(x, &s.from, &to);
	s.apart = nodes_apart(x);
	s.span = s.apart ? nodes_longest(x) : to - s.from;
	fputs("<figure><figcaption>", f);
	markup_text(f, m->text);
	fprintf(f, " <span>(dark %.4g to bright %.4g ", s.lo, s.hi);
	markup_text(f, m->unit);
	fprintf(f, "), a row a node, in the order of the table</span>"
	    "</figcaption><svg class=\"nodes\" role=\"img\" viewBox=\"0 0 "
	    "%.0f %u\" preserveAspectRatio=\"none\" aria-label=\"", WIDTH,
	    x->n);
	markup_text(f, m->text);
	fprintf(f, ", %u nodes against time\">", x->n);
	for (unsigned i = 0; i < SHADES; i++)
		put_shade(&s, i);
	fprintf(f, "</svg><div class=\"ends\"><span>0 s</span><span>%.1f s"
	    "</span></div></figure>\n", s.span);
}

/* Writes the metrics, each with its least and greatest value. */
static void
nodes_heat_put_metrics(const struct nodes *x, FILE *f)
{
	fputs(",\n\"metrics\":[", f);
	for (unsigned k = 0; k < x->nmetric; k++) {
		const struct nodes_metric *m = &x->metric[k];
		double lo, hi;

		nodes_heat_range_of(x, k, &lo, &hi);
		fputs(k > 0 ? ",\n{\"name\":" : "\n{\"name\":", f);
		markup_json(f, m->name);
		fputs(",\"unit\":", f);
		markup_json(f, m->unit);
		fputs(",\"text\":", f);
		markup_json(f, m->text);
		fputs(",\"lo\":", f);
		markup_number(f, lo);
		fputs(",\"hi\":", f);
		markup_number(f, hi);
		putc('}', f);
	}
	putc(']', f);
}

/* Writes a node's values, by number of the metric: a byte for each bucket, 0 for no
 * value, 1 to 255 from the metric's least to its greatest value.  range: these two of
 * each metric. */
static void
nodes_heat_put_values(const struct nodes_node *d, const double *range,
    unsigned char *byte, FILE *f)
{
	const char *between = "";

	fputs(",\"v\":{", f);
	for (unsigned i = 0; i < d->nmetric; i++) {
		const struct node_metric *m = &d->metric[i];
		const double *r = &range[2 * m->metric];

		if (isnan(r[0]))
			continue;
		for (unsigned k = 0; k < d->n; k++)
			byte[k] = isnan(m->at[k]) ? 0 : (unsigned char)(1 +
			    step((double)m->at[k], r[0], r[1], 255));
		fprintf(f, "%s\"%u\":", between, m->metric);
		markup_bytes(f, byte, d->n);
		between = ",";
	}
	fputs("}}", f);
}

/* Writes a node's name, link, and the times of its buckets.  nodes_heat_put_values writes
 * the end of the object. */
static void
nodes_heat_put_node(const struct nodes *x, unsigned i, enum node_pages pages,
    FILE *f)
{
	const struct nodes_node *d = &x->node[i];

	fputs(i > 0 ? ",\n{\"name\":" : "\n{\"name\":", f);
	markup_json(f, d->name);
	fputs(",\"href\":", f);
	if (pages == PAGES_BESIDE)
		markup_json(f, d->file);
	else if (pages == PAGES_HERE)
		fprintf(f, "\"#node-%u\"", i + 1);
	else
		fputs("null", f);
	fputs(",\"begin\":", f);
	if (d->wall_first > 0)
		fprintf(f, "%.6f", d->wall_first);
	else
		fputs("null", f);
	fputs(",\"from\":", f);
	markup_floats(f, d->from, d->n);
	fputs(",\"to\":", f);
	markup_floats(f, d->to, d->n);
}

int
nodes_heat_json(const struct nodes *x, enum node_pages pages, FILE *f)
{
	double *range = calloc(2 * (size_t)x->nmetric + 1, sizeof *range);
	unsigned char *byte = calloc(x->buckets + 1, 1);
	bool room = range != NULL && byte != NULL;
	double from, to;

	nodes_span(x, &from, &to);
	if (room) {
		for (unsigned k = 0; k < x->nmetric; k++)
			nodes_heat_range_of(x, k, &range[2 * k],
			    &range[2 * k + 1]);
		fprintf(f, "\"begin\":%.6f,\"end\":%.6f,\"align\":\"%s\","
		    "\"first\":%u", from, to, nodes_apart(x) ? "start" :
		    "wall", nodes_heat_metric(x));
		nodes_heat_put_metrics(x, f);
		fputs(",\n\"nodes\":[", f);
		for (unsigned i = 0; i < x->n; i++) {
			nodes_heat_put_node(x, i, pages, f);
			nodes_heat_put_values(&x->node[i], range, byte, f);
		}
		fputs("]", f);
	}
	free(range);
	free(byte);
	return room ? 0 : -ENOMEM;
}
