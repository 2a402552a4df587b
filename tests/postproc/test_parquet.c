/*
 * tests/postproc/test_parquet.c - the Parquet files of tally, read by a reader of the tests'
 * own (tests/lib/parquet_file.h), which checks all that the format says of them.
 */
#include "tests/lib/files.h"
#include "tests/lib/parquet_file.h"

#include <getopt.h>
#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/checksum.h"
#include "postproc/commands.h"
#include "postproc/out/parquet_int.h"
#include "postproc/out/parquet.h"

/* Three samples; two lprocs, one of which goes, and a counter that comes late. */
static const char small[] =
    "TSC_ratio = 20\nhost = \"n1.site\"\nlproc_core[0] = 3\n"
    "lproc_core[1] = 3\n"
    "mark_sample[0] = 1\nmark_time[0] = 100\nmark_text[0] = \"job=7 begin\"\n"
    "tsc[0] = 0\nwalltime[0][0] = 1532379481\nwalltime[1][0] = 75971\n"
    "pkg_temperature[0][0] = -2\naperf[0][0] = 10\naperf[1][0] = 100\n"
    "tsc[1] = 2000000000\nwalltime[0][1] = 1532379482\nwalltime[1][1] = 75971\n"
    "pkg_temperature[0][1] = -3\naperf[0][1] = 15\naperf[1][1] = 300\n"
    "cha_counts[0][7][\"A,\\\"B\"][1] = 5\n"
    "tsc[2] = 4000000000\nwalltime[0][2] = 1532379483\nwalltime[1][2] = 75971\n"
    "pkg_temperature[0][2] = 31\naperf[0][2] = 1000000015\n"
    "cha_counts[0][7][\"A,\\\"B\"][2] = 12\n";

/* A command's status; its words are the test's own affair. */
static int
command(int (*cmd)(int, char **), const char *a, const char *b,
    const char *output, const char *input)
{
	char *argv[] = { (char *)"command", (char *)"--overwrite",
	    (char *)"-o", (char *)output, (char *)a, (char *)b,
	    (char *)input, NULL };

	if (b == NULL) {
		argv[5] = argv[6];
		argv[6] = NULL;
	}
	optind = 0;
	return cmd(b == NULL ? 6 : 7, argv);
}

static void
read_file(struct pq_file *f, const char *path)
{
	size_t n;
	char *data = file_text(path, &n);

	if (!pq_read(f, (const uint8_t *)data, n))
		fail_msg("%s: %s", path, f->wrong);
	free(data);
}

static void
converted(struct pq_file *f, const char *how, const char *input)
{
	char out[256];

	snprintf(out, sizeof(out), "%s/out.parquet", test_dir);
	assert_int_equal(command(cmd_convert, how, NULL, out, input), EXIT_OK);
	read_file(f, out);
}

static const struct pq_cell *
cell(const struct pq_file *f, const char *column, uint64_t row)
{
	const struct pq_column *c = pq_find(f, column);

	if (c == NULL)
		fail_msg("no column %s", column);
	assert_in_range(row, 0, f->rows - 1);
	return &c->cell[row];
}

static void
is_number(const struct pq_file *f, const char *column, uint64_t row, int64_t n)
{
	const struct pq_cell *c = cell(f, column, row);

	if (!c->there || (int64_t)c->bits != n)
		fail_msg("%s of row %" PRIu64 ": %s%" PRId64, column, row,
		    c->there ? "" : "null ", (int64_t)c->bits);
}

static void
is_real(const struct pq_file *f, const char *column, uint64_t row, double v)
{
	const struct pq_cell *c = cell(f, column, row);
	double d;

	memcpy(&d, &c->bits, sizeof(d));
	assert_true(c->there && d == v);
}

static void
is_text(const struct pq_file *f, const char *column, uint64_t row,
    const char *text)
{
	const struct pq_cell *c = cell(f, column, row);

	assert_true(c->there);
	assert_string_equal(c->text, text);
}

/* ---- encodings ----------------------------------------------------------- */

static void
deltas_are_packed_as_the_format_s_own_example(void **state)
{
	static const uint64_t value[] = { 7, 5, 3, 1, 2, 3, 4, 5 };
	struct octets o = { .n = 0 };

	(void)state;
	encode_delta(&o, value, 8);
	assert_int_equal(o.n, 18);
	assert_memory_equal(o.data, "\x80\x01\x04\x08\x0e\x03\x02\0\0\0"
	    "\xc0\x3f\0\0\0\0\0\0", 18);
	octets_fini(&o);
}

