/*
 * postproc/window.c - the value of a bound metric in a window of the node.
 */
#include <math.h>
#include <stdio.h>

#include "config/read.h"
#include "postproc/bind.h"

#define MAX_WINDOWS (EXPR_MAX_NEST + 2)

uint32_t
input_ncolumn(const struct binding *b, const struct input *in)
{
	return in->first[in->level == LEVEL_LPROC ? b->topo->nlproc :
	    in->level == LEVEL_NODE ? 1 : in->level == LEVEL_BOX ?
	    b->topo->npkg * in->nslot : b->topo->npkg];
}

struct eval {
	const struct binding *b;
	const struct sums *sums;
	uint32_t left_out;
	unsigned depth;
	struct window window[MAX_WINDOWS];
};

struct tally {
	double sum;
	unsigned have;
};

static void
add_units(struct eval *e, const struct input *in, uint32_t from, uint32_t to,
    struct tally *t)
{
	const struct sums *s = e->sums;

	for (uint32_t i = in->first[from]; i < in->first[to]; i++) {
		uint32_t c = in->column[i];
		double v = in->how != REF_BIT ? s->value[c] :
		    in->watch + i < s->nbit ? s->bit[in->watch + i] : NAN;

		if (s->left_out != NULL && s->left_out[c] > 0 &&
		    e->b->seen[c + 1] != e->b->seen[0]) {
			e->b->seen[c + 1] = e->b->seen[0];
			e->left_out += s->left_out[c];  /* once a column */
		}
		if (isnan(v))
			continue;
		if (s->share != NULL && in->how == REF_RATE && in->counter) {
			if (!(s->share[c] > 0))
				continue;
			v /= s->share[c];
		}
		t->sum += v;
		t->have++;
	}
}

static double
columns(struct eval *e, const struct input *in)
{
	const struct window *w = &e->window[e->depth];
	struct tally t = { 0, 0 };

	switch (in->level) {
	case LEVEL_LPROC:
		for (uint32_t r = w->lo; w->thread >= 0 && r < w->hi; r++)
			if (e->b->topo->thread[r] == w->thread)
				add_units(e, in, r, r + 1, &t);
		if (w->thread < 0)
			add_units(e, in, w->lo, w->hi, &t);
		break;
	case LEVEL_BOX:
		for (uint32_t p = w->pkg_lo; w->in_box && p < w->pkg_hi; p++)
			for (uint32_t k = 0; k < in->nslot; k++)
				if (in->label[k] == w->box)
					add_units(e, in, p * in->nslot + k,
					    p * in->nslot + k + 1, &t);
		if (!w->in_box)
			add_units(e, in, w->pkg_lo * in->nslot,
			    w->pkg_hi * in->nslot, &t);
		break;
	case LEVEL_PACKAGE:
		add_units(e, in, w->pkg_lo, w->pkg_hi, &t);
		break;
	default:
		add_units(e, in, 0, 1, &t);
	}
	if (t.have == 0)
		return NAN;
	/* a reading is averaged: 40 and 42 degrees are not 82 */
	return in->counter && in->how != REF_BIT && !in->one_unit ? t.sum :
	    t.sum / t.have;
}

/* What the header says of the packages in the window, where it is one thing. */
static double
head(const struct eval *e, const struct input *in)
{
	const struct window *w = &e->window[e->depth];
	double v = NAN;
	char name[160];

	for (uint32_t p = w->pkg_lo; p < w->pkg_hi; p++) {
		double x;

		snprintf(name, sizeof name, "%s[%u]", in->name, p);
		x = read_number(e->b->reader, name, NAN);
		if (!isnan(v) && !isnan(x) && x != v)
			return NAN;
		v = isnan(x) ? v : x;
	}
	return v;
}

static double
value(void *ctx, uint32_t ref)
{
	struct eval *e = ctx;
	const struct input *in = &e->b->input[ref];
	const struct window *w = &e->window[e->depth];
	const struct topology *t = e->b->topo;
	unsigned n = 0;

	switch (in->kind) {
	case INPUT_TIME:
		return e->sums->seconds > 0 ? e->sums->seconds : (double)NAN;
	case INPUT_TSC_HZ:
		return e->sums->tsc_hz > 0 ? e->sums->tsc_hz : (double)NAN;
	case INPUT_INTERVALS:
		return (double)e->sums->intervals;
	case INPUT_PACKAGES:
		return w->pkg_hi - w->pkg_lo;
	case INPUT_LPROCS:
		for (uint32_t r = w->lo; r < w->hi; r++)
			n += w->thread < 0 || t->thread[r] == w->thread;
		return n;
	case INPUT_CORES:
		return w->lo < w->hi ?
		    t->core_of[w->hi - 1] - t->core_of[w->lo] + 1 : 0;
	case INPUT_HEAD:
		return head(e, in);
	default:
		return columns(e, in);
	}
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

/* Unit n of a fold; false: there is no such unit. */
static bool
narrow(const struct binding *b, const struct expr_op *op, unsigned n,
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

static bool
enter(void *ctx, const struct expr_op *op, unsigned n)
{
	struct eval *e = ctx;
	struct window w = e->window[e->depth];

	if (e->depth + 1 >= MAX_WINDOWS)
		return false;
	if (op->code == EXPR_THREAD)
		w.thread = (int)op->num;
	else if (!narrow(e->b, op, n, &w))
		return false;
	e->window[++e->depth] = w;
	return true;
}

static void
leave(void *ctx)
{
	struct eval *e = ctx;

	e->depth--;
}

struct figure
binding_eval(const struct binding *b, unsigned m, const struct window *w,
    const struct sums *sums)
{
	const struct bound *x = &b->bound[m];
	struct eval e;
	struct expr_env env = { &e, value, enter, leave };
	struct figure f = { .value = NAN };

	if (x->nmissing > 0)
		return f;
	b->seen[0]++;
	e.b = b;
	e.sums = sums;
	e.left_out = 0;
	e.depth = 0;
	e.window[0] = *w;
	f.value = expr_eval(b->op + x->op, x->nop, &env);
	f.left_out = e.left_out;
	f.wrong = x->metric->ranged && !isnan(f.value) &&
	    (f.value < x->metric->lo || f.value > x->metric->hi);
	return f;
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
