/*
 * tests/postproc/many/test_diff.c - two runs compared: what is named as changed, and how often
 * that is by chance.
 */
#include "tests/lib/files.h"
#include "tests/lib/tally_command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/commands.h"
#include "postproc/metrics/statistics.h"

static void
is_about(double p, double want)
{
	if (!(fabs(p - want) <= want / 1000))
		fail_msg("%.6g, not %.6g", p, want);
}

/* By the formulas: U = 0 of 10 x 10: z = 49.5 / sqrt(175), p = 0.000183; with one
 * of each on the other side U = 10: z = 39.5 / sqrt(175 * 1.0425 / 0.9575), as
 * b's ranks then have 0.085 in common with those before them. */
static void
ranks_that_do_not_overlap_are_no_chance(void **state)
{
	/* shuffled: none is like the one before */
	double a[] = { 5, 1, 9, 2, 8, 3, 10, 4, 7, 6 }, b[10], ranks[20];

	(void)state;
	for (int i = 0; i < 10; i++)
		b[i] = a[i] + 10;
	is_about(rank_test(a, 10, b, 10, ranks), 1.8267e-4);
	assert_true(rank_test(a, 10, a, 10, ranks) > 0.9999);
	a[2] = 19;
	b[2] = 9;
	is_about(rank_test(a, 10, b, 10, ranks), 4.2220e-3);
	for (int i = 0; i < 10; i++)
		a[i] = b[i] = 3;
	assert_true(rank_test(a, 10, b, 10, ranks) > 0.9999);
	assert_true(isnan(rank_test(a, 3, b, 10, ranks)));
	assert_true(isnan(rank_test(a, 10, b, 3, ranks)));
}

static void
values_that_drift_prove_less(void **state)
{
	double up[10], over[10], ranks[20];

	(void)state;
	for (int i = 0; i < 10; i++) {
		up[i] = i;
		over[i] = i + 10;
	}
	/* lag 1: 0.7, so 49.5 / sqrt(175 * 1.7 / 0.3) */
	is_about(rank_test(up, 10, over, 10, ranks), 0.11605);
}

/* Of two steps of 1e-6 each way 20 do not make 50. */
static void
a_change_that_no_drift_explains_is_one(void **state)
{
	double a[10], b[10], ranks[20];

	(void)state;
	for (int i = 0; i < 10; i++) {
		a[i] = 100 - i * 1e-6;
		b[i] = 50 - i * 1e-6;
	}
	is_about(rank_test(a, 10, b, 10, ranks), 1.8267e-4);
	/* as fast as it goes in b, it would be there */
	b[9] = 47;
	is_about(rank_test(a, 10, b, 10, ranks), 0.11605);
}

static double
uniform(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(*seed >> 11) / 9007199254740992.0;
}

/* 100 runs of 80 figures that are the same and 20 that are not: of those named,
 * 1 in 100 may be by chance, and the others are found. */
static void
changes_by_chance_are_as_rare_as_is_said(void **state)
{
	double a[30], b[30], ranks[60], p[100];
	struct ranked_p order[100];
	unsigned char is[100];
	unsigned by_chance = 0, found = 0;

	(void)state;
	for (uint64_t run = 1; run <= 100; run++) {
		uint64_t seed = run * 0x9e3779b97f4a7c15;

		for (unsigned k = 0; k < 100; k++) {
			for (unsigned i = 0; i < 30; i++) {
				a[i] = uniform(&seed);
				b[i] = uniform(&seed) + (k < 20 ? 0.6 : 0);
			}
			p[k] = rank_test(a, 30, b, 30, ranks);
		}
		discoveries(p, 100, 0.01, order, is);
		for (unsigned k = 0; k < 100; k++)
			*(k < 20 ? &found : &by_chance) += is[k];
	}
	if (by_chance > 20 || found < 1990)
		fail_msg("%u by chance, %u of 2000 found", by_chance, found);
}

static void
a_run_is_like_itself(void **state)
{
	char path[512], words[1200];

	(void)state;
	recording(path);
	snprintf(words, sizeof(words), "diff %s %s", path, path);
	holds(said(EXIT_OK, cmd_diff, words, NULL),
	    "\n0 of 217 figures changed by more than they vary; 1 have fewer "
	    "than 4 values");
}

