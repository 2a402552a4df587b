/*
 * postproc/formula/window.c - windows: the parts of a node that metrics are evaluated in.
 */
#include <math.h>
#include <stdio.h>

#include "config/dump/read.h"
#include "postproc/formula/bind_int.h"

uint32_t
input_ncolumn(const struct binding *b, const struct input *in)
{
	return in->first[b->domain[in->domain].nunit];
}

bool
binding_column(const struct binding *b, unsigned m, struct bound_at *at,
    uint32_t *column)
{
	const struct bound *x = &b->bound[m];

	for (; at->op < x->nop; at->op++, at->k = 0) {
		const struct expr_op *op = &b->op[x->op + at->op];
		const struct input *in = &b->input[op->arg];

		if (op->code == EXPR_REF && in->kind == INPUT_COLUMNS &&
		    at->k < input_ncolumn(b, in)) {
			*column = in->column[at->k++];
			return true;
		}
	}
	return false;
}

static uint32_t
pkg_of(const struct topology *t, uint32_t rank)
{
	uint32_t p = 0;

	while (p + 1 < t->npkg && t->pkg_first[p + 1] <= rank)
		p++;
	return p;
}

/* Narrows w to an lproc or a core, which has these ranks. */
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

static const struct regions *
regions_of(const struct topology *t, unsigned scope)
{
	return scope == SCOPE_OF_DIE ? &t->die : scope == SCOPE_OF_NUMA ?
	    &t->numa : scope == SCOPE_OF_CCX ? &t->ccx : &t->chosen;
}

static void
to_region(const struct topology *t, struct window *w, unsigned scope, uint32_t n)
{
	const struct region *r = &regions_of(t, scope)->region[n];

	w->pkg_lo = r->pkg_lo;
	w->pkg_hi = r->pkg_hi;
	w->lo = t->pkg_first[r->pkg_lo];
	w->hi = t->pkg_first[r->pkg_hi];
	w->in = n;
	if (!r->whole)
		w->only = (uint8_t)scope;
}

bool
window_has(const struct topology *t, const struct window *w, uint32_t rank)
{
	return rank >= w->lo && rank < w->hi &&
	    (w->thread < 0 || t->thread[rank] == w->thread) &&
	    (w->only == 0 || regions_of(t, w->only)->of[rank] == w->in);
}

bool
window_parts(const struct window *w, const struct metric *m)
{
	return w->only != 0 && (m->scope == SCOPE_OF_BOX ||
	    m->scope == SCOPE_OF_PACKAGE || (w->only == SCOPE_OF_NODE &&
	    m->scope == SCOPE_OF_CCX));
}

bool
window_has_box(const struct topology *t, const struct window *w,
    const struct domain *d, uint32_t unit)
{
	uint32_t pkg = unit / d->nslot, box = d->label[unit % d->nslot], k = 0;

	if (pkg < w->pkg_lo || pkg >= w->pkg_hi || (w->in_box && box != w->box))
		return false;
	if (w->in_box || d->type == NULL || d->type->scope != SCOPE_CCX ||
	    (w->only == 0 && w->hi - w->lo == t->pkg_first[w->pkg_hi] -
	    t->pkg_first[w->pkg_lo]))
		return true;
	while (k < t->ccx.n && (t->ccx.region[k].pkg_lo != pkg ||
	    (uint32_t)t->ccx.region[k].id != box))
		k++;
	if (k == t->ccx.n)
		return false;
	return w->only == SCOPE_OF_CCX ? k == w->in : w->only != 0 ?
	    window_has(t, w, t->ccx.region[k].first) :
	    w->lo < w->hi && t->ccx.of[w->lo] == k;
}

bool
window_has_unit(const struct topology *t, const struct window *w,
    const struct domain *d, uint32_t unit)
{
	switch (d->level) {
	case LEVEL_LPROC:
		return window_has(t, w, unit);
	case LEVEL_BOX:
		return window_has_box(t, w, d, unit);
	case LEVEL_PACKAGE:
		return unit >= w->pkg_lo && unit < w->pkg_hi;
	default:
		return true;
	}
}

/* Narrows to the n-th CCX of a window that is itself a part of packages. */
static bool
narrow_to_complex(const struct topology *t, unsigned n, struct window *w)
{
	for (uint32_t k = 0; k < t->ccx.n; k++)
		if (window_has(t, w, t->ccx.region[k].first) && n-- == 0) {
			int thread = w->thread;

			to_region(t, w, SCOPE_OF_CCX, k);
			w->thread = thread;
			return true;
		}
	return false;
}

/* Narrows to the n-th region of the window.  A window narrower than a package has one,
 * the region that it is in. */
static bool
narrow_to_region(const struct topology *t, unsigned scope, unsigned n,
    struct window *w)
{
	const struct regions *s = regions_of(t, scope);

