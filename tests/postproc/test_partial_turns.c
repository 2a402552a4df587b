/*
 * tests/postproc/test_partial_turns.c - what was counted for a part of the time: sums, errors and
 * quotients of events that take turns, and of the kernel's groups.
 */
#include "tests/lib/tally_command.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECOND(i) "tsc[" #i "] = 1" #i "000000000\n" \
	"walltime[0][" #i "] = 100" #i "\nwalltime[1][" #i "] = 0\n"
#define HEAD "host = \"n\"\nmodel = \"skx\"\nTSC_ratio = 10\npackages = 1\n"

/* What tally metrics says of one metric of that formula. */
static char *
metric(const char *scope, const char *formula, const char *dump)
{
	char words[256], text[300];

	snprintf(text, sizeof text, "metric x %s \"u\" \"\" = %s\n", scope,
	    formula);
	snprintf(words, sizeof words, "metrics -f csv -S all -M %s",
	    test_put("x.metrics", text));
	return said(EXIT_OK, cmd_metrics, words, dump);
}

/* ---- events that take turns ---- */

/* What befalls the counter of part 0 in sample 3, in a turn of its set. */
enum harm { NOTHING, RESET, MISSING, TIMES };

/* Two sets, a second each: part 0 counts 100 in its turns, part 1 counts 10. */
static const char *
rotated(enum harm harm)
{
	static char text[4000];
	unsigned a = 1000, b = 0;
	size_t n = (size_t)sprintf(text, HEAD "watch = 1\nset_name[0] = \"a\"\n"
	    "set_name[1] = \"b\"\n"
	    "event_set[\"imc_counts\"][\"X.PART0\"] = \"a\"\n"
	    "event_set[\"imc_counts\"][\"X.PART1\"] = \"b\"\n");

	for (unsigned i = 0; i < 5; i++) {
		a += i % 2 == 1 ? 100 : 0;
		a = i == 3 && harm == RESET ? 7 : a;
		b += i % 2 == 0 && i > 0 ? 10 : 0;
		n += (size_t)sprintf(text + n, "tsc[%u] = 1%u000000000\n"
		    "walltime[0][%u] = 100%u\nwalltime[1][%u] = 0\n"
		    "set_enabled[\"a\"][%u] = %u000000000\n"
		    "set_enabled[\"b\"][%u] = %u000000000\n"
		    "set_running[\"b\"][%u] = %u000000000\n"
		    "imc_counts[0][0][\"X.PART1\"][%u] = %u\n", i, i, i, i, i,
		    i, i, i, i, i, i / 2, i, b);
		if (i != 3 || harm != TIMES)
			n += (size_t)sprintf(text + n, "set_running[\"a\"][%u] "
			    "= %u000000000\n", i, (i + 1) / 2);
		if (i != 3 || harm != MISSING)
			n += (size_t)sprintf(text + n, "imc_counts[0][0]"
			    "[\"X.PART0\"][%u] = %u\n", i, a);
	}
	return text;
}

static void
a_sum_of_parts_is_none_without_the_turn_of_one(void **state)
{
	char words[200];

	(void)state;
	holds(metric("box", "imc[\"X.PART*\"] / time", rotated(NOTHING)),
	    "x,node,,110.0000,u,0,\"estimate: counted 50.0 % of the time, a "
	    "burst at another time is not in it, and its error is not known; its "
	    "events were not counted at one time\",\r");
	snprintf(words, sizeof words, "metrics -f csv -s 0:1 -S node -M %s",
	    test_put("x.metrics", "metric x box \"u\" \"\" = "
	    "imc[\"X.PART*\"]\nmetric y box \"u\" \"\" = "
	    "first(imc[\"X.PART0\"] + imc[\"X.PART1\"], 7)\n"));
	holds(said(EXIT_OK, cmd_metrics, words, rotated(NOTHING)),
	    "n,x,node,,,u,0,its event set did not run,\r\n"
	    "n,y,node,,7.0000,u,0,,\r\n");
}

static void
a_total_of_some_turns_says_that_it_is_not_scaled(void **state)
{
	(void)state;
	holds(metric("box", "total(imc[\"X.PART0\"])", rotated(NOTHING)),
	    "x,node,,200.0000,u,0,not scaled: counted 50.0 % of the time "
	    "alone,\r");
}

