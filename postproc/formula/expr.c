/*
 * postproc/formula/expr.c - formulas: from text to postfix code, with a function for
 * each rule of the grammar in expr.h.  Nesting is limited, so that no text overflows
 * the stack.
 */
#include "postproc/formula/expr.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"

struct expr_parser {
	struct lex *lex;
	struct arena *arena;
	struct diag *why;
	struct expr_op *op;
	uint32_t nop, op_room;
	struct expr_ref *ref;
	uint32_t nref, ref_room;
	unsigned nest;
};

static int expr_choice(struct expr_parser *);

static int
expr_emit(struct expr_parser *p, enum expr_code code, uint32_t arg, double num)
{
	if (p->nop >= EXPR_MAX_OPS)
		return lex_fail(p->lex, p->why, "a formula of more than %d "
		    "operations", EXPR_MAX_OPS);
	if (!array_room(&p->op, p->nop, &p->op_room, sizeof *p->op))
		return -ENOMEM;
	p->op[p->nop++] = (struct expr_op){ .code = (uint8_t)code, .arg = arg,
	    .num = num };
	return 0;
}

static int
want(struct expr_parser *p, const char *mark)
{
	if (!lex_mark(p->lex, mark))
		return lex_fail(p->lex, p->why, "'%s' expected", mark);
	lex_next(p->lex);
	return 0;
}

/* Does an index as in NAME[3] begin here?  Formulas of Intel's metric lists have them. */
static bool
is_numbered(const struct lex *l)
{
	struct lex ahead;

	if (!l->intel || !lex_mark(l, "["))
		return false;
	ahead = *l;
	lex_next(&ahead);
	return ahead.kind == LEX_NUMBER;
}

/* ref = ( NAME | STRING ) [ "[" STRING "]" ]; `first` is its first word, and the present
 * one stands behind that. */
static int
reference(struct expr_parser *p, enum expr_how how, const struct lex *first,
    struct expr_ref **out)
{
	struct lex *l = p->lex;
	struct expr_ref r = { .how = (uint8_t)how, .line = first->word_line,
	    .col = first->word_col };

	if ((first->kind != LEX_NAME && first->kind != LEX_STRING) ||
	    first->len == 0)
		return lex_fail(first, p->why, "the name of a column expected");
	if ((r.name = arena_strndup(p->arena, first->text, first->len)) == NULL)
		return -ENOMEM;
	if (lex_mark(l, "[") && !is_numbered(l)) {
		lex_next(l);
		if (l->kind != LEX_STRING || l->len == 0)
			return lex_fail(l, p->why, "the name of an event "
			    "expected, in quotes");
		r.event = arena_strndup(p->arena, l->text, l->len);
		if (r.event == NULL)
			return -ENOMEM;
		lex_next(l);
		if (!lex_mark(l, "]"))
			return lex_fail(l, p->why, "']' expected");
		lex_next(l);
	}
	if (!array_room(&p->ref, p->nref, &p->ref_room, sizeof *p->ref))
		return -ENOMEM;
	p->ref[p->nref] = r;
	*out = &p->ref[p->nref];
	return expr_emit(p, EXPR_REF, p->nref++, 0);
}

/* Goes to the next word; returns the present one. */
static struct lex
next_behind(struct lex *l)
{
	struct lex word = *l;

	lex_next(l);
	return word;
}

/* Reads a whole number from 0 to max: that of a thread, or of a bit. */
static int
expr_small(struct expr_parser *p, unsigned max, unsigned *out)
{
	struct lex *l = p->lex;

	if (l->kind != LEX_NUMBER || !(l->number >= 0 && l->number <= max) ||
	    l->number != (double)(unsigned)l->number)
		return lex_fail(l, p->why, "a whole number up to %u expected",
		    max);
	*out = (unsigned)l->number;
	lex_next(l);
	return 0;
}

/* expr { "," expr } ")", behind a "(".  Several values are combined by `code`; one
 * alone is folded over units by `fold`. */
