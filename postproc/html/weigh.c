/*
 * postproc/html/weigh.c - the divisor of a metric's formula.
 */
#include "postproc/html/timeline.h"

#include <string.h>

/* A part of a formula: an entry of the stack on which the formula is evaluated, without
 * values. */
struct part {
	uint32_t at, end;       /* its operations in binding.op */
	uint32_t by, by_end;    /* those of its divisor; by == by_end: none */
	bool constant;          /* it does not depend on the stretch of time */
	bool odd;               /* it is none of the kinds of enum weigh */
	bool folds;             /* it is the least or the most of several units,
	                         * which does not add up */
	bool counts;            /* some counter is in it */
};

static bool
is_constant(const struct input *in)
{
	return in->kind != INPUT_COLUMNS && in->kind != INPUT_TIME &&
	    in->kind != INPUT_WALL_TIME && in->kind != INPUT_INTERVALS;
}

static bool
divided(const struct part *p)
{
	return p->by != p->by_end;
}

/* Are two parts the same operations? */
static bool
weigh_alike(const struct binding *b, uint32_t i, uint32_t n, uint32_t k,
    uint32_t m)
{
	if (n - i != m - k)
		return false;
	for (; i < n; i++, k++) {
		const struct expr_op *x = &b->op[i], *y = &b->op[k];

		if (x->code != y->code || x->arg != y->arg ||
		    x->fold != y->fold || (x->code == EXPR_NUM &&
		    x->num != y->num))
			return false;
	}
	return true;
}

static struct part
of_one(const struct binding *b, uint32_t i)
{
	const struct expr_op *op = &b->op[i];
	struct part p = { .at = i, .end = i + 1, .constant = true };

	if (op->code == EXPR_REF) {
		p.constant = is_constant(&b->input[op->arg]);
		p.counts = b->input[op->arg].counter;
	}
	return p;
}

/* A fold, first(), parts() or thread(): it is not odd as long as there is no quotient in
 * it. */
static struct part
of_many(const struct binding *b, uint32_t i, uint32_t end)
{
	const struct expr_op *each = b->op[i].code == EXPR_EACH ? &b->op[i] :
	    NULL;
	struct part p = { .at = i, .end = end,
	    .constant = each != NULL && each->fold == FOLD_COUNT,
	    .folds = each != NULL && each->fold != FOLD_SUM &&
	        each->fold != FOLD_COUNT };

	for (uint32_t k = i; k < end; k++) {
		const struct expr_op *op = &b->op[k];

		p.odd |= op->code == EXPR_DIV || op->code == EXPR_MIN ||
		    op->code == EXPR_MAX || op->code == EXPR_IF;
		p.counts |= op->code == EXPR_REF && b->input[op->arg].counter;
	}
	p.odd = p.odd && !p.constant;
	return p;
}

static uint32_t
many_end(const struct binding *b, uint32_t i)
{
	const struct expr_op *op = &b->op[i];
	uint32_t end = i + 1;

	if (op->code != EXPR_FIRST && op->code != EXPR_PARTS)
		return end + op->arg;
	for (uint32_t n = op->arg; n > 0; n--)
		end += 1 + b->op[end].arg;
	return end;
}

static struct part
of_two(const struct binding *b, uint32_t i, const struct part *x,
    const struct part *y)
{
	const struct part *one = x->constant ? y : x;
	unsigned code = b->op[i].code;
	struct part p = *one;

	p.at = x->at;
	p.end = i + 1;
	p.constant = x->constant && y->constant;
	p.counts = x->counts || y->counts;
	p.odd = x->odd || y->odd;
	p.folds = (x->folds && !x->constant) || (y->folds && !y->constant);
	if (p.constant || p.odd)
		return p;
	if (code == EXPR_DIV) {
		p.odd = divided(x) ? !y->constant : divided(y) || y->odd;
		if (!y->constant && !p.odd) {
			p.by = y->at;
			p.by_end = y->end;
		}
	} else if (code == EXPR_MUL) {
		p.odd = !x->constant && !y->constant;
	} else if (code == EXPR_ADD || code == EXPR_SUB) {
		/* the sum of a constant and a count has no divisor that
		 * weighs both */
		p.odd = x->constant || y->constant ? !divided(one) :
		    !weigh_alike(b, x->by, x->by_end, y->by, y->by_end);
	} else {
		p.odd = true;
	}
	return p;
}

