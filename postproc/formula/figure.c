/*
 * postproc/formula/figure.c - the value of a bound metric in a window of the node.
 *
 * First each input is added up over the units that have it.  Where an input lacks a
 * unit that the node has, the formula is evaluated a second time, over the units that
 * have all inputs that it used: a quotient of sums over different units would mean
 * nothing.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/formula/bind_int.h"
#include "postproc/data/turns.h"

#define APART 0.005             /* inputs are of different times if the parts of
                                 * the time that they are known differ by more */
#define MANY 1e5                /* counts: chance is a third of a hundredth of them */
#define IN_COMMON 0.75          /* the shorter time is at least so much of the
                                 * longer one; else there is no value */

/* Which units of a level have all inputs, in this evaluation; NULL: all count. */
static const uint8_t *
common_of(const struct eval *e, enum level level)
{
	for (uint32_t i = 0; e->common && i < e->b->ndomain; i++) {
		const struct domain *d = &e->b->domain[i];

		if (d->stamp == e->b->seen[0] && d->level == level &&
		    !d->by_core)
			return d->common;
	}
	return NULL;
}

static double
value(void *ctx, uint32_t ref)
{
	struct eval *e = ctx;
	const struct input *in = &e->b->input[ref];

	switch (in->kind) {
	case INPUT_TIME:
		return e->sums->seconds > 0 ? e->sums->seconds : na(NA_TIME, 0);
	case INPUT_WALL_TIME:
		return e->sums->wall > 0 ? e->sums->wall : na(NA_WALL, 0);
	case INPUT_TSC_HZ:
		return e->sums->tsc_hz > 0 ? e->sums->tsc_hz : na(NA_TSC, 0);
	case INPUT_INTERVALS:
		return (double)e->sums->intervals;
	case INPUT_COLUMNS:
		return worth_input(e, in);
	default:
		return input_constant(e->b, in, &e->window[e->depth],
		    common_of(e, in->kind == INPUT_PACKAGES ? LEVEL_PACKAGE :
		    LEVEL_LPROC));
	}
}

static bool
enter(void *ctx, const struct expr_op *op, unsigned n)
{
	struct eval *e = ctx;
	struct window w = e->window[e->depth];

	if (e->depth + 1 >= MAX_WINDOWS)
		return false;
	if (op->code == EXPR_THREAD)
		w.thread = (int)op->num;
	else if (!window_narrow(e->b, op, n, &w))
		return false;
	e->window[++e->depth] = w;
	return true;
}

static void
figure_leave(void *ctx)
{
	struct eval *e = ctx;

	e->depth--;
}

static uint32_t
figure_eval_mark(void *ctx)
{
	struct eval *e = ctx;

	return e->nused;
}

static void
figure_drop(void *ctx, uint32_t to)
{
	struct eval *e = ctx;

	e->nused = to;
}

/* Finds in each domain the units that have all of the inputs that were used. */
static void
find_common(struct eval *e)
{
	const struct binding *b = e->b;

	for (uint32_t i = 0; i < e->nused; i++) {
		const struct input *in = &b->input[b->used[i]];
		struct domain *d = &b->domain[in->domain];

		if (d->level == LEVEL_NODE)
			continue;
		if (d->stamp != b->seen[0])
			memcpy(d->common, d->there, d->nunit);
		d->stamp = b->seen[0];
		for (uint32_t u = 0; u < d->nunit; u++)
			d->common[u] = d->common[u] &&
			    window_has_unit(b->topo, &e->window[0], d, u) &&
			    worth_has_unit(e, in, u);
	}
}

/* Counts these units, for the domain in which they are the smallest part. */
static void
count_common(const struct eval *e, struct figure *f)
{
	const struct binding *b = e->b;

	for (uint32_t i = 0; i < b->ndomain; i++) {
		const struct domain *d = &b->domain[i];
		uint32_t have = 0, of = 0;

		for (uint32_t u = 0; d->stamp == b->seen[0] &&
		    u < d->nunit; u++)
			if (window_has_unit(b->topo, &e->window[0], d, u)) {
				have += d->common[u];
				of += d->there[u];
			}
		if (have == of || (f->of > 0 && (uint64_t)have * f->of >=
		    (uint64_t)f->have * of))
			continue;
		f->have = have;
		f->of = of;
		f->domain = i;
	}
}

static void
knows_nothing(struct eval *e)
{
	e->nused = 0;
	e->least_known = 1;
	e->most_known = 0;
}

/* Notes for which part of the time a figure is known, and marks one whose inputs are known
 * for different parts of it; where the parts differ much, it has no value, as a quotient
 * of them would mean nothing. */
