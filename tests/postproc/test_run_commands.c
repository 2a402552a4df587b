/*
 * tests/postproc/test_run_commands.c - commands that are given the segments of a node have
 * them as one run.
 */
#include "tests/lib/tally_command.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLES 70
#define SEGMENTS 4              /* of 20 s and a part of one */

/* A simulated node, a sample a second of its time; the segments' folder. */
static char *
sampled_in_segments(void)
{
	char command[1200], tallyd[512], *dir = tree_new();

	tree_text(dir, "/conf", "core fixed\nread rapl_pkg_energy\n");
	snprintf(command, sizeof(command), "%s -q --sim @skx-8160-2s "
	    "--virtual-time -n %d --segment 20s -c %s/conf -o %s/run.lua",
	    built("tallyd", tallyd), SAMPLES, dir, dir);
	assert_int_equal(system(command), 0);
	return dir;
}

/* The names of segments first to last, the latest one first. */
static void
put_names(char *words, size_t size, const char *dir, unsigned first,
    unsigned last)
{
	for (unsigned i = last; i >= first; i--) {
		size_t n = strlen(words);

		snprintf(words + n, size - n, " %s/run.%06u.lua", dir, i);
	}
}

static char *
of_segments(int (*cmd)(int, char **), const char *first_words, const char *dir)
{
	char words[4096];

	snprintf(words, sizeof(words), "%s", first_words);
	put_names(words, sizeof(words), dir, 1, SEGMENTS);
	return said(EXIT_OK, cmd, words, NULL);
}

static void
a_conversion_has_each_sample_of_the_run_once(void **state)
{
	char *dir = sampled_in_segments();
	char *csv = of_segments(cmd_convert, "convert --wide-csv", dir);

	(void)state;
	assert_int_equal(text_lines(csv), SAMPLES + 1);
	assert_non_null(strstr(csv, "\n69,"));
	free(csv);
	csv = of_segments(cmd_convert, "convert --wide-csv -s 5:40", dir);
	assert_int_equal(text_lines(csv), 36 + 1);
	free(csv);
	tree_free(dir);
}

static void
files_of_two_runs_are_not_converted_into_one(void **state)
{
	char *dir = sampled_in_segments();
	char words[2048] = "convert --wide-csv", other[512];

	(void)state;
	put_names(words, sizeof(words), dir, 1, 2);
	snprintf(words + strlen(words), sizeof(words) - strlen(words), " %s",
	    recording(other));
	holds(complained(EXIT_USAGE, cmd_convert, words, NULL),
	    "one run at a time: ");
	tree_free(dir);
}

static void
two_ranges_of_a_run_are_compared_interval_by_interval(void **state)
{
	char *dir = sampled_in_segments();
	char *text = of_segments(cmd_diff, "diff -a 0:25 -b 30:", dir);

	(void)state;
	assert_non_null(strstr(text, "run.000001.lua (and "));
	assert_non_null(strstr(text, "Rank-sum test over intervals"));
	free(text);
	tree_free(dir);
}

static void
segments_on_either_side_of_a_colon_are_a_run_each(void **state)
{
	char *dir = sampled_in_segments();
	char words[2048] = "diff";
	char *text;

	(void)state;
	put_names(words, sizeof(words), dir, 1, 2);
	strcat(words, " :");
	put_names(words, sizeof(words), dir, 3, 3);
	text = said(EXIT_OK, cmd_diff, words, NULL);
	assert_non_null(strstr(text, "run.000001.lua (and 1 segment behind "
	    "it)\n"));
	assert_non_null(strstr(text, "run.000003.lua\n"));
	assert_non_null(strstr(text, "Rank-sum test over intervals"));
	free(text);
	tree_free(dir);
}

static void
what_disturbed_a_node_is_of_all_of_its_segments(void **state)
{
	char *dir = sampled_in_segments();
	char *csv = of_segments(cmd_jitter, "jitter -f csv", dir);
	const char *late = strstr(csv, ",late,");

	(void)state;
	assert_non_null(late);
	assert_null(strstr(late + 1, ",late,"));
	free(csv);
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_conversion_has_each_sample_of_the_run_once),
		cmocka_unit_test(files_of_two_runs_are_not_converted_into_one),
		cmocka_unit_test(
		    two_ranges_of_a_run_are_compared_interval_by_interval),
		cmocka_unit_test(
		    segments_on_either_side_of_a_colon_are_a_run_each),
		cmocka_unit_test(
		    what_disturbed_a_node_is_of_all_of_its_segments),
	};

	return cmocka_run_group_tests_name("run commands", tests, test_dir_new,
	    test_dir_free);
}
