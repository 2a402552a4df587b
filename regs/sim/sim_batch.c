/*
 * regs/sim/sim_batch.c - many MSRs of many lprocs in one call, as msr-safe does it:
 * all lprocs read theirs at the same time, and the call returns after the last of
 * them.  Where one operation is refused, none is carried out.
 */
#include "regs/sim/sim_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int
batch_prepare(struct access *acc, const struct reg_addr *addr, unsigned n)
{
	struct sim *s = (struct sim *)acc;
	struct reg_addr *copy = malloc((n + 1) * sizeof(*copy));

	if (copy == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++) {
		if (addr[i].space != REG_MSR || addr[i].unit >= s->nlproc) {
			free(copy);
			return -EINVAL;
		}
		copy[i] = addr[i];
	}
	free(s->batch);
	s->batch = copy;
	s->nbatch = n;
	return 0;
}

/* The shortest stall above ns, or 0. */
static uint64_t
next_stall(const struct sim *s, uint64_t ns)
{
	uint64_t next = 0;

	for (unsigned i = 0; i < s->nbatch; i++) {
		uint64_t stall = s->place[s->batch[i].unit].stall_ns;

		if (stall > ns && (next == 0 || stall < next))
			next = stall;
	}
	return next;
}

static int
batch_read(struct access *acc, uint64_t *raw)
{
	struct sim *s = (struct sim *)acc;
	uint64_t begin, stall = 0;
	int rc = 0;

	if (s->batch == NULL)
		return -ENOTSUP;
	sim_lock(s);
	sim_tick(s);
	begin = s->t;
	do {
		if (s->virtual)
			sim_spend(s, begin + stall);
		for (unsigned i = 0; i < s->nbatch; i++)
			if (s->place[s->batch[i].unit].stall_ns == stall &&
			    rc == 0)
				rc = sim_read_msr(s, &s->batch[i], &raw[i]);
	} while ((stall = next_stall(s, stall)) > 0);
	for (unsigned i = 0; i < s->nbatch; i++)
		s->place[s->batch[i].unit].stall_ns = 0;
	sim_unlock(s);
	return rc;
}

const struct batch_ops sim_batch = {
	.prepare = batch_prepare, .read = batch_read,
};