static void
runs_and_packed_groups_take_turns(void **state)
{
	struct hybrid h = { .nrun = 0 };
	struct octets o = { .n = 0 };

	(void)state;
	for (unsigned i = 0; i < 8; i++)        /* the format's own example */
		assert_true(hybrid_add(&h, i, 1));
	assert_true(hybrid_add(&h, 4, 40) && hybrid_add(&h, 4, 60));
	for (unsigned i = 0; i < 8; i++)
		assert_true(hybrid_add(&h, i % 2, 1));
	hybrid_put(&h, &o, 3);
	/* one group of 8; 100 times 4; one group of 0 1 0 1 ... */
	assert_int_equal(o.n, 4 + 3 + 4);
	assert_memory_equal(o.data, "\x03\x88\xc6\xfa\xc8\x01\x04"
	    "\x03\x08\x82\x20", 11);
	octets_fini(&o);
	hybrid_fini(&h);
}

static void
an_only_run_is_one_however_short(void **state)
{
	struct hybrid h = { .nrun = 0 };
	struct octets o = { .n = 0 };

	(void)state;
	assert_true(hybrid_add(&h, 300, 3));
	hybrid_put(&h, &o, 9);
	assert_int_equal(o.n, 3);
	assert_memory_equal(o.data, "\x06\x2c\x01", 3);
	octets_fini(&o);
	hybrid_fini(&h);
}

static void
the_crc_is_that_of_gzip(void **state)
{
	(void)state;
	assert_int_equal(crc_of("123456789", 9),
	    0xcbf43926);
	assert_int_equal(crc_of("The quick brown fox "
	    "jumps over the lazy dog", 43), 0x414fa339);
}

/* ---- both shapes --------------------------------------------------------- */

static void
wide_is_a_row_an_interval_and_a_column_a_counter(void **state)
{
	struct pq_file f;

	(void)state;
	converted(&f, "--parquet", test_put("small.lua", small));
	assert_int_equal(f.rows, 2);
	is_number(&f, "time", 0, 1532379482075971);
	assert_int_equal(pq_find(&f, "time")->converted, 10);
	is_text(&f, "host", 1, "n1");
	is_text(&f, "job", 0, "7");
	is_number(&f, "sample", 1, 2);
	is_real(&f, "seconds", 1, 1);
	is_number(&f, "tsc", 0, 2000000000);
	is_number(&f, "aperf[0]", 0, 5);
	is_number(&f, "aperf[0]", 1, 1000000000);
	is_number(&f, "aperf[1]", 0, 200);
	assert_false(cell(&f, "aperf[1]", 1)->there);
	is_number(&f, "pkg_temperature[0]", 0, -3);
	is_number(&f, "pkg_temperature[0]", 1, 31);
	assert_false(cell(&f, "cha_counts[0][7][\"A,\\\"B\"]", 0)->there);
	is_number(&f, "cha_counts[0][7][\"A,\\\"B\"]", 1, 7);
	assert_string_equal(pq_value(&f, "tally.rows"), "wide");
	assert_string_equal(pq_value(&f, "TSC_ratio"), "20");
	assert_string_equal(pq_value(&f, "lproc_core[0-1]"), "3");
	assert_non_null(strstr(pq_value(&f, "tally.units"), "aperf=cycles\n"));
	pq_free(&f);
}

/* The row of a value. */
static uint64_t
row_of(const struct pq_file *f, uint64_t sample, const char *family, int lproc)
{
	for (uint64_t i = 0; i < f->rows; i++)
		if (cell(f, "sample", i)->bits == sample &&
		    strcmp(cell(f, "family", i)->text, family) == 0 &&
		    (lproc < 0 || (cell(f, "lproc", i)->there &&
		    cell(f, "lproc", i)->bits == (uint64_t)lproc)))
			return i;
	fail_msg("no row of %s", family);
	return 0;
}

