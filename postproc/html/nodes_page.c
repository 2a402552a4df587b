/*
 * postproc/html/nodes_page.c - the page about many nodes, with their heat map.
 */
#include "postproc/html/nodes.h"

#include "lib/printable.h"
#include "postproc/html/markup.h"
#include "postproc/out/table.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the heat map ------------------------------------------------------- */

/*
 * The heat map of many nodes: a row for each node, with the values of one metric over
 * time as colours.  As an SVG picture, and as JSON for the page's script, which draws
 * any of the metrics.
 */

#define WIDTH 1000.0
#define SHADES 6                /* classes h0 to h5 of page.css */

/* nodes_heat_metric - the metric that is shown first; nodes.nmetric: there is none. */
static unsigned
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

/* nodes_heat_still - write the picture of a metric as SVG, the nodes in their order
 * from top to bottom. */
static void
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

/*
 * nodes_heat_json - write members of an object, without its braces:
 *
 *	"begin", "end"  the axis of wall clocks, s since 1970
 *	"align"         "wall": nodes stand at their wall clocks' time; "start": each
 *	                begins at 0
 *	"first"         number of the metric that is shown first
 *	"metrics"       of each its name, unit, text, and the least (lo) and greatest
 *	                (hi) value
 *	"nodes"         of each:
 *	    name, href  null: it has no page; "#node-N": in this file
 *	    begin       s since 1970; null: no wall clock
 *	    from, to    of its buckets, s since its begin: base64 of binary32
 *	    v           by metric, base64 of one byte per bucket: 0: no value, 1 to
 *	                255: lo to hi
 *
 * The pages of the single nodes are nowhere, in this file, or in files beside it.
 * Returns 0, or -ENOMEM.
 */
static int
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

/* ---- the page ----------------------------------------------------------- */

static const char *const scripts[] = { "@tools", "@table", "@nodes" };

#define NAMED 12                /* of the nodes that stand out in a metric, so
                                 * many are named */

struct put {
	const struct nodes *nodes;
	enum node_pages pages;
	FILE *f;
};

/* Writes the name of the i-th node, as a link to its page if there is one. */
static void
nodes_page_put_name(const struct put *p, unsigned i)
{
	const struct nodes_node *d = &p->nodes->node[i];

	if (p->pages == PAGES_HERE)
		fprintf(p->f, "<a href=\"#node-%u\">", i + 1);
	else if (p->pages == PAGES_BESIDE)
		fprintf(p->f, "<a href=\"%s\">", d->file);
	markup_text(p->f, d->name);
	if (p->pages != PAGES_NONE)
		fputs("</a>", p->f);
}

static void
nodes_page_put_number(FILE *f, double v, const char *words)
{
	if (isnan(v))
		fputs("<td class=\"n\">n/a</td>", f);
	else
		fprintf(f, "<td class=\"n\" data-v=\"%.9g\">%s</td>", v, words);
}

static void
nodes_page_put_figure(FILE *f, double v)
{
	char words[400];

	nodes_page_put_number(f, v, figure_text(words, sizeof words, v, 2));
}

static void
put_header(const struct put *p)
{
	const struct nodes *x = p->nodes;
	unsigned far = 0, unsound = 0;
	double from, to;
	FILE *f = p->f;

	nodes_span(x, &from, &to);
	for (unsigned i = 0; i < x->n; i++) {
		far += x->node[i].nfar > 0;
		unsound += x->node[i].left_out > 0;
	}
	fprintf(f, "<header><h1>%u node%s</h1>\n<p>", x->n, plural(x->n));
	if (from > 0) {
		document_when(f, from);
		fputs(" to ", f);
		document_when(f, to);
		fputs(" UTC, by their wall clocks", f);
	} else {
		fputs("No node's dump has a wall clock", f);
	}
	fprintf(f, "</p>\n<p class=\"verdict%s\">%u of them stand%s out in some "
	    "metric; data of %u %s left out deltas</p></header>\n",
	    far + unsound > 0 ? " wrong" : "", far, far == 1 ? "s" : "",
	    unsound, unsound == 1 ? "has" : "have");
}

/* Writes in what the nodes differ, how accurate their clocks are, and which dumps could
 * not be read. */
static int
nodes_page_put_differences(const struct put *p, const struct nodes_lost *lost)
{
	const struct nodes *x = p->nodes;
	struct trait_list l = { calloc(x->n + 1, sizeof *l.of),
	    calloc(x->n + 1, sizeof *l.host), x->n };
	bool room = l.of != NULL && l.host != NULL;
	char words[1000] = "";
	FILE *f = p->f;

	for (unsigned i = 0; room && i < x->n; i++) {
		l.of[i] = &x->node[i].traits;
		l.host[i] = x->node[i].name;
	}
	fputs("<section aria-labelledby=\"h-differ\"><h2 id=\"h-differ\">"
	    "Provenance</h2>\n<ul id=\"differ\">\n", f);
	for (unsigned i = 0; i < lost->n; i++) {
		fputs("<li class=\"wrong\">Not on this page: ", f);
		markup_text(f, lost->text[i]);
		fputs("</li>\n", f);
	}
	for (enum trait k = 0; room && k < TRAITS; k++)
		if (traits_differ(&l, k, words, sizeof words)) {
			fputs("<li>Nodes differ in ", f);
			markup_text(f, words);
			fputs("</li>\n", f);
		}
	if (room)
		traits_clocks(&l, words, sizeof words);
	fputs("<li>All times are those of each node's own wall clock.", f);
	if (nodes_apart(x))
		fputs(" These are so far apart that nodes are shown since each "
		    "one's beginning.", f);
	markup_text(f, words);
	fputs("</li>\n</ul></section>\n", f);
	free(l.of);
	free(l.host);
	return room ? 0 : -ENOMEM;
}

