/*
 * tests/config/test_store.c - the file that rows live in, and the dump made of it.
 */
#include "tests/lib/files.h"
#include "tests/lib/stand_in.h"
#include "tests/lib/named.h"
#include "tests/lib/store_rows.h"

#include "config/dump/dump.h"
#include "config/dump/read.h"
#include "config/dump/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void
a_row_is_seen_once_it_is_committed_and_not_before(void **state)
{
	char *dir = tree_new(), path[512];
	struct store *st = rows_store(in_dir(dir, "s", path), 3), *reader;
	uint64_t *row;

	(void)state;
	assert_int_equal(store_open(&reader, path, NULL), 0);
	row = store_row(st);
	row[3] = 42;
	assert_int_equal(store_rows(reader), 0);
	/* until then it is the same row */
	assert_ptr_equal(store_row(st), row);
	store_commit(st);
	assert_int_equal(store_rows(reader), 1);
	assert_int_equal(rows_cell(reader, 0, 3), 42);
	rows_put(st, 1);
	rows_put(st, 2);
	assert_null(store_row(st));
	assert_int_equal(store_rows(reader), 3);
	store_close(reader);
	store_close(st);
	tree_free(dir);
}

/* A group's times and its only event, three rows: half of the time, all of it,
 * none of it; and one whose product has no room in 64 bits. */
static void
a_scaled_count_is_there_where_its_group_took_turns(void **state)
{
	static const uint64_t rows[][3] = { { 1000, 500, 333 },
		{ 1000, 1000, 333 }, { 1000, 0, 0 }, { 3, 2, 1ull << 63 },
		{ 3000000000, 1000000001, 7000000000000000000 } };
	static const char *const kinds[] = { "core_enabled[0][\"g\"]",
		"core_running[0][\"g\"]", "core_counts[0][\"X\"]",
		"core_scaled[0][\"X\"]" };
	struct column column[4];
	struct store_shape shape = { .column = column, .ncolumn = 4,
	    .ncell = 6, .capacity = 5, .preamble = "", .cell_tsc = 0,
	    .cell_real_sec = 1, .cell_real_usec = 2 };
	char *dir = tree_new(), path[512], *text;
	struct store *st;
	struct diag why;

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		column[i] = (struct column){ .name = kinds[i],
		    .cell = i < 3 ? 3 + i : 5, .bits = 64 };
	column[3].print = PRINT_SCALED;
	column[3].base = 2;
	columns_named(column, 4);
	if (store_create(&st, in_dir(dir, "s", path), &shape, &why) < 0)
		fail_msg("%s", why.text);
	for (unsigned r = 0; r < 5; r++) {
		memcpy(store_row(st) + 3, rows[r], sizeof(rows[r]));
		store_commit(st);
	}
	text = rows_dump_text(st);
	assert_non_null(strstr(text, "\ncore_scaled[0][\"X\"][0] = 666\n"));
	assert_null(strstr(text, "core_scaled[0][\"X\"][1]"));
	assert_null(strstr(text, "core_scaled[0][\"X\"][2]"));
	assert_non_null(strstr(text,
	    "core_scaled[0][\"X\"][3] = 13835058055282163712\n"));
	assert_null(strstr(text, "core_scaled[0][\"X\"][4]"));
	assert_non_null(strstr(text, "core_counts[0][\"X\"][4] = 7"));
	free(text);
	store_close(st);

	/* times before the first cell: a damaged store */
	column[3].base = 6;
	if (store_create(&st, in_dir(dir, "t", path), &shape, &why) < 0)
		fail_msg("%s", why.text);
	store_close(st);
	assert_true(store_open(&st, path, &why) < 0);
	tree_free(dir);
}

/* 4.1: bits 22:16 count down from TjMax, bit 31 says that they are valid; the
 * package's register has no such bit. */