/* A set that has every other sample: what its two events counted in each turn. */
static const char *
few_counts(const unsigned *part, unsigned each)
{
	static char text[4000];
	unsigned a = 0, all = 0;
	size_t n = (size_t)sprintf(text, HEAD "set_name[0] = \"a\"\n"
	    "set_name[1] = \"b\"\n"
	    "event_set[\"imc_counts\"][\"X.PART\"] = \"a\"\n"
	    "event_set[\"imc_counts\"][\"X.ALL\"] = \"a\"\n");

	for (unsigned i = 0; i < 9; i++) {
		a += i % 2 == 1 ? part[i / 2] : 0;
		all += i % 2 == 1 ? each : 0;
		n += (size_t)sprintf(text + n, "tsc[%u] = 1%u000000000\n"
		    "walltime[0][%u] = 100%u\nwalltime[1][%u] = 0\n"
		    "set_enabled[\"a\"][%u] = %u000000000\n"
		    "set_running[\"a\"][%u] = %u000000000\n"
		    "imc_counts[0][0][\"X.PART\"][%u] = %u\n"
		    "imc_counts[0][0][\"X.ALL\"][%u] = %u\n", i, i, i, i, i, i,
		    i, i, (i + 1) / 2, i, a, i, all);
	}
	return text;
}

static void
an_estimate_outside_its_range_by_its_error_is_none(void **state)
{
	char words[200];

	(void)state;
	snprintf(words, sizeof words, "metrics -f csv -S node -M %s",
	    test_put("x.metrics", "metric x box \"%\" \"\" range 0 100 = "
	    "100 * imc[\"X.PART\"] / imc[\"X.ALL\"]\n"));
	holds(said(EXIT_OK, cmd_metrics, words, few_counts((unsigned[]){ 3, 0, 0,
	    3 }, 1)), "x,node,,,%,0,\"it is an estimate of few counts, which "
	    "cannot be (150 %)\",\r");
	holds(said(EXIT_OK, cmd_metrics, words, few_counts((unsigned[]){ 300,
	    300, 301, 299 }, 200)), "x,node,,150.0000,%,0,out of range; "
	    "estimate: +- 4.8,");
}

/* Eight seconds, of which half are the set's: of 360 counts sqrt((360 + 9/4) x 2) / 8 s,
 * though each turn is like the others; of none sqrt(9/4 x 2) / 8 s. */
static void
few_counts_are_a_matter_of_chance(void **state)
{
	char words[200];

	(void)state;
	snprintf(words, sizeof words, "metrics -f csv -S node -M %s",
	    test_put("x.metrics", "metric x box \"/s\" \"\" = "
	    "imc[\"X.PART\"] / time\n"));
	holds(said(EXIT_OK, cmd_metrics, words, few_counts((unsigned[]){ 90, 90,
	    90, 90 }, 1)), "x,node,,90.0000,/s,0,estimate: +- 3.4,3.3646\r");
	holds(said(EXIT_OK, cmd_metrics, words, few_counts((unsigned[]){ 0, 0,
	    0, 0 }, 1)), "x,node,,0.0000,/s,0,estimate: +- 0.27,0.2652\r");
}

/* An error that the digits of a value do not show is not shown as 0; one that they
 * show is never printed as 0. */
static void
an_error_is_never_shown_as_0(void **state)
{
	static const struct {
		int line;
		const char *formula, *row, *note;
	} t[] = {
		{ __LINE__, "imc[\"X.PART\"] / time / 1e6",
		    "e-05  +- 3.4e-06\n", ",estimate: +- 3.4e-06," },
		{ __LINE__, "1e9 + imc[\"X.PART\"] / time",
		    " 1e+09\n", ",estimate,3.3646\r" },
		{ __LINE__, "0 * imc[\"X.PART\"] / time",
		    " 0.0000\n", ",estimate,0.0000\r" },
	};
	char words[200], text[200];

	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
		print_message("line %d\n", t[i].line);
		snprintf(text, sizeof text, "metric x box \"/s\" \"\" = %s\n",
		    t[i].formula);
		snprintf(words, sizeof words, "metrics -f csv -S node -M %s",
		    test_put("x.metrics", text));
		holds(said(EXIT_OK, cmd_metrics, words, few_counts((unsigned[]){
		    90, 90, 90, 90 }, 1)), t[i].note);
		snprintf(words, sizeof words, "report -M %s",
		    test_put("x.metrics", text));
		holds(said(EXIT_OK, cmd_report, words, few_counts((unsigned[]){
		    90, 90, 90, 90 }, 1)), t[i].row);
	}
}

