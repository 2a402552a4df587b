/*
 * daemon/read/row.c - one row: the clocks, the registers, and what it cost.
 */
#include "daemon/read/row.h"

#include "daemon/read/rotate.h"
#include "regs/clock.h"

void
row_clocks(const struct stamp *begin, uint64_t *row)
{
	row[CELL_TSC] = begin->tsc;
	row[CELL_SEC] = begin->real_ns / 1000000000;
	row[CELL_USEC] = begin->real_ns % 1000000000 / 1000;
	row[CELL_MONO] = begin->mono_ns;
}

void
row_costs(const struct stamp *begin, uint64_t end_ns, uint64_t deadline_ns,
    uint64_t rotate_ns, uint64_t *row)
{
	row[CELL_CPU] = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	row[CELL_ROTATE] = rotate_ns;
	row[CELL_DURATION] = end_ns - begin->mono_ns;
	row[CELL_LATE] = deadline_ns != 0 && begin->mono_ns > deadline_ns ?
	    begin->mono_ns - deadline_ns : 0;
}

void
row_take(struct sweep *s, struct plan *plan, struct access *acc,
    uint64_t deadline_ns, uint64_t *row)
{
	unsigned active = plan->sets.active;
	struct stamp begin, end;

	access_now(acc, &begin);
	row_clocks(&begin, row);
	sweep_row(s, plan, acc, row);
	if (plan->sets.n > 1)
		rotate_row(plan, active, s->last_tsc == 0 ? 0 :
		    begin.tsc - s->last_tsc, row);
	s->last_tsc = begin.tsc;
	access_now(acc, &end);
	row[CELL_BLOCK] = s->longest;
	row_costs(&begin, end.mono_ns, deadline_ns, s->rotate_ns, row);
}
