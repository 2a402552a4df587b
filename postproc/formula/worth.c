/*
 * postproc/formula/worth.c - what an input of a formula adds up to, over the time that
 * it was counted and the units of a window.
 */
#include "postproc/formula/bind_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/data/turns.h"

/* ---- over what time ------------------------------------------------------ */

/* Whose turn two columns are of together; 0: they take no turns. */
static uint32_t
join_turns(uint32_t a, uint32_t b)
{
	return a == 0 || a == b ? b : b == 0 ? a : WHOSE_SEVERAL;
}

void
counted_join(struct counted *all, const struct counted *one)
{
	all->part |= one->part;
	all->steady |= one->steady;
	all->loose |= one->loose;
	all->whose = join_turns(all->whose, one->whose);
	all->counts += one->counts;
	all->chance += one->chance;
	if (one->one > all->one)
		all->one = one->one;
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

/* Adds to *when a column that takes no turns. */
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
			all.whose = join_turns(all.whose, s->turns->whose[c]);
			all.part |= s->share[c] < ALWAYS;
		} else
			take_steady(s, in, c, &all);
	}
	return view_asked(b, &all, s);
}

/* ---- one column ---------------------------------------------------------- */

/* Adds to *when a column that takes turns, and notes one that never had a turn.  A
 * column whose enabled time is 0, as its lproc was offline, missed none. */
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
	when->whose = join_turns(when->whose, s->turns->whose[c]);
}

/*
 * How far the rest of the time may be from what `counts` counts of a part of it say,
 * each scaled by 1 / share: events that have nothing to do with one another are as
 * probably in any part of it.
 */
static void
take_chance(const struct sums *s, uint32_t c, double counts, double share,
    struct counted *when)
{
	double unseen = (1 - s->share[c]) / share / share;

	if (!(counts >= 0) || !(unseen > 0))
		return;
	when->counts += counts;
	when->chance += counts * unseen;
	when->one = fmax(when->one, unseen);
}

/* The sums in which a column is looked up.  Where only one turn lacks a batch, columns
 * of other turns are taken from the sums that have all batches. */
static const struct sums *
sums_for(const struct sums *s, uint32_t c)
{
	return s->others != NULL && worth_takes_turns(s, c) &&
	    s->turns->whose[c] != s->only ? s->others : s;
}

double
worth_pace(const struct worth_view *v, const struct sums *s, uint32_t rank,
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
		ran = together_scaled(&s->together, (unsigned)c, set);
		if (isnan(ran) || !(s->share[c] > 0) || isnan(s->value[c]))
			continue;
		in += ran;
		all += s->value[c] / s->share[c];
	}
	return in > 0 && all > 0 ? in / all : 1;
}

/* The value of a column that always counts, over the time that a set ran. */
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

/* The value of the i-th column of an input, which is of `unit`; NaN: unknown.  When
 * it was counted is added to *when. */
static double
worth(const struct worth_view *view, const struct input *in, uint32_t unit,
    uint32_t i, struct counted *when, uint8_t *no_turn)
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
	/* scaled from the time of its stamps to that of the intervals */
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
		share *= worth_pace(view, s, unit, turns_set_of(s->turns, c));
	if (turns && in->how == REF_RATE)
		take_chance(s, c, s->value[c], share, when);
	return in->how == REF_RATE ? v / share : v;
}

/* The part of its view's time that a column is known. */
static double
worth_known(const struct worth_view *v, uint32_t c)
{
	const struct together *t = &v->sums->together;
	unsigned k = v->set - 1;

	if (v->set == 0 || !together_has(t, c))
		return v->sums->share != NULL ? v->sums->share[c] : 1;
	return t->running[k] > 0 ?
	    together_share(t, c, k) / (t->running[k] / t->enabled[k]) : 0;
}

/* How many deltas a column lacks in its view. */
static uint32_t
worth_left_out(const struct worth_view *v, uint32_t c)
{
	const struct sums *s = v->sums;

	return s->left_out == NULL ? 0 : v->set == 0 ||
	    !together_has(&s->together, c) ? s->left_out[c] :
	    together_left_out_in(&s->together, c, v->set - 1);
}

