/*
 * postproc/pages/pairs_whole.c - do the two figures of a pair agree?  Judged by the
 * intervals that were compared, and over all of a run: of its packages, of narrower
 * units, of units that do the same; and what came out, in words.
 *
 * There are many units of a narrower scope, so these are not compared interval by
 * interval.
 */
#include "postproc/pages/pairs.h"

#include "lib/array.h"
#include "postproc/metrics/figure_notes.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SKEW_S 0.05             /* readings of the first sample may be so far
                                 * apart, and those of the last */

/* Marks the columns of a pair in a window as doubtful. */
static void
pair_doubt(struct pairs *ps, const struct pair *p, const struct gather *g,
    const struct window *w)
{
	bool left = (p->row->needs & (PAIR_BOUND | PAIR_PEERS)) != 0;

	/* a difference that is a note means no bad counter: a memory channel
	 * without a module counts right */
	if ((p->row->needs & PAIR_NOTE) != 0)
		return;
	binding_doubt(&g->binding, p->p->side[SIDE_LEFT], w, ps->doubtful);
	if (!left)
		binding_doubt(&g->binding, p->p->side[SIDE_RIGHT], w,
		    ps->doubtful);
}

/* Records that a pair differs in a window. */
static void
pairs_whole_differs(struct pairs *ps, struct pair *p, const struct gather *g,
    const struct window *w)
{
	char name[60];

	pair_doubt(ps, p, g, w);
	window_name(&g->binding, w, name, sizeof name);
	p->where[0] = '\0';
	if (w->scope != SCOPE_OF_NODE)
		snprintf(p->where, sizeof p->where, " of %s %s",
		    scope_name((enum scope)w->scope), name);
	p->says = PAIR_DIFFERS;
	p->whole = true;
	p->first = intervals_first(g->intervals);
	p->last = intervals_last(g->intervals);
}

/* A figure can be compared if it is known and was counted in all units, all of the
 * time. */
static bool
pairs_whole_known(const struct figure *f)
{
	return !isnan(f->value) && f->ran >= 0.99 && !f->apart && f->of == 0;
}

/* ---- two sides ------------------------------------------------------------ */

/* Computes both sides in a window.  In the pair's own scope the right side may be that
 * of the other package.  False: one is not known. */
static bool
pairs_whole_sides(struct gather *g, const struct pair *p,
    const struct window *w,
    unsigned n, const struct sums *sums, double side[SIDES])
{
	for (unsigned s = SIDE_JOINT_LEFT; s < SIDES; s++) {
		struct figure f;

		if (s == SIDE_LESS && !p->row->lessens)
			continue;       /* 0 everywhere */
		f = w->scope == p->p->scope ? pair_figure(g, p,
		    (enum pair_side)s, n, sums) : binding_eval_quick(
		    &g->binding, p->p->side[s], w, sums);

		if (!pairs_whole_known(&f))
			return false;
		side[s] = f.value;
	}
	return true;
}

static bool
beyond(const struct pair_row *r, const double side[SIDES], double seconds)
{
	double left = side[SIDE_JOINT_LEFT], right = side[SIDE_JOINT_RIGHT];
	double least = r->least * right, apart = 2 * fmin(SKEW_S / seconds, 1);
	double most = isinf(r->most) ? left : r->most * right;

	if ((r->needs & PAIR_LEFT_MOVES) != 0 && left == 0)
		return false;
	return least - side[SIDE_LESS] - left > r->once + apart *
	    fmax(left, least) || left - most > r->once + apart *
	    fmax(left, most);
}

static void
pairs_whole_compare(struct pairs *ps, struct pair *p, struct gather *g,
    enum scope scope)
{
	const struct binding *b = &g->binding;
	unsigned m = p->p->side[SIDE_JOINT_LEFT];
	const struct sums *sums = ps->sums;

	for (unsigned n = 0; n < binding_windows(b, m, scope); n++) {
		double side[SIDES] = { 0 };
		struct window w;

		if (!binding_window(b, m, scope, n, &w) ||
		    !pairs_whole_sides(g, p, &w, n, sums, side) ||
		    !beyond(p->row, side, sums->seconds))
			continue;
		if (p->units++ > 0) {
			pair_doubt(ps, p, g, &w);
			continue;
		}
		p->left = side[SIDE_JOINT_LEFT];
		p->right = side[SIDE_JOINT_RIGHT];
		pairs_whole_differs(ps, p, g, &w);
	}
}

/* ---- peers ----------------------------------------------------------------- */

/* The units of one package. */
struct peers {
	unsigned n;
	double *value, *sorted;
	struct window *window;
};

