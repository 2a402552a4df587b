/*
 * postproc/many/compare.c - two runs, metric by metric.
 *
 * A dump is read once for its averages, which are those of `tally metrics`, and,
 * where a side has no other, once more for the values that these vary by.
 */
#include "postproc/many/compare.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/metrics/gather.h"
#include "postproc/metrics/statistics.h"
#include "lib/array.h"
#include "lib/printable.h"

/* A dump that is being read. */
struct reading {
	struct compare *c;
	unsigned side;
	struct metrics metrics;
	struct gather gather;
	bool averages;          /* for means; else for values of intervals or rounds */
};

static struct compared *
compare_find(struct compare *c, const struct metric *m, enum scope scope,
    const char *where)
{
	uint64_t hash = lookup_text(lookup_text(scope, m->name), where);
	struct compared *f;
	char unit[64];
	uint32_t at;

	for (at = lookup_first(&c->named, hash); at != LOOKUP_END;
	    at = lookup_next(&c->named, at)) {
		f = &c->figure[lookup_value(&c->named, at)];
		if (f->scope == scope && strcmp(f->metric, m->name) == 0 &&
		    strcmp(f->where, where) == 0)
			return f;
	}
	if (!array_room(&c->figure, c->n, &c->room, sizeof(*c->figure)))
		return NULL;
	f = &c->figure[c->n];
	/* totals are given per second, as a longer run has more */
	snprintf(unit, sizeof(unit), "%s%s", m->unit,
	    metric_adds(m) ? "/s" : "");
	*f = (struct compared){ .scope = scope, .p = NAN,
	    .metric = strdup(m->name), .unit = strdup(unit),
	    .where = strdup(where),
	    .side = { { .mean = NAN }, { .mean = NAN } } };
	c->n++;
	return f->metric == NULL || f->unit == NULL || f->where == NULL ||
	    lookup_add(&c->named, hash, c->n - 1) < 0 ? NULL : f;
}

/*
 * Adds a value for the rank test; part: figure_part of it.  Of values of different parts only
 * those with the greatest are kept.
 */
static bool
add_value(struct compared_side *s, double v, double part)
{
	if (!array_room(&s->value, s->n, &s->room, sizeof(*s->value)))
		return false;
	if (s->n > 0 && part < s->whole)
		return true;
	if (part > s->whole)
		s->n = 0;
	s->whole = part;
	s->value[s->n++] = v;
	return true;
}

/* Keeps the caveats of a mean: those of the first dump that has any.  That it is an estimate is
 * no caveat if its error is known, as the error of the difference is made of it. */
static void
compare_note(const struct gather *g, struct figure f, struct compared_side *s)
{
	size_t n;

	if (s->note[0] != '\0')
		return;
	if (!f.unscaled && !isnan(f.error))
		f.ran = 1;
	figure_note(&g->binding, &f, NULL, s->note, sizeof(s->note));
	n = strlen(s->note);
	if (f.left_out > 0)
		snprintf(s->note + n, sizeof(s->note) - n, "%s%u delta%s left "
		    "out", n > 0 ? "; " : "", f.left_out, plural(f.left_out));
}

static bool
take_figure(struct reading *r, unsigned bound, const struct window *w,
    const struct sums *sums)
{
	const struct binding *b = &r->gather.binding;
	struct figure v = binding_eval(b, bound, w, sums);
	struct compared_side *s;
	struct compared *f;
	char where[64];

	window_name(b, w, where, sizeof(where));
	f = compare_find(r->c, b->bound[bound].metric, (enum scope)w->scope,
	    where);
	if (f == NULL)
		return false;
	s = &f->side[r->side];
	if (isnan(v.value) || v.wrong) {
		if (r->averages && s->why[0] == '\0') {
			figure_why(b, &v, s->why, sizeof(s->why));
			if (v.wrong)
				snprintf(s->why, sizeof(s->why), "outside the "
				    "range that it can have");
		}
		return true;
	}
	if (metric_adds(b->bound[bound].metric)) {
		v.value /= sums->seconds;
		v.error /= sums->seconds;
	}
	if (!r->averages)
		return add_value(s, v.value, figure_part(&v));
	compare_note(&r->gather, v, s);
	s->mean = s->dumps == 0 ? v.value :
	    (s->mean * s->dumps + v.value) / (s->dumps + 1);
	s->square += v.error * v.error;
	s->dumps++;
	return r->c->side[r->side].npath == 1 ||
	    add_value(s, v.value, s->whole);
}

