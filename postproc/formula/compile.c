/*
 * postproc/formula/compile.c - compiling a formula in a window: which columns are added
 * up, and the operations on these sums.
 */
#include "postproc/formula/compiled_int.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"

#define MOST_OPS (1u << 20)     /* a longer formula is left to binding_eval */

static int
compile_emit(struct compiled *c, struct expr_op op)
{
	if (!array_room(&c->op, c->nop, &c->op_room, sizeof *c->op))
		return -ENOMEM;
	c->op[c->nop++] = op;
	return 0;
}

static int
emit_number(struct compiled *c, double v)
{
	return compile_emit(c, (struct expr_op){ .code = EXPR_NUM, .num = v });
}

/* ---- sums ---------------------------------------------------------------- */

static int
compile_add_column(struct sum_columns *to, uint32_t column)
{
	if (!array_room(&to->at, to->n, &to->room, sizeof *to->at))
		return -ENOMEM;
	to->at[to->n++] = column;
	return 0;
}

/* Adds the columns of a unit to a sum, if the unit has all of them. */
static int
compile_add_unit(struct compiled *c, struct column_sum *s,
    const struct input *in, uint32_t unit)
{
	const struct domain *d = &c->b->domain[in->domain];
	bool any = in->event != NULL && strcmp(in->event, "*") == 0;
	uint32_t n = in->first[unit + 1] - in->first[unit];
	int rc = 0;
	bool part = d->level != LEVEL_NODE && n < (any ? 1 : in->most);

	s->partial |= part && d->there[unit];
	for (uint32_t i = in->first[unit]; rc == 0 &&
	    i < in->first[unit + 1]; i++) {
		rc = part ? compile_add_column(&c->partly, in->column[i]) :
		    compile_add_column(&c->column, in->how == REF_BIT ?
		    in->watch + i : in->column[i]);
		if (rc == 0 && !part)
			rc = compile_add_column(&c->index, i);
	}
	return rc;
}

static int
compile_add_boxes(struct compiled *c, struct column_sum *s,
    const struct input *in)
{
	const struct window *w = &s->window;
	int rc = 0;

	for (uint32_t unit = w->pkg_lo * in->nslot; rc == 0 &&
	    unit < w->pkg_hi * in->nslot; unit++)
		if (window_has_box(c->b->topo, w, &c->b->domain[in->domain],
		    unit))
			rc = compile_add_unit(c, s, in, unit);
	return rc;
}

static int
compile_add_units(struct compiled *c, struct column_sum *s,
    const struct input *in)
{
	const struct window *w = &s->window;
	int rc = 0;

	switch (in->level) {
	case LEVEL_LPROC:
		for (uint32_t r = w->lo; rc == 0 && r < w->hi; r++)
			if (window_has(c->b->topo, w, r))
				rc = compile_add_unit(c, s, in, r);
		return rc;
	case LEVEL_BOX:
		return compile_add_boxes(c, s, in);
	case LEVEL_PACKAGE:
		for (uint32_t p = w->pkg_lo; rc == 0 && p < w->pkg_hi; p++)
			rc = compile_add_unit(c, s, in, p);
		return rc;
	default:
		return compile_add_unit(c, s, in, 0);
	}
}

static bool
same_window(const struct window *a, const struct window *b)
{
	return a->lo == b->lo && a->hi == b->hi && a->pkg_lo == b->pkg_lo &&
	    a->pkg_hi == b->pkg_hi && a->in_box == b->in_box &&
	    (!a->in_box || a->box == b->box) && a->thread == b->thread &&
	    a->only == b->only && (a->only == 0 || a->in == b->in);
}

static int
new_sum(struct compiled *c, uint32_t ref, const struct window *w,
    uint32_t *bucket)
{
	const struct input *in = &c->b->input[ref];
	bool any = in->event != NULL && strcmp(in->event, "*") == 0;
	struct column_sum *s;
	int rc;

	if (!array_room(&c->sum, c->nsum, &c->sum_room, sizeof *c->sum))
		return -ENOMEM;
	s = &c->sum[c->nsum];
	*s = (struct column_sum){ .from = c->column.n, .ref = ref,
	    .window = *w, .next = *bucket, .each = any ? 0 :
	    in->level == LEVEL_NODE ? 1 : in->most, .of = in->how == REF_BIT ? OF_BITS :
	    !in->counter ? OF_READINGS : in->how == REF_TOTAL ? OF_TOTALS :
	    OF_RATES };
	if ((rc = compile_add_units(c, s, in)) < 0)
		return rc;
	s->to = c->column.n;
	if (s->of >= OF_READINGS || in->one_unit)
		s->mean_of = s->to - s->from;
	*bucket = ++c->nsum;
	return 0;
}

