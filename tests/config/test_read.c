/*
 * tests/config/test_read.c - dumps, sound and otherwise, read sample by sample.
 */
#include "tests/lib/named.h"
#include "tests/lib/rig.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/dump/dump.h"
#include "config/dump/read.h"
#include "config/dump/store.h"

static struct reader *
open_text(const char *text)
{
	struct reader *r;
	struct diag why = { "" };

	if (read_open(&r, test_put("dump", text), &why) < 0)
		fail_msg("%s", why.text);
	return r;
}

static int
open_fails(const char *text, struct diag *why)
{
	struct reader *r;
	int rc = read_open(&r, test_put("dump", text), why);

	assert_null(r);
	return rc;
}

static uint64_t
value(const struct reader *r, const struct read_row *row, const char *name)
{
	int c = read_find(r, name);

	if (c < 0)
		fail_msg("no column %s", name);
	return row->value[c];
}

static void
next(struct reader *r, struct read_row *row, uint64_t sample)
{
	struct diag why;

	assert_int_equal(read_next(r, row, &why), 1);
	assert_int_equal(row->sample, sample);
}

static void
ends(struct reader *r)
{
	struct read_row row;
	struct diag why;

	assert_int_equal(read_next(r, &row, &why), 0);
	assert_int_equal(read_next(r, &row, &why), 0);
}

static void
problem_is(struct reader *r, unsigned i, enum problem_kind kind, uint64_t line,
    const char *word)
{
	const struct read_problem *p = read_problem(r, i);

	assert_non_null(p);
	assert_int_equal(p->kind, kind);
	assert_int_equal(p->line, line);
	if (strstr(p->text, word) == NULL)
		fail_msg("\"%s\" lacks \"%s\"", p->text, word);
}

static void
a_dump_is_constants_and_samples(void **state)
{
	struct reader *r = open_text(
	    "TSC_ratio = 21\n"
	    "RAPL_PKG_ENERGY_UNIT = 0.000061035\n"
	    "host = \"c591-803\"\n"
	    "lproc_package[5] = 1\n"
	    "imc_counts = {}\n"
	    "tsc[0] = 25370245187777968\n"
	    "imc_counts[1][3][\"CAS_COUNT.READS\"][0] = 7\n"
	    "pkg_therm_status[0][0] = 0x88390800\n"
	    "pkg_temperature[0][0] = -3\n"
	    "tsc[1] = 25370247334045250\n"
	    "imc_counts[1][3][\"CAS_COUNT.READS\"][1] = 18\n"
	    "pkg_therm_status[0][1] = 0x88390801\n"
	    "pkg_temperature[0][1] = 4\n");
	const struct column *c;
	struct read_row row;

	(void)state;
	assert_string_equal(head_text(r, HEAD_HOST, ALONE, ""), "c591-803");
	assert_true(read_number(r, "TSC_ratio", 0) == 21);
	assert_true(read_number(r, "lproc_package[5]", 0) == 1);
	assert_true(read_number(r, "no_such", -1) == -1);
	assert_string_equal(read_constant_named(r,
	    "RAPL_PKG_ENERGY_UNIT")->text, "0.000061035");
	next(r, &row, 0);
	assert_null(row.before);
	assert_int_equal(value(r, &row, "tsc"), 25370245187777968);
	assert_int_equal(value(r, &row, "pkg_therm_status[0]"), 0x88390800);
	assert_int_equal((int64_t)value(r, &row, "pkg_temperature[0]"), -3);
	next(r, &row, 1);
	assert_int_equal(row.before_sample, 0);
	assert_int_equal(value(r, &row, "tsc"), 25370247334045250);
	assert_int_equal(value(r, &row, "pkg_therm_status[0]"), 0x88390801);
	c = read_column(r, (unsigned)read_find(r,
	    "imc_counts[1][3][\"CAS_COUNT.READS\"]"));
	assert_int_equal(row.before[read_find(r, c->name)], 7);
	assert_int_equal(row.value[read_find(r, c->name)], 18);
	assert_string_equal(c->id.family->name, "imc_counts");
	assert_string_equal(c->id.event, "CAS_COUNT.READS");
	assert_int_equal(c->id.nindex, 2);
	assert_int_equal(c->id.index[0], 1);
	assert_int_equal(c->id.index[1], 3);
	assert_int_equal(c->bits, 48);
	assert_int_equal(c->cls, CLASS_CAS);
	ends(r);
	assert_int_equal(read_problems(r, PROBLEM_KINDS), 0);
	read_close(r);
}

