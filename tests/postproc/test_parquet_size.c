/*
 * tests/postproc/test_parquet_size.c - where the bytes of wide Parquet files are, by the
 * tests' own reader.
 */
#include "tests/lib/files.h"
#include "tests/lib/parquet_file.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "postproc/commands.h"
#include "postproc/out/parquet.h"

/* The file at a path; its size. */
static size_t
read_file(struct pq_file *f, const char *path)
{
	size_t n;
	char *data = file_text(path, &n);

	if (!pq_read(f, (const uint8_t *)data, n))
		fail_msg("%s: %s", path, f->wrong);
	free(data);
	return n;
}

/* What a column has of some kind of bytes, to the next whole one. */
static unsigned
each(const struct pq_file *f, uint64_t bytes)
{
	return (unsigned)((bytes + f->ncolumn - 1) / f->ncolumn);
}

/* 29 intervals, of which a third of the columns have no values in eleven.  Names
 * are there twice; a statistic is two bounds of 8 bytes, each with 2 before it,
 * and the nulls'; a page's head has a CRC; levels have a length of 4 bytes. */
static void
a_column_of_the_recording_has_no_byte_too_many(void **state)
{
	char path[512], out[256];
	char *argv[] = { (char *)"convert", (char *)"--parquet",
	    (char *)"--overwrite", (char *)"-o", out, path, NULL };
	const struct pq_bytes *b;
	struct pq_file f;
	size_t n;

	(void)state;
	recording(path);
	snprintf(out, sizeof(out), "%s/recording.parquet", test_dir);
	optind = 0;
	assert_int_equal(cmd_convert(6, argv), EXIT_OK);
	n = read_file(&f, out);
	b = &f.bytes;
	assert_int_equal(b->names + b->bounds + b->rest + b->page_heads +
	    b->levels + b->values, n);
	assert_int_equal(f.ncolumn, 1191 + 5);
	assert_int_equal(f.ngroup, 1);
	assert_int_equal(f.npage, 1191 + 5);
	assert_int_equal(b->names, 2 * 44199);
	assert_in_range(each(&f, b->bounds), 1, 23);
	assert_in_range(each(&f, b->rest), 1, 40);
	assert_in_range(each(&f, b->page_heads), 1, 25);
	assert_in_range(each(&f, b->levels), 1, 7);
	assert_in_range(each(&f, b->values), 1, 97);
	pq_free(&f);
}

/* Ten rows in pages of four: cell by cell, many at once, and by none at all. */
static void
pages_have_as_many_rows_as_they_are_told(void **state)
{
	static const uint64_t value[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
	static const bool none[10] = { false };
	char path[256];
	struct parquet *p;
	struct pq_file f;
	struct diag why;
	FILE *out;
	int a, b;

	(void)state;
	snprintf(path, sizeof(path), "%s/pages.parquet", test_dir);
	assert_non_null(out = fopen(path, "w"));
	assert_non_null(p = parquet_new(out, UINT64_MAX));
	parquet_pages(p, 4);
	a = parquet_column(p, "a", PARQUET_COUNT);
	b = parquet_column(p, "b", PARQUET_TEXT);
	parquet_column(p, "c", PARQUET_REAL);
	parquet_pages(p, 5);
	parquet_column(p, "d", PARQUET_INT_FEW);
	parquet_numbers(p, a, value, none, 1, 10);
	parquet_same_text(p, b, "x", 10);
	parquet_rows(p, 10);
	assert_int_equal(parquet_end(p, &why), 0);
	parquet_free(p);
	fclose(out);
	read_file(&f, path);
	assert_int_equal(f.rows, 10);
	assert_int_equal(f.npage, 3 + 3 + 3 + 2);
	for (unsigned i = 0; i < 10; i++) {
		assert_int_equal(pq_find(&f, "a")->cell[i].bits, i + 1);
		assert_string_equal(pq_find(&f, "b")->cell[i].text, "x");
		assert_false(pq_find(&f, "c")->cell[i].there);
	}
	pq_free(&f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_column_of_the_recording_has_no_byte_too_many),
		cmocka_unit_test(pages_have_as_many_rows_as_they_are_told),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