static void
note_apart(const struct eval *e, struct figure *f)
{
	double least = 1, most = 0;
	unsigned n = 0;

	for (uint32_t i = 0; i < e->nused; i++) {
		const struct counted *of = &e->b->counted[i];

		if (of->nknown == 0)
			continue;
		least = fmin(least, of->known / of->nknown);
		most = fmax(most, of->known / of->nknown);
		n++;
	}
	f->known = n > 0 ? least : 0;
	if (n < 2 || isnan(f->value))
		return;
	f->apart |= e->most_known - e->least_known > APART;
	if (least < IN_COMMON * most)
		f->value = na(NA_APART, 0);
}

/* Evaluates over all units; where an input lacks some of them, over those that have all
 * inputs. */
static double
evaluate(struct eval *e, const struct bound *x, struct figure *f)
{
	const struct binding *b = e->b;
	struct expr_env env = { .ctx = e, .value = value, .enter = enter,
	    .leave = figure_leave, .mark = figure_eval_mark,
	    .drop = figure_drop };
	double v;

	b->seen[0]++;
	e->left_out = e->depth = 0;
	e->partial = e->common = false;
	knows_nothing(e);
	e->no_turn = TURN_NONE;
	f->have = f->of = f->domain = 0;
	v = expr_eval(b->op + x->op, x->nop, &env);
	if (!e->partial || isnan(v))
		return v;
	b->seen[0]++;
	find_common(e);
	count_common(e, f);
	e->common = true;
	e->left_out = 0;
	knows_nothing(e);
	return expr_eval(b->op + x->op, x->nop, &env);
}

/* When the inputs that were used were counted, all together. */
static struct counted
count_used(const struct eval *e, struct figure *f)
{
	struct counted all = { .ran = 1 };

	f->ran = 1;
	f->unscaled = false;
	for (uint32_t i = 0; i < e->nused; i++) {
		const struct counted *when = &e->b->counted[i];

		f->ran = when->ran < f->ran ? when->ran : f->ran;
		f->unscaled |= when->ran < 0.9999 &&
		    e->b->input[e->b->used[i]].how == REF_TOTAL;
		counted_join(&all, when);
	}
	return all;
}

/* Is some input an estimate of what it counted while the others were counted? */
static bool
is_guessed(const struct eval *e, const struct counted *all)
{
	const struct sums *s = e->sums;
	bool group = all->whose != 0 && all->whose != WHOSE_SEVERAL &&
	    s->turns->name[all->whose - 1].family[0] != '\0';

	if (!all->part || all->whose == 0)
		return false;
	return all->whose == WHOSE_SEVERAL || all->loose ||
	    (all->steady && (group || s->together.nset == 0));
}

/* The part of the standard error that comes from the turns of one set or group (whose),
 * or of all (0): from what the value would be without each batch of their turns. */
static double
error_by(const struct eval *e, unsigned m, const struct figure *f, uint32_t whose)
{
	const struct sums *s = e->sums;
	double less[BATCHES];

	for (unsigned i = 0; i < batches_count(s->batches); i++) {
		struct sums one = s->without[i];

		one.others = whose > 0 ? s : NULL;
		one.only = whose;
		less[i] = binding_eval(e->b, m, &e->window[0], &one).value;
	}
	return batches_error(s->batches, f->value, less);
}

/*
 * Of a single unit, or of those of late, none can be left out: what turns missed of
 * the counters that always count, by the same part of the value.  NaN: a turn is a
 * whole sample, of which nobody knows what the others miss.
 */
static double
error_by_pace(const struct sums *s, double value)
{
	double units = s->intervals > 1 ? (double)s->intervals : 1;

	return !s->turns->between ? (double)NAN : fabs(value) *
	    batches_off(s->batches) / sqrt(units);
}

/*
 * The standard error of a figure.  Errors of several sets are independent, although the
 * sets saw the same work: a quotient of two counts that rise and fall together hardly
 * changes from batch to batch, and yet has the errors of both.  So batches are left out
 * set by set, and the squares of the errors added.
 */
static double
error_by_sets(const struct eval *e, unsigned m, const struct figure *f)
{
	const unsigned n = e->nused;
	uint32_t whose[n + 1];
	double square = 0;

	for (unsigned i = 0; i < n; i++) {
		whose[i] = e->b->counted[i].whose;
		if (whose[i] == WHOSE_SEVERAL)
			return error_by(e, m, f, 0);
	}
	for (unsigned i = 0; i < n; i++) {
		bool again = whose[i] == 0;
		double one;

		for (unsigned k = 0; k < i; k++)
			again |= whose[k] == whose[i];
		if (again)
			continue;
		one = error_by(e, m, f, whose[i]);
		square += one * one;
	}
	return sqrt(square);
}

