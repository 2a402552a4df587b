/*
 * tests/test_growth.c - four times as much input is four times the work, and
 * more than a node can have is refused.
 *
 * Work is CPU time, the least of three tries; what grows with the square would
 * be sixteen times as much.
 */
#include "tests/test.h"

#include "config/lang/events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TIMES 9                 /* as much, for four times the input, at most */
#define SLACK 0.002             /* s */

struct input {
	int line;
	unsigned n;             /* lines of the smaller one */
	/* line i: a format of i, or of i and i + 1; head and tail around all */
	const char *head, *each, *tail;
	int (*take)(const char *text, size_t size);
};

static char *
text_of(const struct input *in, unsigned n, size_t *size)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, size);

	assert_non_null(f);
	fputs(in->head, f);
	for (unsigned i = 0; i < n; i++)
		fprintf(f, in->each, i, i + 1, n - 1);
	fputs(in->tail, f);
	assert_int_equal(fclose(f), 0);
	return text;
}

static double
cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double
work(const struct input *in, unsigned n)
{
	double least = 1e9, t;
	size_t size;
	char *text = text_of(in, n, &size);

	for (int i = 0; i < 3; i++) {
		t = cpu_seconds();
		if (in->take(text, size) < 0)
			fail_msg("line %d: refused", in->line);
		t = cpu_seconds() - t;
		least = t < least ? t : least;
	}
	free(text);
	return least;
}

static void
each_grows_as_it_should(const struct input *in, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double few = work(&in[i], in[i].n);
		double many = work(&in[i], in[i].n * 4);

		if (many > few * TIMES + SLACK)
			fail_msg("line %d: %.1f ms, and %.1f ms for four times "
			    "as much", in[i].line, few * 1e3, many * 1e3);
	}
}
#define EACH_GROWS(in) each_grows_as_it_should(in, sizeof(in) / sizeof(in[0]))

/* ---- the configuration language --------------------------------------- */

static int
configure(const char *text, size_t size, bool perf)
{
	struct config cfg;
	struct diag why;
	int rc;

	assert_int_equal(config_init(&cfg, model_named("skx")), 0);
	cfg.perf = perf;
	rc = config_parse(&cfg, "test.conf", text, size, &why);
	if (rc == 0)
		rc = config_alone(&cfg, &why);
	config_fini(&cfg);
	return rc;
}

static int
configure_raw(const char *text, size_t size)
{
	return configure(text, size, false);
}

static int
configure_perf(const char *text, size_t size)
{
	return configure(text, size, true);
}

static void
a_configuration_takes_time_by_its_length(void **state)
{
	static const struct input inputs[] = {
		{ __LINE__, 10000, "", "event cpu-clock@%u\n", "",
		    configure_perf },
		{ __LINE__, 10000, "event cpu-clock@x", ",cpu-clock@%u", "\n",
		    configure_perf },
		{ __LINE__, 10000, "", "cha E%u event=0x35\n", "",
		    configure_raw },
		{ __LINE__, 10000, "", "set s%u\ncha E event=0x35\n", "",
		    configure_raw },
		{ __LINE__, 2000, "", "core[%u] E event=0xc0\n", "",
		    configure_raw },
		{ __LINE__, 20000, "", "read aperf\ncore fixed\n", "",
		    configure_raw },
		{ __LINE__, 10000, "", "cha filter1=0x3b\n", "",
		    configure_raw },
		/* a filter that it has by default, which others give way to */
		{ __LINE__, 5000, "cha filter0=0\n",
		    "cha E%u event=0x34,umask=0x3\n", "", configure_raw },
	};

	(void)state;
	EACH_GROWS(inputs);
}

/* 45 bytes, and 1.1 GB once. */
static void
lprocs_each_by_itself_take_memory_by_their_number(void **state)
{
	static const struct input inputs[] = {
		{ __LINE__, 1, "cores [0-1999]\nevent cpu-clock\n", "", "",
		    configure_perf },
		{ __LINE__, 1, "cores [0-7999]\nevent cpu-clock\n", "", "",
		    configure_perf },
	};
	double few, many;

	(void)state;
	few = work(&inputs[0], 1);
	many = work(&inputs[1], 1);
	assert_true(many < few * TIMES + SLACK);
}

static void
more_than_can_be_counted_is_refused(void **state)
{
	static const struct input in = { __LINE__, 0, "", "event cpu-clock@%u\n",
	    "", configure_perf };
	struct config cfg;
	struct diag why;
	size_t size;
	char *text = text_of(&in, 65537, &size);

	(void)state;
	assert_int_equal(config_init(&cfg, model_named("skx")), 0);
	assert_true(config_parse(&cfg, "test.conf", text, size, &why) < 0);
	assert_string_equal(why.text, "test.conf:65537: more than 65536 "
	    "statements and lprocs to count them on; no node has counters for "
	    "them");
	config_fini(&cfg);
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_configuration_takes_time_by_its_length),
		cmocka_unit_test(
		    lprocs_each_by_itself_take_memory_by_their_number),
		cmocka_unit_test(more_than_can_be_counted_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
