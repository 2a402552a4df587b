/*
 * postproc/formula/compiled_turns.c - compiled formulas, evaluated over a stretch in
 * which events took turns.
 *
 * The value of a column depends on the view (struct worth_view) that a formula's inputs
 * need.  So a sum has a value for each view, which is computed when the first formula
 * needs it.
 *
 * Most columns are counters that lack nothing.  For these, what worth_column finds out
 * for each is found out once for all.
 */
#include "postproc/formula/compiled_int.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "postproc/data/turns.h"
#include "postproc/formula/bind_int.h"

/* ---- what the columns of an input are worth ----------------------------- */

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

/* What joined bits of several columns say. */
static struct counted
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

/* What each column of an input is worth in a view, and bits that say when it was counted;
 * NaN: worth_input has to look at it, as it may lack deltas.  pace: [sets * cores] room
 * that is used again for other inputs in the same view of the same sums; all NaN at
 * first. */
static void
worth_columns(const struct worth_view *v, const struct binding *b,
    const struct input *in, double *pace, double *value, uint32_t *bits)
{
	const struct sums *s = v->sums;
	const struct column_view x = column_view_begin(v, in, pace);
	const uint32_t *first = in->first, *column = in->column;
	uint32_t i = first[0], nunit = b->domain[in->domain].nunit;
	const uint8_t *kind = in->counter && in->how != REF_BIT &&
	    s->turns != NULL && s->share != NULL && s->others == NULL ?
	    s->turns->kind : NULL;

	for (uint32_t u = 0; u < nunit; u++)
		for (uint32_t end = first[u + 1]; i < end; i++) {
			uint32_t c = column[i];

			if (kind != NULL && (kind[c] != TURN_NONE ?
			    column_of_turn(&x, u, c, &value[i], &bits[i]) :
			    column_of_always(&x, c, &value[i], &bits[i])))
				continue;
			if (!column_of_any(v, in, u, i, &value[i], &bits[i]))
				value[i] = NAN;
		}
}

/* ---- formulas over a stretch --------------------------------------------- */

/* The values of all columns of an input (worth_columns). */
struct turned_input {
	double *worth;
	uint32_t *bits;
	uint32_t stamp;         /* the stretch that they are of */
};

struct turned_sum {
	double value;
	uint32_t bits, stamp;
	bool lacks;             /* it has no value, and worth_input knows why */
};

struct turned_view {
	struct worth_view view;
	struct turned_input *input;     /* [ninput]; NULL: none was needed so far */
	struct turned_sum *sum;         /* [nsum] */
	double *pace;           /* see worth_columns */
	uint32_t stamp;         /* the stretch that they are of */
};

/* About the value of a formula. */
struct turned_value {
	bool known, apart;
};

struct turned {
	uint32_t stamp;                 /* number of the present stretch */
	uint32_t ninput;
	/* [nview] the views: of all of the time, the same by cycles, of each set */
	struct turned_view *view;
	unsigned nview;
	/* [nbound] the view that view_foreseen has, and in which stretch */
	uint32_t *foreseen, *foreseen_at;
	struct turned_value *value;     /* [nprogram] */
};

/* One formula, while it is evaluated. */
struct turned_eval {
	struct compiled *c;
	struct turned_view *v;
	uint32_t bits;          /* when the sums that it used were counted */
	bool lacks;             /* some sum has no value */
};

void
turned_free(struct turned *t)
{
	if (t == NULL)
		return;
	for (unsigned i = 0; t->view != NULL && i < t->nview; i++) {
		struct turned_view *v = &t->view[i];

		for (uint32_t k = 0; v->input != NULL && k < t->ninput; k++) {
			free(v->input[k].worth);
			free(v->input[k].bits);
		}
		free(v->input);
		free(v->sum);
		free(v->pace);
	}
	free(t->view);
	free(t->foreseen);
	free(t->foreseen_at);
	free(t->value);
	free(t);
}

