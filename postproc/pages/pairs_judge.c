/*
 * postproc/pages/pairs_judge.c - do the two figures of a pair agree?
 *
 * The two registers are read at different moments: what is counted between is
 * in one interval of this counter and in the next one of that, and a burst can
 * make any one interval differ.  Such differences come in pairs of opposite
 * sign, so what differs is what does so one way: in three intervals at least,
 * and three times as often as the other way.
 */
#include "postproc/pages/pairs.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/doubt/doubt.h"

#define LEAST_INTERVALS 3

/* A box that is there and has no column of this family: "IMC 3 of package 1". */
static bool
box_uncounted(const struct gather *g, unsigned bound, char *buf, size_t size)
{
	const struct binding *b = &g->binding;
	const struct bound *x = &b->bound[bound];

	for (uint32_t i = x->op; i < x->op + x->nop; i++) {
		const struct input *in = &b->input[b->op[i].arg];
		const struct box_type *type;

		if (b->op[i].code != EXPR_REF || in->kind != INPUT_COLUMNS ||
		    in->level != LEVEL_BOX ||
		    (type = b->domain[in->domain].type) == NULL)
			continue;
		for (unsigned k = 0; k < g->topo.npkg * type->instances; k++) {
			unsigned pkg = k / type->instances;
			unsigned box = k % type->instances, slot = 0;
			struct head_at at = { .name = { type->name },
			    .n = { pkg, box } };

			while (slot < in->nslot && in->label[slot] != box)
				slot++;
			if (head_constant(g->reader, HEAD_UNIT_PRESENT,
			    at) == NULL || (slot < in->nslot &&
			    in->first[pkg * in->nslot + slot] <
			    in->first[pkg * in->nslot + slot + 1]))
				continue;
			snprintf(buf, size, "%s %u of package %u is not "
			    "counted", type->name, box, pkg);
			return true;
		}
	}
	return false;
}

/* Does a programmed counter of that side not count user and kernel? */
static bool
programmed_apart(const struct gather *g, unsigned bound, char *buf, size_t size)
{
	const struct binding *b = &g->binding;
	const struct bound *x = &b->bound[bound];

	for (uint32_t i = x->op; i < x->op + x->nop; i++) {
		const struct input *in = &b->input[b->op[i].arg];

		if (b->op[i].code != EXPR_REF || in->kind != INPUT_COLUMNS)
			continue;
		for (uint32_t k = 0; k < input_ncolumn(b, in); k++) {
			const struct column *c = read_column(g->reader,
			    in->column[k]);
			const struct constant *control = head_constant(
			    g->reader, HEAD_CONTROL, OF_COLUMN(&c->id));

			if (c->id.family->fixed || control == NULL ||
			    (control->u & CONTROL_RINGS) == CONTROL_RINGS)
				continue;
			snprintf(buf, size, "%s does not count all that its "
			    "thread does", c->name);
			return true;
		}
	}
	return false;
}

/* Does an lproc's fixed counter not count user and kernel, of its own thread? */
static bool
rings_apart(const struct gather *g, unsigned fixed, char *buf, size_t size)
{
	for (unsigned i = 0; i < g->topo.max_lproc; i++) {
		const struct constant *c = head_constant(g->reader,
		    HEAD_IA32_FIXED_CTR_CTRL, AT(i));

		if (c == NULL || (c->u >> 4 * fixed & 7) == 3)
			continue;
		snprintf(buf, size, "fixed counter %u of lproc %u does not "
		    "count all that its thread does", fixed, i);
		return true;
	}
	return false;
}

/* Why nothing could be compared at all. */
static void
why_not(struct pair *p, struct gather *g)
{
	const struct binding *b = &g->binding;

	for (unsigned s = 0; s < SIDES; s++) {
		const struct bound *x = &b->bound[p->p->side[s]];

		if (x->nmissing == 0)
			continue;
		p->neither = b->bound[p->p->side[SIDE_LEFT]].nmissing > 0 &&
		    b->bound[p->p->side[SIDE_RIGHT]].nmissing > 0;
		p->foreign = pair_foreign(g, p);
		snprintf(p->why, sizeof p->why, "missing %s", x->missing[0]);
		return;
	}
	if (p->p->partial) {
		snprintf(p->why, sizeof p->why, "not of all boxes or lprocs");
		return;
	}
	for (unsigned s = SIDE_JOINT_LEFT; s < SIDES; s++) {
		struct figure f = pair_figure(g, p, (enum pair_side)s, 0,
		    gather_sums(g));

		if (figure_why(b, &f, p->why, sizeof p->why)[0] != '\0')
			return;
	}
	snprintf(p->why, sizeof p->why, p->p->estimated ? "its events took "
	    "turns on the counters: estimates" : "never counted in the same "
	    "interval");
}

static bool
one_way(const struct pair_beyond *a, const struct pair_beyond *b)
{
	return a->n >= LEAST_INTERVALS && a->n >= 3 * b->n;
}

/* Does what was counted say anything?  More than nothing is no news. */
static bool
compared_any(const struct pair *p)
{
	if (isinf(p->row->most) || (p->row->needs & PAIR_LEFT_MOVES) != 0)
		return p->right > 0 && (p->left > 0 || (p->row->needs &
		    PAIR_LEFT_MOVES) == 0);
	return p->left > 0 || p->right > 0;
}

/* The window that differs in most intervals; of those that agree, all of
 * them. */
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

/* Those of a node: there is one window. */
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

bool
pair_can(struct pair *p, struct gather *g)
{
	unsigned needs = p->row->needs;

	if (!pair_bound_whole(g, p)) {
		if ((needs & PAIR_PEERS) == 0)
			why_not(p, g);
		return false;
	}
	if ((needs & PAIR_ACROSS) != 0 && g->topo.npkg < 2) {
		snprintf(p->why, sizeof p->why, "there is one package");
		return false;
	}
	if (p->p->apart) {
		snprintf(p->why, sizeof p->why, "not read in the same samples "
		    "(every)");
		return false;
	}
	return !((needs & PAIR_ALL_BOXES) != 0 &&
	    (box_uncounted(g, p->p->side[SIDE_LEFT], p->why, sizeof p->why) ||
	    box_uncounted(g, p->p->side[SIDE_RIGHT], p->why,
	    sizeof p->why))) && !((needs & PAIR_BOTH_RINGS) != 0 &&
	    (rings_apart(g, p->row->fixed, p->why, sizeof p->why) ||
	    programmed_apart(g, p->p->side[SIDE_RIGHT], p->why,
	    sizeof p->why)));
}

/* Interval by interval. */
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
		why_not(p, g);
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