static void
an_estimate_stays_one_where_a_turn_is_lost(void **state)
{
	static const enum harm harm[] = { RESET, MISSING, TIMES };
	static const char *const left_out[] = { "1,", "2,", "2," };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		char says[80];

		snprintf(says, sizeof says, "x,node,,100.0000,u,%s\"estimate: "
		    "counted 25.0 %%", left_out[i]);
		holds(metric("box", "imc[\"X.PART0\"] / time",
		    rotated(harm[i])), says);
		holds(said(EXIT_OK, cmd_totals, "totals", rotated(harm[i])),
		    "imc_counts_estimate[0][0][\"X.PART0\"] = 400\n");
		holds(said(EXIT_OK, cmd_totals, "totals", rotated(harm[i])),
		    "imc_counts_estimate[0][0][\"X.PART1\"] = 40\n");
	}
}

static void
a_round_that_lost_a_turn_is_in_no_histogram(void **state)
{
	char words[200];

	(void)state;
	snprintf(words, sizeof words, "histogram -n 1 -m x -M %s",
	    test_put("x.metrics", "metric x box \"u\" \"\" = "
	    "imc[\"X.PART0\"] / time\n"));
	holds(said(EXIT_OK, cmd_histogram, words, rotated(NOTHING)),
	    "0 to        100 100.00 %");
	holds(said(EXIT_OK, cmd_histogram, words, rotated(RESET)),
	    "1 value, 2.00 s; 2.00 s without a value (its event set did not "
	    "run); estimate: counted 50.0 "
	    "% of the time, a burst at another time is not in it, and its error "
	    "is not known\n"
	    "           0 to        100 100.00 %");
}

static void
a_histogram_of_estimates_says_so(void **state)
{
	char words[200];

	(void)state;
	snprintf(words, sizeof words, "histogram -f csv -n 1 -m x -M %s",
	    test_put("x.metrics", "metric x box \"u\" \"\" = "
	    "imc[\"X.PART0\"] / imc[\"X.PART1\"]\n"));
	holds(said(EXIT_OK, cmd_histogram, words, rotated(NOTHING)),
	    ",Low,3.3333,6.6667,\"estimate: counted 50.0 % of the time, a burst "
	    "at another time is not in it, and its error is not known; its events "
	    "were not counted at one time\"\r");
}

/* Two lprocs; INST is counted half of the time, on lproc 1 never; CYCLES on
 * both half of it; mperf always. */
static const char *
grouped(void)
{
	static char text[8000];
	size_t n = (size_t)sprintf(text, HEAD "nr_cpus = 2\n"
	    "lproc_package[0] = 0\nlproc_package[1] = 0\n"
	    "event_group[\"core_counts\"][\"INST\"] = \"i\"\n"
	    "event_group[\"core_counts\"][\"CYCLES\"] = \"c\"\n");

	for (int i = 0; i < 3; i++) {
		n += (size_t)sprintf(text + n, i == 0 ? SECOND(0) : i == 1 ?
		    SECOND(1) : SECOND(2));
		for (int l = 0; l < 2; l++)
			n += (size_t)sprintf(text + n,
			    "core_enabled[%d][\"i\"][%d] = %d000\n"
			    "core_enabled[%d][\"c\"][%d] = %d000\n"
			    "core_running[%d][\"i\"][%d] = %d\n"
			    "core_running[%d][\"c\"][%d] = %d00\n"
			    "core_counts[%d][\"INST\"][%d] = %d\n"
			    "core_counts[%d][\"CYCLES\"][%d] = %d\n"
			    "mperf[%d][%d] = %d\n", l, i, i, l, i, i, l, i,
			    l == 0 ? i * 500 : 0, l, i, 5 * i, l, i,
			    l == 0 ? i * 50 : 0, l, i, i * 50, l, i, i);
	}
	return text;
}

