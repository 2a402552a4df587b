/*
 * postproc/metrics/worth.c - what a column is worth in a formula, where events took
 * turns.
 */
#include "postproc/metrics/worth.h"

#include <math.h>

#define ALWAYS 0.9999           /* of the time: all but what it takes to turn */

/* ---- over what time ------------------------------------------------------ */

static uint32_t
both(uint32_t a, uint32_t b)
{
	return a == 0 || a == b ? b : b == 0 ? a : WHOSE_SEVERAL;
}

void
counted_join(struct counted *all, const struct counted *one)
{
	all->part |= one->part;
	all->steady |= one->steady;
	all->loose |= one->loose;
	all->whose = both(all->whose, one->whose);
}

struct worth_view
view_asked(const struct binding *b, const struct counted *all,
    const struct sums *s)
{
	struct worth_view v = { .sums = s, .topo = b->topo };

	if (s->together.nset == 0 || !all->part || all->whose == 0)
		return v;
	v.by_cycles = all->whose == WHOSE_SEVERAL || !all->steady || all->loose;
	if (!v.by_cycles && s->turns->name[all->whose - 1].family[0] == '\0')
		v.set = 1 + s->turns->name[all->whose - 1].set;
	return v;
}

static bool
worth_takes_turns(const struct sums *s, uint32_t c)
{
	return s->turns != NULL && s->turns->kind[c] != TURN_NONE;
}

/* One column more that takes no turns. */
static void
take_steady(const struct sums *s, const struct input *in, uint32_t c,
    struct counted *when)
{
	if (in->how == REF_BIT)
		return;
	when->steady = true;
	when->loose |= s->together.nset > 0 && in->counter &&
	    (!together_has(&s->together, c) ||
	    together_guesses(&s->together, c));
}

struct worth_view
view_foreseen(const struct binding *b, unsigned m, const struct sums *s)
{
	const struct bound *x = &b->bound[m];
	struct counted all = { .ran = 1 };

	for (uint32_t i = x->op; s->together.nset > 0 && i < x->op + x->nop;
	    i++) {
		const struct input *in = &b->input[b->op[i].arg];
		uint32_t c;

		if (b->op[i].code != EXPR_REF || in->kind != INPUT_COLUMNS ||
		    input_ncolumn(b, in) == 0)
			continue;
		c = in->column[0];
		if (worth_takes_turns(s, c)) {
			all.whose = both(all.whose, s->turns->whose[c]);
			all.part |= s->share[c] < ALWAYS;
		} else
			take_steady(s, in, c, &all);
	}
	return view_asked(b, &all, s);
}

/* ---- one column ---------------------------------------------------------- */

/* One column more that takes turns: the least part of the time so far.  What
 * was away, with all that belongs to it, missed no turn. */
static void
take_turn(const struct sums *s, uint32_t c, struct counted *when,
    uint8_t *no_turn)
{
	int32_t of = s->turns->times[c].enabled;
	bool known = of >= 0 && (unsigned)of < s->ncol;
	double whole = known ? s->share[of] : 1;

	if (!(s->share[c] > 0) && (!known || s->value[of] > 0))
		*no_turn = s->turns->kind[c];
	if (s->share[c] < when->ran)
		when->ran = s->share[c];
	when->part |= s->share[c] < ALWAYS * whole;
	when->whose = both(when->whose, s->turns->whose[c]);
}

/* Where a column is looked up: what is of another turn than the one that lacks a
 * batch is as it is in all. */
static const struct sums *
sums_for(const struct sums *s, uint32_t c)
{
	return s->others != NULL && worth_takes_turns(s, c) &&
	    s->turns->whose[c] != s->only ? s->others : s;
}

/* How fast the unhalted cycles of an lproc's core came while a set ran, by how
 * fast they come in all of the time; 1 where that is not known.  Of the core:
 * some events count what its other thread does, too. */
static double
pace(const struct worth_view *v, const struct sums *s, uint32_t rank,
    unsigned set)
{
	uint32_t core = v->topo->core_of[rank];
	double in = 0, all = 0;

	for (uint32_t r = v->topo->core_first[core];
	    r < v->topo->core_first[core + 1]; r++) {
		int32_t c = together_cycles(&s->together, v->topo->lproc_at[r]);
		double ran;

		if (c < 0 || !together_has(&s->together, (unsigned)c))
			continue;
		ran = together_value(&s->together, (unsigned)c, set) /
		    together_share(&s->together, (unsigned)c, set);
		if (isnan(ran) || !(s->share[c] > 0) || isnan(s->value[c]))
			continue;
		in += ran;
		all += s->value[c] / s->share[c];
	}
	return in > 0 && all > 0 ? in / all : 1;
}

/* One that always counts, over the time of a set. */
static double
worth_beside(const struct worth_view *v, const struct input *in, uint32_t c)
{
	const struct sums *s = v->sums;
	double value = together_value(&s->together, c, v->set - 1);
	double share = together_share(&s->together, c, v->set - 1);

	if (!in->counter)
		return value;
	if (!(share > 0) || isnan(s->value[c]))
		return NAN;
	return in->how != REF_RATE ? value :
	    value / own_time_stretch_in(&s->own, c, v->set - 1) / share;
}

double
worth(const struct worth_view *view, const struct input *in, uint32_t unit, uint32_t i,
    struct counted *when, uint8_t *no_turn)
{
	uint32_t c = in->column[i];
	const struct sums *s = sums_for(view->sums, c);
	bool turns = worth_takes_turns(s, c);
	double share, v = in->how != REF_BIT ? s->value[c] :
	    in->watch + i < s->nbit ? s->bit[in->watch + i] : (double)NAN;

	if (!turns)
		take_steady(s, in, c, when);
	if (view->set > 0 && !turns && in->how != REF_BIT &&
	    together_has(&s->together, c))
		return worth_beside(view, in, c);
	if (in->how == REF_BIT || !in->counter)
		return v;
	/* as much as it would have been in just the time of the intervals */
	if (in->how == REF_RATE && s->stretch != NULL)
		v /= s->stretch[c];
	if (s->share == NULL)
		return v;
	if (turns)
		take_turn(s, c, when, no_turn);
	share = s->share[c];
	if (!(share > 0))
		return NAN;
	if (view->by_cycles && turns && in->level == LEVEL_LPROC &&
	    s->turns->kind[c] == TURN_SET)
		share *= pace(view, s, unit, turns_set_of(s->turns, c));
	return in->how == REF_RATE ? v / share : v;
}

double
worth_known(const struct worth_view *v, uint32_t c)
{
	const struct together *t = &v->sums->together;
	unsigned k = v->set - 1;

	if (v->set == 0 || !together_has(t, c))
		return v->sums->share != NULL ? v->sums->share[c] : 1;
	return t->running[k] > 0 ?
	    together_share(t, c, k) / (t->running[k] / t->enabled[k]) : 0;
}

uint32_t
worth_left_out(const struct worth_view *v, uint32_t c)
{
	const struct sums *s = v->sums;

	return s->left_out == NULL ? 0 : v->set == 0 ||
	    !together_has(&s->together, c) ? s->left_out[c] :
	    together_left_out_in(&s->together, c, v->set - 1);
}
