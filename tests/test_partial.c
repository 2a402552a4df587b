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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_sample_alone_has_no_figures_and_is_told),
		cmocka_unit_test(
		    status_bits_are_looked_at_for_the_pages_of_io_too),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
