/*
 * postproc/pages/tracks.c - the values that a metric had over time, and for how much of
 * the time it had which.
 */
#include "postproc/pages/tracks.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"

int
tracks_init(struct tracks *t, const struct gather *g, unsigned bound,
    enum scope scope, const char *where)
{
	const struct binding *b = &g->binding;
	unsigned max = binding_windows(b, bound, scope);

	*t = (struct tracks){ .bound = bound };
	if ((t->track = calloc(max + 1, sizeof *t->track)) == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < max; i++) {
		struct track *x = &t->track[t->n];

		if (!binding_window(b, bound, scope, i, &x->window))
			continue;
		window_name(b, &x->window, x->where, sizeof x->where);
		x->best.ran = 1;
		x->best.error = NAN;
		if (where == NULL || strcmp(where, x->where) == 0)
			t->n++;
	}
	return 0;
}

void
tracks_fini(struct tracks *t)
{
	for (unsigned i = 0; i < t->n; i++)
		free(t->track[i].value);
	free(t->track);
	compiled_free(t->compiled);
	*t = (struct tracks){ .n = 0 };
}

static int
tracks_keep(struct track *t, const struct figure *f, double seconds,
    uint64_t sample)
{
	double part = figure_part(f);

	if (isnan(f->value) || f->wrong) {
		t->unknown_s += seconds;
		return 0;
	}
	if (!array_room(&t->value, t->n, &t->room, sizeof *t->value))
		return -ENOMEM;
	if (t->n == 0 || part > t->whole) {
		t->whole = part;
		t->best.have = f->have;
		t->best.of = f->of;
		t->best.domain = f->domain;
		t->best.left_out = f->left_out;
	}
	t->best.ran = f->ran < t->best.ran ? f->ran : t->best.ran;
	t->best.unscaled |= f->unscaled;
	t->best.apart |= f->apart;
	t->value[t->n++] = (struct track_value){ sample, f->value, seconds,
	    part };
	return 0;
}

static void
drop_parts(struct track *t)
{
	unsigned n = 0;

	for (unsigned i = 0; i < t->n; i++)
		if (t->value[i].part < t->whole)
			t->unknown_s += t->value[i].seconds;
		else
			t->value[n++] = t->value[i];
	if (n < t->n && t->why[0] == '\0')
		strcpy(t->why, "deltas or units lack");
	t->n = n;
}

static unsigned
columns_of(const struct gather *g, unsigned bound)
{
	const struct binding *b = &g->binding;
	const struct bound *x = &b->bound[bound];
	unsigned n = 0;

	for (uint32_t i = x->op; i < x->op + x->nop; i++)
		if (b->op[i].code == EXPR_REF &&
		    b->input[b->op[i].arg].kind == INPUT_COLUMNS)
			n += input_ncolumn(b, &b->input[b->op[i].arg]);
	return n;
}

/* Drops all values so far, as the metric has got more columns, which they lack. */
static void
start_again(struct tracks *t)
{
	for (unsigned i = 0; i < t->n; i++) {
		struct track *x = &t->track[i];

		for (unsigned k = 0; k < x->n; k++)
			x->unknown_s += x->value[k].seconds;
		x->n = 0;
	}
}

void
tracks_begin(struct tracks *t, const struct gather *g)
{
	t->round = round_begin(0, gather_rotates(g, t->bound));
	t->columns = columns_of(g, t->bound);
}

bool
tracks_due(struct tracks *t, const struct gather *g)
{
	return round_ends(&t->round, g);
}

/* The number of the bound metric that says the end of this one's range; -1: a constant does. */
static int
tracks_most(const struct tracks *t, const struct gather *g)
{
	const struct bound *x = &g->binding.bound[t->bound];

	return x->metric->most == NULL || x->metric->each ? -1 : x->most;
}

int
tracks_add(struct tracks *t, const struct gather *g, struct compiled *c)
{
	unsigned n = columns_of(g, t->bound);
	int most = tracks_most(t, g), rc = 0;

	if (n > t->columns)
		start_again(t);
	t->columns = n;
	for (unsigned i = 0; rc == 0 && i < t->n; i++) {
		struct track *x = &t->track[i];

		rc = compiled_add(c, t->bound, &x->window, &x->number);
		if (rc == 0 && most >= 0)
			rc = compiled_add(c, (unsigned)most, &x->window,
			    &x->most);
	}
	return rc;
}

static int
tracks_compile(struct tracks *t, const struct gather *g)
{
	int rc;

	if (t->compiled != NULL && t->ncol == g->ncol)
		return 0;
	compiled_free(t->compiled);
	t->ncol = g->ncol;
	if ((t->compiled = compiled_new(&g->binding)) == NULL)
		return -ENOMEM;
	rc = tracks_add(t, g, t->compiled);
	return rc < 0 ? rc : compiled_finish(t->compiled);
}

