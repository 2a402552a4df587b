/*
 * postproc/html/bandwidth.c - the values of bandwidths over time, and their histograms as
 * SVG and as data for the page's script.
 */
#include "postproc/html/timeline.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "postproc/data/dump_node.h"
#include "postproc/html/markup.h"
#include "lib/array.h"

#define MOST_BOXES 16           /* single links are shown if there are no more */
#define WIDTH 1000.0
#define HEIGHT 200.0

/* Adds a metric for one scope. */
static int
add_scope(struct bandwidths *w, unsigned bound, enum scope scope)
{
	const struct binding *b = &w->gather->binding;
	struct bandwidth *x;

	if (!array_room(&w->of, w->n, &w->room, sizeof *w->of))
		return -ENOMEM;
	x = &w->of[w->n++];
	*x = (struct bandwidth){ .metric = b->bound[bound].metric,
	    .scope = scope };
	return tracks_init(&x->tracks, w->gather, bound, scope, NULL);
}

/* Has the metric of this name been added? */
static bool
bandwidth_is_shown(const struct bandwidths *w, const char *name)
{
	for (unsigned i = 0; name != NULL && i < w->n; i++)
		if (w->of[i].metric == metrics_find(w->gather->binding.metrics,
		    name))
			return true;
	return false;
}

/* Adds a metric for the node, for packages and, if the view says so, for each link. */
static int
add_metric(struct bandwidths *w, const struct view_line *x, unsigned bound)
{
	static const enum scope scopes[] = { SCOPE_OF_NODE, SCOPE_OF_PACKAGE,
	    SCOPE_OF_BOX };
	int rc = 0;

	for (unsigned s = 0; rc == 0 && s < 3; s++) {
		unsigned n = binding_windows(&w->gather->binding, bound,
		    scopes[s]);

		if (n > 0 && (scopes[s] != SCOPE_OF_BOX ||
		    (x->links && n <= MOST_BOXES)))
			rc = add_scope(w, bound, scopes[s]);
	}
	return rc;
}

int
bandwidths_init(struct bandwidths *w, struct gather *g,
    const struct node_view *view, struct diag *why)
{
	const struct view_line *x = NULL;
	int rc = 0;

	*w = (struct bandwidths){ .gather = g };
	while (rc >= 0 && (x = view_next(view, VIEW_LEVELS, x)) != NULL) {
		const struct metric *m = metrics_find(g->binding.metrics,
		    x->metric);
		unsigned bound;

		if (m == NULL || bandwidth_is_shown(w, x->without))
			continue;
		if ((rc = binding_add(&g->binding, m, &bound, why)) >= 0 &&
		    g->binding.bound[bound].nmissing == 0)
			rc = add_metric(w, x, bound);
	}
	for (unsigned i = 0; rc >= 0 && i < w->n; i++)
		tracks_begin(&w->of[i].tracks, g);
	return rc;
}

void
bandwidths_fini(struct bandwidths *w)
{
	for (unsigned i = 0; i < w->n; i++)
		tracks_fini(&w->of[i].tracks);
	free(w->of);
	for (unsigned i = 0; i < MOMENTS; i++) {
		free(w->moments[i].sample);
		free(w->moments[i].seconds);
	}
	*w = (struct bandwidths){ .n = 0 };
}

/* Adds the sample with which values end, and the seconds that they cover. */
static int
add_moment(struct moments *m, uint64_t sample, double seconds)
{
	if (!array_room(&m->sample, m->n, &m->room, sizeof *m->sample))
		return -ENOMEM;
	if (!array_room(&m->seconds, m->n, &m->seconds_room,
	    sizeof *m->seconds))
		return -ENOMEM;
	m->sample[m->n] = sample;
	m->seconds[m->n++] = seconds;
	return 0;
}

int
bandwidths_compile(struct bandwidths *w, struct compiled *c)
{
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < w->n; i++)
		if (!w->of[i].tracks.round.sets)
			rc = tracks_add(&w->of[i].tracks, w->gather, c);
	return rc;
}

void
bandwidths_take_lane(struct bandwidths *w, const struct compiled *c,
    const struct sums *s, unsigned lane)
{
	bool any = false;

	for (unsigned i = 0; w->rc == 0 && i < w->n; i++) {
		struct tracks *t = &w->of[i].tracks;

		if (t->round.sets)
			continue;
		any = true;
		w->rc = tracks_take_lane(t, w->gather, c, s, lane);
	}
	if (w->rc == 0 && any)
		w->rc = add_moment(&w->moments[OF_INTERVALS], s->sample,
		    s->seconds);
}

