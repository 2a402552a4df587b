/*
 * postproc/html/timeline_lines.c - which lines a timeline has, and how much room lines of
 * boxes, cores and lprocs have on a page.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/html/timeline.h"
#include "lib/array.h"

#define MOST_LINES 4000         /* of boxes, cores and lprocs */
#define MOST_BYTES 4500000      /* of all lines: a page has 5 MB */
#define CONSTANT_BYTES 120

/*
 * Classes of metrics: readers look at lines of DRAWN most, so that these get room first
 * (pass[] in timeline_lines).
 *
 * DRAWN      the drawing of the node shows them, of boxes or cores (VIEW_PART)
 * OF_CORES   the view has them in a `series` statement (VIEW_SERIES)
 * OTHERS     all other metrics
 */
enum { DRAWN = 1, OF_CORES = 2, OTHERS = 4, ALL = 7 };

/* Does a statement list the metric before the word `with`? */
static bool
lists(const struct view_line *x, const char *name)
{
	for (unsigned i = 0; i < x->nitem; i++)
		if (!x->item[i].with && strcmp(x->item[i].metric, name) == 0)
			return true;
	return x->other != NULL && strcmp(x->other, name) == 0;
}

static unsigned
timeline_lines_class_of(const struct timeline *t, const char *name)
{
	const struct view_line *x = NULL;

	while ((x = view_next(t->view, VIEW_PART, x)) != NULL)
		if ((x->scope == SCOPE_OF_BOX || x->scope == SCOPE_OF_CORE) &&
		    lists(x, name))
			return DRAWN;
	while ((x = view_next(t->view, VIEW_SERIES, x)) != NULL)
		if (lists(x, name))
			return OF_CORES;
	return OTHERS;
}

bool
timeline_narrow(enum scope s)
{
	return s == SCOPE_OF_LPROC || s == SCOPE_OF_CORE || s == SCOPE_OF_BOX;
}

bool
timeline_every(const struct timeline *t, unsigned metric)
{
	const struct patterns *every = &t->ask->every;

	return every->n > 0 && patterns_match(every,
	    t->metric[metric].metric->name);
}

unsigned
timeline_coarse(const struct timeline *t, const struct line *x)
{
	return t->ask->every.n == 0 ? t->coarse[x->window.scope] :
	    timeline_every(t, x->metric) ? 0 : t->others;
}

unsigned
timeline_points(const struct timeline *t, unsigned coarse)
{
	return (t->n + (1u << coarse) - 1) >> coarse;
}

unsigned
timeline_cells(const struct timeline *t, const struct line *x)
{
	return timeline_points(t, t->cells[x->kept].coarse);
}

struct bucket_value
timeline_point(const struct timeline *t, const struct line *x, unsigned i,
    unsigned coarse)
{
	unsigned n = timeline_cells(t, x), k;
	struct bucket_value v;

	coarse -= t->cells[x->kept].coarse;
	k = i << coarse;
	v = x->in[k];
	while (++k < n && k < (i + 1) << coarse) {
		v.sum += x->in[k].sum;
		v.weight += x->in[k].weight;
		v.lo = fminf(v.lo, x->in[k].lo);
		v.hi = fmaxf(v.hi, x->in[k].hi);
		v.square += x->in[k].square;
		v.bits |= x->in[k].bits;
	}
	return v;
}

double
timeline_error(const struct bucket_value *v)
{
	return v->weight > 0 && v->square > 0 ?
	    sqrt((double)v->square) / v->weight : 0;
}

bool
timeline_unsure(const struct timeline *t, const struct line *x)
{
	unsigned coarse = timeline_coarse(t, x);
	/* lines of narrow scopes have no errors */
	unsigned n = t->metric[x->metric].rotates && !timeline_narrow(
	    (enum scope)x->window.scope) ? timeline_points(t, coarse) : 0;

	for (unsigned i = 0; i < n; i++) {
		struct bucket_value v = { .sum = 0 };
		double error;

		/* as timeline_point, without what is not needed here */
		for (unsigned k = i << coarse; k < t->n &&
		    k < (i + 1) << coarse; k++) {
			v.sum += x->in[k].sum;
			v.weight += x->in[k].weight;
			v.square += x->in[k].square;
		}
		error = timeline_error(&v);
		if (error > 0 && error >= 0.01 * fabs(v.sum / v.weight))
			return true;
	}
	return false;
}

/* Is each die or NUMA node a whole package? */
static bool
are_packages(const struct topology *t, const struct regions *r)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (!r->region[i].whole || r->region[i].pkg_lo != i ||
		    r->region[i].pkg_hi != i + 1)
			return false;
	return r->n == t->npkg;
}

