/*
 * postproc/charts/timeline_take.c - what each line is worth in an interval, and what that
 * does to its bucket.
 */
#include "postproc/charts/timeline.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EMPTY ((struct bucket_value){ .lo = NAN, .hi = NAN })

static int
make_room(struct timeline *t)
{
	if (t->at != NULL)
		return 0;
	t->at = calloc(t->nline + 1, sizeof *t->at);
	t->now = calloc(t->nline + 1, sizeof *t->now);
	for (unsigned i = 0; t->now != NULL && i < t->nline; i++)
		t->now[i] = EMPTY;
	return t->at == NULL || t->now == NULL ? -ENOMEM : 0;
}

/* Which formulas a line's is among. */
static unsigned
rotates(const struct timeline *t, const struct line *x)
{
	return t->metric[x->metric].rotates;
}

/* The bound metric that says the most that a line can be; -1: a number does. */
static int
limit_of(const struct timeline *t, const struct line *x)
{
	const struct binding *b = &t->gather->binding;
	int most = b->bound[t->metric[x->metric].bound].most;

	return most >= 0 && b->bound[most].nmissing == 0 ? most : -1;
}

static void
place_line(struct timeline *t, unsigned i)
{
	const struct line *x = &t->line[i];
	const struct compiled *c = t->compiled[rotates(t, x)];
	const struct metric *m = t->metric[x->metric].metric;
	enum weigh how = t->metric[x->metric].how;

	t->at[i].least = m->ranged ? m->lo : -DBL_MAX;
	t->at[i].most = m->most != NULL ? DBL_MAX : fmin(DBL_MAX, binding_most(
	    &t->gather->binding, t->metric[x->metric].bound, &x->window, NULL));
	t->at[i].limit = limit_of(t, x) < 0 ? COMPILED_NEVER :
	    compiled_at(c, x->limit);
	t->at[i].value = compiled_at(c, x->value);
	t->at[i].weight = how == WEIGH_TIME ? COMPILED_SECONDS :
	    how == WEIGH_OWN ? compiled_at(c, x->weight) : COMPILED_ONE;
}

int
timeline_compile(struct timeline *t)
{
	int rc = make_room(t);

	for (unsigned i = 0; i < 2; i++) {
		compiled_free(t->compiled[i]);
		t->compiled[i] = compiled_new(&t->gather->binding);
		if (t->compiled[i] == NULL)
			return -ENOMEM;
	}
	for (unsigned i = 0; rc == 0 && i < t->nline; i++) {
		struct line *x = &t->line[i];
		const struct line_metric *m = &t->metric[x->metric];
		struct compiled *c = t->compiled[m->rotates];

		rc = compiled_add(c, m->bound, &x->window, &x->value);
		if (rc == 0 && m->how == WEIGH_OWN)
			rc = compiled_add(c, m->weight, &x->window, &x->weight);
		if (rc == 0 && limit_of(t, x) >= 0)
			rc = compiled_add(c, (unsigned)limit_of(t, x),
			    &x->window, &x->limit);
	}
	for (unsigned i = 0; rc == 0 && i < 2; i++)
		rc = compiled_finish(t->compiled[i]);
	for (unsigned i = 0; rc == 0 && i < t->nline; i++)
		place_line(t, i);
	return rc;
}

/* Does a metric rest on counters that somebody else had in this interval? */
static bool
is_taken(const struct gather *g, unsigned bound)
{
	const struct binding *b = &g->binding;
	const struct bound *x = &b->bound[bound];

	for (uint32_t i = x->op; g->now.left_out > 0 && i < x->op + x->nop;
	    i++) {
		const struct input *in = &b->input[b->op[i].arg];

		if (b->op[i].code != EXPR_REF || in->kind != INPUT_COLUMNS)
			continue;
		for (uint32_t k = 0; k < input_ncolumn(b, in); k++)
			if (in->column[k] < g->now.ncol &&
			    g->now.kind[in->column[k]] == DELTA_FOREIGN)
				return true;
	}
	return false;
}

/* What a line's value weighs. */
static double
weight(const struct timeline *t, const struct line *x, const struct sums *s)
{
	const struct line_metric *m = &t->metric[x->metric];
	double w;

	if (m->how != WEIGH_OWN)
		return m->how == WEIGH_TIME ? s->seconds : 1;
	if (!compiled_value(t->compiled[m->rotates], x->weight, &w))
		w = binding_eval(&t->gather->binding, m->weight, &x->window,
		    s).value;
	return fabs(w);
}