static double
error_of(const struct eval *e, unsigned m, const struct figure *f)
{
	const struct sums *s = e->sums;
	double by_pace;

	if (isnan(f->value) || !figure_is_estimate(f))
		return isnan(f->value) ? f->value : 0;
	if (f->unscaled || s->batches == NULL)
		return NAN;
	by_pace = error_by_pace(s, f->value);
	if (s->without == NULL)
		return by_pace;
	/* two units differ by little once in a while */
	return hypot(error_by_sets(e, m, f), s->batches->unit < STEPS_LEAST ?
	    by_pace : 0);
}

/*
 * What chance adds to an estimate's error: by what it would be, were each of its inputs
 * in turn more by that.  Work that changes is not in it, and events that come in twos
 * are less sure than that.
 */
static double
chance_of(struct eval *e, unsigned m, const struct figure *f)
{
	const struct bound *x = &e->b->bound[m];
	uint32_t ref[e->nused + 1];
	unsigned n = 0;
	double square = 0;

	if (isnan(f->value) || !figure_is_estimate(f) || f->unscaled ||
	    e->sums->batches == NULL)
		return 0;
	for (unsigned i = 0; i < e->nused; i++) {
		const struct counted *when = &e->b->counted[i];

		if (when->one > 0 && when->counts < MANY)
			ref[n++] = e->b->used[i];
	}
	for (unsigned i = 0; i < n; i++) {
		struct figure other = *f;
		double by;

		e->chance_of = 1 + ref[i];
		by = metric_settled(x->metric, evaluate(e, x, &other)) -
		    f->value;
		if (isfinite(by))
			square += by * by;
	}
	return sqrt(square);
}

unsigned
binding_each(const struct binding *b, unsigned m, const struct window *w)
{
	const struct bound *x = &b->bound[m];
	const struct input *in;
	const struct domain *d;
	unsigned n = 0;

	if (x->metric->scope != SCOPE_OF_BOX || x->box_input < 0)
		return w->pkg_hi - w->pkg_lo;
	in = &b->input[x->box_input];
	d = &b->domain[in->domain];
	for (uint32_t unit = w->pkg_lo * in->nslot; unit < w->pkg_hi *
	    in->nslot; unit++)
		n += d->there[unit] && window_has_box(b->topo, w, d, unit);
	return n;
}

double
binding_most(const struct binding *b, unsigned m, const struct window *w,
    const struct sums *sums)
{
	const struct bound *x = &b->bound[m];
	double most = x->metric->hi;

	if (!x->metric->ranged)
		return HUGE_VAL;
	if (x->metric->most != NULL)
		most = x->most >= 0 ? binding_eval(b, (unsigned)x->most, w,
		    sums).value : (double)NAN;
	if (x->metric->each)
		most *= binding_each(b, m, w);
	return isnan(most) ? HUGE_VAL : most;
}

bool
binding_excludes(const struct binding *b, unsigned m, const struct window *w,
    const struct sums *sums, double value)
{
	const struct metric *x = b->bound[m].metric;

	/* a limit that is a number is never less than that of one unit */
	if (!x->ranged || isnan(value) || (x->most == NULL &&
	    !metric_excludes(x, x->hi, value)))
		return false;
	return metric_excludes(x, binding_most(b, m, w, sums), value);
}

/*
 * Is an estimate outside its range within two of its standard errors of it?  Then its
 * counters need not be wrong: it may be of few counts.  What is all of the time of one
 * set is not out of its range by what the rest of the time was: of that only what units
 * differ by counts.
 */
static bool
is_near(const struct eval *e, unsigned m, const struct figure *f)
{
	double error = f->error;

	if (e->view.set > 0)
		error = e->sums->batches != NULL && e->sums->batches->unit >=
		    STEPS_LEAST ? sqrt(fmax(0, error * error - f->chance *
		    f->chance)) : 0;
	if (!(error > 0))
		return false;
	/* a range may be narrower than the error */
	for (double part = -2; part <= 2; part += 0.125)
		if (!binding_excludes(e->b, m, &e->window[0], e->sums,
		    f->value + part * error))
			return true;
	return false;
}

/* Computes a figure; its error only where it is asked for, or decides whether the value
 * is wrong. */
