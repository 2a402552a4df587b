/*
 * postproc/formula/expr_eval.c - the value of a formula's postfix code: one value, or
 * EXPR_LANES values at once, where each operation is done for all of them before the
 * next one.
 *
 * An entry of the stack is `lanes` numbers side by side.
 */
#include "postproc/formula/expr.h"

#include <math.h>
#include <string.h>

#include "lib/wide.h"

/* Loops over lanes are compiled into each of the functions that use them, as these are
 * compiled for AVX2, too. */
#define LANES_INLINE static inline __attribute__((always_inline))

/* ---- a NaN that says why ------------------------------------------------- */

#define QUIET (UINT64_C(0x7ff8) << 48)
#define OURS (UINT64_C(0x5a) << 40)     /* no NaN of a processor has these bits */

double
na(enum na why, uint32_t input)
{
	uint64_t bits = QUIET | OURS | (uint64_t)why << 32 | input;
	double v;

	memcpy(&v, &bits, sizeof(v));
	return v;
}

enum na
na_why(double value, uint32_t *input)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	if (!isnan(value) || (bits >> 40 & 0xff) != OURS >> 40)
		return NA_UNTOLD;
	if (input != NULL)
		*input = (uint32_t)bits;
	return (enum na)(bits >> 32 & 0xff);
}

/* ---- postfix code -------------------------------------------------------- */

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
		case EXPR_JUMP:         /* the other side replaces the value */
			if (op[i].arg > 0)
				depth--;
			break;
		case EXPR_ALT:          /* it replaces the one before it */
			if (op[i].num > 0)
				depth--;
			break;
		case EXPR_FIRST: case EXPR_PARTS: case EXPR_FOLD:
			break;
		default:
			depth--;
		}
		if (depth > most)
			most = depth;
	}
	return most <= EXPR_STACK ? most : 0;
}

/* ---- operations on lanes ------------------------------------------------- */

/* Do an operation on two numbers: EXPR_ADD to EXPR_MAX. */
LANES_INLINE double
expr_two(const struct expr_op *op, double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? a : b;
	switch (op->code) {
	case EXPR_ADD: return a + b;
	case EXPR_SUB: return a - b;
	case EXPR_MUL: return a * b;
	case EXPR_DIV: return b == 0 ? na(NA_BY_ZERO, op->arg) : a / b;
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

#define LANE_VECTORS (EXPR_LANES / WIDE_DOUBLES)
/* A loop over them: without a count it takes half of the instructions. */
#define EACH_VECTOR(i) _Pragma("GCC unroll 8") \
	for (unsigned i = 0; i < LANE_VECTORS; i++)

/* In each lane a where it is set in `which`, else b.  (A function that took vectors would
 * have another ABI with AVX2.) */
#define CHOOSE(which, a, b) ((wide_doubles)(((which) & (wide_bits)(a)) | \
    (~(which) & (wide_bits)(b))))

LANES_INLINE void
divide_lanes(wide_doubles *to, const wide_doubles *a, const wide_doubles *b,
    uint32_t zero)
{
	const wide_doubles none = na(NA_BY_ZERO, zero) + (wide_doubles){ 0 };

	EACH_VECTOR(i)
		to[i] = CHOOSE(b[i] == 0, none, a[i] / b[i]);
}

/* EXPR_LT to EXPR_MAX.  A NaN, the first one, is the result. */
LANES_INLINE void
compare_lanes(enum expr_code code, wide_doubles *to, const wide_doubles *with)
{
	const wide_doubles one = 1 + (wide_doubles){ 0 };

	for (unsigned i = 0; i < LANE_VECTORS; i++) {
		wide_doubles a = to[i], b = with[i];
		wide_bits is = code == EXPR_LT ? a < b : code == EXPR_LE ?
		    a <= b : code == EXPR_GT ? a > b : code == EXPR_GE ?
		    a >= b : code == EXPR_EQ ? a == b : code == EXPR_NE ?
		    a != b : code == EXPR_MIN ? a < b : a > b;
		wide_doubles v = code == EXPR_MIN || code == EXPR_MAX ?
		    CHOOSE(is, a, b) : (wide_doubles)(is & (wide_bits)one);

		v = CHOOSE(b != b, b, v);
		to[i] = CHOOSE(a != a, a, v);
	}
}