/* Which metrics are meant: those whose events are always counted, those whose events take
 * turns, or all. */
enum { ALWAYS_COUNTED = 1, TAKING_TURNS = 2, ALL_METRICS = 3 };

static bool
compare_take_all(struct reading *r, const struct sums *sums, unsigned which)
{
	const struct binding *b = &r->gather.binding;
	struct window w;

	for (unsigned m = 0; m < b->nbound; m++)
		for (enum scope s = 0; s < SCOPES; s++)
			for (unsigned k = 0; (r->c->scopes >> s & 1) != 0 &&
			    (which & (gather_rotates(&r->gather, m) ?
			    TAKING_TURNS : ALWAYS_COUNTED)) != 0 &&
			    b->bound[m].asked && k < binding_windows(b, m, s);
			    k++)
				if (binding_window(b, m, s, k, &w) &&
				    !take_figure(r, m, &w, sums))
					return false;
	return true;
}

static int
bind_all(struct reading *r, struct diag *why)
{
	unsigned bound;
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < r->metrics.n; i++) {
		const struct metric *m = metrics_at(&r->metrics, i);

		if (!m->hidden && patterns_match(&r->c->names, m->name))
			rc = binding_add(&r->gather.binding, m, &bound, why);
	}
	return rc;
}

/* Takes values for the rank test: of metrics whose events are always counted one for each
 * interval, of others one for each round.  If a time is asked for (compare.every), one for
 * each such time of all metrics. */
static int
read_groups(struct reading *r, struct diag *why)
{
	struct round round = round_begin(r->c->every, true);
	bool each = !(r->c->every > 0);
	int rc;

	while ((rc = gather_next(&r->gather, why)) > 0) {
		if (each && !compare_take_all(r, gather_interval(&r->gather),
		    ALWAYS_COUNTED))
			return -ENOMEM;
		if (!round_ends(&round, &r->gather))
			continue;
		if (!compare_take_all(r, gather_sums(&r->gather),
		    each ? TAKING_TURNS : ALL_METRICS))
			return -ENOMEM;
		gather_afresh(&r->gather);
	}
	return rc;
}

static int
read_averages(struct reading *r, struct compare_side *s, struct diag *why)
{
	int rc = gather_all(&r->gather, why);

	if (rc < 0)
		return rc;
	intervals_complain(r->gather.intervals);
	if (intervals_samples(r->gather.intervals) < 2)
		return diag_set(why, -ENODATA, !isnan(read_number(r->gather.reader,
		    "tally_summary", NAN)) ? "%s: a summary of dumps, which has "
		    "no samples: tally merge reads it" : "%s: no interval in the "
		    "range", r->gather.path);
	if (!compare_take_all(r, gather_sums(&r->gather), ALL_METRICS))
		return -ENOMEM;
	if (s->host[0] != '\0')
		return 0;
	snprintf(s->host, sizeof(s->host), "%s", r->gather.host);
	return traits_take(&s->traits, &r->gather);
}

static int
read_dump(struct compare *c, unsigned side, const char *path, bool averages,
    struct diag *why)
{
	struct reading r = { .c = c, .side = side, .averages = averages };
	struct compare_side *s = &c->side[side];
	int rc = gather_load(&r.gather, &r.metrics, path, &s->ask, why);

	if (rc == 0)
		rc = bind_all(&r, why);
	if (rc == 0)
		rc = averages ? read_averages(&r, s, why) :
		    read_groups(&r, why);
	gather_unload(&r.gather, &r.metrics);
	return rc;
}

