/*
 * postproc/html/roofline.c - the section of the page about the roofline: ceilings, the
 * figures of node and packages, and the picture as inline SVG.
 */
#include "postproc/html/parts.h"

#include "config/texts.h"
#include "postproc/html/markup.h"

#include <math.h>
#include <string.h>

/* ---- as inline SVG ------------------------------------------------------ */

/*
 * A roofline as inline SVG: x in FLOP/byte, y in GFLOP/s, on logarithmic axes of whole
 * decades.
 */

#define LEFT 48.0
#define TOP 26.0
#define WIDE 412.0
#define TALL 254.0
#define DECADES 6               /* of an axis, at most */
#define COLOURS 6               /* classes h0 to h5 of page.css, early to late */

/* A roofline, with axes from one power of 10 to another. */
struct roof_axes {
	const struct roof *r;
	const struct timeline *t;
	FILE *f;
	double x0, x1, y0, y1;
};

/* ceiling_seen - was it measured?  Else it is computed. */
static bool
ceiling_seen(const struct ceiling *c)
{
	return c->source == PEAK_MEASURED || c->source == PEAK_GIVEN;
}

/* ceiling_word - its source: "measured", "given", "probed", "table". */
static const char *
ceiling_word(const struct ceiling *c)
{
	return c->source == PEAK_MEASURED ? "measured" : c->source ==
	    PEAK_GIVEN ? "given" : c->source == PEAK_PROBED ? "probed" :
	    "table";
}

static double
roofline_svg_px(const struct roof_axes *p, double v)
{
	return LEFT + (log10(v) - p->x0) / (p->x1 - p->x0) * WIDE;
}

static double
roofline_svg_py(const struct roof_axes *p, double v)
{
	return TOP + (p->y1 - log10(v)) / (p->y1 - p->y0) * TALL;
}

/* Where the point of a bucket is; false: it is not on these axes. */
static bool
point(const struct roof_axes *p, unsigned i, double *x, double *y)
{
	const struct bucket_value *a = &p->r->intensity->in[i];
	const struct bucket_value *b = &p->r->flops->in[i];

	*x = a->weight > 0 ? a->sum / a->weight : 0;
	*y = b->weight > 0 ? b->sum / b->weight : 0;
	return *x > 0 && *y > 0;
}

static bool
inside(const struct roof_axes *p, double x, double y)
{
	return log10(x) >= p->x0 && log10(x) <= p->x1 && log10(y) >= p->y0 &&
	    log10(y) <= p->y1;
}

/* Chooses the decades of an axis.  There are at most DECADES: idle times are left out, as
 * they would make the rest small. */
static void
decades(double least, double most, double *from, double *to)
{
	*to = most > 0 ? ceil(log10(most) + 0.05) : 2;
	*from = least > 0 && least < INFINITY ? floor(log10(least)) : *to - 3;
	*from = fmin(fmax(*from, *to - DECADES), *to - 2);
}

static void
find_axes(struct roof_axes *p)
{
	const struct roof *r = p->r;
	double ridge = r->compute / r->memory;
	double xl = INFINITY, xh = 0, yl = INFINITY, yh = 0, x, y;

	for (unsigned i = 0; i < p->t->n; i++) {
		if (!point(p, i, &x, &y))
			continue;
		xl = fmin(xl, x);
		xh = fmax(xh, x);
		yl = fmin(yl, y);
		yh = fmax(yh, y);
	}
	for (unsigned i = 0; i < r->n; i++)
		if (!r->ceiling[i].memory)
			yh = fmax(yh, r->ceiling[i].value);
	decades(isnan(ridge) ? xl : fmin(xl, ridge / 10),
	    isnan(ridge) ? xh : fmax(xh, ridge * 3), &p->x0, &p->x1);
	decades(yl, yh, &p->y0, &p->y1);
}

static void
roofline_svg_put_grid(const struct roof_axes *p)
{
	for (double k = p->x0; k <= p->x1; k++) {
		double x = roofline_svg_px(p, pow(10, k));

		fprintf(p->f, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>"
		    "<text x=\"%.1f\" y=\"%.1f\" class=\"mid\">%g</text>", x,
		    TOP, TOP + TALL, x, TOP + TALL + 16, pow(10, k));
	}
	for (double k = p->y0; k <= p->y1; k++) {
		double y = roofline_svg_py(p, pow(10, k));

		fprintf(p->f, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>"
		    "<text x=\"%.1f\" y=\"%.1f\" class=\"end\">%g</text>",
		    LEFT, y, LEFT + WIDE, LEFT - 5, y + 3, pow(10, k));
	}
	fprintf(p->f, "<text x=\"4\" y=\"13\">GFLOP/s</text><text x=\"%.1f\" "
	    "y=\"%.1f\" class=\"mid\">FLOP/byte of DRAM</text>",
	    LEFT + WIDE / 2, TOP + TALL + 33);
}