static void
a_core_temperature_that_is_not_valid_is_not_there(void **state)
{
	static const char *const kinds[] = { "core_temperature[0]",
		"core_therm_status[0]", "pkg_temperature[0]" };
	struct column column[3];
	struct store_shape shape = { .column = column, .ncolumn = 3,
	    .ncell = 4, .capacity = 2, .preamble = "", .cell_tsc = 0,
	    .cell_real_sec = 1, .cell_real_usec = 2 };
	char *dir = tree_new(), path[512], *text;
	struct read_row row;
	struct reader *r;
	struct store *st;
	struct diag why;

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		column[i] = (struct column){ .name = kinds[i], .cell = 3,
		    .base = 95, .print = PRINT_CORE_TEMP };
	column[1].print = PRINT_HEX;
	column[2].print = PRINT_TEMP;
	columns_named(column, 3);
	if (store_create(&st, in_dir(dir, "s", path), &shape, &why) < 0)
		fail_msg("%s", why.text);
	store_row(st)[3] = 0x88390000;
	store_commit(st);
	store_row(st)[3] = 0x08390000;
	store_commit(st);
	text = rows_dump_text(st);
	assert_non_null(strstr(text, "\ncore_temperature[0][0] = 38\n"));
	assert_null(strstr(text, "core_temperature[0][1]"));
	assert_non_null(strstr(text, "core_therm_status[0][1] = 0x8390000\n"));
	assert_non_null(strstr(text, "pkg_temperature[0][1] = 38\n"));
	free(text);
	if (read_open(&r, path, &why) < 0)
		fail_msg("%s", why.text);
	assert_int_equal(read_next(r, &row, &why), 1);
	assert_int_equal(row.value[0], 38);
	assert_int_equal(read_next(r, &row, &why), 1);
	assert_int_equal(row.value[0], ABSENT);
	assert_int_equal(row.value[2], 38);
	read_close(r);
	store_close(st);
	tree_free(dir);
}

static void
a_reader_never_sees_a_row_or_a_note_by_halves(void **state)
{
	char *dir = tree_new(), path[512];
	struct store *st = rows_store(in_dir(dir, "s", path), 200000), *reader;
	static const char note[] = "note_of_some_length = 123456789\n";
	const volatile char *at;
	unsigned opened = 0, notes = 0;
	int status;
	pid_t pid;

	(void)state;
	if ((pid = fork()) == 0) {
		for (uint64_t r = 0; r < 200000; r++) {
			uint64_t *row = store_row(st);

			for (unsigned i = 0; i < ROWS_CELLS; i++)
				row[i] = r + 1;
			store_commit(st);
			if (r % 40 == 0 && store_note(st, note) < 0)
				_exit(1);
		}
		_exit(0);
	}
	assert_int_equal(store_open(&reader, path, NULL), 0);
	at = store_notes(reader);
	while (notes < 5000) {
		struct store *again;
		uint64_t n = store_rows(reader);

		for (unsigned i = 0; n > 0 && i < ROWS_CELLS; i++)
			assert_int_equal(rows_cell(reader, n - 1, i), n);
		/* the moment that a note begins it is there */
		if (*at != '\0') {
			if (memcmp((const char *)(uintptr_t)at, note,
			    sizeof(note) - 1) != 0)
				fail_msg("half a note: %.40s",
				    (const char *)(uintptr_t)at);
			at += sizeof(note) - 1;
			notes++;
		}
		if (notes % 64 != 0)
			continue;
		/* a store that grows is not taken for a damaged one */
		if (store_open(&again, path, NULL) < 0)
			fail_msg("refused while it grows");
		opened++;
		store_close(again);
	}
	store_close(reader);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_true(opened > 20);
	assert_int_equal(store_open(&reader, path, NULL), 0);
	assert_int_equal(store_rows(reader), 200000);
	store_close(reader);
	store_close(st);
	tree_free(dir);
}