/* ---- an input ------------------------------------------------------------ */

/* The sum over units, so far. */
struct tally {
	double sum;
	unsigned have;
	struct counted when;    /* ran: the sum over the nran units whose events
	                         * took turns */
	unsigned nran;
	uint8_t no_turn;
	bool column;            /* some unit has a column */
	bool lacks;             /* some column lacks deltas */
	bool partial;           /* some unit that the node has lacks a column */
	uint8_t left_out;       /* enum na: why deltas were left out */
	/* the least and the greatest part of the time that a column is known */
	double least_known, most_known;
};

static void
worth_take_unit(struct tally *t, const struct counted *when)
{
	counted_join(&t->when, when);
	if (when->whose == 0)
		return;
	t->when.ran += when->ran;
	t->nran++;
}

/* Notes for which part of the time a column is known that takes no turns.  Stamps are
 * known for the same part as the columns that they belong to. */
static void
note_known(const struct eval *e, const struct input *in, uint32_t c,
    struct tally *t)
{
	double known = worth_known(&e->view, c);

	if (!in->counter || in->is_time || !(known > 0) || (e->sums->turns !=
	    NULL && e->sums->turns->kind[c] != TURN_NONE))
		return;
	t->when.known += known;
	t->when.nknown++;
	if (known < t->least_known)
		t->least_known = known;
	if (known > t->most_known)
		t->most_known = known;
}

static void
count_left_out(struct eval *e, uint32_t c, struct tally *t)
{
	uint32_t lacks = worth_left_out(&e->view, c);

	t->column = true;
	if (e->sums->doubt != NULL && e->sums->doubt[c] == NA_UNCOUNTED)
		t->left_out = NA_UNCOUNTED;
	if (lacks == 0)
		return;
	t->lacks = true;
	if (t->left_out == NA_UNTOLD)
		t->left_out = NA_LEFT_OUT;
	if (e->sums->doubt != NULL && e->sums->doubt[c] != NA_UNTOLD)
		t->left_out = e->sums->doubt[c];
	if (e->b->seen[c + 1] == e->b->seen[0])
		return;
	e->b->seen[c + 1] = e->b->seen[0];
	e->left_out += lacks;           /* each column once */
}

/* Adds all columns of one unit; false: it has not all of them.  The event "*" asks
 * for a unit and not for an event: any one column will do. */
static bool
worth_add_unit(const struct worth_view *view, const struct input *in, uint32_t unit,
    struct tally *t)
{
	uint32_t from = in->first[unit], to = in->first[unit + 1];
	bool any = in->event != NULL && strcmp(in->event, "*") == 0;
	struct counted when = { .ran = 1 };
	double sum = 0;
	uint8_t no_turn = TURN_NONE;
	unsigned n = 0;

	for (uint32_t i = from; i < to; i++) {
		double v = worth(view, in, unit, i, &when, &no_turn);

		if (any && isnan(v))
			continue;
		sum += v;
		n++;
	}
	if (!any && no_turn != TURN_NONE)
		t->no_turn = no_turn;
	if (n < (any ? 1 : in->most) || isnan(sum))
		return false;
	t->sum += sum;
	t->have += n;
	worth_take_unit(t, &when);
	return true;
}

bool
worth_has_unit(const struct eval *e, const struct input *in, uint32_t unit)
{
	struct tally t = { 0 };

	return worth_add_unit(&e->view, in, unit, &t);
}

static void
worth_add_units(struct eval *e, const struct input *in, uint32_t from,
    uint32_t to, struct tally *t)
{
	const struct domain *d = &e->b->domain[in->domain];

	for (uint32_t u = from; u < to; u++) {
		for (uint32_t i = in->first[u]; i < in->first[u + 1]; i++)
			count_left_out(e, in->column[i], t);
		if (e->common && !d->common[u])
			continue;
		for (uint32_t i = in->first[u]; i < in->first[u + 1]; i++)
			note_known(e, in, in->column[i], t);
		/* energy that a unit does not count is no reason to look only
		 * at the other units */
		if (!worth_add_unit(&e->view, in, u, t))
			t->partial |= d->there[u] && t->left_out !=
			    NA_UNCOUNTED;
	}
}