static void
judge_group(struct pairs *ps, struct pair *p, struct gather *g,
    struct peers *of)
{
	const struct pair_row *r = p->row;
	double median, far = 1;

	for (unsigned i = 0; i < of->n; i++)
		of->sorted[i] = of->value[i];
	order_doubles(of->sorted, of->n);
	median = of->n > 2 ? of->sorted[of->n / 2] : 0;
	for (unsigned i = 0; i < of->n && median >= r->once; i++) {
		double by = of->value[i] / median;

		if (by >= r->least && by <= r->most)
			continue;
		p->units++;
		pair_doubt(ps, p, g, &of->window[i]);
		by = by > 1 ? 1 / by : by;
		if (p->whole && by >= far)
			continue;
		far = by;
		p->left = of->value[i];
		p->right = median;
		pairs_whole_differs(ps, p, g, &of->window[i]);
	}
}

static void
compare_peers(struct pairs *ps, struct pair *p, struct gather *g,
    struct peers *of)
{
	const struct binding *b = &g->binding;
	unsigned m = p->p->side[SIDE_LEFT];
	unsigned max = binding_windows(b, m, p->p->scope);

	for (unsigned n = 0; n < max; n++) {
		struct window w;
		struct figure f;

		if (!binding_window(b, m, p->p->scope, n, &w))
			continue;
		f = binding_eval_quick(b, m, &w, ps->sums);
		if (!pairs_whole_known(&f))
			continue;
		if (of->n > 0 && of->window[0].pkg_lo != w.pkg_lo) {
			judge_group(ps, p, g, of);
			of->n = 0;
		}
		of->value[of->n] = f.value;
		of->window[of->n++] = w;
	}
	judge_group(ps, p, g, of);
}

static void
look_at_peers(struct pairs *ps, struct pair *p, struct gather *g)
{
	unsigned max = binding_windows(&g->binding, p->p->side[SIDE_LEFT],
	    p->p->scope);
	struct peers of = { 0, calloc(max + 1, sizeof *of.value),
		calloc(max + 1, sizeof *of.sorted),
		calloc(max + 1, sizeof *of.window) };

	if (of.value != NULL && of.sorted != NULL && of.window != NULL)
		compare_peers(ps, p, g, &of);
	free(of.value);
	free(of.sorted);
	free(of.window);
}

/* ---- all -------------------------------------------------------------------- */

/* Compares a pair over all of the run. */
static void
pair_whole(struct pairs *ps, struct pair *p, struct gather *g)
{
	if ((p->row->needs & PAIR_PEERS) != 0) {
		look_at_peers(ps, p, g);
		return;
	}
	if ((p->row->needs & PAIR_AT_ONCE) == 0 && p->says != PAIR_DIFFERS)
		pairs_whole_compare(ps, p, g, p->p->scope);
	if (p->row->narrow != SCOPES && p->says != PAIR_DIFFERS)
		pairs_whole_compare(ps, p, g, p->row->narrow);
}

/* Compares over all of the run alone, with a gather that has read all: instead of
 * pairs_take and pairs_judge.  0 or -ENOMEM. */
static int
pairs_whole(struct pairs *ps, struct gather *g)
{
	bool differs = false;

	ps->doubtful = calloc(g->ncol + 1, sizeof *ps->doubtful);
	if (ps->doubtful == NULL)
		return -ENOMEM;
	ps->sums = gather_sums(g);
	for (unsigned i = 0; i < ps->n; i++) {
		struct pair *p = &ps->pair[i];

		p->p->apart = !p->p->lacks && pair_apart(g, p);
		if (pair_can(p, g))
			pair_whole(ps, p, g);
		differs |= p->says == PAIR_DIFFERS;
	}
	if (!differs) {
		free(ps->doubtful);
		ps->doubtful = NULL;
	}
	return 0;
}

/* ---- interval by interval ----------------------------------------------------- */

/*
 * The two registers are read at different moments.  What is counted between these is in
 * one interval of the one counter and in the next interval of the other, so that a burst
 * can make any single interval differ.  Such differences come in pairs of opposite sign.
 * So a pair differs if it differs in one direction: in at least three intervals, and
 * three times as often as in the other direction.
 */
#define LEAST_INTERVALS 3

static bool
one_way(const struct pair_beyond *a, const struct pair_beyond *b)
{
	return a->n >= LEAST_INTERVALS && a->n >= 3 * b->n;
}

/* Were the counts such that the comparison says something?  That left is more than a
 * right side of 0 says nothing where there is no upper bound. */
