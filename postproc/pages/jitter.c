/*
 * postproc/pages/jitter.c - what disturbed a node, as far as it was counted.
 */
#include "postproc/pages/jitter.h"

#include "postproc/data/select.h"
#include "postproc/metrics/node_view.h"
#include "postproc/metrics/statistics.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LATE 1.5                /* late: more than this many times the
				 * planned interval */

struct jittered {
	struct jitter *j;
	struct gather gather;
	struct metrics metrics;
	struct node_view view;
	unsigned *bound, n;     /* metrics that are causes */
	uint64_t late, intervals;
	struct planned planned;
	double longest, stretched;      /* s */
	uint64_t longest_at;
	struct diag *why;
};

/* ---- what counters say */

/* Does the view list this metric as one that takes time or speed away? */
static bool
is_cause(const struct jittered *r, const char *name)
{
	const struct view_line *x = NULL;

	while ((x = view_next(&r->view, VIEW_CAUSE, x)) != NULL)
		for (unsigned i = 0; i < x->nitem; i++)
			if (pattern_match(x->item[i].title, name))
				return true;
	return false;
}

/*
 * Binds a metric of a `slow` line of the view; a metric that the CPU lacks is
 * no error.
 */
static int
bind_slow(struct jittered *r, const char *name)
{
	const struct metric *m = metrics_find(&r->metrics, name);
	unsigned n;

	return m == NULL ? 0 : binding_add(&r->gather.binding, m, &n, r->why);
}

static int
jitter_bind_all(struct jittered *r)
{
	struct binding *b = &r->gather.binding;
	const struct view_line *x = NULL;
	int rc = 0;

	if ((r->bound = calloc(r->metrics.n + 1, sizeof *r->bound)) == NULL)
		return -ENOMEM;
	for (unsigned i = 0; rc >= 0 && i < r->metrics.n; i++) {
		const struct metric *m = metrics_at(&r->metrics, i);

		if (is_cause(r, m->name) && (rc = binding_add(b, m,
		    &r->bound[r->n], r->why)) >= 0)
			r->n++;
	}
	while (rc >= 0 && (x = view_next(&r->view, VIEW_SLOW, x)) != NULL)
		if ((rc = bind_slow(r, x->metric)) >= 0)
			rc = bind_slow(r, x->other);
	return rc;
}

static int
jitter_put_window(struct jittered *r, unsigned bound, enum scope scope,
    unsigned n)
{
	const struct binding *b = &r->gather.binding;
	const struct metric *m = b->bound[bound].metric;
	bool ours = strncmp(m->name, "jitter_", 7) == 0;
	struct jitter_row *row;
	struct window w;
	struct figure f;
	char name[32], lacks[40] = "";

	if (!binding_window(b, bound, scope, n, &w))
		return 0;
	f = binding_eval(b, bound, &w, gather_sums(&r->gather));
	/* a package has a row only if its value is above 0 */
	if (scope != SCOPE_OF_NODE && !(f.value > 0))
		return 0;
	if ((row = jitter_add(r->j, ours ? m->name + 7 : m->name, m->text,
	    m->unit)) == NULL)
		return -ENOMEM;
	row->value = f.value;
	if (scope != SCOPE_OF_NODE) {
		window_name(b, &w, name, sizeof name);
		snprintf(row->where, sizeof row->where, "%s %s",
		    scope_name(scope), name);
	}
	if (f.left_out > 0)
		snprintf(lacks, sizeof lacks, "%u deltas left out", f.left_out);
	figure_note(b, &f, lacks, row->note, sizeof row->note);
	return 0;
}

static int
put_causes(struct jittered *r)
{
	const struct binding *b = &r->gather.binding;
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < r->n; i++) {
		unsigned n = binding_windows(b, r->bound[i], SCOPE_OF_PACKAGE);

		rc = jitter_put_window(r, r->bound[i], SCOPE_OF_NODE, 0);
		for (unsigned p = 0; rc == 0 && n > 1 && p < n; p++)
			rc = jitter_put_window(r, r->bound[i], SCOPE_OF_PACKAGE,
			    p);
	}
	return rc;
}

/* ---- when samples came */

