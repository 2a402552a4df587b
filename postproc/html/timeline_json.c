/*
 * postproc/html/timeline_json.c - a timeline as data for the page's script.
 */
#include "postproc/html/timeline.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/html/markup.h"

/* Room for the numbers of one line. */
struct space {
	struct bucket_value *joined;    /* points of several buckets */
	const struct bucket_value *point;       /* those of the line */
	double *usual[2];       /* the weights of points where lines have none of
	                         * their own: seconds; intervals */
	unsigned usual_of[2];   /* 1 + how coarse these points are; 0: none so far */
	float *value;
	unsigned char *lo, *hi;
};

static void
timeline_json_put_buckets(const struct timeline *t, FILE *f, float *v)
{
	const char *between = "";

	for (unsigned i = 0; i < t->n; i++)
		v[i] = (float)t->bucket[i].from;
	fputs("\"from\":", f);
	markup_floats(f, v, t->n);
	for (unsigned i = 0; i < t->n; i++)
		v[i] = (float)t->bucket[i].to;
	fputs(",\n\"to\":", f);
	markup_floats(f, v, t->n);
	for (unsigned i = 0; i < t->n; i++)
		v[i] = (float)t->bucket[i].seconds;
	fputs(",\n\"sec\":", f);
	markup_floats(f, v, t->n);
	for (unsigned i = 0; i < t->n; i++)
		v[i] = (float)t->bucket[i].n;
	fputs(",\n\"n\":", f);
	markup_floats(f, v, t->n);
	fputs(",\n\"first\":[", f);
	for (unsigned i = 0; i < t->n; i++)
		fprintf(f, "%s%" PRIu64, i > 0 ? "," : "",
		    t->bucket[i].before);
	fputs("],\n\"last\":[", f);
	for (unsigned i = 0; i < t->n; i++)
		fprintf(f, "%s%" PRIu64, i > 0 ? "," : "", t->bucket[i].last);
	fputs("],\n\"gap\":[", f);
	for (unsigned i = 0; i < t->n; i++)
		if (t->bucket[i].gap) {
			fprintf(f, "%s%u", between, i);
			between = ",";
		}
	fputs("]", f);
}

/* Which family of boxes (imc_counts, say) a metric has a value for each of; "": none. */
static const char *
timeline_json_boxes_of(const struct binding *b, unsigned bound)
{
	int input = b->bound[bound].box_input;
	const char *name = input < 0 ? NULL :
	    b->domain[b->input[input].domain].family;

	return name != NULL ? name : "";
}

/* Writes which other metric of the timeline says the same, if there is one. */
static void
put_twice(const struct timeline *t, const char *name, FILE *f)
{
	const struct view_line *x = NULL;

	while ((x = view_next(t->view, VIEW_SAME, x)) != NULL)
		for (unsigned i = 0; i < x->nitem; i++) {
			if (strcmp(name, x->item[i].metric) != 0)
				continue;
			for (unsigned k = 0; k < t->nmetric; k++)
				if (strcmp(t->metric[k].metric->name,
				    x->metric) == 0)
					fprintf(f, ",\"as\":\"%s\"", x->metric);
		}
}

static void
timeline_json_put_metrics(const struct timeline *t, FILE *f)
{
	static const char *const how[] = { "time", "own", "sum", "samples" };
	const struct binding *b = &t->gather->binding;

	fprintf(f, ",\n\"coarse\":{\"box\":%u,\"core\":%u,\"lproc\":%u}",
	    t->coarse[SCOPE_OF_BOX], t->coarse[SCOPE_OF_CORE],
	    t->coarse[SCOPE_OF_LPROC]);
	fprintf(f, ",\n\"same\":{\"die\":\"%s\",\"numa\":\"%s\","
	    "\"lproc\":\"%s\"}",
	    scope_name(timeline_same(t, SCOPE_OF_DIE)),
	    scope_name(timeline_same(t, SCOPE_OF_NUMA)),
	    scope_name(timeline_same(t, SCOPE_OF_LPROC)));
	fputs(",\n\"metrics\":[", f);
	for (unsigned i = 0; i < t->nmetric; i++) {
		const struct line_metric *m = &t->metric[i];

		fputs(i > 0 ? ",\n{\"name\":" : "\n{\"name\":", f);
		markup_json(f, m->metric->name);
		fputs(",\"unit\":", f);
		markup_json(f, m->metric->unit);
		fputs(",\"text\":", f);
		markup_json(f, m->metric->text);
		fprintf(f, ",\"how\":\"%s\",\"guess\":%d,\"adds\":%d,"
		    "\"boxes\":", how[m->how], m->guess,
		    weigh_adds(b, m->bound, m->how, m->guess));
		markup_json(f, timeline_json_boxes_of(b, m->bound));
		put_twice(t, m->metric->name, f);
		if (m->metric->note != NULL) {
			fputs(",\"note\":", f);
			markup_json(f, m->metric->note);
		}
		putc('}', f);
	}
	fputs("]", f);
}