/* The row of a figure; "": there is none. */
static const char *
row(const char *text, const char *metric, const char *where)
{
	static char line[300];
	char name[80], scope[20], at[20];

	for (; text != NULL && *text != '\0'; text = strchr(text, '\n'),
	    text += text != NULL) {
		snprintf(line, sizeof(line), "%.*s", (int)strcspn(text, "\n"),
		    text);
		if (sscanf(line, "%79[^,],%19[^,],%19[^,],", name, scope, at) >= 2
		    && strcmp(name, metric) == 0 && strcmp(where,
		    strcmp(scope, "node") == 0 ? "node" : at) == 0)
			return line;
	}
	return "";
}

static double
field(const char *line, unsigned n)
{
	for (; n > 0 && line != NULL; n--)
		line = strchr(line, ',') ? strchr(line, ',') + 1 : NULL;
	return line == NULL || *line == ',' ? (double)NAN : strtod(line, NULL);
}

/* The recording: idle, then STREAM.  Averages are those of `tally metrics`. */
static void
two_phases_differ_in_what_they_do(void **state)
{
	char path[512], words[1200], *text;
	const char *line;

	(void)state;
	recording(path);
	snprintf(words, sizeof(words), "diff -f csv -a 0:17 -b 19:29 --all %s",
	    path);
	text = said(EXIT_OK, cmd_diff, words, NULL);
	line = row(text, "dram_read", "node");
	assert_true(fabs(field(line, 3) - 0.01212) < 0.00001);
	assert_true(fabs(field(line, 4) - 115.995) < 0.01);
	assert_non_null(strstr(line, ",more"));
	line = row(text, "frequency", "1");
	assert_true(fabs(field(line, 6) - -24.3) < 0.1);
	assert_non_null(strstr(line, ",less"));
	assert_non_null(strstr(row(text, "smi", "0"), ",same"));
	/* a counter that was taken over in between is no smaller one */
	assert_non_null(strstr(row(text, "core_idle", "node"),
	    "only in A: "));
	/* 17 s and 10 s: energy by the second */
	line = row(text, "package_energy", "0");
	assert_true(fabs(field(line, 3) - 55.713) < 0.01);
	assert_non_null(strstr(line, "J/s"));
	free(text);
}

/* Two runs that idle and work, one for less of the time: nothing is beyond what varies
 * within a run, but nobody is told that they are the same. */
static void
runs_of_two_phases_are_not_called_the_same(void **state)
{
	char tallyd[512], path[2][512], words[2400], *text;
	const char *line;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		snprintf(path[i], sizeof(path[i]), "%s", test_put(i == 0 ?
		    "long" : "short", ""));
		snprintf(words, sizeof(words), "%s -q --sim @skx-8160-2s "
		    "--virtual-time -n %u --overwrite -o %s", built("tallyd",
		    tallyd), i == 0 ? 40 : 24, path[i]);
		assert_int_equal(system(words), 0);
	}
	snprintf(words, sizeof(words), "diff -f csv --all %s %s", path[0],
	    path[1]);
	text = said(EXIT_OK, cmd_diff, words, NULL);
	line = row(text, "dram_read", "node");
	assert_true(field(line, 6) < -50);
	assert_non_null(strstr(line, ",varies"));
	assert_non_null(strstr(row(text, "smi", "0"), ",same"));
	free(text);
	snprintf(words, sizeof(words), "diff %s %s", path[0], path[1]);
	text = said(EXIT_OK, cmd_diff, words, NULL);
	assert_non_null(strstr(text, "\n0 of "));
	assert_non_null(strstr(text, " by 5 % and more, but so do intervals of a "
	    "side among themselves (--all shows them; -a and -b compare "
	    "phases)"));
	free(text);
}

/* Of all rows of a comparison: how many are the same though chance does not
 * explain them; what is named as a change is one of that many per cent. */
