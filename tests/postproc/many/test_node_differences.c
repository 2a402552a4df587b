/*
 * tests/postproc/many/test_node_differences.c - tally merge: what nodes beside each other differ in, and
 * how well their clocks are kept.
 */
#include "tests/lib/files.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "postproc/commands.h"

enum { NODES = 6 };

static char path[NODES][80];

/* A dump of node n, whose head has these lines, too. */
static void
put_node(unsigned n, const char *head)
{
	char text[2048];

	snprintf(text, sizeof text, "host = \"n%u\"\nTSC_ratio = 10\n"
	    "nr_cpus = 1\n%stsc[0] = 1\nwalltime[0][0] = 5\n"
	    "walltime[1][0] = 0\nmperf[0][0] = 0\n"
	    "tsc[1] = 1000000001\nwalltime[0][1] = 6\nwalltime[1][1] = 0\n"
	    "mperf[0][1] = 7\n", n, head);
	snprintf(path[n], sizeof path[n], "%s", test_put(
	    (char[]){ 'n', (char)('0' + n), '\0' }, text));
}

/* What merge says of the first `nodes` on standard error; its page in *page,
 * where that is not NULL.  The caller frees both. */
static char *
merged(unsigned nodes, char **page)
{
	char out[80], err[80], *argv[NODES + 5] = { (char *)"merge",
	    (char *)"-o", out, (char *)"--overwrite" };
	int was = dup(STDERR_FILENO);
	FILE *f;

	snprintf(out, sizeof out, "%s/out", test_dir);
	snprintf(err, sizeof err, "%s/err", test_dir);
	for (unsigned n = 0; n < nodes; n++)
		argv[4 + n] = path[n];
	fflush(stderr);
	assert_non_null(f = fopen(err, "w"));
	dup2(fileno(f), STDERR_FILENO);
	optind = 0;
	assert_int_equal(cmd_merge(4 + (int)nodes, argv), EXIT_OK);
	fflush(stderr);
	dup2(was, STDERR_FILENO);
	close(was);
	fclose(f);
	if (page != NULL)
		*page = file_text(out, NULL);
	return file_text(err, NULL);
}

