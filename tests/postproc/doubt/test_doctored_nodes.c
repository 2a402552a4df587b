/*
 * tests/postproc/doubt/test_doctored_nodes.c - dumps of simulated nodes with values in them that
 * cannot be: tally check says so, and no figure of their pages is silently another.
 */
#include "tests/lib/clean_dump.h"
#include "tests/lib/files.h"

#define TABLES (1 << PAGE_METRICS | 1 << PAGE_REPORT | 1 << PAGE_TOTALS | \
	1 << PAGE_SERIES)

static const struct clean_look look = { .range = "0:14", .pages = TABLES,
	.findings = true };

static void
of_a_skylake_node_no_figure_is_silently_another(void **state)
{
	(void)state;
	assert_int_equal(clean_node_missed("skx-8160-2s", &look), 0);
}

static void
of_an_ice_lake_node_no_figure_is_silently_another(void **state)
{
	(void)state;
	assert_int_equal(clean_node_missed("icx-8358-2s", &look), 0);
}

static void
of_a_haswell_node_no_figure_is_silently_another(void **state)
{
	(void)state;
	assert_int_equal(clean_node_missed("hsx-2699-2s", &look), 0);
}

static void
of_an_atom_node_no_figure_is_silently_another(void **state)
{
	(void)state;
	assert_int_equal(clean_node_missed("c2758", &look), 0);
}

static void
of_an_epyc_node_no_figure_is_silently_another(void **state)
{
	/* no fixed counters, and no channels of memory */
	static const struct clean_look amd = { .range = "0:14",
		.pages = TABLES, .findings = true, .least = 49 };

	(void)state;
	assert_int_equal(clean_node_missed("milan-7763-2s", &amd), 0);
}

static void
of_a_grace_node_no_figure_is_silently_another(void **state)
{
	(void)state;
	assert_int_equal(clean_grace_missed(&look), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    of_a_skylake_node_no_figure_is_silently_another),
		cmocka_unit_test(
		    of_an_ice_lake_node_no_figure_is_silently_another),
		cmocka_unit_test(
		    of_a_haswell_node_no_figure_is_silently_another),
		cmocka_unit_test(of_an_atom_node_no_figure_is_silently_another),
		cmocka_unit_test(of_an_epyc_node_no_figure_is_silently_another),
		cmocka_unit_test(of_a_grace_node_no_figure_is_silently_another),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
