/*
 * tests/fuzz/fuzz_device.c - the device is the fuzzer: whatever registers, CPUID and
 * config words say, a run ends, writes only what the tables name, and puts back
 * what it changed (tests/lib/random_device.h).  With libFuzzer; seeds in seeds/device.
 */
#include "tests/lib/random_device.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rdev_end end;

	rdev_run(data, size, &end);
	if (end.wrong[0] != '\0') {
		fprintf(stderr, "%s: %s\n", end.model, end.wrong);
		__builtin_trap();
	}
	return 0;
}
