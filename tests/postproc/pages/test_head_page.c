/*
 * tests/postproc/pages/test_head_page.c - tally head: what a dump says of itself.
 */
#include "tests/lib/tally_command.h"

#include <stdlib.h>
#include <string.h>

#include "postproc/commands.h"
#include "postproc/pages/head_fold.h"

/* A page below the line that names its file. */
static void
page_is(const char *words, const char *dump, const char *page)
{
	char line[256], *text;
	const char *body;

	snprintf(line, sizeof(line), "head %s", words);
	text = said(EXIT_OK, cmd_head, line, dump);
	body = strchr(text, '\n');
	assert_non_null(body);
	if (strcmp(body + 1, page) != 0)
		fail_msg("%s", text);
	free(text);
}

static const char node[] =
"host = \"n1\"\ninterval = 0.5\nkernel = \"5.14.0\"\n"
"kernel_command_line = \"a=\\\"b c\\\" quiet\"\n"
"microcode = {}\nmicrocode[0] = 0x49\nmicrocode[1] = 0x49\n"
"ntp_error = 0.000312\n"
"lproc_package[0] = 0\nlproc_package[1] = 0\nlproc_package[2] = 1\n"
"lproc_package[3] = 1\n"
"unit_absent[\"CHA\"][0][2] = \"fused off\"\n"
"unit_absent[\"CHA\"][0][3] = \"fused off\"\n"
"unit_absent[\"CHA\"][1][2] = \"fused off\"\n"
"unit_absent[\"IIO[0]\"][0][2] = \"no\"\n"
"tsc_hz_nominal = 2100000000\nsamples = 1\nsomething_else = 5\n"
"tsc[0] = 1\n";

static void
a_page_has_the_parts_of_the_head_with_units_in_one_line(void **state)
{
	(void)state;
	page_is("", node,
	    "The run\n"
	    "  host                                 n1\n"
	    "  interval                             0.5 s\n"
	    "The system\n"
	    "  kernel                               5.14.0\n"
	    "  kernel_command_line                  a=\"b c\" quiet\n"
	    "  microcode[0-1]                       0x49\n"
	    "  ntp_error                            0.000312 s\n"
	    "The hardware\n"
	    "  tsc_hz_nominal                       2100000000 Hz\n"
	    "Topology\n"
	    "  lproc_package[0-1]                   0\n"
	    "  lproc_package[2-3]                   1\n"
	    "Boxes and I/O\n"
	    "  unit_absent[\"CHA\"][0-1][2-3] (3 of these) fused off\n"
	    "  unit_absent[\"IIO[0]\"][0][2]          no\n"
	    "What came of it\n"
	    "  samples                              1\n"
	    "Others\n"
	    "  something_else                       5\n");
}

static void
all_has_every_value_by_itself_and_keys_are_chosen_by_name(void **state)
{
	(void)state;
	page_is("-a -k lproc_*,micro*", node,
	    "The system\n"
	    "  microcode[0]                         0x49\n"
	    "  microcode[1]                         0x49\n"
	    "Topology\n"
	    "  lproc_package[0]                     0\n"
	    "  lproc_package[1]                     0\n"
	    "  lproc_package[2]                     1\n"
	    "  lproc_package[3]                     1\n");
	page_is("-k interval -k lproc_package", node,
	    "The run\n"
	    "  interval                             0.5 s\n"
	    "Topology\n"
	    "  lproc_package[0-1]                   0\n"
	    "  lproc_package[2-3]                   1\n");
}

static void
other_formats_have_every_value_with_its_unit(void **state)
{
	char *text = said(EXIT_OK, cmd_head, "head -f csv -k interval,micro*", node);
	const char *row = strchr(text, '\n');

	(void)state;
	assert_memory_equal(text, "file,key,value,unit\r\n", 21);
	assert_non_null(strstr(row, "/dump,interval,0.5,s\r\n"));
	assert_non_null(strstr(row, "/dump,microcode[0],0x49,\r\n"));
	assert_non_null(strstr(row, "/dump,microcode[1],0x49,\r\n"));
	free(text);
}

static void
a_head_without_what_is_asked_for_is_told(void **state)
{
	(void)state;
	free(said(EXIT_UNUSABLE, cmd_head, "head -k no_such_key", node));
	free(said(EXIT_UNUSABLE, cmd_head, "head", "tsc[0] = 1\n"));
}