static int
extreme(struct expr_parser *p, enum expr_code code, enum expr_fold fold)
{
	uint32_t at = p->nop;
	unsigned args = 1;
	int rc;

	if ((rc = expr_emit(p, EXPR_EACH, 0, 0)) < 0 ||
	    (rc = expr_choice(p)) < 0)
		return rc;
	for (; lex_mark(p->lex, ","); args++) {
		lex_next(p->lex);
		if (code == EXPR_NUM)
			return lex_fail(p->lex, p->why, "one argument expected");
		if ((rc = expr_choice(p)) < 0 ||
		    (rc = expr_emit(p, code, 0, 0)) < 0)
			return rc;
	}
	if (args == 1) {
		p->op[at].fold = (uint8_t)fold;
		p->op[at].arg = p->nop - at - 1;
	} else                  /* no fold over units: its place becomes a jump */
		p->op[at] = (struct expr_op){ .code = EXPR_JUMP };
	return want(p, ")");
}

/* "(" c "," a "," b ")" */
static int
if_call(struct expr_parser *p)
{
	uint32_t test, jump;
	int rc;

	if ((rc = expr_choice(p)) < 0 || (rc = want(p, ",")) < 0)
		return rc;
	test = p->nop;
	if ((rc = expr_emit(p, EXPR_IF, 0, 0)) < 0 ||
	    (rc = expr_choice(p)) < 0 || (rc = want(p, ",")) < 0)
		return rc;
	jump = p->nop;
	if ((rc = expr_emit(p, EXPR_JUMP, 0, 0)) < 0 ||
	    (rc = expr_choice(p)) < 0)
		return rc;
	p->op[test].arg = jump - test;
	p->op[jump].arg = p->nop - jump - 1;
	return want(p, ")");
}

/* first(), parts() */
static int
list_call(struct expr_parser *p, enum expr_code code)
{
	uint32_t head = p->nop;
	int rc;

	if ((rc = expr_emit(p, code, 0, 0)) < 0)
		return rc;
	for (;;) {
		uint32_t alt = p->nop;

		if ((rc = expr_emit(p, EXPR_ALT, 0, p->op[head].arg)) < 0 ||
		    (rc = expr_choice(p)) < 0)
			return rc;
		p->op[alt].arg = p->nop - alt - 1;
		p->op[head].arg++;
		if (!lex_mark(p->lex, ","))
			return want(p, ")");
		lex_next(p->lex);
	}
}

static int
thread_call(struct expr_parser *p)
{
	uint32_t at = p->nop;
	unsigned thread;
	int rc;

	if ((rc = expr_small(p, 63, &thread)) < 0 || (rc = want(p, ",")) < 0 ||
	    (rc = expr_emit(p, EXPR_THREAD, 0, thread)) < 0 ||
	    (rc = expr_choice(p)) < 0)
		return rc;
	p->op[at].arg = p->nop - at - 1;
	return want(p, ")");
}

/* "boxes" "(" STRING "," expr ")" */
static int
boxes_call(struct expr_parser *p)
{
	struct lex *l = p->lex;
	uint32_t at = p->nop;
	const char *name;
	int rc;

	if (l->kind != LEX_STRING || l->len == 0)
		return lex_fail(l, p->why, "the name of boxes expected, in "
		    "quotes");
	if ((name = arena_strndup(p->arena, l->text, l->len)) == NULL)
		return -ENOMEM;
	lex_next(l);
	if ((rc = want(p, ",")) < 0 ||
	    (rc = expr_emit(p, EXPR_BOXES, 0, 0)) < 0 ||
	    (rc = expr_choice(p)) < 0)
		return rc;
	p->op[at].name = name;
	p->op[at].arg = p->nop - at - 1;
	return want(p, ")");
}

static int
bit_call(struct expr_parser *p)
{
	struct lex first = next_behind(p->lex);
	struct expr_ref *r;
	unsigned bit;
	int rc;

	if ((rc = reference(p, REF_BIT, &first, &r)) < 0 || (rc = want(p, ",")) < 0 ||
	    (rc = expr_small(p, 63, &bit)) < 0)
		return rc;
	r->bit = (uint8_t)bit;
	return want(p, ")");
}

static int
total_call(struct expr_parser *p)
{
	struct lex first = next_behind(p->lex);
	struct expr_ref *r;
	int rc = reference(p, REF_TOTAL, &first, &r);

	return rc < 0 ? rc : want(p, ")");
}