static void
integers_are_exact_to_2_to_the_64(void **state)
{
	static const char *const number[] = { "0", "9", "99999999",
	    "100000000", "9007199254740993", "9999999999999999",
	    "10000000000000000", "9999999999999999999",
	    "10000000000000000000", "18446744073709551614" };
	char text[2000];
	struct read_row row;
	struct reader *r;
	size_t n = 0;

	(void)state;
	/* each twice: as a line taken apart, and as one that was expected */
	for (unsigned i = 0; i < 10; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n,
		    "ib_recv_bytes[%u] = %s\nib_recv_bytes[%u] = %s\n", 2 * i,
		    number[i], 2 * i + 1, number[i]);
	r = open_text(text);
	for (unsigned i = 0; i < 20; i++) {
		next(r, &row, i);
		assert_int_equal(row.value[0], strtoull(number[i / 2], NULL,
		    10));
	}
	ends(r);
	assert_int_equal(read_problems(r, PROBLEM_KINDS), 0);
	read_close(r);
}

static void
a_value_of_2_to_the_64_or_of_no_integer_is_noted_and_absent(void **state)
{
	struct reader *r = open_text("tsc[0] = 18446744073709551616\n"
	    "aperf[0][0] = 1.5\naperf[1][0] = \"x\"\naperf[2][0] = 3\n"
	    "aperf[3][0] = nil\n");
	struct read_row row;

	(void)state;
	next(r, &row, 0);
	assert_int_equal(value(r, &row, "tsc"), ABSENT);
	assert_int_equal(value(r, &row, "aperf[0]"), ABSENT);
	assert_int_equal(value(r, &row, "aperf[2]"), 3);
	assert_int_equal(row.nabsent, 4);
	problem_is(r, 0, PROBLEM_VALUE, 1, "out of range");
	problem_is(r, 1, PROBLEM_VALUE, 2, "1.5 is no whole number");
	assert_int_equal(read_problems(r, PROBLEM_VALUE), 3);
	read_close(r);
}

static void
a_real_number_with_all_of_its_digits_is_one_that_counts(void **state)
{
	static const struct {
		int line;
		const char *text, *wrong;       /* NULL: it is `value` */
		uint64_t value;
	} real[] = {
#define L __LINE__
		{ L, "4.227e3", NULL, 4227 }, { L, "4227.0", NULL, 4227 },
		{ L, "42.27E+2", NULL, 4227 }, { L, "422700e-2", NULL, 4227 },
		{ L, "0.0", NULL, 0 }, { L, "0e9", NULL, 0 },
		{ L, ".5e1", NULL, 5 },
		{ L, "18446744073709551614.0", NULL, UINT64_MAX - 1 },
		{ L, "1.5", "no whole number", 0 },
		{ L, "4.2275e3", "no whole number", 0 },
		{ L, "1e-3", "no whole number", 0 },
		{ L, "1.23457e+06", "rounded: not all of its digits", 0 },
		{ L, "1e6", "rounded: not all of its digits", 0 },
		{ L, "1e99999999999", "rounded: not all of its digits", 0 },
		{ L, "18446744073709551616.0", "out of range", 0 },
#undef L
	};

	(void)state;
	for (size_t i = 0; i < sizeof(real) / sizeof(real[0]); i++) {
		char text[120];
		struct reader *r;
		struct read_row row;

		snprintf(text, sizeof(text), "tsc[0] = 1\naperf[0][0] = %s\n",
		    real[i].text);
		r = open_text(text);
		next(r, &row, 0);
		if (real[i].wrong != NULL)
			problem_is(r, 0, PROBLEM_VALUE, 2, real[i].wrong);
		if (value(r, &row, "aperf[0]") != (real[i].wrong != NULL ?
		    ABSENT : real[i].value))
			fail_msg("line %d: %s", real[i].line, real[i].text);
		assert_int_equal(read_problems(r, PROBLEM_KINDS),
		    real[i].wrong != NULL);
		read_close(r);
	}
}