	if (w->lo >= w->hi)
		return false;
	if (scope == SCOPE_OF_CCX && w->only != 0 && w->only != scope)
		return narrow_to_complex(t, n, w);
	if (w->only != 0 || w->hi - w->lo <
	    t->pkg_first[w->pkg_hi] - t->pkg_first[w->pkg_lo])
		return n == 0;
	for (uint32_t k = 0; k < s->n; k++)
		if (s->region[k].pkg_lo >= w->pkg_lo &&
		    s->region[k].pkg_hi <= w->pkg_hi && n-- == 0) {
			to_region(t, w, scope, k);
			return true;
		}
	return false;
}

/* Narrows to the n-th core that has an lproc in the window. */
static bool
narrow_to_core(const struct topology *t, unsigned n, struct window *w)
{
	uint32_t r = w->lo;

	/* without a region, the lprocs of all cores up to that one are there */
	if (w->only == 0 && r < w->hi && n > 0 && n < t->ncore - t->core_of[r]) {
		r = t->core_first[t->core_of[r] + n];
		n = 0;
	}
	for (; r < w->hi; r = t->core_first[t->core_of[r] + 1])
		if ((w->only == 0 || regions_of(t, w->only)->of[r] == w->in) &&
		    n-- == 0) {
			uint32_t end = t->core_first[t->core_of[r] + 1];

			to_ranks(t, w, r, end > w->hi ? w->hi : end);
			return true;
		}
	return false;
}

bool
window_narrow(const struct binding *b, const struct expr_op *op, unsigned n,
    struct window *w)
{
	const struct topology *t = b->topo;
	const struct input *in;
	uint32_t k, unit;
	bool all;

