/*
 * tests/postproc/test_convert.c - the same numbers in every form that tally prints, and
 * in every format that it converts to.
 */
#include "tests/lib/files.h"

#include <getopt.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "postproc/commands.h"
#include "postproc/data/totals.h"
#include "postproc/out/table.h"

/* A small dump: three samples, one column that comes late, one that goes. */
static const char small[] =
    "TSC_ratio = 20\nhost = \"a \\\"b\\\"\"\nlproc_core[0] = 3\n"
    "tsc[0] = 0\nwalltime[0][0] = 100\nwalltime[1][0] = 0\n"
    "pkg_temperature[0][0] = -2\naperf[0][0] = 18446744073709551000\n"
    "tsc[1] = 2000000000\nwalltime[0][1] = 101\nwalltime[1][1] = 0\n"
    "pkg_temperature[0][1] = 30\naperf[0][1] = 9\n"
    "tsc[2] = 4000000000\nwalltime[0][2] = 102\nwalltime[1][2] = 0\n"
    "pkg_temperature[0][2] = 31\ncha_counts[0][7][\"A,\\\"B\"][2] = 5\n";

/* Runs a command on a file; the caller frees what it wrote. */
static char *
run(int (*command)(int, char **), const char *a, const char *b,
    const char *path, size_t *size)
{
	char out[256], *argv[9];
	int argc = 0;

	snprintf(out, sizeof(out), "%s/out", test_dir);
	argv[argc++] = (char *)"command";
	argv[argc++] = (char *)"--overwrite";
	argv[argc++] = (char *)"-o";
	argv[argc++] = out;
	argv[argc++] = (char *)a;
	if (b != NULL)
		argv[argc++] = (char *)b;
	argv[argc++] = (char *)path;
	argv[argc] = NULL;
	optind = 0;
	assert_int_equal(command(argc, argv), EXIT_OK);
	return file_text(out, size);
}

static void
wide_csv_is_a_line_a_sample(void **state)
{
	char *text;

	(void)state;
	text = run(cmd_convert, "--wide-csv", NULL, test_put("small", small),
	    NULL);
	assert_string_equal(text,
	    "sample,time (s),tsc,walltime[0],walltime[1],pkg_temperature[0],"
	    "aperf[0],\"cha_counts[0][7][\"\"A,\\\"\"B\"\"]\"\r\n"
	    "0,0.000000,0,100,0,-2,18446744073709551000,\r\n"
	    "1,1.000000,2000000000,101,0,30,9,\r\n"
	    "2,2.000000,4000000000,102,0,31,,5\r\n");
	free(text);
}

static void
npy_is_a_matrix_with_its_columns_beside_it(void **state)
{
	char path[256], *data, *list;
	uint64_t cell[3][7];
	size_t size;

	(void)state;
	data = run(cmd_convert, "--npy", NULL, test_put("small", small),
	    &size);
	assert_int_equal(size, 128 + 3 * 7 * 8);
	assert_memory_equal(data, "\x93NUMPY\x01\x00\x76\x00{'descr': '<u8', "
	    "'fortran_order': False, 'shape': (3, 7), }", 68);
	for (unsigned i = 69; i < 127; i++)
		assert_int_equal(data[i], ' ');
	assert_int_equal(data[127], '\n');
	memcpy(cell, data + 128, sizeof(cell));
	assert_int_equal(cell[0][0], 0);
	assert_int_equal(cell[2][0], 2);
	assert_int_equal(cell[1][1], 2000000000);
	assert_int_equal(cell[0][5], 18446744073709551000ull);
	assert_int_equal(cell[2][5], UINT64_MAX);
	assert_int_equal(cell[0][6], UINT64_MAX);
	assert_int_equal(cell[2][6], 5);
	free(data);
	snprintf(path, sizeof(path), "%s/out.columns.csv", test_dir);
	list = file_text(path, NULL);
	assert_non_null(strstr(list, "\r\n5,aperf[0],cycles,raw,64,1\r\n"));
	free(list);
}

