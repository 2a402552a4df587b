/*
 * postproc/html/bandwidth_json.c - the values of bandwidths, as data for the page's
 * script.
 */
#include "postproc/html/bandwidth.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "postproc/data/dump_node.h"
#include "postproc/html/markup.h"

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

/* How many values are averaged, so that at most BANDWIDTH_VALUES are left. */
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
	return n / values_in_one(w) * 16 / 3;
}

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

/* A value as binary32.  Where rounding would put it into another bin or level, it is
 * rounded the other way. */
static float
rounded(const struct histogram *h, double v)
{
	float x = (float)v;

	return histogram_bin(h, (double)x) == histogram_bin(h, v) &&
	    histogram_load(h, (double)x) == histogram_load(h, v) ? x :
	    nextafterf(x, (double)x < v ? INFINITY : -INFINITY);
}

/* Writes the values of a track.  It has values for some of the moments alone; the others
 * become NaN. */
static void
bandwidth_json_put_values(const struct track *t, const struct moments *m,
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
bandwidth_json_put_most(const struct bandwidths *w, const struct bandwidth *x,
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
	bandwidth_json_put_most(w, x, t, f);
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
			bandwidth_json_put_values(&x->tracks.track[k],
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
