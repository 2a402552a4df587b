/*
 * postproc/pages/why_units.c - a rule of tally why over time, in each unit.
 */
#include "postproc/pages/why.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "lib/array.h"

int
why_units_init(struct why_units *u, const struct gather *g,
    const struct rule *rule, unsigned bound)
{
	const struct binding *b = &g->binding;
	unsigned max = binding_windows(b, bound, rule->metric.scope);

	*u = (struct why_units){ .rule = rule, .bound = bound,
		.rounds = gather_rotates(g, bound) };
	u->unit = calloc(max + 1, sizeof *u->unit);
	u->sorted = calloc(max + 1, sizeof *u->sorted);
	if (u->unit == NULL || u->sorted == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < max; i++) {
		struct why_unit *x = &u->unit[u->n];

		if (!binding_window(b, bound, rule->metric.scope, i,
		    &x->window))
			continue;
		window_name(b, &x->window, x->where, sizeof x->where);
		x->worst = x->other = x->other_error = NAN;
		u->n++;
	}
	return 0;
}

void
why_units_fini(struct why_units *u)
{
	for (unsigned i = 0; i < u->n; i++)
		free(u->unit[i].past);
	free(u->unit);
	free(u->sorted);
	*u = (struct why_units){ .n = 0 };
}

/* ---- what a value is compared with */

/* The median of n sorted values without v[but]; but = n leaves none out. */
static double
why_units_median(const double *v, unsigned n, unsigned but)
{
	unsigned left = but < n ? n - 1 : n, lo, hi;

	if (left == 0)
		return NAN;
	lo = (left - 1) / 2;
	hi = left / 2;
	return (v[lo + (lo >= but)] + v[hi + (hi >= but)]) / 2;
}

/*
 * Are two units peers? All packages are; other units are peers within their
 * package.
 */
static bool
why_units_peers(const struct why_units *u, const struct why_unit *a,
    const struct why_unit *b)
{
	return u->rule->metric.scope == SCOPE_OF_PACKAGE ||
	    a->window.pkg_lo == b->window.pkg_lo;
}

/*
 * Sorts the values of a unit's group into u->sorted; returns how many there
 * are.
 */
static unsigned
sort_group(struct why_units *u, const struct why_unit *of)
{
	unsigned n = 0;

	for (unsigned i = 0; i < u->n; i++)
		if (!isnan(u->unit[i].now) &&
		    why_units_peers(u, of, &u->unit[i]))
			u->sorted[n++] = u->unit[i].now;
	order_doubles(u->sorted, n);
	return n;
}

/* ---- what holds */

static void
add_error(struct why_error *e, const struct why_value *v)
{
	double square = v->in.seconds * v->in.seconds;

	e->all += square;
	if (isnan(v->error))
		return;
	e->square += v->error * v->error * square;
	e->known += square;
}

/* Would a rule that holds for a value not hold, were it nearer by two errors? */
static bool
is_unsure(const struct rule *r, const struct why_value *v)
{
	double by = r->below ? -2 * v->error : 2 * v->error;

	return v->error > 0 && !rule_holds(r, v->value - by, v->of);
}

static void
why_units_count(struct why_units *u, struct why_unit *x,
    const struct why_value *v)
{
	const struct why_stretch *in = &v->in;
	bool follows = x->now_held.seconds > 0;

	if (x->held_s <= 0)
		x->first = in->first;
	x->last = in->last;
	x->held_s += in->seconds;
	x->unsure_s += is_unsure(u->rule, v) ? in->seconds : 0;
	x->unknown_s += isnan(v->error) ? in->seconds : 0;
	x->sum += v->value * in->seconds;
	x->of_sum += v->of * in->seconds;
	add_error(&x->error, v);
	if (!(u->rule->below ? v->value > x->worst : v->value < x->worst))
		x->worst = v->value;
	x->now_held = (struct why_stretch){
		follows ? x->now_held.first : in->first, in->last,
		in->seconds + (follows ? x->now_held.seconds : 0) };
	if (x->now_held.seconds > x->longest.seconds)
		x->longest = x->now_held;
}

