/*
 * tests/postproc/metrics/test_energy.c - energy that the platform counts, and
 * an energy register that exists but does not count: one note says so, and it
 * is no finding.
 */
#include "tests/lib/doctor.h"
#include "tests/lib/tally_command.h"

#include <stdlib.h>
#include <string.h>

/* The dump of a built-in machine, with lines of its own: 21 samples, a second each,
 * of which the first eleven are idle. */
static const char *
sampled(const char *machine, const char *more)
{
	static char path[300];
	char program[512], line[1200], text[400];

	snprintf(text, sizeof(text), "like %s\n%s", machine, more);
	snprintf(path, sizeof(path), "%s/run.lua", test_dir);
	snprintf(line, sizeof(line), "%s -q --sim %s --virtual-time -n 21 "
	    "--overwrite -o %s", built("tallyd", program), more[0] != '\0' ?
	    test_put("node.machine", text) : machine, path);
	assert_int_equal(system(line), 0);
	return path;
}

/* What a command says of it. */
static char *
of(int want, int (*cmd)(int, char **), const char *words, const char *path)
{
	char line[500];

	snprintf(line, sizeof(line), "%s %s", words, path);
	return said(want, cmd, line, NULL);
}

/* Each package reads the same counter, 300 J a second idle, then 900; of 32 bits,
 * as joules are: none of its deltas is ambiguous. */
static void
joules_of_a_platform_are_counts_and_those_of_packages_are_not_added(void **state)
{
	static const char *const machine[] = { "@spr-9480-2s", "@emr-8592-2s" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		const char *path = sampled(machine[i], "");

		holds(of(0, cmd_check, "check", path), " columns: sound\n");
		holds(of(0, cmd_report, "report", path), "Data      sound: ");
		holds(of(0, cmd_report, "report -s 0:10", path),
		    "  platform (PSYS)             W         "
		    "                     300.0\n");
		holds(of(0, cmd_metrics, "metrics -f csv -m platform_power -s 10:20",
		    path), ",platform_power,node,,900.");
	}
}

/* A dump says what a count of a family is that no table has. */
static void
a_counter_in_joules_that_only_its_dump_knows_is_one_of_energy(void **state)
{
	static const char dump[] = "tallyd_format = 1\nmodel = \"skx\"\n"
	    "family_bits[\"board_energy\"] = 32\n"
	    "family_unit[\"board_energy\"] = \"J\"\n"
	    "tsc[0] = 0\nboard_energy[0][0] = 4294967000\n"
	    "tsc[1] = 2000000000\nboard_energy[0][1] = 4\n";

	(void)state;
	holds(said(0, cmd_totals, "totals", dump), "300");
}

