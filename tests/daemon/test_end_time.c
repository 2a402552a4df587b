/*
 * tests/daemon/test_end_time.c - a run says at its start when it will end by itself.
 */
#include "tests/lib/files.h"

#include "daemon/run/session.h"

#include <stdlib.h>
#include <string.h>

static void
the_end_is_told_in_two_units_and_by_the_clock(void **state)
{
	/* 1532379600: 2018-07-23 21:00:00 UTC */
	static const struct {
		int line;
		uint64_t samples;
		double interval;
		time_t now;
		const char *say;
	} t[] = {
		{ __LINE__, 10000, 1, 1532379600 - 14 * 3600, "10000 samples of "
		    "1 s: stops by itself in 2 h 46 min, at 09:46" },
		{ __LINE__, 1, 1, 1532379600, "1 sample of 1 s: stops by itself "
		    "in 0 s, at 21:00:00" },
		{ __LINE__, 41, 0.1, 1532379600, "41 samples of 0.1 s: stops by "
		    "itself in 4 s, at 21:00:04" },
		{ __LINE__, 1001, 1, 1532379600, "1001 samples of 1 s: stops by "
		    "itself in 16 min 40 s, at 21:16:40" },
		{ __LINE__, 3601, 1, 1532379600, "3601 samples of 1 s: stops by "
		    "itself in 1 h, at 22:00" },
		{ __LINE__, 10801, 1, 1532379600, "10801 samples of 1 s: stops "
		    "by itself in 3 h, on 2018-07-24 at 00:00" },
		{ __LINE__, 1000001, 1, 1532379600, "1000001 samples of 1 s: "
		    "stops by itself in 11 d 13 h, on 2018-08-04 at 10:46" },
		{ __LINE__, 40, 1, 0, "40 samples of 1 s: then it stops by "
		    "itself" },
	};
	char buf[128];

	(void)state;
	setenv("TZ", "UTC", 1);
	tzset();
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		ending_text(buf, sizeof(buf), t[i].samples, t[i].interval,
		    t[i].now);
		if (strcmp(buf, t[i].say) != 0)
			fail_msg("line %d: %s", t[i].line, buf);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_end_is_told_in_two_units_and_by_the_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
