/*
 * tests/config/test_growth.c - a configuration and a dump take time by their length, and
 * more than a node can have is refused.
 */
#include "tests/lib/growth.h"

#include "config/dump/read.h"
#include "config/lang/events.h"

#include <stdlib.h>

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
	static const struct growth inputs[] = {
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
	growth_check(inputs, sizeof(inputs) / sizeof(inputs[0]));
}

/* 45 bytes, and 1.1 GB once. */
static void
lprocs_each_by_itself_take_memory_by_their_number(void **state)
{
	static const struct growth inputs[] = {
		{ __LINE__, 1, "cores [0-1999]\nevent cpu-clock\n", "", "",
		    configure_perf },
		{ __LINE__, 1, "cores [0-7999]\nevent cpu-clock\n", "", "",
		    configure_perf },
	};
	double few, many;

	(void)state;
	few = growth_work(&inputs[0], 1);
	many = growth_work(&inputs[1], 1);
	growth_linear(__LINE__, few, many);
}

static void
more_than_can_be_counted_is_refused(void **state)
{
	static const struct growth in = { __LINE__, 0, "", "event cpu-clock@%u\n",
	    "", configure_perf };
	struct config cfg;
	struct diag why;
	size_t size;
	char *text = growth_text(&in, 65537, &size);

	(void)state;
	assert_int_equal(config_init(&cfg, model_named("skx")), 0);
	assert_true(config_parse(&cfg, "test.conf", text, size, &why) < 0);
	assert_string_equal(why.text, "test.conf:65537: more than 65536 "
	    "statements and lprocs to count them on; no node has counters for "
	    "them");
	config_fini(&cfg);
	free(text);
}

/* ---- dumps -------------------------------------------------------------- */

static int
read_dump(const char *text, size_t size)
{
	struct reader *r;
	struct read_row row;
	struct diag why;
	int rc = read_open(&r, test_put("dump", text), &why);

	(void)size;
	while (rc == 0 && (rc = read_next(r, &row, &why)) > 0)
		rc = 0;
	read_close(r);
	return rc;
}

static void
a_dump_takes_time_by_its_families_and_events(void **state)
{
	static const struct growth inputs[] = {
		{ __LINE__, 8000, "tsc[0] = 1\n", "x%u_counts[0][0] = 1\n",
		    "tsc[1] = 2\n", read_dump },
		{ __LINE__, 8000, "tsc[0] = 1\n",
		    "x_counts[0][\"E%u\"][0] = 1\n", "tsc[1] = 2\n",
		    read_dump },
		{ __LINE__, 8000, "tsc[0] = 1\n",
		    "x_counts[0][\"E\"][0] = 1\nevent_class[\"y%u\"][\"E\"] "
		    "= \"uncore\"\n", "tsc[1] = 2\n", read_dump },
	};

	(void)state;
	growth_check(inputs, sizeof(inputs) / sizeof(inputs[0]));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_configuration_takes_time_by_its_length),
		cmocka_unit_test(
		    lprocs_each_by_itself_take_memory_by_their_number),
		cmocka_unit_test(more_than_can_be_counted_is_refused),
		cmocka_unit_test(a_dump_takes_time_by_its_families_and_events),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