static void
nodes_page_put_node(const struct put *p, unsigned i, double from)
{
	const struct nodes_node *d = &p->nodes->node[i];
	const struct node_metric *m = &d->metric[d->worst];
	char words[40];
	FILE *f = p->f;

	fprintf(f, "<tr><td class=\"n\">%u</td><th scope=\"row\">", i + 1);
	nodes_page_put_name(p, i);
	fputs("</th>", f);
	snprintf(words, sizeof words, d->score >= 1000 ? "\xe2\x89\xa5\xe2\x80"
	    "\xaf%.0f" : "%.1f", d->score);
	nodes_page_put_number(f, d->score, words);
	fputs(d->nfar > 0 ? "<td class=\"wrong\">" : isnan(d->score) ?
	    "<td class=\"few\">" : "<td>", f);
	if (!isnan(d->score) && d->score > 0) {
		const struct nodes_metric *k = &p->nodes->metric[m->metric];

		fputs("<span title=\"", f);
		markup_text(f, k->text);
		fputs("\">", f);
		markup_text(f, k->name);
		fputs("</span></td>", f);
		nodes_page_put_figure(f, m->value);
		fputs("<td class=\"unit\">", f);
		markup_text(f, k->unit);
		fputs("</td>", f);
	} else {
		fputs(isnan(d->score) ? "(too few of its CPU)" : "",
		    f);
		fputs("</td><td></td><td></td>", f);
	}
	fprintf(f, "<td class=\"n\">%u</td>", d->nfar);
	snprintf(words, sizeof words, "%.3f", d->wall_first - from);
	nodes_page_put_number(f,
	    d->wall_first > 0 ? d->wall_first - from : (double)NAN, words);
	snprintf(words, sizeof words, "%.2f", d->seconds);
	nodes_page_put_number(f, d->seconds, words);
	fprintf(f, "<td class=\"n\">%" PRIu64 "</td><td class=\"n\">%" PRIu64
	    "</td><td class=\"n\">%" PRIu64 "</td></tr>\n", d->samples,
	    d->left_out, d->findings);
}

static void
put_nodes(const struct put *p)
{
	double from, to;
	FILE *f = p->f;

	nodes_span(p->nodes, &from, &to);
	fputs("<section aria-labelledby=\"h-nodes\"><h2 id=\"h-nodes\">Nodes, "
	    "who stands out most first</h2>\n<p>How far out: of a node's "
	    "metrics the one that is farthest from the median of the nodes of "
	    "its CPU, divided by how far those usually are (1.4826 times the "
	    "median absolute deviation; at least 1/70 of the median). More than "
	    "3.5 stands out; of fewer than three nodes of a CPU none does.</p>\n"
	    "<div class=\"wide\" tabindex=\"0\" role=\"region\" "
	    "aria-label=\"Table of nodes\"><table id=\"nodes\" "
	    "class=\"sorts\"><thead><tr><th scope=\"col\" class=\"n\">Rank</th>"
	    "<th scope=\"col\">Node</th><th scope=\"col\" class=\"n\">How far "
	    "out</th><th scope=\"col\">Farthest in</th><th scope=\"col\" "
	    "class=\"n\">Its value</th><th scope=\"col\">Unit</th>"
	    "<th scope=\"col\" class=\"n\">Metrics out</th>"
	    "<th scope=\"col\" class=\"n\">Begins, s</th><th scope=\"col\" "
	    "class=\"n\">Lasts, s</th><th scope=\"col\" class=\"n\">Samples"
	    "</th><th scope=\"col\" class=\"n\">Left out</th>"
	    "<th scope=\"col\" class=\"n\">Findings</th></tr></thead><tbody>\n",
	    f);
	for (unsigned i = 0; i < p->nodes->n; i++)
		nodes_page_put_node(p, i, from);
	fputs("</tbody></table></div></section>\n", f);
}

static bool
is_far(const struct nodes *x, unsigned node, unsigned metric)
{
	const struct node_metric *m = nodes_metric_of(&x->node[node], metric);

	return m != NULL && m->score > SPREAD_FAR;
}

