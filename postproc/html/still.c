/*
 * postproc/html/still.c - pictures of metrics over time as inline SVG.
 */
#include "postproc/html/parts.h"

#include <math.h>
#include <string.h>

#include "postproc/html/markup.h"

#define WIDTH 720.0
#define HEIGHT 120.0
#define TICKS 3                 /* steps of the axis of values, at most */

struct picture {
	const struct timeline *t;
	const struct phases *phases;
	FILE *f;
	double lo, hi, step, from, to;
	unsigned coarse, n;     /* a point is of 2^coarse buckets; n points */
};

static double
still_px(const struct picture *p, double at)
{
	return p->to > p->from ? (at - p->from) / (p->to - p->from) * WIDTH : 0;
}

static double
still_py(const struct picture *p, double v)
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
	return still_px(p, p->t->bucket[i << p->coarse].from);
}

static double
to(const struct picture *p, unsigned i)
{
	unsigned end = (i + 1) << p->coarse;

	return still_px(p,
	    p->t->bucket[end < p->t->n ? end - 1 : p->t->n - 1].to);
}

static double
still_middle(const struct picture *p, unsigned i)
{
	return (from(p, i) + to(p, i)) / 2;
}

static bool
still_has(const struct picture *p, const struct line *x, unsigned i)
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

/* The mean of a point plus (side is 1) or minus (-1) its standard error; not below 0
 * where the mean is not. */
static double
error_end(const struct bucket_value *v, int side)
{
	double mean = v->weight > 0 ? v->sum / v->weight : 0;
	double end = mean + side * timeline_error(v);

	return mean >= 0 && end < 0 ? 0 : end;
}

/* Draws a band of one standard error on either side of a line. */
static void
put_errors_band(const struct picture *p, const struct line *x, unsigned a,
    unsigned b, unsigned colour)
{
	fprintf(p->f, "<polygon class=\"error c%u\" points=\"", colour);
	for (unsigned i = a; i < b; i++) {
		struct bucket_value v = at(p, x, i);

		markup_point(p->f, still_middle(p, i),
		    still_py(p, error_end(&v, 1)));
	}
	for (unsigned i = b; i-- > a;) {
		struct bucket_value v = at(p, x, i);

		markup_point(p->f, still_middle(p, i),
		    still_py(p, error_end(&v, -1)));
	}
	fputs("\"/>", p->f);
}

/* Draws the points from a to b, which all have values: bands, and the line. */
static void
put_run(const struct picture *p, const struct line *x, unsigned a, unsigned b,
    unsigned colour)
{
	if (p->t->per > 1 || p->coarse > 0) {
		fprintf(p->f, "<polygon class=\"band c%u\" points=\"", colour);
		for (unsigned i = a; i < b; i++)
			markup_point(p->f, still_middle(p, i),
			    still_py(p, (double)at(p, x, i).hi));
		for (unsigned i = b; i-- > a;)
			markup_point(p->f, still_middle(p, i),
			    still_py(p, (double)at(p, x, i).lo));
		fputs("\"/>", p->f);
	}
	if (timeline_unsure(p->t, x))
		put_errors_band(p, x, a, b, colour);
	fprintf(p->f, "<polyline class=\"line c%u\" points=\"", colour);
	for (unsigned i = a; i < b; i++) {
		struct bucket_value v = at(p, x, i);
		double y = still_py(p, v.sum / v.weight);

		/* a single point becomes a dash as long as its time */
		markup_point(p->f, b - a > 1 ? still_middle(p, i) :
		    from(p, i), y);
		if (b - a == 1)
			markup_point(p->f, to(p, i), y);
	}
	fputs("\"/>", p->f);
}

static void
still_put_line(const struct picture *p, const struct line *x, unsigned colour)
{
	for (unsigned i = 0; i < p->n; i++) {
		unsigned first = i;

		if (!still_has(p, x, i))
			continue;
		while (i < p->n && still_has(p, x, i))
			i++;
		put_run(p, x, first, i, colour);
	}
	for (unsigned i = 0; i < p->n; i++)
		if (at(p, x, i).doubt || is_gap(p, i))
			fprintf(p->f, "<rect class=\"doubt\" x=\"%.1f\" y=\"0\" "
			    "width=\"%.1f\" height=\"%.0f\"/>", from(p, i),
			    fmax(1, to(p, i) - from(p, i)), HEIGHT);
}

