/*
 * tests/postproc/pages/test_page_bad.c - a page about what is hardly a dump any more, or a large one:
 * it is there whole, or it is said why not.
 */
#include "tests/lib/tally_command.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define MB 1000000

/* A node of so many packages, lprocs and devices a package. */
struct shape {
	unsigned packages, lprocs, devices, samples;
	unsigned count;         /* of each lproc a sample; 0: it goes back */
};

static char *
dump_of(const struct shape *s)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	fprintf(f, "host = \"n\"\nmodel = \"skx\"\nTSC_ratio = 10\n"
	    "packages = %u\nnr_cpus = %u\n", s->packages, s->lprocs);
	for (unsigned l = 0; l < s->lprocs; l++)
		fprintf(f, "lproc_package[%u] = %u\nlproc_core[%u] = %u\n"
		    "lproc_online[%u] = 1\n", l, l % s->packages, l, l, l);
	for (unsigned i = 0; i < s->samples; i++) {
		unsigned long long n = s->count != 0 ?
		    (unsigned long long)i * s->count : 900000 - 1000 * i;

		fprintf(f, "tsc[%u] = %u000000000\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\n", i, 10 + i, i, 1000 + i, i);
		for (unsigned l = 0; l < s->lprocs; l++)
			fprintf(f, "core_counts[%u][\"INST_RETIRED.ANY\"][%u] "
			    "= %llu\ncore_counts[%u][\"CPU_CLK_UNHALTED.THREAD"
			    "\"][%u] = %llu\n", l, i, n * (l % 7 + 1), l, i,
			    n * 100);
		for (unsigned d = 0; d < s->devices; d++)
			fprintf(f, "ib_recv_bytes[%u][%u] = %llu\n"
			    "iio_PCIe%u_port0_in_bytes[0][%u] = %llu\n", d, i,
			    n * d, d, i, n * d);
	}
	assert_int_equal(fclose(f), 0);
	return text;
}

static char *
page_of(const struct shape *s)
{
	char *dump = dump_of(s), *text = said(EXIT_OK, cmd_page, "page", dump);

	free(dump);
	return text;
}

/* No number of it is none, as text or in its data, and it ends as a page does. */
static void
is_whole(char *text)
{
	static const char *const none[] = { ":nan", ":-nan", ":inf", ":-inf",
	    ",nan", ",inf", ",-inf", "[nan", "[inf", ">nan", ">inf", ">-nan",
	    ">-inf", "\"nan", "\"inf", " nan", " inf<" };

	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		if (strstr(text, none[i]) != NULL)
			fail_msg("%.60s", strstr(text, none[i]) - 20);
	assert_true(strlen(text) <= 5 * MB);
	holds(text, "</body></html>\n");
}

static void
a_page_of_one_sample_or_none_says_so(void **state)
{
	char *dump = dump_of(&(struct shape){ 2, 2, 0, 1, 10 });

	(void)state;
	holds(complained(EXIT_UNUSABLE, cmd_page, "page", dump),
	    "no two samples");
	free(dump);
	holds(complained(EXIT_UNUSABLE, cmd_page, "page", "host = \"n\"\n"),
	    "no two samples");
	holds(complained(EXIT_UNUSABLE, cmd_page, "page", ""), "tally: ");
}

static void
a_page_of_which_all_is_doubted_is_a_page(void **state)
{
	char *text = page_of(&(struct shape){ 2, 4, 0, 6, 0 });

	(void)state;
	assert_non_null(strstr(text, "Data NOT SOUND"));
	assert_non_null(strstr(text, "\"k\":null"));
	is_whole(text);
}

static void
four_thousand_lprocs_are_a_page(void **state)
{
	char *text = page_of(&(struct shape){ 8, 4096, 0, 3, 1000000 });

	(void)state;
	assert_non_null(strstr(text, "4096 lprocs"));
	assert_non_null(strstr(text, "have no room here"));
	is_whole(text);
}