static void
a_line_taken_apart_quickly_is_what_any_line_comes_to(void **state)
{
	static const struct { int line; const char *text; bool plain; } is[] = {
#define L __LINE__
		{ L, "tsc[0] = 1", true }, { L, "aperf[17][3] = 007", true },
		{ L, "imc_counts[0][3][\"CAS_COUNT.RD\"][17] = 123", true },
		{ L, "core_counts[5][\"a[b]=c;#\"][0] = 999999999999999999", true },
		{ L, "local[0] = 5", true },
		{ L, "tsc[0] = 9999999999999999999", false },
		{ L, "tsc[0000000000000000001] = 9", false },
		{ L, "tsc[0] = -1", false }, { L, "tsc[0] = 0x1f", false },
		{ L, "tsc[0] = 1.0", false }, { L, "tsc[0] = 1;", false },
		{ L, "tsc[0] = 1 ", false }, { L, "tsc[0] = ", false },
		{ L, "tsc[0] =1", false }, { L, "tsc [0] = 1", false },
		{ L, "tsc[ 0] = 1", false }, { L, "tsc[] = 1", false },
		{ L, "tsc = 1", false }, { L, "[0] = 1", false },
		{ L, "[0][1] = 1", false }, { L, "[\"a\"][0] = 1", false },
		{ L, "0tsc[0] = 1", false }, { L, "tsc[\"a\"] = 1", false },
		{ L, "core_counts[0]['X'][0] = 1", false },
		{ L, "core_counts[0][\"a b\"][0] = 1", false },
		{ L, "core_counts[0][\"a\\n\"][0] = 1", false },
		{ L, "core_counts[0][\"X][0] = 1", false }, { L, "", false },
		{ L, "tsc[0 = 1", false }, { L, "tsc[\"", false },
#undef L
	};

	(void)state;
	for (size_t i = 0; i < sizeof is / sizeof *is; i++) {
		const char *p = is[i].text, *end = p + strlen(p);
		struct assign a, b;
		char scratch[100];

		if (assign_plain(&a, p, end) != is[i].plain)
			fail_msg("line %d: %s", is[i].line, p);
		if (!is[i].plain)
			continue;
		assign_parse(&b, p, end, scratch);
		assert_int_equal(a.kind, b.kind);
		assert_int_equal(a.value, b.value);
		assert_ptr_equal(a.name, b.name);
		assert_int_equal(a.name_len, b.name_len);
		assert_int_equal(a.family_len, b.family_len);
		assert_int_equal(a.key_len, b.key_len);
		assert_true(a.indexed && b.indexed);
		assert_true(a.last_is_int && b.last_is_int);
		assert_int_equal(a.last, b.last);
		assert_true(a.u == b.u && !a.negative && !b.negative);
		assert_ptr_equal(a.text, b.text);
		assert_int_equal(a.text_len, b.text_len);
	}
}

static void
a_counter_is_never_below_0_and_a_temperature_may_be(void **state)
{
	struct reader *r = open_text("tsc[0] = 1\naperf[0][0] = -5\n"
	    "pkg_temperature[0][0] = -5\npkg_temperature[1][0] = -5.0\n"
	    "walltime[0][0] = -5\naperf[1][0] = -5.0\n");
	struct read_row row;

	(void)state;
	next(r, &row, 0);
	assert_int_equal(value(r, &row, "aperf[0]"), ABSENT);
	assert_int_equal(value(r, &row, "aperf[1]"), ABSENT);
	assert_int_equal(value(r, &row, "walltime[0]"), ABSENT);
	assert_int_equal((int64_t)value(r, &row, "pkg_temperature[0]"), -5);
	assert_int_equal((int64_t)value(r, &row, "pkg_temperature[1]"), -5);
	problem_is(r, 0, PROBLEM_VALUE, 2, "aperf[0][0]: value -5 is less than "
	    "0, and it counts; left out");
	problem_is(r, 1, PROBLEM_VALUE, 5, "value -5 is less than 0; left out");
	problem_is(r, 2, PROBLEM_VALUE, 6, "value -5.0 is less than 0, and");
	read_close(r);
}

static void
a_reading_below_0_that_comes_again_is_told_as_it_stands(void **state)
{
	struct reader *r = open_text("tsc[0] = 1\n"
	    "pkg_temperature[0][0] = -6\npkg_temperature[0][0] = -7\n"
	    "pkg_temperature[0][0] = nil\n");
	struct read_row row;

	(void)state;
	next(r, &row, 0);
	problem_is(r, 0, PROBLEM_DUPLICATE, 3, "again: -7 after -6;");
	problem_is(r, 1, PROBLEM_DUPLICATE, 4, "again: none after -7;");
	read_close(r);
}

static void
the_lines_that_come_to_nothing_are_counted(void **state)
{
	/* a sample that comes again in full; one value of it, twice */
	struct reader *r = open_text("tsc[0] = 1\naperf[0][0] = 1\n"
	    "tsc[1] = 2\naperf[0][1] = 2\naperf[0][1] = 2\n"
	    "tsc[0] = 1\naperf[0][0] = 1\naperf[0][0] = 1\n"
	    "tsc[2] = 3\naperf[0][2] = 1.5\n");
	struct read_row row;

	(void)state;
	next(r, &row, 0);
	assert_int_equal(read_lost(r), 0);
	next(r, &row, 1);
	assert_int_equal(read_lost(r), 1);
	next(r, &row, 2);
	assert_int_equal(read_lost(r), 1 + 3 + 1);
	problem_is(r, 1, PROBLEM_DUPLICATE, 8, "again");
	problem_is(r, 2, PROBLEM_ORDER, 6, "sample 0 after sample 1; it is "
	    "left out, 3 lines");
	read_close(r);
}

/* Two dumps in one file: the head of the second says nothing of the first one's
 * samples, and its samples do not go on where those end. */
