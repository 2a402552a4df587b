/*
 * postproc/html/timeline_take.c - the values of timelines: each line is evaluated in an
 * interval, or in a round, and its value added to a bucket.
 */
#include "postproc/html/timeline.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/wide.h"

#define EMPTY ((struct bucket_value){ .lo = NAN, .hi = NAN })

static int
timeline_take_make_room(struct timeline *t)
{
	if (t->at != NULL)
		return 0;
	t->at = calloc(t->nline + 1, sizeof *t->at);
	t->now = calloc(t->nline + 1, sizeof *t->now);
	t->left = calloc(t->nline + 1, sizeof *t->left);
	for (unsigned i = 0; t->now != NULL && i < t->nline; i++)
		t->now[i] = EMPTY;
	t->now_of = NO_BUCKET;
	return t->at == NULL || t->now == NULL || t->left == NULL ? -ENOMEM : 0;
}

/* Which of timeline.compiled has the formula of a line. */
static unsigned
rotates(const struct timeline *t, const struct line *x)
{
	return t->metric[x->metric].rotates;
}

/* The bound metric that says the end of a line's range; -1: it is a number. */
static int
timeline_take_limit_of(const struct timeline *t, const struct line *x)
{
	const struct binding *b = &t->gather->binding;
	int most = b->bound[t->metric[x->metric].bound].most;

	return most >= 0 && b->bound[most].nmissing == 0 ? most : -1;
}

/* Did somebody else use a counter of the metric in this interval? */
static bool
is_taken(const struct gather *g, unsigned bound)
{
	struct bound_at at = { .op = 0 };
	uint32_t c;

	while (g->now.left_out > 0 &&
	    binding_column(&g->binding, bound, &at, &c))
		if (c < g->now.ncol && g->now.kind[c] == DELTA_FOREIGN)
			return true;
	return false;
}

/* What lines are evaluated in: an interval between samples, or a round of event sets
 * where each sample is a turn of one. */
struct line_time {
	const struct sums *sums;
	unsigned lane;          /* its lane in the compiled formulas */
	bool past;              /* the gather has read on since; no delta that is
	                         * needed was left out */
};

/* The weight of a line's value: of a formula what it is, whatever the range of the
 * metric that it is a part of. */
static double
timeline_take_weight(const struct timeline *t, const struct line *x,
    const struct line_time *in)
{
	const struct line_metric *m = &t->metric[x->metric];
	double w;

	if (m->how != WEIGH_OWN)
		return m->how == WEIGH_TIME ? in->sums->seconds : 1;
	if (!compiled_value(t->compiled[m->rotates], x->weight, in->lane, &w))
		w = binding_eval_quick(&t->gather->binding, m->weight,
		    &x->window, in->sums).value;
	return fabs(w);
}

/* Was there nothing to divide by? */
static bool
is_idle(double value)
{
	return isnan(value) && na_why(value, NULL) == NA_BY_ZERO;
}

