/*
 * tests/postproc/test_out.c - the same cells in every output format, and files that are
 * written whole or not at all.
 */
#include "tests/lib/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "postproc/out/outfile.h"
#include "postproc/out/table.h"

static const struct table_column columns[] = {
	{ "where", NULL, 0, true }, { "n", "", 0, false },
	{ "rate", "GB/s", 2, false },
};
static const struct out_table beside = { "beside", columns, 1, true };
static const struct out_table all = { "all", columns, 3, false };

static int
put_rows(struct out *out, void *what)
{
	(void)what;
	cell_text(out, "a, \"b\"");
	cell_u64(out, 18446744073709551615u);
	cell_real(out, 1234.5678);
	cell_text(out, "d\xc3\xa9j\xc3\xa0");
	cell_none(out);
	cell_figure(out, 0.00012345);
	cell_text(out, "");
	cell_i64(out, -7);
	cell_real(out, -0.001);
	return 0;
}

static int
put_page(struct out *out, void *what)
{
	fprintf(out_file(out), "page %s\n", (const char *)what);
	return 0;
}

static const struct view view = {
	.table = { "all", columns, 3, false },
	.rows = put_rows, .page = put_page, .apart = true,
};

/* What a format makes of it; the caller frees it. */
static char *
printed(const char *format, void (*put)(struct out *))
{
	struct out *out;
	struct diag why;
	char path[300];
	struct outname name = { path, true };

	snprintf(path, sizeof(path), "%s/out", test_dir);
	if (out_open(&out, &name, format_named(format), "test", &why) < 0)
		fail_msg("%s", why.text);
	put(out);
	if (out_close(out, true, &why) < 0)
		fail_msg("%s", why.text);
	return file_text(path, NULL);
}

static void
expect(const char *format, void (*put)(struct out *), const char *want)
{
	char *got = printed(format, put);

	assert_string_equal(got, want);
	free(got);
}

static void
tables(struct out *out)
{
	table_begin(out, &beside);
	cell_text(out, "x");
	table_end(out);
	out_remark(out, "%d tables:\n", 2);
	table_begin(out, &all);
	put_rows(out, NULL);
	table_end(out);
}

static void
text_aligns_its_columns_and_has_remarks(void **state)
{
	(void)state;
	expect("text", tables,
	    "where\n"
	    "x\n"
	    "2 tables:\n"
	    "where                      n       rate\n"
	    "                                   GB/s\n"
	    "a, \"b\"  18446744073709551615    1234.57\n"
	    "d\xc3\xa9j\xc3\xa0                     n/a  0.0001234\n"
	    "                          -7       0.00\n");
}

static void
words(struct out *out)
{
	static const struct table_column three[] = {
		{ "where", NULL, 0, true }, { "n", "m", 0, false },
		{ "note", NULL, 0, true },
	};
	static const struct out_table table = { "words", three, 3, false };

	table_begin(out, &table);
	cell_text(out, "a");
	cell_i64(out, 1);
	cell_text(out, "first");
	cell_text(out, "bb");
	cell_text(out, "");
	cell_text(out, "");
	table_end(out);
}

static void
no_row_of_text_ends_in_blanks(void **state)
{
	(void)state;
	expect("text", words,
	    "where  n  note\n"
	    "       m\n"
	    "a      1  first\n"
	    "bb\n");
}

static void
csv_is_one_table_with_one_header(void **state)
{
	(void)state;
	expect("csv", tables,
	    "where,n,rate (GB/s)\r\n"
	    "\"a, \"\"b\"\"\",18446744073709551615,1234.57\r\n"
	    "d\xc3\xa9j\xc3\xa0,,0.0001234\r\n"
	    ",-7,0.00\r\n");
}