enum scope
timeline_same(const struct timeline *t, enum scope s)
{
	const struct topology *topo = t->gather->binding.topo;

	if ((s == SCOPE_OF_DIE && are_packages(topo, &topo->die)) ||
	    (s == SCOPE_OF_NUMA && are_packages(topo, &topo->numa)))
		return SCOPE_OF_PACKAGE;
	return s == SCOPE_OF_LPROC && topo->nlproc == topo->ncore ?
	    SCOPE_OF_CORE : s;
}

/* Do the units that the drawing shows a metric of have a load, too, which is a metric? */
static bool
has_load(const struct timeline *t, const struct view_line *x, unsigned metric)
{
	const struct binding *b = &t->gather->binding;

	for (unsigned i = 0; x->other != NULL && i < t->nmetric; i++)
		if (strcmp(t->metric[i].metric->name, x->other) == 0)
			return binding_windows(b, t->metric[i].bound, x->scope) ==
			    binding_windows(b, t->metric[metric].bound, x->scope);
	return false;
}

/* Is each bucket of a metric's lines looked at?  Where --all has a point for each; where the
 * drawing shades units by the most that any had in one bucket (find_most). */
static bool
needs_buckets(const struct timeline *t, unsigned metric, enum scope s)
{
	const struct metric *m = t->metric[metric].metric;
	const struct view_line *x = NULL;

	if (t->ask->every.n > 0 || m->hidden)
		return true;
	while ((x = view_next(t->view, VIEW_PART, x)) != NULL)
		if (x->scope == s && lists(x, m->name) && !metric_adds(m) &&
		    !has_load(t, x, metric))
			return true;
	return false;
}

static int
timeline_lines_add_line(struct timeline *t, unsigned metric,
    const struct window *w, unsigned *room)
{
	enum scope scope = (enum scope)w->scope;
	struct line *x;

	if (!array_room(&t->line, t->nline, room, sizeof *t->line))
		return -ENOMEM;
	x = &t->line[t->nline];
	*x = (struct line){ .metric = metric, .window = *w,
	    .kept = timeline_narrow(scope) && !needs_buckets(t, metric, scope) ?
	    scope : KEPT_ALL };
	window_name(&t->gather->binding, w, x->where, sizeof x->where);
	t->nline++;
	return 0;
}

/* Adds a line of a metric for each unit of a scope; none, but counts them in unshown, if
 * they have no room. */
static int
timeline_lines_add_metric(struct timeline *t, unsigned m, enum scope scope,
    unsigned *room)
{
	const struct binding *b = &t->gather->binding;
	unsigned bound = t->metric[m].bound;
	unsigned n = binding_windows(b, bound, scope);
	struct window w;
	int rc = 0;

	/* lines of the metrics that --all names have a point per value, which
	 * leaves little room for lines of others */
	if (timeline_narrow(scope) && (t->nnarrow + n > MOST_LINES ||
	    (t->ask->every.n > 0 && !timeline_every(t, m) &&
	    timeline_lines_class_of(t, t->metric[m].metric->name) != DRAWN))) {
		t->unshown[scope] += n;
		return 0;
	}
	for (unsigned i = 0; rc == 0 && i < n; i++)
		if (binding_window(b, bound, scope, i, &w)) {
			rc = timeline_lines_add_line(t, m, &w, room);
			t->nnarrow += timeline_narrow(scope);
		}
	return rc;
}

int
timeline_lines(struct timeline *t)
{
	static const struct {
		enum scope scope;
		unsigned classes;
	} pass[] = {
		{ SCOPE_OF_NODE, ALL }, { SCOPE_OF_PACKAGE, ALL },
		{ SCOPE_OF_DIE, ALL }, { SCOPE_OF_NUMA, ALL },
		{ SCOPE_OF_CORE, DRAWN }, { SCOPE_OF_BOX, DRAWN },
		{ SCOPE_OF_BOX, OF_CORES | OTHERS },
		{ SCOPE_OF_CORE, OF_CORES }, { SCOPE_OF_CORE, OTHERS },
		{ SCOPE_OF_LPROC, DRAWN | OF_CORES }, { SCOPE_OF_LPROC, OTHERS },
	};
	unsigned room = 0;
	int rc = 0;

	for (size_t i = 0; i < sizeof pass / sizeof *pass; i++) {
		if (timeline_same(t, pass[i].scope) != pass[i].scope)
			continue;
		for (unsigned m = 0; rc == 0 && m < t->nmetric; m++)
			if (pass[i].classes & timeline_lines_class_of(t,
			    t->metric[m].metric->name))
				rc = timeline_lines_add_metric(t, m,
				    pass[i].scope, &room);
	}
	return rc;
}

