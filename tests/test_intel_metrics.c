/*
 * tests/test_intel_metrics.c - Intel's published metric lists, as they are.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "postproc/metrics.h"

static const char *
shared(const char *path)
{
	static char full[512];
	const char *dir = getenv("TALLYD_SHARED");

	snprintf(full, sizeof full, "%s/%s", dir ? dir : "../shared", path);
	return full;
}

static void
every_formula_of_a_list_parses(const char *path, unsigned expected)
{
	const char *file = shared(path);
	struct metrics m;
	struct diag why = { "" };
	unsigned n = 0;

	if (access(file, R_OK) < 0) {
		print_error("SKIPPED: no %s (set TALLYD_SHARED)\n", file);
		skip();
	}
	assert_int_equal(metrics_init(&m), 0);
	if (metrics_load(&m, file, &why) < 0)
		fail_msg("%s", why.text);
	for (unsigned i = 0; i < m.n; i++)
		if (strcmp(m.metric[i].file, file) == 0) {
			n++;
			assert_true(m.metric[i].expr.nop > 0);
			assert_true(expr_depth(m.metric[i].expr.op,
			    m.metric[i].expr.nop) > 0);
		}
	assert_int_equal(n, expected);
	metrics_fini(&m);
}

static void
all_260_formulas_of_skylake_sp_parse(void **state)
{
	(void)state;
	every_formula_of_a_list_parses(
	    "data/perfmon/SKX/metrics/skylakex_metrics.json", 260);
}

static void
all_282_formulas_of_ice_lake_sp_parse(void **state)
{
	(void)state;
	every_formula_of_a_list_parses(
	    "data/perfmon/ICX/metrics/icelakex_metrics.json", 282);
}

static void
a_list_that_is_none_is_an_error_with_its_place(void **state)
{
	static const struct { int line; const char *text, *say; } t[] = {
		{ __LINE__, "{", "m.json:1: " },
		{ __LINE__, "{}", "m.json:1: no list of metrics" },
		{ __LINE__, "{\"Metrics\": 3}", "m.json:1: no list of metrics" },
		{ __LINE__, "{\"Metrics\": [{}]}", "m.json:1: a metric needs" },
		{ __LINE__, "{\"Metrics\": [\n{\"MetricName\": \"x\",\n"
		    "\"Formula\": \"a +\"}]}", "m.json:3:4: a number, a name" },
		{ __LINE__, "{\"Metrics\": [{\"MetricName\": \"x\", \"Formula\": "
		    "\"a b\"}]}", "m.json:1:3: an operator or the end" },
		{ __LINE__, "{\"Metrics\": [{\"MetricName\": \"x\", \"Formula\": "
		    "\"a\", \"Events\": [{\"Name\": \"E\"}]}]}",
		    "m.json:1: an event or constant needs" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		struct metrics m;
		struct diag why = { "" };

		assert_int_equal(metrics_init(&m), 0);
		assert_true(metrics_parse_intel(&m, "m.json", t[i].text,
		    strlen(t[i].text), &why) < 0);
		if (strncmp(why.text, t[i].say, strlen(t[i].say)) != 0)
			fail_msg("line %d: %s", t[i].line, why.text);
		metrics_fini(&m);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_260_formulas_of_skylake_sp_parse),
		cmocka_unit_test(all_282_formulas_of_ice_lake_sp_parse),
		cmocka_unit_test(a_list_that_is_none_is_an_error_with_its_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