/* Compares the values of an .npy array in the folder `arrays`, and its head's start. */
static void
is_array(const char *name, const char *head, const uint64_t *value, size_t n)
{
	char path[300], *data;
	size_t size;

	snprintf(path, sizeof(path), "%s/arrays/%s.npy", test_dir, name);
	data = file_text(path, &size);
	assert_int_equal(size, 128 + n * 8);
	assert_memory_equal(data + 10, head, strlen(head));
	assert_memory_equal(data + 128, value, n * 8);
	free(data);
}

static void
npy_of_a_folder_is_an_array_a_family_of_what_was_counted(void **state)
{
	char out[256], path[300], *names;
	char *argv[] = { (char *)"convert", (char *)"--npy", (char *)"-o", out,
	    (char *)test_put("small", small), NULL };

	(void)state;
	snprintf(out, sizeof(out), "%s/arrays/", test_dir);
	optind = 0;
	assert_int_equal(cmd_convert(5, argv), EXIT_OK);
	is_array("tsc", "{'descr': '<u8', 'fortran_order': False, 'shape': "
	    "(2, 1), }", (uint64_t[]){ 2000000000, 2000000000 }, 2);
	/* aperf wraps at 2^64 in the first interval, and the last sample has
	 * no aperf: no difference ends there */
	is_array("aperf", "{'descr': '<u8'", (uint64_t[]){ 625,
	    UINT64_MAX }, 2);
	is_array("pkg_temperature", "{'descr': '<i8'", (uint64_t[]){ 30, 31 },
	    2);
	is_array("walltime", "{'descr': '<u8', 'fortran_order': False, 'shape'"
	    ": (2, 2), }", (uint64_t[]){ 101, 0, 102, 0 }, 4);
	is_array("time", "{'descr': '<i8'", (uint64_t[]){ 101000000,
	    102000000 }, 2);
	is_array("sample", "{'descr': '<u8'", (uint64_t[]){ 1, 2 }, 2);
	snprintf(path, sizeof(path), "%snames.csv", out);
	names = file_text(path, NULL);
	assert_non_null(strstr(names, "\r\ncha_counts.npy,0,"
	    "\"cha_counts[0][7][\"\"A,\\\"\"B\"\"]\",count,count\r\n"));
	assert_non_null(strstr(names,
	    "\r\nwalltime.npy,1,walltime[1],s+us,reading\r\n"));
	free(names);
	/* files of a folder are not overwritten */
	optind = 0;
	assert_int_equal(cmd_convert(5, argv), EXIT_UNUSABLE);
}

static void
lua_chunks_hold_at_most_so_many_lines_and_say_the_same(void **state)
{
	char path[256], *text, *p;
	struct reader *r;
	struct read_row row;
	struct diag why;
	unsigned in = 0, n = 0;

	(void)state;
	text = run(cmd_convert, "--lua-chunks", "4",
	    test_put("small", small), NULL);
	for (p = strtok(text, "\n"); p != NULL; p = strtok(NULL, "\n")) {
		if (strncmp(p, "function ", 9) == 0) {
			in = 0;
			n++;
		} else if (strncmp(p, "chunk_", 6) != 0) {
			in += strcmp(p, "end") != 0;
		}
		assert_in_range(in, 0, 4);
	}
	assert_in_range(n, 6, 9);
	free(text);

	snprintf(path, sizeof(path), "%s/out", test_dir);
	assert_int_equal(read_open(&r, path, &why), 0);
	assert_string_equal(head_text(r, HEAD_HOST, ALONE, ""), "a \"b\"");
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(read_next(r, &row, &why), 1);
	assert_int_equal(row.value[read_find(r, "pkg_temperature[0]")], 31);
	assert_int_equal(row.value[read_find(r, "aperf[0]")], ABSENT);
	assert_int_equal(row.value[read_find(r,
	    "cha_counts[0][7][\"A,\\\"B\"]")], 5);
	assert_int_equal(read_problems(r, PROBLEM_KINDS), 0);
	read_close(r);
}

