/*
 * postproc/gather/gather_sums.c - what a gather has added up, of all intervals, of the
 * present one, of groups of them.
 */
#include "postproc/gather/gather_int.h"

#include <math.h>

/* The part of all the time that a column's total is of. */
static double
share_of(const struct gather_private *p, unsigned c, unsigned ncol)
{
	const struct turns *t = &p->turns;
	double seconds = p->sums.seconds;
	bool turns = t->any && t->kind[c] != TURN_NONE;
	unsigned of = turns_known_by(t, c);
	double known = seconds > 0 ? 1 - p->unknown_s[of] / seconds : 1;

	return !turns ? known : known * turns_share(t, c, p->total, ncol,
	    t->lost[c]);
}

/* Of energy that nobody counts nothing is known. */
static void
forget_uncounted(struct gather *g)
{
	const struct doubts *d = intervals_doubts(g->intervals);

	for (unsigned i = 0; i < d->nuncounted; i++)
		if (d->uncounted[i] < g->ncol) {
			g->p->value[d->uncounted[i]] = NAN;
			g->p->doubt[d->uncounted[i]] = NA_UNCOUNTED;
		}
}

const struct sums *
gather_sums(struct gather *g)
{
	struct gather_private *p = g->p;
	struct sums *s = &p->sums;

	for (unsigned c = 0; c < g->ncol; c++) {
		bool some = p->left_out[c] < s->intervals &&
		    p->doubt[c] != NA_FOREIGN;

		p->value[c] = some ? (double)p->total[c] : (double)NAN;
		p->share[c] = share_of(p, c, g->ncol);
		p->stretch[c] = own_time_stretch(&p->own, c);
	}
	for (unsigned i = 0; i < p->nof_reading; i++) {
		uint32_t c = p->of_reading[i];

		p->value[c] = p->nreading[c] ?
		    p->reading[c] / p->nreading[c] : (double)NAN;
	}
	for (unsigned i = 0; i < p->nwatch; i++)
		p->bit[i] = p->seen[i] ? (double)p->set[i] /
		    (double)p->seen[i] : (double)NAN;
	forget_uncounted(g);
	together_settle(&p->together, &p->turns, p->total, p->share);
	s->together = p->together;
	s->own = p->own;
	s->tsc_hz = intervals_tsc_hz(g->intervals);
	s->ncol = g->ncol;
	s->value = p->value;
	s->share = p->share;
	s->stretch = p->own.nstamp > 0 ? p->stretch : NULL;
	s->turns = p->turns.any ? &p->turns : NULL;
	s->left_out = p->left_out;
	s->doubt = p->doubt;
	s->bit = p->bit;
	s->nbit = p->nwatch;
	s->batches = &p->batches;
	s->without = batch_sums_make(&p->without, s, p->total);
	return s;
}

/* What was counted together in the last interval. */
static struct together
now_together(struct gather_private *p, const struct interval *now)
{
	struct together *t = &p->now_together;

	if (!p->together.parts)
		return (struct together){ 0 };
	together_afresh(t);
	together_add(t, &p->turns, now);
	for (unsigned c = 0; now->left_out > 0 && c < now->ncol; c++)
		if (now->kind[c] > DELTA_NONE)
			together_left_out(t, c, now);
	for (unsigned i = 0; i < p->nof_reading; i++)
		if (p->of_reading[i] < now->ncol &&
		    now->value[p->of_reading[i]] != ABSENT)
			together_read(t, p->of_reading[i],
			    (double)(int64_t)now->value[p->of_reading[i]]);
	together_settle(t, &p->turns, now->delta, p->share);
	return *t;
}

