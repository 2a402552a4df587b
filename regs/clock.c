/*
 * regs/clock.c - the clocks of this process's machine.
 */
#include "regs/clock.h"

uint64_t
clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}
