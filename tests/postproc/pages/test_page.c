/*
 * tests/postproc/pages/test_page.c - an HTML page about a dump: what stands in it, and that
 * nothing of a dump becomes markup or code.
 */
#include "tests/lib/tally_command.h"

#include <math.h>

#include "postproc/html/markup.h"

#include <stdlib.h>
#include <string.h>

#define SECOND(i) "tsc[" #i "] = 1" #i "000000000\n" \
	"walltime[0][" #i "] = 100" #i "\nwalltime[1][" #i "] = 0\n"
#define NAMED(host) "host = \"" host "\"\nmodel = \"skx\"\nTSC_ratio = 10\n" \
	"packages = 2\nnr_cpus = 2\nlproc_package[0] = 0\n" \
	"lproc_package[1] = 1\nlproc_online[0] = 1\nlproc_online[1] = 1\n"
#define ROW(i, count) SECOND(i) \
	"core_counts[0][\"INST_RETIRED.ANY\"][" #i "] = " #count "\n" \
	"core_counts[0][\"CPU_CLK_UNHALTED.THREAD\"][" #i "] = " #count "00\n" \
	"core_counts[1][\"INST_RETIRED.ANY\"][" #i "] = " #count "\n" \
	"core_counts[1][\"CPU_CLK_UNHALTED.THREAD\"][" #i "] = " #count "00\n"

static const char plain[] = NAMED("n") ROW(0, 10) ROW(1, 20) ROW(2, 40);

static void
nothing_of_a_dump_becomes_markup_or_code(void **state)
{
	static const char hostile[] =
	    NAMED("</script><img src=x onerror=alert(1)>\\\"'&\xe2\x80\xa8")
	    "kernel = \"--><script>alert(2)</script>\"\n"
	    ROW(0, 10) ROW(1, 20) ROW(2, 40);
	const char *list = test_put("x.metrics", "metric own lproc "
	    "\"</script>'&\" \"</style><svg onload=alert(3)>\" = "
	    "core[\"INST_RETIRED.ANY\"] / time\n");
	char words[300], *text;

	(void)state;
	snprintf(words, sizeof words, "page -M %s", list);
	text = said(EXIT_OK, cmd_page, words, hostile);
	assert_null(strstr(text, "<img"));
	assert_null(strstr(text, "<script>alert"));
	assert_null(strstr(text, "<svg onload"));
	assert_null(strstr(text, "\xe2\x80\xa8"));
	assert_null(strstr(text, "</script>'"));
	assert_non_null(strstr(text, "&lt;/script&gt;&lt;img src=x onerror="));
	assert_non_null(strstr(text, "\\u003c/script\\u003e\\u0027\\u0026"));
	holds(text, "\\u003csvg onload=alert(3)\\u003e");
}

/* The data of the script, which the caller frees. */
static char *
data_of(char *text)
{
	char *from = strstr(text, "id=\"data\">"), *to, *data;

	assert_non_null(from);
	from += strlen("id=\"data\">");
	to = strstr(from, "</script>");
	assert_non_null(to);
	*to = '\0';
	data = strdup(from);
	assert_non_null(data);
	free(text);
	return data;
}

static void
no_number_of_its_data_is_not_a_number(void **state)
{
	static const char backwards[] = NAMED("n")
	    ROW(0, 900000000000) ROW(1, 20) ROW(2, 10);
	char *data = data_of(said(EXIT_OK, cmd_page, "page", backwards));

	(void)state;
	assert_null(strstr(data, ":nan"));
	assert_null(strstr(data, ":-nan"));
	assert_null(strstr(data, ":inf"));
	holds(data, "\"k\":null");
}

static void
a_dump_without_two_samples_is_no_page(void **state)
{
	(void)state;
	holds(complained(EXIT_UNUSABLE, cmd_page, "page", NAMED("n")
	    ROW(0, 10)), "no two samples");
	holds(complained(EXIT_UNUSABLE, cmd_page, "page", NAMED("n")),
	    "no two samples");
}