static void
of_two_dumps_in_a_file_the_first_is_read(void **state)
{
	struct reader *r = open_text("tallyd_format = 1\nhost = \"a\"\n"
	    "tsc[0] = 1\ntsc[1] = 2\n"
	    "tallyd_format = 1\nhost = \"b\"\n"
	    "tsc[0] = 5\ntsc[1] = 6\ntsc[2] = 7\n");
	struct read_row row;

	(void)state;
	next(r, &row, 0);
	next(r, &row, 1);
	ends(r);
	assert_string_equal(head_text(r, HEAD_HOST, ALONE, ""), "a");
	assert_int_equal(read_lost(r), 5);
	problem_is(r, 0, PROBLEM_ORDER, 5, "another dump begins here; it is left "
	    "out, 5 lines: give each dump a file of its own");
	read_close(r);
}

/* The last sample is that of the dump that is read, wherever in the file that ends. */
static void
of_two_dumps_in_a_file_the_first_has_the_last_clock(void **state)
{
	enum { SAMPLES = 30000 };
	char path[256];
	struct reader *r;
	struct diag why;
	uint64_t sample, tsc;
	double wall;
	FILE *f;

	(void)state;
	snprintf(path, sizeof(path), "%s/two", test_dir);
	assert_non_null(f = fopen(path, "w"));
	for (unsigned d = 1; d <= 2; d++) {
		fprintf(f, "tallyd_format = 1\nhost = \"a\"\n");
		for (unsigned i = 0; i < d * SAMPLES; i++)
			fprintf(f, "tsc[%u] = %u\nwalltime[0][%u] = %u\n"
			    "walltime[1][%u] = 0\n", i, d * 10000 + i, i,
			    d * 100000 + i, i);
	}
	fclose(f);
	assert_int_equal(read_open(&r, path, &why), 0);
	assert_true(read_last_clock(r, true, &sample, &tsc, &wall));
	assert_int_equal(sample, SAMPLES - 1);
	assert_int_equal(tsc, 10000 + SAMPLES - 1);
	assert_true(wall == 100000 + SAMPLES - 1);
	read_close(r);
}

/* Segments of one run may stand behind each other; those of another node not. */
static void
segments_in_a_file_are_read_as_far_as_they_are_of_one_node(void **state)
{
	struct reader *r = open_text("tallyd_format = 1\nhost = \"a\"\n"
	    "segment_of = \"x\"\ntsc[0] = 1\ntsc[1] = 2\n"
	    "tallyd_format = 1\nhost = \"a\"\ntsc[2] = 3\n"
	    "tallyd_format = 1\nhost = \"b\"\ntsc[3] = 4\n");
	struct read_row row;

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		next(r, &row, i);
	ends(r);
	problem_is(r, 0, PROBLEM_ORDER, 10, "another dump begins here; it is left "
	    "out, 2 lines");
	read_close(r);
}

/* ':' follows '9'; the reader compares a line with the one that it expects. */
static void
what_follows_nine_is_no_digit(void **state)
{
	struct reader *r = open_text("tsc[0] = 1000\naperf[0][0] = 1000\n"
	    "tsc[1] = 2000\naperf[0][1] = 2000\n"
	    "tsc[2] = 3000\naperf[0][2] = 3000\n"
	    "tsc[3] = 4000\naperf[0][3] = 40:0\n"
	    "tsc[4] = 5000\naperf[0][4] = 500/\n"
	    "tsc[5] = 6000\naperf[0][5] = 6999\n");
	struct read_row row;

	(void)state;
	for (unsigned i = 0; i < 6; i++) {
		next(r, &row, i);
		assert_int_equal(value(r, &row, "aperf[0]"), i < 3 ?
		    1000 * (i + 1) : i < 5 ? ABSENT : 6999);
	}
	problem_is(r, 0, PROBLEM_GARBAGE, 8, "");
	problem_is(r, 1, PROBLEM_GARBAGE, 10, "");
	assert_int_equal(read_problems(r, PROBLEM_KINDS), 2);
	read_close(r);
}

/* Lines of a sample in one order, then in another, with one missing, one new,
 * and back: whatever was expected, values are where they belong. */