/* to = one op with, in all lanes; EXPR_ADD to EXPR_DIV. */
LANES_INLINE void
two_lanes(const struct expr_op *op, double *to, const double *one,
    const double *with)
{
	wide_doubles *out = (wide_doubles *)to;
	const wide_doubles *a = (const wide_doubles *)one;
	const wide_doubles *b = (const wide_doubles *)with;

	switch (op->code) {
	case EXPR_ADD:
		EACH_VECTOR(i)
			out[i] = a[i] + b[i];
		break;
	case EXPR_SUB:
		EACH_VECTOR(i)
			out[i] = a[i] - b[i];
		break;
	case EXPR_MUL:
		EACH_VECTOR(i)
			out[i] = a[i] * b[i];
		break;
	default:
		divide_lanes(out, a, b, op->arg);
	}
}

/* a = a op b.  Arithmetic hands on a NaN with its reason. */
LANES_INLINE void
two(const struct expr_op *op, double *a, const double *b, unsigned lanes)
{
	if (lanes == 1)
		*a = expr_two(op, *a, *b);
	else if (op->code <= EXPR_DIV)
		two_lanes(op, a, a, b);
	else
		compare_lanes((enum expr_code)op->code, (wide_doubles *)a,
		    (const wide_doubles *)b);
}

LANES_INLINE void
expr_eval_fill(double *to, double v, unsigned lanes)
{
	for (unsigned j = 0; j < lanes; j++)
		to[j] = v;
}

LANES_INLINE void
negate(double *v, unsigned lanes)
{
	for (unsigned j = 0; j < lanes; j++)
		v[j] = -v[j];
}

/* ---- folds --------------------------------------------------------------- */

/* A fold over units, so far. */
struct folded {
	double sum[EXPR_LANES], least[EXPR_LANES], most[EXPR_LANES];
	double have[EXPR_LANES];        /* units with a value */
	double none[EXPR_LANES];        /* the result where there are none */
};

LANES_INLINE void
fold_begin(struct folded *f, unsigned lanes)
{
	expr_eval_fill(f->sum, 0, lanes);
	expr_eval_fill(f->have, 0, lanes);
	expr_eval_fill(f->least, NAN, lanes);
	expr_eval_fill(f->most, NAN, lanes);
	expr_eval_fill(f->none, na(NA_NO_UNIT, 0), lanes);
}

LANES_INLINE void
fold_lane(struct folded *f, unsigned j, double v)
{
	if (isnan(v))
		return;
	f->sum[j] += v;
	if (!(v >= f->least[j]))
		f->least[j] = v;
	if (!(v <= f->most[j]))
		f->most[j] = v;
	f->have[j]++;
}

LANES_INLINE void
add_units(struct folded *f, enum expr_fold how, const wide_doubles *v)
{
	const wide_doubles zero = { 0 }, one = 1 + zero;
	wide_doubles *sum = (wide_doubles *)f->sum;
	wide_doubles *have = (wide_doubles *)f->have;
	wide_doubles *end = (wide_doubles *)(how == FOLD_MIN ? f->least : f->most);

	EACH_VECTOR(i) {
		wide_bits is = v[i] == v[i];

		have[i] += CHOOSE(is, one, zero);
		if (how == FOLD_MIN)
			end[i] = CHOOSE(is & ~(v[i] >= end[i]), v[i], end[i]);
		else if (how == FOLD_MAX)
			end[i] = CHOOSE(is & ~(v[i] <= end[i]), v[i], end[i]);
		else
			sum[i] += CHOOSE(is, v[i], zero);
	}
}

/* Adds the value of unit n. */
LANES_INLINE void
expr_eval_fold_add(struct folded *f, enum expr_fold how, unsigned n,
    const double *v, unsigned lanes)
{
	if (n == 0)
		memcpy(f->none, v, lanes * sizeof *v);
	if (lanes == 1) {
		fold_lane(f, 0, *v);
	} else {
		add_units(f, how, (const wide_doubles *)v);
	}
}

