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
#define MOST_COARSE 3

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

struct bucket_value
timeline_point(const struct timeline *t, const struct line *x, unsigned i,
    unsigned coarse)
{
	unsigned k = i << coarse;
	struct bucket_value v = x->in[k];

	while (++k < t->n && k < (i + 1) << coarse) {
		v.sum += x->in[k].sum;
		v.weight += x->in[k].weight;
		v.lo = fminf(v.lo, x->in[k].lo);
		v.hi = fmaxf(v.hi, x->in[k].hi);
		v.square += x->in[k].square;
		v.doubt |= x->in[k].doubt;
		v.taken |= x->in[k].taken;
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
	unsigned n = t->metric[x->metric].rotates ?
	    timeline_points(t, coarse) : 0;

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

static int
timeline_lines_add_line(struct timeline *t, unsigned metric,
    const struct window *w, unsigned *room)
{
	struct line *x;

	if (!array_room(&t->line, t->nline, room, sizeof *t->line))
		return -ENOMEM;
	x = &t->line[t->nline];
	*x = (struct line){ .metric = metric, .window = *w };
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

static bool
timeline_lines_is_constant(const struct timeline *t, const struct line *x)
{
	for (unsigned i = 1; i < t->n; i++)
		if (x->in[i].lo != x->in[0].lo || x->in[i].hi != x->in[0].lo)
			return false;
	return true;
}

/* About how many bytes the data of a line take in a page (timeline_json). */
static size_t
line_bytes(const struct timeline *t, const struct line *x, unsigned coarse)
{
	size_t points = ((size_t)t->n + (1u << coarse) - 1) >> coarse;
	bool narrow = timeline_narrow((enum scope)x->window.scope);
	size_t number = narrow ? 4 : 6;

	if (!x->any || timeline_lines_is_constant(t, x))
		return 120;
	return 150 + points * (number + 3 +
	    (t->metric[x->metric].how == WEIGH_OWN ? number : 0) +
	    (timeline_unsure(t, x) ? 2 : 0));
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
			free(x->in);
			t->unshown[s]++;
		} else {
			t->line[kept++] = *x;
		}
	}
	t->nline = kept;
}

void
timeline_fit(struct timeline *t, size_t beside)
{
	static const struct {
		enum scope scope;
		unsigned share;         /* percent of what is left */
	} part[] = { { SCOPE_OF_BOX, 40 }, { SCOPE_OF_CORE, 60 },
	    { SCOPE_OF_LPROC, 100 } };
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