static double
timeline_json_mean(const struct bucket_value *x)
{
	return x->weight > 0 ? x->sum / x->weight :
	    !isnan(x->lo) ? ((double)x->lo + (double)x->hi) / 2 : (double)NAN;
}

/* The weights of points whose lines have no weights of their own. */
static const double *
usual(const struct timeline *t, enum weigh how, unsigned coarse, struct space *s)
{
	bool counts = how == WEIGH_SUM || how == WEIGH_SAMPLES;
	double *sum = s->usual[counts];

	for (unsigned i = 0; s->usual_of[counts] != 1 + coarse && i < t->n; i++) {
		if ((i & ((1u << coarse) - 1)) == 0)
			sum[i >> coarse] = 0;
		sum[i >> coarse] += counts ? t->bucket[i].n :
		    t->bucket[i].seconds;
	}
	s->usual_of[counts] = 1 + coarse;
	return sum;
}

/* Writes numbers; of lines of narrow scopes without their lowest byte: the 17 bits that
 * are left are 5 digits. */
static void
put_floats(const struct line *x, FILE *f, const struct space *s, unsigned n)
{
	if (timeline_narrow((enum scope)x->window.scope))
		markup_short_floats(f, s->value, n);
	else
		markup_floats(f, s->value, n);
}

static void
timeline_json_put_values(const struct timeline *t, const struct line *x,
    FILE *f, struct space *s)
{
	unsigned coarse = timeline_coarse(t, x), n = timeline_points(t, coarse);
	const struct bucket_value *point = s->point;
	enum weigh how = t->metric[x->metric].how;
	const double *weight = usual(t, how, coarse, s);
	bool same = true, weighs = false;

	fputs(",\"f\":", f);
	markup_number(f, x->figure);
	if (x->mark != ' ')
		fprintf(f, ",\"q\":\"%c\"", x->mark);
	if (coarse != t->coarse[x->window.scope])
		fprintf(f, ",\"c\":%u", coarse);
	if (!x->any) {
		fputs(",\"k\":null", f);
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		s->value[i] = (float)timeline_json_mean(&point[i]);
		same &= s->value[i] == s->value[0] &&
		    point[i].lo == point[i].hi;
		/* they are sums of the same seconds in another order */
		if (!isnan(s->value[i]))
			weighs |= fabs(point[i].weight - weight[i]) >
			    1e-9 * fabs(point[i].weight);
	}
	if (same) {
		fputs(",\"k\":", f);
		markup_number(f, (double)s->value[0]);
	} else {
		fputs(",\"v\":", f);
		put_floats(x, f, s, n);
	}
	if (!weighs || (same && how != WEIGH_SUM))
		return;
	for (unsigned i = 0; i < n; i++)
		s->value[i] = (float)point[i].weight;
	fputs(",\"g\":", f);
	put_floats(x, f, s, n);
}

/* Writes least and greatest values, rounded away from the mean: no spike is lost. */
static void
put_envelope(const struct timeline *t, const struct line *x, FILE *f,
    struct space *s)
{
	unsigned coarse = timeline_coarse(t, x), n = timeline_points(t, coarse);
	unsigned cells = timeline_cells(t, x);
	float least = HUGE_VALF, most = -HUGE_VALF;
	double lo, hi;

	if (t->per == 1 && n == t->n)
		return;
	for (unsigned i = 0; i < cells; i++) {
		least = x->in[i].lo < least ? x->in[i].lo : least;
		most = x->in[i].hi > most ? x->in[i].hi : most;
	}
	if (!(most > least))
		return;
	lo = (double)least;
	hi = (double)most;
	for (unsigned i = 0; i < n; i++) {
		const struct bucket_value *v = &s->point[i];
		double a = ((double)v->lo - lo) / (hi - lo) * 255;
		double b = ((double)v->hi - lo) / (hi - lo) * 255;
		unsigned down = a > 0 ? (unsigned)a : 0;
		/* up to 255, but not of infinite ones */
		unsigned up = b < 255 ? (unsigned)b + (b > (unsigned)b) : 255;

		s->lo[i] = (unsigned char)(isnan(v->lo) ? 0 : down);
		s->hi[i] = (unsigned char)(isnan(v->lo) ? 0 : up);
	}
	fputs(",\"lo\":", f);
	markup_number(f, lo);
	fputs(",\"hi\":", f);
	markup_number(f, hi);
	fputs(",\"a\":", f);
	markup_bytes(f, s->lo, n);
	fputs(",\"b\":", f);
	markup_bytes(f, s->hi, n);
}

