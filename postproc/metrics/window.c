/*
 * postproc/metrics/window.c - the windows of a node that metrics are evaluated in.
 */
#include <stdio.h>

#include "postproc/metrics/bind.h"

uint32_t
input_ncolumn(const struct binding *b, const struct input *in)
{
	return in->first[b->domain[in->domain].nunit];
}

static uint32_t
pkg_of(const struct topology *t, uint32_t rank)
{
	uint32_t p = 0;

	while (p + 1 < t->npkg && t->pkg_first[p + 1] <= rank)
		p++;
	return p;
}

/* Narrow w to one of its lprocs or cores. */
static void
to_ranks(const struct topology *t, struct window *w, uint32_t lo, uint32_t hi)
{
	w->lo = lo;
	w->hi = hi;
	w->pkg_lo = pkg_of(t, lo);
	w->pkg_hi = w->pkg_lo + 1;
}

static void
to_package(const struct topology *t, struct window *w, uint32_t p)
{
	w->lo = t->pkg_first[p];
	w->hi = t->pkg_first[p + 1];
	w->pkg_lo = p;
	w->pkg_hi = p + 1;
}

bool
window_narrow(const struct binding *b, const struct expr_op *op, unsigned n,
    struct window *w)
{
	const struct topology *t = b->topo;
	const struct input *in;
	uint32_t k, unit;

	switch (op->space) {
	case SCOPE_OF_LPROC:
		for (k = w->thread < 0 ? w->lo + n : w->lo; k < w->hi; k++)
			if (w->thread < 0 || (t->thread[k] == w->thread &&
			    n-- == 0)) {
				to_ranks(t, w, k, k + 1);
				return true;
			}
		return false;
	case SCOPE_OF_CORE:
		if (w->lo >= w->hi ||
		    (k = t->core_of[w->lo] + n) > t->core_of[w->hi - 1])
			return false;
		to_ranks(t, w, t->core_first[k] < w->lo ? w->lo :
		    t->core_first[k], t->core_first[k + 1] > w->hi ? w->hi :
		    t->core_first[k + 1]);
		return true;
	case SCOPE_OF_BOX:
		in = &b->input[(uint32_t)op->num];
		if (w->in_box)
			return n == 0;
		for (unit = w->pkg_lo * in->nslot; unit <
		    w->pkg_hi * in->nslot; unit++)
			if (in->first[unit] < in->first[unit + 1] &&
			    n-- == 0) {
				to_package(t, w, unit / in->nslot);
				w->in_box = true;
				w->box = in->label[unit % in->nslot];
				return true;
			}
		return false;
	case SCOPE_OF_PACKAGE:
		if (w->pkg_lo + n >= w->pkg_hi)
			return false;
		if (w->pkg_hi - w->pkg_lo > 1)
			to_package(t, w, w->pkg_lo + n);
		return true;
	default:
		return n == 0;
	}
}

unsigned
binding_windows(const struct binding *b, unsigned m, enum scope scope)
{
	const struct bound *x = &b->bound[m];

	if (!scope_widens(x->metric->scope, scope))
		return 0;
	switch (scope) {
	case SCOPE_OF_LPROC:
		return b->topo->max_lproc;
	case SCOPE_OF_CORE:
		return b->topo->ncore;
	case SCOPE_OF_BOX:
		return x->box_input < 0 ? 0 :
		    b->topo->npkg * b->input[x->box_input].nslot;
	case SCOPE_OF_PACKAGE:
		return b->topo->npkg;
	default:
		return 1;
	}
}

bool
binding_window(const struct binding *b, unsigned m, enum scope scope,
    unsigned n, struct window *w)
{
	const struct topology *t = b->topo;
	const struct input *in;

	*w = (struct window){ .scope = (uint8_t)scope, .hi = t->nlproc,
	    .pkg_hi = t->npkg, .thread = -1 };
	switch (scope) {
	case SCOPE_OF_LPROC:
		if (t->rank_of[n] == NO_RANK)
			return false;
		to_ranks(t, w, t->rank_of[n], t->rank_of[n] + 1);
		return true;
	case SCOPE_OF_CORE:
		to_ranks(t, w, t->core_first[n], t->core_first[n + 1]);
		return true;
	case SCOPE_OF_BOX:
		in = &b->input[b->bound[m].box_input];
		if (in->first[n] == in->first[n + 1])
			return false;
		to_package(t, w, n / in->nslot);
		w->in_box = true;
		w->box = in->label[n % in->nslot];
		return true;
	case SCOPE_OF_PACKAGE:
		to_package(t, w, n);
		return true;
	default:
		return true;
	}
}

void
window_name(const struct binding *b, const struct window *w, char *buf,
    size_t size)
{
	const struct topology *t = b->topo;

	switch (w->scope) {
	case SCOPE_OF_LPROC:
		snprintf(buf, size, "%u", t->lproc_at[w->lo]);
		break;
	case SCOPE_OF_CORE:
		snprintf(buf, size, "%u/%d", w->pkg_lo,
		    t->core_id[t->core_of[w->lo]]);
		break;
	case SCOPE_OF_BOX:
		if (w->box & 0x80000000u)
			snprintf(buf, size, "%u/%s", w->pkg_lo,
			    b->label[w->box & 0x7fffffff]);
		else
			snprintf(buf, size, "%u/%u", w->pkg_lo, w->box);
		break;
	case SCOPE_OF_PACKAGE:
		snprintf(buf, size, "%u", w->pkg_lo);
		break;
	default:
		snprintf(buf, size, "%s", "");
	}
}