/* The step of an axis: 1, 2 or 5 times a power of ten, so that there are about TICKS. */
static double
step_of(double range)
{
	double power = pow(10, floor(log10(range / TICKS)));

	for (unsigned i = 0; i < 3; i++) {
		static const double times[] = { 1, 2, 5 };

		if (range / (times[i] * power) <= TICKS + 1e-9)
			return times[i] * power;
	}
	return 10 * power;
}

/* Finds the range of the axis of values, in whole steps; it includes 0. */
static void
find_range(struct picture *p, const struct still_chart *s)
{
	double lo = 0, hi = 0;

	for (unsigned k = 0; k < s->n; k++)
		for (unsigned i = 0; i < p->t->n; i++) {
			const struct bucket_value *v = &s->line[k]->in[i];

			lo = fmin(lo, fmin((double)v->lo, error_end(v, -1)));
			hi = fmax(hi, fmax((double)v->hi, error_end(v, 1)));
		}
	p->step = step_of(hi > lo ? hi - lo : 1);
	/* rounding of 100 % to binary32 must not add a step */
	p->lo = floor(lo / p->step + 1e-5) * p->step;
	p->hi = ceil((hi > lo ? hi : lo + 1) / p->step - 1e-5) * p->step;
}

/* Writes values beside the axis, and draws a line across at each. */
static void
put_ticks(const struct picture *p)
{
	int decimals = (int)fmax(0, -floor(log10(p->step) + 1e-9));
	double unit = fabs(p->hi) >= 1e10 ? 1e9 : fabs(p->hi) >= 1e7 ? 1e6 :
	    fabs(p->hi) >= 1e4 ? 1e3 : 1;
	const char *prefix = unit > 1e8 ? "G" : unit > 1e5 ? "M" : unit > 1 ?
	    "k" : "";

	if (unit > 1)
		decimals = (int)fmax(0, -floor(log10(p->step / unit) + 1e-9));
	for (double v = p->lo; v <= p->hi + p->step / 2; v += p->step) {
		double at = fabs(v) < p->step / 2 ? 0 : v;

		fprintf(p->f, "<span class=\"y\" style=\"top:%.2f%%\">%.*f%s"
		    "</span>", still_py(p, at) / HEIGHT * 100, decimals,
		    at / unit, at != 0 ? prefix : "");
	}
}

static void
still_put_grid(const struct picture *p)
{
	for (double v = p->lo; v <= p->hi + p->step / 2; v += p->step)
		fprintf(p->f, "<line class=\"grid\" x1=\"0\" x2=\"%.0f\" "
		    "y1=\"%.1f\" y2=\"%.1f\"/>", WIDTH, still_py(p, v),
		    still_py(p, v));
}

/* Writes the legend: the name of each line, and its figure. */
static void
still_put_key(const struct picture *p, const struct still_chart *s)
{
	fputs("<div class=\"key\">", p->f);
	for (unsigned k = 0; k < s->n; k++) {
		fputs("<span>", p->f);
		if (s->n > 1)
			fprintf(p->f, "<i class=\"dash k%u\"></i> ", k);
		markup_text(p->f, s->name[k]);
		if (isnan(s->line[k]->figure))
			fputs(" <strong>n/a</strong></span> ", p->f);
		else
			/* in whole digits, as the script writes it (tools.js) */
			fprintf(p->f, fabs(s->line[k]->figure) < 1e4 ||
			    fabs(s->line[k]->figure) >= 1e7 ?
			    " <strong>%.4g%.*s</strong></span> " :
			    " <strong>%.0f%.*s</strong></span> ",
			    s->line[k]->figure, s->line[k]->mark != ' ',
			    &s->line[k]->mark);
	}
	fputs("</div>", p->f);
}

