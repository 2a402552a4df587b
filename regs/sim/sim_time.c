/*
 * regs/sim/sim_time.c - the time of the simulated machine, which carries out faults on
 * its way.
 */
#include "regs/host.h"
#include "regs/sim/sim_int.h"

/* Virtual CLOCK_MONOTONIC when the machine starts: 1000 s of uptime. */
#define VIRTUAL_MONO (1000 * (uint64_t)NS)

static void
set_time(struct sim *s, uint64_t t)
{
	uint64_t past;

	s->t = t;
	while (s->now + 1 < s->d->nstretch && t >= s->start[s->now + 1])
		s->now++;
	past = t - s->start[s->now];
	s->sec = past / NS;
	s->ns = past % NS;
}

void
sim_time(struct sim *s, uint64_t t)
{
	while (s->nfault > 0 && s->fault[0].t <= t) {
		set_time(s, s->fault[0].t);
		sim_fault_next(s);
	}
	set_time(s, t);
}

void
sim_tick(struct sim *s)
{
	uint64_t t;

	if (!s->virtual) {
		t = clock_ns(CLOCK_MONOTONIC) - s->t0;
		sim_time(s, t > s->t ? t : s->t);
	}
}

uint64_t
sim_mono(const struct sim *s)
{
	return s->t + (s->virtual ? VIRTUAL_MONO : s->t0);
}

uint64_t
sim_machine_time(const struct sim *s, uint64_t mono_ns)
{
	uint64_t start = s->virtual ? VIRTUAL_MONO : s->t0;

	/* FOR_EVER stays that */
	return mono_ns == UINT64_MAX ? mono_ns :
	    mono_ns > start ? mono_ns - start : 0;
}

void
sim_virtual(struct sim *s, bool on)
{
	if (!on)
		s->t0 = clock_ns(CLOCK_MONOTONIC) - s->t;
	s->virtual = on;
}

void
sim_advance(struct sim *s, uint64_t ns)
{
	sim_tick(s);
	if (!s->virtual)
		s->t0 -= ns;
	sim_time(s, s->t + ns);
}
