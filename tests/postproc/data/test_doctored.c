/*
 * tests/postproc/data/test_doctored.c - a recording with values in it that cannot be: tally check
 * says so, and no figure of its pages is silently another one.
 */
#include "tests/lib/clean_dump.h"
#include "tests/lib/files.h"

#define TABLES (1 << PAGE_METRICS | 1 << PAGE_REPORT | 1 << PAGE_TOTALS | \
	1 << PAGE_SERIES)

static unsigned
recorded(const char *range)
{
	const struct clean_look look = { .range = range, .pages = TABLES,
	    .findings = true };
	char path[512];

	return clean_dump_missed(recording(path), true, &look);
}

static void
of_the_recording_no_figure_is_silently_another(void **state)
{
	(void)state;
	assert_int_equal(recorded("0:17"), 0);
	assert_int_equal(recorded("0:29"), 0);
}

static void
nor_is_it_of_what_was_recorded_after_the_takeover(void **state)
{
	(void)state;
	assert_int_equal(recorded("19:29"), 0);
}

static void
nor_is_it_on_any_other_page(void **state)
{
	static const struct clean_look look = { .range = "0:29",
	    .deltas = "8:14", .pages = 1 << PAGE_HISTOGRAM | 1 << PAGE_PLOT |
	    1 << PAGE_PLATFORM | 1 << PAGE_DIFF };
	char path[512];

	(void)state;
	assert_int_equal(clean_dump_missed(recording(path), true,
	    &look), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    of_the_recording_no_figure_is_silently_another),
		cmocka_unit_test(
		    nor_is_it_of_what_was_recorded_after_the_takeover),
		cmocka_unit_test(nor_is_it_on_any_other_page),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