/* Draws a ceiling of DRAM: a slope up to the highest ceiling of the cores, with its name
 * along it. */
static void
put_slope(const struct roof_axes *p, const struct ceiling *c, bool below)
{
	double top = isnan(p->r->compute) ? pow(10, p->y1) : p->r->compute;
	double x0 = fmax(pow(10, p->x0), pow(10, p->y0) / c->value);
	double x1 = fmin(pow(10, p->x1), top / c->value);
	double a = roofline_svg_px(p, x0),
	    b = roofline_svg_py(p, x0 * c->value);

	if (!(x1 > x0))
		return;
	fprintf(p->f, "<path class=\"roof%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>"
	    "<text transform=\"translate(%.1f %.1f) rotate(%.1f)\" x=\"6\" "
	    "y=\"%d\">", ceiling_seen(c) ? "" : " computed", a, b,
	    roofline_svg_px(p, x1),
	    roofline_svg_py(p, x1 * c->value), a, b,
	    atan2(roofline_svg_py(p, x1 * c->value) - b,
	    roofline_svg_px(p, x1) - a) * 180 / M_PI, below ? 12 : -4);
	markup_text(p->f, c->text);
	fprintf(p->f, " %.4g GB/s, %s</text>", c->value, ceiling_word(c));
}

/* Draws a ceiling of the cores: a level line from the intensity at which DRAM is fast
 * enough for it. */
static void
put_level(const struct roof_axes *p, const struct ceiling *c)
{
	double from = isnan(p->r->memory) ? pow(10, p->x0) :
	    fmax(pow(10, p->x0), c->value / p->r->memory);
	double y = roofline_svg_py(p, c->value);

	if (!inside(p, pow(10, p->x1), c->value))
		return;
	fprintf(p->f, "<path class=\"roof%s\" d=\"M%.1f %.1fH%.1f\"/>"
	    "<text x=\"%.1f\" y=\"%.1f\" class=\"end\">", ceiling_seen(c) ? "" :
	    " computed", roofline_svg_px(p, from), y, LEFT + WIDE,
	    LEFT + WIDE - 2, y - 3);
	markup_text(p->f, c->text);
	fprintf(p->f, ": %.4g</text>", c->value);
}

/* Draws the points; returns how many buckets have none. */
static unsigned
put_points(const struct roof_axes *p)
{
	unsigned without = 0;
	double x, y;

	for (unsigned i = 0; i < p->t->n; i++)
		if (!point(p, i, &x, &y) || !inside(p, x, y))
			without++;
		else
			fprintf(p->f, "<circle class=\"h%u\" data-b=\"%u\" "
			    "cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>",
			    i * COLOURS / p->t->n, i, roofline_svg_px(p, x),
			    roofline_svg_py(p, y));
	if (p->r->x > 0 && p->r->y > 0 && inside(p, p->r->x, p->r->y))
		fprintf(p->f, "<path class=\"all\" d=\"M%.1f %.1fl7 7l-7 7l-7 "
		    "-7z\"/>", roofline_svg_px(p, p->r->x),
		    roofline_svg_py(p, p->r->y) - 7);
	return without;
}

/* roof_svg - draw it, with logarithmic axes and a point for each bucket of time.
 * Returns how many buckets have no point: nothing was computed or moved, or so little
 * that the axes do not reach down to it. */
static unsigned
roof_svg(const struct roof *r, const struct timeline *t, FILE *f)
{
	struct roof_axes p = { .r = r, .t = t, .f = f };
	unsigned slopes = 0, without;

	find_axes(&p);
	fprintf(f, "<svg role=\"img\" viewBox=\"0 0 480 320\" data-x0=\"%g\" "
	    "data-x1=\"%g\" data-y0=\"%g\" data-y1=\"%g\" aria-label=\""
	    "Roofline of %s: %.4g GFLOP/s at %.4g FLOP/byte over all samples; "
	    "the tables below have the rest\">", p.x0, p.x1, p.y0, p.y1,
	    r->name, r->y, r->x);
	roofline_svg_put_grid(&p);
	/* slopes are drawn last, so that names of levels stand behind them */
	for (unsigned i = 0; i < r->n; i++)
		if (r->ceiling[i].memory)
			put_slope(&p, &r->ceiling[i], slopes++ > 0);
	for (unsigned i = 0; i < r->n; i++)
		if (!r->ceiling[i].memory)
			put_level(&p, &r->ceiling[i]);
	without = put_points(&p);
	fputs("</svg>", f);
	return without;
}

