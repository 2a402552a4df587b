/*
 * postproc/pages/why.c - what limits a run, as the rules have it.
 */
#include "postproc/pages/why.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/data/dump_node.h"

bool
why_own(const struct rule *r)
{
	return r->metric.file[0] != '@';
}

void
why_fini(struct why *w)
{
	if (w->gather != NULL && w->gather->p != NULL)
		gather_before_columns(w->gather, NULL, w);
	for (unsigned i = 0; i < w->nunits; i++)
		why_units_fini(&w->units[i]);
	free(w->units);
	compiled_free(w->compiled[0]);
	compiled_free(w->compiled[1]);
	free(w->found);
	free(w->lacks);
	gather_unload(&w->own, &w->metrics);
	rules_fini(&w->rules);
	*w = (struct why){ .nunits = 0 };
}

static int
load_rules(struct why *w, const struct why_ask *ask, struct diag *why)
{
	int rc = rules_init(&w->rules);

	if (rc == 0)
		rc = rules_load(&w->rules, "@limits", why);
	for (unsigned i = 0; rc == 0 && i < ask->nrules; i++)
		rc = rules_load(&w->rules, ask->rules[i], why);
	return rc;
}

/* Opens a dump of our own, and loads the metrics that rules may use. */
static int
load_dump(struct why *w, const char *path, const struct gather_ask *in,
    struct diag *why)
{
	struct gather_ask ask = *in;
	int rc;

	ask.io = true;
	w->gather = &w->own;
	rc = gather_load(&w->own, &w->metrics, path, &ask, why);
	return rc < 0 ? rc : metrics_load(&w->metrics, "@why", why);
}

/* Loads only the metrics, for a dump that the caller reads. */
static int
why_load_metrics(struct why *w, const struct gather_ask *in,
    struct diag *why)
{
	struct gather_ask ask = *in;
	int rc;

	ask.io = true;
	if ((rc = metrics_init(&w->metrics)) < 0 ||
	    (rc = gather_metrics(w->gather, &w->metrics, &ask, why)) < 0)
		return rc;
	return metrics_load(&w->metrics, "@why", why);
}

/*
 * Built-in configurations, as tallyd -c takes them; the first one that counts
 * all inputs of a rule is suggested.
 */
static const char *const counts[WHY_COUNTS] = { "@hpc", "@default", "@io", "@umc",
	"@software" };

/* Finds what each of these configurations counts on this CPU. */
static void
why_counts_init(struct why *w)
{
	/* dumps of the original tool name no model: they are of Skylake-SP */
	const struct model *model = model_named(head_text(w->gather->reader,
	    HEAD_MODEL, ALONE, "skx"));

	for (unsigned i = 0; i < WHY_COUNTS; i++) {
		char buf[80];

		w->would[i] = (struct would){ .metrics = &w->metrics,
			.model = model };
		would_add(&w->would[i], text_named(text_of_model(counts[i],
		    model, buf, sizeof buf), TEXT_CONFIG));
	}
}

/*
 * Finds the configuration, or else the option of tallyd, that counts what a rule needs;
 * *count: NULL if there is none.  There is none, either, where the run was given a
 * configuration that counts it: then the node has no such counter.
 */
static int
why_count(struct why *w, const struct rule *rule, const char **count,
    struct diag *why)
{
	const struct would measured = { .dram_measured = true };
	bool would = false;
	int rc;

	for (unsigned i = 0; i < WHY_COUNTS; i++) {
		const struct would *of = &w->would[i];
		char buf[80];
		bool given = of->ntext > 0 && text_was_given(w->gather->reader,
		    text_of_model(counts[i], of->model, buf, sizeof buf));

		if (of->ntext == 0 || (*count != NULL && !given))
			continue;
		if ((rc = binding_would(&w->gather->binding, &rule->metric, of,
		    &would, why)) < 0)
			return rc;
		if (would && given) {
			*count = NULL;
			return 0;
		}
		if (would)
			*count = counts[i];
	}
	if (*count != NULL)
		return 0;
	rc = binding_would(&w->gather->binding, &rule->metric, &measured, &would,
	    why);
	if (rc == 0 && would)
		*count = "--measure-dram-bandwidth";
	return rc;
}

/*
 * Binds a rule: creates its units, or notes what the dump lacks for it. kinds:
 * a bit for each enum rule_against that is judged.
 */
static int
bind_rule(struct why *w, const struct rule *r, unsigned kinds,
    struct diag *why)
{
	struct gather *g = w->gather;
	const struct bound *b;
	unsigned bound;
	int rc = binding_add(&g->binding, &r->metric, &bound, why);