LANES_INLINE void
fold_end(const struct folded *f, enum expr_fold how, double *to,
    unsigned lanes)
{
	const wide_doubles *of = (const wide_doubles *)(how == FOLD_MIN ?
	    f->least : how == FOLD_MAX ? f->most : f->sum);
	const wide_doubles *have = (const wide_doubles *)f->have;
	const wide_doubles *none = (const wide_doubles *)f->none;
	wide_doubles *out = (wide_doubles *)to;

	if (lanes > 1 && how != FOLD_AVG && how != FOLD_COUNT) {
		EACH_VECTOR(i)
			out[i] = CHOOSE(have[i] > 0, of[i], none[i]);
		return;
	}
	for (unsigned j = 0; j < lanes; j++)
		to[j] = how == FOLD_COUNT ? f->have[j] :
		    !(f->have[j] > 0) ? f->none[j] :
		    how == FOLD_MIN ? f->least[j] :
		    how == FOLD_MAX ? f->most[j] :
		    how == FOLD_AVG ? f->sum[j] / f->have[j] : f->sum[j];
}

/* ---- the code ------------------------------------------------------------ */

static void expr_eval_run(const struct expr_op *, uint32_t nop, double *top,
    const struct expr_env *, unsigned lanes);

/* Runs the code behind an EXPR_EACH once in each unit. */
LANES_INLINE void
fold_units(const struct expr_op *op, double *top, const struct expr_env *env,
    unsigned lanes)
{
	struct folded f;

	fold_begin(&f, lanes);
	for (unsigned n = 0; env->enter(env->ctx, op, n); n++) {
		expr_eval_run(op + 1, op->arg, top, env, lanes);
		env->leave(env->ctx);
		expr_eval_fold_add(&f, op->fold, n, top, lanes);
	}
	fold_end(&f, op->fold, top, lanes);
}

/* Does an EXPR_FOLD, in which the code stands once for each unit.  Returns its last
 * operation. */
LANES_INLINE const struct expr_op *
fold_list(const struct expr_op *head, double *top, const struct expr_env *env,
    unsigned lanes)
{
	const struct expr_op *alt = head + 1;
	struct folded f;

	fold_begin(&f, lanes);
	for (uint32_t i = 0; i < head->arg; i++) {
		expr_eval_run(alt + 1, alt->arg, top, env, lanes);
		expr_eval_fold_add(&f, head->fold, i, top, lanes);
		alt += alt->arg + 1;
	}
	fold_end(&f, head->fold, top, lanes);
	return alt - 1;
}

/* Adds all parts of an EXPR_PARTS; binding has left out those that the dump lacks.
 * Returns its last operation. */
LANES_INLINE const struct expr_op *
expr_eval_add_parts(const struct expr_op *head, double *top,
    const struct expr_env *env, unsigned lanes)
{
	static const struct expr_op add = { .code = EXPR_ADD };
	const struct expr_op *alt = head + 1;
	double sum[EXPR_LANES];

	expr_eval_fill(sum, 0, lanes);
	for (uint32_t i = 0; i < head->arg; i++) {
		expr_eval_run(alt + 1, alt->arg, top, env, lanes);
		two(&add, sum, top, lanes);
		alt += alt->arg + 1;
	}
	memcpy(top, sum, lanes * sizeof *top);
	return alt - 1;
}

/* Does any lane lack a value? */
LANES_INLINE bool
any_lacks(const double *v, unsigned lanes)
{
	const wide_doubles *x = (const wide_doubles *)v;
	wide_bits lacks = { 0 };
	int64_t any = 0;

	if (lanes == 1)
		return isnan(*v);
	EACH_VECTOR(i)
		lacks |= x[i] != x[i];
	for (unsigned i = 0; i < WIDE_DOUBLES; i++)
		any |= lacks[i];
	return any != 0;
}

/* The last operation of an EXPR_FIRST, of which `left` alternatives are left from alt on. */
LANES_INLINE const struct expr_op *
skip_alternatives(const struct expr_op *alt, uint32_t left)
{
	while (left-- > 0)
		alt += alt->arg + 1;
	return alt - 1;
}

/* Takes in each lane the first alternative that has a value; where none has, the last
 * one's reason.  An alternative that no lane needs is not evaluated.  Returns the last
 * operation. */