static int
turned_new(struct compiled *c, const struct sums *s)
{
	struct turned *t = calloc(1, sizeof *t);

	if ((c->turned = t) == NULL)
		return -ENOMEM;
	t->ninput = c->b->ninput;
	t->nview = 2 + s->together.nset;
	t->view = calloc(t->nview, sizeof *t->view);
	t->foreseen = calloc(c->b->nbound + 1, sizeof *t->foreseen);
	t->foreseen_at = calloc(c->b->nbound + 1, sizeof *t->foreseen_at);
	t->value = calloc(c->nprogram + 1, sizeof *t->value);
	return t->view == NULL || t->foreseen == NULL ||
	    t->foreseen_at == NULL || t->value == NULL ? -ENOMEM : 0;
}

/* ---- sums ---------------------------------------------------------------- */

/* Computes the values of an input's columns in a view; NULL: no memory. */
static const struct turned_input *
turned_columns(const struct compiled *c, struct turned_view *v, uint32_t ref)
{
	const struct input *in = &c->b->input[ref];
	struct turned_input *x = &v->input[ref];
	uint32_t n = input_ncolumn(c->b, in);

	/* one of the two may be there from a call before, for which there was no
	 * memory */
	if (x->worth == NULL)
		x->worth = calloc(n + 1, sizeof *x->worth);
	if (x->bits == NULL)
		x->bits = calloc(n + 1, sizeof *x->bits);
	if (x->worth == NULL || x->bits == NULL)
		return NULL;
	if (x->stamp != c->turned->stamp)
		worth_columns(&v->view, c->b, in, v->pace, x->worth, x->bits);
	x->stamp = c->turned->stamp;
	return x;
}

/* Computes a sum unit by unit, in the order of worth_input; NaN where a column has no
 * value. */
static void
turned_add(const struct compiled *c, struct turned_view *v, uint32_t at)
{
	const struct column_sum *x = &c->sum[at];
	struct turned_sum *to = &v->sum[at];
	const struct turned_input *in = turned_columns(c, v, x->ref);
	uint32_t bits = 0;
	double sum = 0;

	*to = (struct turned_sum){ .value = NAN, .lacks = x->from < x->to,
	    .stamp = c->turned->stamp };
	if (in == NULL || x->each == 0 || (x->to - x->from) % x->each != 0)
		return;
	for (uint32_t k = x->from, end = x->to; x->each == 1 && k < end; k++) {
		sum += in->worth[c->index.at[k]];
		bits |= in->bits[c->index.at[k]];
	}
	for (uint32_t k = x->from; x->each > 1 && k < x->to;) {
		double unit = 0;

		for (uint32_t end = k + x->each; k < end; k++) {
			unit += in->worth[c->index.at[k]];
			bits |= in->bits[c->index.at[k]];
		}
		sum += unit;
	}
	to->bits = bits;
	to->lacks &= isnan(sum);
	to->value = x->from == x->to ? na(NA_NO_COLUMN, x->ref) :
	    x->mean_of > 1 ? sum / x->mean_of : sum;
}

/* ---- formulas ------------------------------------------------------------ */

static double turned_ref(void *ctx, uint32_t at);

static uint32_t
turned_mark(void *ctx)
{
	return ((struct turned_eval *)ctx)->bits;
}

static void
turned_drop(void *ctx, uint32_t bits)
{
	((struct turned_eval *)ctx)->bits = bits;
}

/* Evaluates operations in the view of *e, and adds there what they used. */
static double
turned_run(struct turned_eval *e, const struct expr_op *op, uint32_t nop)
{
	const struct expr_env env = { .ctx = e, .value = turned_ref,
	    .mark = turned_mark, .drop = turned_drop };

	/* many are a part and nothing else */
	return nop == 1 && op->code == EXPR_REF ? turned_ref(e, op->arg) :
	    expr_eval(op, nop, &env);
}

static void
turned_part(const struct turned_eval *of, uint32_t at)
{
	const struct column_sum *x = &of->c->sum[at];
	struct turned_eval e = { .c = of->c, .v = of->v };
	double v = turned_run(&e, e.c->part + x->from, x->to - x->from);

	e.v->sum[at] = (struct turned_sum){ v, e.bits, e.c->turned->stamp,
	    e.lacks };
}

/* Computes a sum or a part that this stretch has not got yet.  It stands apart so that to
 * look up the others, which are most, takes few instructions. */