static int
expr_call(struct expr_parser *p, const char *name, size_t len)
{
#define IS(word) (len == sizeof word - 1 && memcmp(name, word, len) == 0)
	if (IS("min"))
		return extreme(p, EXPR_MIN, FOLD_MIN);
	if (IS("max"))
		return extreme(p, EXPR_MAX, FOLD_MAX);
	if (IS("sum"))
		return extreme(p, EXPR_NUM, FOLD_SUM);
	if (IS("avg"))
		return extreme(p, EXPR_NUM, FOLD_AVG);
	if (IS("count"))
		return extreme(p, EXPR_NUM, FOLD_COUNT);
	if (IS("if"))
		return if_call(p);
	if (IS("first"))
		return list_call(p, EXPR_FIRST);
	if (IS("parts"))
		return list_call(p, EXPR_PARTS);
	if (IS("thread"))
		return thread_call(p);
	if (IS("boxes"))
		return boxes_call(p);
	if (IS("bit"))
		return bit_call(p);
	if (IS("total"))
		return total_call(p);
#undef IS
	return lex_fail(p->lex, p->why, "no function '%.*s' (there are min max "
	    "sum avg count if first parts thread boxes bit total)",
	    (int)(len > 40 ? 40 : len), name);
}

/* NAME, or NAME "[" NUMBER "]": the box of that number in each package.  The present word
 * is the one behind the name. */
static int
expr_rate(struct expr_parser *p, const struct lex *name)
{
	uint32_t at = p->nop;
	struct expr_ref *r;
	unsigned box;
	char text[8];
	int rc;

	if (!is_numbered(p->lex))
		return reference(p, REF_RATE, name, &r);
	if ((rc = expr_emit(p, EXPR_BOXES, 1, 0)) < 0 ||
	    (rc = reference(p, REF_RATE, name, &r)) < 0)
		return rc;
	lex_next(p->lex);
	if ((rc = expr_small(p, 999, &box)) < 0)
		return rc;
	snprintf(text, sizeof text, "%u", box);
	p->op[at].name = arena_strndup(p->arena, text, strlen(text));
	return p->op[at].name == NULL ? -ENOMEM : want(p, "]");
}

static int
primary(struct expr_parser *p)
{
	struct lex *l = p->lex, word;
	struct expr_ref *r;
	double number = l->number;
	int rc;

	switch (l->kind) {
	case LEX_NUMBER:
		lex_next(l);
		return expr_emit(p, EXPR_NUM, 0, number);
	case LEX_NAME:
		word = next_behind(l);
		if (!lex_mark(l, "("))
			return expr_rate(p, &word);
		lex_next(l);
		return expr_call(p, word.text, word.len);
	case LEX_STRING:
		word = next_behind(l);
		return reference(p, REF_RATE, &word, &r);
	default:
		break;
	}
	if (!lex_mark(l, "("))
		return lex_fail(l, p->why, "a number, a name or '(' expected");
	lex_next(l);
	return (rc = expr_choice(p)) < 0 ? rc : want(p, ")");
}

static int
unary(struct expr_parser *p)
{
	bool negative = false;
	int rc;

	while (lex_mark(p->lex, "-") || lex_mark(p->lex, "+")) {
		negative ^= p->lex->mark[0] == '-';
		lex_next(p->lex);
	}
	if ((rc = primary(p)) < 0 || !negative)
		return rc;
	return expr_emit(p, EXPR_NEG, 0, 0);
}

static int
product(struct expr_parser *p)
{
	int rc = unary(p);

	while (rc == 0 && (lex_mark(p->lex, "*") || lex_mark(p->lex, "/"))) {
		enum expr_code code = p->lex->mark[0] == '*' ? EXPR_MUL :
		    EXPR_DIV;

		lex_next(p->lex);
		if ((rc = unary(p)) == 0)
			rc = expr_emit(p, code, 0, 0);
	}
	return rc;
}

static int
sum(struct expr_parser *p)
{
	int rc = product(p);

	while (rc == 0 && (lex_mark(p->lex, "+") || lex_mark(p->lex, "-"))) {
		enum expr_code code = p->lex->mark[0] == '+' ? EXPR_ADD :
		    EXPR_SUB;

		lex_next(p->lex);
		if ((rc = product(p)) == 0)
			rc = expr_emit(p, code, 0, 0);
	}
	return rc;
}

static int
expr_compare(struct expr_parser *p)
{
	static const char *const mark[] = { "<", "<=", ">", ">=", "==", "!=" };
	int rc = sum(p);

	for (unsigned i = 0; rc == 0 && i < 6; i++)
		if (lex_mark(p->lex, mark[i])) {
			lex_next(p->lex);
			if ((rc = sum(p)) == 0)
				rc = expr_emit(p, EXPR_LT + i, 0, 0);
			break;
		}
	return rc;
}