static void
reordered_missing_and_new_lines_are_read_right(void **state)
{
	struct reader *r = open_text(
	    "tsc[0] = 1\naperf[0][0] = 10\naperf[1][0] = 20\nmperf[0][0] = 30\n"
	    "tsc[1] = 2\naperf[0][1] = 11\naperf[1][1] = 21\nmperf[0][1] = 31\n"
	    "tsc[2] = 3\nmperf[0][2] = 32\naperf[1][2] = 22\naperf[0][2] = 12\n"
	    "tsc[3] = 4\nmperf[0][3] = 33\naperf[0][3] = 13\n"
	    "tsc[4] = 5\nmperf[0][4] = 34\npperf[0][4] = 1\naperf[0][4] = 14\n"
	    "aperf[1][4] = 24\n"
	    "tsc[5] = 6\naperf[0][5] = 15\naperf[1][5] = 25\n"
	    "mperf[0][5] = 35\npperf[0][5] = 2\n");
	struct read_row row;

	(void)state;
	for (unsigned i = 0; i < 6; i++) {
		next(r, &row, i);
		assert_int_equal(value(r, &row, "tsc"), i + 1);
		assert_int_equal(value(r, &row, "aperf[0]"), 10 + i);
		assert_int_equal(value(r, &row, "mperf[0]"), 30 + i);
		assert_int_equal(value(r, &row, "aperf[1]"), i == 3 ? ABSENT :
		    20 + i);
		assert_int_equal(row.ncol, i < 4 ? 4 : 5);
		assert_int_equal(row.nabsent, i == 3);
		if (i == 4) {   /* a new column was absent before */
			assert_int_equal(value(r, &row, "pperf[0]"), 1);
			assert_int_equal(row.before[4], ABSENT);
		}
	}
	ends(r);
	assert_int_equal(read_problems(r, PROBLEM_KINDS), 0);
	read_close(r);
}

static void
values_of_any_length_follow_values_of_any_other(void **state)
{
	uint64_t v[60];
	char text[60 * 40], *p = text;
	struct read_row row;
	struct reader *r;

	(void)state;
	for (unsigned i = 0; i < 60; i++) {
		v[i] = 0x9e3779b97f4a7c15ull * (i + 1) >> (i * 37 % 64);
		p += sprintf(p, "core_counts[0][\"X\"][%u] = %" PRIu64 "\n", i,
		    v[i]);
	}
	r = open_text(text);
	for (unsigned i = 0; i < 60; i++) {
		next(r, &row, i);
		assert_int_equal(row.value[0], v[i]);
	}
	read_close(r);
}

static void
functions_around_the_lines_change_nothing(void **state)
{
	struct reader *r = open_text("function CHUNK_aa()\nTSC_ratio = 21\n"
	    "tsc[0] = 1\naperf[0][0] = 10\ntsc[1] = 2\nend\nCHUNK_aa()\n"
	    "function CHUNK_ab()\naperf[0][1] = 11\n"
	    "  tsc[2] = 3 -- a comment\naperf [ 0 ] [2]=12;\nend\n"
	    "CHUNK_ab()\n# and another\n\n");
	struct read_row row;

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		next(r, &row, i);
		assert_int_equal(value(r, &row, "tsc"), i + 1);
		assert_int_equal(value(r, &row, "aperf[0]"), 10 + i);
		assert_int_equal(row.ncol, 2);
	}
	ends(r);
	assert_int_equal(read_problems(r, PROBLEM_KINDS), 0);
	read_close(r);
}

static void
a_last_line_without_its_end_is_left_out(void **state)
{
	struct reader *r = open_text("tsc[0] = 1\naperf[0][0] = 10\n"
	    "tsc[1] = 2\naperf[0][1] = 1");
	struct read_row row;

	(void)state;
	next(r, &row, 0);
	next(r, &row, 1);
	assert_int_equal(value(r, &row, "aperf[0]"), ABSENT);
	ends(r);
	problem_is(r, 0, PROBLEM_TRUNCATED, 4, "ends within");
	read_close(r);
}

static void
a_sample_that_comes_too_late_is_left_out(void **state)
{
	struct reader *r = open_text("tsc[0] = 1\ntsc[1] = 2\ntsc[4] = 5\n"
	    "tsc[3] = 4\ntsc[5] = 6\n");
	struct read_row row;

	(void)state;
	next(r, &row, 0);
	next(r, &row, 1);
	next(r, &row, 4);
	assert_int_equal(row.before_sample, 1);
	next(r, &row, 5);
	assert_int_equal(row.before_sample, 4);
	assert_int_equal(row.before[0], 5);
	ends(r);
	problem_is(r, 0, PROBLEM_ORDER, 4, "sample 3 after sample 4");
	read_close(r);
}

static void
of_a_value_given_twice_the_later_one_holds(void **state)
{
	struct reader *r = open_text("tsc[0] = 1\naperf[0][0] = 2\n"
	    "tsc[1] = 3\naperf[0][1] = 4\naperf[0][1] = 5\n");
	struct read_row row;

	(void)state;
	next(r, &row, 0);
	next(r, &row, 1);
	assert_int_equal(value(r, &row, "aperf[0]"), 5);
	assert_int_equal(row.nabsent, 0);
	problem_is(r, 0, PROBLEM_DUPLICATE, 5, "again: 5 after 4");
	read_close(r);

	/* also where every sample does it */
	r = open_text("tsc[0] = 1\naperf[0][0] = 2\naperf[0][0] = 3\n"
	    "tsc[1] = 1\naperf[0][1] = 2\naperf[0][1] = 4\n"
	    "tsc[2] = 1\naperf[0][2] = 2\naperf[0][2] = 5\n"
	    "tsc[3] = 1\naperf[0][3] = 2\naperf[0][3] = 6\n");
	for (unsigned i = 0; i < 4; i++) {
		next(r, &row, i);
		assert_int_equal(value(r, &row, "aperf[0]"), 3 + i);
	}
	assert_int_equal(read_problems(r, PROBLEM_DUPLICATE), 4);
	read_close(r);
}

