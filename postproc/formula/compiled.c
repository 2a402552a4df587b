/*
 * postproc/formula/compiled.c - evaluating compiled formulas, in one interval or in
 * several at once.
 */
#include "postproc/formula/compiled_int.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/wide.h"
#include "postproc/data/turns.h"

/* A gap of so few columns is copied, too: to begin anew behind it takes longer. */
#define SHORT_GAP 64

struct compiled *
compiled_new(const struct binding *b)
{
	struct compiled *c = calloc(1, sizeof *c);

	if (c == NULL)
		return NULL;
	c->b = b;
	/* the sums that are numbers of the interval have no columns */
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
	free(c->part);
	free(c->column.at);
	free(c->partly.at);
	free(c->index.at);
	turned_free(c->turned);
	free(c->program);
	free(c->order);
	free(c->level_end);
	free(c->value);
	free(c->result);
	for (unsigned k = 0; k < SUM_KINDS; k++)
		free(c->used[k]);
	free(c->kept);
	free(c->run);
	free(c->room);
	free(c);
}

static void
use_column(struct compiled *c, unsigned kind, uint32_t column, bool *seen)
{
	if (!seen[column])
		c->used[kind][c->nused[kind]++] = column;
	seen[column] = true;
}

/* Lists the columns that sums of a kind are of, each once; among the rates also those of
 * units that lack other columns.  seen: room for n. */
static int
find_used(struct compiled *c, unsigned kind, bool *seen, unsigned n)
{
	if ((c->used[kind] = calloc(n, sizeof *c->used[kind])) == NULL)
		return -ENOMEM;
	memset(seen, 0, n * sizeof *seen);
	for (unsigned i = SUMS_FIXED; i < c->nsum; i++)
		for (uint32_t k = c->sum[i].from; c->sum[i].of == kind &&
		    k < c->sum[i].to; k++)
			use_column(c, kind, c->column.at[k], seen);
	for (unsigned k = 0; kind == OF_RATES && k < c->partly.n; k++)
		use_column(c, kind, c->partly.at[k], seen);
	return 0;
}

/* Sets the level of each sum; returns how many levels there are. */
static uint32_t
find_levels(struct compiled *c)
{
	uint32_t most = 0;

	for (unsigned i = SUMS_FIXED; i < c->nsum; i++) {
		struct column_sum *x = &c->sum[i];

		for (uint32_t k = x->from; x->of == OF_PART && k < x->to; k++)
			if (c->part[k].code == EXPR_REF &&
			    c->sum[c->part[k].arg].level >= x->level)
				x->level = c->sum[c->part[k].arg].level + 1;
		most = x->level > most ? x->level : most;
	}
	return most + 1;
}

static int
order_sums(struct compiled *c)
{
	uint32_t n = 0;

	c->nlevel = find_levels(c);
	c->order = calloc(c->nsum, sizeof *c->order);
	c->level_end = calloc(c->nlevel, sizeof *c->level_end);
	if (c->order == NULL || c->level_end == NULL)
		return -ENOMEM;
	for (uint32_t level = 0; level < c->nlevel; level++) {
		for (unsigned i = SUMS_FIXED; i < c->nsum; i++)
			if (c->sum[i].level == level)
				c->order[n++] = i;
		c->level_end[level] = n;
	}
	return 0;
}

int
compiled_finish(struct compiled *c)
{
	unsigned n = c->b->series->columns + c->b->nwatch + 1;
	bool *seen = calloc(n, sizeof *seen);
	int rc = seen == NULL ? -ENOMEM : 0;

	c->nrate = c->b->series->columns;
	c->nbit = c->b->nwatch;
	for (unsigned k = 0; rc == 0 && k < SUM_KINDS; k++)
		rc = find_used(c, k, seen, n);
	free(seen);
	if (rc == 0)
		rc = order_sums(c);
	c->value = calloc((size_t)c->nsum * EXPR_LANES, sizeof *c->value);
	c->result = calloc((size_t)(COMPILED_FIRST + c->nprogram) * EXPR_LANES,
	    sizeof *c->result);
	return c->value == NULL || c->result == NULL ? -ENOMEM : rc;
}

