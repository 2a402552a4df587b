/*
 * tests/regs/test_random_device.c - devices that answer at random, the same each time: a run
 * ends, writes registers of the tables alone and puts back what it changed.
 */
#include "tests/lib/files.h"
#include "tests/lib/random_device.h"

#include <string.h>

#define SEEDS 6000

static void
a_device_that_answers_anything_gets_back_what_was_changed(void **state)
{
	unsigned sampled = 0, refused = 0, told = 0, wrong = 0, writes = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct rdev_end end;

		rdev_run((const uint8_t *)&seed, 2 + seed % 7, &end);
		if (end.wrong[0] != '\0' && wrong++ < 20)
			print_message("seed %u, %s: %s\n", (unsigned)seed,
			    end.model, end.wrong);
		sampled += end.samples == 3;
		refused += end.samples == 0;
		told += end.told > 0;
		writes += end.writes > 0;
	}
	assert_int_equal(wrong, 0);
	/* it did come everywhere */
	print_message("%u sampled, %u refused, %u not restored, %u written\n",
	    sampled, refused, told, writes);
	assert_true(sampled > SEEDS / 10 && refused > SEEDS / 10);
	assert_true(told > SEEDS / 200 && writes > SEEDS / 4);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_device_that_answers_anything_gets_back_what_was_changed),
	};

	return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
