/*
 * tests/postproc/many/test_summary.c - sketches of many values, summaries as text, nodes among
 * their peers.
 */
#include "tests/lib/files.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "postproc/commands.h"
#include "postproc/many/summary.h"

/* Within 1/128. */
static void
near(double v, double exact)
{
	if (!(fabs(v - exact) <= fabs(exact) / 128))
		fail_msg("%.17g, not %.17g", v, exact);
}

static void
quantiles_are_within_an_eighth_of_a_sixteenth(void **state)
{
	struct sketch s = { .n = 0 };

	(void)state;
	assert_true(isnan(sketch_quantile(&s, 0.5)));
	for (int i = 1000; i >= 1; i--)
		assert_int_equal(sketch_add(&s, i * 1e-3), 0);
	near(sketch_quantile(&s, 0.1), 0.1);
	near(sketch_quantile(&s, 0.5), 0.5);
	near(sketch_quantile(&s, 0.99), 0.99);
	assert_true(sketch_quantile(&s, 0) == 1e-3);
	assert_true(sketch_quantile(&s, 1) <= 1 &&
	    sketch_quantile(&s, 1) >= 0.992);
	assert_true(s.least == 1e-3 && s.most == 1);
	sketch_fini(&s);
}

static void
values_below_and_at_zero_have_their_order(void **state)
{
	static const double value[] = { 0, -5, 3, -1e300, 1e-300, 0, 5e-324 };
	struct sketch s = { .n = 0 };

	(void)state;
	for (size_t i = 0; i < sizeof value / sizeof *value; i++)
		assert_int_equal(sketch_add(&s, value[i]), 0);
	near(sketch_quantile(&s, 0.1), -1e300);
	near(sketch_quantile(&s, 0.28), -5);
	assert_true(sketch_quantile(&s, 0.5) == 0);
	assert_true(s.least == -1e300 && s.most == 3);
	assert_int_equal(s.bucket[0].n, 1);
	assert_int_equal(s.bucket[2].at, 0);
	assert_int_equal(s.bucket[2].n, 2);
	sketch_fini(&s);
}

static void
the_greatest_double_is_in_the_last_bucket(void **state)
{
	struct sketch s = { .n = 0 };

	(void)state;
	assert_int_equal(sketch_add(&s, 1.7976931348623157e308), 0);
	near(sketch_quantile(&s, 0.5), 1.7976931348623157e308);
	assert_int_equal(sketch_count(&s, s.bucket[0].at + 1, 1), -ERANGE);
	assert_int_equal(sketch_count(&s, 1, UINT64_MAX), -ERANGE);
	assert_int_equal(s.count, 1);
	sketch_fini(&s);
}

static void
sketches_add_up_in_any_order(void **state)
{
	struct sketch a = { .n = 0 }, b = { .n = 0 }, one = { .n = 0 },
	    other = { .n = 0 };

	(void)state;
	for (int i = 1; i < 500; i++) {
		assert_int_equal(sketch_add(&a, i), 0);
		assert_int_equal(sketch_add(&b, -0.25 * i), 0);
	}
	assert_int_equal(sketch_merge(&one, &a), 0);
	assert_int_equal(sketch_merge(&one, &b), 0);
	assert_int_equal(sketch_merge(&other, &b), 0);
	assert_int_equal(sketch_merge(&other, &a), 0);
	assert_int_equal(one.count, 998);
	assert_int_equal(one.n, other.n);
	for (unsigned i = 0; i < one.n; i++) {
		assert_int_equal(one.bucket[i].at, other.bucket[i].at);
		assert_int_equal(one.bucket[i].n, other.bucket[i].n);
	}
	assert_true(one.least == -124.75 && one.most == 499);
	assert_true(other.least == -124.75 && other.most == 499);
	sketch_fini(&a), sketch_fini(&b);
	sketch_fini(&one), sketch_fini(&other);
}

/* ---- texts ---- */

#define HEAD "tally_summary = 1\ntext[0] = \"n\"\ntext[1] = \"\"\n"

