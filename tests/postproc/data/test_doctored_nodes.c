/*
 * tests/postproc/data/test_doctored_nodes.c - dumps of simulated nodes with values in them that
 * cannot be: tally check says so, and no figure of their pages is silently another.
 */
#include "tests/lib/clean_dump.h"
#include "tests/lib/files.h"

/* Eight cores a package are as many rules as all of them: test_doctored has a node of
 * 96 lprocs. */
#define SKYLAKE "like @skx-8160-2s\ncores 8 ids=0-5,8-9\n"
#define ICE_LAKE "like @icx-8358-2s\ncores 8\n"
#define HASWELL "like @hsx-2699-2s\ncores 8\n"
#define EPYC "like @milan-7763-2s\ncores 16\n"
#define TABLES (1 << PAGE_METRICS | 1 << PAGE_REPORT | 1 << PAGE_TOTALS | \
	1 << PAGE_SERIES)

static const struct clean_look look = { .range = "0:14", .pages = TABLES,
	.findings = true };

static void
of_a_skylake_node_no_figure_is_silently_another(void **state)
{
	(void)state;
	assert_int_equal(clean_node_missed(SKYLAKE, &look), 0);
}

static void
of_an_ice_lake_node_no_figure_is_silently_another(void **state)
{
	(void)state;
	assert_int_equal(clean_node_missed(ICE_LAKE, &look), 0);
}

static void
of_a_haswell_node_no_figure_is_silently_another(void **state)
{
	(void)state;
	assert_int_equal(clean_node_missed(HASWELL, &look), 0);
}

static void
of_an_atom_node_no_figure_is_silently_another(void **state)
{
	(void)state;
	assert_int_equal(clean_node_missed("like @c2758\n", &look), 0);
}

static void
of_an_epyc_node_no_figure_is_silently_another(void **state)
{
	/* no fixed counters, and no channels of memory */
	static const struct clean_look amd = { .range = "0:14",
		.pages = TABLES, .findings = true, .least = 49 };

	(void)state;
	assert_int_equal(clean_node_missed(EPYC, &amd), 0);
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