static void
three_hundred_devices_are_a_page(void **state)
{
	char *text = page_of(&(struct shape){ 1, 2, 300, 40, 1000000 });

	(void)state;
	/* a line of each stack, which is a box without a number */
	assert_non_null(strstr(text, "0/PCIe299_port0"));
	is_whole(text);
}

/* A part of a long dump has as many points as it has intervals. */
static void
a_part_of_a_long_dump_is_as_fine_as_it_can_be(void **state)
{
	char *dump = dump_of(&(struct shape){ 1, 1, 0, 3000, 1000 });

	(void)state;
	holds(said(EXIT_OK, cmd_page, "page -s 1000:1100", dump),
	    "100 buckets of up to 1 interval;");
	holds(said(EXIT_OK, cmd_page, "page --buckets 100", dump),
	    "94 buckets of up to 32 intervals;");
	free(dump);
}

/* A disk that has room for so many bytes of a file, then for none. */
static char *
page_on_a_full_disk(const char *words, const char *dump)
{
	void (*was)(int) = signal(SIGXFSZ, SIG_IGN);
	struct rlimit all, most;
	char *said;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &all), 0);
	most = all;
	most.rlim_cur = 20000;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &most), 0);
	said = complained(EXIT_UNUSABLE, cmd_page, words, dump);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &all), 0);
	signal(SIGXFSZ, was);
	return said;
}

static unsigned
files_called(const char *begin)
{
	DIR *d = opendir(test_dir);
	unsigned n = 0;

	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d)) != NULL;)
		n += strncmp(e->d_name, begin, strlen(begin)) == 0;
	closedir(d);
	return n;
}

static void
a_disk_that_fills_leaves_no_half_page(void **state)
{
	char *dump = dump_of(&(struct shape){ 2, 4, 0, 6, 1000 });
	char *said = page_on_a_full_disk("page", dump);

	(void)state;
	if (strstr(said, "/out: File too large\n") == NULL)
		fail_msg("%s", said);
	/* one line */
	assert_ptr_equal(strchr(said, '\n') + 1, said + strlen(said));
	assert_int_equal(files_called("out"), 0);
	free(said);
	free(dump);
}

/* In a name of the node, of a list's metric and of a phase. */
static void
names_that_look_like_markup_are_text(void **state)
{
	static const char *const bad[] = { "<!--", "</script><b>", "<script>",
	    "]]>", "\\\"><i>", "'><u>" };

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char head[400], *dump, *body =
		    dump_of(&(struct shape){ 1, 2, 0, 4, 1000 });
		const char *rest = strchr(body, '\n'), *text;
		unsigned comments = 0, scripts = 0;

		snprintf(head, sizeof head, "host = \"%s\"\nphase_mark[0] = "
		    "\"1 0 %s\"\nkernel = \"%s\"%s", bad[i], bad[i], bad[i],
		    "");
		assert_true(asprintf(&dump, "%s%s", head, rest) > 0);
		text = said(-1, cmd_page, "page", dump);
		for (const char *at = text; (at = strstr(at, "<!--")) != NULL;
		    at++)
			comments++;
		for (const char *at = text; (at = strstr(at, "<script")) !=
		    NULL; at++)
			scripts++;
		assert_int_equal(comments, 0);
		assert_int_equal(scripts, 2);   /* data, and the page's own */
		assert_null(strstr(text, "<b>]"));
		assert_null(strstr(text, "<i>"));
		assert_null(strstr(text, "<u>"));
		is_whole((char *)(uintptr_t)text);
		free(dump);
		free(body);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_of_one_sample_or_none_says_so),
		cmocka_unit_test(a_page_of_which_all_is_doubted_is_a_page),
		cmocka_unit_test(four_thousand_lprocs_are_a_page),
		cmocka_unit_test(three_hundred_devices_are_a_page),
		cmocka_unit_test(a_disk_that_fills_leaves_no_half_page),
		cmocka_unit_test(names_that_look_like_markup_are_text),
		cmocka_unit_test(a_part_of_a_long_dump_is_as_fine_as_it_can_be),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
