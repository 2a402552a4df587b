/*
 * postproc/formula/expr.h - formulas: from text to postfix code, and its value.
 *
 *   expr    = choice
 *   choice  = compare [ "if" compare "else" choice ]
 *   compare = sum [ ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) sum ]
 *   sum     = product { ( "+" | "-" ) product }
 *   product = unary { ( "*" | "/" ) unary }
 *   unary   = { "-" | "+" } primary
 *   primary = NUMBER | "(" expr ")" | call | ref
 *   call    = ( "min" | "max" ) "(" expr "," expr { "," expr } ")"
 *           | ( "sum" | "min" | "max" | "avg" | "count" ) "(" expr ")"
 *           | "if" "(" expr "," expr "," expr ")"
 *           | ( "first" | "parts" ) "(" expr { "," expr } ")"
 *           | "thread" "(" NUMBER "," expr ")"
 *           | "boxes" "(" STRING "," expr ")"
 *           | "bit" "(" ref "," NUMBER ")" | "total" "(" ref ")"
 *   ref     = ( NAME | STRING ) [ "[" STRING "]" ]
 *
 * config/metrics/README says what they mean.  This file knows no columns: the caller
 * gives the value of each reference.
 */
#ifndef POSTPROC_FORMULA_EXPR_H
#define POSTPROC_FORMULA_EXPR_H

#include <stdint.h>

#include "config/arena.h"
#include "postproc/formula/lex.h"

enum expr_code {
	EXPR_NUM,               /* push num */
	EXPR_REF,               /* push the value of reference arg */
	EXPR_NEG,
	EXPR_ADD, EXPR_SUB, EXPR_MUL,
	EXPR_DIV,               /* arg: what na() is given where it is by zero */
	EXPR_LT, EXPR_LE, EXPR_GT, EXPR_GE, EXPR_EQ, EXPR_NE,
	EXPR_MIN, EXPR_MAX,     /* of two */
	EXPR_IF,                /* pop; when false skip arg operations */
	EXPR_JUMP,              /* skip arg operations */
	EXPR_EACH,              /* fold the next arg operations over units */
	EXPR_THREAD,            /* do the next arg operations for thread num alone */
	EXPR_BOXES,             /* do them for boxes alone that are called `name` */
	/* arg alternatives follow, or arg parts of a sum, or what EXPR_EACH folds,
	 * of arg units: each of them is an EXPR_ALT, whose num is its number, and
	 * the EXPR_ALT's own arg operations */
	EXPR_FIRST,
	EXPR_PARTS,
	EXPR_FOLD,
	EXPR_ALT,
};

enum expr_fold { FOLD_SUM, FOLD_MIN, FOLD_MAX, FOLD_AVG, FOLD_COUNT };

struct expr_op {
	uint8_t code;
	uint8_t fold;           /* EXPR_EACH, EXPR_FOLD: enum expr_fold */
	uint16_t space;         /* EXPR_EACH: for the binder's use */
	uint32_t arg;
	union {
		double num;
		const char *name;       /* EXPR_BOXES */
	};
};

enum expr_how { REF_RATE, REF_TOTAL, REF_BIT };

struct expr_ref {
	const char *name;       /* family, metric, constant ... */
	const char *event;      /* NULL: none was given */
	uint8_t how;            /* enum expr_how */
	uint8_t bit;
	unsigned line, col;
};

struct expr {
	const struct expr_op *op;
	uint32_t nop;
	const struct expr_ref *ref;
	uint32_t nref;
};

#define EXPR_MAX_OPS 65536
#define EXPR_MAX_NEST 128
#define EXPR_STACK 256

/*
 * expr_parse - read one expression from where the lexer stands, and leave it on the
 * word behind.  Code and names are in the arena.  In a formula of Intel's,
 * NAME "[" NUMBER "]" means boxes("NUMBER", NAME).
 * Returns 0, -EINVAL with "file:line:col: ..." in why, or -ENOMEM.
 */
