/*
 * postproc/metrics/worth_columns.c - what all columns of an input are worth in one view,
 * for formulas that are evaluated in many windows.
 *
 * Most columns are counters that lack nothing.  For these, what worth_column finds out
 * for each is found out once for all.
 */
#include "postproc/metrics/bind_int.h"

#include <math.h>

#include "postproc/data/turns.h"

#define MOST_WHOSE 29

/* What a column is of, as bits: those of several columns are joined by "|". */
enum { WHEN_PART = 1, WHEN_STEADY = 2, WHEN_LOOSE = 4, WHEN_WHOSE = 3 };

static uint32_t
when_bits(const struct counted *when)
{
	return (when->part ? WHEN_PART : 0u) |
	    (when->steady ? WHEN_STEADY : 0u) |
	    (when->loose ? WHEN_LOOSE : 0u) | (when->whose == 0 ? 0 :
	    1u << (WHEN_WHOSE - 1 + when->whose));
}

struct counted
counted_of(uint32_t bits)
{
	uint32_t whose = bits >> WHEN_WHOSE;

	return (struct counted){ .ran = 1, .part = bits & WHEN_PART,
	    .steady = bits & WHEN_STEADY, .loose = bits & WHEN_LOOSE,
	    .whose = whose == 0 ? 0 : (whose & (whose - 1)) != 0 ?
	    WHOSE_SEVERAL : 1 + (uint32_t)__builtin_ctz(whose) };
}

/* What the columns of an input have in common in a view. */
struct column_view {
	const struct worth_view *view;
	const struct input *in;
	const double *stretch;  /* by column; NULL: all are 1, or it is no rate */
	double *pace;           /* see worth_columns */
	/* of a counter that always counts and lacks nothing, while the view's set
	 * ran: the part of the time, and is it as long as others are known? */
	double share;
	bool is_whole;
};

static struct column_view
column_view_begin(const struct worth_view *v, const struct input *in, double *pace)
{
	const struct together *t = &v->sums->together;
	struct column_view x = { .view = v, .in = in, .pace = pace,
	    .stretch = in->how == REF_RATE ? v->sums->stretch : NULL };
	unsigned k = v->set - 1;
	double ran;

	if (v->set == 0 || !(t->running[k] > 0) || !(t->enabled[k] > 0))
		return x;
	ran = t->running[k] / t->enabled[k];
	x.share = fmin(ran, 1) * t->known[k];
	x.is_whole = fabs(x.share / ran - t->known[k]) <= KNOWN_APART;
	return x;
}

/* The pace of an lproc's core, which is kept for the other lprocs and inputs. */
static double
pace_of(const struct column_view *x, uint32_t rank, unsigned set)
{
	const struct topology *t = x->view->topo;
	double *at = &x->pace[set * t->ncore + t->core_of[rank]];

	if (isnan(*at))
		*at = worth_pace(x->view, x->view->sums, rank, set);
	return *at;
}

/* A counter that takes turns.  False: it may lack something. */
static bool
column_of_turn(const struct column_view *x, uint32_t unit, uint32_t c, double *value,
    uint32_t *bits)
{
	const struct sums *s = x->view->sums;
	const struct turns *t = s->turns;
	int32_t of = t->times[c].enabled;
	double share = s->share[c], whole = of >= 0 && (unsigned)of < s->ncol ?
	    s->share[of] : 1;

	if (!(share > 0) || t->whose[c] > MOST_WHOSE ||
	    (s->left_out != NULL && s->left_out[c] > 0))
		return false;
	*bits = (share < ALWAYS * whole ? WHEN_PART : 0u) |
	    1u << (WHEN_WHOSE - 1 + t->whose[c]);
	*value = x->stretch != NULL ? s->value[c] / x->stretch[c] : s->value[c];
	if (x->in->how != REF_RATE)
		return true;
	if (x->view->by_cycles && x->in->level == LEVEL_LPROC &&
	    t->kind[c] == TURN_SET)
		share *= pace_of(x, unit, turns_set_of(t, c));
	*value /= share;
	return true;
}

/* A counter that always counts, over the time that the view's set ran; it is number
 * slot of together.  False: it may lack something. */
static bool
column_of_set(const struct column_view *x, uint32_t c, unsigned slot, double *value)
{
	const struct sums *s = x->view->sums;
	const struct together *t = &s->together;
	unsigned k = x->view->set - 1;
	size_t at = (size_t)slot * t->nset + k;

	if (!t->counter[slot] || t->lost[at] > 0 || t->left_out[at] > 0 ||
	    !(x->share > 0) || isnan(s->value[c]) ||
	    (!x->in->is_time && !x->is_whole))
		return false;
	*value = x->in->how != REF_RATE ? t->sum[at] : t->sum[at] /
	    own_time_stretch_in(&s->own, c, k) / x->share;
	return true;
}

/* A counter that always counts.  False: it may lack something. */
static bool
column_of_always(const struct column_view *x, uint32_t c, double *value,
    uint32_t *bits)
{
	const struct sums *s = x->view->sums;
	const struct together *t = &s->together;
	unsigned slot = c < t->ncol ? t->slot[c] : 0;
	double share = s->share[c];

	*bits = WHEN_STEADY | (t->nset > 0 && (slot == 0 ||
	    together_guesses(t, c)) ? WHEN_LOOSE : 0u);
	if (x->view->set > 0 && slot > 0)
		return column_of_set(x, c, slot - 1, value);
	if (!(share > 0) || (s->left_out != NULL && s->left_out[c] > 0) ||
	    (!x->in->is_time && fabs(share - 1) > KNOWN_APART))
		return false;
	*value = x->stretch != NULL ? s->value[c] / x->stretch[c] : s->value[c];
	if (x->in->how == REF_RATE)
		*value /= share;
	return true;
}

static bool
column_of_any(const struct worth_view *v, const struct input *in, uint32_t unit,
    uint32_t i, double *value, uint32_t *bits)
{
	struct counted when;

	if (!worth_column(v, in, unit, i, value, &when) ||
	    when.whose > MOST_WHOSE)
		return false;
	*bits = when_bits(&when);
	return true;
}

void
worth_columns(const struct worth_view *v, const struct binding *b,
    const struct input *in, double *pace, double *value, uint32_t *bits)
{
	const struct sums *s = v->sums;
	const struct column_view x = column_view_begin(v, in, pace);
	bool counts = in->counter && in->how != REF_BIT && s->turns != NULL &&
	    s->share != NULL && s->others == NULL;

	for (uint32_t u = 0; u < b->domain[in->domain].nunit; u++)
		for (uint32_t i = in->first[u]; i < in->first[u + 1]; i++) {
			uint32_t c = in->column[i];

			if (counts && (s->turns->kind[c] != TURN_NONE ?
			    column_of_turn(&x, u, c, &value[i], &bits[i]) :
			    column_of_always(&x, c, &value[i], &bits[i])))
				continue;
			if (!column_of_any(v, in, u, i, &value[i], &bits[i]))
				value[i] = NAN;
		}
}
