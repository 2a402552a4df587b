/*
 * regs/busclock.c - the frequency of the TSC.
 */
#include "regs/busclock.h"

#include <errno.h>

int
bus_clock_tsc(const struct model *model, struct access *acc, unsigned lproc,
    uint64_t *hz)
{
	const struct bus_clock *clock = model->bus_clock;
	struct reg_addr addr = { REG_MSR, 8, lproc,
	    model_msrs(model)->platform_info };
	uint64_t raw, ratio, mhz_times_6 = 600;
	int rc;

	if (addr.offset == 0)
		return -ENODATA;
	if ((rc = access_read(acc, &addr, &raw)) < 0)
		return rc;
	if ((ratio = raw >> 8 & 0xff) == 0)
		return -ENODATA;
	if (clock != NULL) {
		addr.offset = clock->msr;
		if ((rc = access_read(acc, &addr, &raw)) < 0)
			return rc;
		if ((raw & clock->mask) >= clock->n)
			return -ENODATA;
		mhz_times_6 = clock->mhz_times_6[raw & clock->mask];
	}
	*hz = (ratio * mhz_times_6 * 1000000 + 3) / 6;
	return 0;
}

uint64_t
bus_clock_measure(struct access *acc, uint64_t ns)
{
	struct stamp begin, end;
	sigset_t mask;

	sigprocmask(SIG_SETMASK, NULL, &mask);
	access_now(acc, &begin);
	access_sleep(acc, begin.mono_ns + ns, &mask);
	access_now(acc, &end);
	if (end.mono_ns <= begin.mono_ns)
		return 0;
	return (uint64_t)((double)(end.tsc - begin.tsc) * 1e9 /
	    (double)(end.mono_ns - begin.mono_ns) + 0.5);
}

bool
bus_clock_agree(uint64_t a_hz, uint64_t b_hz)
{
	uint64_t apart = a_hz > b_hz ? a_hz - b_hz : b_hz - a_hz;

	return apart <= a_hz / 100;
}
