/*
 * tests/test_partial.c - dumps that do not have all of what is asked for: what
 * tally says of a figure that lacks some of its units, samples or turns.
 */
#include "tests/files.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/commands.h"

/* What a command says of a dump; its words are split at blanks. */
static char *
said(int want, int (*cmd)(int, char **), const char *words, const char *dump)
{
	static char line[256], out[128], path[128];
	char *argv[24];
	int argc = 0;

	snprintf(line, sizeof line, "%s", words);
	snprintf(out, sizeof out, "%s/out", test_dir);
	snprintf(path, sizeof path, "%s", test_put("dump", dump));
	for (char *w = strtok(line, " "); w != NULL; w = strtok(NULL, " "))
		argv[argc++] = w;
	argv[argc++] = (char[]){ "-o" };
	argv[argc++] = out;
	argv[argc++] = path;
	argv[argc] = NULL;
	optind = 0;
	remove(out);
	assert_int_equal(cmd(argc, argv), want);
	return file_text(out, NULL);
}

static void
holds(char *text, const char *what)
{
	if (strstr(text, what) == NULL)
		fail_msg("no \"%s\" in:\n%s", what, text);
	free(text);
}

static void
lacks(char *text, const char *what)
{
	if (strstr(text, what) != NULL)
		fail_msg("\"%s\" in:\n%s", what, text);
	free(text);
}

#define AT(i) "tsc[" #i "] = 1" #i "000000000\n" \
	"walltime[0][" #i "] = 100" #i "\nwalltime[1][" #i "] = 0\n"
#define HEAD "host = \"n\"\nmodel = \"skx\"\nTSC_ratio = 10\npackages = 1\n"

/* ---- ranges that are no interval ---- */

static const char status_bits[] = HEAD
    AT(0) "pkg_core_perf_limit_reasons[0][0] = 0x2\n"
    AT(1) "pkg_core_perf_limit_reasons[0][1] = 0x2\n"
    AT(2) "pkg_core_perf_limit_reasons[0][2] = 0x0\n";

static void
one_sample_alone_has_no_figures_and_is_told(void **state)
{
	static const struct {
		int (*cmd)(int, char **);
		const char *words;
	} t[] = {
		{ cmd_metrics, "metrics -s 1:1" },
		{ cmd_metrics, "metrics -e -s 1:1" },
		{ cmd_report, "report -s 1:1" },
		{ cmd_any_report, "report --io -s 1:1" },
		{ cmd_platform, "platform -s 1:1" },
		{ cmd_histogram, "histogram -m limit_prochot -s 1:1" },
		{ cmd_totals, "totals -s 1:1" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++)
		lacks(said(EXIT_UNUSABLE, t[i].cmd, t[i].words, status_bits),
		    "n/a");
	/* merge writes nothing at all */
	{
		char path[128], *argv[] = { (char[]){ "merge" },
		    (char[]){ "-s" }, (char[]){ "1:1" }, path, NULL };

		snprintf(path, sizeof path, "%s", test_put("dump",
		    status_bits));
		optind = 0;
		assert_int_equal(cmd_merge(4, argv), EXIT_UNUSABLE);
	}
}

static void
status_bits_are_looked_at_for_the_pages_of_io_too(void **state)
{
	char words[256];

	(void)state;
	snprintf(words, sizeof words, "report --io -f csv -M %s",
	    test_put("bits.metrics", "metric dram_read package \"%\" \"\" = "
	    "100 * bit(pkg_core_perf_limit_reasons, 1)\n"));
	holds(said(EXIT_OK, cmd_any_report, words, status_bits),
	    "package,0,,dram_read,50.0000,%");
}

/* ---- a row behind the range ---- */

static void
columns_of_a_row_behind_the_range_are_in_no_figure(void **state)
{
	static char text[1 << 17];
	size_t n = 0;

	(void)state;
	n += (size_t)sprintf(text, HEAD "set_name[0] = \"a\"\n"
	    "event_set[\"imc_counts\"][\"X\"] = \"a\"\n");
	for (int i = 0; i < 3; i++)
		n += (size_t)sprintf(text + n, "tsc[%d] = 1%d000000000\n"
		    "walltime[0][%d] = 100%d\nwalltime[1][%d] = 0\n"
		    "imc_counts[0][0][\"X\"][%d] = %d00\n", i, i, i, i, i, i,
		    i);
	/* so many that every array has to grow, the set's times last */
	n += (size_t)sprintf(text + n, "tsc[3] = 13000000000\n");
	for (int c = 0; c < 1100; c++)
		n += (size_t)sprintf(text + n,
		    "cha_counts[0][%d][\"Y\"][3] = 1\n", c);
	sprintf(text + n, "set_enabled[\"a\"][3] = 5\n"
	    "set_running[\"a\"][3] = 5\n");
	lacks(said(EXIT_OK, cmd_totals, "totals -s 0:2", text),
	    "cha_counts");
	lacks(said(EXIT_OK, cmd_metrics, "metrics -s 0:2", text),
	    "cha_counts");
	lacks(said(EXIT_OK, cmd_report, "report -s 0:2", text),
	    "cha_counts");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_sample_alone_has_no_figures_and_is_told),
		cmocka_unit_test(
		    status_bits_are_looked_at_for_the_pages_of_io_too),
		cmocka_unit_test(
		    columns_of_a_row_behind_the_range_are_in_no_figure),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
