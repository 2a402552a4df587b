/*
 * postproc/pages/pairs_judge.c - do the two figures of a pair agree?
 *
 * The two registers are read at different moments.  What is counted between these is in
 * one interval of the one counter and in the next interval of the other, so that a burst
 * can make any single interval differ.  Such differences come in pairs of opposite sign.
 * So a pair differs if it differs in one direction: in at least three intervals, and
 * three times as often as in the other direction.
 */
#include "postproc/pages/pairs.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/data/doubt.h"

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