static void
long_is_a_row_a_value(void **state)
{
	struct pq_file f;
	uint64_t i;

	(void)state;
	converted(&f, "--parquet-long", test_put("small.lua", small));
	assert_int_equal(f.rows, 2 * 7);
	is_number(&f, "value", i = row_of(&f, 1, "aperf", 1), 200);
	is_text(&f, "kind", i, "good");
	is_text(&f, "unit", i, "cycles");
	is_text(&f, "host", i, "n1");
	is_text(&f, "job", i, "7");
	is_number(&f, "time", i, 1532379482075971);
	is_real(&f, "seconds", i, 1);
	is_real(&f, "share", i, 1);
	assert_false(cell(&f, "package", i)->there);
	i = row_of(&f, 2, "aperf", 1);
	assert_false(cell(&f, "value", i)->there);
	is_text(&f, "kind", i, "absent");
	i = row_of(&f, 2, "pkg_temperature", -1);
	is_number(&f, "value", i, 31);
	is_text(&f, "kind", i, "reading");
	is_number(&f, "package", i, 0);
	i = row_of(&f, 2, "cha_counts", -1);
	is_number(&f, "value", i, 7);
	is_text(&f, "event", i, "A,\"B");
	is_number(&f, "package", i, 0);
	is_number(&f, "box", i, 7);
	assert_string_equal(pq_value(&f, "tally.rows"), "long");
	pq_free(&f);
}

/* A row group ends there; large has what is no int64_t, and value the rest. */
static void
columns_that_come_late_and_large_readings_are_all_there(void **state)
{
	struct pq_file f;

	(void)state;
	converted(&f, "--parquet-long", test_put("late.lua",
	    "TSC_ratio = 20\ntsc[0] = 0\naperf[0][0] = 10\n"
	    "tsc[1] = 2000000000\naperf[0][1] = 15\n"
	    "tsc[2] = 4000000000\naperf[0][2] = 25\naperf[1][2] = 7\n"
	    "pkg_therm_status[0][2] = 9223372036854775813\n"
	    "tsc[3] = 6000000000\naperf[0][3] = 26\naperf[1][3] = 9\n"
	    "pkg_therm_status[0][3] = 12\n"));
	assert_int_equal(f.rows, 2 + 4 + 4);
	is_number(&f, "value", row_of(&f, 1, "aperf", 0), 5);
	is_number(&f, "value", row_of(&f, 2, "aperf", 0), 10);
	is_number(&f, "value", row_of(&f, 3, "aperf", 0), 1);
	is_number(&f, "value", row_of(&f, 3, "aperf", 1), 2);
	is_text(&f, "kind", row_of(&f, 2, "aperf", 1), "absent");
	is_number(&f, "large", row_of(&f, 2, "pkg_therm_status", -1),
	    INT64_MIN + 5);
	assert_false(cell(&f, "value", row_of(&f, 2, "pkg_therm_status",
	    -1))->there);
	is_number(&f, "value", row_of(&f, 3, "pkg_therm_status", -1), 12);
	assert_false(cell(&f, "large", row_of(&f, 3, "pkg_therm_status",
	    -1))->there);
	pq_free(&f);
}

static void
a_folder_is_parted_by_day_and_node(void **state)
{
	char out[256], path[400];
	struct pq_file f;

	(void)state;
	snprintf(out, sizeof(out), "%s/lake/", test_dir);
	assert_int_equal(command(cmd_convert, "--parquet-long", NULL, out,
	    test_put("night.run.lua", "host = \"a b/..\"\nTSC_ratio = 20\n"
	    "tsc[0] = 0\nwalltime[0][0] = 1532390398\nwalltime[1][0] = 0\n"
	    "tsc[1] = 2000000000\nwalltime[0][1] = 1532390399\n"
	    "walltime[1][1] = 0\n"
	    "tsc[2] = 4000000000\nwalltime[0][2] = 1532390400\n"
	    "walltime[1][2] = 0\n")), EXIT_OK);
	snprintf(path, sizeof(path), "%sdate=2018-07-23/host=a%%20b%%2F/"
	    "night.run.parquet", out);
	read_file(&f, path);
	assert_int_equal(f.rows, 3);
	is_number(&f, "sample", 0, 1);
	pq_free(&f);
	snprintf(path, sizeof(path), "%sdate=2018-07-24/host=a%%20b%%2F/"
	    "night.run.parquet", out);
	read_file(&f, path);
	is_number(&f, "sample", 0, 2);
	pq_free(&f);
}

/* ---- all of the recording ------------------------------------------------ */