static void
why_units_hold(struct why_units *u, struct why_unit *x,
    const struct why_value *v)
{
	struct why_value *d = &x->doubt;
	bool first = x->now_held.seconds <= 0;

	x->known_s += v->in.seconds;
	x->nknown++;
	if (!rule_holds(u->rule, v->value, v->of)) {
		x->now_held.seconds = d->in.seconds = 0;
		return;
	}
	if (x->figure.apart && first && d->in.seconds <= 0) {
		*d = *v;
		return;
	}
	if (d->in.seconds > 0)
		why_units_count(u, x, d);
	d->in.seconds = 0;
	why_units_count(u, x, v);
}

/* The value of a unit in this stretch, compared with `of`. */
static struct why_value
now_of(const struct why_unit *x, double of, const struct why_stretch *in)
{
	return (struct why_value){ x->now, of, x->now_error, *in };
}

static int
why_units_remember(struct why_unit *x, const struct why_stretch *in)
{
	if (!array_room(&x->past, x->npast, &x->past_room, sizeof *x->past))
		return -ENOMEM;
	x->past[x->npast++] = now_of(x, NAN, in);
	return 0;
}

/*
 * Adds the value of a stretch to the mean that another run is compared by: the
 * two runs' intervals do not match one by one.
 */
static void
why_units_add(struct why_unit *x, const struct why_stretch *in)
{
	if (x->known_s <= 0)
		x->first = in->first;
	x->last = in->last;
	x->known_s += in->seconds;
	x->sum += x->now * in->seconds;
	add_error(&x->error, &(struct why_value){ x->now, NAN, x->now_error,
	    *in });
}

/* Judges each unit against its peers, group by group. */
static void
hold_peers(struct why_units *u, const struct why_stretch *in)
{
	const struct why_unit *group = NULL;
	unsigned n = 0;

	for (unsigned i = 0; i < u->n; i++) {
		struct why_unit *x = &u->unit[i];
		struct why_value v;
		unsigned rank = 0;

		if (group == NULL || !why_units_peers(u, group, x)) {
			group = x;
			n = sort_group(u, x);
		}
		if (isnan(x->now))
			continue;
		while (rank < n && u->sorted[rank] < x->now)
			rank++;
		v = now_of(x, why_units_median(u->sorted, n, rank), in);
		if (!isnan(v.of))
			why_units_hold(u, x, &v);
	}
}

int
why_units_compile(struct why_units *u, struct compiled *c)
{
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < u->n; i++)
		rc = compiled_add(c, u->bound, &u->unit[i].window,
		    &u->unit[i].number);
	return rc;
}

/* The value of a unit's formula in a stretch, as binding_eval returns it; NaN where a rule
 * must not use it.  Keeps the first figure, and the first whose inputs are of different times,
 * in x->figure. */
static double
value_now(const struct why_units *u, const struct gather *g,
    const struct compiled *c, struct why_unit *x, const struct sums *sums,
    unsigned lane)
{
	double v;
	bool known = compiled_value(c, x->number, lane, &v);

	if (known && isnan(v))
		return v;
	if (!known || x->figure.metric == NULL ||
	    (compiled_apart(c, x->number) && !x->figure.apart)) {
		struct figure f = binding_eval(&g->binding, u->bound,
		    &x->window, sums);

		if (f.left_out > 0 || f.wrong || !isfinite(f.value))
			return NAN;
		if (x->figure.metric == NULL || (f.apart && !x->figure.apart))
			x->figure = f;
		return f.value;
	}
	v = metric_settled(&u->rule->metric, v);
	return isinf(v) || binding_excludes(&g->binding, u->bound, &x->window,
	    sums, v) ? (double)NAN : v;
}

/* The standard error of the value of a stretch, estimated with the values of earlier
 * stretches, as a single one does not show it. */
static double
error_now(const struct why_units *u, struct why_unit *x, const struct sums *sums)
{
	if (!u->rounds && !figure_is_estimate(&x->figure))
		return 0;
	return x->figure.unscaled || sums->batches == NULL ? (double)NAN :
	    batch_step(&x->steps, sums->batches, x->now);
}

/* Keeps a figure of a stretch in which the rule held, for the note: other stretches may
 * have taken another alternative of the formula, which is no estimate. */
static void
note_estimate(const struct why_units *u, const struct gather *g,
    struct why_unit *x, const struct sums *sums)
{
	bool apart = x->figure.apart;