/* Whoever may write to the file can cut it at any time. */
static void
a_store_that_is_cut_while_it_is_read_is_an_error_and_no_signal(void **state)
{
	char *dir = tree_new(), path[512];
	struct store *st = rows_store(in_dir(dir, "s", path), 2000), *reader;
	struct read_row row;
	struct reader *r;
	struct diag why;
	off_t size;
	int out;

	(void)state;
	for (unsigned i = 0; i < 2000; i++)
		rows_put(st, i);
	store_close(st);
	out = open(path, O_RDWR);
	size = lseek(out, 0, SEEK_END);
	assert_int_equal(store_open(&reader, path, &why), 0);
	assert_int_equal(read_open(&r, path, &why), 0);
	assert_int_equal(read_next(r, &row, &why), 1);
	assert_int_equal(ftruncate(out, size - 1000 * ROWS_CELLS * 8), 0);
	close(out);
	out = open("/dev/null", O_WRONLY);
	assert_int_equal(dump_write(reader, out, NULL), -ENODATA);
	assert_int_equal(rows_save_to(reader, in_dir(dir, "dump", path), &why),
	    -ENODATA);
	assert_non_null(strstr(why.text, "cut short while it was read"));
	assert_int_equal(access(path, F_OK), -1);
	/* the rows that are still there, and then the error */
	for (unsigned i = 1; i < 1000; i++)
		assert_int_equal(read_next(r, &row, &why), 1);
	assert_int_equal(read_next(r, &row, &why), -ENODATA);
	/* then all of the file is cut, header and notes too */
	assert_int_equal(truncate(in_dir(dir, "s", path), 0), 0);
	assert_int_equal(store_rows(reader), 2000);
	assert_string_equal(store_notes(reader), "");
	assert_int_equal(dump_write(reader, out, NULL), -ENODATA);
	close(out);
	read_close(r);
	store_close(reader);
	tree_free(dir);
}

/* Reads everything that a store offers.  A sanitizer or a fault tells where a wrong
 * number in its header led outside of the file. */
static void
use_all(const struct store *st)
{
	const struct store_shape *s = store_shape(st);
	const uint64_t *mark;
	volatile size_t sum = strlen(s->preamble) + strlen(store_notes(st));
	unsigned n = store_marks(st, &mark);
	int fd = open("/dev/null", O_WRONLY);

	while (n > 0)
		sum += mark[--n];
	for (unsigned i = 0; i < s->ncolumn; i++) {
		sum += column_text(&s->column[i].id, "", NULL, 0);
		assert_true(s->column[i].bits <= 64);
	}
	dump_write(st, fd, NULL);
	close(fd);
}