/* A field of a line of CSV, without its quotes; the rest of the line. */
static char *
field(char *p, char *to)
{
	bool quoted = *p == '"';

	for (p += quoted; quoted ? *p != '"' || p[1] == '"' :
	    *p != ',' && *p != '\r'; p++) {
		p += quoted && *p == '"';
		*to++ = *p;
	}
	*to = '\0';
	return p + quoted + 1;
}

/* What tally deltas has of a column and a sample, and how many there are. */
struct csv {
	char *text, *at;
	char cell[9][256];
};

static bool
csv_next(struct csv *c)
{
	char *p = c->at;

	if (*p == '\0')
		return false;
	for (unsigned i = 0; i < 9; i++)
		p = field(p, c->cell[i]);
	c->at = strchr(p - 1, '\n') + 1;
	return true;
}

static void
deltas_of(struct csv *c, const char *input)
{
	char out[256];

	snprintf(out, sizeof(out), "%s/deltas.csv", test_dir);
	assert_int_equal(command(cmd_deltas, "-fcsv", NULL, out, input),
	    EXIT_OK);
	c->text = file_text(out, NULL);
	c->at = strchr(c->text, '\n') + 1;
}

static bool
doubted(const char *kind)
{
	return strcmp(kind, "foreign") == 0 || strcmp(kind, "stopped") == 0 ||
	    strcmp(kind, "beyond") == 0;
}

static void
is_delta(const struct pq_cell *c, struct csv *csv)
{
	bool none = csv->cell[5][0] == '\0' || doubted(csv->cell[7]);

	if (c->there == none || (!none &&
	    c->bits != strtoull(csv->cell[5], NULL, 10)))
		fail_msg("%s of sample %s is %s, not %" PRIu64, csv->cell[4],
		    csv->cell[1], csv->cell[5], c->bits);
}

static void
wide_has_all_deltas_of_the_recording(void **state)
{
	char path[512];
	struct pq_file f;
	struct csv csv;
	unsigned n = 0;

	(void)state;
	converted(&f, "--parquet", recording(path));
	deltas_of(&csv, path);
	for (; csv_next(&csv); n++)
		is_delta(cell(&f, csv.cell[4], strtoull(csv.cell[1], NULL,
		    10) - 1), &csv);
	assert_int_equal(n, 29 * (1191 - 10));
	free(csv.text);
	pq_free(&f);
}