static void
energy_that_never_moves_is_a_note_and_not_0_watts(void **state)
{
	static const struct {
		const char *machine, *more, *note, *power;
	} of_node[] = {
		/* as the real Xeon 658X, at 2, and w7-2475X, at 0 */
		{ "@gnr-6960p-2s", "", "note: uncounted: rapl_dram_energy, "
		    "packages 0-1: not counted here: it never moved\n",
		    "dram_power" },
		{ "@spr-9480-2s", "msr 0x619 pkg = 0\n", "note: uncounted: "
		    "rapl_dram_energy, packages 0-1: not counted here: it "
		    "never moved\n", "dram_power" },
		/* and others at 0 alone: the i9-10980XE, the Atom C2750 */
		{ "@skx-8160-2s", "msr 0x619 pkg = 0\n", "note: uncounted: "
		    "rapl_dram_energy, packages 0-1: not counted here: it "
		    "never moved\n", "dram_power" },
		{ "@c2758", "msr 0x611 pkg = 0\n", "note: uncounted: "
		    "rapl_pkg_energy, package 0: not counted here: it never "
		    "moved\n", "package_power" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(of_node) / sizeof(of_node[0]); i++) {
		const char *path = sampled(of_node[i].machine,
		    of_node[i].more);
		char words[120], *text = of(0, cmd_check, "check", path);

		if (strstr(text, of_node[i].note) == NULL ||
		    strstr(text, ": stopped: ") != NULL)
			fail_msg("%s: %s", of_node[i].machine, text);
		free(text);
		text = of(0, cmd_report, "report", path);
		if (strstr(text, "Data      sound: ") == NULL ||
		    strstr(text, "n/a") != NULL)
			fail_msg("%s: %s", of_node[i].machine, text);
		snprintf(words, sizeof(words), "\nEnergy not counted here, "
		    "as it never moved: %s\n", of_node[i].power);
		holds(text, words);
		snprintf(words, sizeof(words), "metrics -S node -m %s",
		    of_node[i].power);
		holds(of(0, cmd_metrics, words, path),
		    " is not counted here: it never moved");
	}
}

/* A real STREAM of 100 rounds over 10,000,000 elements on a Haswell-EP with one DIMM
 * behind a meter (deater/rapl_validation): what moved in about 8.6 s, here in 8.  It
 * prints 10 arrays a round, 76,294 MiB; a line is read before it is written. */
static void
a_stream_moves_1_40_times_what_it_prints_as_lines_are_read_before_they_are_written(
    void **state)
{
	const char *path = sampled("@hsx-2699-2s",
	    "phase none\nphase stream\n"
	    "box imc pkg=0 present=0x1\nbox imc pkg=1 present=0\n"
	    "event imc 0x0304 stream=158722048 pkg=0\n"
	    "event imc 0x0c04 stream=63496192 pkg=0\n"
	    "msr 0x619 pkg counter bits=32 stream=330957 pkg=0\n");
	const double printed = 10 * 10000000 * 8 * 100.0;
	const double moved = (77501 + 31004) * 1048576.0;

	(void)state;
	assert_true(moved / printed > 1.40 && moved / printed < 1.43);
	/* lines of 64 bytes: 77,501 and 31,004 MiB; 40.4 J by 2^-16 J */
	holds(of(0, cmd_totals, "totals -s 0:8", path),
	    "imc_counts_total[0][0][\"CAS_COUNT.RD\"] = 1269776384\n");
	holds(of(0, cmd_totals, "totals -s 0:8", path),
	    "imc_counts_total[0][0][\"CAS_COUNT.WR\"] = 507969536\n");
	holds(of(0, cmd_metrics, "metrics -f csv -s 0:8 -m dram_energy", path),
	    ",dram_energy,node,,40.4000,J,");
	holds(of(1, cmd_why, "why -s 0:8", path), "DRAM moves 1.40 times what "
	    "STREAM\n   prints");
}

/* One package's counts: the node's figure is of that, and says so. */
static void
energy_that_one_package_counts_is_that_package_s(void **state)
{
	const char *path = sampled("@spr-9480-2s",
	    "msr 0x619 pkg = 0 pkg=0\n");

	(void)state;
	holds(of(0, cmd_metrics, "metrics -f csv -m dram_power", path),
	    ",dram_power,package,1,");
}

/* Nor does a sum of parts lack it. */
static void
power_of_packages_is_known_where_that_of_dram_is_not(void **state)
{
	const char *path = sampled("@gnr-6960p-2s", "");
	char words[400];

	(void)state;
	snprintf(words, sizeof(words), "metrics -f csv -S node -m both --metrics "
	    "%s", test_put("both.metrics", "metric both package \"W\" \"x\" = "
	    "parts(package_power, if(count(dram_power) > 0, dram_power, 0))\n"));
	holds(of(0, cmd_metrics, words, path), ",both,node,,651.0000,W,0,");
	/* where one package counts it, the sum is of that one, and says so */
	path = sampled("@spr-9480-2s", "msr 0x619 pkg = 0 pkg=0\n");
	holds(of(0, cmd_metrics, words, path), ",of 1 of 2 packages");
	holds(of(0, cmd_metrics, "metrics -f csv -S node -m dram_power", path),
	    ",of 1 of 2 packages");
}

/* What has counted, or by the model's tables has to, and stands still was stopped. */
static void
energy_that_stands_still_after_it_moved_was_stopped(void **state)
{
	static const struct doing_to rests = { DO_STAY, "rapl_dram_energy[*]",
	    5, 20, 0 }, stands = { DO_SET, "rapl_dram_energy[*]", 0, 20, 7 };
	struct doctored d;

	(void)state;
	doctored_load(&d, sampled("@spr-9480-2s", ""));
	assert_true(doctor(&d, &rests) > 0);
	holds(of(1, cmd_check, "check", doctored_write(&d, "rests.lua")),
	    "samples 5-20: stopped: rapl_dram_energy");
	doctored_free(&d);
	doctored_load(&d, sampled("@skx-8160-2s", ""));
	assert_true(doctor(&d, &stands) > 0);
	holds(of(1, cmd_check, "check", doctored_write(&d, "stands.lua")),
	    "samples 1-20: stopped: rapl_dram_energy");
	doctored_free(&d);
}

/* That a page explains its stars, and has some. */
static void
a_page_that_lacks_deltas_explains_a_star_only_where_one_is(void **state)
{
	static const struct doing_to shown = { DO_CLEAR, "rapl_pkg_energy[*]",
	    7, 7, 0 }, unseen = { DO_CLEAR, "cha_counts[0][0][*]", 7, 7, 0 };
	const char *path = sampled("@skx-8160-2s", "");
	struct doctored d;

	(void)state;
	doctored_load(&d, path);
	assert_true(doctor(&d, &shown) > 0);
	path = doctored_write(&d, "shown.lua");
	holds(of(0, cmd_report, "report", path), "Data      sound, but incomplete: ");
	holds(of(0, cmd_report, "report", path), "* marks figures that lack "
	    "some deltas");
	doctored_free(&d);
	doctored_load(&d, sampled("@skx-8160-2s", ""));
	assert_true(doctor(&d, &unseen) > 0);
	path = doctored_write(&d, "unseen.lua");
	holds(of(0, cmd_report, "report", path), "Data      sound, but incomplete: ");
	lacks(of(0, cmd_report, "report", path), "*");
	doctored_free(&d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joules_of_a_platform_are_counts_and_those_of_packages_are_not_added),
		cmocka_unit_test(a_counter_in_joules_that_only_its_dump_knows_is_one_of_energy),
		cmocka_unit_test(
		    a_stream_moves_1_40_times_what_it_prints_as_lines_are_read_before_they_are_written),
		cmocka_unit_test(energy_that_never_moves_is_a_note_and_not_0_watts),
		cmocka_unit_test(energy_that_one_package_counts_is_that_package_s),
		cmocka_unit_test(power_of_packages_is_known_where_that_of_dram_is_not),
		cmocka_unit_test(energy_that_stands_still_after_it_moved_was_stopped),
		cmocka_unit_test(a_page_that_lacks_deltas_explains_a_star_only_where_one_is),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
