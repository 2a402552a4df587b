/*
 * postproc/causes/why_units.c - a rule of tally why over time, in each unit.
 */
#include "postproc/causes/why_units.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "lib/array.h"
#include "lib/order.h"

struct why_past {
	double value;
	struct why_stretch in;
};

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
		x->worst = x->other = NAN;
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

/* ---- what a value is held against */

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
why_units_count(struct why_units *u, struct why_unit *x, double value,
    double of, const struct why_stretch *in)
{
	bool follows = x->now_held.seconds > 0;

	if (x->held_s <= 0)
		x->first = in->first;
	x->last = in->last;
	x->held_s += in->seconds;
	x->sum += value * in->seconds;
	x->of_sum += of * in->seconds;
	if (!(u->rule->below ? value > x->worst : value < x->worst))
		x->worst = value;
	x->now_held = (struct why_stretch){
		follows ? x->now_held.first : in->first, in->last,
		in->seconds + (follows ? x->now_held.seconds : 0) };
	if (x->now_held.seconds > x->longest.seconds)
		x->longest = x->now_held;
}

static void
why_units_hold(struct why_units *u, struct why_unit *x, double value, double of,
    const struct why_stretch *in)
{
	struct why_doubt *d = &x->doubt;
	bool first = x->now_held.seconds <= 0;

	x->known_s += in->seconds;
	x->nknown++;
	if (!rule_holds(u->rule, value, of)) {
		x->now_held.seconds = d->in.seconds = 0;
		return;
	}
	if (x->figure.apart && first && d->in.seconds <= 0) {
		*d = (struct why_doubt){ value, of, *in };
		return;
	}
	if (d->in.seconds > 0)
		why_units_count(u, x, d->value, d->of, &d->in);
	d->in.seconds = 0;
	why_units_count(u, x, value, of, in);
}

static int
why_units_remember(struct why_unit *x, const struct why_stretch *in)
{
	struct why_past *p = array_grow(x->past, x->npast, &x->past_room,
	    sizeof *p);

	if (p == NULL)
		return -ENOMEM;
	x->past = p;
	p[x->npast++] = (struct why_past){ x->now, *in };
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
}

/* Judges each unit against its peers, group by group. */
static void
hold_peers(struct why_units *u, const struct why_stretch *in)
{
	const struct why_unit *group = NULL;
	unsigned n = 0;

	for (unsigned i = 0; i < u->n; i++) {
		struct why_unit *x = &u->unit[i];
		unsigned rank = 0;
		double of;

		if (group == NULL || !why_units_peers(u, group, x)) {
			group = x;
			n = sort_group(u, x);
		}
		if (isnan(x->now))
			continue;
		while (rank < n && u->sorted[rank] < x->now)
			rank++;
		of = why_units_median(u->sorted, n, rank);
		if (!isnan(of))
			why_units_hold(u, x, x->now, of, in);
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

/* What it is worth: as binding_eval has it, and by that the first time. */
static struct figure
eval(const struct why_units *u, const struct gather *g,
    const struct compiled *c, const struct why_unit *x, const struct sums *sums)
{
	struct figure f = { .metric = &u->rule->metric, .ran = 1 };

	if (x->figure.metric == NULL ||
	    !compiled_value(c, x->number, 0, &f.value))
		return binding_eval(&g->binding, u->bound, &x->window, sums);
	f.value = metric_settled(&u->rule->metric, f.value);
	f.wrong = binding_excludes(&g->binding, u->bound, &x->window, sums,
	    f.value);
	return f;
}

int
why_units_take(struct why_units *u, const struct gather *g,
    const struct compiled *c, const struct sums *sums,
    const struct why_stretch *in)
{
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < u->n; i++) {
		struct why_unit *x = &u->unit[i];
		struct figure f = eval(u, g, c, x, sums);

		x->now = f.left_out > 0 || f.wrong || isinf(f.value) ? NAN :
		    f.value;
		if (isnan(x->now)) {
			x->now_held.seconds = x->doubt.in.seconds = 0;
			continue;
		}
		if (x->figure.metric == NULL || (f.apart && !x->figure.apart))
			x->figure = f;
		if (u->rule->against == AGAINST_NUMBER)
			why_units_hold(u, x, x->now, NAN, in);
		else if (u->rule->against == AGAINST_ITSELF)
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
	for (unsigned k = 0; k < x->npast; k++)
		why_units_hold(u, x, x->past[k].value, of, &x->past[k].in);
	free(v);
	return 0;
}

/* Judges a unit's mean against its mean in the other run. */
static void
hold_other(const struct why_units *u, struct why_unit *x)
{
	if (x->known_s <= 0 || isnan(x->other) ||
	    !rule_holds(u->rule, why_unit_mean(x), x->other))
		return;
	x->held_s = x->known_s;
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
			why_units_count(u, x, x->doubt.value, x->doubt.of,
			    &x->doubt.in);
	}
	return rc;
}

double
why_unit_mean(const struct why_unit *x)
{
	return x->sum / x->known_s;
}

double
why_unit_share(const struct why_units *u, const struct why_unit *x)
{
	double share = x->known_s > 0 ? x->held_s / x->known_s : 0;

	return x->held_s > 0 && 100 * share >= u->rule->part ? share : 0;
}