	if (rc < 0)
		return rc;
	b = &g->binding.bound[bound];
	if (b->nmissing > 0 || !(kinds & 1u << r->against)) {
		struct why_lacks *l = &w->lacks[w->nlacks++];

		*l = (struct why_lacks){ r, "", NULL };
		if (b->nmissing == 0)
			return 0;
		/* a copy, as names in a binding are freed when columns are added */
		l->missing = arena_strndup(w->metrics.arena, b->missing[0],
		    strlen(b->missing[0]));
		return l->missing == NULL ? -ENOMEM :
		    why_count(w, r, &l->count, why);
	}
	return why_units_init(&w->units[w->nunits++], g, r, bound);
}

static int
bind_rules(struct why *w, const struct rules *rules, unsigned kinds,
    struct diag *why)
{
	const struct metrics *had = w->gather->binding.metrics;
	int rc = 0;

	w->units = calloc(rules->n + 1, sizeof *w->units);
	w->found = calloc(rules->n + 1, sizeof *w->found);
	w->lacks = calloc(rules->n + 1, sizeof *w->lacks);
	if (w->units == NULL || w->found == NULL || w->lacks == NULL)
		return -ENOMEM;
	w->gather->binding.metrics = &w->metrics;
	why_counts_init(w);
	for (unsigned i = 0; rc == 0 && i < rules->n; i++)
		rc = bind_rule(w, &rules->rule[i], kinds, why);
	w->gather->binding.metrics = had;
	for (unsigned i = 0; i < w->nunits; i++)
		w->rounds |= w->units[i].rounds;
	return rc;
}

/* ---- what is counted */

static int
add_formulas(struct why *w, struct compiled *c, bool rounds)
{
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < w->nunits; i++)
		if (w->units[i].rounds == rounds)
			rc = why_units_compile(&w->units[i], c);
	return rc;
}

int
why_compile_beside(void *why, struct compiled *c)
{
	return add_formulas(why, c, false);
}

/* Compiles the formulas of all rules; again whenever columns are added. */
static int
why_compile(struct why *w, bool rounds)
{
	struct compiled *c;
	int rc;

	if (w->compiled[rounds] != NULL && w->ncol[rounds] == w->gather->ncol)
		return 0;
	compiled_free(w->compiled[rounds]);
	c = w->compiled[rounds] = compiled_new(&w->gather->binding);
	w->ncol[rounds] = w->gather->ncol;
	rc = c == NULL ? -ENOMEM : add_formulas(w, c, rounds);
	return rc < 0 ? rc : compiled_finish(c);
}

static struct why_stretch
why_interval(const struct sums *s)
{
	return (struct why_stretch){ s->before, s->sample, s->seconds };
}

/* Takes a stretch for all rules that are evaluated by intervals or (rounds) by rounds. 
 * lane: where the compiled formulas have their values of these sums. */
static int
take_units(struct why *w, const struct compiled *c, const struct sums *sums,
    unsigned lane, const struct why_stretch *in, bool rounds)
{
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < w->nunits; i++)
		if (w->units[i].rounds == rounds)
			rc = why_units_take(&w->units[i], w->gather, c, sums,
			    lane, in);
	return rc;
}

void
why_take_beside(void *why, struct compiled *c, const struct sums *sums,
    unsigned lane)
{
	struct why *w = why;
	const struct why_stretch in = why_interval(sums);

	if (w->rc == 0)
		w->rc = take_units(w, c, sums, lane, &in, false);
}

static int
take_all(struct why *w, const struct sums *sums, const struct why_stretch *in,
    bool rounds)
{
	int rc = why_compile(w, rounds);

	if (rc < 0 || (rc = compiled_take(w->compiled[rounds], sums)) < 0)
		return rc;
	return take_units(w, w->compiled[rounds], sums, 0, in, rounds);
}

/* Evaluates the intervals that were kept for that, all at once. */
static int
why_take_kept(struct why *w)
{
	struct compiled *c = w->compiled[false];
	unsigned n = c == NULL ? 0 : compiled_kept(c);

	if (n == 0)
		return w->rc;
	compiled_run(c, NULL);
	for (unsigned i = 0; i < n; i++)
		why_take_beside(w, c, compiled_sums(c, i), i);
	compiled_drop(c);
	return w->rc;
}

static void
why_columns_come(void *why)
{
	why_take_kept(why);
}

static int
take_interval(struct why *w, const struct sums *sums,
    const struct why_stretch *in)
{
	struct compiled *c;
	bool kept = false;
	int rc = w->rc < 0 ? w->rc : why_compile(w, false);

	c = w->compiled[false];
	if (rc == 0 && w->gather->now.left_out == 0)
		rc = compiled_keep(c, sums, &kept);
	if (rc < 0 || (kept && compiled_kept(c) < EXPR_LANES))
		return rc;
	rc = why_take_kept(w);
	return rc < 0 || kept ? rc : take_all(w, sums, in, false);
}

int
why_next(struct why *w, const struct sums *sums)
{
	const struct why_stretch one = why_interval(sums);

	if (w->turns.seconds <= 0)
		w->turns.first = one.first;
	w->turns.last = one.last;
	w->turns.seconds += one.seconds;
	w->seconds += one.seconds;
	return w->beside ? w->rc : take_interval(w, sums, &one);
}