	switch (op->space) {
	case SCOPE_OF_LPROC:
		all = w->thread < 0 && w->only == 0;
		for (k = all ? w->lo + n : w->lo; k < w->hi; k++)
			if (all || (window_has(t, w, k) && n-- == 0)) {
				to_ranks(t, w, k, k + 1);
				return true;
			}
		return false;
	case SCOPE_OF_CORE:
		return narrow_to_core(t, n, w);
	case SCOPE_OF_CCX:
	case SCOPE_OF_DIE:
	case SCOPE_OF_NUMA:
		return narrow_to_region(t, op->space, n, w);
	case SCOPE_OF_BOX:
		in = &b->input[(uint32_t)op->num];
		if (w->in_box)
			return n == 0;
		for (unit = w->pkg_lo * in->nslot; unit <
		    w->pkg_hi * in->nslot; unit++)
			if (in->first[unit] < in->first[unit + 1] &&
			    window_has_box(t, w, &b->domain[in->domain],
			    unit) && n-- == 0) {
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
	case SCOPE_OF_CCX:
	case SCOPE_OF_DIE:
	case SCOPE_OF_NUMA:
		return regions_of(b->topo, scope)->n;
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
	case SCOPE_OF_CCX:
	case SCOPE_OF_DIE:
	case SCOPE_OF_NUMA:
		to_region(t, w, scope, n);
		return true;
	case SCOPE_OF_PACKAGE:
		to_package(t, w, n);
		return true;
	default:
		return true;
	}
}

void
binding_chosen(const struct binding *b, struct window *w)
{
	*w = (struct window){ .scope = SCOPE_OF_NODE, .hi = b->topo->nlproc,
	    .pkg_hi = b->topo->npkg, .thread = -1 };
	to_region(b->topo, w, SCOPE_OF_NODE, 0);
}

/* Writes "package/" or nothing, and a label or, where that is NULL, an id.  printf takes
 * ten times as long, and of large nodes a page looks for thousands of names. */
static void
name_unit(char *buf, size_t size, const unsigned *pkg, const char *label, int id)
{
	unsigned left = id < 0 ? -(unsigned)id : (unsigned)id;
	char text[24], *to = text + sizeof text;

	*--to = '\0';
	while (label == NULL) {
		*--to = (char)('0' + left % 10);
		if ((left /= 10) == 0)
			break;
	}
	if (label == NULL && id < 0)
		*--to = '-';
	if (pkg != NULL) {
		*--to = '/';
		left = *pkg;
		do {
			*--to = (char)('0' + left % 10);
		} while ((left /= 10) > 0);
	}
	while (size > 1 && *to != '\0') {
		*buf++ = *to++;
		size--;
	}
	while (size > 1 && label != NULL && *label != '\0') {
		*buf++ = *label++;
		size--;
	}
	*buf = '\0';
}

void
window_name(const struct binding *b, const struct window *w, char *buf,
    size_t size)
{
	const struct topology *t = b->topo;

	switch (w->scope) {
	case SCOPE_OF_LPROC:
		name_unit(buf, size, NULL, NULL, (int)t->lproc_at[w->lo]);
		break;
	case SCOPE_OF_CORE:
		name_unit(buf, size, &w->pkg_lo, NULL,
		    t->core_id[t->core_of[w->lo]]);
		break;
	case SCOPE_OF_BOX:
		if (w->box & 0x80000000u)
			name_unit(buf, size, &w->pkg_lo,
			    b->label[w->box & 0x7fffffff], 0);
		else
			name_unit(buf, size, &w->pkg_lo, NULL, (int)w->box);
		break;
	case SCOPE_OF_CCX:
	case SCOPE_OF_DIE:
		name_unit(buf, size, &w->pkg_lo, NULL,
		    regions_of(t, w->scope)->region[w->in].id);
		break;
	case SCOPE_OF_NUMA:
		snprintf(buf, size, "%d", t->numa.region[w->in].id);
		break;
	case SCOPE_OF_PACKAGE:
		snprintf(buf, size, "%u", w->pkg_lo);
		break;
	default:
		snprintf(buf, size, "%s", "");
	}
}

/* ---- what is known of a window ------------------------------------------- */

/* The number that the head has of the packages in the window, if it is the same. */
static double
head_of_window(const struct binding *b, const struct input *in,
    const struct window *w)
{
	const double none = na(NA_HEAD, (uint32_t)(in - b->input));
	double v = NAN;
	char name[160];

	for (uint32_t p = w->pkg_lo; p < w->pkg_hi; p++) {
		double x;

		snprintf(name, sizeof name, "%s[%u]", in->name, p);
		x = read_number(b->reader, name, NAN);
		if (!isnan(v) && !isnan(x) && x != v)
			return none;
		v = isnan(x) ? v : x;
	}
	return isnan(v) ? none : v;
}

static unsigned
count_lprocs(const struct topology *t, const struct window *of, bool cores,
    const uint8_t *common)
{
	struct window w = *of;
	uint32_t core = UINT32_MAX;
	unsigned n = 0;

	if (cores)
		w.thread = -1;
	if (common == NULL && w.thread < 0 && w.only == 0 && w.lo < w.hi)
		return cores ? t->core_of[w.hi - 1] - t->core_of[w.lo] + 1 :
		    w.hi - w.lo;
	for (uint32_t r = w.lo; r < w.hi; r++) {
		if ((common != NULL && !common[r]) || !window_has(t, &w, r) ||
		    (cores && t->core_of[r] == core))
			continue;
		core = t->core_of[r];
		n++;
	}
	return n;
}

static unsigned
window_count_packages(const struct window *w, const uint8_t *common)
{
	unsigned n = 0;

	for (uint32_t p = w->pkg_lo; p < w->pkg_hi; p++)
		n += common == NULL || common[p];
	return n;
}

double
input_constant(const struct binding *b, const struct input *in,
    const struct window *w, const uint8_t *common)
{
	switch (in->kind) {
	case INPUT_MONOTONIC_HZ:
		return head_number(b->reader, HEAD_TSC_HZ, ALONE,
		    na(NA_MONOTONIC, 0));
	case INPUT_PACKAGES:
		return window_count_packages(w, common);
	case INPUT_NODE_PACKAGES:
		return b->topo->npkg;
	case INPUT_LPROCS:
		return count_lprocs(b->topo, w, false, common);
	case INPUT_CORES:
		return count_lprocs(b->topo, w, true, common);
	case INPUT_HEAD:
		return head_of_window(b, in, w);
	default:
		return NAN;
	}
}

/* ---- columns in doubt ----------------------------------------------------- */

/* Is any column of an input marked, whatever its window? */
static bool
any_marked(const struct binding *b, const struct input *in, const bool *marked)
{
	for (uint32_t i = 0; i < input_ncolumn(b, in); i++)
		if (marked[in->column[i]])
			return true;
	return false;
}

/* Goes through the columns of an input in a window: marks each in `mark` (or NULL);
 * returns true at the first one that is marked in `marked` (or NULL). */
static bool
pass_columns(const struct binding *b, const struct input *in,
    const struct window *w, const bool *marked, bool *mark)
{
	const struct domain *d = &b->domain[in->domain];

	for (uint32_t u = 0; u < d->nunit; u++) {
		if (in->first[u] == in->first[u + 1] ||
		    !window_has_unit(b->topo, w, d, u))
			continue;
		for (uint32_t i = in->first[u]; i < in->first[u + 1]; i++) {
			if (marked != NULL && marked[in->column[i]])
				return true;
			if (mark != NULL)
				mark[in->column[i]] = true;
		}
	}
	return false;
}

static bool
each_input(const struct binding *b, unsigned m, const struct window *w,
    const bool *marked, bool *mark)
{
	const struct bound *x = &b->bound[m];

	for (uint32_t i = x->op; i < x->op + x->nop; i++) {
		const struct input *in = &b->input[b->op[i].arg];

		if (b->op[i].code == EXPR_REF && in->kind == INPUT_COLUMNS &&
		    !in->is_time && (marked == NULL ||
		    any_marked(b, in, marked)) &&
		    pass_columns(b, in, w, marked, mark))
			return true;
	}
	return false;
}

void
binding_doubt(const struct binding *b, unsigned m, const struct window *w,
    bool *column)
{
	each_input(b, m, w, NULL, column);
}

bool
binding_doubtful(const struct binding *b, unsigned m, const struct window *w,
    const bool *column)
{
	return each_input(b, m, w, column, NULL);
}