/* ---- sums of one interval ------------------------------------------------ */

/* What a sum adds of a column: a count scaled to the time of the interval, a count as it
 * is, a reading, or a bit.  NaN: it has no value, or its event took turns. */
static double
value_of(const struct sums *s, unsigned kind, uint32_t at)
{
	if (kind == OF_BITS)
		return at < s->nbit ? s->bit[at] : (double)NAN;
	if (kind != OF_READINGS && s->share != NULL && s->share[at] != 1)
		return NAN;
	return kind == OF_RATES && s->stretch != NULL ?
	    s->value[at] / s->stretch[at] : s->value[at];
}

/* Is each number in a range?  v may be NULL. */
WIDE_TOO static bool
all_within(const double *v, unsigned n, double least, double most)
{
	const wide_doubles *x = (const wide_doubles *)v;
	unsigned whole = v == NULL ? 0 : n / WIDE_DOUBLES;
	wide_bits good = (wide_bits){ 0 } == 0;
	bool all = true;

	for (unsigned i = 0; i < whole; i++)
		good &= (x[i] >= least) & (x[i] <= most);
	for (unsigned i = 0; i < WIDE_DOUBLES; i++)
		all &= good[i] != 0;
	for (unsigned i = whole * WIDE_DOUBLES; v != NULL && i < n; i++)
		all &= v[i] >= least && v[i] <= most;
	return all;
}

/* Does the column lack a value that did the last time?  In sums of rounds it mostly does. */
static bool
still_unsteady(const struct compiled *c, const struct sums *s)
{
	unsigned k = c->unsteady.of, i = c->unsteady.at;

	return i < c->nused[k] && isnan(value_of(s, k, c->used[k][i]));
}

/* Has every column that is needed a value, and did none take turns?  Mostly no column at
 * all lacks one, which is soon seen. */
static bool
is_steady(struct compiled *c, const struct sums *s)
{
	bool columns, bits;

	if (s->ncol != c->nrate || s->nbit != c->nbit || still_unsteady(c, s))
		return false;
	columns = all_within(s->value, s->ncol, -DBL_MAX, DBL_MAX) &&
	    all_within(s->share, s->ncol, 1, 1) &&
	    all_within(s->stretch, s->ncol, DBL_MIN, DBL_MAX);
	bits = all_within(s->bit, s->nbit, 0, 1);
	for (unsigned k = 0; k < SUM_KINDS; k++)
		for (unsigned i = 0; i < c->nused[k] &&
		    !(k == OF_BITS ? bits : columns); i++)
			if (isnan(value_of(s, k, c->used[k][i]))) {
				c->unsteady.of = k;
				c->unsteady.at = i;
				return false;
			}
	return true;
}

static double
add_up(const struct sums *s, unsigned kind, const uint32_t *at,
    const uint32_t *end)
{
	double sum = 0;

	for (; at < end; at++)
		sum += value_of(s, kind, *at);
	return sum;
}

/* Sets the numbers that stand before the sums of columns and before the results. */
static void
compiled_take_fixed(struct compiled *c, const struct sums *s, unsigned lane)
{
	double *v = c->value + lane;

	v[SUM_SECONDS * EXPR_LANES] = s->seconds > 0 ? s->seconds :
	    na(NA_TIME, 0);
	v[SUM_WALL * EXPR_LANES] = s->wall > 0 ? s->wall : na(NA_WALL, 0);
	v[SUM_TSC_HZ * EXPR_LANES] = s->tsc_hz > 0 ? s->tsc_hz : na(NA_TSC, 0);
	v[SUM_INTERVALS * EXPR_LANES] = (double)s->intervals;
	c->result[COMPILED_ONE * EXPR_LANES + lane] = 1;
	c->result[COMPILED_SECONDS * EXPR_LANES + lane] = s->seconds;
}

/* Does a formula use a sum that has columns, but no value? */
static bool
takes_lacking(const struct compiled *c, const struct expr_op *op,
    const struct expr_op *end)
{
	for (; op < end; op++)
		if (op->code == EXPR_REF && c->sum[op->arg].lacks)
			return true;
	return false;
}

