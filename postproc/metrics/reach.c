/*
 * postproc/metrics/reach.c - how far the range of a metric reaches in a window: what
 * there can be is of each unit there, or a metric's to say.
 */
#include "postproc/metrics/bind.h"

#include <math.h>

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

	/* a number's reach is never less than that of one unit */
	if (!x->ranged || isnan(value) || (x->most == NULL &&
	    !metric_excludes(x, x->hi, value)))
		return false;
	return metric_excludes(x, binding_most(b, m, w, sums), value);
}