static void
put_picture(struct picture *p, const struct still_chart *s)
{
	const struct metric *m = p->t->metric[s->line[0]->metric].metric;

	find_range(p, s);
	fputs("<figure data-metrics=\"", p->f);
	for (unsigned k = 0; k < s->n; k++) {
		fputs(k > 0 ? " " : "", p->f);
		markup_text(p->f, p->t->metric[s->line[k]->metric].metric->name);
	}
	fputs("\"><figcaption><strong>", p->f);
	markup_text(p->f, s->title);
	fputs("</strong> <span>", p->f);
	markup_text(p->f, m->unit);
	fputs("</span></figcaption>", p->f);
	still_put_key(p, s);
	phases_names(p->phases, p->f);
	fputs("<div class=\"plot\">", p->f);
	put_ticks(p);
	fputs("<svg role=\"img\" viewBox=\"0 0 720 120\" "
	    "preserveAspectRatio=\"none\" aria-label=\"", p->f);
	markup_text(p->f, s->title);
	fputs(" over time\">", p->f);
	still_put_grid(p);
	phases_bands(p->phases, p->f, WIDTH, HEIGHT);
	for (unsigned k = 0; k < s->n; k++)
		still_put_line(p, s->line[k], k);
	fprintf(p->f, "</svg></div><div class=\"ends\"><span>%.1f s</span>"
	    "<span>%.1f s</span></div></figure>\n", p->from, p->to);
}

/* Draws a picture: each line in a band from its least to its greatest value; a bar across
 * where a value is doubted or missing. */
static void
still_put(const struct timeline *t, const struct phases *phases,
    const struct still_chart *s, FILE *f)
{
	struct picture p = { .t = t, .phases = phases, .f = f };

	while (timeline_points(t, p.coarse) > t->ask->buckets)
		p.coarse++;
	p.n = timeline_points(t, p.coarse);
	p.from = t->bucket[0].from;
	p.to = t->bucket[t->n - 1].to;
	put_picture(&p, s);
}

static unsigned
count_lines(const struct timeline *t, const char *metric, enum scope scope)
{
	unsigned n = 0;

	while (timeline_find(t, metric, scope, n) != NULL)
		n++;
	return n;
}

/* Adds the lines of a metric: those of its packages; where these are too many, or it has
 * none, the node's.  `label` stands before each name, or "".  False: the metric has no
 * line, its unit is not that of the picture, or there is no room. */
static bool
still_add(struct still_chart *s, const struct timeline *t, const char *metric,
    const char *label)
{
	enum scope scope = SCOPE_OF_PACKAGE;
	unsigned n = count_lines(t, metric, scope);

	/* with a label, a second metric with as many lines may follow */
	if (n == 0 || n * (label[0] != '\0' ? 2 : 1) > STILL_LINES)
		n = count_lines(t, metric, scope = SCOPE_OF_NODE);
	if (n == 0 || s->n + n > STILL_LINES)
		return false;
	for (unsigned k = 0; k < n; k++) {
		const struct line *x = timeline_find(t, metric, scope, k);
		const char *unit = t->metric[x->metric].metric->unit;

		if (s->n > 0 && strcmp(unit, t->metric[s->line[0]->metric]
		    .metric->unit) != 0)
			return false;
		s->line[s->n] = x;
		snprintf(s->name[s->n++], sizeof s->name[0], "%s%s%s", label,
		    scope == SCOPE_OF_NODE ? "node" : label[0] != '\0' ? "" :
		    "package ", scope == SCOPE_OF_NODE ? "" : x->where);
	}
	return true;
}

/* Has some line a value anywhere? */
static bool
still_known(const struct still_chart *s)
{
	for (unsigned k = 0; k < s->n; k++)
		if (s->line[k]->any)
			return true;
	return false;
}

/* ---- what is looked at first (VIEW_GLANCE) ------------------------------------- */

/* Takes the lines of one choice of the view, if the dump has all of them; known: and if
 * one of them has a value. */