/* Is the divisor time, and nothing else that changes? */
static bool
by_time(const struct binding *b, const struct part *p)
{
	unsigned times = 0;

	for (uint32_t i = p->by; i < p->by_end; i++) {
		const struct expr_op *op = &b->op[i];

		if (op->code == EXPR_EACH && op->fold == FOLD_COUNT)
			i += op->arg;
		if (op->code != EXPR_REF || is_constant(&b->input[op->arg]))
			continue;
		if (b->input[op->arg].kind != INPUT_TIME)
			return false;
		times++;
	}
	return times == 1;
}

/* Reads operations i to end as one part; odd where they are not. */
static struct part
part_of(const struct binding *b, uint32_t i, uint32_t end, struct part *stack)
{
	struct part none = { .odd = true }, p;
	uint32_t depth = 0;

	while (i < end) {
		const struct expr_op *op = &b->op[i];

		if (op->code == EXPR_NUM || op->code == EXPR_REF) {
			p = of_one(b, i);
		} else if (op->code == EXPR_NEG) {
			p = stack[--depth];
			p.end = i + 1;
		} else if (op->code == EXPR_IF || op->code == EXPR_JUMP) {
			return none;
		} else if (op->code == EXPR_FIRST) {
			/* the first alternative is taken to be the one that
			 * has a value */
			p = part_of(b, i + 2, i + 2 + b->op[i + 1].arg,
			    stack + depth);
			p.at = i;
			p.end = many_end(b, i);
		} else if (op->code >= EXPR_EACH) {
			p = of_many(b, i, many_end(b, i));
		} else {
			depth -= 2;
			p = of_two(b, i, &stack[depth], &stack[depth + 1]);
		}
		stack[depth++] = p;
		i = p.end;
	}
	return depth == 1 ? stack[0] : none;
}

enum weigh
weigh_how(const struct binding *b, unsigned m, uint32_t *op, uint32_t *nop,
    bool *guess)
{
	struct part stack[EXPR_STACK + EXPR_MAX_NEST];
	struct part p = part_of(b, b->bound[m].op, b->bound[m].op +
	    b->bound[m].nop, stack);

	*guess = p.odd || p.constant || p.folds;
	if (p.odd || p.constant)
		return WEIGH_TIME;
	if (!divided(&p))
		return p.counts ? WEIGH_SUM : WEIGH_SAMPLES;
	if (by_time(b, &p))
		return WEIGH_TIME;
	*op = p.by;
	*nop = p.by_end - p.by;
	return WEIGH_OWN;
}

bool
weigh_adds(const struct binding *b, unsigned m, enum weigh how, bool guess)
{
	const struct bound *x = &b->bound[m];
	bool counts = false;

	if (guess || (how != WEIGH_SUM && how != WEIGH_TIME) ||
	    strchr(x->metric->unit, '%') != NULL)
		return false;
	for (uint32_t i = x->op; i < x->op + x->nop; i++) {
		const struct expr_op *op = &b->op[i];
		const struct input *in = &b->input[op->arg];

		if (op->code == EXPR_EACH && op->fold != FOLD_SUM)
			return false;
		if (op->code != EXPR_REF)
			continue;
		if (in->kind == INPUT_LPROCS || in->kind == INPUT_CORES ||
		    in->kind == INPUT_PACKAGES)
			return false;
		if (in->kind == INPUT_COLUMNS && !in->counter)
			return false;
		counts |= in->kind == INPUT_COLUMNS;
	}
	return counts;
}
