/*
 * postproc/many/take.c - adds one dump to a summary.
 */
#include "postproc/many/summary.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/data/marks.h"
#include "postproc/metrics/gather.h"

/* A dump that is being summarized. */
struct taking {
	struct summary *s;      /* of this dump only */
	const struct take_ask *ask;
	struct gather in;
	struct metrics metrics;
	uint32_t *metric;       /* [nbound] indices of s->metric */
	/* For each metric and scope, the values of intervals that cover as many units as
	 * any interval did so far. */
	struct windowed {
		struct sketch of;
		double whole;           /* the part of the units, 0 to 1 */
		uint64_t unknown;       /* other values */
	} *windowed;            /* [nbound * SCOPES] */
	unsigned nbound;
};

/* Says why no metric matches, as tally metrics does. */
static void
say_none(const struct taking *t, struct diag *none)
{
	const struct patterns *names = t->ask->names;
	const char *withheld = NULL, *path = t->in.path;
	unsigned i = 0;

	for (; withheld == NULL && i < names->n; i++)
		withheld = metrics_withheld(&t->metrics, names->pattern[i]);
	if (withheld != NULL)
		diag_set(none, 0, "%s: metric %s is not offered: %s", path,
		    names->pattern[i - 1], withheld);
	else if (names->n == 0)
		diag_set(none, 0, "%s: there are no metrics", path);
	else
		metrics_none(&t->metrics, names->pattern[0], path, none);
}

static int
bind_metrics(struct taking *t, struct diag *none, struct diag *why)
{
	unsigned bound;
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < t->metrics.n; i++) {
		const struct metric *m = metrics_at(&t->metrics, i);

		if (m->hidden || !patterns_match(t->ask->names, m->name))
			continue;
		rc = binding_add(&t->in.binding, m, &bound, why);
	}
	t->nbound = t->in.binding.nbound;
	if (rc == 0 && t->nbound == 0 && t->ask->names->n > 0)
		say_none(t, none);
	return rc;
}

static int
take_open_dump(struct taking *t, const char *path, struct diag *none,
    struct diag *why)
{
	int rc = gather_load(&t->in, &t->metrics, path, t->ask->in, why);

	return rc < 0 ? rc : bind_metrics(t, none, why);
}

/* ---- over all of its time ---- */

static int
take_take_value(struct taking *t, struct summed_node *n, unsigned bound,
    const struct sums *sums)
{
	struct gather *in = &t->in;
	struct node_value *v;
	char words[240];
	struct window w;
	struct figure f;

	if (!binding_window(&in->binding, bound, SCOPE_OF_NODE, 0, &w))
		return 0;
	if ((v = node_value_add(n)) == NULL)
		return -ENOMEM;
	f = binding_eval(&in->binding, bound, &w, sums);
	v->metric = t->metric[bound];
	v->value = f.value;
	v->marks = isnan(f.value) ? NONE : (uint8_t)(
	    (figure_lacks(&f) ? LACKS : 0) | (f.ran < 0.9999 ? ESTIMATE : 0) |
	    (f.apart ? APART : 0) | (f.wrong ? WRONG : 0));
	if (!isnan(f.value))
		return 0;
	v->why = summary_text(t->s, figure_why(&in->binding, &f, words,
	    sizeof words));
	return v->why == UINT32_MAX ? -ENOMEM : 0;
}

static int
number_metrics(struct taking *t)
{
	struct summary *s = t->s;

	t->metric = calloc(t->nbound + 1, sizeof *t->metric);
	for (unsigned i = 0; t->metric != NULL && i < t->nbound; i++) {
		const struct bound *x = &t->in.binding.bound[i];
		struct summary_metric key;

		if (!x->asked)
			continue;
		key = (struct summary_metric){ summary_text(s,
		    x->metric->name), summary_text(s, x->metric->unit) };
		if (key.name == UINT32_MAX || key.unit == UINT32_MAX ||
		    (t->metric[i] = summary_metric(s, key)) == UINT32_MAX)
			return -ENOMEM;
	}
	return t->metric == NULL ? -ENOMEM : 0;
}

/* The id of the job, if all jobs of the dump have the same id; else "". */
static int
take_job(struct taking *t, struct summed_node *n)
{
	struct jobs jobs = { .n = 0 };
	int rc = jobs_load(&jobs, t->in.reader);
	bool one = rc == 0 && jobs.n > 0;

	for (unsigned i = 1; one && i < jobs.n; i++)
		one = strcmp(jobs.span[0].id, jobs.span[i].id) == 0;
	n->job = summary_text(t->s, one ? jobs.span[0].id : "");
	jobs_fini(&jobs);
	return rc < 0 || n->job == UINT32_MAX ? -ENOMEM : 0;
}

/* The digest by which copies of a dump are found: of its host and samples, and of its path if
 * it has no wall clock. */
static uint64_t
identity_of(const struct gather *in, const struct sums *sums)
{
	struct { double first, seconds, tsc_hz; uint64_t intervals; } what = {
		in->wall_first, sums->seconds, sums->tsc_hz, sums->intervals };
	uint64_t hash = lookup_text(0, in->host);

	if (in->wall_first <= 0)
		hash = lookup_text(hash, in->path);
	return lookup_hash(hash, &what, sizeof what);
}

