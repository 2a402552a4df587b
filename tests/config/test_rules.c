/*
 * tests/config/test_rules.c - rules of tally why: their language, what they are held
 * against, what is said of those that cannot be judged.
 */
#include "tests/lib/tally_command.h"

#include "postproc/metrics/rules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define RULE "rule x node \"\" \"w\" "
#define END "advice \"a\" = 1\n"

static void
a_byte_0_ends_no_sentence(void **state)
{
	static const char text[] = RULE "above 1 advice \"\0\" = 1\n";
	struct rules r;
	struct diag why;

	(void)state;
	assert_int_equal(rules_init(&r), 0);
	assert_int_equal(rules_parse(&r, "f", text, sizeof(text) - 1, &why),
	    -EINVAL);
	assert_non_null(strstr(why.text, "a sentence, in quotes, expected"));
	rules_fini(&r);
}

static void
a_mistake_is_named_with_its_place(void **state)
{
	static const struct {
		int line;
		const char *text, *words;
	} t[] = {
		{ __LINE__, "metric x", "f:1:1: `rule` expected" },
		{ __LINE__, "rule \"x\" node", "f:1:6: the rule's name expected" },
		{ __LINE__, "rule x socket", "f:1:8: a scope expected" },
		{ __LINE__, "rule x node W", "the unit, in quotes, expected" },
		{ __LINE__, "rule x node \"W\" \"\" above 1 " END,
		    "what it means, in quotes, expected" },
		{ __LINE__, RULE "over 1 " END, "`above` or `below` expected" },
		{ __LINE__, RULE "above \"1\" " END, "a number expected" },
		{ __LINE__, RULE "above friends by 1 " END,
		    "`peers`, `itself` or `other` expected" },
		{ __LINE__, RULE "above peers 5 " END, "`by` and so many percent" },
		{ __LINE__, RULE "below peers by 101 " END,
		    "a number from 0 to 100 expected" },
		{ __LINE__, RULE "above 1 for 101 " END,
		    "a number from 0 to 100 expected" },
		{ __LINE__, RULE "above 1 least 1 " END,
		    "`least` is of what is held against" },
		{ __LINE__, RULE "above 1 range 2 1 " END, "runs backwards" },
		{ __LINE__, RULE "above 1 = 1\n", "`advice` expected" },
		{ __LINE__, RULE "above 1 advice \"\" = 1\n",
		    "a sentence, in quotes, expected" },
		{ __LINE__, RULE "above 1 advice \"a\" 1\n", "'=' expected" },
		{ __LINE__, RULE "above 1 advice \"a\" = 1 +\n", "f:1:" },
		{ __LINE__, RULE "above 1 advice \"a\" = 1 2\n",
		    "an operator or the end of the formula" },
		{ __LINE__, RULE "above 1 " END "# c\n" RULE "below 1 " END,
		    "f:3:6: a second rule of that name (the first is on line 1)" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		struct rules r;
		struct diag why;

		assert_int_equal(rules_init(&r), 0);
		assert_int_equal(rules_parse(&r, "f", t[i].text,
		    strlen(t[i].text), &why), -EINVAL);
		if (strstr(why.text, t[i].words) == NULL)
			fail_msg("%d: %s", t[i].line, why.text);
		rules_fini(&r);
	}
}

static void
a_rule_of_another_file_stands_in_the_place_of_its_name(void **state)
{
	static const char one[] = RULE "above 1 weight 3 " END
	    "rule y box \"GB/s\" \"v\" below peers by 25 least 2 for 0\n"
	    "\tadvice \"b\" # why\n\t= imc[\"A#\"] / # so\n\t  time\n";
	static const char two[] = RULE "above 5 range -1 2 " END;
	struct rules r;
	struct diag why;

	(void)state;
	assert_int_equal(rules_init(&r), 0);
	assert_int_equal(rules_parse(&r, "1", one, sizeof one - 1, &why), 0);
	assert_true(r.rule[0].weight == 3 && r.rule[0].part == 10);
	assert_int_equal(rules_parse(&r, "2", two, sizeof two - 1, &why), 0);
	assert_int_equal(r.n, 2);
	assert_true(r.rule[0].limit == 5 && r.rule[0].weight == 1);
	assert_string_equal(r.rule[0].metric.file, "2");
	assert_string_equal(r.rule[1].formula, "imc[\"A#\"] / time");
	assert_int_equal(r.rule[1].against, AGAINST_PEERS);
	assert_true(r.rule[1].part == 0 && r.rule[1].least == 2);
	/* a quarter below 4 is 3; of less than 2 it says nothing */
	assert_true(rule_limit(&r.rule[1], 4) == 3);
	assert_true(rule_holds(&r.rule[1], 2.9, 4));
	assert_false(rule_holds(&r.rule[1], 3, 4));
	assert_false(rule_holds(&r.rule[1], 0, 1.9));
	assert_false(rule_holds(&r.rule[0], 5, 0));
	assert_true(rule_holds(&r.rule[0], 5.1, 0));
	rules_fini(&r);
}

#define SECOND(i) "tsc[" #i "] = 1" #i "000000000\n" \
	"walltime[0][" #i "] = 100" #i "\nwalltime[1][" #i "] = 0\n"
#define ROW(i, a, b, c) SECOND(i) \
	"imc_counts[0][0][\"A\"][" #i "] = " #a "\n" \
	"imc_counts[0][1][\"A\"][" #i "] = " #b "\n" \
	"imc_counts[0][2][\"A\"][" #i "] = " #c "\n"
/* 100 a second of each, but channel 1 rests in the third and fourth of five */
static const char dump[] = "host = \"n\"\nmodel = \"skx\"\nTSC_ratio = 10\n"
    "packages = 1\nnr_cpus = 1\nlproc_package[0] = 0\nlproc_online[0] = 1\n"
    ROW(0, 0, 0, 0) ROW(1, 100, 100, 100) ROW(2, 200, 200, 200)
    ROW(3, 300, 210, 300) ROW(4, 400, 220, 400) ROW(5, 500, 320, 500);

/* tally why of that dump by one file of rules. */
static char *
why_by(int want, const char *options, const char *rules, bool errors)
{
	char words[800];

	snprintf(words, sizeof words, "why %s -r %s", options,
	    test_put("site.rules", rules));
	return errors ? complained(want, cmd_why, words, dump) :
	    said(want, cmd_why, words, dump);
}

#define REST "rule rest box \"/s\" \"a channel rests\" "
#define LOOK "advice \"Look.\" = imc[\"A\"] / time\n"

static void
a_site_adds_a_rule_in_a_line(void **state)
{
	char *page;

	(void)state;
	page = why_by(EXIT_FINDINGS, "", REST "below peers by 50 " LOOK, false);
	assert_non_null(strstr(page, "1. a channel rests (rest)\n"
	    "   imc 0/1: 10.00 /s, lowest 10.00 /s (the others: 100.00 /s; "
	    "the rule: 50 % below)\n"
	    "   for 2.0 s of the 5.0 s judged (40 %): samples 2:4\n"
	    "   rest = imc[\"A\"] / time\n   Look.\n"));
	free(page);
	/* rank, rule, where; 10 is below half of 100; 2 of 5 seconds */
	holds(why_by(EXIT_FINDINGS, "-f csv", REST "below peers by 50 " LOOK,
	    false), "n,1,rest,a channel rests,imc,0/1,10.000,/s,50.000,"
	    "10.000,40.0,2,4,");
}

static void
each_kind_of_test_is_of_what_it_says(void **state)
{
	(void)state;
	/* a number; the others have 100, too */
	holds(why_by(EXIT_FINDINGS, "-f csv", REST "below 50 " LOOK, false),
	    ",0/1,10.000,/s,50.000,10.000,40.0,2,4,");
	holds(why_by(EXIT_FINDINGS, "", REST "above 50 " LOOK, false),
	    "; also in imc 0/1, 0/2\n");
	/* its own median is 100 */
	holds(why_by(EXIT_FINDINGS, "-f csv", REST "below itself by 80 " LOOK,
	    false), ",0/1,10.000,/s,20.000,10.000,40.0,2,4,");
	holds(why_by(EXIT_OK, "", REST "below itself by 95 " LOOK, false),
	    "none holds");
	/* for longer than it did; of more than the others have; not known */
	holds(why_by(EXIT_OK, "", REST "below 50 for 41 " LOOK, false),
	    "none holds");
	holds(why_by(EXIT_OK, "", REST "below peers by 50 least 101 " LOOK,
	    false), "none holds");
	holds(why_by(EXIT_OK, "", REST "below 50 range 20 200 " LOOK, false),
	    "none holds");
}

static void
what_costs_most_stands_first(void **state)
{
	static const char rules[] =
	    "rule a box \"/s\" \"a\" below 50 weight 2 " LOOK
	    "rule b box \"/s\" \"b\" above 50 weight 1 " LOOK
	    "rule c box \"/s\" \"c\" below 50 weight 3 " LOOK;
	char *csv = why_by(EXIT_FINDINGS, "-f csv", rules, false);

	(void)state;
	/* 3 x 0.4, 1 x 1, 2 x 0.4 */
	assert_non_null(strstr(csv, "n,1,c,"));
	assert_non_null(strstr(csv, "n,2,b,"));
	holds(csv, "n,3,a,");
}

static void
a_rule_that_cannot_be_judged_says_what_is_missing(void **state)
{
	(void)state;
	holds(why_by(EXIT_OK, "", "rule x node \"\" \"w\" above 1 advice \"a\"\n"
	    "\t= dram_bandwith\n", true), "site.rules:1: rule x: no "
	    "dram_bandwith in this dump, so it is not judged; did you mean "
	    "dram_bandwidth?");
	holds(why_by(EXIT_OK, "", REST "below other by 5 " LOOK, true),
	    "site.rules:1: rule rest: it needs another run (--against FILE)");
	holds(why_by(EXIT_UNUSABLE, "", "rule x y\n", true), "site.rules:1:8: "
	    "a scope expected (lproc core ccx box die numa package node)");
	holds(complained(EXIT_UNUSABLE, cmd_why, "why -r @limit", dump),
	    "built in are @limits");
}

static void
what_was_not_judged_is_in_no_share_of_the_time(void **state)
{
	(void)state;
	/* it is known where channel 1 rests, and above 5 in all of that */
	holds(why_by(EXIT_FINDINGS, "", "rule part node \"/s\" \"p\" above 5 "
	    "advice \"a\"\n\t= if(max(imc[\"A\"] / time) > min(imc[\"A\"] "
	    "/ time), min(imc[\"A\"] / time), 0 / 0)\n", false),
	    "\n   for 2.0 s of the 2.0 s judged (100 %): samples 2:4\n");
}

static void
what_is_not_judged_says_what_to_sample(void **state)
{
	char *page = why_by(EXIT_OK, "", "rule mine node \"/s\" \"m\" above 1 "
	    "advice \"a\" = core[\"NO_SUCH\"]\n", false), *at;

	(void)state;
	at = strstr(page, "\nNot judged\n");
	assert_non_null(at);
	assert_non_null(strstr(at, "\n  sample with tallyd -c @hpc: "
	    "memory_bandwidth, memory_bound,"));
	assert_non_null(strstr(at, "\n  sample with tallyd -c @io: "
	    "io_conflicts, io_l3_misses\n"));
	assert_non_null(strstr(at, "\n  sample with tallyd -c @software: "
	    "context_switches\n"));
	assert_non_null(strstr(at, "\n  this node has no counter of it, or "
	    "tally knows none: hbm_unused, hbm_cache_misses, "));
	assert_non_null(strstr(at, "near_prochot,"));
	assert_non_null(strstr(at, "iotlb_misses, mine\n"));
	for (; *at != '\0'; at += strcspn(at, "\n") + 1)
		assert_true(strcspn(at, "\n") <= 100);
	free(page);
	/* what it was sampled with already is no answer */
	lacks(said(EXIT_OK, cmd_why, "why", "text_name = {}\ntext_name[0] = "
	    "\"@io-skx\"\n" "host = \"n\"\nmodel = \"skx\"\n"
	    "packages = 1\nnr_cpus = 1\nlproc_online[0] = 1\n" SECOND(0)
	    SECOND(1)), "-c @io");
	/* nor is another list, where one that was given has what is missing: the node
	 * lacks it */
	lacks(said(EXIT_OK, cmd_why, "why", "text_name = {}\ntext_name[0] = "
	    "\"@default-spr\"\n" "host = \"n\"\nmodel = \"spr\"\n"
	    "packages = 1\nnr_cpus = 1\nlproc_online[0] = 1\n" SECOND(0)
	    SECOND(1)), "-c @hpc: memory_bandwidth");
	/* a dump of the original tool, which names no CPU */
	holds(said(EXIT_OK, cmd_why, "why", "host = \"n\"\npackages = 1\n"
	    "nr_cpus = 1\n" SECOND(0) SECOND(1)), "\n  sample with tallyd -c "
	    "@hpc: memory_bandwidth, ");
}

/* 2 x 10^8 lines of 64 bytes in a second: of 15 GB/s these are 85 %. */
#define LINES(i, n) SECOND(i) "imc_counts[0][0][\"CAS_COUNT_SCH0.RD\"][" #i "] = " #n "\n" \
	"imc_counts[0][0][\"CAS_COUNT_SCH0.WR\"][" #i "] = 0\n" \
	"imc_counts[0][0][\"CAS_COUNT_SCH1.RD\"][" #i "] = 0\n" \
	"imc_counts[0][0][\"CAS_COUNT_SCH1.WR\"][" #i "] = 0\n"

/* A CPU whose channels have no clock that is known: their limit is what was measured. */
static void
where_no_clock_gives_the_limit_of_dram_it_is_to_be_measured(void **state)
{
#define GNR "host = \"n\"\nmodel = \"gnr\"\nTSC_ratio = 10\npackages = 1\n" \
	"nr_cpus = 1\nlproc_package[0] = 0\nlproc_online[0] = 1\n"
#define COUNTS LINES(0, 0) LINES(1, 200000000) LINES(2, 400000000)
	char *page = said(EXIT_OK, cmd_why, "why", GNR COUNTS);

	(void)state;
	assert_non_null(strstr(page, "\n  sample with tallyd "
	    "--measure-dram-bandwidth: memory_bandwidth\n"));
	free(page);
	holds(said(EXIT_FINDINGS, cmd_why, "why", GNR
	    "dram_max_bandwidth = 15000000000\n" COUNTS),
	    "(memory_bandwidth)\n   package 0: 85.33 %, ");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_byte_0_ends_no_sentence),
		cmocka_unit_test(a_mistake_is_named_with_its_place),
		cmocka_unit_test(a_rule_of_another_file_stands_in_the_place_of_its_name),
		cmocka_unit_test(a_site_adds_a_rule_in_a_line),
		cmocka_unit_test(each_kind_of_test_is_of_what_it_says),
		cmocka_unit_test(what_costs_most_stands_first),
		cmocka_unit_test(what_was_not_judged_is_in_no_share_of_the_time),
		cmocka_unit_test(what_is_not_judged_says_what_to_sample),
		cmocka_unit_test(
		    where_no_clock_gives_the_limit_of_dram_it_is_to_be_measured),
		cmocka_unit_test(a_rule_that_cannot_be_judged_says_what_is_missing),
	};

	return cmocka_run_group_tests_name("rules", tests, test_dir_new,
	    test_dir_free);
}