/* About how many bytes the data of a line take in a page (timeline_json), without errors;
 * CONSTANT_BYTES: of one that has the same value always. */
static size_t
changing_bytes(const struct timeline *t, const struct line *x, size_t points)
{
	size_t number = timeline_narrow((enum scope)x->window.scope) ? 4 : 6;

	return 150 + points * (number + 3 +
	    (t->metric[x->metric].how == WEIGH_OWN ? number : 0));
}

static bool
timeline_lines_is_constant(const struct timeline *t, const struct line *x)
{
	unsigned coarse = t->cells[x->kept].coarse;

	for (unsigned i = 0; i < t->n; i++)
		if (x->in[i >> coarse].lo != x->in[0].lo ||
		    x->in[i >> coarse].hi != x->in[0].lo ||
		    !(x->in[i >> coarse].has >> (i & ((1u << coarse) - 1)) & 1))
			return false;
	return true;
}

/* How many bytes a line takes at least, once the dump is read, if its points are as coarse
 * as the cells of its scope. */
static size_t
least_bytes(const struct timeline *t, const struct line *x)
{
	unsigned n = timeline_cells(t, x);
	float lo = NAN;

	for (unsigned i = 0; i < n; i++) {
		if (isnan(lo))
			lo = x->in[i].lo;
		/* NaN is neither */
		if (x->in[i].lo < lo || x->in[i].hi > lo)
			return changing_bytes(t, x, t->n >>
			    t->cells[x->window.scope].coarse);
	}
	return CONSTANT_BYTES;
}

static size_t
line_bytes(const struct timeline *t, const struct line *x, unsigned coarse)
{
	unsigned points = timeline_points(t, coarse);

	if (!x->any || timeline_lines_is_constant(t, x))
		return CONSTANT_BYTES;
	return changing_bytes(t, x, points) +
	    (timeline_unsure(t, x) ? 2 * (size_t)points : 0);
}

static size_t
scope_bytes(const struct timeline *t, enum scope s, unsigned coarse)
{
	size_t sum = 0;

	for (unsigned i = 0; i < t->nline; i++)
		if (t->line[i].window.scope == s)
			sum += line_bytes(t, &t->line[i], coarse);
	return sum;
}

/* Drops the last lines of a scope that have no room even with coarse points.  A metric
 * keeps all its lines or none. */
static void
drop_lines(struct timeline *t, enum scope s, size_t room)
{
	unsigned kept = 0, metric = 0;
	size_t used = 0;
	bool full = false;

	for (unsigned i = 0; i < t->nline; i++) {
		struct line *x = &t->line[i];

		if (x->window.scope == s) {
			used += line_bytes(t, x, t->coarse[s]);
			/* drop only from the first line of a metric on */
			full |= used > room && x->metric != metric;
			metric = x->metric;
		}
		if (x->window.scope == s && full) {
			t->unshown[s]++;
		} else {
			t->line[kept++] = *x;
		}
	}
	t->nline = kept;
}

/* What part of the bytes that are left the lines of a scope may have, in percent; then
 * those of the next one, of the rest. */
static const struct {
	enum scope scope;
	unsigned share;
} part[] = { { SCOPE_OF_BOX, 40 }, { SCOPE_OF_CORE, 60 },
    { SCOPE_OF_LPROC, 100 } };

bool
timeline_too_fine(const struct timeline *t, enum scope s)
{
	size_t used = 0, i = 0;

	for (unsigned k = 0; k < t->nline; k++)
		if (t->line[k].window.scope == s)
			used += least_bytes(t, &t->line[k]);
	while (part[i].scope != s)
		i++;
	return t->cells[s].coarse < MOST_COARSE &&
	    used > MOST_BYTES / 100 * part[i].share;
}

void
timeline_fit(struct timeline *t, size_t beside)
{
	size_t left = beside < MOST_BYTES ? MOST_BYTES - beside : 0, used;

	if (t->ask->every.n > 0) {      /* such a page may be larger */
		while (timeline_points(t, t->others) > t->ask->buckets)
			t->others++;
		return;
	}
	for (unsigned s = SCOPE_OF_DIE; s < SCOPES; s++) {
		used = scope_bytes(t, (enum scope)s, 0);
		left -= used < left ? used : left;
	}
	for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
		enum scope s = part[i].scope;
		size_t room = left / 100 * part[i].share;

		t->coarse[s] = t->cells[s].coarse;
		while ((used = scope_bytes(t, s, t->coarse[s])) > room &&
		    t->coarse[s] < MOST_COARSE)
			t->coarse[s]++;
		if (used > room) {
			drop_lines(t, s, room);
			used = scope_bytes(t, s, t->coarse[s]);
		}
		left -= used < left ? used : left;
	}
}