/* Appends a reference to the sum of an input in a window, which is added if it is new. */
static int
emit_sum(struct compiled *c, uint32_t ref, const struct window *w,
    struct program *p)
{
	uint32_t *bucket = &c->bucket[(ref * 31 + w->lo * 17 + w->pkg_lo * 7 +
	    (w->in_box ? w->box : w->hi)) % SUM_BUCKETS];
	uint32_t at = *bucket;
	int rc;

	while (at > 0 && (c->sum[at - 1].ref != ref ||
	    !same_window(&c->sum[at - 1].window, w)))
		at = c->sum[at - 1].next;
	if (at == 0) {
		if ((rc = new_sum(c, ref, w, bucket)) < 0)
			return rc;
		at = c->nsum;
	}
	p->unknown |= c->sum[at - 1].partial;
	return compile_emit(c,
	    (struct expr_op){ .code = EXPR_REF, .arg = at - 1 });
}

static int
compile_emit_input(struct compiled *c, uint32_t ref, const struct window *w,
    struct program *p)
{
	const struct input *in = &c->b->input[ref];
	struct expr_op fixed = { .code = EXPR_REF };

	switch (in->kind) {
	case INPUT_TIME:
		fixed.arg = SUM_SECONDS;
		return compile_emit(c, fixed);
	case INPUT_WALL_TIME:
		fixed.arg = SUM_WALL;
		return compile_emit(c, fixed);
	case INPUT_TSC_HZ:
		fixed.arg = SUM_TSC_HZ;
		return compile_emit(c, fixed);
	case INPUT_INTERVALS:
		fixed.arg = SUM_INTERVALS;
		return compile_emit(c, fixed);
	case INPUT_COLUMNS:
		return emit_sum(c, ref, w, p);
	default:
		return emit_number(c, input_constant(c->b, in, w, NULL));
	}
}

/* ---- operations ---------------------------------------------------------- */

struct unroll {
	struct compiled *c;
	struct program *p;
	uint32_t shared;        /* operations of it that are in parts */
};

static int unroll(struct unroll *, const struct expr_op *, uint32_t nop,
    const struct window *);

/* Appends an EXPR_ALT; end_part sets its length, when what follows is there. */
static int
begin_part(struct compiled *c, uint32_t n, uint32_t *at)
{
	*at = c->nop;
	return compile_emit(c, (struct expr_op){ .code = EXPR_ALT, .num = n });
}

static void
end_part(struct compiled *c, uint32_t at)
{
	c->op[at].arg = c->nop - at - 1;
}

/* ---- parts that formulas have in common --------------------------------- */

static uint32_t
part_hash(const struct expr_op *op, uint32_t n)
{
	uint32_t h = 2166136261u;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t bits;

		memcpy(&bits, &op[i].num, sizeof bits);
		h = (h ^ op[i].code ^ op[i].arg << 8) * 16777619u;
		h = (h ^ (uint32_t)bits ^ (uint32_t)(bits >> 32)) * 16777619u;
	}
	return h ^ h >> 15;
}

static int
new_part(struct compiled *c, uint32_t from, uint32_t hash, uint32_t *bucket)
{
	if (!array_room(&c->sum, c->nsum, &c->sum_room, sizeof *c->sum))
		return -ENOMEM;
	c->sum[c->nsum] = (struct column_sum){ .from = c->npart, .ref = hash,
	    .of = OF_PART, .next = *bucket };
	for (uint32_t i = from; i < c->nop; i++) {
		if (!array_room(&c->part, c->npart, &c->part_room,
		    sizeof *c->part))
			return -ENOMEM;
		c->part[c->npart++] = c->op[i];
	}
	c->sum[c->nsum].to = c->npart;
	*bucket = ++c->nsum;
	return 0;
}

/* Turns the operations from `from` on into a part, which other formulas can share. */
static int
share_part(struct unroll *u, uint32_t from)
{
	struct compiled *c = u->c;
	uint32_t n = c->nop - from, hash, at, *bucket;
	int rc;

	if (n < 2 || u->p->unknown)
		return 0;
	hash = part_hash(c->op + from, n);
	bucket = &c->part_bucket[hash % PART_BUCKETS];
	for (at = *bucket; at > 0; at = c->sum[at - 1].next) {
		const struct column_sum *s = &c->sum[at - 1];

		if (s->ref == hash && s->to - s->from == n && memcmp(c->part +
		    s->from, c->op + from, n * sizeof *c->op) == 0)
			break;
	}
	if (at == 0) {
		if ((rc = new_part(c, from, hash, bucket)) < 0)
			return rc;
		at = c->nsum;
	}
	u->shared += n - 1;
	c->nop = from;
	return compile_emit(c,
	    (struct expr_op){ .code = EXPR_REF, .arg = at - 1 });
}