int expr_parse(struct expr *, struct arena *, struct lex *, struct diag *why);
/* expr_parse_all - the same, and the statement has to end with it. */
int expr_parse_all(struct expr *, struct arena *, struct lex *, struct diag *why);

/* expr_beside - make e what the text "e + 0 * other" would be.  0 or -ENOMEM. */
int expr_beside(struct expr *e, struct arena *, const struct expr *other);

/* expr_depth - the greatest number of values on the stack; 0: the code is malformed. */
unsigned expr_depth(const struct expr_op *, uint32_t nop);

/*
 * What a formula is evaluated in.  NaN means "not available"; so is whatever is
 * computed from it, and a quotient by zero.  enter() narrows to unit n of an
 * EXPR_EACH, or to the thread of an EXPR_THREAD (n is 0), and returns false when
 * there is no such unit; leave() undoes the last enter() that returned true.
 * mark() returns a mark; drop(mark) says that the values since that mark do not
 * count: they are of an alternative that is not taken.
 */
struct expr_env {
	void *ctx;
	double (*value)(void *ctx, uint32_t ref);
	bool (*enter)(void *ctx, const struct expr_op *, unsigned n);
	void (*leave)(void *ctx);
	uint32_t (*mark)(void *ctx);
	void (*drop)(void *ctx, uint32_t mark);         /* or NULL, both */
	const double *table;    /* [reference][EXPR_LANES] instead of value();
	                         * or NULL */
};

/* expr_eval - the value of code that expr_depth() accepts.  With a table it is the
 * one in the first lane.  env may be NULL where the code has numbers alone.
 * expr_eval_lanes - EXPR_LANES values of one formula at once; needs a table, and
 * EXPR_LANES_STACK values of room: 33 KB. */
#define EXPR_LANES 16
#define EXPR_LANES_STACK ((EXPR_STACK + 1) * EXPR_LANES)
double expr_eval(const struct expr_op *, uint32_t nop, const struct expr_env *);
void expr_eval_lanes(const struct expr_op *, uint32_t nop,
    const struct expr_env *, double *stack, double out[EXPR_LANES]);

/* Why a value is not available (n/a): the payload of its NaN, which a formula hands
 * on with the value. */
enum na {
	NA_UNTOLD,              /* no reason is known */
	NA_BY_ZERO,             /* a quotient by zero; for the input: 0, or 1 + the number
	                         * of the input that was 0, with NA_AND_OTHERS where
	                         * it is the first of several */
	NA_NO_UNIT,             /* a fold over no unit, or no such thread */
	NA_NO_COLUMN,           /* these units have no column of an input */
	NA_LEFT_OUT,            /* no delta of an input is a count */
	NA_FOREIGN,             /* its counter was restarted from outside, and what
	                         * it counts since is not known */
	NA_STOPPED,             /* its counter stood still where it had to count */
	NA_NO_VALUE,            /* an input was not read in this time */
	NA_IN_COMMON,           /* no unit has all of the inputs */
	NA_TIME, NA_TSC,        /* no interval; no TSC */
	NA_PART,                /* counted for whole packages, asked for a part */
	NA_WALL, NA_MONOTONIC,  /* no wall clock; the head has no rate of the TSC */
	NA_APART,               /* its inputs are known of different times */
	NA_HEAD,                /* the head says nothing, or several things */
	NA_UNCOUNTED,           /* energy that this node does not count */
	NA_BEYOND,              /* an estimate that is outside of what can be */
};

/* na - a value that is not available: the reason, and the number of the input that
 * is to blame, or 0.
 * na_why - the reason of such a value; *input (or NULL) becomes the input. */
#define NA_AND_OTHERS (UINT32_C(1) << 31)
double na(enum na why, uint32_t input);
enum na na_why(double value, uint32_t *input);

#endif