static void
take_part(struct compiled *c, unsigned i)
{
	const struct expr_env env = { .table = c->value };
	struct column_sum *x = &c->sum[i];

	c->value[(size_t)i * EXPR_LANES] = expr_eval(c->part + x->from,
	    x->to - x->from, &env);
	x->lacks = takes_lacking(c, c->part + x->from, c->part + x->to);
}

static void
take_sum(struct compiled *c, unsigned i, const struct sums *s)
{
	struct column_sum *x = &c->sum[i];
	const uint32_t *at = c->column.at + x->from;
	const uint32_t *end = c->column.at + x->to;
	double v = add_up(s, x->of, at, end);

	if (x->mean_of > 1)
		v /= x->mean_of;
	x->lacks = at < end && isnan(v);
	c->value[(size_t)i * EXPR_LANES] = at < end ? v :
	    na(NA_NO_COLUMN, x->ref);
}

static void
take_sums(struct compiled *c, const struct sums *s)
{
	compiled_take_fixed(c, s, 0);
	c->nlacking = 0;
	for (unsigned i = SUMS_FIXED; i < c->nsum; i++) {
		if (c->sum[i].of == OF_PART)
			take_part(c, i);
		else
			take_sum(c, i, s);
		c->nlacking += c->sum[i].lacks;
	}
}

int
compiled_take(struct compiled *c, const struct sums *s)
{
	struct expr_env env = { .table = c->value };

	c->in_turns = s->turns != NULL && s->share != NULL && !is_steady(c, s);
	if (c->in_turns) {
		compiled_take_fixed(c, s, 0);
		return turned_take(c, s);
	}
	take_sums(c, s);
	for (unsigned i = 0; i < c->nprogram; i++)
		c->result[(size_t)(COMPILED_FIRST + i) * EXPR_LANES] =
		    expr_eval(c->op + c->program[i].from,
		    c->program[i].to - c->program[i].from, &env);
	return 0;
}

/* ---- several intervals at once ------------------------------------------- */

/* Marks the columns that a bound metric, and what says the end of its range, may ask for:
 * binding_eval, too, looks at no others, unless one of them takes turns.
 * seen: by bound metric. */
static void
mark_needed(const struct compiled *c, unsigned bound, bool *need, bool *seen)
{
	for (int m = (int)bound; m >= 0 && !seen[m];
	    m = c->b->bound[m].most) {
		struct bound_at at = { .op = 0 };
		uint32_t column;

		seen[m] = true;
		while (binding_column(c->b, (unsigned)m, &at, &column))
			if (column < c->nrate)
				need[column] = true;
	}
}

static int
add_run(struct compiled *c, uint32_t from, uint32_t to)
{
	if (c->nrun > 0 && from < c->run[c->nrun - 1].to + SHORT_GAP) {
		c->run[c->nrun - 1].to = to;
		return 0;
	}
	if (!array_room(&c->run, c->nrun, &c->run_room, sizeof *c->run))
		return -ENOMEM;
	c->run[c->nrun++] = (struct column_run){ from, to };
	return 0;
}

/* Finds the columns that have to be copied of an interval.  What a column that takes turns
 * is worth depends on others: then it is all of them. */
static int
find_runs(struct compiled *c, const struct turns *t)
{
	bool *need = calloc((size_t)c->nrate + c->b->nbound + 1, sizeof *need);
	bool turns = false;
	int rc = need == NULL ? -ENOMEM : 0;

	for (unsigned i = 0; rc == 0 && i < c->nprogram; i++)
		mark_needed(c, c->program[i].bound, need, need + c->nrate);
	for (uint32_t k = 0; rc == 0 && t != NULL && k < c->nrate; k++)
		turns |= need[k] && (k >= t->ncol || t->kind[k] != TURN_NONE);
	for (uint32_t k = 0; rc == 0 && k < c->nrate; k++)
		if (turns || need[k])
			rc = add_run(c, k, k + 1);
	free(need);
	return rc;
}

