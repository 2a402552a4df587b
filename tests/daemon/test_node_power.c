/*
 * tests/daemon/test_node_power.c - a node's own power meter beside RAPL: what tally check
 * says of meters that can be, and of those that cannot, and what the report has.
 *
 * The machine draws 117 W of packages and DRAM while idle, 316 W in STREAM, which
 * runs from second 18 to 48 (config/machines/skx-8160-2s.machine).
 */
#include "tests/lib/files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static char *
out_of(const char *command, int want)
{
	FILE *f = popen(command, "r");
	char *text = calloc(1, 200000);
	int rc;

	assert_non_null(f);
	assert_non_null(text);
	text[fread(text, 1, 199999, f)] = '\0';
	rc = pclose(f);
	if (!WIFEXITED(rc) || WEXITSTATUS(rc) != want)
		fail_msg("%s: %d: %s", command, rc, text);
	return text;
}

/* A dump of 78 s of a node that has such a file. */
static const char *
dump_of(const char *file, const char *line)
{
	static char path[600];
	char tallyd[512], sim[400], conf[400], text[400], command[3000];

	snprintf(text, sizeof(text), "like @skx-8160-2s\nfile /sys/%s\n", file);
	snprintf(sim, sizeof(sim), "%s", test_put("p.machine", text));
	snprintf(text, sizeof(text), "read rapl_pkg_energy rapl_dram_energy\n"
	    "%s%s\n", line[0] != '\0' ? "read file=/sys/" : "", line);
	snprintf(conf, sizeof(conf), "%s", test_put("p.conf", text));
	snprintf(path, sizeof(path), "%s/p.lua", test_dir);
	snprintf(command, sizeof(command), "%s -q --sim %s --virtual-time -c %s "
	    "%s -n 79 --overwrite -o %s", built("tallyd", tallyd), sim, conf,
	    line[0] != '\0' ? "" : "-c @node-power", path);
	free(out_of(command, 0));
	return path;
}

static const struct {
	int line;
	const char *file, *read;
	const char *says;
} meters[] = {
	{ __LINE__, "m counter bits=64 idle=200 stream=450", "m unit=J as "
	    "node_energy", ": agrees: 65." },
	{ __LINE__, "m counter bits=64 idle=200000000 stream=450000000", "m "
	    "scale=1e-6 unit=J as node_energy", ": agrees: 65." },
	{ __LINE__, "cray/pm_counters/energy counter bits=64 idle=200 "
	    "stream=450", "", ": agrees: 65." },
	/* less than its parts */
	{ __LINE__, "m counter bits=64 idle=90 stream=450", "m unit=J as "
	    "node_energy", "pair: node_power: energy of packages and DRAM: "
	    "5633 J; of the node, by its own meter: 4320 J in 48 of 78 "
	    "intervals: differs by +30.4 %: 130.4 %, right is 102 % "
	    "or less: parts draw no more than the whole, which rises when they "
	    "do" },
	/* another node's, which is idle */
	{ __LINE__, "m counter bits=64 idle=500 stream=510", "m unit=J as "
	    "node_energy", "rise and fall apart: of 1 J more of the first "
	    "the second has 0.05 more: differs" },
	/* one that stands still, in microwatts as the kernel's drivers have them */
	{ __LINE__, "m = 500000000", "m gauge scale=1e-6 unit=W as node_power",
	    "of 1 J more of the first the second has" },
};

static void
a_meter_that_contradicts_rapl_is_found(void **state)
{
	char tally[512], command[2000];

	(void)state;
	for (size_t i = 0; i < sizeof(meters) / sizeof(meters[0]); i++) {
		const char *dump = dump_of(meters[i].file, meters[i].read);
		char *text;

		snprintf(command, sizeof(command), "%s check -v %s; true",
		    built("tally", tally), dump);
		text = out_of(command, 0);
		if (strstr(text, meters[i].says) == NULL)
			fail_msg("line %d: %s", meters[i].line, text);
		free(text);
	}
}

/* 30 of 78 s at 450 W, else 200: 296.2; of that (48 * 117.4 + 30 * 316.1) / 78 =
 * 193.8 by RAPL: 65.4 %. */
static void
the_report_has_the_ratio(void **state)
{
	char tally[512], command[2000], *text;
	const char *dump = dump_of("m counter bits=64 idle=200 stream=450",
	    "m unit=J as node_energy");

	(void)state;
	snprintf(command, sizeof(command), "%s metrics -S node -m "
	    "node_power,rapl_of_node -f csv %s", built("tally", tally), dump);
	text = out_of(command, 0);
	assert_non_null(strstr(text, ",node_power,node,,296."));
	assert_non_null(strstr(text, ",rapl_of_node,node,,65."));
	free(text);
	snprintf(command, sizeof(command), "%s report %s", tally, dump);
	text = out_of(command, 0);
	assert_non_null(strstr(text, "node, by its own meter"));
	assert_non_null(strstr(text, "packages and DRAM of it"));
	free(text);
}

/* It is not asked after where a node has none. */
static void
without_a_meter_nothing_is_said(void **state)
{
	char tally[512], command[2000], *text;
	const char *dump = dump_of("m = 5", "m gauge as other");

	(void)state;
	snprintf(command, sizeof(command), "%s check %s", built("tally", tally),
	    dump);
	text = out_of(command, 0);
	assert_null(strstr(text, "node_power"));
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_meter_that_contradicts_rapl_is_found),
		cmocka_unit_test(the_report_has_the_ratio),
		cmocka_unit_test(without_a_meter_nothing_is_said),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