	if (!u->rounds || x->now_held.seconds <= 0 ||
	    figure_is_estimate(&x->figure))
		return;
	x->figure = binding_eval(&g->binding, u->bound, &x->window, sums);
	x->figure.apart = apart;
}

int
why_units_take(struct why_units *u, const struct gather *g,
    const struct compiled *c, const struct sums *sums, unsigned lane,
    const struct why_stretch *in)
{
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < u->n; i++) {
		struct why_unit *x = &u->unit[i];
		struct why_value v;

		x->now = value_now(u, g, c, x, sums, lane);
		if (isnan(x->now)) {
			x->now_held.seconds = x->doubt.in.seconds = 0;
			continue;
		}
		x->now_error = error_now(u, x, sums);
		v = now_of(x, NAN, in);
		if (u->rule->against == AGAINST_NUMBER) {
			why_units_hold(u, x, &v);
			note_estimate(u, g, x, sums);
		} else if (u->rule->against == AGAINST_ITSELF)
			rc = why_units_remember(x, in);
		else if (u->rule->against == AGAINST_OTHER)
			why_units_add(x, in);
	}
	if (u->rule->against == AGAINST_PEERS)
		hold_peers(u, in);
	return rc;
}

/* Judges a unit's values against what it usually had itself. */
static int
hold_itself(struct why_units *u, struct why_unit *x)
{
	double *v = calloc(x->npast + 1, sizeof *v), of;

	if (v == NULL)
		return -ENOMEM;
	for (unsigned k = 0; k < x->npast; k++)
		v[k] = x->past[k].value;
	order_doubles(v, x->npast);
	of = why_units_median(v, x->npast, x->npast);
	for (unsigned k = 0; k < x->npast; k++) {
		x->past[k].of = of;
		why_units_hold(u, x, &x->past[k]);
	}
	free(v);
	return 0;
}

/* Judges a unit's mean against its mean in the other run. */
static void
hold_other(const struct why_units *u, struct why_unit *x)
{
	struct why_value mean = { .of = x->other };

	if (x->known_s <= 0 || isnan(x->other) ||
	    !rule_holds(u->rule, why_unit_mean(x), x->other))
		return;
	mean.value = why_unit_mean(x);
	mean.error = hypot(why_unit_error(x), x->other_error);
	x->held_s = x->known_s;
	x->unsure_s = is_unsure(u->rule, &mean) ? x->known_s : 0;
	x->of_sum = x->other * x->known_s;
	x->worst = why_unit_mean(x);
	x->longest = (struct why_stretch){ x->first, x->last, x->known_s };
}

int
why_units_end(struct why_units *u)
{
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < u->n; i++) {
		struct why_unit *x = &u->unit[i];

		if (u->rule->against == AGAINST_ITSELF)
			rc = hold_itself(u, x);
		else if (u->rule->against == AGAINST_OTHER)
			hold_other(u, x);
		/* it had a single round, so no later one can confirm it */
		if (x->nknown == 1 && x->doubt.in.seconds > 0)
			why_units_count(u, x, &x->doubt);
	}
	return rc;
}

double
why_unit_mean(const struct why_unit *x)
{
	return x->sum / x->known_s;
}

double
why_unit_error(const struct why_unit *x)
{
	const struct why_error *e = &x->error;
	double seconds = x->held_s > 0 ? x->held_s : x->known_s;

	/* where the error is unknown, it is taken to be as in the other places */
	return !(e->known > 0) || !(seconds > 0) ? (double)NAN :
	    sqrt(e->square / e->known * e->all) / seconds;
}

bool
why_unit_unsure(const struct why_units *u, const struct why_unit *x)
{
	double known = x->held_s - x->unknown_s, sure = known - x->unsure_s;

	/* the rule is taken to hold in the unknown time as often as in the known */
	return why_unit_share(u, x) > 0 && x->unsure_s > 0 && !(sure > 0 &&
	    100 * sure / known * x->held_s >= u->rule->part * x->known_s);
}

double
why_unit_share(const struct why_units *u, const struct why_unit *x)
{
	double share = x->known_s > 0 ? x->held_s / x->known_s : 0;

	return x->held_s > 0 && 100 * share >= u->rule->part ? share : 0;
}
