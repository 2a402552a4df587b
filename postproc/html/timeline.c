/*
 * postproc/html/timeline.c - every metric of a dump over time, in buckets.
 */
#include "postproc/html/timeline.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes the weight of each metric the divisor of its formula.  It was bound as the whole
 * metric, and is again after the columns are bound anew. */
static void
narrow_weights(struct timeline *t)
{
	struct binding *b = &t->gather->binding;

	for (unsigned i = 0; i < t->nmetric; i++) {
		struct line_metric *m = &t->metric[i];
		uint32_t op = 0, nop = 0;

		m->how = weigh_how(b, m->bound, &op, &nop, &m->guess);
		if (m->how != WEIGH_OWN)
			continue;
		b->bound[m->weight].op = op;
		b->bound[m->weight].nop = nop;
	}
}

/* Is it a hidden metric of a part of a stack ("pcie_in_read_part2")?  The drawing shows
 * devices on such parts. */
static bool
is_of_part(const char *name)
{
	return strncmp(name, "pcie_", 5) == 0 && strstr(name, "_part") != NULL;
}

static int
timeline_bind_metrics(struct timeline *t, const struct metrics *metrics,
    struct diag *why)
{
	struct binding *b = &t->gather->binding;
	int rc = 0;

	if ((t->metric = calloc(metrics->n + 1, sizeof *t->metric)) == NULL)
		return -ENOMEM;
	for (unsigned i = 0; rc == 0 && i < metrics->n; i++) {
		struct line_metric *m = &t->metric[t->nmetric];

		m->metric = metrics_at(metrics, i);
		if (m->metric->hidden && !is_of_part(m->metric->name))
			continue;
		if ((rc = binding_add(b, m->metric, &m->bound, why)) == 0 &&
		    b->bound[m->bound].nmissing == 0 &&
		    (rc = binding_add(b, m->metric, &m->weight, why)) == 0)
			t->nmetric++;
	}
	for (unsigned i = 0; i < t->nmetric; i++) {
		t->metric[i].rotates = gather_rotates(t->gather,
		    t->metric[i].bound);
		t->sets |= t->metric[i].rotates;
	}
	narrow_weights(t);
	return rc;
}

/* Joins each two neighbouring buckets. */
static void
halve(struct timeline *t)
{
	unsigned n = t->n / 2;

	for (unsigned i = 0; i < n; i++) {
		struct bucket *to = &t->bucket[i];
		struct bucket a = t->bucket[2 * i], b = t->bucket[2 * i + 1];

		*to = (struct bucket){ a.from, b.to, a.seconds + b.seconds,
		    a.in_round + b.in_round, a.before, b.last, a.n + b.n,
		    a.gap || b.gap };
	}
	timeline_halve_cells(t);
	t->n = n;
	t->per *= 2;
	t->round_from /= 2;
}

/* Prepares the bucket that the present interval goes into.  0 or -ENOMEM. */
static int
next_bucket(struct timeline *t, uint64_t before, const struct sums *s)
{
	const struct interval *now = &t->gather->now;
	struct bucket *x = t->n > 0 ? &t->bucket[t->n - 1] : NULL;

	if (x == NULL || x->n >= t->per) {
		timeline_keep(t, t->n == t->room || timeline_full(t));
		if (t->n == t->room)
			halve(t);
		if (timeline_full(t) && timeline_grow(t) < 0)
			return -ENOMEM;
		x = &t->bucket[t->n++];
		*x = (struct bucket){ .from = now->at - s->seconds,
		    .before = before };
	}
	x->to = now->at;
	x->last = now->sample;
	x->seconds += s->seconds;
	x->in_round += s->seconds;
	x->n++;
	x->gap |= now->sample - before > s->intervals;
	return 0;
}

/* Finds how many intervals there are at most, by the number of the last sample.  False:
 * the dump's end is not known. */
static bool
find_likely(const struct timeline *t, uint64_t *likely)
{
	uint64_t last, tsc;
	double wall;

	if (!read_last_clock(t->gather->reader, false, &last, &tsc, &wall) ||
	    last < t->before)
		return false;
	*likely = last - t->before;
	return true;
}

/* Sets how many buckets there may be, how many intervals each has at first, and returns
 * how many buckets there will be, if the dump's samples are as many as the number of the
 * last one says.
 *
 * There may be as many as asked; one per sample where each value is to be a point.  A
 * bucket has at first so many intervals that few buckets have to be joined later, and not
 * too many even if only half of the samples are there. */
static unsigned
size_buckets(struct timeline *t)
{
	uint64_t likely = 0;
	bool known = find_likely(t, &likely);

	t->per = 1;
	t->room = t->ask->buckets & ~1u;
	if (t->ask->every.n > 0)
		t->room = !known || likely > TIMELINE_EVERY ? TIMELINE_EVERY :
		    (unsigned)(likely + 2) & ~1u;
	while (known && intervals_whole(t->gather->intervals) &&
	    t->per < 1u << 30 && likely / t->per > 2ull * t->room)
		t->per *= 2;
	return !known || likely / t->per >= t->room ? t->room :
	    (unsigned)(likely / t->per) + 1;
}