static void
garbage_is_noted_by_line_and_the_rest_is_read(void **state)
{
	struct reader *r = open_text("TSC_ratio = 21\n)(\ntsc[0] = 1\n"
	    "aperf[0[0] = 3\naperf[0][0] = 10\naperf[0][0] 11\n"
	    "tsc[1] = 2\naperf[0][1] = 12x\naperf[1][1] = 9\n"
	    "tsc[2] = 3\naperf[0][2] = 28147#4847\naperf[1][2] = 2--34\n"
	    "aperf[2][2] = 7 # a comment\naperf[3][2] = 8; -- another\n");
	struct read_row row;

	(void)state;
	next(r, &row, 0);
	assert_int_equal(value(r, &row, "aperf[0]"), 10);
	next(r, &row, 1);
	assert_int_equal(value(r, &row, "aperf[0]"), ABSENT);
	assert_int_equal(value(r, &row, "aperf[1]"), 9);
	next(r, &row, 2);
	assert_int_equal(value(r, &row, "aperf[0]"), ABSENT);
	assert_int_equal(value(r, &row, "aperf[1]"), ABSENT);
	assert_int_equal(value(r, &row, "aperf[2]"), 7);
	assert_int_equal(value(r, &row, "aperf[3]"), 8);
	ends(r);
	problem_is(r, 0, PROBLEM_GARBAGE, 2, "dump:2: no assignment");
	problem_is(r, 1, PROBLEM_GARBAGE, 4, "index without its ]");
	problem_is(r, 2, PROBLEM_GARBAGE, 6, "no assignment");
	problem_is(r, 3, PROBLEM_GARBAGE, 8, "more after the value");
	problem_is(r, 4, PROBLEM_GARBAGE, 11, "more after the value");
	problem_is(r, 5, PROBLEM_GARBAGE, 12, "more after the value");
	assert_int_equal(read_problems(r, PROBLEM_KINDS), 6);
	read_close(r);
}

/* Numbers and names in every form that Lua and Python have for them; what is no
 * number is no constant. */
static void
a_constant_may_be_written_in_any_form(void **state)
{
	struct reader *r = open_text("a = .5\nb = 5.\nc = -2.5e3\nd = 1e-2\n"
	    "e = 0x1F\nf = -7\ng = 3 --\nh = 4 -- x\ni = 5 # x\nj = 6;\n"
	    "k = .\nl = 1e\nm = 1e+\nn = 3 -\no = 0x\np = -.25E+1\n"
	    "t [ 1 ] [ \"A B\" ] = 8\nu\t[-2] = 9\nw[\"a\"] [3]=10\n"
	    "tsc[0] = 1\n");
	static const struct { const char *name; double value; } good[] = {
		{ "a", 0.5 }, { "b", 5 }, { "c", -2500 }, { "d", 0.01 },
		{ "e", 31 }, { "f", -7 }, { "g", 3 }, { "h", 4 }, { "i", 5 },
		{ "j", 6 }, { "p", -2.5 }, { "t[1][\"A B\"]", 8 },
		{ "u[-2]", 9 }, { "w[\"a\"][3]", 10 },
	};
	static const char *const bad[] = { "k", "l", "m", "n", "o" };

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		if (read_number(r, good[i].name, -1) != good[i].value)
			fail_msg("%s: %g", good[i].name,
			    read_number(r, good[i].name, -1));
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (read_number(r, bad[i], -1) != -1)
			fail_msg("%s", bad[i]);
	assert_int_equal(read_problems(r, PROBLEM_GARBAGE), 5);
	read_close(r);
}

static void
what_is_no_dump_is_refused_in_words(void **state)
{
	struct diag why;
	char text[400] = "";

	(void)state;
	assert_int_equal(open_fails("", &why), -ENODATA);
	assert_int_equal(open_fails("\n\n", &why), -ENODATA);
	for (int i = 0; i < 20; i++)
		strcat(text, "<html><body>\n");
	assert_int_equal(open_fails(text, &why), -EINVAL);
	assert_non_null(strstr(why.text, "dump:1: no assignment"));
	assert_int_equal(open_fails("tallyd_format = 2\ntsc[0] = 1\n", &why),
	    -EPROTONOSUPPORT);
	assert_non_null(strstr(why.text, "reads format 1"));
	assert_int_equal(open_fails("TALLYST1 but no store", &why), -EINVAL);
}