static void
damage_is_refused_or_does_no_harm(void **state)
{
	char *dir = tree_new(), path[512];
	struct store *st = rows_store(in_dir(dir, "s", path), 10);
	unsigned refused = 0, taken = 0;
	uint8_t *good;
	struct stat sb;
	size_t size, columns, names_at, rows;
	int fd;

	(void)state;
	for (uint64_t r = 0; r < 10; r++)
		rows_put(st, r);
	store_mark(st);
	store_note(st, "n = 1\n");
	store_close(st);
	fd = open(path, O_RDWR);
	assert_int_equal(fstat(fd, &sb), 0);
	size = (size_t)sb.st_size;
	good = malloc(size);
	assert_non_null(good);
	assert_int_equal(pread(fd, good, size, 0), size);
	/* the header has the offsets of the columns and of the names */
	memcpy(&columns, good + 56, 8);
	memcpy(&names_at, good + 72, 8);
	assert_true(columns > 1 << 19 && names_at > columns && names_at < size);
	for (size_t at = 0; at < names_at; at +=
	    at == 4096 ? columns - 4096 : 4)
		for (int k = 0; k < 11; k++) {
			uint64_t value;
			size_t n = k % 2 ? 8 : 4;

			memcpy(&value, good + at, 8);
			value = k / 2 == 0 ? 0 : k / 2 == 1 ? ~0ull :
			    k / 2 == 2 ? value + 1 : k / 2 == 3 ? value - 1 :
			    k / 2 == 4 ? 0x8000000000000000 | value :
			    value ^ 0x10000;
			assert_int_equal(pwrite(fd, &value, n, (off_t)at), n);
			if (store_open(&st, path, NULL) == 0) {
				taken++;
				use_all(st);
				store_close(st);
			} else
				refused++;
			assert_int_equal(pwrite(fd, good + at, 8, (off_t)at),
			    8);
		}
	assert_true(refused > 100);
	/* from the magic to the count of marks, each field by itself; the
	 * 15th counts missed deadlines and can be anything */
	for (size_t at = 0; at <= 120; at += 8) {
		uint64_t huge = ~0ull >> 1;

		if (at == 112)
			continue;
		assert_int_equal(pwrite(fd, &huge, 8, (off_t)at), 8);
		if (store_open(&st, path, NULL) == 0)
			fail_msg("field at %zu can be anything", at);
		assert_int_equal(pwrite(fd, good + at, 8, (off_t)at), 8);
	}
	/* cut short before the rows: none; among them: those that are whole */
	memcpy(&rows, good + 88, 8);
	assert_true(rows > names_at && rows + 10 * ROWS_CELLS * 8 == size);
	for (size_t n = 0; n < size; n += n < 4096 ? 97 :
	    n < rows - 40961 ? 40961 : 1) {
		assert_int_equal(ftruncate(fd, (off_t)n), 0);
		if (n < rows) {
			assert_true(store_open(&st, path, NULL) < 0);
		} else {
			assert_int_equal(store_open(&st, path, NULL), 0);
			assert_int_equal(store_rows(st), (n - rows) / 8 /
			    ROWS_CELLS);
			assert_int_equal(store_cut(st), 10 - store_rows(st));
			use_all(st);
			store_close(st);
		}
		assert_int_equal(pwrite(fd, good, size, 0), size);
	}
	assert_int_equal(store_open(&st, path, NULL), 0);
	use_all(st);
	store_close(st);
	close(fd);
	free(good);
	tree_free(dir);
}

static void
notes_and_marks_stand_at_the_head_of_the_dump(void **state)
{
	char *dir = tree_new(), path[512], *text;
	struct store *st = rows_store(in_dir(dir, "s", path), 10);

	(void)state;
	rows_put(st, 0);
	assert_int_equal(store_mark(st), 0);
	assert_int_equal(store_note(st, "tamper_first = {}\n"), 0);
	assert_int_equal(store_note(st, "tamper_first[0] = 3\n"), 0);
	store_missed(st, 7);
	rows_put(st, 1);
	rows_put(st, 2);
	assert_int_equal(store_mark(st), 0);
	text = rows_dump_text(st);
	assert_non_null(strstr(text, "host = \"h\"\nsamples = 3\n"
	    "missed_deadlines = 7\ntsc_hz = 2000000000\n"
	    "tamper_first = {}\ntamper_first[0] = 3\n"
	    "phase_mark = {}\nphase_mark[0] = 1\nphase_mark[1] = 3\n"));
	assert_non_null(strstr(text, "\na[1][\"X\"][2] = 8\n"));
	assert_non_null(strstr(text, "\nt[0][2] = 40\n"));
	assert_null(strstr(text, "notes_lost"));
	free(text);
	store_close(st);
	tree_free(dir);
}

