/*
 * tests/postproc/formula/test_expr.c - the formulas of the metrics language.
 */
#include "tests/lib/files.h"

#include <math.h>
#include <string.h>

#include "postproc/formula/expr.h"

/* References are worth: x 6, y 0, nan n/a, u the unit (0, 1, 2 then none)
 * plus ten times the thread. */
struct bench {
	const struct expr *e;
	int unit, thread;
};

static double
value(void *ctx, uint32_t ref)
{
	const struct bench *b = ctx;
	const char *name = b->e->ref[ref].name;

	return name[0] == 'x' ? 6 : name[0] == 'y' ? 0 : name[0] == 'u' ?
	    b->unit + 10 * b->thread : (double)NAN;
}

static bool
enter(void *ctx, const struct expr_op *op, unsigned n)
{
	struct bench *b = ctx;

	if (op->code == EXPR_THREAD)
		b->thread = (int)op->num;
	else if (n < 3)
		b->unit = (int)n;
	else
		return false;
	return true;
}

static void
leave(void *ctx)
{
	struct bench *b = ctx;

	b->thread = 0;
}

static double
eval(const char *text, struct diag *why)
{
	struct arena *arena = arena_new();
	struct expr e;
	struct lex lex;
	double v = -12345;

	why->text[0] = '\0';
	lex_init(&lex, "f", text, strlen(text), false);
	if (expr_parse(&e, arena, &lex, why) == 0) {
		struct bench b = { .e = &e };
		struct expr_env env = { .ctx = &b, .value = value,
		    .enter = enter, .leave = leave };

		assert_int_equal(lex.kind, LEX_END);
		v = expr_eval(e.op, e.nop, &env);
	}
	arena_free(arena);
	return v;
}

static void
a_formula_has_the_value_that_arithmetic_gives(void **state)
{
	static const struct { int line; const char *text; double value; } t[] = {
		{ __LINE__, "1 + 2 * 3", 7 },
		{ __LINE__, "(1 + 2) * 3", 9 },
		{ __LINE__, "10 - 4 - 3", 3 },
		{ __LINE__, "16 / 4 / 2", 2 },
		{ __LINE__, "-2 * -3", 6 },
		{ __LINE__, "- - 2", 2 },
		{ __LINE__, "1 - -1", 2 },
		{ __LINE__, "0x10 + 1e3 + .5", 1016.5 },
		{ __LINE__, "18446744073709551616 / 4294967296", 4294967296.0 },
		{ __LINE__, "x / 4", 1.5 },
		{ __LINE__, "min(3, x, 1)", 1 },
		{ __LINE__, "max(3, x, 1)", 6 },
		{ __LINE__, "if(x > 5, 1, 2)", 1 },
		{ __LINE__, "if(x <= 5, 1, 2)", 2 },
		{ __LINE__, "1 if x == 6 else 2", 1 },
		{ __LINE__, "1 if x != 6 else 2", 2 },
		{ __LINE__, "1 if y else 2 if x else 3", 2 },
		{ __LINE__, "(1 + 1 if y else 5) * 2", 10 },
		{ __LINE__, "(x / 2) if x else nan", 3 },
		{ __LINE__, "nan if y else 4", 4 },
		{ __LINE__, "if(x < 5, nan, x)", 6 },
		{ __LINE__, "(3 < 4) + (3 >= 4)", 1 },
		{ __LINE__, "first(nan, y, x)", 0 },
		{ __LINE__, "1 + first(nan, nan * 2, x + 1) * 2", 15 },
		{ __LINE__, "parts(3, x, 1)", 10 },
		{ __LINE__, "2 * parts(x) - parts(1, parts(1, 1))", 9 },
		{ __LINE__, "sum(u)", 3 },
		{ __LINE__, "max(u * 2)", 4 },
		{ __LINE__, "min(u + 1)", 1 },
		{ __LINE__, "avg(u)", 1 },
		{ __LINE__, "count(x / u)", 2 },
		{ __LINE__, "sum(x / u)", 9 },
		{ __LINE__, "thread(1, u)", 10 },
		{ __LINE__, "1 # a comment\n + 1", 2 },
	};
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		double v = eval(t[i].text, &why);

		if (v != t[i].value)
			fail_msg("line %d: %s = %g (%s)", t[i].line, t[i].text,
			    v, why.text);
	}
}