/* What a job, a mark or a host may be called, and would be computed. */
static void
formulas(struct out *out)
{
	static const struct out_table words = { "words", columns, 1, false };
	static const char *const text[] = { "=cmd|' /C calc'!A0", "+1+cmd|x",
	    "-1+1", "@SUM(A1)", "\t=1+1", "=\"a,b\"",
	    /* and what would not */
	    "-", "-7", "+2.5", "a=b", "" };

	table_begin(out, &words);
	for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++)
		cell_text(out, text[i]);
	table_end(out);
}

static void
text_that_a_spreadsheet_would_compute_is_text_in_csv(void **state)
{
	(void)state;
	expect("csv", formulas, "where\r\n"
	    "'=cmd|' /C calc'!A0\r\n'+1+cmd|x\r\n'-1+1\r\n'@SUM(A1)\r\n"
	    "'\t=1+1\r\n\"'=\"\"a,b\"\"\"\r\n"
	    "-\r\n-7\r\n+2.5\r\na=b\r\n\r\n");
}

static void
hostile(struct out *out)
{
	table_begin(out, &beside);
	cell_text(out, "</td><script>x</script>\"'&");
	table_end(out);
	out_remark(out, "<b>one\n");
	out_remark(out, "two ");
	out_remark(out, "%s\nthree", "parts");
}

static void
html_is_a_document_whose_tables_sort(void **state)
{
	char *got = printed("html", tables);

	(void)state;
	assert_non_null(strstr(got, "<title>tally test</title>"));
	assert_non_null(strstr(got, "<table id=\"beside\" class=\"sorts\">"
	    "<thead><tr><th scope=\"col\">where</th></tr></thead><tbody>\n"
	    "<tr><th scope=\"row\">x</th></tr>\n</tbody></table></div>\n"
	    "<p class=\"remark\">2 tables:</p>\n<div "));
	assert_non_null(strstr(got, "<th scope=\"col\" class=\"n\">rate, GB/s"
	    "</th>"));
	assert_non_null(strstr(got, "<th scope=\"row\">d\xc3\xa9j\xc3\xa0"
	    "</th><td class=\"n\">n/a</td><td class=\"n\">0.0001234</td>"
	    "</tr>\n"));
	free(got);
}

static void
nothing_in_a_cell_or_a_remark_becomes_markup(void **state)
{
	char *got = printed("html", hostile);

	(void)state;
	assert_non_null(strstr(got, "<th scope=\"row\">&lt;/td&gt;&lt;script"
	    "&gt;x&lt;/script&gt;&quot;&#39;&amp;</th>"));
	assert_non_null(strstr(got, "<p class=\"remark\">&lt;b&gt;one</p>\n"
	    "<p class=\"remark\">two parts</p>\n<p class=\"remark\">three"
	    "</p>\n</main>"));
	free(got);
}

static void
json_is_one_object_with_all_tables(void **state)
{
	(void)state;
	expect("json", tables,
	    "{\"command\": \"test\", \"tables\": [\n"
	    "{\"name\": \"beside\", \"columns\": [{\"name\": \"where\", "
	    "\"unit\": \"\"}], \"rows\": [\n"
	    "{\"where\": \"x\"}\n"
	    "]},\n"
	    "{\"name\": \"all\", \"columns\": [{\"name\": \"where\", "
	    "\"unit\": \"\"}, {\"name\": \"n\", \"unit\": \"\"}, "
	    "{\"name\": \"rate\", \"unit\": \"GB/s\"}], \"rows\": [\n"
	    "{\"where\": \"a, \\\"b\\\"\", \"n\": 18446744073709551615, "
	    "\"rate\": 1234.57},\n"
	    "{\"where\": \"d\xc3\xa9j\xc3\xa0\", \"n\": null, "
	    "\"rate\": 0.0001234},\n"
	    "{\"where\": \"\", \"n\": -7, \"rate\": 0.00}\n"
	    "]}\n"
	    "]}\n");
}

static void
two_files(struct out *out)
{
	view_begin(out, &view);
	view_put(out, &view, (char[]){ "one" });
	view_put(out, &view, (char[]){ "two" });
	view_end(out);
}