/* Adds the columns of the node; each counts as a unit: a network port, say. */
static void
worth_add_node(struct eval *e, const struct input *in, struct tally *t)
{
	for (uint32_t i = 0; i < in->first[1]; i++) {
		struct counted when = { .ran = 1 };
		double v = worth(&e->view, in, 0, i, &when, &t->no_turn);

		count_left_out(e, in->column[i], t);
		if (isnan(v))
			continue;
		t->sum += v;
		t->have++;
		worth_take_unit(t, &when);
	}
	/* if one had no turn, the sum of the others is not that of the node */
	if (t->no_turn != TURN_NONE)
		t->have = 0;
}

static void
add_boxes(struct eval *e, const struct input *in, struct tally *t)
{
	const struct window *w = &e->window[e->depth];
	const struct domain *d = &e->b->domain[in->domain];
	bool some = w->in_box || (d->type != NULL &&
	    d->type->scope == SCOPE_CCX);

	for (uint32_t unit = w->pkg_lo * in->nslot; some &&
	    unit < w->pkg_hi * in->nslot; unit++)
		if (window_has_box(e->b->topo, w, d, unit))
			worth_add_units(e, in, unit, unit + 1, t);
	if (!some)
		worth_add_units(e, in, w->pkg_lo * in->nslot,
		    w->pkg_hi * in->nslot, t);
}

/* Adds an input to those that this evaluation has used. */
static void
note_used(struct eval *e, uint32_t ref)
{
	const struct binding *b = e->b;

	if (b->used_at[ref] < e->nused && b->used[b->used_at[ref]] == ref)
		return;
	b->used_at[ref] = e->nused;
	b->counted[e->nused] = (struct counted){ .ran = 1 };
	b->used[e->nused++] = ref;
}

/* By how much a sum of counts may be wrong by chance alone, as batches_chance. */
static double
chance_error(const struct counted *when)
{
	return sqrt(when->chance + COUNTS_MORE * when->one);
}

/* The NaN of an input that has no sum, with the reason. */
static double
no_sum(const struct eval *e, const struct input *in, const struct tally *t)
{
	return na(!t->column ? NA_NO_COLUMN : t->left_out ? t->left_out :
	    e->common ? NA_IN_COMMON : NA_NO_VALUE,
	    (uint32_t)(in - e->b->input));
}

/* Adds an input up over its units in the innermost window. */
static struct tally
add_input(struct eval *e, const struct input *in)
{
	const struct window *w = &e->window[e->depth];
	struct tally t = { .least_known = 1 };
	bool all;

	switch (in->level) {
	case LEVEL_LPROC:
		all = w->thread < 0 && w->only == 0;
		for (uint32_t r = w->lo; !all && r < w->hi; r++)
			if (window_has(e->b->topo, w, r))
				worth_add_units(e, in, r, r + 1, &t);
		if (all)
			worth_add_units(e, in, w->lo, w->hi, &t);
		break;
	case LEVEL_BOX:
		add_boxes(e, in, &t);
		break;
	case LEVEL_PACKAGE:
		worth_add_units(e, in, w->pkg_lo, w->pkg_hi, &t);
		break;
	default:
		worth_add_node(e, in, &t);
	}
	return t;
}

/* ---- sums that are used again --------------------------------------------- */

/*
 * Formulas have many inputs in common, and one is evaluated several times to find its
 * error: the sum of an input in a window is kept until another one takes its place.
 * Those that lack deltas are not, as these are counted once an evaluation, nor
 * those over units that have all inputs of one formula.
 */
#define KEPT 1024
#define KEY 6

struct kept_input {
	uint64_t sums;          /* sums.number */
	uint64_t key[KEY];
	struct tally tally;
};

