/*
 * postproc/metrics/compiled_turns.c - compiled formulas, evaluated over a stretch in
 * which events took turns.
 *
 * What a column is worth depends on the view (struct worth_view) that the formula's
 * inputs ask for; so there are as many values of a sum as views, each added up when
 * the first formula asks for it.
 */
#include "postproc/metrics/compiled_int.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "postproc/metrics/bind_int.h"

/* All columns of an input, as worth_columns has them. */
struct turned_input {
	double *worth;
	uint32_t *bits;
	uint32_t stamp;         /* of the stretch that it is of */
};

struct turned_sum {
	double value;
	uint32_t bits, stamp;
	bool lacks;             /* worth_input has to look at it */
};

struct turned_view {
	struct worth_view view;
	struct turned_input *input;     /* [ninput] NULL: nobody has asked */
	struct turned_sum *sum;         /* [nsum] */
};

/* What a formula is worth. */
struct turned_value {
	bool known, apart;
};

struct turned {
	uint32_t stamp;                 /* of the present stretch */
	uint32_t ninput;
	struct turned_view *view;       /* [nview] of all the time, by cycles, of */
	unsigned nview;                 /* each set */
	uint32_t *foreseen, *foreseen_at;       /* [nbound] views, and of which
	                                 * stretch that is */
	struct turned_value *value;     /* [nprogram] */
};

/* One formula, while it is evaluated. */
struct turned_eval {
	struct compiled *c;
	struct turned_view *v;
	uint32_t bits;          /* of the sums that it took */
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

/* What the columns of an input are worth in a view; NULL: no memory. */
static const struct turned_input *
turned_columns(const struct compiled *c, struct turned_view *v, uint32_t ref)
{
	const struct input *in = &c->b->input[ref];
	struct turned_input *x = &v->input[ref];
	uint32_t n = input_ncolumn(c->b, in);

	if (x->worth == NULL) {
		x->worth = calloc(n + 1, sizeof *x->worth);
		x->bits = calloc(n + 1, sizeof *x->bits);
	}
	if (x->worth == NULL || x->bits == NULL)
		return NULL;
	if (x->stamp != c->turned->stamp)
		worth_columns(&v->view, c->b, in, x->worth, x->bits);
	x->stamp = c->turned->stamp;
	return x;
}

/* Unit by unit, as worth_input does: NaN where it has to. */
static void
turned_add(const struct compiled *c, struct turned_view *v, uint32_t at)
{
	const struct column_sum *x = &c->sum[at];
	struct turned_sum *to = &v->sum[at];
	const struct turned_input *in = turned_columns(c, v, x->ref);
	double sum = 0;

	*to = (struct turned_sum){ .value = NAN, .lacks = x->from < x->to,
	    .stamp = c->turned->stamp };
	if (in == NULL || x->each == 0 || (x->to - x->from) % x->each != 0)
		return;
	for (uint32_t k = x->from; k < x->to;) {
		double unit = 0;

		for (uint32_t end = k + x->each; k < end; k++) {
			unit += in->worth[c->index.at[k]];
			to->bits |= in->bits[c->index.at[k]];
		}
		sum += unit;
	}
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

/* Some operations, in the view of *e; what these take is added there. */
static double
turned_run(struct turned_eval *e, const struct expr_op *op, uint32_t nop)
{
	const struct expr_env env = { .ctx = e, .value = turned_ref,
	    .mark = turned_mark, .drop = turned_drop };

	return expr_eval(op, nop, &env);
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

static double
turned_ref(void *ctx, uint32_t at)
{
	struct turned_eval *e = ctx;
	const struct compiled *c = e->c;
	const struct turned_sum *x = &e->v->sum[at];

	if (at < SUMS_FIXED)
		return c->value[(size_t)at * EXPR_LANES];
	if (x->stamp != c->turned->stamp && c->sum[at].of == OF_PART)
		turned_part(e, at);
	else if (x->stamp != c->turned->stamp)
		turned_add(c, e->v, at);
	e->bits |= x->bits;
	e->lacks |= x->lacks;
	return x->value;
}

/* Where a view is among all; NULL: no memory. */
static struct turned_view *
turned_view(struct compiled *c, struct worth_view view)
{
	struct turned *t = c->turned;
	unsigned at = view.set > 0 ? 1 + view.set : view.by_cycles;
	struct turned_view *v = &t->view[at];

	if (at >= t->nview)
		return NULL;
	if (v->input == NULL)
		v->input = calloc(t->ninput + 1, sizeof *v->input);
	if (v->sum == NULL)
		v->sum = calloc(c->nsum, sizeof *v->sum);
	v->view = view;
	return v->input == NULL || v->sum == NULL ? NULL : v;
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

/* As eval_figure has it: in the view that those inputs ask for which it takes. */
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