static int
compiled_make_room(struct compiled *c, const struct turns *turns)
{
	size_t n = c->nrate, one = 3 * n + c->nbit;
	size_t lanes = (SUM_KINDS - 1) * n + c->nbit;
	double *p;

	if (c->kept != NULL)
		return 0;
	c->kept = calloc(EXPR_LANES, sizeof *c->kept);
	c->room = p = calloc((size_t)CREW_MOST * EXPR_LANES_STACK +
	    (one + lanes) * EXPR_LANES, sizeof *p);
	if (c->kept == NULL || p == NULL)
		return -ENOMEM;
	c->stack = p;
	p += (size_t)CREW_MOST * EXPR_LANES_STACK;
	for (unsigned i = 0; i < EXPR_LANES; i++, p += one)
		c->kept[i] = (struct kept_sums){ .value = p, .share = p + n,
		    .stretch = p + 2 * n, .bit = p + 3 * n };
	for (unsigned k = 0; k < SUM_KINDS; k++, p += n * EXPR_LANES)
		c->lanes[k] = p;
	return find_runs(c, turns);
}

static const double *
compiled_copy(double *to, const double *from, const struct column_run *run,
    unsigned n)
{
	for (unsigned i = 0; from != NULL && i < n; i++)
		memcpy(to + run[i].from, from + run[i].from,
		    (run[i].to - run[i].from) * sizeof *to);
	return from == NULL ? NULL : to;
}

int
compiled_keep(struct compiled *c, const struct sums *s, bool *kept)
{
	struct kept_sums *k;
	int rc;

	*kept = false;
	if (c->nkept == EXPR_LANES || !is_steady(c, s))
		return 0;
	if ((rc = compiled_make_room(c, s->turns)) < 0)
		return rc;
	k = &c->kept[c->nkept];
	k->sums = *s;
	k->sums.value = compiled_copy(k->value, s->value, c->run, c->nrun);
	k->sums.share = compiled_copy(k->share, s->share, c->run, c->nrun);
	k->sums.stretch = compiled_copy(k->stretch, s->stretch, c->run, c->nrun);
	k->sums.bit = compiled_copy(k->bit, s->bit,
	    &(struct column_run){ 0, c->nbit }, 1);
	k->sums.left_out = NULL;        /* no column that is needed lacks a delta */
	c->nkept++;
	*kept = true;
	return 0;
}

unsigned
compiled_kept(const struct compiled *c)
{
	return c->nkept;
}

const struct sums *
compiled_sums(const struct compiled *c, unsigned i)
{
	return &c->kept[i].sums;
}

void
compiled_drop(struct compiled *c)
{
	c->nkept = 0;
}

/* What the threads of a crew share, a piece of PIECE each: the columns of a kind, the sums
 * of a level, or the programs. */
struct shared_run {
	struct compiled *c;
	unsigned kind;
	unsigned from, to;
};

#define PIECE 128

static void
share_run(struct crew *crew, void (*piece)(void *, unsigned, unsigned),
    struct shared_run *x)
{
	crew_do(crew, piece, x, (x->to - x->from + PIECE - 1) / PIECE);
}

static unsigned
piece_end(const struct shared_run *x, unsigned from)
{
	return x->to - from < PIECE ? x->to : from + PIECE;
}

/* Puts the values of a kind from one array per interval into one array whose lanes stand
 * side by side, as value_of has them: that no column lacks one is known.  Lanes without an
 * interval are not set; nobody reads them. */
static void
turn_round(void *run, unsigned piece, unsigned thread)
{
	const struct shared_run *x = run;
	const struct compiled *c = x->c;
	const uint32_t *used = c->used[x->kind];
	unsigned from = x->from + piece * PIECE, end = piece_end(x, from);

	(void)thread;
	for (unsigned j = 0; j < c->nkept; j++) {
		const struct sums *s = &c->kept[j].sums;
		const double *v = x->kind == OF_BITS ? s->bit : s->value;
		const double *by = x->kind == OF_RATES ? s->stretch : NULL;
		double *to = c->lanes[x->kind] + j;

		for (unsigned i = from; i < end; i++)
			to[(size_t)used[i] * EXPR_LANES] = by == NULL ?
			    v[used[i]] : v[used[i]] / by[used[i]];
	}
}

