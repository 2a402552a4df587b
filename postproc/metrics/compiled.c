/*
 * postproc/metrics/compiled.c - compiled formulas, evaluated.
 */
#include "postproc/metrics/compiled_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/metrics/na.h"

struct compiled *
compiled_new(const struct binding *b)
{
	struct compiled *c = calloc(1, sizeof *c);

	if (c == NULL)
		return NULL;
	c->b = b;
	/* no columns: what is of the interval itself */
	c->sum = calloc(64, sizeof *c->sum);
	c->sum_room = 64;
	c->nsum = SUMS_FIXED;
	if (c->sum == NULL) {
		free(c);
		return NULL;
	}
	return c;
}

void
compiled_free(struct compiled *c)
{
	if (c == NULL)
		return;
	free(c->op);
	free(c->sum);
	free(c->column);
	free(c->program);
	free(c->batch);
	free(c->ref);
	free(c->stack);
	free(c->value);
	free(c->result);
	free(c->who);
	free(c->rate);
	free(c->total);
	free(c);
}

/* ---- sums ---------------------------------------------------------------- */

static void
divide(double *restrict to, const double *restrict a,
    const double *restrict b, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		to[i] = a[i] / b[i];
}

/* Counts as they would be of just the time of the interval; those whose events
 * took turns are none of ours: n/a. */
static void
take_rates(struct compiled *c, const struct sums *s)
{
	unsigned n = s->ncol < c->nrate ? s->ncol : c->nrate;

	for (unsigned i = 0; s->share != NULL && i < n; i++)
		c->total[i] = s->share[i] == 1 ? s->value[i] : (double)NAN;
	if (s->stretch != NULL)
		divide(c->rate, s->share != NULL ? c->total : s->value,
		    s->stretch, n);
	else if (s->share != NULL)
		memcpy(c->rate, c->total, n * sizeof *c->rate);
}

static double
add_up(const double *v, const uint32_t *at, const uint32_t *end)
{
	double sum = 0;

	for (; at < end; at++)
		sum += v[*at];
	return sum;
}

static double
add_bits(const struct sums *s, const uint32_t *at, const uint32_t *end)
{
	double sum = 0;

	for (; at < end; at++)
		sum += *at < s->nbit ? s->bit[*at] : (double)NAN;
	return sum;
}

static void
take_sums(struct compiled *c, const struct sums *s)
{
	const double *of[SUM_KINDS] = {
		[OF_RATES] = s->share != NULL || s->stretch != NULL ?
		    c->rate : s->value,
		[OF_TOTALS] = s->share != NULL ? c->total : s->value,
		[OF_READINGS] = s->value };

	take_rates(c, s);
	c->nlacking = 0;
	c->value[SUM_SECONDS] = s->seconds > 0 ? s->seconds : na(NA_TIME, 0);
	c->value[SUM_WALL] = s->wall > 0 ? s->wall : na(NA_WALL, 0);
	c->value[SUM_TSC_HZ] = s->tsc_hz > 0 ? s->tsc_hz : na(NA_TSC, 0);
	c->value[SUM_INTERVALS] = (double)s->intervals;
	for (unsigned i = SUMS_FIXED; i < c->nsum; i++) {
		const struct column_sum *x = &c->sum[i];
		const uint32_t *at = c->column + x->from;
		const uint32_t *end = c->column + x->to;
		double v = x->of == OF_BITS ? add_bits(s, at, end) :
		    add_up(of[x->of], at, end);

		if (x->mean_of > 1)
			v /= x->mean_of;
		if (at == end)
			v = na(NA_NO_COLUMN, x->ref);
		else
			c->nlacking += isnan(v);
		c->value[i] = v;
	}
}

/* ---- operations ---------------------------------------------------------- */

static double
fold(enum expr_fold how, const double *v, unsigned n, unsigned step)
{
	double sum = 0, least = NAN, most = NAN;
	unsigned have = 0;

	for (unsigned i = 0; i < n * step; i += step) {
		if (isnan(v[i]))
			continue;
		sum += v[i];
		if (!(v[i] >= least))
			least = v[i];
		if (!(v[i] <= most))
			most = v[i];
		have++;
	}
	if (how == FOLD_COUNT)
		return have;
	if (have == 0)
		return v[0];
	return how == FOLD_MIN ? least : how == FOLD_MAX ? most :
	    how == FOLD_AVG ? sum / have : sum;
}

/* The first of them that is a number, else the last. */
static double
first(const double *v, unsigned n, unsigned step)
{
	while (n > 1 && isnan(*v)) {
		v += step;
		n--;
	}
	return *v;
}

static double
either(double test, double yes, double no)
{
	return isnan(test) ? test : test != 0 ? yes : no;
}

/* expr_two, what there is most of at hand: a NaN is handed on as it is. */
static double
two(unsigned code, double a, double b)
{
	switch (code) {
	case EXPR_ADD:
		return a + b;
	case EXPR_SUB:
		return a - b;
	case EXPR_MUL:
		return a * b;
	case EXPR_DIV:
		return b == 0 ? na(NA_BY_ZERO, 0) : a / b;
	default:
		return expr_two(code, a, b);
	}
}