static int
take_node(struct taking *t, struct diag *why)
{
	struct gather *in = &t->in;
	const struct sums *sums;
	struct summed_node *n;
	int rc = gather_all(in, why);

	if (rc < 0)
		return rc;
	if (!t->ask->quiet)
		intervals_complain(in->intervals);
	sums = gather_sums(in);
	if (sums->intervals == 0)
		return diag_set(why, -ENODATA, "%s: left out: it has no "
		    "interval", in->path);
	if ((n = summary_node(t->s, identity_of(in, sums))) == NULL)
		return -ENOMEM;
	n->host = summary_text(t->s, in->host);
	n->path = summary_text(t->s, in->path);
	n->first = in->wall_first;
	n->seconds = sums->seconds;
	n->tsc_hz = sums->tsc_hz;
	n->samples = sums->intervals + 1;
	n->left_out = in->nleft_out;
	if (n->host == UINT32_MAX || n->path == UINT32_MAX ||
	    take_job(t, n) < 0 || number_metrics(t) < 0)
		return -ENOMEM;
	for (unsigned i = 0; rc == 0 && i < t->nbound; i++)
		if (in->binding.bound[i].asked)
			rc = take_take_value(t, n, i, sums);
	return rc < 0 ? rc : traits_take(&n->traits, in);
}

/* ---- interval by interval ---- */

/* Keeps the figures of the intervals in which most units had a value. */
static int
take_keep(struct windowed *x, const struct figure *f, double v)
{
	double part = figure_part(f);

	if (!isfinite(v) || f->wrong || part < x->whole) {
		x->unknown++;
		return 0;
	}
	if (part > x->whole) {
		x->unknown += x->of.count;
		sketch_clear(&x->of);
		x->whole = part;
	}
	return sketch_add(&x->of, v);
}

static int
take_take_interval(struct taking *t, const struct sums *sums)
{
	const struct binding *b = &t->in.binding;
	struct window w;
	int rc = 0;

	for (unsigned m = 0; m < t->nbound; m++)
		for (enum scope s = 0; s < SCOPES; s++)
			for (unsigned k = 0; rc == 0 &&
			    (t->ask->scopes >> s & 1) != 0 &&
			    b->bound[m].asked && k < binding_windows(b, m, s); k++) {
				struct figure f;

				if (!binding_window(b, m, s, k, &w))
					continue;
				f = binding_eval(b, m, &w, sums);
				rc = take_keep(&t->windowed[m * SCOPES + s], &f,
				    metric_adds(b->bound[m].metric) ?
				    f.value / sums->seconds : f.value);
			}
	return rc;
}

static int
take_intervals(struct taking *t, struct diag *why)
{
	struct round round = round_begin(0, true);
	int rc = 0;

	t->windowed = calloc((size_t)t->nbound * SCOPES + 1,
	    sizeof *t->windowed);
	if (t->windowed == NULL)
		return -ENOMEM;
	while (rc == 0 && (rc = gather_next(&t->in, why)) > 0) {
		rc = 0;
		if (!round_ends(&round, &t->in))
			continue;
		rc = take_take_interval(t, gather_sums(&t->in));
		gather_afresh(&t->in);
	}
	return rc;
}

static int
keep_distributions(struct taking *t)
{
	const struct summed_node *n = &t->s->node[0];
	struct distribution key = { .job = n->job,
	    .cpu = summary_text(t->s, n->traits.text[TRAIT_CPU]) };

	for (unsigned i = 0; i < t->nbound * SCOPES; i++) {
		struct windowed *x = &t->windowed[i];
		uint32_t at;

		if (x->of.count == 0 && x->unknown == 0)
			continue;
		key.metric = t->metric[i / SCOPES];
		key.scope = (uint8_t)(i % SCOPES);
		at = summary_dist(t->s, &key);
		if (key.cpu == UINT32_MAX || at == UINT32_MAX)
			return -ENOMEM;
		t->s->dist[at].unknown = x->unknown;
		t->s->dist[at].of = x->of;
		x->of = (struct sketch){ .n = 0 };
	}
	return 0;
}

static int
take_distributions(struct taking *t, const char *path, struct diag *why)
{
	int rc;

	if (strcmp(path, "-") == 0)
		return diag_set(why, -ESPIPE, "standard input can be read "
		    "once, and its distributions take twice: put it into a "
		    "file");
	gather_unload(&t->in, &t->metrics);
	t->metrics = (struct metrics){ .n = 0 };
	if ((rc = take_open_dump(t, path, NULL, why)) < 0 ||
	    (rc = take_intervals(t, why)) < 0)
		return rc;
	return keep_distributions(t);
}

int
summary_take(struct summary *s, const char *path, const struct take_ask *ask,
    const struct take_claim *claim, struct diag *none, struct diag *why)
{
	struct summary one = { .ntext = 0 };
	struct taking t = { .s = &one, .ask = ask, .in = { .p = NULL } };
	const struct summed_node *is;
	int rc = take_open_dump(&t, path, none, why);

	if (rc == 0)
		rc = take_node(&t, why);
	if (rc == 0 && (summary_known(s, one.node[0].identity) != NULL ||
	    (claim != NULL && !claim->claim(claim->ctx, one.node[0].identity,
	    one.text[one.node[0].host]))))
		rc = diag_set(why, -EEXIST, "%s: left out: the same samples of "
		    "%s are in another file", path, one.text[one.node[0].host]);
	if (rc == 0 && ask->scopes != 0)
		rc = take_distributions(&t, path, why);
	if (rc == 0)
		rc = summary_add(s, &one, &is);
	for (unsigned i = 0; t.windowed != NULL && i < t.nbound * SCOPES; i++)
		sketch_fini(&t.windowed[i].of);
	free(t.windowed);
	free(t.metric);
	gather_unload(&t.in, &t.metrics);
	summary_fini(&one);
	return rc;
}