static void
lua_chunks_keep_words_and_escapes(void **state)
{
	char *text;

	(void)state;
	text = run(cmd_convert, "--lua-chunks", "99", test_put("words",
	    "a = nil\nb = None\nc = True\nd = false\ne = \"a\\nb\\\\n\"\n"
	    "f = \"\\065\\9\\'\"\ng = { } -- }\n"
	    "tsc[0] = 0\ntsc[1] = 1\n"), NULL);
	assert_string_equal(text, "function chunk_1()\n"
	    "a = nil\nb = nil\nc = true\nd = false\ne = \"a\\nb\\\\n\"\n"
	    "f = \"A9'\"\ntsc = {}\ntsc[0] = 0\ntsc[1] = 1\nend\n"
	    "chunk_1()\n");
	free(text);
}

static void
a_value_that_is_nil_is_not_there(void **state)
{
	struct reader *r;
	struct read_row row;
	struct diag why;

	(void)state;
	assert_int_equal(read_open(&r, test_put("nil", "host = nil\nn = None\n"
	    "z = {1, 2}\ny = {1}\nx = {\ntsc[0] = 0\n"), &why), 0);
	assert_int_equal(read_next(r, &row, &why), 1);
	assert_string_equal(head_text(r, HEAD_HOST, ALONE, "none"), "none");
	assert_true(read_number(r, "n", 7) == 7);
	/* lines that are not read are reported */
	assert_int_equal(read_problems(r, PROBLEM_KINDS), 3);
	assert_non_null(strstr(read_problem(r, 0)->text,
	    "nil:3: table with values in it"));
	assert_non_null(strstr(read_problem(r, 1)->text,
	    "nil:4: table with values in it"));
	assert_non_null(strstr(read_problem(r, 2)->text,
	    "nil:5: table over several lines"));
	read_close(r);
}