static unsigned
same_by_size(const char *text, double least)
{
	unsigned same = 0, named = 0;

	for (text = strchr(text, '\n'); text != NULL && text[1] != '\0';
	    text = strchr(text + 1, '\n')) {
		double a = field(text, 3), b = field(text, 4);
		double change = fabs(field(text, 6)), p = field(text, 7);
		const char *verdict = text;

		for (unsigned n = 0; n < 8; n++)
			verdict = strchr(verdict, ',') + 1;
		if (strncmp(verdict, "more,", 5) == 0 ||
		    strncmp(verdict, "less,", 5) == 0) {
			named++;
			if (!(change >= least || (a == 0 && b != 0)) ||
			    (a < b) != (verdict[0] == 'm'))
				fail_msg("%.*s", (int)strcspn(text + 1, "\n"),
				    text + 1);
		} else if (strncmp(verdict, "same,", 5) == 0)
			same += p < 1e-3 && change < least;
	}
	assert_true(named > 100);
	return same;
}

static void
what_differs_by_less_than_is_asked_for_is_the_same(void **state)
{
	static const struct option_words {
		const char *words;
		double least;
	} all[] = { { "", 0.5 }, { "--least 0.1", 0.1 }, { "--least 30%", 30 } };
	char words[1700], path[512], tallyd[512];
	unsigned same[3];

	(void)state;
	snprintf(path, sizeof(path), "%s", test_put("phases", ""));
	snprintf(words, sizeof(words), "%s -q --sim @skx-8160-2s --virtual-time "
	    "-c @original-skx -n 40 --overwrite -o %s",
	    built("tallyd", tallyd), path);
	assert_int_equal(system(words), 0);
	for (unsigned i = 0; i < 3; i++) {
		char *text;

		snprintf(words, sizeof(words), "diff -f csv -a 0:19 -b 20:39 --all "
		    "%s %s", all[i].words, path);
		text = said(EXIT_OK, cmd_diff, words, NULL);
		same[i] = same_by_size(text, all[i].least);
		free(text);
	}
	assert_true(same[1] < same[0] && same[0] < same[2]);
	snprintf(words, sizeof(words), "diff -a 0:19 -b 20:39 %s", path);
	holds(said(EXIT_OK, cmd_diff, words, NULL), " by less than 0.5 %, which "
	    "is the same here");
}

/* diff with words that have no blank between metric and per cent. */
static int
fail_above(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		for (char *p = argv[i]; (p = strchr(p, '_')) != NULL; p++)
			if (p[1] == '_') {
				p[0] = ' ';
				p[1] = ' ';
			}
	return cmd_diff(argc, argv);
}

static void
a_change_that_is_too_much_fails(void **state)
{
	static const struct {
		const char *fail, *says;
		int status;
	} all[] = {
		{ "dram_read__5%", "dram_read of node changed by 956674.8 %, "
		    "more than 5 %", EXIT_FINDINGS },
		{ "dram_*__2000000", "", EXIT_OK },
		{ "frequency__25%", "", EXIT_OK },
		{ "frequency__24", "frequency of package 1 changed by -24.3 %",
		    EXIT_FINDINGS },
		{ "core_idle__5%", "not in both", EXIT_UNUSABLE },
		{ "dram_read", "expected a metric and per cent", EXIT_USAGE },
		{ "dram_read__-1%", "expected a metric and per cent",
		    EXIT_USAGE },
	};
	char path[512], words[1400];

	(void)state;
	recording(path);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		snprintf(words, sizeof(words), "diff -a 0:17 -b 19:29 "
		    "--fail-above %s %s", all[i].fail, path);
		holds(complained(all[i].status, fail_above, words, NULL),
		    all[i].says);
	}
}

static void
what_is_no_pair_is_refused(void **state)
{
	char path[512], words[1400];

	(void)state;
	recording(path);
	snprintf(words, sizeof(words), "diff %s", path);
	holds(complained(EXIT_USAGE, cmd_diff, words, NULL),
	    "expected two dumps");
	snprintf(words, sizeof(words), "diff %s :", path);
	holds(complained(EXIT_USAGE, cmd_diff, words, NULL),
	    "expected two dumps");
	snprintf(words, sizeof(words), "diff -m nothing %s %s", path, path);
	holds(complained(EXIT_UNUSABLE, cmd_diff, words, NULL),
	    "no metric \"nothing\" on either side");
	snprintf(words, sizeof(words), "diff -m , %s %s", path, path);
	holds(complained(EXIT_USAGE, cmd_diff, words, NULL),
	    "--metric: expected a name");
	snprintf(words, sizeof(words), "diff %s /nonexistent", path);
	holds(complained(EXIT_UNUSABLE, cmd_diff, words, NULL),
	    "/nonexistent");
	/* one interval a side is no spread */
	snprintf(words, sizeof(words), "diff -m dram_read -a 0:1 -b 20:21 %s",
	    path);
	holds(said(EXIT_OK, cmd_diff, words, NULL), "too few values");
}