/* A value that is not there, or lacks deltas, and the first reason for it. */
static void
take_doubt(const struct timeline *t, struct line *x,
    struct bucket_value *to, const struct figure *f)
{
	to->doubt = true;
	to->taken |= isnan(f->value) && is_taken(t->gather,
	    t->metric[x->metric].bound);
	if (x->why[0] == '\0' && isnan(f->value))
		figure_why(&t->gather->binding, f, x->why, sizeof x->why);
	if (x->why[0] == '\0' && f->wrong)
		strcpy(x->why, "outside the range that it can have");
	if (x->why[0] == '\0' && f->left_out > 0)
		snprintf(x->why, sizeof x->why, "%u delta%s left out",
		    f->left_out, f->left_out > 1 ? "s" : "");
}

static void
add(struct bucket_value *to, double value, double weight)
{
	float v = (float)value;

	to->sum += value * weight;
	to->weight += weight;
	if (!(to->lo <= v))
		to->lo = v;
	if (!(to->hi >= v))
		to->hi = v;
}

/* One of which it is not known that all is there. */
static void
take_slowly(struct timeline *t, struct line *x, const struct sums *s,
    struct bucket_value *to)
{
	const struct line_metric *m = &t->metric[x->metric];
	struct figure f = { .left_out = 0 };
	double w;

	/* compiled, it has no reasons */
	if (!compiled_value(t->compiled[m->rotates], x->value, &f.value) ||
	    (isnan(f.value) && x->why[0] == '\0'))
		f = binding_eval(&t->gather->binding, m->bound, &x->window, s);
	f.value = metric_settled(t->gather->binding.bound[m->bound].metric,
	    f.value);
	f.wrong = binding_excludes(&t->gather->binding, m->bound, &x->window, s,
	    f.value);
	if (isnan(f.value) || f.wrong || f.left_out > 0)
		take_doubt(t, x, to, &f);
	if (isfinite(f.value) && !f.wrong && isfinite(w = weight(t, x, s)))
		add(to, f.value, w);
}

/* A value of a round is that of each of its intervals, in as many buckets. */
static void
spread(struct timeline *t, unsigned line, const struct bucket_value *v,
    double seconds)
{
	for (unsigned i = t->round_from; i < t->n; i++) {
		struct bucket_value *to = i + 1 < t->n ?
		    &t->line[line].in[i] : &t->now[line];
		double part = t->bucket[i].in_round / seconds;

		if (!(part > 0))
			continue;
		to->sum += v->sum * part;
		to->weight += v->weight * part;
		to->lo = fminf(to->lo, v->lo);
		to->hi = fmaxf(to->hi, v->hi);
		to->doubt |= v->doubt;
		to->taken |= v->taken;
	}
	t->line[line].any |= !isnan(v->lo);
}

void
timeline_take(struct timeline *t, const struct sums *s, bool rounds)
{
	const double *value;
	struct compiled *c = t->compiled[rounds];

	compiled_take(c, s);
	value = compiled_values(c);
	for (unsigned i = 0; i < t->nline; i++) {
		const struct line_at *at = &t->at[i];
		struct bucket_value round = EMPTY, *to = rounds ? &round :
		    &t->now[i];

		if (rotates(t, &t->line[i]) != rounds)
			continue;
		if (value != NULL && at->value != COMPILED_NEVER &&
		    at->weight != COMPILED_NEVER &&
		    value[at->value] >= at->least &&
		    value[at->value] <= at->most &&
		    (at->limit == COMPILED_NEVER ||
		    value[at->value] <= value[at->limit]) &&
		    isfinite(value[at->weight]))
			add(to, value[at->value], fabs(value[at->weight]));
		else
			take_slowly(t, &t->line[i], s, to);
		if (rounds)
			spread(t, i, to, s->seconds);
	}
}

void
timeline_keep(struct timeline *t)
{
	for (unsigned i = 0; t->n > 0 && i < t->nline; i++) {
		struct line *x = &t->line[i];

		x->any |= !isnan(t->now[i].lo);
		x->in[t->n - 1] = t->now[i];
		t->now[i] = EMPTY;
	}
}