/* Is a value within the metric's range?  most: the end of that, where another metric says
 * it. */
static bool
is_plain(const struct tracks *t, const struct gather *g, const struct track *x,
    const struct sums *s, double most, double *value)
{
	const struct metric *m = g->binding.bound[t->bound].metric;

	if (!isfinite(*value))
		return false;
	*value = metric_settled(m, *value);
	return tracks_most(t, g) < 0 ? !binding_excludes(&g->binding, t->bound,
	    &x->window, s, *value) : *value >= m->lo && *value <= most;
}

int
tracks_take_lane(struct tracks *t, const struct gather *g,
    const struct compiled *c, const struct sums *s, unsigned lane)
{
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < t->n; i++) {
		struct track *x = &t->track[i];
		struct figure f = { .ran = 1 };
		double most = NAN;

		/* plain: it lacks nothing, and its events took no turns */
		if (s->turns != NULL ||
		    !compiled_value(c, x->number, lane, &f.value) ||
		    (tracks_most(t, g) >= 0 &&
		    !compiled_value(c, x->most, lane, &most)) ||
		    !is_plain(t, g, x, s, most, &f.value))
			f = binding_eval(&g->binding, t->bound, &x->window, s);
		rc = tracks_keep(x, &f, s->seconds, s->sample);
		if (x->why[0] != '\0')
			continue;
		if (isnan(f.value))
			figure_why(&g->binding, &f, x->why, sizeof x->why);
		else if (f.wrong)
			strcpy(x->why, "outside the range that it can have");
	}
	return rc;
}

int
tracks_take(struct tracks *t, const struct gather *g, const struct sums *s)
{
	int rc = tracks_compile(t, g);

	if (rc == 0 && s->turns == NULL)
		rc = compiled_take(t->compiled, s);
	return rc < 0 ? rc : tracks_take_lane(t, g, t->compiled, s, 0);
}

void
tracks_end(struct tracks *t)
{
	for (unsigned i = 0; i < t->n; i++)
		drop_parts(&t->track[i]);
}

int
tracks_read(struct tracks *t, struct gather *g, struct diag *why)
{
	int rc = 0;

	tracks_begin(t, g);
	while (rc == 0 && (rc = gather_next(g, why)) > 0) {
		rc = 0;
		if (!tracks_due(t, g))
			continue;
		rc = tracks_take(t, g, gather_sums(g));
		gather_afresh(g);
	}
	tracks_end(t);
	return rc;
}

/* ---- histograms --------------------------------------------------------------- */

struct histogram_bounds
histogram_usual(void)
{
	return (struct histogram_bounds){ .bins = HISTOGRAM_BINS, .max = NAN,
	    .low = NAN, .high = NAN };
}

const char *
load_name(enum load l)
{
	static const char *const name[LOADS] = { "Low", "Medium", "High" };

	return name[l];
}

/* Where Medium or High begins: as asked, else at so many thirds of the end of the last
 * bin; NaN: nowhere, as no value is above 0. */
static double
threshold(double asked, double max, unsigned thirds)
{
	return !isnan(asked) ? asked : max > 0 ? max * thirds / 3 : (double)NAN;
}

enum load
histogram_load(const struct histogram *h, double v)
{
	return v >= h->high ? LOAD_HIGH : v >= h->low ? LOAD_MEDIUM :
	    LOAD_LOW;
}

unsigned
histogram_bin(const struct histogram *h, double v)
{
	double b = h->max > 0 ? floor(v / h->max * h->bins) : 0;

	return b < 0 ? 0 : b >= h->bins ? h->bins - 1 : (unsigned)b;
}

void
histogram_sort(struct histogram *h, const struct track *t,
    const struct histogram_bounds *ask)
{
	double max = 0;

	for (unsigned i = 0; i < t->n; i++)
		max = t->value[i].value > max ? t->value[i].value : max;
	*h = (struct histogram){ .max = isnan(ask->max) ? max : ask->max };
	h->low = threshold(ask->low, h->max, 1);
	h->high = threshold(ask->high, h->max, 2);
	h->bins = h->max > 0 ? (unsigned)ask->bins : 1;
	for (unsigned i = 0; i < t->n; i++) {
		double v = t->value[i].value, seconds = t->value[i].seconds;
		enum load l = histogram_load(h, v);

		h->seconds[histogram_bin(h, v)][l] += seconds;
		h->load[l] += seconds;
		h->all += seconds;
	}
}

double
histogram_edge(const struct histogram *h, unsigned bin)
{
	return h->max * bin / h->bins;
}

double
histogram_seconds(const struct histogram *h, unsigned bin)
{
	double sum = 0;

	for (enum load l = 0; l < LOADS; l++)
		sum += h->seconds[bin][l];
	return sum;
}

double
histogram_share(const struct histogram *h, double seconds)
{
	return h->all > 0 ? 100 * seconds / h->all : (double)NAN;
}