static void
a_quotient_by_zero_and_all_it_touches_is_not_available(void **state)
{
	static const char *const text[] = { "1 / 0", "x / y", "0 / 0", "1 + 1 / y",
		"min(1, nan)", "max(nan, 1)", "nan < 1", "if(nan, 1, 2)",
		"1 if nan else 2", "-nan", "first(nan)", "max(nan)", "sum(nan)",
		"parts(1, nan)" };
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof text / sizeof *text; i++)
		if (!isnan(eval(text[i], &why)))
			fail_msg("%s is a number", text[i]);
}

static void
an_error_names_file_line_and_column(void **state)
{
	static const struct { int line; const char *text, *say; } t[] = {
		{ __LINE__, "1 +", "f:1:4: a number, a name or '(' expected, at "
		    "the end" },
		{ __LINE__, "1 +\n  * 2", "f:2:3: a number" },
		{ __LINE__, "(1 + 2", "f:1:7: ')' expected" },
		{ __LINE__, "sqrt(2)", "f:1:6: no function 'sqrt' (there are min" },
		{ __LINE__, "imc[3]", "f:1:5: the name of an event expected" },
		{ __LINE__, "imc[\"A", "f:1:5: the name of an event" },
		{ __LINE__, "bit(x + 1, 2)", "f:1:7: ',' expected" },
		{ __LINE__, "bit(x, 64)", "f:1:8: a whole number up to 63" },
		{ __LINE__, "thread(x, 1)", "f:1:8: a whole number" },
		{ __LINE__, "boxes(x, 1)", "f:1:7: the name of boxes expected, "
		    "in quotes" },
		{ __LINE__, "boxes(\"x\")", "f:1:10: ',' expected" },
		{ __LINE__, "sum(1, 2)", "f:1:8: one argument expected" },
		{ __LINE__, "1 if 2", "f:1:7: 'else' expected" },
		{ __LINE__, "1e999", "f:1:1: a number" },
		{ __LINE__, "0x", "f:1:1: a number" },
		{ __LINE__, "\x01", "f:1:1: a number, a name or '(' expected, at "
		    "byte 0x01" },
		{ __LINE__, "", "f:1:1: a number" },
	};
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		eval(t[i].text, &why);
		if (strncmp(why.text, t[i].say, strlen(t[i].say)) != 0)
			fail_msg("line %d: %s", t[i].line, why.text);
	}
}

static void
hostile_nesting_is_an_error_and_not_a_crash(void **state)
{
	static char text[400000];
	struct diag why;

	(void)state;
	memset(text, '(', sizeof text - 1);
	eval(text, &why);
	assert_non_null(strstr(why.text, "nested more than 128 deep"));
	memset(text, '-', sizeof text - 2);
	text[sizeof text - 2] = '1';
	assert_true(eval(text, &why) == 1 || eval(text, &why) == -1);
	for (size_t i = 0; i + 4 < sizeof text; i += 4)
		memcpy(text + i, "1 - ", 4);
	memcpy(text + sizeof text - 8, "1      ", 8);
	eval(text, &why);
	assert_non_null(strstr(why.text, "more than 65536 operations"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_formula_has_the_value_that_arithmetic_gives),
		cmocka_unit_test(
		    a_quotient_by_zero_and_all_it_touches_is_not_available),
		cmocka_unit_test(an_error_names_file_line_and_column),
		cmocka_unit_test(hostile_nesting_is_an_error_and_not_a_crash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
