/*
 * postproc/metrics/expr_eval.c - the value of a formula's postfix code.
 */
#include "postproc/metrics/expr.h"

#include <math.h>

#include "postproc/metrics/na.h"

unsigned
expr_depth(const struct expr_op *op, uint32_t nop)
{
	unsigned depth = 0, most = 0;

	for (uint32_t i = 0; i < nop; i++) {
		switch (op[i].code) {
		case EXPR_NUM: case EXPR_REF:
			depth++;
			break;
		case EXPR_NEG: case EXPR_EACH: case EXPR_THREAD:
		case EXPR_BOXES:
			break;
		case EXPR_JUMP:         /* the other branch's value follows */
			if (op[i].arg > 0)
				depth--;
			break;
		case EXPR_ALT:          /* instead of the one before it */
			if (op[i].num > 0)
				depth--;
			break;
		case EXPR_FIRST: case EXPR_PARTS:
			break;
		default:
			depth--;
		}
		if (depth > most)
			most = depth;
	}
	return most <= EXPR_STACK ? most : 0;
}

static double run(const struct expr_op *, uint32_t nop, double *top,
    const struct expr_env *);

static double
fold_units(const struct expr_op *op, double *top, const struct expr_env *env)
{
	double sum = 0, least = NAN, most = NAN, none = na(NA_NO_UNIT, 0);
	unsigned n, have = 0;

	for (n = 0; env->enter(env->ctx, op, n); n++) {
		double v = run(op + 1, op->arg, top, env);

		env->leave(env->ctx);
		if (isnan(v)) {
			none = n == 0 ? v : none;
			continue;
		}
		sum += v;
		if (!(v >= least))
			least = v;
		if (!(v <= most))
			most = v;
		have++;
	}
	if (op->fold == FOLD_COUNT)
		return have;
	if (have == 0)
		return none;
	switch (op->fold) {
	case FOLD_MIN:
		return least;
	case FOLD_MAX:
		return most;
	case FOLD_AVG:
		return sum / have;
	default:
		return sum;
	}
}

static double
try(const struct expr_op *alt, double *top, const struct expr_env *env)
{
	uint32_t mark = env->mark ? env->mark(env->ctx) : 0;
	double v = run(alt + 1, alt->arg, top, env);

	if (isnan(v) && env->drop != NULL)
		env->drop(env->ctx, mark);
	return v;
}

double
expr_two(enum expr_code code, double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? a : b;
	switch (code) {
	case EXPR_ADD: return a + b;
	case EXPR_SUB: return a - b;
	case EXPR_MUL: return a * b;
	case EXPR_DIV: return b == 0 ? na(NA_BY_ZERO, 0) : a / b;
	case EXPR_LT:  return a < b;
	case EXPR_LE:  return a <= b;
	case EXPR_GT:  return a > b;
	case EXPR_GE:  return a >= b;
	case EXPR_EQ:  return a == b;
	case EXPR_NE:  return a != b;
	case EXPR_MIN: return a < b ? a : b;
	case EXPR_MAX: return a > b ? a : b;
	default:       return NAN;
	}
}

/* The first alternative that is available, or the sum of the parts: all of them,
 * as binding has left away those that there are not.  Leaves *op on the last
 * operation of it. */
static double
listed(const struct expr_op **op, double *top, const struct expr_env *env)
{
	const struct expr_op *head = *op, *alt = head + 1;
	bool parts = head->code == EXPR_PARTS;
	double v = parts ? 0 : NAN;

	for (uint32_t i = 0; i < head->arg; i++) {
		if (parts)
			v = expr_two(EXPR_ADD, v, run(alt + 1, alt->arg, top,
			    env));
		else if (isnan(v))
			v = try(alt, top, env);
		alt += alt->arg + 1;
	}
	*op = alt - 1;
	return v;
}

/* top: the first free slot of the stack */
static double
run(const struct expr_op *op, uint32_t nop, double *top,
    const struct expr_env *env)
{
	const struct expr_op *end = op + nop;

	for (; op < end; op++) {
		switch (op->code) {
		case EXPR_NUM:
			*top++ = op->num;
			break;
		case EXPR_REF:
			*top++ = env->value(env->ctx, op->arg);
			break;
		case EXPR_NEG:
			top[-1] = -top[-1];
			break;
		case EXPR_BOXES:        /* whose inputs are bound so already */
			break;
		case EXPR_IF:
			top--;
			if (isnan(*top)) {      /* neither: n/a, as that is */
				op += op->arg;
				top++;
				op += op->arg;
			} else if (*top == 0)
				op += op->arg;
			break;
		case EXPR_JUMP:
			op += op->arg;
			break;
		case EXPR_EACH:
			*top = fold_units(op, top, env);
			top++;
			op += op->arg;
			break;
		case EXPR_THREAD:
			*top = na(NA_NO_UNIT, 0);
			if (env->enter(env->ctx, op, 0)) {
				*top = run(op + 1, op->arg, top, env);
				env->leave(env->ctx);
			}
			top++;
			op += op->arg;
			break;
		case EXPR_FIRST: case EXPR_PARTS:
			*top = listed(&op, top, env);
			top++;
			break;
		default:
			top--;
			top[-1] = expr_two(op->code, top[-1], top[0]);
		}
	}
	return top[-1];
}

double
expr_eval(const struct expr_op *op, uint32_t nop, const struct expr_env *env)
{
	double stack[EXPR_STACK + 1];

	return nop ? run(op, nop, stack, env) : NAN;
}