/* Writes how many nodes stand out in a metric, and the names of the first ones. */
static void
put_far(const struct put *p, unsigned metric)
{
	const char *between = "";
	unsigned far = 0;

	for (unsigned i = 0; i < p->nodes->n; i++) {
		if (!is_far(p->nodes, i, metric) || far++ >= NAMED)
			continue;
		fputs(between, p->f);
		nodes_page_put_name(p, i);
		between = " ";
	}
	if (far > NAMED)
		fprintf(p->f, " and %u more", far - NAMED);
}

static void
nodes_page_put_metric(const struct put *p, unsigned k)
{
	const struct nodes_metric *m = &p->nodes->metric[k];
	FILE *f = p->f;

	fputs("<tr><th scope=\"row\">", f);
	markup_text(f, m->name);
	fputs("</th><td class=\"note\">", f);
	markup_text(f, m->text);
	fputs("</td><td class=\"unit\">", f);
	markup_text(f, m->unit);
	fprintf(f, "</td><td class=\"n\">%u</td>", m->spread.n);
	nodes_page_put_figure(f, m->spread.least);
	nodes_page_put_figure(f, m->spread.median);
	nodes_page_put_figure(f, m->spread.most);
	fputs("<td>", f);
	put_far(p, k);
	fputs("</td></tr>\n", f);
}

/* Prints the metrics in which a node stands out, then the others. */
static void
nodes_page_put_metrics(const struct put *p)
{
	const struct nodes *x = p->nodes;
	FILE *f = p->f;

	fputs("<section aria-labelledby=\"h-metrics\"><h2 id=\"h-metrics\">"
	    "Metrics, first those that somebody stands out in</h2>\n"
	    "<div class=\"wide\" tabindex=\"0\" role=\"region\" "
	    "aria-label=\"Table of metrics\"><table id=\"metrics\" "
	    "class=\"sorts\">"
	    "<thead><tr><th scope=\"col\">Metric</th><th scope=\"col\">What it "
	    "is</th><th scope=\"col\">Unit</th><th scope=\"col\" class=\"n\">"
	    "Nodes</th><th scope=\"col\" class=\"n\">Least</th><th "
	    "scope=\"col\" class=\"n\">Median</th><th scope=\"col\" "
	    "class=\"n\">Greatest</th><th scope=\"col\">Who stands out</th>"
	    "</tr></thead><tbody>\n", f);
	for (unsigned far = 2; far-- > 0;)
		for (unsigned k = 0; k < x->nmetric; k++) {
			unsigned i = 0;

			while (i < x->n && !is_far(x, i, k))
				i++;
			if ((i < x->n) == far)
				nodes_page_put_metric(p, k);
		}
	fputs("</tbody></table></div></section>\n", f);
}

static void
put_heat(const struct put *p)
{
	unsigned metric = nodes_heat_metric(p->nodes);

	fputs("<section aria-labelledby=\"h-heat\"><h2 id=\"h-heat\">Nodes "
	    "against time</h2>\n<div id=\"stills\">\n", p->f);
	if (metric < p->nodes->nmetric)
		nodes_heat_still(p->nodes, metric, p->f);
	fputs("</div><div id=\"map\"></div></section>\n", p->f);
}

/* Writes each node's page, as a document inside this one. */
static void
put_pages(const struct put *p)
{
	FILE *f = p->f;

	fputs("<section aria-labelledby=\"h-pages\"><h2 id=\"h-pages\">Pages "
	    "of nodes</h2>\n", f);
	if (p->pages == PAGES_NONE)
		fputs("<p>They are too many for one file: tally page -o "
		    "FOLDER/ makes a file of each.</p>\n", f);
	for (unsigned i = 0; p->pages == PAGES_HERE && i < p->nodes->n; i++) {
		const struct nodes_node *d = &p->nodes->node[i];

		fprintf(f, "<details id=\"node-%u\" class=\"node\"><summary>",
		    i + 1);
		markup_text(f, d->name);
		fputs("</summary><iframe loading=\"lazy\" title=\"Page of ", f);
		markup_text(f, d->name);
		fputs("\" srcdoc=\"", f);
		markup_document(f, d->page, d->page_size);
		fputs("\"></iframe></details>\n", f);
	}
	fputs("</section>\n", f);
}

int
nodes_page_put(const struct nodes *x, enum node_pages pages,
    const struct nodes_lost *lost, FILE *f)
{
	struct put p = { x, pages, f };
	char title[40];
	int rc;

	snprintf(title, sizeof title, "%u node%s", x->n, plural(x->n));
	document_begin(f, title, "page");
	put_header(&p);
	fputs("<main>\n", f);
	if ((rc = nodes_page_put_differences(&p, lost)) < 0)
		return rc;
	put_nodes(&p);
	put_heat(&p);
	nodes_page_put_metrics(&p);
	/* the script stands before the pages, which are long: so it runs while
	 * these are still loading */
	fputs("<script type=\"application/json\" id=\"data\">{", f);
	rc = nodes_heat_json(x, pages, f);
	fputs("}</script>\n", f);
	document_scripts(f, scripts, sizeof scripts / sizeof *scripts);
	if (pages != PAGES_BESIDE)
		put_pages(&p);
	fputs("</main>\n", f);
	document_end(f);
	return rc;
}