static void
what_is_all_doubted_is_a_page_that_says_so(void **state)
{
	static const char backwards[] = NAMED("n")
	    ROW(0, 900000000000) ROW(1, 20) ROW(2, 10);
	char *text = said(EXIT_OK, cmd_page, "page", backwards);

	(void)state;
	assert_non_null(strstr(text, "Data NOT SOUND"));
	assert_non_null(strstr(text, "\"d\":[0,1]"));
	holds(text, "class=\"doubt\"");
}

static void
a_quotient_weighs_by_what_it_is_divided_by(void **state)
{
	/* a rate has seconds for weights; neither is an estimate */
	char *data = data_of(said(EXIT_OK, cmd_page, "page", plain));

	(void)state;
	assert_non_null(strstr(data, "\"name\":\"ipc\",\"unit\":\"inst/cycle\","
	    "\"text\":\"Instructions retired per unhalted cycle\","
	    "\"how\":\"own\",\"guess\":0,"));
	holds(data, "\"how\":\"time\",\"guess\":0,");
}

/* The line of a metric at the node, to its end. */
static char *
line_of(const char *data, const char *metric)
{
	char key[80], *line;
	const char *at;
	unsigned n = 0;

	snprintf(key, sizeof key, "{\"name\":\"%s\"", metric);
	assert_non_null(strstr(data, key));
	for (at = strstr(data, "{\"name\":"); strncmp(at, key, strlen(key)) != 0;
	    at = strstr(at + 1, "{\"name\":"))
		n++;
	snprintf(key, sizeof key, "{\"m\":%u,\"s\":\"node\"", n);
	at = strstr(data, key);
	assert_non_null(at);
	line = strdup(at);
	assert_non_null(line);
	line[strcspn(line, "}")] = '\0';
	return line;
}

static void
the_recordings_takeover_is_a_doubted_stretch_of_what_rests_on_it(void **state)
{
	static const char *const rests[] = { "ipc", "instructions",
	    "kernel_time", "core_idle" };
	char path[512], words[600], *data;

	(void)state;
	snprintf(words, sizeof words, "page %s", recording(path));
	data = data_of(said(EXIT_OK, cmd_page, words, NULL));
	/* bucket 17 is from sample 17 to 18, the last one ends with 29 */
	for (size_t i = 0; i < sizeof rests / sizeof *rests; i++)
		holds(line_of(data, rests[i]), "\"d\":[17,28],\"y\":");
	/* who has the counters makes any stretch with it unknown */
	holds(line_of(data, "kernel_time"), ",\"z\":[18,28]");
	lacks(line_of(data, "dram_read"), "\"d\":");
	lacks(line_of(data, "frequency"), "\"d\":");
	free(data);
}

static void
neighbours_share_a_bucket_where_there_are_too_many(void **state)
{
	static const char longer[] = NAMED("n") ROW(0, 10) ROW(1, 20)
	    ROW(2, 40) ROW(3, 50) ROW(4, 90) ROW(5, 91);
	char *text = said(EXIT_OK, cmd_page, "page --buckets 2", longer);

	(void)state;
	assert_non_null(strstr(text, "2 buckets of up to 4 intervals"));
	assert_non_null(strstr(text, "\"first\":[0,4],\n\"last\":[4,5]"));
	holds(text, "class=\"band c0\"");
}

static void
every_value_is_a_point_of_what_it_is_asked_of(void **state)
{
	char path[512], words[700], rows[300], *data, *text;

	(void)state;
	snprintf(rows, sizeof rows, "%s/rows.csv", test_dir);
	snprintf(words, sizeof words, "page --buckets 6 --all dram_r* "
	    "--series %s %s", rows, recording(path));
	data = data_of(said(EXIT_OK, cmd_page, words, NULL));
	lacks(line_of(data, "dram_read"), "\"c\":");
	lacks(line_of(data, "dram_read"), "\"a\":");
	/* 29 intervals: four points of eight, or of what is left */
	holds(line_of(data, "utilisation"), "\"c\":3");
	holds(line_of(data, "utilisation"), "\"a\":");
	free(data);
	text = file_text(rows, NULL);
	assert_non_null(text);
	assert_non_null(strstr(text, "node,before,last,from (s),to (s),metric,"
	    "scope,where,mean,least,greatest,unit,doubt\r\n"));
	/* as tally metrics -e has sample 20, and -s 16:24, the takeover within */
	assert_non_null(strstr(text, ",19,20,19.365,20.376,dram_read,node,,"
	    "115.7148,115.7148,115.7148,GB/s,\r\n"));
	assert_non_null(strstr(text, ",16,24,16.317,24.418,utilisation,node,,"
	    "39.7266,0.03021,50.1414,%,\r\n"));
	assert_non_null(strstr(text, ",24,29,24.418,29.474,utilisation,node,,"
	    "50.1396,50.1209,50.1689,%,\r\n"));
	/* a doubt has its reason */
	holds(text, ",16,24,16.317,24.418,kernel_time,node,,");
}