/* Notes that a value is missing or lacks deltas, and the first reason for that. */
static void
timeline_take_doubt(const struct timeline *t, struct line *x,
    const struct line_time *in, struct bucket_value *to, const struct figure *f)
{
	if (is_idle(f->value) && f->left_out == 0) {
		to->idle = true;
		na_why(f->value, &x->zero);
		return;
	}
	to->doubt = true;
	to->taken |= isnan(f->value) && !in->past && is_taken(t->gather,
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
timeline_take_add(struct bucket_value *to, double value, double weight)
{
	float v = (float)value;

	to->sum += value * weight;
	to->weight += weight;
	if (!(to->lo <= v))
		to->lo = v;
	if (!(to->hi >= v))
		to->hi = v;
}

/* Is a value outside its range?  Where compiled formulas do not say what the end of that
 * is, or there is none, the binding tells. */
static bool
is_outside(const struct timeline *t, unsigned line, const struct line_time *in,
    double v)
{
	const struct line *x = &t->line[line];
	const struct line_metric *m = &t->metric[x->metric];
	const struct line_at *at = &t->at[line];
	double most = at->most;

	if (at->limit != COMPILED_NEVER && (m->metric->each || !compiled_value(
	    t->compiled[m->rotates], x->limit, in->lane, &most)))
		most = NAN;
	if (v >= at->least && v <= most)
		return false;
	return isnan(most) || most == DBL_MAX ?
	    binding_excludes(&t->gather->binding, m->bound, &x->window,
	    in->sums, v) : metric_excludes(m->metric, most, v);
}

/* Takes a value that may lack units or deltas, or whose events took turns. */
static void
take_slowly(struct timeline *t, unsigned line, const struct line_time *in,
    struct bucket_value *to)
{
	const struct binding *b = &t->gather->binding;
	struct line *x = &t->line[line];
	const struct line_metric *m = &t->metric[x->metric];
	struct figure f = { .left_out = 0 };
	double w;

	/* compiled formulas do not say which input is to blame */
	if (!compiled_value(t->compiled[m->rotates], x->value, in->lane,
	    &f.value) || (isnan(f.value) && x->why[0] == '\0' &&
	    !is_idle(f.value)))
		f = binding_eval_quick(b, m->bound, &x->window, in->sums);
	f.value = metric_settled(b->bound[m->bound].metric, f.value);
	f.wrong = !isnan(f.value) && is_outside(t, line, in, f.value);
	if (f.wrong && m->rotates)
		f = binding_eval(b, m->bound, &x->window, in->sums);
	if (isnan(f.value) || f.wrong || f.left_out > 0)
		timeline_take_doubt(t, x, in, to, &f);
	if (isfinite(f.value) && !f.wrong &&
	    isfinite(w = timeline_take_weight(t, x, in)))
		timeline_take_add(to, f.value, w);
}

/* Adds the value of a round to each bucket that has intervals of the round. */
static void
timeline_take_spread(struct timeline *t, unsigned line,
    const struct bucket_value *v, double seconds)
{
	unsigned coarse = t->cells[t->line[line].kept].coarse;

	for (unsigned i = t->round_from; i < t->n; i++) {
		bool full = i + 1 < t->n;
		unsigned bit = full ? i & ((1u << coarse) - 1) : 0;
		struct bucket_value *to = full ?
		    &t->line[line].in[i >> coarse] : &t->now[line];
		double part = t->bucket[i].in_round / seconds;

		if (!(part > 0))
			continue;
		to->sum += v->sum * part;
		to->weight += v->weight * part;
		to->lo = fminf(to->lo, v->lo);
		to->hi = fmaxf(to->hi, v->hi);
		to->square += (float)(part * part) * v->square;
		to->bits |= v->bits << bit;
	}
	t->line[line].any |= v->has;
}

/* Finds the standard error of a round's value from how values changed from round to
 * round so far. */
static void
take_error(struct line *x, const struct sums *s, struct bucket_value *round)
{
	double error;

	if (timeline_narrow((enum scope)x->window.scope) ||
	    !(round->weight > 0) || s->batches == NULL)
		return;
	error = batch_step(&x->steps, s->batches, round->sum / round->weight);
	round->square = (float)(error * error * round->weight * round->weight);
}

/* Takes the values of a round, of lines whose events take turns. */
static int
timeline_take_round(struct timeline *t, const struct sums *s)
{
	struct compiled *c = t->compiled[true];
	struct line_time in = { .sums = s };
	int rc = compiled_take(c, s);

	for (unsigned i = 0; rc == 0 && i < t->nline; i++) {
		struct bucket_value round = EMPTY;

		if (!rotates(t, &t->line[i]))
			continue;
		take_slowly(t, i, &in, &round);
		round.has = !isnan(round.lo);
		take_error(&t->line[i], s, &round);
		timeline_take_spread(t, i, &round, s->seconds);
	}
	return rc;
}

/* Stores the values of a line in a bucket that is full. */
static void
timeline_take_keep_line(struct timeline *t, unsigned i, unsigned bucket)
{
	struct line *x = &t->line[i];

	t->now[i].has = !isnan(t->now[i].lo);
	x->any |= t->now[i].has;
	if (t->cells[x->kept].coarse == 0)
		x->in[bucket] = t->now[i];
	else
		timeline_put(t, x, bucket, &t->now[i]);
	t->now[i] = EMPTY;
}

/* Intervals that were evaluated at once. */
struct at_once {
	const struct line_time *in;     /* [n] */
	unsigned n;
	unsigned end[EXPR_LANES];       /* [n] where the intervals of the same bucket
	                         * end */
	unsigned last;          /* where those of the last bucket begin */
	const double *value;    /* compiled_values */
	/* for threads that share the lines: */
	struct timeline *timeline;
	bool *left;             /* [nline] a line that they leave to the caller */
};

/* A line's values in all lanes, as a bucket adds them. */
struct weighed {
	double product[EXPR_LANES], weight[EXPR_LANES];
	float value[EXPR_LANES];
};

typedef float wide_floats
    __attribute__((vector_size(WIDE_BYTES / 2), aligned(4), may_alias));

/* Weighs the values of all lanes.  False: one is not certainly within the line's range,
 * or has no weight.  v, w, limit: [EXPR_LANES]. */
WIDE_TOO static bool
weigh_lanes(struct weighed *to, const struct line_at *at, const double *v,
    const double *w, const double *limit)
{
	const wide_doubles *from = (const wide_doubles *)v;
	const wide_doubles *by = (const wide_doubles *)w;
	const wide_doubles *most = (const wide_doubles *)limit;
	wide_doubles *product = (wide_doubles *)to->product;
	wide_doubles *weight = (wide_doubles *)to->weight;
	wide_floats *value = (wide_floats *)to->value;
	wide_bits good = from[0] == from[0];
	bool all = true;

	for (unsigned i = 0; i < EXPR_LANES / WIDE_DOUBLES; i++) {
		weight[i] = (wide_doubles)((wide_bits)by[i] & INT64_MAX);
		product[i] = from[i] * weight[i];
		value[i] = __builtin_convertvector(from[i], wide_floats);
		good &= (from[i] >= at->least) & (from[i] <= at->most) &
		    (weight[i] <= DBL_MAX);
		if (limit != NULL)
			good &= from[i] <= most[i];
	}
	for (unsigned i = 0; i < WIDE_DOUBLES; i++)
		all &= good[i] != 0;
	return all;
}

/* Adds the values of lanes j to end to a bucket, which may be empty. */
static void
add_weighed(struct bucket_value *to, const struct weighed *x, unsigned j,
    unsigned end)
{
	double sum = to->sum, weight = to->weight;
	float lo = isnan(to->lo) ? HUGE_VALF : to->lo;
	float hi = isnan(to->lo) ? -HUGE_VALF : to->hi;

	for (; j < end; j++) {
		sum += x->product[j];
		weight += x->weight[j];
		lo = x->value[j] < lo ? x->value[j] : lo;
		hi = x->value[j] > hi ? x->value[j] : hi;
	}
	to->sum = sum;
	to->weight = weight;
	to->lo = lo;
	to->hi = hi;
}

/* Sums up whole buckets, which are of lanes j to stop. */
static void
sum_buckets(struct bucket_value *to, const struct at_once *x,
    const struct weighed *w, unsigned j, unsigned stop)
{
	for (; j < stop; to++) {
		double sum = 0 + w->product[j], weight = w->weight[j];
		float lo = w->value[j], hi = lo;

		for (unsigned end = x->end[j]; ++j < end;) {
			sum += w->product[j];
			weight += w->weight[j];
			lo = w->value[j] < lo ? w->value[j] : lo;
			hi = w->value[j] > hi ? w->value[j] : hi;
		}
		*to = (struct bucket_value){ sum, weight, lo, hi, .has = true };
	}
}

/* Takes the values of all lanes.  Buckets that begin and end in them, which follow each
 * other, are never in timeline.now. */
static void
take_all_lanes(struct timeline *t, unsigned i, const struct at_once *x,
    const struct weighed *w)
{
	struct bucket_value sums[EXPR_LANES];
	struct line *line = &t->line[i];
	bool coarse = t->cells[line->kept].coarse > 0;
	unsigned j = 0;

	if (t->now_of == t->lane_bucket[0]) {
		j = x->end[0];
		add_weighed(&t->now[i], w, 0, j);
	}
	if (j == EXPR_LANES)
		return;
	if (t->now_of != NO_BUCKET)
		timeline_take_keep_line(t, i, t->now_of);
	if (j < x->last) {
		line->any = true;
		sum_buckets(coarse ? sums : &line->in[t->lane_bucket[j]], x, w,
		    j, x->last);
	}
	for (unsigned k = 0; coarse && j < x->last; j = x->end[j])
		timeline_put(t, line, t->lane_bucket[j], &sums[k++]);
	add_weighed(&t->now[i], w, x->last, EXPR_LANES);
}

/* Adds the value of a lane. */
static void
take_lane(struct timeline *t, unsigned i, const struct line_time *in,
    const double *v, const double *w, const double *limit)
{
	const struct line_at *at = &t->at[i];
	unsigned j = in->lane;

	if (v != NULL && v[j] >= at->least && v[j] <= at->most &&
	    (limit == NULL || v[j] <= limit[j]) && isfinite(w[j]))
		timeline_take_add(&t->now[i], v[j], fabs(w[j]));
	else
		take_slowly(t, i, in, &t->now[i]);
}

/* Takes the values of a line in intervals that were evaluated at once.  t->lane_bucket
 * has the bucket of each.  False, and nothing is taken: a value may have to be evaluated
 * by the binding, which one thread alone can do, and `alone` is not set. */
static bool
timeline_take_line(struct timeline *t, unsigned i, const struct at_once *x,
    bool alone)
{
	const struct line_at *at = &t->at[i];
	const double *v = NULL, *w = NULL, *limit = NULL;
	unsigned bucket = t->now_of;
	struct weighed weighed;
	bool whole;

	if (x->value != NULL && at->value != COMPILED_NEVER &&
	    at->weight != COMPILED_NEVER) {
		v = x->value + (size_t)at->value * EXPR_LANES;
		w = x->value + (size_t)at->weight * EXPR_LANES;
		if (at->limit != COMPILED_NEVER)
			limit = x->value + (size_t)at->limit * EXPR_LANES;
	}
	whole = v != NULL && x->n == EXPR_LANES &&
	    weigh_lanes(&weighed, at, v, w, limit);
	if (whole)
		take_all_lanes(t, i, x, &weighed);
	for (unsigned j = 0; !whole && alone && j < x->n; j++) {
		if (bucket != t->lane_bucket[j] && bucket != NO_BUCKET)
			timeline_take_keep_line(t, i, bucket);
		bucket = t->lane_bucket[j];
		take_lane(t, i, &x->in[j], v, w, limit);
	}
	return whole || alone;
}

#define PIECE_LINES 128

static void
timeline_take_piece(void *at_once, unsigned piece, unsigned thread)
{
	const struct at_once *x = at_once;
	struct timeline *t = x->timeline;
	unsigned i = piece * PIECE_LINES;

	(void)thread;
	for (unsigned end = t->nline - i < PIECE_LINES ? t->nline :
	    i + PIECE_LINES; i < end; i++)
		x->left[i] = !rotates(t, &t->line[i]) &&
		    !timeline_take_line(t, i, x, false);
}

static void
timeline_take_intervals(struct timeline *t, const struct line_time *in,
    unsigned n)
{
	struct at_once x = { .in = in, .n = n, .timeline = t, .left = t->left,
	    .value = compiled_values(t->compiled[false]) };

	for (unsigned j = n; j-- > 0;)
		x.end[j] = j + 1 < n && t->lane_bucket[j] ==
		    t->lane_bucket[j + 1] ? x.end[j + 1] : j + 1;
	while (x.end[x.last] < n)
		x.last = x.end[x.last];
	crew_do(t->crew, timeline_take_piece, &x, (t->nline + PIECE_LINES - 1) /
	    PIECE_LINES);
	for (unsigned i = 0; i < t->nline; i++)
		if (t->left[i])
			timeline_take_line(t, i, &x, true);
	t->now_of = t->lane_bucket[n - 1];
	for (unsigned j = 0; j < n; j++) {
		const struct sums *s = in[j].sums;

		bandwidths_take_lane(t->beside, t->compiled[false], s, j);
		for (unsigned i = 0; i < TIMELINE_GUESTS; i++)
			if (t->guest[i].take != NULL)
				t->guest[i].take(t->guest[i].ctx,
				    t->compiled[false], s, j);
	}
}

void
timeline_take_kept(void *timeline)
{
	struct timeline *t = timeline;
	struct compiled *c = t->compiled[false];
	struct line_time in[EXPR_LANES];
	unsigned n = c == NULL ? 0 : compiled_kept(c);

	if (n == 0)
		return;
	compiled_run(c, t->crew);
	for (unsigned j = 0; j < n; j++)
		in[j] = (struct line_time){ compiled_sums(c, j), j, true };
	timeline_take_intervals(t, in, n);
	compiled_drop(c);
}

int
timeline_take(struct timeline *t, const struct sums *s, bool rounds)
{
	struct compiled *c = t->compiled[rounds];
	struct line_time in = { .sums = s };
	bool kept = false;
	int rc = 0;

	if (rounds)
		return timeline_take_round(t, s);
	if (t->gather->now.left_out == 0)
		rc = compiled_keep(c, s, &kept);
	if (kept)
		t->lane_bucket[compiled_kept(c) - 1] = t->n - 1;
	if (kept && compiled_kept(c) < EXPR_LANES)
		return rc;
	timeline_take_kept(t);
	if (rc < 0 || kept || (rc = compiled_take(c, s)) < 0)
		return rc;
	t->lane_bucket[0] = t->n - 1;
	timeline_take_intervals(t, &in, 1);
	return 0;
}

void
timeline_keep(struct timeline *t, bool all)
{
	if (all)
		timeline_take_kept(t);
	for (unsigned i = 0; t->n > 0 && (all || t->sets) && i < t->nline; i++)
		if (rotates(t, &t->line[i]))
			timeline_take_keep_line(t, i, t->n - 1);
		else if (all && t->now_of != NO_BUCKET)
			timeline_take_keep_line(t, i, t->now_of);
	if (all)
		t->now_of = NO_BUCKET;
}

/* ---- formulas ------------------------------------------------------------ */

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
	t->at[i].limit = timeline_take_limit_of(t, x) < 0 ? COMPILED_NEVER :
	    compiled_at(c, x->limit);
	t->at[i].value = compiled_at(c, x->value);
	t->at[i].weight = how == WEIGH_TIME ? COMPILED_SECONDS :
	    how == WEIGH_OWN ? compiled_at(c, x->weight) : COMPILED_ONE;
}

int
timeline_compile(struct timeline *t)
{
	int rc = timeline_take_make_room(t);

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
		if (rc == 0 && timeline_take_limit_of(t, x) >= 0)
			rc = compiled_add(c,
			    (unsigned)timeline_take_limit_of(t, x),
			    &x->window, &x->limit);
	}
	if (rc == 0)
		rc = bandwidths_compile(t->beside, t->compiled[false]);
	for (unsigned i = 0; rc == 0 && i < TIMELINE_GUESTS; i++)
		if (t->guest[i].compile != NULL)
			rc = t->guest[i].compile(t->guest[i].ctx,
			    t->compiled[false]);
	for (unsigned i = 0; rc == 0 && i < 2; i++)
		rc = compiled_finish(t->compiled[i]);
	for (unsigned i = 0; rc == 0 && i < t->nline; i++)
		place_line(t, i);
	return rc;
}
