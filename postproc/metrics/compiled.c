/*
 * postproc/metrics/compiled.c - compiled formulas, evaluated.
 */
#include "postproc/metrics/compiled_int.h"

#include <math.h>
#include <stdlib.h>

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
	free(c->stack);
	free(c->value);
	free(c->rate);
	free(c->total);
	free(c);
}

/* ---- sums ---------------------------------------------------------------- */

/* Counts as they would be of just the time of the interval; those whose events
 * took turns are none of ours: n/a. */
static void
take_rates(struct compiled *c, const struct sums *s)
{
	unsigned n = s->ncol < c->nrate ? s->ncol : c->nrate;

	for (unsigned i = 0; s->share != NULL && i < n; i++)
		c->total[i] = s->share[i] == 1 ? s->value[i] : (double)NAN;
	for (unsigned i = 0; s->share != NULL && i < n; i++)
		c->rate[i] = c->total[i] / (s->stretch != NULL ?
		    s->stretch[i] : 1);
	for (unsigned i = 0; s->share == NULL && s->stretch != NULL && i < n;
	    i++)
		c->rate[i] = s->value[i] / s->stretch[i];
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

void
compiled_take(struct compiled *c, const struct sums *s)
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
fold(enum expr_fold how, const double *v, unsigned n)
{
	double sum = 0, least = NAN, most = NAN;
	unsigned have = 0;

	for (unsigned i = 0; i < n; i++) {
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
		case EXPR_ALT:
			if (isnan(top[-1]))
				top--;
			else
				op += op->arg;
			break;
		case EXPR_EACH:
			top -= op->arg;
			*top = fold(op->fold, top, op->arg);
			top++;
			break;
		case EXPR_ADD:
			top--;
			top[-1] += top[0];
			break;
		case EXPR_SUB:
			top--;
			top[-1] -= top[0];
			break;
		case EXPR_MUL:
			top--;
			top[-1] *= top[0];
			break;
		default:
			top--;
			top[-1] = expr_two(op->code, top[-1], top[0]);
		}
	}
	return top[-1];
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

	if (p->unknown)
		return false;
	*value = run(c, p);
	return c->nlacking == 0 || !(p->forgives || isnan(*value)) ||
	    !lacks_any(c, p);
}
