/*
 * daemon/read/slow_reads.c - registers that are read every so many samples.
 */
#include "daemon/read/slow_reads.h"

#include "daemon/read/saturate.h"

void
slow_reads(struct plan *plan, struct access *acc, uint64_t n,
    uint64_t *row)
{
	for (unsigned i = 0; i < plan->apart.nslow; i++)
		row[plan->apart.slow[i].cell] = row[plan->apart.slow[i].stamp] =
		    ABSENT;
	for (unsigned i = 0; i < plan->apart.nslow; i++) {
		const struct plan_slow *s = &plan->apart.slow[i];

		if (s->addr.space == REG_NONE || n % s->every != 0)
			continue;
		if (access_read_counter(acc, &s->addr, &row[s->cell]) < 0)
			continue;
		if (row[s->stamp] == ABSENT)
			row[s->stamp] = access_tsc(acc);
		if (s->sat != 0)
			row[s->cell] = saturate_value(plan, s->sat - 1, acc,
			    row[s->cell]);
	}
}