/* Unrolls a fold: its operations stand there once for each unit. */
static int
unroll_each(struct unroll *u, const struct expr_op *op, const struct window *w)
{
	struct window in;
	uint32_t n, head = u->c->nop, at;
	int rc = compile_emit(u->c, (struct expr_op){ .code = EXPR_FOLD,
	    .fold = op->fold });

	for (n = 0; rc == 0 && (in = *w, window_narrow(u->c->b, op, n, &in));
	    n++) {
		if ((rc = begin_part(u->c, n, &at)) < 0 ||
		    (rc = unroll(u, op + 1, op->arg, &in)) < 0 ||
		    (rc = share_part(u, at + 1)) < 0)
			return rc;
		end_part(u->c, at);
	}
	if (rc < 0)             /* there is no operation at head */
		return rc;
	u->p->forgives = true;
	u->c->op[head].arg = n;
	return 0;
}

/* Compiles all alternatives of first(); evaluation takes the first that has a value. */
static int
unroll_first(struct unroll *u, const struct expr_op *head,
    const struct window *w)
{
	const struct expr_op *alt = head + 1;
	uint32_t first = u->c->nop, at;
	int rc = compile_emit(u->c, *head);

	u->p->forgives = true;
	for (uint32_t i = 0; rc == 0 && i < head->arg; i++) {
		if ((rc = begin_part(u->c, i, &at)) < 0 ||
		    (rc = unroll(u, alt + 1, alt->arg, w)) < 0)
			return rc;
		end_part(u->c, at);
		alt += alt->arg + 1;
	}
	return rc < 0 ? rc : share_part(u, first);
}

/* Compiles an `if`: test, IF n, one side (n - 1 operations), JUMP k, the other side (k
 * operations). */
static int
unroll_if(struct unroll *u, const struct expr_op *op, const struct window *w)
{
	const struct expr_op *jump = op + op->arg;
	struct compiled *c = u->c;
	uint32_t test = c->nop, middle;
	int rc;

	if ((rc = compile_emit(c, *op)) < 0 ||
	    (rc = unroll(u, op + 1, op->arg - 1, w)) < 0)
		return rc;
	middle = c->nop;
	if ((rc = compile_emit(c, *jump)) < 0 ||
	    (rc = unroll(u, jump + 1, jump->arg, w)) < 0)
		return rc;
	c->op[test].arg = middle - test;
	c->op[middle].arg = c->nop - middle - 1;
	return 0;
}

/* How many operations of the formula belong to one, itself included. */
static uint32_t
compile_length(const struct expr_op *op)
{
	uint32_t n = 1;

	switch (op->code) {
	case EXPR_EACH: case EXPR_THREAD:
		return 1 + op->arg;
	case EXPR_IF:
		return 1 + op->arg + op[op->arg].arg;
	case EXPR_FIRST: case EXPR_PARTS:
		for (uint32_t i = 0; i < op->arg; i++)
			n += 1 + op[n].arg;
		return n;
	default:
		return 1;
	}
}

static int
unroll(struct unroll *u, const struct expr_op *op, uint32_t nop,
    const struct window *w)
{
	const struct expr_op *end = op + nop;
	struct window in = *w;
	int rc = 0;

	for (; rc == 0 && op < end; op += compile_length(op)) {
		if (u->c->nop - u->p->from + u->shared > MOST_OPS)
			u->p->unknown = true;
		if (u->p->unknown)
			return 0;
		switch (op->code) {
		case EXPR_REF:
			rc = compile_emit_input(u->c, op->arg, w, u->p);
			break;
		case EXPR_EACH:
			rc = unroll_each(u, op, w);
			break;
		case EXPR_THREAD:
			in.thread = (int)op->num;
			rc = unroll(u, op + 1, op->arg, &in);
			break;
		case EXPR_FIRST:
			rc = unroll_first(u, op, w);
			break;
		case EXPR_IF:
			rc = unroll_if(u, op, w);
			break;
		case EXPR_PARTS:        /* binding has replaced all of them */
			u->p->unknown = true;
			break;
		case EXPR_BOXES:        /* its inputs were bound to these boxes */
			break;
		default:
			rc = compile_emit(u->c, *op);
		}
	}
	return rc;
}

int
compiled_add(struct compiled *c, unsigned m, const struct window *w,
    unsigned *out)
{
	const struct bound *x = &c->b->bound[m];
	struct program *p;
	struct unroll u = { .c = c };
	int rc;

	if (!array_room(&c->program, c->nprogram, &c->program_room,
	    sizeof *c->program))
		return -ENOMEM;
	u.p = p = &c->program[c->nprogram];
	*p = (struct program){ .from = c->nop, .bound = m, .unknown = x->nop == 0 ||
	    window_parts(w, x->metric) };
	if ((rc = unroll(&u, c->b->op + x->op, x->nop, w)) < 0 ||
	    (rc = share_part(&u, p->from)) < 0)
		return rc;
	if (p->unknown) {
		c->nop = p->from;
		if ((rc = emit_number(c, NAN)) < 0)
			return rc;
	}
	p->to = c->nop;
	*out = c->nprogram++;
	return 0;
}