static bool
compared_any(const struct pair *p)
{
	if (isinf(p->row->most) || (p->row->needs & PAIR_LEFT_MOVES) != 0)
		return p->right > 0 && (p->left > 0 || (p->row->needs &
		    PAIR_LEFT_MOVES) == 0);
	return p->left > 0 || p->right > 0;
}

/* Finds the window that differs in most intervals; if none does, adds up all windows. */
static void
judge_windows(struct pair *p)
{
	for (unsigned n = 0; n < p->p->nwindow; n++) {
		const struct pair_window *w = &p->p->window[n];
		const struct pair_beyond *b = one_way(&w->low, &w->high) ?
		    &w->low : one_way(&w->high, &w->low) ? &w->high : NULL;

		if (b != NULL && b->n > p->beyond) {
			p->says = PAIR_DIFFERS;
			p->left = b->left;
			p->right = b->right;
			p->beyond = b->n;
			p->of = w->n;
			p->window = n;
			p->first = b->first;
			p->last = b->last;
			snprintf(p->where, sizeof p->where, "%s", "");
			if (p->p->scope != SCOPE_OF_NODE)
				snprintf(p->where, sizeof p->where,
				    " of package %u", n);
		} else if (p->says != PAIR_DIFFERS) {
			p->left += w->left;
			p->right += w->right;
			p->of = w->n > p->of ? w->n : p->of;
		}
	}
	if (p->says != PAIR_DIFFERS)
		p->says = p->of >= LEAST_INTERVALS && compared_any(p) ?
		    PAIR_AGREES : PAIR_CANNOT;
}

/* Judges a pair by the slope of its values over time; such pairs are of the node, so
 * there is one window. */
static void
judge_slope(struct pair *p)
{
	const struct pair_slope *s = &p->p->window[0].slope;

	if (p->says != PAIR_AGREES || !pair_slope_flat(s, &p->slope))
		return;
	p->says = PAIR_DIFFERS;
	p->flat = true;
	p->first = s->first;
	p->last = s->last;
}

/* Judges a pair by its intervals. */
static void
judge_intervals(struct pair *p, struct gather *g)
{
	unsigned needs = p->row->needs;

	judge_windows(p);
	if ((needs & PAIR_FOLLOWS) != 0)
		judge_slope(p);
	if (p->says == PAIR_DIFFERS && (needs & PAIR_LEFT_MOVES) != 0 &&
	    p->left == 0)
		p->says = PAIR_CANNOT;
	if (p->says != PAIR_CANNOT)
		return;
	if (p->of == 0)
		pair_why_not(p, g);
	else if (p->of < LEAST_INTERVALS)
		snprintf(p->why, sizeof p->why, "fewer than %d intervals have "
		    "both", LEAST_INTERVALS);
	else if (p->right > 0 && p->left == 0)
		snprintf(p->why, sizeof p->why, "the counters that always run "
		    "stand at 0: not every part has them");
	else
		snprintf(p->why, sizeof p->why, "%s: nothing was "
		    "counted", p->row->right_is);
}

int
pairs_judge(struct pairs *ps, struct gather *g)
{
	if (ps->rc < 0)
		return ps->rc;
	pairs_settle(ps);
	ps->doubtful = calloc(g->ncol + 1, sizeof *ps->doubtful);
	if (ps->doubtful == NULL)
		return -ENOMEM;
	ps->sums = gather_sums(g);
	for (unsigned i = 0; i < ps->n; i++) {
		struct pair *p = &ps->pair[i];
		struct window w;

		if (!pair_can(p, g))
			continue;
		if ((p->row->needs & PAIR_PEERS) == 0)
			judge_intervals(p, g);
		if (p->says == PAIR_DIFFERS && binding_window(&g->binding,
		    p->p->side[SIDE_LEFT], p->p->scope, p->window, &w))
			pair_doubt(ps, p, g, &w);
		pair_whole(ps, p, g);
	}
	return 0;
}

/* ---- in words ---------------------------------------------------------------- */

static void
pairs_put_bound(FILE *f, const struct pair_row *r)
{
	if (isinf(r->most))
		fprintf(f, "%g %% or more", 100 * r->least);
	else if (r->least <= 0)
		fprintf(f, "%g %% or less", 100 * r->most);
	else
		fprintf(f, "%g to %g %%", 100 * r->least, 100 * r->most);
}

static void
pairs_put_share(FILE *f, const struct pair *p)
{
	if (p->right > 0)
		fprintf(f, "%.4g %%", 100 * p->left / p->right);
	else
		fputs("the first alone", f);
}

