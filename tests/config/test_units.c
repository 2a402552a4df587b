/*
 * tests/config/test_units.c - what one count of each family is, and whether it is raw: in
 * the plan, the dump, the reader, what is converted, and the manual.
 */
#include "tests/lib/tally_command.h"

#include "config/dump/read.h"
#include "postproc/data/delta.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	int line;
	const char *model, *name, *unit, *value;
} words[] = {
#define L __LINE__
	{ L, "skx", "iio_PCIe0_port1_in_bytes", "bytes", "multiplied" },
	{ L, "skx", "iio_PCIe0_clocks", "clocks", "raw" },
	{ L, "icx", "imc_ddr_read_bytes", "bytes", "multiplied" },
	{ L, "skx", "ib_recv_bytes", "bytes", "multiplied" },
	{ L, "skx", "imc_counts", "count", "raw" },
	{ L, "skx", "core_fixed_counts", "count", "raw" },
	{ L, "slm", "soc_counts", "count", "raw" },
	{ L, "skx", "aperf", "cycles", "raw" },
	{ L, "skx", "smi_count", "SMIs", "raw" },
	{ L, "skx", "core_c6_residency", "tsc", "raw" },
	{ L, "skx", "rapl_pkg_energy", "rapl_pkg", "raw" },
	{ L, "skx", "rapl_pkg_throttled", "rapl_time", "raw" },
	{ L, "skx", "pkg_temperature", "C", "decoded" },
	{ L, "slm", "core_temperature", "C", "decoded" },
	{ L, "skx", "pkg_therm_status", "bits", "raw" },
	{ L, "skx", "core_group_counts", "count", "added" },
	{ L, "skx", "cha_sum_counts", "count", "added" },
	{ L, "skx", "cha_sum_enabled", "ns", "added" },
	{ L, "skx", "imc_scaled", "count", "scaled" },
	{ L, "skx", "cha_sum_scaled", "count", "scaled" },
	{ L, "skx", "imc_running", "ns", "raw" },
	{ L, "skx", "tsc", "tsc", "raw" },
	{ L, "skx", "set_running", "tsc", "raw" },
	{ L, "skx", "walltime", "s+us", "raw" },
	{ L, "skx", "sample_cpu_ns", "ns", "raw" },
	{ L, "skx", "raw_pkg_X", "raw", "raw" },
#undef L
};

static void
a_family_is_said_in_one_word_each(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct family f;

		family_describe(&f, model_named(words[i].model), words[i].name);
		if (strcmp(f.unit, words[i].unit) != 0 ||
		    strcmp(f.value, words[i].value) != 0)
			fail_msg("line %d: %s: %s, %s", words[i].line,
			    words[i].name, f.unit, f.value);
	}
}

/* A family that none of our tables has is what its dump says of it. */
static void
what_a_dump_says_of_its_values_holds(void **state)
{
	struct family f;

	(void)state;
	family_describe(&f, model_named("skx"), "wheel_turns");
	assert_string_equal(f.value, "raw");
	family_say(&f, "bytes", 12, 5);
	assert_string_equal(f.value, "multiplied");
	family_say_value(&f, NULL);
	assert_string_equal(f.value, "multiplied");
	family_say_value(&f, "decoded");
	assert_string_equal(f.value, "decoded");
}

/* The dump of a machine, read. */
static struct reader *
dump_of(const char *options)
{
	char tallyd[512], line[1200];
	struct reader *r;
	struct diag why;

	snprintf(line, sizeof line, "%s -q --virtual-time -n 2 --overwrite "
	    "-o %s/dump %s 2>%s/err", built("tallyd", tallyd), test_dir,
	    options, test_dir);
	if (system(line) != 0)
		fail_msg("%s", line);
	snprintf(line, sizeof line, "%s/dump", test_dir);
	assert_int_equal(read_open(&r, line, &why), 0);
	return r;
}

static const char *const machines[] = {
	"--sim @skx-8160-2s", "--sim @icx-8358-2s", "--sim @icx-8358-2s -c "
	"@io-icx", "--sim @hsx-2699-2s", "--sim @skx-locked", "--sim @grace-2s",
	"--sim @c2758", "--sim @c2758 --site @c2758.site",
	"--sim @rome-7742-2s", "--sim @genoa-9654-2s", NULL
};

/* Is it in the manual, as an item: ".It Li WORD"? */
static bool
is_in(const char *manual, const char *list, const char *word)
{
	char item[80];
	const char *from = strstr(manual, list), *end, *at;

	assert_non_null(from);
	assert_non_null(end = strstr(from, ".El"));
	snprintf(item, sizeof item, ".It Li %s\n", word);
	at = strstr(from, item);
	return at != NULL && at < end;
}