/* ---- what is drawn ------------------------------------------------------ */

#define MOST_PACKAGES 8         /* with more, only the node is shown */

/* The items of the view's statement `roofline`. */
enum { OF_FLOPS, OF_INTENSITY, OF_CLOCK };

static const char *
roofline_metric(const struct page *p, unsigned i)
{
	const struct view_line *x = view_next(&p->view, VIEW_ROOFLINE, NULL);

	return x != NULL && i < x->nitem ? x->item[i].metric : "";
}

/* The greatest possible GFLOP/s at an intensity; NaN: not known. */
static double
roof_bound(const struct roof *r, double intensity)
{
	double slope = r->memory * intensity;

	return isnan(r->compute) || isnan(slope) ? (double)NAN :
	    fmin(r->compute, slope);
}

/* ---- ceilings ---- */

/* Does the site give the peak of its cores?  Then a table's does not matter. */
static bool
given_cores(const struct roof *r)
{
	for (unsigned i = 0; i < r->n; i++)
		if (!r->ceiling[i].memory && ceiling_seen(&r->ceiling[i]))
			return true;
	return false;
}

static void
roofline_add(struct roof *r, struct ceiling c)
{
	if (!(c.value > 0) || r->n == ROOF_CEILINGS)
		return;
	if (!c.memory)
		r->compute = given_cores(r) ? r->compute : ceiling_seen(&c) ?
		    c.value : fmax(r->compute, c.value);
	else if (ceiling_seen(&c) || r->n == 0 || !ceiling_seen(&r->ceiling[0]))
		r->memory = ceiling_seen(&c) ? c.value : fmax(r->memory,
		    c.value);
	r->ceiling[r->n++] = c;
}

/* The peak of DRAM that was measured or that the configuration gives. */
static struct peak
dram(const struct page *p, enum scope scope, unsigned k)
{
	return peak_dram(p->gather.reader, scope == SCOPE_OF_NODE ? -1 : (int)k,
	    p->gather.topo.npkg, 0);
}

/* The i-th metric, if it is called ceiling_...; its unit tells whether it is of the cores
 * or of DRAM.  Else NULL. */
static const struct metric *
ceiling_of(const struct page *p, unsigned i)
{
	const struct metric *m = metrics_at(&p->metrics, i);

	return strncmp(m->name, "ceiling_", 8) == 0 ? m : NULL;
}

static bool
is_memory(const struct metric *m)
{
	return strcmp(m->unit, "GB/s") == 0;
}

/* The highest clock of any unit in any interval, GHz; NaN: not known. */
static double
clock_of(const struct timeline *t, const char *clock)
{
	double ghz = NAN;

	for (unsigned i = 0; i < t->nline; i++)
		for (unsigned k = 0; k < t->n && strcmp(clock,
		    t->metric[t->line[i].metric].metric->name) == 0; k++)
			ghz = fmax(ghz, (double)t->line[i].in[k].hi);
	return ghz;
}

static void
find_ceilings(struct page *p, const struct timeline *t, struct roof *r,
    enum scope scope, unsigned k)
{
	struct peak most = dram(p, scope, k);
	struct peak cores = peak_flops(p->gather.reader);
	unsigned bound;
	double v;

	r->compute = r->memory = NAN;
	roofline_add(r, (struct ceiling){ "DRAM", most.source == PEAK_GIVEN ?
	    most.whence : "tallyd --measure-dram-bandwidth, at start",
	    most.value / 1e9, true, most.source });
	if (scope == SCOPE_OF_NODE)
		roofline_add(r, (struct ceiling){ "Cores", cores.whence,
		    cores.value / 1e9, false, cores.source });
	for (unsigned i = 0; i < p->metrics.n; i++) {
		const struct metric *m = ceiling_of(p, i);

		if (m == NULL || !page_bind(p, m->name, &bound))
			continue;
		v = page_figure(p, bound, scope, k).value;
		if (strcmp(m->unit, "FLOP/cycle") == 0)
			v *= clock_of(t, roofline_metric(p, OF_CLOCK));
		roofline_add(r,
		    (struct ceiling){ m->text, m->note, v, is_memory(m),
		    is_memory(m) ? PEAK_PROBED : PEAK_TABLE });
	}
}