static void
what_tally_summarize_does_not_write_is_refused_with_its_line(void **state)
{
	static const struct { const char *text, *said; } bad[] = {
		{ "", "m: empty" },
		{ "tally_summary = 2\n", "m:1: expected tally_summary = 1: " },
		{ HEAD "text[3] = \"x\"\n", "m:4: text out of order" },
		{ HEAD "text[2] = \"n\"\n", "m:4: text that is there twice" },
		{ HEAD "metric[0] = \"0 2\"\n", "m:4: metric" },
		{ HEAD "metric[0] = \"0 1 1\"\n", "m:4: metric" },
		{ HEAD "node_seconds[0] = 1\n", "m:4: node out of order" },
		{ HEAD "node_host[1] = \"n\"\n", "m:4: node out of order" },
		{ HEAD "node_host[0] = \"n\"\nnode_seconds[0] = 1e999\n",
		    "m:5: number" },
		{ HEAD "node_host[0] = \"n\"\nnode_samples[0] = -1\n",
		    "m:5: count" },
		{ HEAD "node_host[0] = \"n\"\nnode_values[0] = \"0 1 0 -\"\n",
		    "m:5: values" },
		{ HEAD "node_host[0] = \"n\"\nnode_host[1] = \"n\"\n",
		    "m:5: node that is there twice" },
		{ HEAD "metric[0] = \"0 1\"\ndistribution[0] = "
		    "\"0 1 1 0 0 2 1 5:1\"\n", "m:5: distribution" },
		{ HEAD "metric[0] = \"0 1\"\ndistribution[0] = "
		    "\"0 1 1 99 0 1 2 5:1\"\n", "m:5: distribution" },
		{ HEAD "metric[0] = \"0 1\"\ndistribution[0] = "
		    "\"0 1 1 0 0 1 2 5:0\"\n", "m:5: buckets" },
		{ HEAD "metric[0] = \"0 1\"\ndistribution[0] = "
		    "\"0 1 1 0 0 1 2 999999999:1\"\n", "m:5: buckets" },
		{ HEAD "metric[0] = \"0 1\"\ndistribution[0] = "
		    "\"0 1 1 0 0 1 2 5:9007199254740992\"\n", "m:5: buckets" },
		{ HEAD "metric[0] = \"0 1\"", "m:4: line" },
		{ HEAD "what is this\n", "m:4: line" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct summary s = { .ntext = 0 };
		struct diag why = { "" };
		FILE *f = fopen(test_put("s", bad[i].text), "r");

		assert_non_null(f);
		if (summary_read(&s, f, "m", &why) == 0)
			fail_msg("taken: %s", bad[i].text);
		if (strncmp(why.text, bad[i].said, strlen(bad[i].said)) != 0)
			fail_msg("%s: %s", bad[i].text, why.text);
		fclose(f);
		summary_fini(&s);
	}
}

static void
a_summary_read_and_written_is_the_same_to_the_byte(void **state)
{
	const char *path = test_put("s", "tally_summary = 1\n"
	    "text[0] = \"n\"\ntext[1] = \"\"\ntext[2] = \"a \\\"b\\\\ c\"\n"
	    "metric[0] = \"0 1\"\nmetric[1] = \"2 0\"\n"
	    "node_host[0] = \"n\"\nnode_file[0] = \"a \\\"b\\\\ c\"\n"
	    "node_identity[0] = \"00000000000000ff\"\n"
	    "node_first[0] = 1.5\nnode_samples[0] = 7\n"
	    "node_trait[0][3] = \"of it\"\n"
	    "node_values[0] = \"1 0.10000000000000001 3 - 0 - 16 2\"\n"
	    "distribution[0] = \"1 0 1 2 9 -5 6 -7:1 0:2 8:9007199254740980\"\n"
	    "a_key_of_a_later_tally[0] = 5\n");
	struct summary s = { .ntext = 0 };
	struct diag why = { "" };
	char *text[2];

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		FILE *f = fopen(path, "r");
		size_t n;

		assert_non_null(f);
		if (summary_read(&s, f, "m", &why) < 0)
			fail_msg("%s", why.text);
		fclose(f);
		assert_non_null(f = open_memstream(&text[i], &n));
		summary_write(&s, f);
		fclose(f);
		summary_fini(&s);
		path = test_put("again", text[i]);
	}
	assert_string_equal(text[0], text[1]);
	assert_non_null(strstr(text[0], "\nnode_values[0] = "
	    "\"1 0.10000000000000001 3 - 0 - 16 2\"\n"));
	assert_non_null(strstr(text[0], "\nnode_trait[0][3] = \"of it\"\n"));
	assert_non_null(strstr(text[0], "\ndistribution[0] = \"1 0 1 2 9 -5 6 "
	    "-7:1 0:2 8:9007199254740980\"\n"));
	free(text[0]);
	free(text[1]);
}

/* ---- nodes ---- */

static char dump[8][80];