const struct sums *
gather_interval(struct gather *g)
{
	struct gather_private *p = g->p;
	const struct interval *now = &g->now;

	for (unsigned c = 0; c < g->ncol; c++) {
		bool known = c < now->ncol && (now->left_out == 0 ||
		    now->kind[c] <= DELTA_NONE) && (now->not_due == 0 ||
		    now->kind[c] != DELTA_NONE);

		p->value[c] = known ? (double)now->delta[c] : (double)NAN;
		p->now_left_out[c] = c < now->ncol &&
		    now->kind[c] > DELTA_NONE;
		if (p->turns.any)
			p->share[c] = turns_share(&p->turns, c, now->delta,
			    now->ncol, 0);
	}
	own_time_now(&p->own, now, p->stretch, g->ncol);
	forget_uncounted(g);
	for (unsigned i = 0; i < p->nof_reading; i++) {
		uint32_t c = p->of_reading[i];

		p->value[c] = c < now->ncol && reading_possible(
		    intervals_limits(g->intervals), read_column(g->reader, c),
		    now->value[c]) ?
		    (double)(int64_t)now->value[c] : (double)NAN;
	}
	for (unsigned i = 0; i < p->nwatch; i++) {
		const struct watch *w = &g->binding.watch[i];

		p->bit[i] = w->column < now->ncol && now->value[w->column] !=
		    ABSENT ? (double)(now->value[w->column] >> w->bit & 1) :
		    (double)NAN;
	}
	p->interval = (struct sums){ .seconds = now->seconds, .intervals = 1,
	    .wall = intervals_verdict(g->intervals)->wall,
	    .tsc_hz = intervals_tsc_hz(g->intervals), .ncol = g->ncol,
	    .value = p->value, .share = p->turns.any ? p->share : NULL,
	    .stretch = p->own.nstamp > 0 ? p->stretch : NULL,
	    .turns = p->turns.any ? &p->turns : NULL,
	    .left_out = p->now_left_out, .bit = p->bit, .nbit = p->nwatch,
	    .together = now_together(p, now), .batches = &p->batches };
	return &p->interval;
}

unsigned
gather_rotates(const struct gather *g, unsigned bound)
{
	const struct turns *t = &g->p->turns;
	const struct binding *b = &g->binding;
	const struct bound *x = &b->bound[bound];
	uint32_t whose = 0;

	for (uint32_t i = x->op; t->any && i < x->op + x->nop; i++) {
		const struct input *in = &b->input[b->op[i].arg];

		if (b->op[i].code != EXPR_REF || in->kind != INPUT_COLUMNS)
			continue;
		for (uint32_t k = 0; k < input_ncolumn(b, in); k++)
			if (t->kind[in->column[k]] == TURN_SET) {
				uint32_t one = t->whose[in->column[k]];

				if (whose != 0 && one != whose)
					return 2;
				whose = one;
			}
	}
	return whose != 0;
}

void
gather_every(const struct gather *g, unsigned bound, unsigned *least,
    unsigned *most)
{
	const struct binding *b = &g->binding;
	const struct bound *x = &b->bound[bound];

	for (uint32_t i = x->op; i < x->op + x->nop; i++) {
		const struct input *in = &b->input[b->op[i].arg];

		if (b->op[i].code != EXPR_REF || in->kind != INPUT_COLUMNS)
			continue;
		for (uint32_t k = 0; k < input_ncolumn(b, in); k++) {
			unsigned every = slow_every(g->reader, &read_column(
			    g->reader, in->column[k])->id);

			*least = every < *least ? every : *least;
			*most = every > *most ? every : *most;
		}
	}
}

unsigned
gather_round(const struct gather *g)
{
	return turns_round(&g->p->turns);
}

bool
gather_between(const struct gather *g)
{
	return g->p->turns.between;
}

bool
gather_estimates(const struct gather *g)
{
	return g->p->turns.any;
}

bool
gather_turns(const struct gather *g)
{
	const struct gather_private *p = g->p;

	for (unsigned c = 0; p->turns.any && c < g->ncol; c++)
		if (p->turns.kind[c] == TURN_GROUP &&
		    turns_share(&p->turns, c, p->total, g->ncol, 0) < 0.9999)
			return true;
	return false;
}

unsigned
gather_sets(const struct gather *g)
{
	return g->p->turns.nset;
}

const char *
gather_set(const struct gather *g, unsigned set, double *share)
{
	*share = turns_set_share(&g->p->turns, set, g->p->total, g->ncol);
	return g->p->turns.set[set].name;
}

/* ---- intervals in groups ------------------------------------------------- */

struct round
round_begin(double every, bool sets)
{
	return (struct round){ .sets = sets, .every = every, .next = every };
}

/* Intervals that a group takes at least, and that it is a multiple of. */
static unsigned
size(const struct round *r, const struct gather *g)
{
	return r->sets ? gather_round(g) : 1;
}

bool
round_ends(struct round *r, const struct gather *g)
{
	unsigned n = size(r, g);
	double half = n * g->now.seconds / 2;

	r->seconds += g->now.seconds;
	r->intervals++;
	if (r->intervals % n != 0 ||
	    (r->every > 0 && r->seconds + half < r->next))
		return false;
	if (r->every > 0)
		r->next = fmax(r->next + r->every,
		    (floor(r->seconds / r->every) + 1) * r->every);
	r->intervals = 0;
	return true;
}

bool
round_rest(const struct round *r, const struct gather *g)
{
	return r->intervals > 0 && r->intervals % size(r, g) == 0;
}