static void
jitter_take_interval(struct jittered *r, double planned)
{
	const struct interval *now = &r->gather.now;
	double n = (double)(now->sample - now->before_sample);
	double multiple;

	r->intervals++;
	if (!(now->seconds / n > LATE * planned))
		return;
	multiple = (double)planned_multiple(&r->planned, r->gather.reader,
	    now->sample);
	if (multiple > 1)
		r->stretched += now->seconds;
	if (!(now->seconds / n > LATE * planned * multiple))
		return;
	r->late++;
	if (now->seconds > r->longest) {
		r->longest = now->seconds;
		r->longest_at = now->sample;
	}
}

static int
jitter_put_samples(struct jittered *r, double planned)
{
	struct jitter_row *row;
	double missed = head_number(r->gather.reader, HEAD_MISSED_DEADLINES,
	    ALONE, NAN);

	if ((row = jitter_add(r->j, "late", "Samples late by more than half "
	    "of the interval", "%")) == NULL)
		return -ENOMEM;
	if (isnan(planned))
		snprintf(row->note, sizeof row->note, "the head has no "
		    "interval");
	else {
		row->value = 100.0 * (double)r->late / (double)r->intervals;
		if (r->late > 0)
			snprintf(row->note, sizeof row->note, "%" PRIu64 " of %"
			    PRIu64 "; the longest was %.3f s, to sample %"
			    PRIu64, r->late, r->intervals, r->longest,
			    r->longest_at);
	}
	if ((row = jitter_add(r->j, "missed", "Samples not taken: another one "
	    "took too long", "/h")) == NULL)
		return -ENOMEM;
	if (isnan(missed) || !intervals_whole(r->gather.intervals))
		snprintf(row->note, sizeof row->note, isnan(missed) ? "the head "
		    "does not say" : "known of all of the run alone");
	else
		row->value = 3600 * missed / r->j->seconds;
	if ((row = jitter_add(r->j, "stretched", "Time in which samples took "
	    "so long that the interval was made longer", "%")) == NULL)
		return -ENOMEM;
	if (!isnan(planned))
		row->value = 100 * r->stretched / r->j->seconds;
	else
		snprintf(row->note, sizeof row->note, "the head has no "
		    "interval");
	return 0;
}

/* ---- lprocs that are slower than those beside them */

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

/*
 * Adds rows of busy lprocs of which a metric is far below that of the other busy ones of
 * their package (statistics.h), over all that the gather has read, as the view says.
 * Whether they had the same work is not known.
 */
static int
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

/* ---- all of it */

static int
jitter_read_all(struct jittered *r)
{
	struct gather *g = &r->gather;
	double planned = head_number(g->reader, HEAD_INTERVAL, ALONE, NAN);
	int rc;

	while ((rc = gather_next(g, r->why)) > 0)
		jitter_take_interval(r, planned);
	intervals_complain(g->intervals);
	if (rc < 0)
		return rc;
	if (r->intervals == 0)
		return diag_set(r->why, -ENODATA, "%s: it has no interval",
		    g->path);
	strcpy(r->j->host, g->host);
	r->j->seconds = gather_sums(g)->seconds;
	if ((rc = put_causes(r)) < 0 ||
	    (rc = jitter_put_samples(r, planned)) < 0)
		return rc;
	return jitter_slow(r->j, g, &r->view);
}

int
jitter_read(struct jitter *j, const char *path, const struct gather_ask *ask,
    struct diag *why)
{
	struct jittered r = { .j = j, .why = why };
	int rc;

	*j = (struct jitter){ .n = 0 };
	if ((rc = gather_load(&r.gather, &r.metrics, path, ask, why)) == 0 &&
	    (rc = metrics_load(&r.metrics, "@jitter", why)) == 0 &&
	    (rc = node_view_load(&r.view, "@jitter", model_named(head_text(
	    r.gather.reader, HEAD_MODEL, ALONE, "")), why)) == 0 &&
	    (rc = jitter_bind_all(&r)) >= 0)
		rc = jitter_read_all(&r);
	free(r.bound);
	node_view_fini(&r.view);
	gather_unload(&r.gather, &r.metrics);
	return rc;
}