static __attribute__((noinline)) void
turned_compute(const struct turned_eval *e, uint32_t at)
{
	if (e->c->sum[at].of == OF_PART)
		turned_part(e, at);
	else
		turned_add(e->c, e->v, at);
}

static double
turned_ref(void *ctx, uint32_t at)
{
	struct turned_eval *e = ctx;
	const struct turned_sum *x = &e->v->sum[at];

	if (at < SUMS_FIXED)
		return e->c->value[(size_t)at * EXPR_LANES];
	if (x->stamp != e->c->turned->stamp)
		turned_compute(e, at);
	e->bits |= x->bits;
	e->lacks |= x->lacks;
	return x->value;
}

/* Finds the place of a view, with its memory; NULL: there is none. */
static struct turned_view *
turned_view(struct compiled *c, struct worth_view view)
{
	struct turned *t = c->turned;
	unsigned at = view.set > 0 ? 1 + view.set : view.by_cycles;
	size_t npace = view.by_cycles ? (size_t)view.sums->together.nset *
	    c->b->topo->ncore : 0;
	struct turned_view *v = &t->view[at];

	if (at >= t->nview)
		return NULL;
	if (v->input == NULL)
		v->input = calloc(t->ninput + 1, sizeof *v->input);
	if (v->sum == NULL)
		v->sum = calloc(c->nsum, sizeof *v->sum);
	if (v->pace == NULL)
		v->pace = malloc((npace + 1) * sizeof *v->pace);
	v->view = view;
	if (v->input == NULL || v->sum == NULL || v->pace == NULL)
		return NULL;
	for (size_t i = 0; v->stamp != t->stamp && i < npace; i++)
		v->pace[i] = NAN;
	v->stamp = t->stamp;
	return v;
}

static struct worth_view
turned_foreseen(struct compiled *c, unsigned bound, const struct sums *s)
{
	struct turned *t = c->turned;
	struct worth_view view = { .sums = s, .topo = c->b->topo };

	if (t->foreseen_at[bound] != t->stamp) {
		view = view_foreseen(c->b, bound, s);
		t->foreseen[bound] = view.set << 1 | view.by_cycles;
		t->foreseen_at[bound] = t->stamp;
	}
	view.set = t->foreseen[bound] >> 1;
	view.by_cycles = t->foreseen[bound] & 1;
	return view;
}

/* Evaluates a formula as eval_figure does: in the view that the inputs need which it
 * uses. */
static void
turned_eval(struct compiled *c, unsigned n, const struct sums *s)
{
	const struct program *p = &c->program[n];
	struct turned_value *to = &c->turned->value[n];
	struct worth_view view, asked = turned_foreseen(c, p->bound, s);
	struct turned_eval e = { .c = c };
	struct counted all;
	double v;

	*to = (struct turned_value){ .known = false };
	for (unsigned i = 0; i < 3; i++) {
		view = asked;
		if ((e.v = turned_view(c, view)) == NULL)
			return;
		e.bits = 0;
		v = turned_run(&e, c->op + p->from, p->to - p->from);
		all = counted_of(e.bits);
		asked = view_asked(c->b, &all, s);
		if (e.lacks || (asked.set == view.set &&
		    asked.by_cycles == view.by_cycles))
			break;
	}
	c->result[(size_t)(COMPILED_FIRST + n) * EXPR_LANES] = v;
	to->known = !e.lacks;
	to->apart = all.part && all.whose == WHOSE_SEVERAL && !isnan(v);
}

int
turned_take(struct compiled *c, const struct sums *s)
{
	int rc = c->turned == NULL ? turned_new(c, s) : 0;

	if (rc < 0)
		return rc;
	c->turned->stamp++;
	for (unsigned i = 0; i < c->nprogram; i++)
		if (!c->program[i].unknown)
			turned_eval(c, i, s);
	return 0;
}

bool
turned_knows(const struct compiled *c, unsigned program)
{
	return c->turned->value[program].known;
}

bool
compiled_apart(const struct compiled *c, unsigned n)
{
	return c->in_turns && c->turned->value[n].apart;
}