int
bandwidths_take(struct bandwidths *w)
{
	struct gather *g = w->gather;
	const struct sums *s = NULL;

	for (unsigned i = 0; w->rc == 0 && i < w->n; i++) {
		struct tracks *t = &w->of[i].tracks;

		if (!t->round.sets || !tracks_due(t, g))
			continue;
		if (s == NULL)
			s = gather_between(g) ? gather_alone(g) :
			    gather_sums(g);
		w->rc = s == NULL ? -ENOMEM : tracks_take(t, g, s);
	}
	if (w->rc == 0 && s != NULL)
		w->rc = add_moment(&w->moments[OF_ROUNDS], g->now.sample,
		    s->seconds);
	return w->rc;
}

int
bandwidths_end(struct bandwidths *w)
{
	for (unsigned i = 0; i < w->n; i++)
		tracks_end(&w->of[i].tracks);
	return w->rc;
}

/* ---- pictures ---- */

static const char *const class[LOADS] = { "low", "medium", "high" };

static void
put_svg(const struct bandwidth *x, const struct track *t,
    const struct histogram *h, double tallest, FILE *f)
{
	double wide = WIDTH / h->bins;

	fputs("<svg role=\"img\" viewBox=\"0 0 1000 200\" "
	    "preserveAspectRatio=\"none\" aria-label=\"", f);
	markup_text(f, x->metric->text);
	fprintf(f, ", %s%s%s: time at each value\">", scope_name(x->scope),
	    t->where[0] ? " " : "", t->where);
	for (unsigned b = 0; b < h->bins; b++) {
		double y = HEIGHT;

		for (enum load l = 0; l < LOADS; l++) {
			double tall = h->seconds[b][l] / tallest * (HEIGHT - 4);

			y -= tall;
			if (tall > 0)
				fprintf(f, "<rect class=\"%s\" x=\"%.1f\" "
				    "y=\"%.1f\" width=\"%.1f\" height=\"%.1f\""
				    "/>", class[l], b * wide + 1, y, wide - 2,
				    tall);
		}
	}
	if (h->max > 0)
		fprintf(f, "<path class=\"threshold\" d=\"M%.1f 0V%.0fM%.1f "
		    "0V%.0f\"/>", h->low / h->max * WIDTH, HEIGHT,
		    h->high / h->max * WIDTH, HEIGHT);
	fputs("</svg>", f);
}

static void
bandwidth_put_table(const struct histogram *h, const char *unit, FILE *f)
{
	fputs("<details><summary>As a table</summary><table><thead><tr>"
	    "<th scope=\"col\" class=\"n\">From</th>"
	    "<th scope=\"col\" class=\"n\">To</th><th scope=\"col\">Unit</th>"
	    "<th scope=\"col\" class=\"n\">Seconds</th>"
	    "<th scope=\"col\" class=\"n\">Share</th>"
	    "<th scope=\"col\">Level</th></tr></thead><tbody>\n", f);
	for (unsigned b = 0; b < h->bins; b++) {
		double seconds = histogram_seconds(h, b);

		fprintf(f, "<tr><td class=\"n\">%.4g</td><td class=\"n\">%.4g"
		    "</td><td>", histogram_edge(h, b),
		    histogram_edge(h, b + 1));
		markup_text(f, unit);
		fprintf(f, "</td><td class=\"n\">%.3f</td><td class=\"n\">"
		    "%.2f %%</td><td>%s</td></tr>\n", seconds,
		    histogram_share(h, seconds), load_name(histogram_load(h,
		    histogram_edge(h, b))));
	}
	fputs("</tbody></table></details>", f);
}

static void
put_caption(const struct bandwidths *w, const struct bandwidth *x,
    const struct track *t, const struct histogram *h, FILE *f)
{
	char note[300];

	for (enum load l = 0; l < LOADS; l++)
		fprintf(f, "%s%s %.2f %%", l > 0 ? "; " : "", load_name(l),
		    histogram_share(h, h->load[l]));
	if (h->max > 0) {
		fprintf(f, " <span>(Low below %.4g, High from %.4g ", h->low,
		    h->high);
		markup_text(f, x->metric->unit);
		fputs(")</span>", f);
	}
	figure_note(&w->gather->binding, &t->best, NULL, note, sizeof note);
	if (t->unknown_s > 0) {
		fprintf(f, " <span>%.2f s without a value%s", t->unknown_s,
		    t->why[0] ? " (" : "");
		markup_text(f, t->why);
		fprintf(f, "%s</span>", t->why[0] ? ")" : "");
	}
	if (note[0] != '\0') {
		fputs(" <span>", f);
		markup_text(f, note);
		fputs("</span>", f);
	}
}