static void
people_get_a_page_of_each_file_and_programs_one_table(void **state)
{
	char *got;

	(void)state;
	expect("text", two_files, "page one\n\npage two\n");
	got = printed("csv", two_files);
	assert_ptr_equal(strstr(got, "where,n,"), got);
	assert_null(strstr(got + 1, "where,n,"));
	assert_null(strstr(got, "page"));
	free(got);
}

static void
formats_are_found_by_name_and_the_first_is_the_default(void **state)
{
	(void)state;
	assert_null(format_named("tex"));
	assert_null(format_named(""));
	assert_ptr_equal(format_default(), format_named("text"));
}

static void
a_file_is_replaced_only_when_its_writer_is_content(void **state)
{
	struct outfile o;
	struct diag why;
	char *text;
	const char *path = test_put("kept", "old");
	struct outname name = { path, true };

	(void)state;
	assert_int_equal(outfile_open(&o, &name, &why), 0);
	fputs("new", o.f);
	o.error = -ENOMEM;
	assert_int_equal(outfile_close(&o, true, &why), -ENOMEM);
	assert_non_null(strstr(why.text, "kept: Cannot allocate memory"));
	text = file_text(path, NULL);
	assert_string_equal(text, "old");
	free(text);

	assert_int_equal(outfile_open(&o, &name, &why), 0);
	fputs("new", o.f);
	assert_int_equal(outfile_close(&o, false, &why), 0);
	text = file_text(path, NULL);
	assert_string_equal(text, "old");
	free(text);

	assert_int_equal(outfile_open(&o, &name, &why), 0);
	fputs("new", o.f);
	assert_int_equal(outfile_close(&o, true, &why), 0);
	text = file_text(path, NULL);
	assert_string_equal(text, "new");
	free(text);
	assert_int_equal(outfile_close(&o, true, &why), 0);
}

static void
a_file_that_is_there_is_kept_unless_it_is_to_be_overwritten(void **state)
{
	struct outfile o;
	struct diag why;
	char *text, path[300], link[300];
	struct outname name = { path, false }, through = { link, false };

	(void)state;
	snprintf(path, sizeof(path), "%s", test_put("there", "old"));
	snprintf(link, sizeof(link), "%s/link-to-there", test_dir);
	assert_int_equal(symlink("there", link), 0);
	assert_int_equal(outfile_open(&o, &name, &why), -EEXIST);
	assert_non_null(strstr(why.text, "there: the file exists: name another, "
	    "or give --overwrite"));
	assert_int_equal(outfile_open(&o, &through, &why), -EEXIST);
	/* nor what somebody makes while we write */
	assert_int_equal(unlink(path), 0);
	assert_int_equal(outfile_open(&o, &name, &why), 0);
	fputs("new", o.f);
	test_put("there", "another's");
	assert_int_equal(outfile_close(&o, true, &why), -EEXIST);
	assert_non_null(strstr(why.text, "somebody has made it meanwhile"));
	text = file_text(path, NULL);
	assert_string_equal(text, "another's");
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_aligns_its_columns_and_has_remarks),
		cmocka_unit_test(no_row_of_text_ends_in_blanks),
		cmocka_unit_test(csv_is_one_table_with_one_header),
		cmocka_unit_test(
		    text_that_a_spreadsheet_would_compute_is_text_in_csv),
		cmocka_unit_test(json_is_one_object_with_all_tables),
		cmocka_unit_test(html_is_a_document_whose_tables_sort),
		cmocka_unit_test(nothing_in_a_cell_or_a_remark_becomes_markup),
		cmocka_unit_test(
		    people_get_a_page_of_each_file_and_programs_one_table),
		cmocka_unit_test(
		    formats_are_found_by_name_and_the_first_is_the_default),
		cmocka_unit_test(
		    a_file_that_is_there_is_kept_unless_it_is_to_be_overwritten),
		cmocka_unit_test(
		    a_file_is_replaced_only_when_its_writer_is_content),
	};

	return cmocka_run_group_tests_name("out", tests, test_dir_new,
	    test_dir_free);
}