static void
the_head_of_a_dump_tells_the_width_of_its_families(void **state)
{
	struct reader *r = open_text(
	    "family_bits[\"wheel_turns\"] = 12\n"
	    "family_mul[\"wheel_turns\"] = 5\n"
	    "family_unit[\"wheel_turns\"] = \"bytes\"\n"
	    "family_bits[\"aperf\"] = 40\n"
	    "wheel_turns[0][0] = 1\naperf[0][0] = 2\n"
	    "iio_PCIe0_port1_in_bytes[0][0] = 3\nspeed_of_fan[0][0] = 4\n"
	    "rapl_dram_energy[1][0] = 5\n");
	const struct column *c = read_column(r, 0);
	struct read_row row;

	(void)state;
	next(r, &row, 0);
	c = read_column(r, (unsigned)read_find(r, "wheel_turns[0]"));
	assert_int_equal(c->bits, 12);
	assert_int_equal(c->mul, 5);
	assert_string_equal(c->id.family->unit, "bytes");
	c = read_column(r, (unsigned)read_find(r, "aperf[0]"));
	assert_int_equal(c->bits, 40);
	c = read_column(r, (unsigned)read_find(r,
	    "iio_PCIe0_port1_in_bytes[0]"));
	assert_int_equal(c->bits, 36);
	assert_int_equal(c->mul, 4);
	c = read_column(r, (unsigned)read_find(r, "rapl_dram_energy[1]"));
	assert_int_equal(c->bits, 32);
	assert_int_equal(c->cls, CLASS_ENERGY_DRAM);
	/* nobody knows what this is, but it is kept */
	c = read_column(r, (unsigned)read_find(r, "speed_of_fan[0]"));
	assert_int_equal(c->cls, CLASS_UNKNOWN);
	assert_int_equal(value(r, &row, "speed_of_fan[0]"), 4);
	read_close(r);
}

static void
constants_among_the_samples_are_no_samples(void **state)
{
	struct reader *r = open_text("phase_mark[0] = 1\ntsc[0] = 1\n"
	    "tsc[1] = 2\nphase_mark[1] = 7\nmissed_deadlines = 3\n"
	    "unit_absent[\"CHA\"][0][24] = \"fused off\"\n");
	struct read_row row;

	(void)state;
	next(r, &row, 0);
	next(r, &row, 1);
	ends(r);
	assert_int_equal(read_columns(r), 1);
	assert_true(read_number(r, "phase_mark[1]", 0) == 7);
	assert_true(read_number(r, "missed_deadlines", 0) == 3);
	assert_string_equal(head_text(r, HEAD_UNIT_ABSENT,
	    (struct head_at){ .name = { "CHA" }, .n = { 0, 24 } }, ""),
	    "fused off");
	read_close(r);
}

/* Samples of many lines that end anywhere in the reader's buffer. */
static void
a_dump_longer_than_any_buffer_is_read_whole(void **state)
{
	enum { SAMPLES = 3000, LPROCS = 40 };
	char path[256];
	struct reader *r;
	struct read_row row;
	struct diag why;
	uint64_t sample, tsc;
	double wall;
	FILE *f;

	(void)state;
	snprintf(path, sizeof(path), "%s/long", test_dir);
	assert_non_null(f = fopen(path, "w"));
	for (unsigned i = 0; i < SAMPLES; i++) {
		fprintf(f, "tsc[%u] = %llu\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 250000\n", i, i * 2100000000ull, i,
		    1700000000 + i, i);
		for (unsigned p = 0; p < LPROCS; p++)
			fprintf(f, "core_counts[%u][\"EVENT.X\"][%u] = %u\n", p,
			    i, i * i * (p + 1));
	}
	fclose(f);
	assert_int_equal(read_open(&r, path, &why), 0);
	assert_true(read_last_clock(r, false, &sample, &tsc, &wall));
	assert_int_equal(sample, SAMPLES - 1);
	assert_int_equal(tsc, (SAMPLES - 1) * 2100000000ull);
	assert_true(wall == 1700000000 + SAMPLES - 1 + 0.25);
	for (unsigned i = 0; i < SAMPLES; i++) {
		next(r, &row, i);
		assert_int_equal(row.nabsent, 0);
		for (unsigned p = 0; p < LPROCS; p++)
			assert_int_equal(row.value[3 + p], i * i * (p + 1));
	}
	ends(r);
	assert_int_equal(read_problems(r, PROBLEM_KINDS), 0);
	read_close(r);
}