/* A sum of two lprocs: one counts 10 all of the time, the other 90, half of
 * the time.  `lost`: in interval 2 that one does not run. */
static const char *
summed(bool lost)
{
	static const unsigned counts[2][4] = { { 0, 55, 110, 165 },
	    { 0, 55, 65, 120 } };
	static char text[4000];
	size_t n = (size_t)sprintf(text, HEAD
	    "family_bits[\"core_group_scaled\"] = 64\n"
	    "event_group[\"core_group_counts\"][\"X\"] = \"X\"\n");

	for (unsigned i = 0; i < 4; i++) {
		n += (size_t)sprintf(text + n, "tsc[%u] = 1%u000000000\n"
		    "walltime[0][%u] = 100%u\nwalltime[1][%u] = 0\n"
		    "core_group_enabled[\"0-1\"][\"X\"][%u] = %u000000000\n"
		    "core_group_running[\"0-1\"][\"X\"][%u] = %u00000000\n"
		    "core_group_counts[\"0-1\"][\"X\"][%u] = %u\n", i, i, i,
		    i, i, i, 2 * i, i, 15 * i, i, counts[lost][i]);
		if (!lost || i != 2)
			n += (size_t)sprintf(text + n, "core_group_scaled"
			    "[\"0-1\"][\"X\"][%u] = %u\n", i, 100 * i);
	}
	return text;
}

static void
an_estimate_of_a_sum_is_that_of_its_parts(void **state)
{
	(void)state;
	holds(said(EXIT_OK, cmd_totals, "totals", summed(false)),
	    "core_group_counts_share[\"0-1\"][\"X\"] = 0.550000\n"
	    "core_group_counts_estimate[\"0-1\"][\"X\"] = 300\n");
	/* two of three intervals are left out */
	holds(said(EXIT_OK, cmd_totals, "totals", summed(true)),
	    "core_group_counts_total[\"0-1\"][\"X\"] = 55\n");
	holds(said(EXIT_OK, cmd_totals, "totals", summed(true)),
	    "core_group_counts_estimate[\"0-1\"][\"X\"] = 300\n");
}

static void
an_lproc_whose_group_never_ran_is_in_no_quotient(void **state)
{
	(void)state;
	holds(metric("lproc", "core[\"INST\"] / core[\"CYCLES\"]", grouped()),
	    "x,node,,1.0000,u,0,\"of 1 of 2 lprocs; estimate: counted 50.0 %");
	holds(metric("lproc", "core[\"INST\"] / time", grouped()),
	    "x,node,,100.0000,u,0,\"of 1 of 2 lprocs; estimate: counted 50.0 %");
	holds(metric("lproc", "core[\"INST\"]", grouped()),
	    "x,lproc,1,,u,0,its event group did not run,\r");
	/* what always counts takes no part in the mean */
	holds(metric("lproc", "core[\"CYCLES\"] / mperf", grouped()),
	    "x,node,,100.0000,u,0,\"estimate: counted 50.0 %");
}

/* An lproc; HIT and MISS are of one group, which runs `some` of each 1000 ns,
 * CYCLES of another, which runs `most` of them; FIXED, of another family but of
 * a group of the first's name, always runs. */
static const char *
apart(int some, int most)
{
	static char text[8000];
	size_t n = (size_t)sprintf(text, HEAD "nr_cpus = 1\n"
	    "lproc_package[0] = 0\n"
	    "event_group[\"core_counts\"][\"HIT\"] = \"h\"\n"
	    "event_group[\"core_counts\"][\"MISS\"] = \"h\"\n"
	    "event_group[\"core_counts\"][\"CYCLES\"] = \"c\"\n"
	    "event_group[\"core_fixed_counts\"][\"FIXED\"] = \"h\"\n"
	    "family_bits[\"core_enabled\"] = 64\n"
	    "family_bits[\"core_running\"] = 64\n");

	for (int i = 0; i < 5; i++)
		n += (size_t)sprintf(text + n, "tsc[%d] = 1%d000000000\n"
		    "walltime[0][%d] = 100%d\nwalltime[1][%d] = 0\n"
		    "core_enabled[0][\"h\"][%d] = %d000\n"
		    "core_enabled[0][\"c\"][%d] = %d000\n"
		    "core_fixed_enabled[0][\"h\"][%d] = %d000\n"
		    "core_running[0][\"h\"][%d] = %d\n"
		    "core_running[0][\"c\"][%d] = %d\n"
		    "core_fixed_running[0][\"h\"][%d] = %d000\n"
		    "core_counts[0][\"HIT\"][%d] = %d\n"
		    "core_counts[0][\"MISS\"][%d] = %d\n"
		    "core_counts[0][\"CYCLES\"][%d] = %d\n"
		    "core_fixed_counts[0][\"FIXED\"][%d] = %d\n", i, i, i, i,
		    i, i, i, i, i, i, i, i, i * some, i, i * most, i, i, i,
		    i * 30, i, i * 10, i, i * 100, i, i * 100);
	return text;
}