static void
what_cannot_be_meant_is_told_in_one_line(void **state)
{
	static const char *const all[] = { "-m ,", "-S nowhere", "-a x",
	    "--every 0", "--least 0", "--least much", "--fail-above dram_read" };
	char path[512], words[1400], *text;

	(void)state;
	recording(path);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		snprintf(words, sizeof(words), "diff %s %s %s", all[i], path,
		    path);
		text = complained(EXIT_USAGE, cmd_diff, words, NULL);
		if (strchr(text, '\n') != text + strlen(text) - 1)
			fail_msg("%s: %s", all[i], text);
		free(text);
	}
}

static void
a_page_says_what_the_sides_are_and_colours_what_changed(void **state)
{
	char path[512], words[1200], want[1400], *text;

	(void)state;
	recording(path);
	snprintf(words, sizeof(words), "diff -f html -a 0:17 -b 19:29 --all "
	    "-m dram_read,dram_power -S node %s", path);
	text = said(EXIT_OK, cmd_diff, words, NULL);
	snprintf(want, sizeof(want), "<p class=\"remark\">A: c591-803: %s, "
	    "samples 0:17</p>\n<p class=\"remark\">B: c591-803: %s, samples "
	    "19:29</p>\n<div ", path, path);
	assert_non_null(strstr(text, want));
	assert_non_null(strstr(text, "<tr><th scope=\"row\">dram_read</th>"
	    "<td>node</td><td></td><td class=\"n\">0.01212</td>"));
	holds(text, "<td class=\"is-more\">more</td><td></td><td class=\"n\">n/a</td></tr>");
}

/* ---- estimates ---- */

enum { TURNS = 20 };            /* of the set, in each half of a dump */

/*
 * A node whose set has every other second: in each turn of the first half its event
 * counts ten thousand, but of one 60; of the second half `second` thousand each.
 */
static const char *
of_turns(const char *name, const char *host, unsigned second)
{
	static char text[60000];
	unsigned sum = 0;
	size_t n = (size_t)sprintf(text, "host = \"%s\"\nmodel = \"skx\"\n"
	    "TSC_ratio = 10\npackages = 1\nset_name[0] = \"a\"\n"
	    "set_name[1] = \"b\"\nevent_set[\"imc_counts\"][\"X\"] = \"a\"\n",
	    host);

	for (unsigned i = 0; i <= 4 * TURNS; i++) {
		unsigned turn = i / 2;

		if (i % 2 == 1)
			sum += 1000 * (turn >= TURNS ? second : turn == 7 ?
			    60 : 10);
		n += (size_t)sprintf(text + n, "tsc[%u] = %u000000000\n"
		    "walltime[0][%u] = %u\nwalltime[1][%u] = 0\n"
		    "set_enabled[\"a\"][%u] = %u000000000\n"
		    "set_running[\"a\"][%u] = %u000000000\n"
		    "imc_counts[0][0][\"X\"][%u] = %u\n", i, 100 + i, i,
		    1000 + i, i, i, i, i, (i + 1) / 2, i, sum);
	}
	return test_put(name, text);
}

/*
 * Means of 12.5 and 12.  Of the 20 units in 16 batches that of 60 is alone in one,
 * and so are both neighbours: two pairs of batches differ by 50, so that the error
 * of the first mean is sqrt(2 x 1/2 x 2 x 2500 / 2 / 16 / 20); the second has none.
 */