/* Its name, of what its row says. */
static void
name_of(const struct pq_file *f, uint64_t row, char name[300])
{
	int n = sprintf(name, "%s", cell(f, "family", row)->text);
	static const char *const index[] = { "package", "box", "lproc" };

	for (unsigned i = 0; i < 3; i++)
		if (cell(f, index[i], row)->there)
			n += sprintf(name + n, "[%" PRIu64 "]",
			    cell(f, index[i], row)->bits);
	if (cell(f, "event", row)->there)
		sprintf(name + n, "[\"%s\"]", cell(f, "event", row)->text);
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
long_has_all_deltas_of_the_recording(void **state)
{
	char path[512], name[600], *key, **line, **found;
	struct pq_file f;
	struct csv csv;
	size_t n = 0;

	(void)state;
	converted(&f, "--parquet-long", recording(path));
	assert_int_equal(f.rows, 29 * 1191);
	line = calloc(f.rows, sizeof(*line));
	for (uint64_t i = 0; i < f.rows; i++) {
		name_of(&f, i, name);
		assert_int_not_equal(asprintf(&line[i], "%s %" PRIu64 "=%"
		    PRIu64, name, cell(&f, "sample", i)->bits, i), -1);
		*strrchr(line[i], '=') = '\0';
	}
	qsort(line, f.rows, sizeof(*line), by_name);
	for (deltas_of(&csv, path); csv_next(&csv); n++) {
		uint64_t row;

		snprintf(name, sizeof(name), "%s %s", csv.cell[4],
		    csv.cell[1]);
		key = name;
		found = bsearch(&key, line, f.rows, sizeof(*line), by_name);
		assert_non_null(found);
		row = strtoull(*found + strlen(*found) + 1, NULL, 10);
		is_delta(cell(&f, "value", row), &csv);
		is_text(&f, "kind", row, csv.cell[7]);
		is_text(&f, "unit", row, csv.cell[6]);
	}
	assert_int_equal(n, 29 * (1191 - 10));
	for (uint64_t i = 0; i < f.rows; i++)
		free(line[i]);
	free(line);
	free(csv.text);
	pq_free(&f);
}

static void
long_takes_less_than_three_bytes_a_value_of_the_recording(void **state)
{
	char path[512], out[256], *data;
	size_t n;

	(void)state;
	snprintf(out, sizeof(out), "%s/size.parquet", test_dir);
	assert_int_equal(command(cmd_convert, "--parquet-long", NULL, out,
	    recording(path)), EXIT_OK);
	data = file_text(out, &n);
	assert_in_range(n, 1, 3 * 30 * 1191);
	free(data);
}

static void
metrics_are_the_numbers_that_csv_has(void **state)
{
	static const char *const text[] = { "node", "metric", "scope", "where",
	    "unit", "note" };
	static const unsigned at[] = { 0, 4, 5, 6, 8, 10 };
	char path[512], out[256], value[11][256], *csv, *p;
	struct pq_file f;
	uint64_t row = 0;

	(void)state;
	recording(path);
	snprintf(out, sizeof(out), "%s/metrics", test_dir);
	assert_int_equal(command(cmd_metrics, "-e", "-fcsv", out, path),
	    EXIT_OK);
	csv = file_text(out, NULL);
	assert_int_equal(command(cmd_metrics, "-e", "-fparquet", out, path),
	    EXIT_OK);
	read_file(&f, out);
	is_number(&f, "time", 0, 1532379482105437);
	assert_string_equal(pq_value(&f, "TSC_ratio"), "21");
	assert_non_null(strstr(pq_value(&f, "tally.column_units"), "at=s\n"));
	for (p = strchr(csv, '\n') + 1; *p != '\0'; row++) {
		const struct pq_cell *c = cell(&f, "value", row);
		double v;

		for (unsigned i = 0; i < 11; i++)
			p = field(p, value[i]);
		p = strchr(p - 1, '\n') + 1;
		for (unsigned i = 0; i < 6; i++)
			is_text(&f, text[i], row, value[at[i]]);
		assert_true(cell(&f, "sample", row)->there ==
		    (value[1][0] != '\0'));
		if (value[1][0] != '\0') {
			is_number(&f, "sample", row, atoi(value[1]));
			is_real(&f, "at", row, atof(value[2]));
		}
		is_number(&f, "left_out", row, atoi(value[9]));
		memcpy(&v, &c->bits, sizeof(v));
		assert_true(c->there == (value[7][0] != '\0'));
		assert_true(!c->there || v == atof(value[7]));
	}
	assert_int_equal(row, f.rows);
	assert_true(row > 7000);
	free(csv);
	pq_free(&f);
}

/* ---- what is hostile ----------------------------------------------------- */

static void
a_count_from_2_to_the_63_on_makes_the_column_unsigned(void **state)
{
	char path[256];
	struct pq_file f;
	struct diag why;
	struct parquet *p;
	FILE *out;
	int a, b;

	(void)state;
	snprintf(path, sizeof(path), "%s/large.parquet", test_dir);
	assert_non_null(out = fopen(path, "w"));
	assert_non_null(p = parquet_new(out, 1 << 20));
	a = parquet_column(p, "a", PARQUET_COUNT);
	b = parquet_column(p, "b", PARQUET_COUNT);
	parquet_number(p, a, UINT64_MAX);
	parquet_number(p, b, INT64_MAX);
	parquet_row(p);
	parquet_group(p);
	parquet_number(p, a, 1);
	parquet_row(p);
	assert_int_equal(parquet_end(p, &why), 0);
	parquet_free(p);
	fclose(out);
	read_file(&f, path);
	assert_int_equal(pq_find(&f, "a")->converted, 14);
	assert_int_equal(pq_find(&f, "b")->converted, -1);
	is_number(&f, "a", 0, -1);
	is_number(&f, "b", 0, INT64_MAX);
	assert_false(cell(&f, "b", 1)->there);
	pq_free(&f);
}

/* Rows that come in one go: of three pages, of which the first ones are behind a
 * gap; in the second column the dictionary becomes full within them. */
static void
a_cell_may_be_of_many_rows(void **state)
{
	char path[256];
	struct pq_file f;
	struct diag why;
	struct parquet *p;
	FILE *out;
	int a, b, c;

	(void)state;
	snprintf(path, sizeof(path), "%s/same.parquet", test_dir);
	assert_non_null(out = fopen(path, "w"));
	assert_non_null(p = parquet_new(out, UINT64_MAX));
	a = parquet_column(p, "a", PARQUET_TEXT);
	b = parquet_column(p, "b", PARQUET_INT_FEW);
	c = parquet_column(p, "c", PARQUET_COUNT);
	for (unsigned i = 0; i < 32768; i++) {
		parquet_number(p, b, i);
		parquet_row(p);
	}
	parquet_same_text(p, a, "x", 40000);
	parquet_same_number(p, b, 99999, 40000);
	parquet_ahead(p, 5);
	parquet_same_number(p, c, 7, 39995);
	parquet_rows(p, 40000);
	assert_int_equal(parquet_end(p, &why), 0);
	parquet_free(p);
	fclose(out);
	read_file(&f, path);
	assert_int_equal(f.rows, 72768);
	assert_false(cell(&f, "a", 32767)->there);
	assert_false(cell(&f, "c", 32772)->there);
	is_number(&f, "b", 32767, 32767);
	for (unsigned i = 32768; i < 72768; i++) {
		is_text(&f, "a", i, "x");
		is_number(&f, "b", i, 99999);
		if (i >= 32773)
			is_number(&f, "c", i, 7);
	}
	pq_free(&f);
}

static void
names_are_utf8_and_no_two_are_one(void **state)
{
	struct pq_file f;

	(void)state;
	converted(&f, "--parquet", test_put("names.lua",
	    "tsc[0] = 0\ntime[0] = 5\nTime[0] = 6\n\xe9t\xe9[0] = 1\n"
	    "x[\"\xc3\xa9\"][0] = 1\nx[\"\xe9\"][0] = 1\n"
	    "tsc[1] = 9\ntime[1] = 7\nTime[1] = 8\n\xe9t\xe9[1] = 2\n"
	    "x[\"\xc3\xa9\"][1] = 4\nx[\"\xe9\"][1] = 5\n"));
	assert_non_null(pq_find(&f, "time.2"));
	assert_non_null(pq_find(&f, "Time.3"));
	for (unsigned i = 0; i < f.ncolumn; i++)
		for (unsigned k = 0; k < i; k++)
			assert_string_not_equal(f.column[i].name,
			    f.column[k].name);
	pq_free(&f);
}

static void
of_one_sample_there_are_no_rows(void **state)
{
	struct pq_file f;

	(void)state;
	converted(&f, "--parquet", test_put("one.lua", "tsc[0] = 0\n"));
	assert_int_equal(f.rows, 0);
	assert_int_equal(f.ngroup, 0);
	pq_free(&f);
	converted(&f, "--parquet-long", test_put("one.lua", "tsc[0] = 0\n"));
	assert_int_equal(f.rows, 0);
	pq_free(&f);
}

static void
a_full_disk_is_an_error(void **state)
{
	(void)state;
	assert_int_equal(command(cmd_convert, "--parquet", NULL, "/dev/full",
	    test_put("small.lua", small)), EXIT_UNUSABLE);
	assert_int_equal(command(cmd_convert, "--parquet-long", NULL,
	    "/dev/full", test_put("small.lua", small)), EXIT_UNUSABLE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(deltas_are_packed_as_the_format_s_own_example),
		cmocka_unit_test(runs_and_packed_groups_take_turns),
		cmocka_unit_test(an_only_run_is_one_however_short),
		cmocka_unit_test(the_crc_is_that_of_gzip),
		cmocka_unit_test(
		    wide_is_a_row_an_interval_and_a_column_a_counter),
		cmocka_unit_test(long_is_a_row_a_value),
		cmocka_unit_test(
		    columns_that_come_late_and_large_readings_are_all_there),
		cmocka_unit_test(a_folder_is_parted_by_day_and_node),
		cmocka_unit_test(wide_has_all_deltas_of_the_recording),
		cmocka_unit_test(long_has_all_deltas_of_the_recording),
		cmocka_unit_test(
		    long_takes_less_than_three_bytes_a_value_of_the_recording),
		cmocka_unit_test(metrics_are_the_numbers_that_csv_has),
		cmocka_unit_test(
		    a_count_from_2_to_the_63_on_makes_the_column_unsigned),
		cmocka_unit_test(a_cell_may_be_of_many_rows),
		cmocka_unit_test(names_are_utf8_and_no_two_are_one),
		cmocka_unit_test(of_one_sample_there_are_no_rows),
		cmocka_unit_test(a_full_disk_is_an_error),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