static void
what_matters_of_systems_that_differ_is_told_in_a_line_each(void **state)
{
	static const struct { const char *a, *b, *told; } t[] = {
		{ "kernel = \"5.14\"\n", "kernel = \"6.1\"\n",
		  "tally: nodes differ in kernel: 5.14 (n0 n2), 6.1 (n1)\n" },
		{ "tallyd_version = \"0.1\"\n", "tallyd_version = \"0.2\"\n",
		  "tally: nodes differ in version of tallyd: 0.1 (n0 n2), 0.2 "
		  "(n1)\n" },
		{ "microcode[0] = 0x49\nmicrocode[1] = 0x49\n",
		  "microcode[0] = 0x49\nmicrocode[1] = 0x43\n",
		  "tally: nodes differ in microcode: 0x49 (n0 n2), 0x49, 0x43 "
		  "(n1)\n" },
		{ "cpufreq_driver = \"intel_pstate\"\n",
		  "cpufreq_driver = \"acpi-cpufreq\"\n",
		  "tally: nodes differ in driver of core clocks: intel_pstate "
		  "(n0 n2), acpi-cpufreq (n1)\n" },
		{ "cpufreq_governor = \"performance\"\n",
		  "cpufreq_governor = \"powersave\"\n",
		  "tally: nodes differ in governor of core clocks: performance "
		  "(n0 n2), powersave (n1)\n" },
		{ "smt = \"on\"\n", "smt = \"off\"\n",
		  "tally: nodes differ in SMT: on (n0 n2), off (n1)\n" },
		{ "nmi_watchdog = 0\n", "nmi_watchdog = 1\n",
		  "tally: nodes differ in NMI watchdog: 0 (n0 n2), 1 (n1)\n" },
		{ "clock_source = \"tsc\"\n", "clock_source = \"hpet\"\n",
		  "tally: nodes differ in clock source: tsc (n0 n2), hpet "
		  "(n1)\n" },
		{ "ntp_state = \"synchronised\"\n",
		  "ntp_state = \"not synchronised\"\n",
		  "tally: nodes differ in NTP state: synchronised (n0 n2), not "
		  "synchronised (n1)\n" },
		{ "kernel = \"5\"\n", "kernel = \"5\"\npmu_holder[0] = \"perf\"\n"
		  "pmu_holder[1] = \"pcm\"\n",
		  "tally: nodes differ in who else had counters open: nobody "
		  "(n0 n2), perf, pcm (n1)\n" },
		{ "text_name[0] = \"/etc/a.conf\"\n"
		  "text_sha256[0] = \"0123456789abcdef\"\n",
		  "text_name[0] = \"/etc/a.conf\"\n"
		  "text_sha256[0] = \"0123456789abcdee\"\n",
		  "tally: nodes differ in configuration: a.conf 01234567 (n0 "
		  "n2), a.conf 01234567 (n1)\n" },
		{ "kernel_command_line = \"root=/dev/sda1 mitigations=off "
		  "isolcpus=3 quiet\"\n",
		  "kernel_command_line = \"root=/dev/sda2 notsc quiet\"\n",
		  "tally: nodes differ in what it was booted with: "
		  "mitigations=off, isolcpus=3 (n0 n2), nothing of note "
		  "(n1)\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char *text;

		put_node(0, t[i].a);
		put_node(1, t[i].b);
		put_node(2, t[i].a);
		text = merged(3, NULL);
		if (strcmp(text, t[i].told) != 0)
			fail_msg("%zu: %s", i, text);
		free(text);
	}
}

static void
nodes_that_differ_in_nothing_that_matters_are_alike(void **state)
{
	static const char *const other[] = {
		/* disks, consoles, addresses */
		"kernel_command_line = \"root=UUID=1 tsc=reliable quiet\"\n"
		"lockdown = \"none\"\nkernel = \"5\"\n"
		"text_name[0] = \"/a/x.conf\"\ntext_sha256[0] = \"ab\"\n",
		"kernel_command_line = \"root=UUID=2 console=ttyS0 "
		"tsc=reliable\"\nlockdown = \"integrity\"\nkernel = \"5\"\n"
		"text_name[0] = \"/b/y.conf\"\ntext_sha256[0] = \"ab\"\n",
		/* an older dump does not say */
		"",
	};
	char *text;

	(void)state;
	for (unsigned n = 0; n < 3; n++)
		put_node(n, other[n]);
	text = merged(3, NULL);
	assert_string_equal(text, "");
	free(text);
}

static void
clocks_that_nothing_keeps_are_named_and_the_worst_of_the_others(void **state)
{
	char *page, *text;

	(void)state;
	put_node(0, "ntp_state = \"synchronised\"\nntp_error = 0.000312\n");
	put_node(1, "ntp_state = \"synchronised\"\nntp_error = 0.002\n");
	put_node(2, "ntp_state = \"synchronised\"\nntp_error = 0.0005\n");
	text = merged(3, &page);
	assert_non_null(strstr(page, "its node's own wall clock.\nBy NTP's "
	    "estimate they are wrong by up to 0.002000 s: n1\n"));
	assert_null(strstr(page, "Not sync"));
	free(page);
	free(text);
	for (unsigned n = 1; n < NODES; n++)
		put_node(n, "ntp_state = \"not synchronised\"\n"
		    "ntp_error = 16\n");
	text = merged(NODES, &page);
	assert_non_null(strstr(page, "wall clock.\nNot synchronised: n1 n2 n3 "
	    "n4 and 1 more\nBy NTP's estimate they are wrong by up to 0.000312 "
	    "s: n0\n"));
	free(page);
	free(text);
	/* dumps that do not say */
	put_node(0, "");
	put_node(1, "");
	text = merged(2, &page);
	assert_non_null(strstr(page, "its node's own wall clock.\n"));
	free(page);
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    what_matters_of_systems_that_differ_is_told_in_a_line_each),
		cmocka_unit_test(
		    nodes_that_differ_in_nothing_that_matters_are_alike),
		cmocka_unit_test(
		    clocks_that_nothing_keeps_are_named_and_the_worst_of_the_others),
	};

	return cmocka_run_group_tests_name("nodes beside each other", tests,
	    test_dir_new, test_dir_free);
}
