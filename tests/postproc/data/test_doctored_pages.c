/*
 * tests/postproc/data/test_doctored_pages.c - dumps of simulated nodes with values in them that
 * cannot be, on the pages beside tables of metrics: deltas, histograms, drawings,
 * I/O, a range compared with itself, the HTML page.
 */
#include "tests/lib/clean_dump.h"
#include "tests/lib/files.h"

#define SKYLAKE "like @skx-8160-2s\ncores 8 ids=0-5,8-9\n"
#define ICE_LAKE "like @icx-8358-2s\ncores 8\n"
#define PAGES_OF_ALL (1 << PAGE_HISTOGRAM | 1 << PAGE_PLOT | 1 << PAGE_PLATFORM)
#define PAGES_OF_IO (PAGES_OF_ALL | 1 << PAGE_IO)
/* the slow ones, of the node with most in it */
#define PAGES_OF_SKX (PAGES_OF_IO | 1 << PAGE_DIFF | 1 << PAGE_OVERVIEW)

static const struct clean_look
    of_skylake = { .range = "0:14", .deltas = "8:14", .pages = PAGES_OF_SKX },
    of_ice_lake = { .range = "0:14", .deltas = "8:14", .pages = PAGES_OF_IO },
    /* at sample 12 one of its counters wraps: 0 is near what it has there */
    of_atom = { .range = "0:14", .deltas = "8:11", .pages = PAGES_OF_ALL },
    of_grace = { .range = "0:14", .deltas = "8:14", .pages = PAGES_OF_ALL };

static void
of_a_skylake_node_no_other_page_has_a_figure_silently_another(void **state)
{
	(void)state;
	assert_int_equal(clean_node_missed(SKYLAKE, &of_skylake), 0);
}

static void
nor_of_an_ice_lake_node(void **state)
{
	(void)state;
	assert_int_equal(clean_node_missed(ICE_LAKE, &of_ice_lake), 0);
}

static void
nor_of_an_atom_node(void **state)
{
	(void)state;
	assert_int_equal(clean_node_missed("like @c2758\n", &of_atom), 0);
}

static void
nor_of_a_grace_node(void **state)
{
	(void)state;
	assert_int_equal(clean_grace_missed(&of_grace), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    of_a_skylake_node_no_other_page_has_a_figure_silently_another),
		cmocka_unit_test(nor_of_an_ice_lake_node),
		cmocka_unit_test(nor_of_an_atom_node),
		cmocka_unit_test(nor_of_a_grace_node),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