/* Writes a ceiling that is left out, and why; before the first one, a heading. */
static void
put_left_out(const char *text, const char *why, bool *any, FILE *f)
{
	fputs(*any ? "" : "<p>Ceilings that are left out:</p><ul>\n", f);
	*any = true;
	fputs("<li>", f);
	markup_text(f, text);
	fputs(": ", f);
	markup_text(f, why);
	fputs(".</li>\n", f);
}

static void
put_all_left_out(struct page *p, FILE *f)
{
	bool memory = false, cores = false, any = false;
	char text[128], why[200];
	unsigned bound;

	if (dram(p, SCOPE_OF_NODE, 0).source == PEAK_UNKNOWN)
		put_left_out("DRAM, measured", "not in the dump; tallyd "
		    "--measure-dram-bandwidth measures it at start", &any, f);
	for (unsigned i = 0; i < p->metrics.n; i++) {
		const struct metric *m = ceiling_of(p, i);
		const struct binding *b = &p->gather.binding;

		if (m == NULL)
			continue;
		memory |= is_memory(m);
		cores |= !is_memory(m);
		if (page_bind(p, m->name, &bound))
			continue;
		snprintf(text, sizeof text, "%s, computed", m->text);
		snprintf(why, sizeof why, "the dump lacks %s",
		    b->bound[bound].nmissing > 0 ?
		    b->bound[bound].missing[0] : "its inputs");
		put_left_out(text, why, &any, f);
	}
	if (!memory)
		put_left_out("DRAM, computed", "nothing that is counted on this "
		    "CPU says how fast its memory channels are", &any, f);
	if (!cores)
		put_left_out("Cores", "what they can do in a cycle is in no "
		    "list of metrics", &any, f);
	fputs(any ? "</ul>" : "", f);
}

/* ---- the section ---- */

static void
put_ceilings(const struct roof *r, FILE *f)
{
	fputs("<table><thead><tr><th scope=\"col\">Ceiling</th><th "
	    "scope=\"col\" class=\"n\">Value</th><th scope=\"col\">Unit</th>"
	    "<th scope=\"col\">Whence</th></tr></thead><tbody>\n", f);
	for (unsigned i = 0; i < r->n; i++) {
		const struct ceiling *c = &r->ceiling[i];

		fputs("<tr><th scope=\"row\">", f);
		markup_text(f, c->text);
		fprintf(f, "</th><td class=\"n\">%.4g</td><td class=\"unit\">"
		    "%s</td><td class=\"note\">%s: ", c->value, c->memory ?
		    "GB/s" : "GFLOP/s", ceiling_word(c));
		markup_text(f, c->note != NULL ? c->note : "");
		fputs("</td></tr>\n", f);
	}
	fputs("</tbody></table>\n", f);
}

static void
roofline_put_number(double v, FILE *f)
{
	if (isfinite(v))
		fprintf(f, "<td class=\"n\">%.4g</td>", v);
	else
		fputs("<td class=\"n\">n/a</td>", f);
}

static void
roofline_put_figures(const struct roof *r, double x, double y, FILE *f)
{
	roofline_put_number(x, f);
	roofline_put_number(y, f);
	roofline_put_number(roof_bound(r, x), f);
	roofline_put_number(100 * y / roof_bound(r, x), f);
}

static void
roofline_put_heads(const char *first, FILE *f)
{
	fprintf(f, "<thead><tr><th scope=\"col\">%s</th>"
	    "<th scope=\"col\" class=\"n\">FLOP/byte</th>"
	    "<th scope=\"col\" class=\"n\">GFLOP/s</th>"
	    "<th scope=\"col\" class=\"n\">Ceiling there</th>"
	    "<th scope=\"col\" class=\"n\">%% of it</th></tr></thead><tbody>\n",
	    first);
}

static void
put_buckets(const struct roof *r, const struct timeline *t, FILE *f)
{
	fputs("<details><summary>Points as a table</summary><table>", f);
	roofline_put_heads("Seconds", f);
	for (unsigned i = 0; i < t->n; i++) {
		const struct bucket_value *x = &r->intensity->in[i];
		const struct bucket_value *y = &r->flops->in[i];

		fprintf(f, "<tr><th scope=\"row\">%.2f to %.2f</th>",
		    t->bucket[i].from, t->bucket[i].to);
		roofline_put_figures(r, x->weight > 0 ? x->sum / x->weight :
		    (double)NAN, y->weight > 0 ? y->sum / y->weight :
		    (double)NAN, f);
		fputs("</tr>\n", f);
	}
	fputs("</tbody></table></details>", f);
}