static void
glance_choose(struct still_chart *s, const struct timeline *t,
    const struct view_line *x, bool known)
{
	bool all = true;

	for (unsigned k = 0; all && k < x->nitem; k++)
		all = still_add(s, t, x->item[k].metric, x->item[k].title);
	s->title = x->label;
	if (!all || (known && !still_known(s)))
		s->n = 0;
}

/* Takes the first choice of a question that the dump has; if it has none, only the
 * question as title. */
static void
glance_answer(struct still_chart *s, const struct timeline *t,
    const struct view_line *first, bool known)
{
	const struct view_line *x = first;

	for (; s->n == 0 && x != NULL; x = view_next(t->view, VIEW_GLANCE, x))
		if (strcmp(x->title, first->title) == 0)
			glance_choose(s, t, x, known);
	if (s->n == 0)
		s->title = first->title;
}

/* Does an earlier statement ask the same question? */
static bool
glance_is_asked(const struct node_view *v, const struct view_line *x)
{
	const struct view_line *before = view_next(v, VIEW_GLANCE, NULL);

	for (; before != x; before = view_next(v, VIEW_GLANCE, before))
		if (strcmp(before->title, x->title) == 0)
			return true;
	return false;
}

void
glance_find(struct glance *g, const struct timeline *t)
{
	const struct view_line *x = NULL;

	*g = (struct glance){ .n = 0 };
	while (g->n < GLANCES &&
	    (x = view_next(t->view, VIEW_GLANCE, x)) != NULL) {
		if (glance_is_asked(t->view, x))
			continue;
		glance_answer(&g->still[g->n], t, x, true);
		if (g->still[g->n].n == 0)
			glance_answer(&g->still[g->n], t, x, false);
		g->n++;
	}
}

static bool
glance_has(const struct glance *g, const struct timeline *t, const char *metric)
{
	for (unsigned i = 0; i < g->n; i++)
		for (unsigned k = 0; k < g->still[i].n; k++)
			if (strcmp(t->metric[g->still[i].line[k]->metric]
			    .metric->name, metric) == 0)
				return true;
	return false;
}

void
glance_put(const struct glance *g, const struct timeline *t,
    const struct phases *phases, FILE *f)
{
	fputs("<div id=\"glance\">\n", f);
	for (unsigned i = 0; i < g->n; i++)
		if (g->still[i].n > 0)
			still_put(t, phases, &g->still[i], f);
		else
			fprintf(f, "<figure><figcaption><strong>%s</strong> <span>not "
			    "counted here</span></figcaption></figure>\n",
			    g->still[i].title);
	fputs("</div>\n", f);
}

static bool
is_always_0(const struct timeline *t, const struct still_chart *s)
{
	for (unsigned k = 0; k < s->n; k++)
		for (unsigned i = 0; i < t->n; i++)
			if (s->line[k]->in[i].lo != 0 ||
			    s->line[k]->in[i].hi != 0)
				return false;
	return true;
}

void
glance_put_others(const struct glance *g, const struct timeline *t,
    const struct phases *phases, FILE *f)
{
	const struct view_line *x = NULL;

	while ((x = view_next(t->view, VIEW_STILL, x)) != NULL)
		for (unsigned i = 0; i < x->nitem; i++) {
			struct still_chart s = { .n = 0 };

			if (glance_has(g, t, x->item[i].metric) ||
			    !still_add(&s, t, x->item[i].metric, "") ||
			    is_always_0(t, &s))
				continue;
			s.title = t->metric[s.line[0]->metric].metric->text;
			still_put(t, phases, &s, f);
		}
}

void
glance_json(const struct glance *g, const struct timeline *t, FILE *f)
{
	fputs("\"glance\":[", f);
	for (unsigned i = 0; i < g->n; i++) {
		const struct still_chart *s = &g->still[i];

		fprintf(f, "%s{\"title\":", i > 0 ? "," : "");
		markup_json(f, s->title);
		fputs(",\"lines\":[", f);
		for (unsigned k = 0; k < s->n; k++) {
			fprintf(f, "%s[%td,", k > 0 ? "," : "",
			    s->line[k] - t->line);
			markup_json(f, s->name[k]);
			putc(']', f);
		}
		fputs("]}", f);
	}
	putc(']', f);
}
