/*
 * postproc/causes/jitter_slow.c - lprocs that are slower than those beside them.
 */
#include "postproc/causes/jitter.h"

#include "postproc/metrics/node_view.h"
#include "postproc/metrics/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BUSY 90.0               /* % of the time not halted: above it an
				 * lproc is busy */
#define PEERS 4                 /* busy lprocs per package; fewer have no
				 * usual value */
#define SAID 16                 /* lprocs that are named, at most */

struct slow {
	struct jitter *j;
	struct gather *g;
	const struct sums *sums;
	int metric, busy_by;    /* indices of bindings: the metric compared,
				 * and the one that says which lprocs are
				 * busy; -1: none */
	uint32_t *rank;         /* [n] the busy lprocs of a package */
	double *value, *sorted, *scratch;
	unsigned n, busy, slower, said;
};

static double
jitter_slow_of_lproc(const struct slow *s, int metric, uint32_t rank)
{
	const struct binding *b = &s->g->binding;
	struct window w;

	return binding_window(b, (unsigned)metric, SCOPE_OF_LPROC,
	    s->g->topo.lproc_at[rank], &w) ? binding_eval(b,
	    (unsigned)metric, &w, s->sums).value : (double)NAN;
}

static int
name_slow(struct slow *s, const char *cause, const struct spread *of,
    unsigned i)
{
	const struct topology *t = &s->g->topo;
	struct jitter_row *row;

	if (s->said++ >= SAID)
		return 0;
	if ((row = jitter_add(s->j, cause, "", "%")) == NULL)
		return -ENOMEM;
	snprintf(row->where, sizeof row->where, "lproc %u",
	    t->lproc_at[s->rank[i]]);
	row->value = 100 * (1 - s->value[i] / of->median);
	snprintf(row->note, sizeof row->note, "below the median of %u busy "
	    "lprocs of its package: %.4g, not %.4g", s->n, s->value[i],
	    of->median);
	return 0;
}

static int
jitter_slow_of_package(struct slow *s, const char *cause, uint32_t pkg)
{
	const struct topology *t = &s->g->topo;
	struct spread of;
	int rc = 0;

	s->n = 0;
	for (uint32_t r = t->pkg_first[pkg]; r < t->pkg_first[pkg + 1]; r++) {
		double v = jitter_slow_of_lproc(s, s->metric, r);

		if (isnan(v) ||
		    !(jitter_slow_of_lproc(s, s->busy_by, r) >= BUSY))
			continue;
		s->rank[s->n] = r;
		s->value[s->n] = s->sorted[s->n] = v;
		s->n++;
	}
	if (s->n < PEERS)
		return 0;
	s->busy += s->n;
	spread_of(&of, s->sorted, s->n, s->scratch);
	for (unsigned i = 0; rc == 0 && i < s->n; i++)
		if (s->value[i] < of.median &&
		    spread_score(&of, s->value[i]) > SPREAD_FAR) {
			s->slower++;
			rc = name_slow(s, cause, &of, i);
		}
	return rc;
}

static int
bound_of(const struct binding *b, const char *name)
{
	for (unsigned i = 0; i < b->nbound; i++)
		if (strcmp(b->bound[i].metric->name, name) == 0)
			return (int)i;
	return -1;
}

/* Adds a row of the node, followed by the rows of its slow lprocs. */
static int
slow_by(struct slow *s, const struct view_line *x)
{
	struct jitter_row *row = jitter_add(s->j, x->title, x->label, "%");
	unsigned at = s->j->n - 1;
	int rc = 0;

	if (row == NULL)
		return -ENOMEM;
	s->metric = bound_of(&s->g->binding, x->metric);
	s->busy_by = bound_of(&s->g->binding, x->other);
	s->busy = s->slower = s->said = 0;
	for (uint32_t p = 0; rc == 0 && s->metric >= 0 && s->busy_by >= 0 &&
	    p < s->g->topo.npkg; p++)
		rc = jitter_slow_of_package(s, x->title, p);
	row = &s->j->row[at];           /* adding rows may have moved the
					 * array */
	if (s->metric < 0 || s->busy_by < 0)
		snprintf(row->note, sizeof row->note, "there is no %s here",
		    s->metric < 0 ? "such metric" : x->other);
	else if (s->busy == 0)
		snprintf(row->note, sizeof row->note, "no %d busy lprocs of a "
		    "package that could be compared", PEERS);
	else {
		row->value = 100.0 * s->slower / s->busy;
		snprintf(row->note, sizeof row->note, "%u of %u lprocs that "
		    "were busy; whether these had the same to do is not known",
		    s->slower, s->busy);
	}
	return rc;
}

int
jitter_slow(struct jitter *j, struct gather *g, const struct node_view *view)
{
	unsigned n = g->topo.nlproc + 1;
	struct slow s = { .j = j, .g = g, .sums = gather_sums(g),
	    .rank = calloc(n, sizeof *s.rank),
	    .value = calloc(n, sizeof *s.value),
	    .sorted = calloc(n, sizeof *s.sorted),
	    .scratch = calloc(n, sizeof *s.scratch) };
	const struct view_line *x = NULL;
	int rc = s.rank == NULL || s.value == NULL || s.sorted == NULL ||
	    s.scratch == NULL ? -ENOMEM : 0;

	while (rc == 0 && (x = view_next(view, VIEW_SLOW, x)) != NULL)
		rc = slow_by(&s, x);
	free(s.rank);
	free(s.value);
	free(s.sorted);
	free(s.scratch);
	return rc;
}