static struct figure
compute_figure(const struct binding *b, unsigned m, const struct window *w,
    const struct sums *sums, bool error)
{
	const struct bound *x = &b->bound[m];
	struct eval e;          /* not cleared, which would take long: it has many
	                         * windows */
	struct figure f = { .value = NAN, .error = NAN, .metric = x->metric,
	    .ran = 1, .misleads = x->misleads, .without = x->without };
	struct counted all;
	struct worth_view asked;

	if (x->nmissing > 0) {
		f.missing = x->missing[0];
		return f;
	}
	if (window_parts(w, x->metric)) {
		f.value = na(NA_PART, 0);
		return f;
	}
	e.b = b;
	e.sums = sums;
	e.chance_of = 0;
	e.window[0] = *w;
	asked = view_foreseen(b, m, sums);
	/* the view depends on which inputs are used, and which alternatives are
	 * taken on the view: try again until both agree */
	for (unsigned i = 0; i < 3; i++) {
		e.view = asked;
		f.value = evaluate(&e, x, &f);
		all = count_used(&e, &f);
		asked = view_asked(b, &all, sums);
		if (asked.set == e.view.set &&
		    asked.by_cycles == e.view.by_cycles)
			break;
	}
	f.value = metric_settled(x->metric, f.value);
	f.left_out = e.left_out;
	f.no_turn = isnan(f.value) ? e.no_turn : TURN_NONE;
	f.apart = all.part && all.whose == WHOSE_SEVERAL && !isnan(f.value);
	note_apart(&e, &f);
	f.guessed = f.apart || is_guessed(&e, &all);
	if (error) {
		f.error = error_of(&e, m, &f);
		f.chance = chance_of(&e, m, &f);
		f.error = sums->without != NULL && sums->batches->unit >=
		    STEPS_LEAST ? batches_add_chance(sums->batches, f.error,
		    f.chance) : hypot(f.error, f.chance);
	}
	f.wrong = f.outside = binding_excludes(b, m, w, sums, f.value);
	if (f.wrong && !f.guessed && !error)
		return compute_figure(b, m, w, sums, true);
	if (f.wrong && (f.guessed || is_near(&e, m, &f))) {
		f.guess = f.value;
		f.value = f.error = na(NA_BEYOND, 0);
		f.wrong = f.apart = false;
	}
	return f;
}

/* ---- figures that are used again ------------------------------------------- */

/*
 * Figures of packages and of the node, of which there are few, are asked for by several
 * parts of a page: each is kept until another one takes its place.
 */
#define KEPT 512

struct figure_kept {
	uint64_t sums;          /* sums.number */
	unsigned m;
	bool error;             /* its standard error was asked for, too */
	struct window window;
	struct figure figure;
};

struct figure_kept *
figure_kept_new(void)
{
	struct figure_kept *k = malloc(KEPT * sizeof *k);

	/* sums.number is never 0 where a figure is kept */
	for (unsigned i = 0; k != NULL && i < KEPT; i++)
		k[i].sums = 0;
	return k;
}

/* Where a figure is kept, or is to be; NULL: it is not kept. */
static struct figure_kept *
figure_kept_at(const struct binding *b, unsigned m, const struct window *w,
    const struct sums *sums)
{
	bool node = w->scope == SCOPE_OF_NODE;

	if ((!node && w->scope != SCOPE_OF_PACKAGE) || w->only != 0 ||
	    w->thread >= 0 || w->in_box || sums->number == 0 ||
	    sums->others != NULL)
		return NULL;
	return &b->figures[(m * 4 + (node ? 0 : 1 + w->pkg_lo)) & (KEPT - 1)];
}

/* Takes a figure that is kept, with or without its standard error as it is asked for.
 * Without turns that error is 0. */
static bool
take_kept(const struct figure_kept *k, const struct sums *sums, bool error,
    struct figure *f)
{
	*f = k->figure;
	if (k->error == error)
		return true;
	if (f->outside || (error && (sums->turns != NULL ||
	    sums->without != NULL || isnan(f->value))))
		return false;
	f->error = error ? 0 : (double)NAN;
	f->chance = 0;
	return true;
}

static struct figure
eval_figure(const struct binding *b, unsigned m, const struct window *w,
    const struct sums *sums, bool error)
{
	struct figure_kept *k = figure_kept_at(b, m, w, sums);
	struct figure f;

	if (k == NULL)
		return compute_figure(b, m, w, sums, error);
	if (k->sums == sums->number && k->m == m && k->window.scope ==
	    w->scope && k->window.lo == w->lo && k->window.hi == w->hi &&
	    k->window.pkg_lo == w->pkg_lo && k->window.pkg_hi == w->pkg_hi &&
	    take_kept(k, sums, error, &f))
		return f;
	f = compute_figure(b, m, w, sums, error);
	k->sums = sums->number;
	k->m = m;
	k->error = error;
	k->window = *w;
	k->figure = f;
	return f;
}

struct figure
binding_eval(const struct binding *b, unsigned m, const struct window *w,
    const struct sums *sums)
{
	return eval_figure(b, m, w, sums, true);
}

struct figure
binding_eval_quick(const struct binding *b, unsigned m, const struct window *w,
    const struct sums *sums)
{
	return eval_figure(b, m, w, sums, false);
}
