/*
 * regs/clock.c - reads the kernel's clocks and computes sampling deadlines.
 */
#include "regs/clock.h"

uint64_t
clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

uint64_t
clock_next(uint64_t mono_ns, uint64_t real_ns, uint64_t interval_ns)
{
	/* NTP may have slewed the wall clock back while we slept: skip up to a tenth. */
	uint64_t k = (real_ns + interval_ns / 10) / interval_ns + 1;

	return mono_ns + (k * interval_ns - real_ns);
}