LANES_INLINE const struct expr_op *
expr_eval_first_of(const struct expr_op *head, double *top,
    const struct expr_env *env, unsigned lanes)
{
	const struct expr_op *alt = head + 1;
	double v[EXPR_LANES];

	expr_eval_fill(top, NAN, lanes);
	for (uint32_t i = 0; i < head->arg; i++) {
		uint32_t mark = env->mark ? env->mark(env->ctx) : 0;

		expr_eval_run(alt + 1, alt->arg, top, env, lanes);
		for (unsigned j = 0; i > 0 && j < lanes; j++)
			top[j] = isnan(v[j]) ? top[j] : v[j];
		alt += alt->arg + 1;
		/* mostly the first one has a value in all lanes */
		if (!any_lacks(top, lanes))
			return skip_alternatives(alt, head->arg - i - 1);
		memcpy(v, top, lanes * sizeof *v);
		if (env->drop != NULL)
			env->drop(env->ctx, mark);
	}
	return alt - 1;
}

/* Takes in each lane the side that the test on the stack chooses; where the test is n/a,
 * so is the result.  A side that no lane chooses is not evaluated.  Returns the last
 * operation. */
LANES_INLINE const struct expr_op *
expr_eval_choose(const struct expr_op *op, double *top,
    const struct expr_env *env, unsigned lanes)
{
	const struct expr_op *jump = op + op->arg;
	double v[EXPR_LANES];
	unsigned yes = 0, no = 0;       /* one bit per lane */

	for (unsigned j = 0; j < lanes; j++)
		if (!isnan(top[j])) {
			yes |= (unsigned)(top[j] != 0) << j;
			no |= (unsigned)(top[j] == 0) << j;
		}
	memcpy(v, top, lanes * sizeof *v);
	if (yes != 0)
		expr_eval_run(op + 1, op->arg - 1, top, env, lanes);
	for (unsigned j = 0; j < lanes; j++)
		v[j] = yes >> j & 1 ? top[j] : v[j];
	if (no != 0)
		expr_eval_run(jump + 1, jump->arg, top, env, lanes);
	for (unsigned j = 0; j < lanes; j++)
		v[j] = no >> j & 1 ? top[j] : v[j];
	memcpy(top, v, lanes * sizeof *top);
	return jump + jump->arg;
}

/* Does an EXPR_THREAD: evaluates for one thread of each core alone. */
LANES_INLINE void
of_thread(const struct expr_op *op, double *top, const struct expr_env *env,
    unsigned lanes)
{
	expr_eval_fill(top, na(NA_NO_UNIT, 0), lanes);
	if (!env->enter(env->ctx, op, 0))
		return;
	expr_eval_run(op + 1, op->arg, top, env, lanes);
	env->leave(env->ctx);
}

LANES_INLINE void
push_ref(uint32_t ref, double *top, const struct expr_env *env)
{
	*top = env->table == NULL ? env->value(env->ctx, ref) :
	    env->table[(size_t)ref * EXPR_LANES];
}

static inline bool
is_operand(const struct expr_op *op)
{
	return op->code == EXPR_NUM || op->code == EXPR_REF;
}

static inline bool
is_arithmetic(const struct expr_op *op)
{
	return op->code >= EXPR_ADD && op->code <= EXPR_DIV;
}

/* The values of an operand, where they are; room: for those of a number. */
LANES_INLINE const double *
operand_at(const struct expr_op *op, const struct expr_env *env, double *room)
{
	if (op->code == EXPR_REF)
		return env->table + (size_t)op->arg * EXPR_LANES;
	expr_eval_fill(room, op->num, EXPR_LANES);
	return room;
}

/* Pushes an operand.  What is done with it at once, or with it and the one behind it, is
 * done from where they are: they need not be copied to the stack.  Returns the last
 * operation that is done, and sets top behind the value. */
LANES_INLINE const struct expr_op *
push_lanes(const struct expr_op *op, const struct expr_op *end, double **top,
    const struct expr_env *env)
{
	double number[EXPR_LANES], other[EXPR_LANES], *to = *top;
	const double *v = operand_at(op, env, number);

	if (op + 1 < end && is_arithmetic(op + 1)) {
		two_lanes(op + 1, to - EXPR_LANES, to - EXPR_LANES, v);
		return op + 1;
	}
	*top += EXPR_LANES;
	if (op + 2 < end && is_operand(op + 1) && is_arithmetic(op + 2)) {
		two_lanes(op + 2, to, v, operand_at(op + 1, env, other));
		return op + 2;
	}
	memcpy(to, v, EXPR_LANES * sizeof *to);
	return op;
}