static void
json_passes_utf8_and_escapes_what_is_none(void **state)
{
	static const struct { const char *text, *json; } word[] = {
		{ "n\xc5\x93ud-\xc3\xa9", "\"n\xc5\x93ud-\xc3\xa9\"" },
		{ "\xe2\x82\xac \xf0\x9f\x98\x80",
		  "\"\xe2\x82\xac \xf0\x9f\x98\x80\"" },
		{ "a\"b\\\n\x7f", "\"a\\\"b\\\\\\u000a\\u007f\"" },
		/* Latin-1, cut short, overlong, half of a pair, too large */
		{ "\xe9t\xe9", "\"\\u00e9t\\u00e9\"" },
		{ "\xe2\x82", "\"\\u00e2\\u0082\"" },
		{ "\xc0\xaf", "\"\\u00c0\\u00af\"" },
		{ "\xe0\x80\xaf", "\"\\u00e0\\u0080\\u00af\"" },
		{ "\xed\xa0\x80", "\"\\u00ed\\u00a0\\u0080\"" },
		{ "\xf4\x90\x80\x80", "\"\\u00f4\\u0090\\u0080\\u0080\"" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++) {
		char *text = NULL;
		size_t n;
		FILE *f = open_memstream(&text, &n);

		assert_non_null(f);
		put_json(f, word[i].text);
		fclose(f);
		assert_string_equal(text, word[i].json);
		free(text);
	}
}

static int
command(int (*cmd)(int, char **), const char *a, const char *b,
    const char *output, const char *input)
{
	char *argv[] = { (char *)"command", (char *)"--overwrite",
	    (char *)"-o", (char *)output, (char *)a, (char *)b, (char *)input,
	    NULL };

	optind = 0;
	return cmd(7, argv);
}

static void
an_output_is_never_what_is_read(void **state)
{
	char path[256], link[300], *text;

	(void)state;
	snprintf(path, sizeof(path), "%s", test_put("same", small));
	snprintf(link, sizeof(link), "%s.link", path);
	assert_int_equal(symlink(path, link), 0);
	assert_int_equal(command(cmd_convert, "--lua-chunks", "9", path, path),
	    EXIT_UNUSABLE);
	assert_int_equal(command(cmd_totals, "-s", "0:2", link, path),
	    EXIT_UNUSABLE);
	assert_int_equal(command(cmd_report, "-s", "0:2", path, link),
	    EXIT_UNUSABLE);
	text = file_text(path, NULL);
	assert_string_equal(text, small);
	free(text);
}

static void
what_is_overwritten_keeps_its_link_and_its_mode(void **state)
{
	char path[256], input[256], link[300], *text;
	struct stat sb;

	(void)state;
	snprintf(path, sizeof(path), "%s", test_put("old", "old"));
	snprintf(input, sizeof(input), "%s", test_put("input", small));
	snprintf(link, sizeof(link), "%s.link", path);
	assert_int_equal(symlink(path, link), 0);
	assert_int_equal(chmod(path, 0640), 0);
	assert_int_equal(command(cmd_totals, "-s", "0:2", link, input),
	    EXIT_OK);
	assert_int_equal(lstat(link, &sb), 0);
	assert_true(S_ISLNK(sb.st_mode));
	assert_int_equal(stat(path, &sb), 0);
	assert_int_equal(sb.st_mode & 07777, 0640);
	text = file_text(path, NULL);
	assert_non_null(strstr(text, "\ntotals_last = 2\n"));
	free(text);
}

static void
a_command_that_fails_leaves_its_output_as_it_was(void **state)
{
	char path[256], pattern[300], *text;
	glob_t g;

	(void)state;
	snprintf(path, sizeof(path), "%s", test_put("keep", "keep me"));
	assert_int_equal(command(cmd_totals, "-s", "0:2", path, "nosuch"),
	    EXIT_UNUSABLE);
	assert_int_equal(command(cmd_convert, "--lua-chunks", "9", path,
	    "/dev/null"), EXIT_UNUSABLE);
	text = file_text(path, NULL);
	assert_string_equal(text, "keep me");
	free(text);
	snprintf(pattern, sizeof(pattern), "%s.*", path);
	assert_int_equal(glob(pattern, 0, NULL, &g), GLOB_NOMATCH);
}

/* It loads the recording in chunks, where it is installed. */
static void
lua_reads(const char *interpreter)
{
	char path[512], chunks[256], command[700];
	int status;

	snprintf(command, sizeof(command), "command -v %s >/dev/null 2>&1",
	    interpreter);
	if (system(command) != 0) {
		print_message("not installed\n");
		skip();
	}
	recording(path);
	free(run(cmd_convert, "--lua-chunks", "30000", path, NULL));
	snprintf(chunks, sizeof(chunks), "%s/out", test_dir);
	snprintf(command, sizeof(command), "%s -e 'dofile(\"%s\"); "
	    "assert(imc_counts[1][3][\"CAS_COUNT.READS\"][29] == 282774049984);"
	    " assert(TSC_ratio == 21); assert(aperf[95][30] == nil); "
	    "assert(rapl_pkg_energy[1][0] == 1532131326)'", interpreter,
	    chunks);
	status = system(command);
	if (status != 0)
		fail_msg("%s: %d", command, status);
}

static void
lua_5_1_loads_the_recording_in_chunks(void **state)
{
	(void)state;
	lua_reads("lua5.1");
}

static void
lua_5_4_loads_the_recording_in_chunks(void **state)
{
	(void)state;
	lua_reads("lua5.4");
}

static void
luajit_loads_the_recording_in_chunks(void **state)
{
	(void)state;
	lua_reads("luajit");
}

/* "total" of a column in the CSV and the JSON of tally totals. */
static bool
csv_total(const char *csv, const char *column, uint64_t *total)
{
	char field[200], *to = field;
	const char *p;

	*to++ = ',';
	if (strchr(column, '"') != NULL)
		*to++ = '"';
	for (p = column; *p != '\0'; p++) {
		*to++ = *p;
		if (*p == '"')
			*to++ = '"';
	}
	if (strchr(column, '"') != NULL)
		*to++ = '"';
	strcpy(to, ",");
	return (p = strstr(csv, field)) != NULL &&
	    sscanf(p + strlen(field), "%" SCNu64, total) == 1;
}

static bool
json_total(const char *json, const char *column, uint64_t *total)
{
	char field[200], *to;
	const char *p;

	to = field + sprintf(field, "\"column\": \"");
	for (p = column; *p != '\0'; p++) {
		if (*p == '"')
			*to++ = '\\';
		*to++ = *p;
	}
	strcpy(to, "\", \"total\": ");
	return (p = strstr(json, field)) != NULL &&
	    sscanf(p + strlen(field), "%" SCNu64, total) == 1;
}

static void
totals_are_the_same_in_text_csv_and_json(void **state)
{
	char path[512], *text, *csv, *json, *line, *save = NULL;
	unsigned n = 0, left_out = 0;

	(void)state;
	recording(path);
	text = run(cmd_totals, "-ftext", NULL, path, NULL);
	csv = run(cmd_totals, "-fcsv", NULL, path, NULL);
	json = run(cmd_totals, "-fjson", NULL, path, NULL);
	for (line = strtok_r(text, "\n", &save); line != NULL;
	    line = strtok_r(NULL, "\n", &save)) {
		char *suffix = strstr(line, "_total"), *is;
		char column[200];
		uint64_t a, b, c;

		left_out += strstr(line, "_left_out") != NULL;
		if (suffix == NULL || strncmp(line, "totals_", 7) == 0)
			continue;
		assert_non_null(is = strstr(line, " = "));
		snprintf(column, sizeof(column), "%.*s%.*s",
		    (int)(suffix - line), line, (int)(is - suffix) - 6,
		    suffix + 6);
		a = strtoull(is + 3, NULL, 10);
		if (!csv_total(csv, column, &b) ||
		    !json_total(json, column, &c) || a != b || a != c)
			fail_msg("%s", column);
		n++;
	}
	/* all columns but the wall clock's two and four readings a package */
	assert_int_equal(n, 1191 - 2 - 2 * 4);
	assert_int_equal(left_out, 4 * 96);
	free(text);
	free(csv);
	free(json);
}

static void
deltas_add_up_to_totals(void **state)
{
	char path[512], *text, *line, *save = NULL;
	uint64_t sum = 0;
	unsigned n = 0;

	(void)state;
	recording(path);
	text = run(cmd_deltas, "-s", "19:29", path, NULL);
	for (line = strtok_r(text, "\n", &save); line != NULL;
	    line = strtok_r(NULL, "\n", &save)) {
		unsigned pkg, channel, sample;
		uint64_t delta;

		if (sscanf(line, "imc_counts_delta[%u][%u]"
		    "[\"CAS_COUNT.READS\"][%u] = %" SCNu64, &pkg, &channel,
		    &sample, &delta) == 4) {
			assert_in_range(sample, 20, 29);
			sum += delta;
			n++;
		}
	}
	assert_int_equal(n, 12 * 10);
	/* "Global IMC Reads" of the original's report */
	assert_int_equal(sum, 18320657862);
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wide_csv_is_a_line_a_sample),
		cmocka_unit_test(npy_is_a_matrix_with_its_columns_beside_it),
		cmocka_unit_test(
		    npy_of_a_folder_is_an_array_a_family_of_what_was_counted),
		cmocka_unit_test(
		    lua_chunks_hold_at_most_so_many_lines_and_say_the_same),
		cmocka_unit_test(lua_chunks_keep_words_and_escapes),
		cmocka_unit_test(a_value_that_is_nil_is_not_there),
		cmocka_unit_test(json_passes_utf8_and_escapes_what_is_none),
		cmocka_unit_test(an_output_is_never_what_is_read),
		cmocka_unit_test(what_is_overwritten_keeps_its_link_and_its_mode),
		cmocka_unit_test(
		    a_command_that_fails_leaves_its_output_as_it_was),
		cmocka_unit_test(lua_5_1_loads_the_recording_in_chunks),
		cmocka_unit_test(lua_5_4_loads_the_recording_in_chunks),
		cmocka_unit_test(luajit_loads_the_recording_in_chunks),
		cmocka_unit_test(totals_are_the_same_in_text_csv_and_json),
		cmocka_unit_test(deltas_add_up_to_totals),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