/* "x if c else y".  x is parsed first, but c has to be evaluated first, so the code of x
 * is moved behind that of c. */
static int
ternary(struct expr_parser *p, uint32_t x)
{
	uint32_t c = p->nop, n, jump;
	struct expr_op *copy;
	int rc;

	lex_next(p->lex);
	if ((rc = expr_compare(p)) < 0)
		return rc;
	if (!lex_word(p->lex, "else"))
		return lex_fail(p->lex, p->why, "'else' expected");
	lex_next(p->lex);
	n = c - x;
	if ((rc = expr_emit(p, EXPR_IF, n + 1, 0)) < 0)
		return rc;
	if ((copy = malloc(n * sizeof *copy)) == NULL)
		return -ENOMEM;
	memcpy(copy, p->op + x, n * sizeof *copy);
	memmove(p->op + x, p->op + c, (p->nop - c) * sizeof *copy);
	memcpy(p->op + p->nop - n, copy, n * sizeof *copy);
	free(copy);
	jump = p->nop;
	if ((rc = expr_emit(p, EXPR_JUMP, 0, 0)) < 0 ||
	    (rc = expr_choice(p)) < 0)
		return rc;
	p->op[jump].arg = p->nop - jump - 1;
	return 0;
}

static int
expr_choice(struct expr_parser *p)
{
	uint32_t x = p->nop;
	int rc;

	if (p->nest >= EXPR_MAX_NEST)
		return lex_fail(p->lex, p->why, "nested more than %d deep",
		    EXPR_MAX_NEST);
	p->nest++;
	if ((rc = expr_compare(p)) == 0 && lex_word(p->lex, "if"))
		rc = ternary(p, x);
	p->nest--;
	return rc;
}

int
expr_parse(struct expr *e, struct arena *arena, struct lex *lex,
    struct diag *why)
{
	struct expr_parser p = { .lex = lex, .arena = arena, .why = why };
	struct expr_op *op = NULL;
	struct expr_ref *ref = NULL;
	int rc = expr_choice(&p);

	if (rc == 0 && expr_depth(p.op, p.nop) == 0)
		rc = lex_fail(lex, why, "a formula that holds more than %d "
		    "values at once", EXPR_STACK);
	if (rc == 0) {
		op = arena_alloc(arena, p.nop * sizeof *op);
		ref = arena_alloc(arena, (p.nref + 1) * sizeof *ref);
		if (op == NULL || ref == NULL)
			rc = -ENOMEM;
	}
	if (rc == 0) {
		memcpy(op, p.op, p.nop * sizeof *op);
		if (p.nref > 0)
			memcpy(ref, p.ref, p.nref * sizeof *ref);
		*e = (struct expr){ .op = op, .nop = p.nop, .ref = ref,
		    .nref = p.nref };
	}
	free(p.op);
	free(p.ref);
	return rc;
}

int
expr_parse_all(struct expr *e, struct arena *arena, struct lex *l,
    struct diag *why)
{
	int rc = expr_parse(e, arena, l, why);

	return rc < 0 || l->kind == LEX_END || l->kind == LEX_STOP ? rc :
	    lex_fail(l, why, "an operator or the end of the formula expected");
}

int
expr_beside(struct expr *e, struct arena *arena, const struct expr *other)
{
	uint32_t n = e->nop, nref = e->nref, more = other->nop;
	struct expr_op *op = arena_alloc(arena, (n + more + 3) * sizeof *op);
	struct expr_ref *ref = arena_alloc(arena, (nref + other->nref + 1) *
	    sizeof *ref);

	if (op == NULL || ref == NULL)
		return -ENOMEM;
	memcpy(op, e->op, n * sizeof *op);
	op[n++] = (struct expr_op){ .code = EXPR_NUM };
	for (uint32_t i = 0; i < more; i++, n++) {
		op[n] = other->op[i];
		op[n].arg += op[n].code == EXPR_REF ? nref : 0;
	}
	op[n++] = (struct expr_op){ .code = EXPR_MUL };
	op[n++] = (struct expr_op){ .code = EXPR_ADD };
	if (nref > 0)
		memcpy(ref, e->ref, nref * sizeof *ref);
	if (other->nref > 0)
		memcpy(ref + nref, other->ref, other->nref * sizeof *ref);
	*e = (struct expr){ .op = op, .nop = n, .ref = ref,
	    .nref = nref + other->nref };
	return 0;
}
