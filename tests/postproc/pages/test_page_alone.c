/*
 * tests/postproc/pages/test_page_alone.c - the timelines of a page where all event sets have
 * turns within each interval, and one of these lacks a delta.
 */
#include "tests/lib/tally_command.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLES 6

/* Two boxes; each set counts for half of each second.  Box 1 counts 10, 20, ... in these
 * halves; box 0 the same, but has no value of sample 3. */
static const char *
of_halves(void)
{
	static char text[8000];
	size_t n = (size_t)sprintf(text, "host = \"n\"\nmodel = \"skx\"\n"
	    "TSC_ratio = 10\npackages = 1\nset_name[0] = \"a\"\n"
	    "set_name[1] = \"b\"\nturns = 2\nturn_seed = 1\n"
	    "event_set[\"imc_counts\"][\"X\"] = \"a\"\n"
	    "event_set[\"imc_counts\"][\"Y\"] = \"b\"\n");

	for (unsigned i = 0; i < SAMPLES; i++) {
		n += (size_t)sprintf(text + n, "tsc[%u] = %u000000000\n"
		    "walltime[0][%u] = %u\nwalltime[1][%u] = 0\n", i, 100 + i,
		    i, 1000 + i, i);
		for (unsigned k = 0; k < 2; k++)
			n += (size_t)sprintf(text + n, "set_enabled[\"%s\"]"
			    "[%u] = %u000000000\nset_running[\"%s\"][%u] = "
			    "%u00000000\n", k ? "b" : "a", i, i, k ? "b" :
			    "a", i, 5 * i);
		for (unsigned k = 0; k < 2; k++)
			for (unsigned b = 0; b < 2; b++)
				if (i != 3 || k != 0 || b != 0)
					n += (size_t)sprintf(text + n,
					    "imc_counts[0][%u][\"%s\"][%u] = "
					    "%u\n", b, k ? "Y" : "X", i,
					    5 * i * (i + 1));
	}
	return text;
}

/* The means of a line in the rows of --series, one after another. */
static const char *
means_of(const char *csv, const char *line)
{
	static char means[200];
	char row[400], *at;
	FILE *f = fopen(csv, "r");

	assert_non_null(f);
	means[0] = '\0';
	while (fgets(row, sizeof row, f) != NULL)
		if ((at = strstr(row, line)) != NULL)
			snprintf(means + strlen(means), sizeof means -
			    strlen(means), "%.*s ", (int)strcspn(at +
			    strlen(line), ","), at + strlen(line));
	fclose(f);
	return means;
}

static void
an_interval_that_lacks_a_delta_is_the_only_one_of_it(void **state)
{
	char words[600], csv[300], *text;

	(void)state;
	snprintf(csv, sizeof csv, "%s.csv", test_put("x.metrics",
	    "metric x box \"1/s\" \"\" = imc[\"X\"] / time\n"));
	snprintf(words, sizeof words, "page --only-lists -M %.*s --series %s",
	    (int)strlen(csv) - 4, csv, csv);
	text = said(EXIT_OK, cmd_page, words, of_halves());
	assert_string_equal(means_of(csv, ",x,box,0/1,"), "20.0000 40.0000 60.0000 80.0000 100.0000 ");
	assert_string_equal(means_of(csv, ",x,box,0/0,"),
	    "20.0000 40.0000   100.0000 ");
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    an_interval_that_lacks_a_delta_is_the_only_one_of_it),
	};

	return cmocka_run_group_tests_name("page_alone", tests, test_dir_new,
	    test_dir_free);
}