/* A node that reads so many GB a second; of a job, where there is one. */
static void
put_node(unsigned i, const char *cpu, const char *job, double gb)
{
	FILE *f;

	snprintf(dump[i], sizeof dump[i], "%s/n%u.lua", test_dir, i);
	assert_non_null(f = fopen(dump[i], "w"));
	fprintf(f, "host = \"n%u\"\ncpu = \"%s\"\nTSC_ratio = 20\n"
	    "nr_cpus = 2\n", i, cpu);
	if (job != NULL)
		fprintf(f, "mark_sample[0] = 0\nmark_time[0] = 1000.000000\n"
		    "mark_text[0] = \"job=%s begin\"\n", job);
	for (unsigned k = 0; k < 3; k++)
		fprintf(f, "tsc[%u] = %llu\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\nimc_counts[0][0]"
		    "[\"CAS_COUNT.READS\"][%u] = %.0f\n", k, k * 2000000000ull,
		    k, 1000 + k, k, k, k * gb * 15625000);
	fclose(f);
}

static char *
merged(unsigned n)
{
	char out[80], *argv[20] = { (char *)"merge", (char *)"-f",
	    (char *)"csv", (char *)"-m", (char *)"dram_read",
	    (char *)"--overwrite", (char *)"-o", out };

	snprintf(out, sizeof out, "%s/out", test_dir);
	for (unsigned i = 0; i < n; i++)
		argv[8 + i] = dump[i];
	optind = 0;
	assert_int_equal(cmd_merge(8 + (int)n, argv), EXIT_OK);
	return file_text(out, NULL);
}

/* Of eight nodes 16 and 12 are as far from 10 as can be; not from what nodes of
 * their kind read. */
static void
a_node_stands_out_among_nodes_of_its_cpu_alone(void **state)
{
	char *text;

	(void)state;
	for (unsigned i = 0; i < 5; i++)
		put_node(i, "old", NULL, 10 + i * 0.1);
	for (unsigned i = 5; i < 8; i++)
		put_node(i, "new", NULL, 16 + i * 0.1);
	text = merged(8);
	if (strstr(text, "\r\ndram_read,GB/s,8,10.000,10.350,16.700,,\r\n") ==
	    NULL)
		fail_msg("%s", text);
	free(text);
	put_node(4, "old", NULL, 16.6);
	text = merged(8);
	if (strstr(text, ",n4,\r\n") == NULL)
		fail_msg("%s", text);
	free(text);
}

static void
a_node_stands_out_among_nodes_of_its_job_alone(void **state)
{
	char *text;

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		put_node(i, "old", "17", i == 2 ? 16 : 10 + i * 0.1);
	for (unsigned i = 4; i < 8; i++)
		put_node(i, "old", "18", 16 + i * 0.1);
	text = merged(8);
	if (strstr(text, ",n2,\r\n") == NULL)
		fail_msg("%s", text);
	free(text);
}

static void
a_summary_in_the_place_of_a_dump_is_named_where_it_has_the_same(void **state)
{
	char s[80], *argv[] = { (char *)"summarize", (char *)"--overwrite",
	    (char *)"-o", s, dump[0], dump[1], NULL }, *text;

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		put_node(i, "old", NULL, 10 + i);
	snprintf(s, sizeof s, "%s/summary", test_dir);
	optind = 0;
	assert_int_equal(cmd_summarize(6, argv), EXIT_OK);
	strcpy(dump[0], s);
	strcpy(dump[1], dump[2]);
	text = merged(2);
	if (strstr(text, "\r\ndram_read,GB/s,3,10.000,11.000,12.000,,\r\n") ==
	    NULL)
		fail_msg("%s", text);
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles_are_within_an_eighth_of_a_sixteenth),
		cmocka_unit_test(values_below_and_at_zero_have_their_order),
		cmocka_unit_test(the_greatest_double_is_in_the_last_bucket),
		cmocka_unit_test(sketches_add_up_in_any_order),
		cmocka_unit_test(
		    what_tally_summarize_does_not_write_is_refused_with_its_line),
		cmocka_unit_test(
		    a_summary_read_and_written_is_the_same_to_the_byte),
		cmocka_unit_test(a_node_stands_out_among_nodes_of_its_cpu_alone),
		cmocka_unit_test(a_node_stands_out_among_nodes_of_its_job_alone),
		cmocka_unit_test(
		    a_summary_in_the_place_of_a_dump_is_named_where_it_has_the_same),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
