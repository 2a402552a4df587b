/*
 * daemon/record/record_samples.c - the clocks, and what a run reads, ten times.
 */
#include "daemon/record/record_int.h"

#include <errno.h>
#include <stdlib.h>

/* Keeps the value of a register that the plan reads, in sample k. */
static int
record_samples_sample(struct recording *r, const struct reg_addr *addr,
    unsigned k)
{
	struct recorded *e = recorder_read(r->kept, r->node->acc, addr);
	uint64_t raw;

	if (e == NULL || (e->series == NULL && (e->series =
	    calloc(RECORD_SAMPLES, sizeof(*e->series))) == NULL))
		return -ENOMEM;
	e->series[k] = access_read(r->node->acc, addr, &raw) < 0 ? ABSENT : raw;
	return 0;
}

/* Marks registers that the tables call readings: they go up and down. */
static void
mark_readings(struct recording *r)
{
	const struct plan *plan = &r->node->plan;

	for (unsigned i = 0; i < plan->ncolumn; i++) {
		const struct reg_addr *a = plan_cell_addr(plan,
		    plan->column[i].cell);
		struct recorded *e = a != NULL && plan->column[i].bits == 0 &&
		    a->space != REG_PERF ? recorder_read(r->kept, r->node->acc,
		    a) : NULL;

		if (e != NULL)
			e->reading = true;
	}
}

int
record_samples(struct recording *r)
{
	const struct plan *plan = &r->node->plan;
	struct access *acc = r->node->acc;
	sigset_t none;
	int rc;

	sigemptyset(&none);
	mark_readings(r);
	for (unsigned k = 0; k < RECORD_SAMPLES; k++) {
		access_now(acc, &r->at[k]);
		for (unsigned i = 0; i < plan->nread; i++)
			if (plan->read[i].space != REG_PERF &&
			    plan->read[i].space != REG_SIDEBAND &&
			    (rc = record_samples_sample(r, &plan->read[i],
			    k)) < 0)
				return rc;
		if (k + 1 < RECORD_SAMPLES && (rc = access_sleep(acc,
		    r->at[0].mono_ns + (k + 1) * r->interval_ns, &none)) < 0)
			return rc;
	}
	r->nsample = RECORD_SAMPLES;
	return 0;
}