static void
bandwidth_put_figure(const struct bandwidths *w, const struct bandwidth *x,
    const struct track *t, FILE *f)
{
	const struct histogram_bounds usual = histogram_usual();
	struct histogram h;
	double tallest = 0;

	histogram_sort(&h, t, &usual);
	fputs("<figure><figcaption><b>", f);
	markup_text(f, x->metric->name);
	fprintf(f, "</b> %s%s%s: ", scope_name(x->scope), t->where[0] ? " " :
	    "", t->where);
	if (!(h.all > 0)) {
		fputs("no values ", f);
		markup_text(f, t->why);
		fputs("</figcaption></figure>\n", f);
		return;
	}
	put_caption(w, x, t, &h, f);
	for (unsigned b = 0; b < h.bins; b++)
		tallest = fmax(tallest, histogram_seconds(&h, b));
	fprintf(f, "</figcaption><div class=\"ends\"><span>%.2f s</span>"
	    "</div>", tallest);
	put_svg(x, t, &h, tallest, f);
	fprintf(f, "<div class=\"ends\"><span>0</span><span>%.4g ", h.max);
	markup_text(f, x->metric->unit);
	fputs("</span></div>", f);
	bandwidth_put_table(&h, x->metric->unit, f);
	fputs("</figure>\n", f);
}

void
bandwidths_put(const struct bandwidths *w, FILE *f)
{
	fputs("<section aria-labelledby=\"h-levels\"><h2 id=\"h-levels\">"
	    "Bandwidth: Low, Medium, High</h2>\n", f);
	if (w->n == 0)
		fputs("<p>Bandwidth of DRAM, and of links between packages, was "
		    "not counted.</p>\n", f);
	else
		fputs("<p>How much of the time DRAM and links carried how "
		    "much: bandwidth to the right, time up.  Low is below a "
		    "third of the largest value, High from two thirds of it "
		    "on.</p>\n<div id=\"levels-still\">\n", f);
	for (unsigned i = 0; i < w->n; i++)
		for (unsigned k = 0; k < w->of[i].tracks.n; k++)
			bandwidth_put_figure(w, &w->of[i],
			    &w->of[i].tracks.track[k], f);
	if (w->n > 0)
		fputs("</div><div id=\"levels\"></div>\n", f);
	fputs("</section>\n", f);
}

/* ---- data for the script ---- */

/* How many values all tracks have. */
static uint64_t
values(const struct bandwidths *w)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < w->n; i++) {
		const struct tracks *t = &w->of[i].tracks;

		n += (uint64_t)t->n * w->moments[t->round.sets ? OF_ROUNDS :
		    OF_INTERVALS].n;
	}
	return n;
}

/* How many neighbouring values become one average, so that BANDWIDTH_VALUES at most are
 * written. */
static unsigned
values_in_one(const struct bandwidths *w)
{
	unsigned per = 1;

	while (values(w) / per > BANDWIDTH_VALUES)
		per *= 2;
	return per;
}

size_t
bandwidths_size(const struct bandwidths *w)
{
	uint64_t n = values(w);

	for (unsigned i = 0; i < MOMENTS; i++)
		n += 2 * w->moments[i].n;
	/* a value is a binary32 in base64: 4 bytes become 16/3 characters */
	return n / values_in_one(w) * 16 / 3;
}

/* How many averages of `per` values there are, and (group_end) behind which value number
 * i of them ends. */
static unsigned
groups(const struct moments *m, unsigned per)
{
	return (m->n + per - 1) / per;
}

static unsigned
group_end(const struct moments *m, unsigned per, unsigned i)
{
	return (i + 1) * per < m->n ? (i + 1) * per : m->n;
}

/* Writes the time axis: the sample that each average ends with, and its seconds. */
static void
put_axis(const struct moments *m, unsigned per, bool rounds, float *v, FILE *f)
{
	unsigned n = groups(m, per);
	uint64_t first = m->n > 0 ? m->sample[0] : 0;

	fprintf(f, "{\"first\":%" PRIu64 ",\"per\":%u,\"round\":%d,\"at\":",
	    first, per, rounds);
	for (unsigned i = 0; i < n; i++)
		v[i] = (float)(m->sample[group_end(m, per, i) - 1] - first);
	markup_floats(f, v, n);
	fputs(",\"sec\":", f);
	for (unsigned i = 0; i < n; i++) {
		double sum = 0;

		for (unsigned k = i * per; k < group_end(m, per, i); k++)
			sum += m->seconds[k];
		v[i] = (float)sum;
	}
	markup_floats(f, v, n);
	fputs("}", f);
}

/* Rounds a value to binary32 so that it stays in its bin and level of the histogram: if
 * the nearest one is in another, to the one on the other side. */
