/*
 * tests/postproc/pages/test_page_room.c - lines for all of which a page has no room: they
 * have a point for two buckets or more, and memory for no more, while the dump is read.
 */
#include "tests/lib/tally_command.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BOXES 1500

/* What box b counts in interval i, which is a second. */
static unsigned
counts(unsigned b, unsigned i)
{
	return 2 * (b + 1) * (i * i % 13);
}

/* Sample `without` has no value of box 5. */
static const char *
of_boxes(unsigned boxes, unsigned samples, unsigned without)
{
	static unsigned sum[MOST_BOXES];
	char *text, name[40];
	const char *path;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	memset(sum, 0, sizeof sum);
	fprintf(f, "host = \"n\"\nmodel = \"skx\"\nTSC_ratio = 10\n"
	    "packages = 1\n");
	for (unsigned k = 0; k < samples; k++) {
		fprintf(f, "tsc[%u] = %u000000000\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\n", k, 100 + k, k, 1000 + k, k);
		for (unsigned b = 0; b < boxes; b++) {
			sum[b] += k > 0 ? counts(b, k - 1) : 0;
			if (k != without || b != 5)
				fprintf(f, "imc_counts[0][%u][\"X\"][%u] = "
				    "%u\n", b, k, sum[b]);
		}
	}
	fclose(f);
	snprintf(name, sizeof name, "boxes-%u.lua", samples);
	path = test_put(name, text);
	free(text);
	return path;
}

/* The page and the rows of its lines. */
static char *
page_of(const char *dump, char *csv, size_t size)
{
	char words[600];

	snprintf(csv, size, "%s.csv", dump);
	snprintf(words, sizeof words, "page --only-lists -M %s --series %s %.*s",
	    test_put("x.metrics", "metric x box \"1/s\" \"\" = imc[\"X\"] / "
	    "time\n"), csv, (int)strlen(csv) - 4, csv);
	return said(EXIT_OK, cmd_page, words, NULL);
}

/* Looks at each point of each box but the one that lacks a value; returns how many there
 * are, of so many seconds each. */
static unsigned
has_means_of(const char *csv, unsigned seconds)
{
	char row[400], where[20];
	unsigned before, last, b, n = 0;
	double mean, least, most;
	FILE *f = fopen(csv, "r");

	assert_non_null(f);
	while (fgets(row, sizeof row, f) != NULL) {
		unsigned sum = 0, lo = UINT_MAX, hi = 0;

		if (sscanf(row, "n,%u,%u,%*[^,],%*[^,],x,box,%19[^,],%lf,%lf,"
		    "%lf", &before, &last, where, &mean, &least, &most) != 6)
			continue;
		assert_int_equal(sscanf(where, "0/%u", &b), 1);
		n++;
		if (b == 5)
			continue;
		assert_int_equal(last, before + seconds);
		for (unsigned i = before; i < last; i++) {
			unsigned x = counts(b, i);

			sum += x;
			lo = x < lo ? x : lo;
			hi = x > hi ? x : hi;
		}
		assert_float_equal(mean, sum / (double)seconds, mean * 1e-3);
		assert_float_equal(least, lo, mean * 1e-3);
		assert_float_equal(most, hi, mean * 1e-3);
	}
	fclose(f);
	return n;
}

/* Does the line of box 5 have this? */
static void
box_5_has(char *text, const char *what)
{
	char *line = strstr(text, "\"s\":\"box\",\"w\":\"0/5\""), *found;

	assert_non_null(line);
	found = strstr(line, what);
	assert_non_null(found);
	assert_true(found < strchr(line, '\n'));
	free(text);
}

static void
lines_without_room_have_points_of_two_buckets(void **state)
{
	char csv[300], *text = page_of(of_boxes(900, 331, 102), csv, sizeof csv);

	(void)state;
	assert_non_null(strstr(text, "\"coarse\":{\"box\":1,"));
	/* of two points, one bucket lacks a value */
	box_5_has(text, ",\"d\":[101,102],");
	assert_int_equal(has_means_of(csv, 2), 900 * 165);
}

/* With sample 500 buckets are joined, when cells are of four of them already: from then on
 * these are of two, of two seconds each. */
static void
buckets_are_joined_while_cells_are(void **state)
{
	char csv[300], *text = page_of(of_boxes(1500, 521, 101), csv,
	    sizeof csv);

	(void)state;
	assert_non_null(strstr(text, "\"coarse\":{\"box\":1,"));
	box_5_has(text, ",\"d\":[50,50],");
	assert_int_equal(has_means_of(csv, 4), 1500 * 130);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_without_room_have_points_of_two_buckets),
		cmocka_unit_test(buckets_are_joined_while_cells_are),
	};

	return cmocka_run_group_tests_name("page_room", tests, test_dir_new,
	    test_dir_free);
}