/* Does an operation that has operations of its own, which follow it.  Leaves its value
 * at top, and returns the last of these operations. */
LANES_INLINE const struct expr_op *
nested_width(const struct expr_op *op, double *top, const struct expr_env *env,
    unsigned lanes)
{
	switch (op->code) {
	case EXPR_IF:
		return expr_eval_choose(op, top, env, lanes);
	case EXPR_EACH:
		fold_units(op, top, env, lanes);
		return op + op->arg;
	case EXPR_THREAD:
		of_thread(op, top, env, lanes);
		return op + op->arg;
	case EXPR_FOLD:
		return fold_list(op, top, env, lanes);
	case EXPR_PARTS:
		return expr_eval_add_parts(op, top, env, lanes);
	default:
		return expr_eval_first_of(op, top, env, lanes);
	}
}

/* The same for one lane, which is asked for most, and for EXPR_LANES: inlined, so that the
 * number of lanes is a constant in each. */
static const struct expr_op *
nested_one(const struct expr_op *op, double *top, const struct expr_env *env)
{
	return nested_width(op, top, env, 1);
}

WIDE_TOO static const struct expr_op *
nested_many(const struct expr_op *op, double *top, const struct expr_env *env)
{
	return nested_width(op, top, env, EXPR_LANES);
}

static const struct expr_op *
run_nested(const struct expr_op *op, double *top, const struct expr_env *env,
    unsigned lanes)
{
	return lanes == 1 ? nested_one(op, top, env) : nested_many(op, top, env);
}

/* Runs code; top is the first free entry of the stack, where the value is left. */
LANES_INLINE void
run_width(const struct expr_op *op, uint32_t nop, double *top,
    const struct expr_env *env, unsigned lanes)
{
	const struct expr_op *end = op + nop;

	for (; op < end; op++) {
		if (lanes > 1 && is_operand(op)) {
			op = push_lanes(op, end, &top, env);
			continue;
		}
		switch (op->code) {
		case EXPR_NUM:
			*top++ = op->num;
			break;
		case EXPR_REF:
			push_ref(op->arg, top++, env);
			break;
		case EXPR_NEG:
			negate(top - lanes, lanes);
			break;
		case EXPR_BOXES:        /* its inputs were bound to these boxes */
		case EXPR_JUMP:         /* in max(a, b): jumps over nothing */
			break;
		case EXPR_IF:
			op = run_nested(op, top - lanes, env, lanes);
			break;
		case EXPR_EACH: case EXPR_THREAD: case EXPR_FIRST:
		case EXPR_PARTS: case EXPR_FOLD:
			op = run_nested(op, top, env, lanes);
			top += lanes;
			break;
		default:
			top -= lanes;
			two(op, top - lanes, top, lanes);
		}
	}
}

static void
run_one(const struct expr_op *op, uint32_t nop, double *top,
    const struct expr_env *env)
{
	run_width(op, nop, top, env, 1);
}

WIDE_TOO static void
run_many(const struct expr_op *op, uint32_t nop, double *top,
    const struct expr_env *env)
{
	run_width(op, nop, top, env, EXPR_LANES);
}

static void
expr_eval_run(const struct expr_op *op, uint32_t nop, double *top,
    const struct expr_env *env, unsigned lanes)
{
	if (lanes == 1)
		run_one(op, nop, top, env);
	else
		run_many(op, nop, top, env);
}

double
expr_eval(const struct expr_op *op, uint32_t nop, const struct expr_env *env)
{
	double stack[EXPR_STACK + 1];

	stack[0] = NAN;
	run_one(op, nop, stack, env);
	return stack[0];
}

void
expr_eval_lanes(const struct expr_op *op, uint32_t nop,
    const struct expr_env *env, double *stack, double out[EXPR_LANES])
{
	run_many(op, nop, stack, env);
	memcpy(out, stack, EXPR_LANES * sizeof *out);
}