static void
what_has_many_values_is_cut_off_and_counted(void **state)
{
	char dump[8192], *end = dump, *text;

	(void)state;
	for (unsigned i = 0; i < 100; i++)
		end += sprintf(end, "lproc_core[%u] = %u\n", i, i);
	strcpy(end, "tsc[0] = 1\n");
	text = said(EXIT_OK, cmd_head, "head", dump);
	assert_non_null(strstr(text,
	    "  lproc_core[11]                       11\n"
	    "                                       88 more values"));
	free(text);
}

/* ---- how names are put together ---- */

static struct constant
named(const char *name)
{
	return (struct constant){ .name = name, .text = "1" };
}

static void
indices_are_listed_as_the_kernel_lists_cpus(void **state)
{
	static const struct { const char *names[8], *whole; } t[] = {
		{ { "a[3]" }, "a[3]" },
		{ { "a[0]", "a[1]" }, "a[0-1]" },
		{ { "a[0]", "a[2]" }, "a[0,2]" },
		{ { "a[0]", "a[2]", "a[4]", "a[6]" }, "a[0-6:2]" },
		{ { "a[0]", "a[2]", "a[3]", "a[4]" }, "a[0,2-4]" },
		{ { "a[0]", "a[1]", "a[3]", "a[5]", "a[7]" }, "a[0-1,3-7:2]" },
		{ { "a[8191]", "a[0]" }, "a[0,8191]" },
		{ { "a[5]", "a[4]", "a[4]" }, "a[4-5] (3 of these)" },
		{ { "a[0][1][\"[7]\"]", "a[1][1][\"[7]\"]" },
		  "a[0-1][1][\"[7]\"]" },
	};
	struct fold *f = malloc(sizeof(*f));
	char buf[64];

	(void)state;
	assert_non_null(f);
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct constant c[8];

		f->n = 0;
		f->more = 0;
		for (unsigned k = 0; k < 8 && t[i].names[k] != NULL; k++) {
			c[k] = named(t[i].names[k]);
			fold_add(f, &c[k]);
		}
		assert_int_equal(f->n, 1);
		assert_string_equal(fold_name(&f->line[0], buf, sizeof(buf)),
		    t[i].whole);
	}
	free(f);
}

static void
names_that_differ_in_more_than_numbers_are_not_put_together(void **state)
{
	static const char *const names[][2] = {
		{ "a[\"X\"][1]", "a[\"Y\"][1]" }, { "a[\"[1]\"]", "a[\"[2]\"]" },
		{ "a[1]", "a[1][2]" }, { "a[1]", "b[1]" },
		{ "a[8192]", "a[8193]" }, { "a[1][2][3][4]", "a[2][2][3][4]" },
	};
	struct fold *f = malloc(sizeof(*f));

	(void)state;
	assert_non_null(f);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct constant a = named(names[i][0]), b = named(names[i][1]);
		char buf[64];

		f->n = 0;
		f->more = 0;
		fold_add(f, &a);
		fold_add(f, &b);
		assert_int_equal(f->n, 2);
		assert_string_equal(fold_name(&f->line[1], buf, sizeof(buf)),
		    names[i][1]);
	}
	free(f);
}

static void
a_name_without_room_is_cut_off(void **state)
{
	struct fold *f = malloc(sizeof(*f));
	struct constant c = named("lproc_package[12]");
	char buf[8];

	(void)state;
	assert_non_null(f);
	f->n = 0;
	f->more = 0;
	fold_add(f, &c);
	assert_string_equal(fold_name(&f->line[0], buf, sizeof(buf)),
	    "lproc_p");
	free(f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_page_has_the_parts_of_the_head_with_units_in_one_line),
		cmocka_unit_test(
		    all_has_every_value_by_itself_and_keys_are_chosen_by_name),
		cmocka_unit_test(other_formats_have_every_value_with_its_unit),
		cmocka_unit_test(a_head_without_what_is_asked_for_is_told),
		cmocka_unit_test(what_has_many_values_is_cut_off_and_counted),
		cmocka_unit_test(indices_are_listed_as_the_kernel_lists_cpus),
		cmocka_unit_test(
		    names_that_differ_in_more_than_numbers_are_not_put_together),
		cmocka_unit_test(a_name_without_room_is_cut_off),
	};

	return cmocka_run_group_tests_name("tally head", tests, test_dir_new,
	    test_dir_free);
}