bool
pair_shown(const struct pair *p)
{
	if ((p->row->needs & (PAIR_BOUND | PAIR_PEERS)) != 0)
		return p->says == PAIR_DIFFERS &&
		    (p->row->needs & PAIR_PEERS) == 0;
	return p->says != PAIR_CANNOT || (!p->foreign && p->row->parts == 0 &&
	    (p->row->needs & PAIR_RARE) == 0);
}

/* Says where a pair was compared and what came out.  Not for peers, whose two figures
 * say it. */
static void
pairs_put_verdict(FILE *f, const struct pair *p)
{
	const struct pair_row *r = p->row;

	if (p->whole)
		fputs(" over all of the run", f);
	else if (p->flat)
		fprintf(f, " rise and fall apart: of 1 %s more of the "
		    "first the second has %.2g more", r->unit, p->slope);
	else if (p->says == PAIR_DIFFERS)
		fprintf(f, " in %u of %u intervals", p->beyond, p->of);
	fputs(p->says == PAIR_AGREES ? ": agrees" : ": differs", f);
	if (p->says == PAIR_DIFFERS && !p->flat && p->right > 0)
		fprintf(f, " by %+.4g %%", 100 * (p->left / p->right - 1));
	fputs(": ", f);
	pairs_put_share(f, p);
	fputs(", right is ", f);
	pairs_put_bound(f, r);
}

const char *
pair_words(const struct pair *p, char *buf, size_t size)
{
	const struct pair_row *r = p->row;
	FILE *f = fmemopen(buf, size, "w");

	buf[0] = '\0';
	if (f == NULL)
		return buf;
	fprintf(f, "%s: ", p->name);
	if (p->says == PAIR_CANNOT) {
		fprintf(f, "%s and %s cannot be compared: %s%s", r->left_is,
		    r->right_is, p->neither ? "neither is counted: " : "",
		    p->why);
	} else {
		fprintf(f, "%s%s: %.4g %s; %s: %.4g %s", r->left_is, p->where,
		    p->left, r->unit, r->right_is, p->right, r->unit);
		if (p->whole && p->units > 1)
			fprintf(f, " (and of %u other%s)", p->units - 1,
			    p->units == 2 ? "" : "s");
		if ((r->needs & PAIR_PEERS) == 0)
			pairs_put_verdict(f, p);
		fprintf(f, ": %s", r->why);
	}
	fclose(f);
	buf[size - 1] = '\0';
	return buf;
}

static void
pair_find(struct findings *found, const struct pair *p)
{
	bool peers = (p->row->needs & PAIR_PEERS) != 0;
	char text[800];
	struct finding *f = finding_at(found, peers ? "peers" : "pair",
	    p->first, p->last, "%s", pair_words(p, text, sizeof text));

	if (f != NULL)
		f->note = (p->row->needs & PAIR_NOTE) != 0;
}

void
pairs_find(const struct pairs *ps, struct findings *found)
{
	for (unsigned i = 0; i < ps->n; i++)
		if (ps->pair[i].says == PAIR_DIFFERS)
			pair_find(found, &ps->pair[i]);
}

/* ---- for a page of figures of the whole run ----------------------------------- */

/* The metrics that come with the programs, read unless the page has just these. */
static int
held_metrics(struct held *h, const struct gather *g,
    const struct metrics **metrics)
{
	struct diag why;
	int rc;

	if (*metrics != NULL)
		return 0;
	*metrics = &h->metrics;
	if ((rc = metrics_init(&h->metrics)) < 0)
		return rc;
	return metrics_load_for(&h->metrics, NULL, head_text(g->reader,
	    HEAD_MODEL, ALONE, NULL), &why);
}

int
held_take(struct held *h, struct gather *g, const struct metrics *metrics)
{
	const struct metrics *had = g->binding.metrics;
	struct diag why;
	int rc;

	h->pairs.silent = true;
	if ((rc = held_metrics(h, g, &metrics)) < 0 ||
	    (rc = pairs_bind(&h->pairs, g, metrics, &why)) < 0 ||
	    (rc = pairs_whole(&h->pairs, g)) < 0)
		goto done;
	pairs_find(&h->pairs, &h->findings);
	rc = check_ranges(&h->findings, g, metrics);
	findings_sort(&h->findings);
done:
	g->binding.metrics = had;
	return rc == -ENOMEM || h->findings.lost ? -ENOMEM : 0;
}

void
held_fini(struct held *h)
{
	pairs_fini(&h->pairs);
	findings_fini(&h->findings);
	metrics_fini(&h->metrics);
	*h = (struct held){ .pairs.n = 0 };
}

unsigned
held_findings(const struct held *h)
{
	unsigned n = 0;

	for (unsigned i = 0; i < h->findings.n; i++)
		n += !h->findings.finding[i].note;
	return n;
}