static void
a_quotient_of_what_was_not_counted_at_one_time_says_so(void **state)
{
	static const char one_time[] = "its events were not counted at one "
	    "time", missing[] = "core[\"MISS\"] / core[\"HIT\"]",
	    mpki[] = "core[\"MISS\"] / core[\"CYCLES\"]",
	    fixed[] = "core[\"MISS\"] / core_fixed[\"FIXED\"]";
	char words[200], dump[8000];

	(void)state;
	holds(metric("lproc", mpki, apart(500, 500)), "x,node,,0.1000,u,0,"
	    "estimate: +- 0.012; its events were not counted at one time,"
	    "0.01199\r");
	holds(metric("lproc", mpki, apart(500, 1000)), one_time);
	holds(metric("lproc", mpki, apart(1000, 500)), one_time);
	holds(metric("lproc", fixed, apart(500, 500)), one_time);
	/* of a short part of the time, which is not none */
	holds(metric("lproc", missing, apart(1, 1000)), "x,node,,0.3333,u,0,"
	    "estimate: +- 0.061,");
	holds(metric("lproc", "core[\"CYCLES\"]", apart(1000, 0)), "x,node,,,u,0,"
	    "its event group did not run,\r");
	/* what is n/a for another reason is no estimate */
	holds(metric("lproc", "core[\"MISS\"] / (core[\"HIT\"] - "
	    "3 * core[\"MISS\"])", apart(500, 500)), "x,node,,,u,0,what it is divided by was 0"
	    ",\r");
	/* of one group, or of groups that always ran */
	lacks(metric("lproc", missing, apart(500, 500)), one_time);
	holds(metric("lproc", mpki, apart(1000, 1000)), "x,node,,0.1000,u,0,,"
	    "\r");
	holds(metric("lproc", fixed, apart(1000, 1000)), "x,node,,0.1000,u,0,,"
	    "\r");
	/* of sets of tallyd as of groups */
	holds(metric("box", "imc[\"X.PART0\"] / imc[\"X.PART1\"]",
	    rotated(NOTHING)), one_time);
	lacks(metric("box", "imc[\"X.PART0\"] / time", rotated(NOTHING)),
	    one_time);

	snprintf(words, sizeof words, "report -M %s", test_put("x.metrics",
	    "metric ipc lproc \"u\" \"\" = core[\"MISS\"] / "
	    "core[\"CYCLES\"]\nmetric flops lproc \"u\" \"\" = "
	    "core[\"HIT\"] / time\n"));
	/* said where the load changed, so that the error is not next to nothing */
	lacks(said(EXIT_OK, cmd_report, words, apart(500, 500)), "Apart");
	snprintf(dump, sizeof dump, "%s", apart(500, 500));
	memcpy(strstr(dump, "[\"MISS\"][2] = 20"), "[\"MISS\"][2] = 28", 16);
	holds(said(EXIT_OK, cmd_report, words, dump),
	    "Apart     rough, as their events were not counted at one time: "
	    "ipc\n");
	lacks(said(EXIT_OK, cmd_report, words, apart(1000, 1000)), "Apart");
	memcpy(words, "merge ", 6);
	holds(said(EXIT_OK, cmd_merge, words, apart(500, 500)),
	    "1 estimate (n); 1 of events not counted at one time (n)\n");
}

/* An lproc away for a while has no turn to miss: what is left out of both of
 * its groups is no more of the one than of the other. */
