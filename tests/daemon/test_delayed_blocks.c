/*
 * tests/daemon/test_delayed_blocks.c - one reading inside a sample is delayed:
 * each block of readings has its own time stamp, so rates stay right; tally
 * check says how far apart the readings of a sample are, and reports a delay
 * that no stamp shows.
 */
#include "tests/lib/tally_command.h"

#include <stdlib.h>
#include <string.h>

/* What tallyd writes of a machine where one reading, 2.5 s after its start, takes
 * 41.2 ms longer. */
static const char *
delayed(const char *mode, const char *what, const char *more)
{
	static char path[300];
	char tallyd[512], command[1400];

	snprintf(path, sizeof path, "%s/dump", test_dir);
	snprintf(command, sizeof command, "{ %s --print @skx-8160-2s; echo 'from "
	    "2.5 %s stall 0.0412'; } >%s/machine && %s -q --sim %s/machine "
	    "--virtual-time -n 6 --read %s %s --overwrite -o %s",
	    built("tallyd", tallyd), what, test_dir, tallyd, test_dir, mode,
	    more, path);
	if (system(command) != 0)
		fail_msg("%s", command);
	return path;
}

static char *
of(const char *command, int (*cmd)(int, char **), const char *path, int status)
{
	char words[600];

	snprintf(words, sizeof words, "%s %s", command, path);
	return said(status, cmd, words, NULL);
}

/* As without a delay: of the interval that it is in, and of the next. */
static void
rates_hold(const char *path)
{
	static const char *const figure[] = {
		",instructions,lproc,0,0.0006911,",
		",instructions,lproc,5,0.0006916,",
		",instructions,lproc,25,0.00009158,",
		",package_power,node,,105.994", ",dram_read,box,0/0,0.0009390,",
		",dram_read,box,1/3,0.001069,", ",upi_out,box,1/2,0.0002928,",
	};
	static const char *const range[] = { "2:3", "3:4" };

	for (unsigned r = 0; r < 2; r++) {
		char words[100], *text;

		snprintf(words, sizeof words, "metrics -S all -f csv -s %s",
		    range[r]);
		text = of(words, cmd_metrics, path, EXIT_OK);
		for (unsigned i = 0; i < sizeof figure / sizeof *figure; i++)
			if (strstr(text, figure[i]) == NULL)
				fail_msg("no %s in %s", figure[i], range[r]);
		free(text);
	}
}

static void
a_late_block_has_the_rates_of_its_own_time(void **state)
{
	static const char *const what[] = { "pci 3a:0a.2", "lproc 5", "lproc 0",
	    "lproc 24" };
	static const char *const mode[] = { "batch", "remote" };

	(void)state;
	for (unsigned i = 0; i < 8; i++) {
		const char *path = delayed(mode[i / 4], what[i % 4], "");

		rates_hold(path);
		holds(of("check", cmd_check, path, EXIT_OK), " note: skew: "
		    "readings of one sample are up to 41.200 ms apart (sample "
		    "3); with the stamps of their blocks 0.000 ms\n");
	}
}

static void
what_is_late_under_one_stamp_is_a_finding(void **state)
{
	static const char *const mode[] = { "batch", "remote" };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		const char *path = delayed(mode[i], "pci 3a:0c.2", "");

		holds(of("check", cmd_check, path, EXIT_FINDINGS), "sample 3: skew: "
		    "registers under one stamp were read in 41.200 ms, in the "
		    "sample before in 0.000 ms: rates may be up to 4.1 % wrong\n");
		rates_hold(path);       /* none of them is of that function */
	}
}

#define SAMPLE(i, ms) "tsc[" #i "] = 1" #i "000000000\n" \
	"walltime[0][" #i "] = 100" #i "\nwalltime[1][" #i "] = 0\n" \
	"lproc_tsc[0][" #i "] = 1" #i "001000000\n" \
	"lproc_tsc[1][" #i "] = 1" #i "002000000\n" \
	"sample_duration_ns[" #i "] = " #ms "000000\n"

/* Older ones do not say which block took longest: with all of a batch at once it is
 * what comes after the last stamp. */
static void
a_dump_without_the_longest_block_has_that_finding_too(void **state)
{
	(void)state;
	holds(said(EXIT_FINDINGS, cmd_check, "check",
	    "host = \"n\"\nmodel = \"skx\"\nTSC_ratio = 10\nnr_cpus = 2\n"
	    "read_mode = \"batch\"\nlproc_package[0] = 0\n"
	    "lproc_package[1] = 0\nlproc_core[0] = 0\nlproc_core[1] = 1\n"
	    SAMPLE(0, 3) SAMPLE(1, 3) SAMPLE(2, 43) SAMPLE(3, 3)), "sample 2: "
	    "skew: registers under one stamp were read in 41.000 ms, in the "
	    "sample before in 1.000 ms: rates may be up to 4.0 % wrong\n");
}

/* The lines of an lproc's own events. */
static char *
totals_of_lproc_5(const char *mode, const char *options)
{
	char *text = of("totals -f csv -s 1:5", cmd_totals, delayed(mode,
	    "lproc 5", options), EXIT_OK), *from, *to;

	from = strstr(text, ",1,5,\"core_counts[5]");
	to = strstr(text, ",1,5,\"core_counts[6]");
	assert_true(from != NULL && to != NULL);
	*to = '\0';
	memmove(text, from, strlen(from) + 1);
	return text;
}

/* Counters that event sets share are in the one call too. */
static void
event_sets_of_a_batch_count_as_one_by_one(void **state)
{
	char options[300], *one, *other;

	(void)state;
	snprintf(options, sizeof options, "-i 2 -c %s", test_put("sets.conf",
	    "set a\ncore INST event=0xc0\n"
	    "set b\ncore CYCLES event=0x3c\n"));
	one = totals_of_lproc_5("batch", options);
	other = totals_of_lproc_5("remote", options);
	assert_string_equal(one, other);
	holds(one, "INST");
	free(other);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_late_block_has_the_rates_of_its_own_time),
		cmocka_unit_test(what_is_late_under_one_stamp_is_a_finding),
		cmocka_unit_test(
		    a_dump_without_the_longest_block_has_that_finding_too),
		cmocka_unit_test(event_sets_of_a_batch_count_as_one_by_one),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
