/*
 * regs/sim/sim_clock.c - the clocks of the simulated machine, and sleep, which moves
 * them on.
 */
#include "regs/host.h"
#include "regs/sim/sim_int.h"

#include <errno.h>

void
sim_now(struct access *acc, struct stamp *stamp)
{
	struct sim *s = (struct sim *)acc;

	if (s->ntape > 0) {
		*stamp = s->tape[s->position];
		return;
	}
	sim_lock(s);
	sim_tick(s);
	stamp->tsc = count_get(s, &s->tsc);
	stamp->mono_ns = sim_mono(s);
	stamp->real_ns = (uint64_t)s->real_step +
	    (s->virtual ? s->d->start_ns + s->t : clock_ns(CLOCK_REALTIME));
	sim_unlock(s);
}

int
sim_kept(struct access *acc, struct clock_state *kept)
{
	const struct sim_desc *d = ((struct sim *)acc)->d;

	*kept = d->kept;
	return d->kept_known ? 0 : -ENOTSUP;
}

int
sim_sleep(struct access *acc, uint64_t mono_ns, const sigset_t *unblocked)
{
	struct sim *s = (struct sim *)acc;
	struct stamp now;
	struct timespec wait = { 0, 0 };
	uint64_t ahead, step;
	int rc;

	sim_now(acc, &now);
	ahead = mono_ns > now.mono_ns ? mono_ns - now.mono_ns : 0;
	if (!s->virtual)
		wait = (struct timespec){ (time_t)(ahead / NS),
		    (long)(ahead % NS) };
	/* wait even for no time, so that a pending signal is delivered */
	if ((rc = host_wait(acc, &wait, unblocked)) < 0)
		return rc;
	if (s->ntape > 0) {
		if (s->position + 1 < s->ntape) {
			step = s->tape[s->position + 1].mono_ns -
			    s->tape[s->position].mono_ns;
			s->position++;
			if (s->virtual && (int64_t)step > 0)
				sim_time(s, s->t + step);
		}
	} else if (s->virtual)
		sim_spend(s, s->t + ahead);
	return 0;
}