static void
put_roof(const struct roof *r, const struct timeline *t, FILE *f)
{
	unsigned without;

	fprintf(f, "<figure class=\"roofline\" data-name=\"%s\" data-x=\"%td\" "
	    "data-y=\"%td\" data-compute=\"%.9g\" data-memory=\"%.9g\">"
	    "<figcaption><b>%s</b></figcaption>\n", r->name,
	    r->intensity - t->line, r->flops - t->line,
	    isnan(r->compute) ? 0 : r->compute, isnan(r->memory) ? 0 :
	    r->memory, r->name);
	without = roof_svg(r, t, f);
	if (without > 0)
		fprintf(f, "<p class=\"note\">%u of %u buckets have no point: "
		    "nothing, or next to nothing, was computed or moved.</p>\n",
		    without, t->n);
	fputs("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\""
	    "Figures and ceilings\"><table class=\"chosen\">", f);
	roofline_put_heads("Of", f);
	fputs("<tr><th scope=\"row\">All samples</th>", f);
	roofline_put_figures(r, r->x, r->y, f);
	fputs("</tr>\n</tbody></table>\n", f);
	put_ceilings(r, f);
	put_buckets(r, t, f);
	fputs("</div></figure>\n", f);
}

static bool
find_roof(struct page *p, const struct timeline *t, struct roof *r,
    enum scope scope, unsigned k)
{
	const char *flops = roofline_metric(p, OF_FLOPS);
	const char *intensity = roofline_metric(p, OF_INTENSITY);
	unsigned bound;

	*r = (struct roof){ .flops = timeline_find(t, flops, scope, k),
	    .intensity = timeline_find(t, intensity, scope, k) };
	if (r->flops == NULL || r->intensity == NULL)
		return false;
	snprintf(r->name, sizeof r->name, "%s%s%s", scope_name(scope),
	    r->flops->where[0] ? " " : "", r->flops->where);
	if (!page_bind(p, flops, &bound))
		return false;
	r->y = page_figure(p, bound, scope, k).value;
	if (!page_bind(p, intensity, &bound))
		return false;
	r->x = page_figure(p, bound, scope, k).value;
	find_ceilings(p, t, r, scope, k);
	return true;
}

/* Writes why there is no roofline, and what to count. */
static void
put_why(struct page *p, FILE *f)
{
	const char *model = head_text(p->gather.reader, HEAD_MODEL, ALONE,
	    "skx");
	char list[80];

	snprintf(list, sizeof list, "@flops-%s.conf", model);
	fputs("<p>No roofline: ", f);
	if (metrics_find(&p->metrics, roofline_metric(p, OF_FLOPS)) == NULL)
		fputs("this CPU has no event that counts floating-point "
		    "operations, or none that tally knows.", f);
	else if (text_named(list, TEXT_CONFIG) != NULL) {
		fputs("floating-point operations or bytes of DRAM were not "
		    "counted; tallyd --config ", f);
		markup_text(f, list);
		fputs(" counts them.", f);
	} else
		fputs("floating-point operations or bytes of DRAM were not "
		    "counted; tally metrics --list says which events that "
		    "takes.", f);
	fputs("</p>\n", f);
}

void
roofline_put(struct page *p, const struct timeline *t, FILE *f)
{
	struct roof r;

	if (view_next(&p->view, VIEW_ROOFLINE, NULL) == NULL)
		return;
	fputs("<section aria-labelledby=\"h-roof\"><h2 id=\"h-roof\">Roofline"
	    "</h2>\n", f);
	if (!find_roof(p, t, &r, SCOPE_OF_NODE, 0)) {
		put_why(p, f);
		fputs("</section>\n", f);
		return;
	}
	fputs("<p>A point is a bucket of time, from dark (early) to bright "
	    "(late); the diamond is all of it.  A point near the slope wants "
	    "memory bandwidth, one below the level lines wants the cores.  "
	    "Dashed ceilings are computed, not measured: probed, of the clock "
	    "that a counter shows, or of a table of what the cores can do in "
	    "one.</p>\n<div id=\"roofs\">\n", f);
	put_roof(&r, t, f);
	for (unsigned k = 0; p->gather.topo.npkg <= MOST_PACKAGES &&
	    p->gather.topo.npkg > 1 && k < p->gather.topo.npkg; k++)
		if (find_roof(p, t, &r, SCOPE_OF_PACKAGE, k))
			put_roof(&r, t, f);
	fputs("</div>\n", f);
	put_all_left_out(p, f);
	fputs("</section>\n", f);
}