int
why_round(struct why *w, const struct sums *sums)
{
	int rc = w->rounds ? take_all(w, sums, &w->turns, true) : 0;

	w->turns.seconds = 0;
	return rc;
}

static int
why_read_samples(struct why *w, struct diag *why)
{
	struct gather *g = w->gather;
	struct round round = round_begin(0, true);
	int rc = 0;

	gather_before_columns(g, why_columns_come, w);
	while (rc == 0 && (rc = gather_next(g, why)) > 0) {
		rc = why_next(w, gather_interval(g));
		if (rc < 0 || !w->rounds || !round_ends(&round, g))
			continue;
		rc = why_round(w, gather_sums(g));
		gather_afresh(g);
	}
	return rc;
}

static int
end_units(struct why *w)
{
	int rc = why_take_kept(w);

	for (unsigned i = 0; rc == 0 && i < w->nunits; i++)
		rc = why_units_end(&w->units[i]);
	return rc;
}

/* ---- another run */

/*
 * Gives each unit here the mean of the unit of the same name in the other run.
 */
static void
put_other(struct why_units *here, const struct why_units *there)
{
	for (unsigned i = 0; i < there->n; i++)
		for (unsigned k = 0; k < here->n; k++)
			if (there->unit[i].known_s > 0 && strcmp(
			    there->unit[i].where, here->unit[k].where) == 0) {
				here->unit[k].other =
				    why_unit_mean(&there->unit[i]);
				here->unit[k].other_error =
				    why_unit_error(&there->unit[i]);
			}
}

static int
read_other(struct why *w, const struct why_ask *ask, struct diag *why)
{
	struct why o = { .nunits = 0 };
	struct gather_ask in = *ask->in;
	int rc;

	in.select = (struct select){ .jobs = ask->in->select.jobs };
	if ((rc = load_dump(&o, ask->against, &in, why)) == 0 &&
	    (rc = bind_rules(&o, &w->rules, 1u << AGAINST_OTHER, why)) == 0 &&
	    (rc = why_read_samples(&o, why)) == 0)
		rc = end_units(&o);
	for (unsigned i = 0; rc == 0 && i < o.nunits; i++)
		for (unsigned k = 0; k < w->nunits; k++)
			if (w->units[k].rule == o.units[i].rule)
				put_other(&w->units[k], &o.units[i]);
	why_fini(&o);
	return rc;
}

/* ---- what holds, the worst first */

static void
why_find(struct why *w, const struct why_units *u)
{
	struct why_found f = { .units = u };

	for (unsigned i = 0; i < u->n; i++) {
		const struct why_unit *x = &u->unit[i];
		double share = why_unit_share(u, x);

		if (share <= 0)
			continue;
		f.n++;
		if (share > f.share) {
			f.share = share;
			f.worst = x;
		}
	}
	f.score = f.n > 0 ? u->rule->weight * f.worst->held_s / w->seconds : 0;
	if (f.n > 0)
		w->found[w->nfound++] = f;
}

static int
why_by_score(const void *a, const void *b)
{
	const struct why_found *x = a, *y = b;

	if (x->score != y->score)
		return x->score < y->score ? 1 : -1;
	return x->units < y->units ? -1 : x->units > y->units;
}

#define KINDS (1u << AGAINST_NUMBER | 1u << AGAINST_PEERS | \
	1u << AGAINST_ITSELF)

int
why_begin(struct why *w, struct gather *g, const struct why_ask *ask,
    struct diag *why)
{
	int rc;

	*w = (struct why){ .gather = g };
	if ((rc = load_rules(w, ask, why)) < 0 ||
	    (rc = why_load_metrics(w, ask->in, why)) < 0)
		return rc;
	gather_before_columns(g, why_columns_come, w);
	return bind_rules(w, &w->rules, KINDS, why);
}

int
why_end(struct why *w, struct diag *why)
{
	int rc = end_units(w);

	if (rc < 0)
		return rc;
	if (w->seconds <= 0)
		return diag_set(why, -ENODATA, "%s: it has no interval",
		    w->gather->path);
	for (unsigned i = 0; i < w->nunits; i++)
		why_find(w, &w->units[i]);
	qsort(w->found, w->nfound, sizeof *w->found, why_by_score);
	return 0;
}

int
why_read(struct why *w, const char *path, const struct why_ask *ask,
    struct diag *why)
{
	unsigned other = ask->against != NULL ? 1u << AGAINST_OTHER : 0;
	int rc;

	*w = (struct why){ .nunits = 0 };
	if ((rc = load_rules(w, ask, why)) < 0 ||
	    (rc = load_dump(w, path, ask->in, why)) < 0 ||
	    (rc = bind_rules(w, &w->rules, KINDS | other, why)) < 0 ||
	    (ask->against != NULL && (rc = read_other(w, ask, why)) < 0) ||
	    (rc = why_read_samples(w, why)) < 0)
		return rc;
	return why_end(w, why);
}