static void
groups_that_were_away_together_are_of_one_time(void **state)
{
	char dump[8000], *p;

	(void)state;
	snprintf(dump, sizeof dump, "%s", apart(1000, 1000));
	/* of sample 1, nothing of the core: "--" is a comment */
	for (p = strstr(dump, "\ncore_"); p != NULL; p = strstr(p + 1,
	    "\ncore_"))
		if (memmem(p, strcspn(p + 1, "\n"), "][1]", 4) != NULL)
			memcpy(p + 1, "--", 2);
	holds(metric("lproc", "core[\"MISS\"] / core[\"CYCLES\"]", dump),
	    "x,node,,0.1000,u,4,estimate: +- 0.017,0.01735\r");
	/* nor had they no turn where they were away throughout */
	for (p = strstr(dump, "\ncore_"); p != NULL; p = strstr(p + 1,
	    "\ncore_"))
		if (memmem(p, strcspn(p + 1, "\n"), "][0]", 4) == NULL)
			memcpy(p + 1, "--", 2);
	holds(metric("lproc", "core[\"MISS\"]", dump), "x,lproc,0,,u,4,"
	    "\"core[\"\"MISS\"\"]: no delta of it is a count (tally check says "
	    "why)\",\r");
}

/* A range in which a group stood still is one without a value: never 0. */
static void
a_group_without_a_turn_in_a_range_has_no_total_of_it(void **state)
{
	char dump[8000], *p;

	(void)state;
	snprintf(dump, sizeof dump, "%s", apart(500, 1000));
	/* in samples 2 and 3 all of that group is as it was in 1 */
	for (int i = 2; i < 4; i++) {
		static const char *const name[] = { "core_running[0][\"h\"]",
		    "core_counts[0][\"HIT\"]", "core_counts[0][\"MISS\"]" };
		static const char *const value[] = { "500 ", "30", "10" };

		for (int k = 0; k < 3; k++) {
			char line[80];

			snprintf(line, sizeof line, "%s[%d] = ", name[k], i);
			assert_non_null(p = strstr(dump, line));
			p += strlen(line);
			memset(p, ' ', strcspn(p, "\n"));
			memcpy(p, value[k], strlen(value[k]));
		}
	}
	lacks(said(EXIT_OK, cmd_totals, "totals -s 1:3", dump),
	    "core_counts_total[0][\"HIT\"]");
	holds(said(EXIT_OK, cmd_totals, "totals -s 1:3", dump),
	    "core_counts_left_out[0][\"HIT\"] = \"its group did not run\"\n");
	holds(said(EXIT_OK, cmd_totals, "totals -s 1:3", dump),
	    "core_counts_total[0][\"CYCLES\"] = 200\n");
	holds(said(EXIT_OK, cmd_totals, "totals -f csv -s 1:3", dump),
	    "\"core_counts[0][\"\"HIT\"\"]\",,count,2.000000,0,"
	    "its group did not run,0.000000,\r");
	/* of a longer range, what it counted in the rest */
	holds(said(EXIT_OK, cmd_totals, "totals", dump),
	    "core_counts_total[0][\"HIT\"] = 120\n"
	    "core_counts_share[0][\"HIT\"] = 0.500000\n"
	    "core_counts_estimate[0][\"HIT\"] = 240\n");

	lacks(said(EXIT_OK, cmd_deltas, "deltas -s 1:3", dump),
	    "core_counts_delta[0][\"HIT\"]");
	holds(said(EXIT_OK, cmd_deltas, "deltas -s 1:3", dump),
	    "core_counts_left_out[0][\"HIT\"][2] = \"its group did not "
	    "run\"\n");
	holds(said(EXIT_OK, cmd_deltas, "deltas -f csv -s 1:3", dump),
	    "\"core_counts[0][\"\"HIT\"\"]\",,count,its group did not run,"
	    "0.000000\r");
	/* a delta of a part of its interval says of which */
	holds(said(EXIT_OK, cmd_deltas, "deltas -s 0:1", dump),
	    "core_counts_delta[0][\"HIT\"][1] = 30\n"
	    "core_counts_share[0][\"HIT\"][1] = 0.500000\n");
	holds(said(EXIT_OK, cmd_deltas, "deltas -f csv -s 0:1", dump),
	    "\"core_counts[0][\"\"CYCLES\"\"]\",100,count,good,1.000000\r");
}