/* Writes standard errors as parts of the greatest of them, rounded up. */
static void
put_errors(const struct timeline *t, const struct line *x, FILE *f,
    struct space *s)
{
	unsigned coarse = timeline_coarse(t, x), n = timeline_points(t, coarse);
	double most = 0;

	if (!timeline_unsure(t, x))
		return;
	for (unsigned i = 0; i < n; i++)
		most = fmax(most, timeline_error(&s->point[i]));
	for (unsigned i = 0; i < n; i++)
		s->lo[i] = (unsigned char)fmin(255, ceil(timeline_error(
		    &s->point[i]) / most * 255));
	fputs(",\"e\":", f);
	markup_number(f, most);
	fputs(",\"r\":", f);
	markup_bytes(f, s->lo, n);
}

/* The buckets of a cell that are doubted, or were taken.  A line that has a value nowhere
 * is doubted where it is idle, too. */
static unsigned
doubted(const struct line *x, bool taken, unsigned cell)
{
	const struct bucket_value *v = &x->in[cell];

	return taken ? v->taken : x->any ? v->doubt : v->doubt | v->idle;
}

static bool
is_doubted(const struct timeline *t, const struct line *x, bool taken, unsigned i)
{
	unsigned coarse = t->cells[x->kept].coarse;

	return doubted(x, taken, i >> coarse) >> (i & ((1u << coarse) - 1)) & 1;
}

/* Writes the first and last bucket of each run of doubt, or (taken) of those that were
 * taken; false: there are none. */
static bool
put_runs(const struct timeline *t, const struct line *x, bool taken,
    const char *key, FILE *f)
{
	unsigned cells = timeline_cells(t, x), some = 0;
	bool any = false;

	for (unsigned i = 0; i < cells; i++)
		some |= doubted(x, taken, i);
	for (unsigned i = 0; some != 0 && i < t->n; i++) {
		unsigned from = i;

		while (i < t->n && is_doubted(t, x, taken, i))
			i++;
		if (i == from)
			continue;
		fprintf(f, ",%s%u,%u", any ? "" : key, from, i - 1);
		any = true;
	}
	if (any)
		putc(']', f);
	return any;
}

static void
timeline_json_put_doubts(const struct timeline *t, const struct line *x,
    FILE *f)
{
	const struct figure idle = { .value = na(NA_BY_ZERO, x->zero) };
	char why[sizeof x->why];

	if (!put_runs(t, x, false, "\"d\":[", f))
		return;
	fputs(",\"y\":", f);
	markup_json(f, x->why[0] != '\0' ? x->why : figure_why(
	    &t->gather->binding, &idle, why, sizeof why));
	put_runs(t, x, true, "\"z\":[", f);
}

static void
find_points(const struct timeline *t, const struct line *x, struct space *s)
{
	unsigned coarse = timeline_coarse(t, x), n = timeline_points(t, coarse);

	s->point = s->joined;
	if (coarse == t->cells[x->kept].coarse)
		s->point = x->in;
	for (unsigned i = 0; s->point != x->in && x->any && i < n; i++)
		s->joined[i] = timeline_point(t, x, i, coarse);
}

int
timeline_json(const struct timeline *t, FILE *f)
{
	struct space s = { .joined = calloc(t->n + 1, sizeof *s.joined),
	    .usual = { calloc(t->n + 1, sizeof *s.usual[0]),
	    calloc(t->n + 1, sizeof *s.usual[1]) },
	    .value = calloc(t->n + 1, sizeof *s.value),
	    .lo = calloc(t->n + 1, 1),
	    .hi = calloc(t->n + 1, 1) };
	const char *between = "\n";
	bool room = s.joined != NULL && s.usual[0] != NULL && s.usual[1] != NULL &&
	    s.value != NULL && s.lo != NULL && s.hi != NULL;

	if (room) {
		timeline_json_put_buckets(t, f, s.value);
		timeline_json_put_metrics(t, f);
		fputs(",\n\"lines\":[", f);
		for (unsigned i = 0; i < t->nline; i++) {
			const struct line *x = &t->line[i];

			fprintf(f, "%s{\"m\":%u,\"s\":\"%s\",\"w\":", between,
			    x->metric, scope_name(x->window.scope));
			markup_json(f, x->where);
			if (x->window.pkg_hi == x->window.pkg_lo + 1)
				fprintf(f, ",\"p\":%u", x->window.pkg_lo);
			find_points(t, x, &s);
			timeline_json_put_values(t, x, f, &s);
			put_envelope(t, x, f, &s);
			put_errors(t, x, f, &s);
			timeline_json_put_doubts(t, x, f);
			fputs("}", f);
			between = ",\n";
		}
		fputs("]", f);
	}
	free(s.joined);
	free(s.usual[0]);
	free(s.usual[1]);
	free(s.value);
	free(s.lo);
	free(s.hi);
	return room ? 0 : -ENOMEM;
}