static void
a_store_reads_as_the_dump_it_will_become(void **state)
{
	static struct column column[] = {
		{ .name = "tsc", .cell = 0, .bits = 64 },
		{ .name = "walltime[0]", .cell = 1 },
		{ .name = "walltime[1]", .cell = 2 },
		{ .name = "pkg_temperature[0]", .cell = 3, .base = 95,
		  .print = PRINT_TEMP },
		{ .name = "pkg_therm_status[0]", .cell = 3,
		  .print = PRINT_HEX },
		{ .name = "iio_CBDMA_port1_in_bytes[0]", .cell = 4,
		  .bits = 36, .mul = 4 },
		{ .name = "smi_count[0]", .cell = 5, .bits = 32 },
	};
	struct store_shape shape = { .column = column, .ncolumn = 7,
	    .ncell = 6, .capacity = 3, .preamble = "host = \"n1\"\n",
	    .cell_tsc = 0, .cell_real_sec = 1, .cell_real_usec = 2 };
	struct store *store;
	struct reader *r;
	struct read_row row;
	struct diag why;
	uint64_t *cell;
	char path[256];

	(void)state;
	columns_named(column, 7);
	snprintf(path, sizeof(path), "%s/store", test_dir);
	assert_int_equal(store_create(&store, path, &shape, &why), 0);
	for (unsigned i = 0; i < 2; i++) {
		cell = store_row(store);
		cell[0] = 2100000000 * (i + 1ull);
		cell[1] = 1700000000 + i;
		cell[2] = 5;
		cell[3] = 0x88390800;           /* 57 below 95 */
		cell[4] = 1000 + i;
		cell[5] = i == 0 ? 7 : ABSENT;
		store_commit(store);
		store_mark(store);
	}
	while (store_mark(store) == 0)
		;                       /* the last one has no room */
	if (read_open(&r, path, &why) < 0)
		fail_msg("%s", why.text);
	assert_string_equal(head_text(r, HEAD_HOST, ALONE, ""), "n1");
	assert_true(read_number(r, "phase_mark[1]", 0) == 2);
	assert_true(read_number(r, "tsc_hz", 0) == 2100000000);
	assert_true(read_number(r, "notes_lost", 0) == 1);
	next(r, &row, 0);
	assert_int_equal(value(r, &row, "pkg_temperature[0]"), 95 - 57);
	assert_int_equal(value(r, &row, "pkg_therm_status[0]"), 0x88390800);
	assert_int_equal(value(r, &row, "smi_count[0]"), 7);
	assert_int_equal(row.nabsent, 0);
	next(r, &row, 1);
	assert_int_equal(value(r, &row, "iio_CBDMA_port1_in_bytes[0]"), 4004);
	assert_int_equal(value(r, &row, "smi_count[0]"), ABSENT);
	assert_int_equal(row.nabsent, 1);
	assert_int_equal(row.before[5], 4000);
	ends(r);
	read_close(r);
	store_close(store);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_real_number_with_all_of_its_digits_is_one_that_counts),
		cmocka_unit_test(
		    a_counter_is_never_below_0_and_a_temperature_may_be),
		cmocka_unit_test(a_line_taken_apart_quickly_is_what_any_line_comes_to),
		cmocka_unit_test(the_lines_that_come_to_nothing_are_counted),
		cmocka_unit_test(
		    a_reading_below_0_that_comes_again_is_told_as_it_stands),
		cmocka_unit_test(of_two_dumps_in_a_file_the_first_is_read),
		cmocka_unit_test(
		    of_two_dumps_in_a_file_the_first_has_the_last_clock),
		cmocka_unit_test(
		    segments_in_a_file_are_read_as_far_as_they_are_of_one_node),
		cmocka_unit_test(what_follows_nine_is_no_digit),
		cmocka_unit_test(a_dump_is_constants_and_samples),
		cmocka_unit_test(integers_are_exact_to_2_to_the_64),
		cmocka_unit_test(
		    a_value_of_2_to_the_64_or_of_no_integer_is_noted_and_absent),
		cmocka_unit_test(
		    reordered_missing_and_new_lines_are_read_right),
		cmocka_unit_test(
		    values_of_any_length_follow_values_of_any_other),
		cmocka_unit_test(functions_around_the_lines_change_nothing),
		cmocka_unit_test(a_last_line_without_its_end_is_left_out),
		cmocka_unit_test(a_sample_that_comes_too_late_is_left_out),
		cmocka_unit_test(of_a_value_given_twice_the_later_one_holds),
		cmocka_unit_test(garbage_is_noted_by_line_and_the_rest_is_read),
		cmocka_unit_test(a_constant_may_be_written_in_any_form),
		cmocka_unit_test(what_is_no_dump_is_refused_in_words),
		cmocka_unit_test(
		    the_head_of_a_dump_tells_the_width_of_its_families),
		cmocka_unit_test(constants_among_the_samples_are_no_samples),
		cmocka_unit_test(a_dump_longer_than_any_buffer_is_read_whole),
		cmocka_unit_test(a_store_reads_as_the_dump_it_will_become),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