struct kept_input *
worth_kept_new(void)
{
	struct kept_input *k = malloc(KEPT * sizeof *k);

	/* sums.number is never 0 where a sum is kept */
	for (unsigned i = 0; k != NULL && i < KEPT; i++)
		k[i].sums = 0;
	return k;
}

static uint64_t
two_of(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

/* Where the sum of an input in the innermost window is kept, or is to be. */
static struct kept_input *
kept_at(const struct eval *e, const struct input *in, uint64_t key[KEY])
{
	const struct window *w = &e->window[e->depth];
	const uint64_t mix = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t hash;

	key[0] = two_of((uint32_t)(in - e->b->input), e->sums->only);
	key[1] = two_of(e->view.set, e->view.by_cycles);
	key[2] = two_of(w->lo, w->hi);
	key[3] = two_of(w->pkg_lo, w->pkg_hi);
	key[4] = two_of(w->box, w->in_box | (uint32_t)w->only << 1);
	key[5] = two_of((uint32_t)w->thread, w->in);
	hash = (e->sums->number ^ key[0]) * mix ^ key[1];
	hash = (hash ^ key[2]) * mix ^ key[3];
	hash = ((hash ^ key[4]) * mix ^ key[5]) * mix;
	return &e->b->kept[hash >> 32 & (KEPT - 1)];
}

/* The sum of an input, kept or added up into *t. */
static const struct tally *
input_tally(struct eval *e, const struct input *in, struct tally *t)
{
	struct kept_input *k;
	uint64_t key[KEY];

	if (e->common || e->sums->number == 0) {
		*t = add_input(e, in);
		return t;
	}
	k = kept_at(e, in, key);
	if (k->sums == e->sums->number && memcmp(k->key, key, sizeof key) == 0)
		return &k->tally;
	*t = add_input(e, in);
	if (!t->lacks) {
		k->sums = e->sums->number;
		memcpy(k->key, key, sizeof key);
		k->tally = *t;
	}
	return t;
}

double
worth_input(struct eval *e, const struct input *in)
{
	struct tally own;
	const struct tally *t = input_tally(e, in, &own);
	double sum = t->sum;
	struct counted *when;

	note_used(e, (uint32_t)(in - e->b->input));
	when = &e->b->counted[e->b->used_at[in - e->b->input]];
	e->partial |= t->partial;
	if (t->least_known < e->least_known)
		e->least_known = t->least_known;
	if (t->most_known > e->most_known)
		e->most_known = t->most_known;
	if (t->no_turn != TURN_NONE)
		e->no_turn = t->no_turn;
	if (t->nran > 0 && t->when.ran / t->nran < when->ran)
		when->ran = t->when.ran / t->nran;
	counted_join(when, &t->when);
	when->known += t->when.known;
	when->nknown += t->when.nknown;
	if (t->have == 0)
		return no_sum(e, in, t);
	e->partial |= t->left_out == NA_UNCOUNTED;
	if (e->chance_of == 1 + (uint32_t)(in - e->b->input))
		sum += chance_error(&t->when);
	/* a reading is averaged: 40 and 42 degrees are not 82 */
	return in->counter && in->how != REF_BIT && !in->one_unit ? sum :
	    sum / t->have;
}

/* ---- one column, for compiled_turns.c ---------------------------------------- */

/* Is all of a column there, and known for as long as others of its view are? */
static bool
worth_is_whole(const struct worth_view *v, const struct input *in, uint32_t c)
{
	double all = v->set > 0 && together_has(&v->sums->together, c) ?
	    v->sums->together.known[v->set - 1] : 1;

	if (worth_left_out(v, c) > 0)
		return false;
	return !in->counter || in->is_time || worth_takes_turns(v->sums, c) ||
	    fabs(worth_known(v, c) - all) <= KNOWN_APART;
}

bool
worth_column(const struct worth_view *v, const struct input *in, uint32_t unit,
    uint32_t i, double *value, struct counted *when)
{
	uint8_t no_turn = TURN_NONE;

	*when = (struct counted){ .ran = 1 };
	*value = worth(v, in, unit, i, when, &no_turn);
	return no_turn == TURN_NONE && worth_is_whole(v, in, in->column[i]);
}