static void
each_family_of_a_dump_has_words_that_the_manual_explains(void **state)
{
	char *manual = file_text("doc/tallyd-dump.5", NULL);

	(void)state;
	for (unsigned m = 0; machines[m] != NULL; m++) {
		struct reader *r = dump_of(machines[m]);
		struct read_row row;
		struct diag why;

		assert_int_equal(read_next(r, &row, &why), 1);
		for (unsigned c = 0; c < read_columns(r); c++) {
			const struct family *f = read_column(r, c)->id.family;
			const char *unit = head_text(r, HEAD_FAMILY_UNIT,
			    OF(f->name), NULL);
			const char *value = head_text(r, HEAD_FAMILY_VALUE,
			    OF(f->name), NULL);

			if (unit == NULL || value == NULL)
				fail_msg("%s: %s has no words", machines[m],
				    f->name);
			if (!is_in(manual, "What one count is", unit))
				fail_msg("%s: %s is in \"%s\"", machines[m],
				    f->name, unit);
			if (!is_in(manual, "What is printed", value))
				fail_msg("%s: %s is \"%s\"", machines[m],
				    f->name, value);
		}
		read_close(r);
	}
	free(manual);
}

/* The plan says what the tables say, and so does a dump that says nothing. */
static void
plan_dump_and_reader_come_to_the_same(void **state)
{
	(void)state;
	for (unsigned m = 0; machines[m] != NULL; m++) {
		struct reader *r = dump_of(machines[m]);
		const struct model *model = model_named(head_text(r, HEAD_MODEL,
		    ALONE, ""));
		struct read_row row;
		struct diag why;

		assert_int_equal(read_next(r, &row, &why), 1);
		for (unsigned c = 0; c < read_columns(r); c++) {
			const struct family *f = read_column(r, c)->id.family;
			struct family d;

			family_describe(&d, model != NULL ? model : &model_any,
			    f->name);
			/* what any of the kernel's PMUs counts are events */
			if ((strcmp(f->unit, d.unit) != 0 &&
			    strcmp(f->unit, "events") != 0) ||
			    strcmp(f->value, d.value) != 0 || f->mul != d.mul)
				fail_msg("%s: %s: %s %s x %u, not %s %s x %u",
				    machines[m], f->name, f->unit, f->value,
				    f->mul, d.unit, d.value, d.mul);
		}
		read_close(r);
	}
}

/* A register of 36 bits that counts words of 4 bytes: bytes that wrap at 2^38. */
static void
what_is_multiplied_is_so_in_dump_reader_and_numpy(void **state)
{
	static const char port[] = "iio_PCIe0_port0_in_bytes[0]";
	struct reader *r = dump_of("--sim @skx-8160-2s");
	char line[600], *list;
	unsigned n = 0;
	struct read_row row;
	struct diag why;
	int c;

	(void)state;
	assert_int_equal(read_next(r, &row, &why), 1);
	c = read_find(r, port);
	assert_true(c >= 0);
	assert_true(column_span(read_column(r, (unsigned)c)) == 1ull << 38);
	assert_int_equal(read_number(r, "family_mul[\"iio_PCIe0_port0_in_bytes"
	    "\"]", 0), 4);
	do {
		assert_int_equal(row.value[c] % 4, 0);
		assert_true(row.value[c] < 1ull << 38);
		n++;
	} while (read_next(r, &row, &why) == 1);
	assert_int_equal(n, 2);
	read_close(r);
	snprintf(line, sizeof line, "convert --npy --overwrite %s/dump",
	    test_dir);
	free(said(EXIT_OK, cmd_convert, line, NULL));
	snprintf(line, sizeof line, "%s/out.columns.csv", test_dir);
	list = file_text(line, NULL);
	assert_memory_equal(list, "column,name,unit,value,bits,mul\r\n", 33);
	assert_non_null(strstr(list, ",iio_PCIe0_port0_in_bytes[0],bytes,"
	    "multiplied,36,4\r\n"));
	holds(list, ",pkg_temperature[0],C,decoded,0,1\r\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_family_is_said_in_one_word_each),
		cmocka_unit_test(what_a_dump_says_of_its_values_holds),
		cmocka_unit_test(
		    each_family_of_a_dump_has_words_that_the_manual_explains),
		cmocka_unit_test(plan_dump_and_reader_come_to_the_same),
		cmocka_unit_test(
		    what_is_multiplied_is_so_in_dump_reader_and_numpy),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