static void
numbers_of_every_length_are_printed_to_the_digit(void **state)
{
	static const struct { uint64_t raw; const char *text; } rows[] = {
		{ 0, "0" }, { 9, "9" }, { 10, "10" }, { 99, "99" },
		{ 100, "100" }, { 1000, "1000" }, { 9999, "9999" },
		{ 10000, "10000" }, { 99999, "99999" }, { 123456, "123456" },
		{ 1000000, "1000000" }, { 99999999, "99999999" },
		{ 100000000, "100000000" }, { 100000001, "100000001" },
		{ 4294967296, "4294967296" },
		{ 281474976710655, "281474976710655" },
		{ 9999999999999999, "9999999999999999" },
		{ 10000000000000000, "10000000000000000" },
		{ 10000000100000000, "10000000100000000" },
		{ 18446744073709551614u, "18446744073709551614" },
	};
	enum { N = sizeof(rows) / sizeof(rows[0]) };
	char *dir = tree_new(), path[512], want[64], *text;
	struct store *st = rows_store(in_dir(dir, "s", path), N + 100000);

	(void)state;
	for (unsigned i = 0; i < N; i++) {
		store_row(st)[3] = rows[i].raw;
		store_commit(st);
	}
	text = rows_dump_text(st);
	for (unsigned i = 0; i < N; i++) {
		snprintf(want, sizeof(want), "\na[0][\"X\"][%u] = %s\n", i,
		    rows[i].text);
		if (strstr(text, want) == NULL)
			fail_msg("%s is not there", want);
	}
	free(text);
	store_close(st);
	tree_free(dir);
}

static void
the_rate_of_the_tsc_is_not_by_a_clock_that_somebody_sets(void **state)
{
	static struct column column = { .name = "tsc", .bits = 64 };
	struct store_shape shape = { .column = &column, .ncolumn = 1,
	    .ncell = 4, .capacity = 2, .preamble = "", .cell_real_sec = 1,
	    .cell_real_usec = 2, .cell_mono = 3 };
	char *dir = tree_new(), path[512], *text;
	struct store *st;
	struct diag why;

	(void)state;
	columns_named(&column, 1);
	assert_int_equal(store_create(&st, in_dir(dir, "s", path), &shape,
	    &why), 0);
	for (uint64_t r = 0; r < 2; r++) {
		uint64_t *row = store_row(st);

		row[0] = 1000 + r * 2100000000;
		row[1] = 1700000000 + r * 3601;         /* an hour ahead */
		row[2] = 0;
		row[3] = 77 + r * 1000000000;
		store_commit(st);
	}
	text = rows_dump_text(st);
	assert_non_null(strstr(text, "tsc_hz = 2100000000\n"));
	free(text);
	store_close(st);
	tree_free(dir);
}

static void
a_wall_clock_that_is_set_does_not_spoil_the_tsc_frequency(void **state)
{
	(void)state;
	for (int step = -3600; step <= 3600; step += 7200) {
		char *dir = tree_new(), path[512], *text;
		struct store *st = rows_store(in_dir(dir, "s", path), 10);

		for (uint64_t r = 0; r < 10; r++) {
			rows_put_stepped(st, r, r >= 6 ? step : 0);
		}
		text = rows_dump_text(st);
		assert_non_null(strstr(text, "tsc_hz = 2000000000\n"));
		free(text);
		store_close(st);
		tree_free(dir);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_row_is_seen_once_it_is_committed_and_not_before),
		cmocka_unit_test(
		    a_scaled_count_is_there_where_its_group_took_turns),
		cmocka_unit_test(
		    a_core_temperature_that_is_not_valid_is_not_there),
		cmocka_unit_test(
		    a_reader_never_sees_a_row_or_a_note_by_halves),
		cmocka_unit_test(
		    a_store_that_is_cut_while_it_is_read_is_an_error_and_no_signal),
		cmocka_unit_test(damage_is_refused_or_does_no_harm),
		cmocka_unit_test(
		    notes_and_marks_stand_at_the_head_of_the_dump),
		cmocka_unit_test(
		    numbers_of_every_length_are_printed_to_the_digit),
		cmocka_unit_test(
		    the_rate_of_the_tsc_is_not_by_a_clock_that_somebody_sets),
		cmocka_unit_test(
		    a_wall_clock_that_is_set_does_not_spoil_the_tsc_frequency),
	};

	return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