static double
run(const struct compiled *c, const struct program *p)
{
	const struct expr_op *op = c->op + p->from, *end = c->op + p->to;
	double *top = c->stack;

	for (; op < end; op++) {
		switch (op->code) {
		case EXPR_NUM:
			*top++ = op->num;
			break;
		case EXPR_REF:
			*top++ = c->value[op->arg];
			break;
		case EXPR_NEG:
			top[-1] = -top[-1];
			break;
		case EXPR_IF:
			top -= 2;
			top[-1] = either(top[-1], top[0], top[1]);
			break;
		case EXPR_FIRST:
			top -= op->arg;
			*top = first(top, op->arg, 1);
			top++;
			break;
		case EXPR_EACH:
			top -= op->arg;
			*top = fold(op->fold, top, op->arg, 1);
			top++;
			break;
		default:
			top--;
			top[-1] = two(op->code, top[-1], top[0]);
		}
	}
	return top[-1];
}

/* ---- many at a time ------------------------------------------------------ */

static void
add_lanes(double *restrict a, const double *restrict b)
{
	for (unsigned j = 0; j < LANES; j++)
		a[j] += b[j];
}

static void
subtract_lanes(double *restrict a, const double *restrict b)
{
	for (unsigned j = 0; j < LANES; j++)
		a[j] -= b[j];
}

static void
multiply_lanes(double *restrict a, const double *restrict b)
{
	for (unsigned j = 0; j < LANES; j++)
		a[j] *= b[j];
}

static void
divide_lanes(double *restrict a, const double *restrict b)
{
	bool by_zero = false;

	for (unsigned j = 0; j < LANES; j++) {
		by_zero |= b[j] == 0;
		a[j] /= b[j];
	}
	for (unsigned j = 0; by_zero && j < LANES; j++)
		if (b[j] == 0)
			a[j] = na(NA_BY_ZERO, 0);
}

/* An operation on what is on the stack; where its top is, then. */
static double *
apply_lanes(const struct expr_op *op, double *top)
{
	double *a = top - LANES;

	if (op->code == EXPR_NEG) {
		for (unsigned j = 0; j < LANES; j++)
			a[j] = -a[j];
		return top;
	}
	if (op->code == EXPR_EACH || op->code == EXPR_FIRST) {
		top -= op->arg * LANES;
		for (unsigned j = 0; j < LANES; j++)
			top[j] = op->code == EXPR_EACH ?
			    fold(op->fold, top + j, op->arg, LANES) :
			    first(top + j, op->arg, LANES);
		return top + LANES;
	}
	if (op->code == EXPR_IF) {
		a = top - 3 * LANES;
		for (unsigned j = 0; j < LANES; j++)
			a[j] = either(a[j], a[j + LANES], a[j + 2 * LANES]);
		return a + LANES;
	}
	a -= LANES;
	top -= LANES;
	switch (op->code) {
	case EXPR_ADD:
		add_lanes(a, top);
		break;
	case EXPR_SUB:
		subtract_lanes(a, top);
		break;
	case EXPR_MUL:
		multiply_lanes(a, top);
		break;
	case EXPR_DIV:
		divide_lanes(a, top);
		break;
	default:
		for (unsigned j = 0; j < LANES; j++)
			a[j] = expr_two(op->code, a[j], top[j]);
	}
	return top;
}

/* A batch from its program `from` on. */
static void
run_lanes(struct compiled *c, const struct alike *x, uint32_t from)
{
	const struct program *p = &c->program[x->first];
	uint32_t all = (x->n + LANES - 1) / LANES * LANES;
	const uint32_t *ref = c->ref + x->refs + from;
	double *top = c->stack;

	for (uint32_t i = p->from; i < p->to; i++) {
		const struct expr_op *op = &c->op[i];

		if (op->code == EXPR_REF) {
			for (unsigned j = 0; j < LANES; j++)
				top[j] = c->value[ref[j]];
			ref += all;
			top += LANES;
		} else if (op->code == EXPR_NUM) {
			for (unsigned j = 0; j < LANES; j++)
				top[j] = op->num;
			top += LANES;
		} else {
			top = apply_lanes(op, top);
		}
	}
	memcpy(c->result + x->at + from, top - LANES, LANES * sizeof *top);
}

void
compiled_take(struct compiled *c, const struct sums *s)
{
	take_sums(c, s);
	c->result[COMPILED_ONE] = 1;
	c->result[COMPILED_SECONDS] = s->seconds;
	for (unsigned i = 0; i < c->nbatch; i++) {
		const struct alike *x = &c->batch[i];
		bool each = x->n < FEW;

		for (uint32_t k = 0; each && k < x->n; k++)
			c->result[x->at + k] = run(c,
			    &c->program[c->who[x->at + k]]);
		for (uint32_t k = 0; !each && k < x->n; k += LANES)
			run_lanes(c, x, k);
	}
}

/* Does it want a sum that has no value, though it has columns? */
static bool
lacks_any(const struct compiled *c, const struct program *p)
{
	for (uint32_t i = p->from; i < p->to; i++) {
		uint32_t at = c->op[i].arg;

		if (c->op[i].code == EXPR_REF && at >= SUMS_FIXED &&
		    c->sum[at].to > c->sum[at].from && isnan(c->value[at]))
			return true;
	}
	return false;
}

bool
compiled_value(const struct compiled *c, unsigned n, double *value)
{
	const struct program *p = &c->program[n];

	*value = c->result[p->at];
	return !p->unknown && (c->nlacking == 0 ||
	    !(p->forgives || isnan(*value)) || !lacks_any(c, p));
}

const double *
compiled_values(const struct compiled *c)
{
	return c->nlacking == 0 ? c->result : NULL;
}

uint32_t
compiled_at(const struct compiled *c, unsigned n)
{
	return c->program[n].unknown ? COMPILED_NEVER : c->program[n].at;
}