static void
a_difference_within_its_error_is_none(void **state)
{
	static const char what[] = "-m x -S node -a 0:40 -b 40:80 --least 1";
	char words[1000], rule[300], path[300], *text;
	const char *line;

	(void)state;
	snprintf(path, sizeof(path), "%s", of_turns("turns.lua", "n", 12));
	snprintf(rule, sizeof(rule), "%s", test_put("x.metrics",
	    "metric x box \"u\" \"\" = imc[\"X\"] / time / 1000\n"));
	snprintf(words, sizeof(words), "diff -f csv --all %s -M %s %s", what,
	    rule, path);
	text = said(EXIT_OK, cmd_diff, words, NULL);
	line = row(text, "x", "node");
	assert_true(fabs(field(line, 3) - 12.5) < 1e-9);
	assert_true(fabs(field(line, 4) - 12) < 1e-9);
	/* chance does not explain it, 19 of 20 being below */
	assert_true(field(line, 7) < 0.01);
	assert_non_null(strstr(line, ",same,differs by no more than its error,"));
	assert_true(fabs(field(strrchr(line, ','), 1) - 2.7951) < 0.001);
	free(text);
	snprintf(words, sizeof(words), "diff %s -M %s %s", what, rule, path);
	holds(said(EXIT_OK, cmd_diff, words, NULL), "0 of 1 figures changed by "
	    "more than they vary; 1 by no more than two standard errors of "
	    "estimates, which is the same, too.\n");
	/* one that is larger than that, of the same error */
	snprintf(path, sizeof(path), "%s", of_turns("more.lua", "n", 40));
	snprintf(words, sizeof(words), "diff %s -M %s %s", what, rule, path);
	text = said(EXIT_OK, cmd_diff, words, NULL);
	assert_non_null(strstr(text, "1 of 1 figures changed"));
	assert_non_null(strstr(text, "  more\n"));
	assert_non_null(strstr(text, "  error  "));
	free(text);
}

/* Of two nodes alike a mean has the error of one by the square root of 2. */
static void
a_mean_of_nodes_has_the_error_of_a_mean(void **state)
{
	static const char what[] = "diff -f csv --all -m x -S node -a 0:40 "
	    "-b 40:80 -M";
	char words[1600], rule[300], path[2][300], *text;
	double one, both;

	(void)state;
	snprintf(rule, sizeof(rule), "%s", test_put("x.metrics",
	    "metric x box \"u\" \"\" = imc[\"X\"] / time / 1000\n"));
	snprintf(path[0], sizeof(path[0]), "%s", of_turns("n0", "n0", 12));
	snprintf(path[1], sizeof(path[1]), "%s", of_turns("n1", "n1", 12));
	snprintf(words, sizeof(words), "%s %s %s", what, rule, path[0]);
	text = said(EXIT_OK, cmd_diff, words, NULL);
	one = field(strrchr(row(text, "x", "node"), ','), 1);
	free(text);
	snprintf(words, sizeof(words), "%s %s %s %s : %s %s", what, rule, path[0],
	    path[1], path[0], path[1]);
	text = said(EXIT_OK, cmd_diff, words, NULL);
	both = field(strrchr(row(text, "x", "node"), ','), 1);
	free(text);
	if (!(one > 0) || !(fabs(both / one - 0.70711) < 1e-3))
		fail_msg("%g of one node, %g of two", one, both);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_that_do_not_overlap_are_no_chance),
		cmocka_unit_test(values_that_drift_prove_less),
		cmocka_unit_test(a_change_that_no_drift_explains_is_one),
		cmocka_unit_test(changes_by_chance_are_as_rare_as_is_said),
		cmocka_unit_test(a_run_is_like_itself),
		cmocka_unit_test(
		    a_page_says_what_the_sides_are_and_colours_what_changed),
		cmocka_unit_test(two_phases_differ_in_what_they_do),
		cmocka_unit_test(runs_of_two_phases_are_not_called_the_same),
		cmocka_unit_test(
		    what_differs_by_less_than_is_asked_for_is_the_same),
		cmocka_unit_test(a_change_that_is_too_much_fails),
		cmocka_unit_test(what_is_no_pair_is_refused),
		cmocka_unit_test(what_cannot_be_meant_is_told_in_one_line),
		cmocka_unit_test(a_difference_within_its_error_is_none),
		cmocka_unit_test(a_mean_of_nodes_has_the_error_of_a_mean),
	};

	return cmocka_run_group_tests_name("diff", tests, test_dir_new,
	    test_dir_free);
}