/* ---- small numbers ---- */

static void
a_small_figure_keeps_four_digits(void **state)
{
	static const struct {
		int line;
		const char *formula, *value;
	} t[] = {
		{ __LINE__, "0.0000077112", "0.000007711" },
		{ __LINE__, "0.00005021", "0.00005021" },
		{ __LINE__, "0 - 0.00005021", "-0.00005021" },
		{ __LINE__, "0.012345", "0.01235" },
		{ __LINE__, "0.1", "0.1000" },
		{ __LINE__, "12.345678", "12.3457" },
		{ __LINE__, "0", "0.0000" },
		{ __LINE__, "0.0000000000000012346", "1.235e-15" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		char want[80], *text;

		snprintf(want, sizeof want, "x,node,,%s,u,0,", t[i].value);
		text = metric("node", t[i].formula, rotated(NOTHING));
		if (strstr(text, want) == NULL)
			fail_msg("line %d: %s", t[i].line, text);
		free(text);
	}
}

static void
every_command_keeps_four_digits_of_a_small_figure(void **state)
{
	static const char text[] = "metric pcie_total node \"u\" \"\" = "
	    "0.0000077112\n";
	char words[200];

	(void)state;
	snprintf(words, sizeof words, "metrics -S node -M %s",
	    test_put("x.metrics", text));
	holds(said(EXIT_OK, cmd_metrics, words, rotated(NOTHING)),
	    "0.000007711         u");
	snprintf(words, sizeof words, "metrics -f json -S node -M %s",
	    test_put("x.metrics", text));
	holds(said(EXIT_OK, cmd_metrics, words, rotated(NOTHING)),
	    "\"value\": 0.000007711,");
	snprintf(words, sizeof words, "merge -f csv -M %s",
	    test_put("x.metrics", text));
	holds(said(EXIT_OK, cmd_merge, words, rotated(NOTHING)),
	    "pcie_total,u,1,0.000007711,0.000007711,0.000007711,");
	snprintf(words, sizeof words, "histogram -f csv -n 1 -m pcie_total -M "
	    "%s", test_put("x.metrics", text));
	holds(said(EXIT_OK, cmd_histogram, words, rotated(NOTHING)),
	    ",0.0000,0.000007711,u,4.000,100.00,");
	snprintf(words, sizeof words, "report --io -f csv -M %s",
	    test_put("x.metrics", text));
	holds(said(EXIT_OK, cmd_report, words, rotated(NOTHING)),
	    "pcie_total,0.000007711,u");
	snprintf(words, sizeof words, "report -f csv -M %s",
	    test_put("x.metrics", "metric ipc node \"u\" \"\" = "
	    "0.0000077112\n"));
	holds(said(EXIT_OK, cmd_report, words, rotated(NOTHING)),
	    "ipc,node,,0.000007711,u");
}

/* ---- pages of I/O ---- */

/* Part 0 of a stack of each of two packages is written 4 GB in 2 s; of package
 * 0 one of two intervals is a reset.  Nothing else is counted. */
static const char io[] = "host = \"n\"\nmodel = \"icx\"\nTSC_ratio = 10\n"
    "packages = 2\nnr_cpus = 2\nlproc_package[0] = 0\n"
    "lproc_package[1] = 1\nlproc_online[0] = 1\nlproc_online[1] = 1\n"
#define IO(i, n, m, cpu) SECOND(i) "mperf[0][" #i "] = " #cpu "\n" \
    "iio_counts[0][0][\"DATA_REQ_OF_CPU.MEM_WRITE.PART0\"][" #i "] = " #n \
    "\niio_counts[1][0][\"DATA_REQ_OF_CPU.MEM_WRITE.PART0\"][" #i "] = " #m \
    "\n"
    IO(0, 200000000000, 0, 0) IO(1, 200500000000, 500000000, 500000000)
    IO(2, 100, 1000000000, 1000000000);

static void
a_drawing_and_a_page_of_io_say_what_is_estimated(void **state)
{
	char words[200];

	(void)state;
	holds(said(EXIT_OK, cmd_platform, "platform", apart(500, 500)),
	    "Events were multiplexed: their figures are estimates, "
	    "scaled to all of the time.\n");
	lacks(said(EXIT_OK, cmd_platform, "platform", apart(1000, 1000)),
	    "multiplexed");
	snprintf(words, sizeof words, "report --io -M %s",
	    test_put("x.metrics", "metric pcie_total lproc \"u\" \"\" = "
	    "core[\"MISS\"] / core[\"CYCLES\"]\n"));
	holds(said(EXIT_OK, cmd_report, words, apart(500, 500)),
	    "The kernel multiplexed groups of events; their "
	    "counts are\nscaled to all of the time\nNot counted at one time: the "
	    "events of pcie_total\n");
	lacks(said(EXIT_OK, cmd_report, words, apart(1000, 1000)),
	    "multiplexed");
}

static void
devices_have_the_marks_of_their_figures(void **state)
{
	(void)state;
	/* one of the four directions is there, and half of that */
	holds(said(EXIT_OK, cmd_report, "report --io", io),
	    "0/stack 0 part 0                         -     2.000*        - "
	    "        -     2.000*");
	holds(said(EXIT_OK, cmd_report, "report --io", io),
	    "* lacks some of its counts");
	holds(said(EXIT_OK, cmd_report, "report --io -f csv", io),
	    "device,1/stack 0 part 0,unattributed,pcie_in_write,2.0000,GB/s,"
	    ",\r");
	holds(said(EXIT_OK, cmd_report, "report --io -f csv", io),
	    "device,0/stack 0 part 0,unattributed,pcie_in_write,2.0000,GB/s,"
	    "known for 50.0 % of the time,\r");
	holds(said(EXIT_OK, cmd_report, "report --io -f csv", io),
	    "device,0/stack 0 part 0,unattributed,pcie_in_read,,GB/s,"
	    "\"missing iio[\"\"DATA_REQ_OF_CPU.MEM_READ.PART0\"\"]\",\r");
	holds(said(EXIT_OK, cmd_platform, "platform", io), "write   2.000* GB");
	holds(said(EXIT_OK, cmd_platform, "platform", io),
	    "* lacks some of its counts");
}

static void
a_core_that_nothing_is_known_of_is_not_drawn_as_idle(void **state)
{
	(void)state;
	holds(said(EXIT_OK, cmd_platform, "platform", io),
	    "Cores    1 of 1 in use");
	holds(said(EXIT_OK, cmd_platform, "platform", io),
	    "Cores    n/a: nothing is known of any");
	holds(said(EXIT_OK, cmd_platform, "platform", io), "|          ? ");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_sum_of_parts_is_none_without_the_turn_of_one),
		cmocka_unit_test(
		    a_total_of_some_turns_says_that_it_is_not_scaled),
		cmocka_unit_test(an_error_is_never_shown_as_0),
		cmocka_unit_test(an_estimate_stays_one_where_a_turn_is_lost),
		cmocka_unit_test(few_counts_are_a_matter_of_chance),
		cmocka_unit_test(an_estimate_outside_its_range_by_its_error_is_none),
		cmocka_unit_test(a_round_that_lost_a_turn_is_in_no_histogram),
		cmocka_unit_test(an_estimate_of_a_sum_is_that_of_its_parts),
		cmocka_unit_test(
		    an_lproc_whose_group_never_ran_is_in_no_quotient),
		cmocka_unit_test(
		    a_quotient_of_what_was_not_counted_at_one_time_says_so),
		cmocka_unit_test(
		    groups_that_were_away_together_are_of_one_time),
		cmocka_unit_test(
		    a_group_without_a_turn_in_a_range_has_no_total_of_it),
		cmocka_unit_test(a_small_figure_keeps_four_digits),
		cmocka_unit_test(
		    every_command_keeps_four_digits_of_a_small_figure),
		cmocka_unit_test(a_histogram_of_estimates_says_so),
		cmocka_unit_test(a_drawing_and_a_page_of_io_say_what_is_estimated),
		cmocka_unit_test(devices_have_the_marks_of_their_figures),
		cmocka_unit_test(
		    a_core_that_nothing_is_known_of_is_not_drawn_as_idle),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