/* Is the difference as large as was asked for?  (The rank test also finds shifts that are
 * too small to matter.) */
static bool
compare_differs(const struct compare *c, const struct compared *f)
{
	return f->side[0].mean == 0 ? f->side[1].mean != 0 :
	    fabs(compare_change(f)) >= c->least;
}

/* The standard error of the difference of the means, whose errors are independent. */
static double
error_of_difference(const struct compared *f)
{
	const struct compared_side *a = &f->side[0], *b = &f->side[1];

	return a->dumps == 0 || b->dumps == 0 ? (double)NAN :
	    sqrt(a->square / a->dumps / a->dumps +
	    b->square / b->dumps / b->dumps);
}

/* Is the difference at most two of its standard errors? */
static bool
is_within_error(const struct compared *f)
{
	return f->error > 0 &&
	    fabs(f->side[1].mean - f->side[0].mean) <= 2 * f->error;
}

static void
judge_figure(const struct compare *c, struct compared *f, bool below)
{
	bool differs = compare_differs(c, f);

	f->error = error_of_difference(f);
	f->slight = below && !differs;
	f->unsure = below && differs && is_within_error(f);
	f->changed = below && differs && !f->unsure;
	f->varies = !isnan(f->p) && !below && differs && !is_within_error(f) &&
	    fabs(compare_change(f)) >= COMPARE_MUCH;
}

static int
judge_all(struct compare *c)
{
	double *p = calloc(c->n + 1, sizeof(*p)), *ranks;
	struct ranked_p *order = calloc(c->n + 1, sizeof(*order));
	unsigned char *below = calloc(c->n + 1, 1);
	unsigned most = 1;

	for (unsigned i = 0; i < c->n; i++)
		most = c->figure[i].side[0].n + c->figure[i].side[1].n > most ?
		    c->figure[i].side[0].n + c->figure[i].side[1].n : most;
	ranks = calloc(most, sizeof(*ranks));
	if (p == NULL || order == NULL || below == NULL || ranks == NULL) {
		free(p), free(order), free(below), free(ranks);
		return -ENOMEM;
	}
	for (unsigned i = 0; i < c->n; i++) {
		const struct compared_side *a = &c->figure[i].side[0];
		const struct compared_side *b = &c->figure[i].side[1];

		p[i] = isnan(a->mean) || isnan(b->mean) ? (double)NAN :
		    rank_test(a->value, a->n, b->value, b->n, ranks);
		c->tested += !isnan(p[i]);
	}
	discoveries(p, c->n, c->share, order, below);
	for (unsigned i = 0; i < c->n; i++) {
		c->figure[i].p = p[i];
		judge_figure(c, &c->figure[i], below[i] != 0);
	}
	free(p), free(order), free(below), free(ranks);
	return 0;
}

int
compare_run(struct compare *c, struct diag *why)
{
	int rc = 0;

	for (unsigned side = 0; side < 2 && rc == 0; side++) {
		const struct compare_side *s = &c->side[side];

		for (unsigned i = 0; i < s->npath && rc == 0; i++)
			rc = read_dump(c, side, s->path[i], true, why);
		if (rc == 0 && s->npath == 1)
			rc = read_dump(c, side, s->path[0], false, why);
	}
	return rc < 0 ? rc : judge_all(c);
}

void
compare_fini(struct compare *c)
{
	for (unsigned i = 0; i < c->n; i++) {
		struct compared *f = &c->figure[i];

		free(f->metric);
		free(f->unit);
		free(f->where);
		free(f->side[0].value);
		free(f->side[1].value);
	}
	free(c->figure);
	lookup_fini(&c->named);
}

double
compare_change(const struct compared *f)
{
	double a = f->side[0].mean, b = f->side[1].mean;

	return a == 0 ? (double)NAN : 100 * (b - a) / fabs(a);
}