WIDE_TOO static void
add_lanes(struct compiled *c, unsigned i)
{
	const struct column_sum *x = &c->sum[i];
	double *restrict to = c->value + (size_t)i * EXPR_LANES;
	double sum[EXPR_LANES] = { 0 };

	for (uint32_t k = x->from; k < x->to; k++) {
		const double *v = c->lanes[x->of] +
		    (size_t)c->column.at[k] * EXPR_LANES;

		for (unsigned j = 0; j < EXPR_LANES; j++)
			sum[j] += v[j];
	}
	for (unsigned j = 0; x->mean_of > 1 && j < EXPR_LANES; j++)
		sum[j] /= x->mean_of;
	for (unsigned j = 0; x->from == x->to && j < EXPR_LANES; j++)
		sum[j] = na(NA_NO_COLUMN, x->ref);
	memcpy(to, sum, sizeof sum);
}

/* Evaluates a formula in all lanes; many are a part and nothing else. */
static void
run_lanes(const struct compiled *c, const struct expr_op *op, uint32_t nop,
    double *stack, double *to)
{
	const struct expr_env env = { .table = c->value };

	if (nop == 1 && op->code == EXPR_REF)
		memcpy(to, c->value + (size_t)op->arg * EXPR_LANES,
		    EXPR_LANES * sizeof *to);
	else
		expr_eval_lanes(op, nop, &env, stack, to);
}

static void
run_sums(void *run, unsigned piece, unsigned thread)
{
	const struct shared_run *x = run;
	struct compiled *c = x->c;
	unsigned k = x->from + piece * PIECE;
	double *stack = c->stack + (size_t)thread * EXPR_LANES_STACK;

	for (unsigned end = piece_end(x, k); k < end; k++) {
		unsigned i = c->order[k];

		if (c->sum[i].of == OF_PART)
			run_lanes(c, c->part + c->sum[i].from,
			    c->sum[i].to - c->sum[i].from, stack,
			    c->value + (size_t)i * EXPR_LANES);
		else
			add_lanes(c, i);
	}
}

static void
run_programs(void *run, unsigned piece, unsigned thread)
{
	const struct shared_run *x = run;
	struct compiled *c = x->c;
	unsigned i = x->from + piece * PIECE;
	double *stack = c->stack + (size_t)thread * EXPR_LANES_STACK;

	for (unsigned end = piece_end(x, i); i < end; i++)
		run_lanes(c, c->op + c->program[i].from,
		    c->program[i].to - c->program[i].from, stack,
		    c->result + (size_t)(COMPILED_FIRST + i) * EXPR_LANES);
}

void
compiled_run(struct compiled *c, struct crew *crew)
{
	struct shared_run x = { .c = c };

	if (c->nkept == 0)
		return;
	c->nlacking = 0;
	c->in_turns = false;
	for (; x.kind < SUM_KINDS; x.kind++) {
		x.to = c->nused[x.kind];
		share_run(crew, turn_round, &x);
	}
	for (unsigned j = 0; j < c->nkept; j++)
		compiled_take_fixed(c, &c->kept[j].sums, j);
	for (uint32_t level = 0; level < c->nlevel; level++) {
		x.from = level > 0 ? c->level_end[level - 1] : 0;
		x.to = c->level_end[level];
		share_run(crew, run_sums, &x);
	}
	x.from = 0;
	x.to = c->nprogram;
	share_run(crew, run_programs, &x);
}

/* ---- values ---------------------------------------------------------------- */

bool
compiled_value(const struct compiled *c, unsigned n, unsigned lane,
    double *value)
{
	const struct program *p = &c->program[n];

	*value = c->result[(size_t)(COMPILED_FIRST + n) * EXPR_LANES + lane];
	if (c->in_turns)
		return !p->unknown && turned_knows(c, n);
	return !p->unknown && (c->nlacking == 0 ||
	    !(p->forgives || isnan(*value)) ||
	    !takes_lacking(c, c->op + p->from, c->op + p->to));
}

const double *
compiled_values(const struct compiled *c)
{
	return c->nlacking == 0 && !c->in_turns ? c->result : NULL;
}

uint32_t
compiled_at(const struct compiled *c, unsigned n)
{
	return c->program[n].unknown ? COMPILED_NEVER : COMPILED_FIRST + n;
}