static float
rounded(const struct histogram *h, double v)
{
	float x = (float)v;

	return histogram_bin(h, (double)x) == histogram_bin(h, v) &&
	    histogram_load(h, (double)x) == histogram_load(h, v) ? x :
	    nextafterf(x, (double)x < v ? INFINITY : -INFINITY);
}

/* Writes the values of a track, one for each point of the time axis; NaN where the track
 * has none. */
static void
bandwidth_put_values(const struct track *t, const struct moments *m,
    unsigned per, float *v, FILE *f)
{
	const struct histogram_bounds usual = histogram_usual();
	unsigned n = groups(m, per), at = 0;
	struct histogram h;

	histogram_sort(&h, t, &usual);
	for (unsigned i = 0; i < n; i++) {
		uint64_t last = m->sample[group_end(m, per, i) - 1];
		double sum = 0, seconds = 0;

		/* a value that is not averaged keeps its bin */
		v[i] = at < t->n && per == 1 && t->value[at].sample == last ?
		    rounded(&h, t->value[at].value) : NAN;
		for (; at < t->n && t->value[at].sample <= last; at++) {
			sum += t->value[at].value * t->value[at].seconds;
			seconds += t->value[at].seconds;
		}
		if (per > 1 && seconds > 0)
			v[i] = (float)(sum / seconds);
	}
	fputs(",\"max\":", f);
	markup_exact(f, h.max);
	fputs(",\"v\":", f);
	markup_floats(f, v, n);
}

/* Writes the peak of a DRAM bandwidth, in its unit, and the source of the peak. */
static void
bandwidth_put_most(const struct bandwidths *w, const struct bandwidth *x,
    const struct track *t, FILE *f)
{
	struct peak p = { 0, PEAK_UNKNOWN, NULL };
	char words[200];

	if (x->metric == metrics_find(w->gather->binding.metrics,
	    "dram_bandwidth"))
		p = peak_dram(w->gather->reader, x->scope == SCOPE_OF_NODE ?
		    -1 : (int)t->window.pkg_lo, w->gather->topo.npkg, 0);
	fputs(",\"most\":", f);
	markup_number(f, p.value > 0 ? p.value / 1e9 : (double)NAN);
	if (p.value > 0) {
		fputs(",\"rests\":", f);
		markup_json(f, peak_words(&p, words, sizeof words));
	}
}

static void
bandwidth_json_put_line(const struct bandwidths *w, const struct bandwidth *x,
    const struct track *t, FILE *f)
{
	char note[300];

	figure_note(&w->gather->binding, &t->best, NULL, note, sizeof note);
	fputs("{\"metric\":", f);
	markup_json(f, x->metric->name);
	fputs(",\"unit\":", f);
	markup_json(f, x->metric->unit);
	fputs(",\"text\":", f);
	markup_json(f, x->metric->text);
	fprintf(f, ",\"scope\":\"%s\",\"where\":", scope_name(x->scope));
	markup_json(f, t->where);
	fputs(",\"note\":", f);
	markup_json(f, t->n > 0 ? note : "");
	fputs(",\"why\":", f);
	markup_json(f, t->why);
	bandwidth_put_most(w, x, t, f);
}

static void
bandwidth_json_put_lines(const struct bandwidths *w, unsigned per, float *v,
    FILE *f)
{
	const char *between = "\n";

	for (unsigned i = 0; i < w->n; i++) {
		const struct bandwidth *x = &w->of[i];
		unsigned axis = x->tracks.round.sets ? OF_ROUNDS : OF_INTERVALS;

		for (unsigned k = 0; k < x->tracks.n; k++) {
			fputs(between, f);
			bandwidth_json_put_line(w, x, &x->tracks.track[k], f);
			fprintf(f, ",\"axis\":%u", axis);
			bandwidth_put_values(&x->tracks.track[k],
			    &w->moments[axis], per, v, f);
			fputs("}", f);
			between = ",\n";
		}
	}
}

int
bandwidths_json(const struct bandwidths *w, FILE *f)
{
	unsigned per = values_in_one(w), most = 0;
	float *v;

	for (unsigned i = 0; i < MOMENTS; i++)
		most = w->moments[i].n > most ? w->moments[i].n : most;
	if ((v = calloc(most + 1, sizeof *v)) == NULL)
		return -ENOMEM;
	fputs("\"bandwidth\":{\"axes\":[", f);
	put_axis(&w->moments[OF_INTERVALS], per, false, v, f);
	fputs(",\n", f);
	put_axis(&w->moments[OF_ROUNDS], per, true, v, f);
	fputs("],\"lines\":[", f);
	bandwidth_json_put_lines(w, per, v, f);
	fputs("]}", f);
	free(v);
	return 0;
}
