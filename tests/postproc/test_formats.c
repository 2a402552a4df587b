/*
 * tests/postproc/test_formats.c - dumps of every number that the format has had are read, and
 * say what they said: tests/data/formats/format-N.lua was written by a tallyd of that
 * time, of the simulated C2758 over 2.95 s (four samples); what the counters of
 * that do in a second stands in config/machines/c2758.machine.
 */
#include "tests/lib/tally_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines of totals, of whatever number. */
static const char *const lines[] = {
	"totals_first = 0\n", "totals_last = 3\n",
	"totals_seconds = 2.950000\n",
	"\nrapl_pkg_energy_total[0] = 2899968\n",               /* 983040 */
	"\naperf_total[0] = 5752500000\n",                      /* 1.95e9 */
	"\ncore_fixed_counts_total[0][\"Inst_Retired.Any\"] = 4602000000\n",
	"\ncore_counts_total[0][\"LONGEST_LAT_CACHE.MISS\"] = 26550000\n",
	NULL
};

/* Its path; false: there is none of that number. */
static bool
of_format(unsigned number, char path[64])
{
	FILE *f;

	snprintf(path, 64, "tests/data/formats/format-%u.lua", number);
	if ((f = fopen(path, "r")) == NULL)
		return false;
	fclose(f);
	return true;
}

static unsigned
formats_there(void)
{
	unsigned n = 0;
	char path[64];

	while (of_format(n + 1, path))
		n++;
	assert_true(n >= 1);
	return n;
}

static void
a_dump_of_every_number_says_what_it_said(void **state)
{
	char path[64], words[100], first[40], *text;

	(void)state;
	for (unsigned n = 1; of_format(n, path); n++) {
		snprintf(first, sizeof(first), "tallyd_format = %u\n", n);
		text = file_text(path, NULL);
		assert_memory_equal(text, first, strlen(first));
		free(text);
		snprintf(words, sizeof(words), "totals %s", path);
		text = said(EXIT_OK, cmd_totals, words, NULL);
		for (const char *const *l = lines; *l != NULL; l++)
			if (strstr(text, *l) == NULL)
				fail_msg("%s has no%s", path, *l);
		free(text);
		snprintf(words, sizeof(words), "check %s", path);
		holds(said(EXIT_OK, cmd_check, words, NULL), ": sound\n");
	}
}

/* The original's dump has no number, and is read as well. */
static void
a_dump_without_a_number_is_the_originals(void **state)
{
	char path[512], words[600], *text;

	(void)state;
	text = file_text(recording(path), NULL);
	assert_null(strstr(text, "tallyd_format"));
	free(text);
	snprintf(words, sizeof(words), "totals -s 0:17 %s", path);
	holds(said(EXIT_OK, cmd_totals, words, NULL),
	    "\nimc_counts_total[0][0][\"CAS_COUNT.READS\"] = ");
}

/* Who changes the format leaves a dump of the old number here. */
static void
the_number_that_is_written_is_the_last_that_there_is(void **state)
{
	unsigned n = formats_there();
	char command[1200], path[600], tallyd[512], words[40], *text;

	(void)state;
	snprintf(path, sizeof(path), "%s/now.lua", test_dir);
	snprintf(command, sizeof(command), "%s -q --sim @c2758 --virtual-time "
	    "-n 2 -o %s", built("tallyd", tallyd), path);
	assert_int_equal(system(command), 0);
	text = file_text(path, NULL);
	snprintf(words, sizeof(words), "tallyd_format = %u\n", n);
	assert_memory_equal(text, words, strlen(words));
	free(text);
	snprintf(words, sizeof(words), "tallyd_format = %u\ntsc[0] = 1\n",
	    n + 1);
	holds(complained(-1, cmd_totals, "totals", words), "this program reads "
	    "format");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_dump_of_every_number_says_what_it_said),
		cmocka_unit_test(a_dump_without_a_number_is_the_originals),
		cmocka_unit_test(the_number_that_is_written_is_the_last_that_there_is),
	};

	return cmocka_run_group_tests_name("formats", tests, test_dir_new,
	    test_dir_free);
}