int
timeline_begin(struct timeline *t, struct gather *g,
    const struct node_view *view, const struct timeline_ask *ask,
    struct bandwidths *beside, struct diag *why)
{
	int rc;

	*t = (struct timeline){ .ask = ask, .view = view, .gather = g,
	    .beside = beside, .before = g->now.before_sample,
	    .ncol = g->ncol };
	t->likely = size_buckets(t);
	if ((t->bucket = calloc(t->room, sizeof *t->bucket)) == NULL)
		return -ENOMEM;
	if ((rc = timeline_bind_metrics(t, g->binding.metrics, why)) < 0 ||
	    (rc = timeline_lines(t)) < 0 ||
	    (rc = bandwidths_init(beside, g, view, why)) < 0)
		return rc;
	gather_before_columns(g, timeline_take_kept, t);
	return timeline_cells_begin(t);
}

int
timeline_next(struct timeline *t, const struct sums *s)
{
	struct gather *g = t->gather;
	int rc;

	if (g->ncol != t->ncol || t->compiled[false] == NULL) {
		narrow_weights(t);
		if ((rc = timeline_compile(t)) < 0)
			return rc;
	}
	t->ncol = g->ncol;
	if ((rc = next_bucket(t, t->before, s)) < 0)
		return rc;
	rc = timeline_take(t, s, false);
	t->before = g->now.sample;
	/* before timeline_round: sums of a round overwrite those of an interval */
	return rc < 0 ? rc : bandwidths_take(t->beside);
}

int
timeline_round(struct timeline *t, const struct sums *s)
{
	int rc = timeline_take(t, s, true);

	for (unsigned i = t->round_from; i < t->n; i++)
		t->bucket[i].in_round = 0;
	t->round_from = t->n - (t->bucket[t->n - 1].n < t->per);
	return rc;
}

/* Frees what only values that come need. */
static void
free_taking(struct timeline *t)
{
	free(t->at);
	free(t->now);
	free(t->left);
	t->at = NULL;
	t->now = NULL;
	t->left = NULL;
	for (unsigned i = 0; i < 2; i++) {
		compiled_free(t->compiled[i]);
		t->compiled[i] = NULL;
	}
}

int
timeline_end(struct timeline *t)
{
	timeline_keep(t, true);
	gather_before_columns(t->gather, NULL, t);
	free_taking(t);
	timeline_fit(t, bandwidths_size(t->beside));
	return bandwidths_end(t->beside);
}

void
timeline_fini(struct timeline *t)
{
	if (t->gather != NULL && t->gather->p != NULL)
		gather_before_columns(t->gather, NULL, t);
	for (unsigned k = 0; k <= KEPT_ALL; k++)
		free(t->cells[k].at);
	free(t->line);
	free_taking(t);
	free(t->metric);
	free(t->bucket);
	*t = (struct timeline){ .n = 0 };
}

double
timeline_mean(const struct timeline *t, const struct line *x)
{
	unsigned n = timeline_cells(t, x);
	double sum = 0, weight = 0;

	for (unsigned i = 0; i < n; i++) {
		sum += x->in[i].sum;
		weight += x->in[i].weight;
	}
	if (!x->any)
		return NAN;
	return t->metric[x->metric].how == WEIGH_SUM ? sum :
	    weight > 0 ? sum / weight : (double)NAN;
}

const struct line *
timeline_find(const struct timeline *t, const char *metric, enum scope scope,
    unsigned n)
{
	for (unsigned i = 0; i < t->nline; i++)
		if (t->line[i].window.scope == scope && strcmp(metric,
		    t->metric[t->line[i].metric].metric->name) == 0 && n-- == 0)
			return &t->line[i];
	return NULL;
}

/* ---- figures of all samples ---- */

#define SAME 2e-5               /* a relative difference that no page shows */

/* Finds the number of a metric in another binding; false: it is not bound there, or lacks
 * inputs. */
static bool
bound_there(const struct binding *b, const struct metric *m, unsigned *out)
{
	for (*out = 0; *out < b->nbound; ++*out)
		if (b->bound[*out].metric == m)
			return b->bound[*out].nmissing == 0;
	return false;
}

void
timeline_figures(struct timeline *t, struct gather *g,
    const struct metrics *metrics, const struct sums *all)
{
	unsigned bound = 0, metric = UINT32_MAX;
	bool have = false;

	for (unsigned i = 0; i < t->nline; i++) {
		struct line *x = &t->line[i];
		struct line_metric *m = &t->metric[x->metric];
		struct figure f;

		x->figure = NAN;
		x->mark = ' ';
		if (x->metric != metric)
			have = bound_there(&g->binding, metrics_find(metrics,
			    m->metric->name), &bound);
		metric = x->metric;
		if (!have)
			continue;
		f = binding_eval_quick(&g->binding, bound, &x->window, all);
		x->figure = f.value;
		x->mark = figure_mark(&f);
		/* if all points together do not give the figure, those of a
		 * stretch will not give the stretch's */
		if (x->window.scope >= SCOPE_OF_PACKAGE && !isnan(f.value) &&
		    !(fabs(timeline_mean(t, x) - f.value) <=
		    SAME * fabs(f.value)))
			m->guess = true;
	}
}