static void
what_is_no_such_page_is_refused(void **state)
{
	char path[512], words[1400];

	(void)state;
	recording(path);
	snprintf(words, sizeof words, "page --all ipc %s %s", path, path);
	holds(complained(EXIT_USAGE, cmd_page, words, NULL),
	    "--all and --series are of one dump's page");
	snprintf(words, sizeof words, "page --all , %s", path);
	holds(complained(EXIT_USAGE, cmd_page, words, NULL),
	    "--all: expected names of metrics");
	snprintf(words, sizeof words, "page --all nosuch %s", path);
	holds(complained(EXIT_UNUSABLE, cmd_page, words, NULL),
	    "--all nosuch: the page has no metric of that name");
	/* said.h has the output there */
	snprintf(words, sizeof words, "page --series %s/out %s", test_dir, path);
	holds(complained(EXIT_USAGE, cmd_page, words, NULL),
	    "/out: that is the page");
	snprintf(words, sizeof words, "page --series /nonexistent/x %s", path);
	holds(complained(EXIT_UNUSABLE, cmd_page, words, NULL),
	    "/nonexistent/x");
}

/* Fails if a point is not written as "%.1f" would. */
static void
point_is_as_printed(double v)
{
	char *text = NULL, printed[800];
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	markup_point(f, v, -v);
	assert_int_equal(fclose(f), 0);
	snprintf(printed, sizeof printed, "%.1f,%.1f ", v, -v);
	assert_string_equal(text, printed);
	free(text);
}

static void
points_of_pictures_are_rounded_as_printf_does(void **state)
{
	static const double least[] = { 0, 0.25, 0.75, 0.05, 0.15, 0.35, 0.45,
	    0.95, 1.25, 2.75, 9.95, 99.95, 99.96, 0.04, 1e-20, 5e-324, 719.95,
	    999999999.95, 999999999.9, 1e9, 1e15 + 0.5, 1e300, INFINITY, NAN };
	uint64_t seed = 1;

	(void)state;
	for (unsigned i = 0; i < sizeof least / sizeof *least; i++) {
		point_is_as_printed(least[i]);
		point_is_as_printed(nextafter(least[i], -1));
		point_is_as_printed(nextafter(least[i], 1e301));
	}
	for (unsigned i = 0; i < 20000; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		point_is_as_printed((double)(seed >> 32) / 5965232);
		/* twentieths are halfway, or as near to it as a double can be */
		point_is_as_printed((double)(seed >> 48) / 20);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_of_pictures_are_rounded_as_printf_does),
		cmocka_unit_test(nothing_of_a_dump_becomes_markup_or_code),
		cmocka_unit_test(no_number_of_its_data_is_not_a_number),
		cmocka_unit_test(a_dump_without_two_samples_is_no_page),
		cmocka_unit_test(what_is_all_doubted_is_a_page_that_says_so),
		cmocka_unit_test(a_quotient_weighs_by_what_it_is_divided_by),
		cmocka_unit_test(
		    the_recordings_takeover_is_a_doubted_stretch_of_what_rests_on_it),
		cmocka_unit_test(
		    neighbours_share_a_bucket_where_there_are_too_many),
		cmocka_unit_test(every_value_is_a_point_of_what_it_is_asked_of),
		cmocka_unit_test(what_is_no_such_page_is_refused),
	};

	return cmocka_run_group_tests_name("page", tests, test_dir_new,
	    test_dir_free);
}
