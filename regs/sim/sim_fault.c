/*
 * regs/sim/sim_fault.c - carries out the simulated machine's faults at their time.
 */
#include "regs/sim/sim_int.h"

#include <string.h>

/* The error of the fault that refuses an lproc's MSR; 0: none does. */
int
msr_refused(const struct sim *s, unsigned lproc, uint64_t number)
{
	for (unsigned i = 0; i < s->nmsr_fault; i++) {
		const struct fault *f = &s->msr_fault[i];

		if (f->is.offset == number &&
		    (f->is.lproc < 0 || f->is.lproc == (int)lproc) &&
		    (f->is.pkg < 0 || f->is.pkg == (int)s->place[lproc].pkg))
			return f->is.error;
	}
	return 0;
}

/* FAULT_MSR: adds the fault to those in force where it begins, takes it out where it
 * ends. */
static void
switch_msr(struct sim *s, const struct fault *f)
{
	unsigned i = 0;

	if (f->on) {
		s->msr_fault[s->nmsr_fault++] = *f;
		return;
	}
	while (i < s->nmsr_fault && (s->msr_fault[i].is.offset != f->is.offset ||
	    s->msr_fault[i].is.lproc != f->is.lproc || s->msr_fault[i].is.pkg != f->is.pkg))
		i++;
	if (i < s->nmsr_fault)
		s->msr_fault[i] = s->msr_fault[--s->nmsr_fault];
}

/* Counts the faults that are in force on one thing, as their times may overlap. */
static void
count_in_force(unsigned *n, bool on)
{
	if (on)
		++*n;
	else if (*n > 0)
		--*n;
}

/* FAULT_COUNTS: counters that count a fraction or a multiple of the truth. */
static void
scale_counts(struct sim *s, const struct fault *f)
{
	if (f->unit == NULL) {
		count_scale(s, &f->reg->count, f->is.num, f->is.den);
		return;
	}
	s->wrong[s->nwrong++] = (struct sim_wrong){ f->unit, f->is.key, f->is.mask,
	    f->is.num, f->is.den };
	unit_update(s, f->unit);
}

/* FAULT_SHOWS: a register, or all counters of a box, that read as others. */
static void
show_other(const struct fault *f)
{
	if (f->reg != NULL) {
		f->reg->shows = f->other;
		return;
	}
	for (unsigned n = 0; n < SIM_CTRS; n++)
		if (f->unit->ctr[n] != NULL)
			f->unit->ctr[n]->shows = f->as->ctr[n];
	for (unsigned n = 0; n < SIM_FIXED; n++)
		if (f->unit->fixed[n] != NULL)
			f->unit->fixed[n]->shows = f->as->fixed[n];
}

void
fault_apply(struct sim *s, const struct fault *f)
{
	switch (f->is.kind) {
	case FAULT_OFFLINE:
		count_in_force(&s->place[f->is.lproc].offline, f->on);
		sim_perf_hotplug(s);
		break;
	case FAULT_MSR:
		switch_msr(s, f);
		break;
	case FAULT_WRITES:
		s->write_error = f->on ? f->is.error : 0;
		break;
	case FAULT_PCI_ABSENT:
		count_in_force(&f->page->gone, f->on);
		break;
	case FAULT_BOX_ABSENT:
		count_in_force(&f->unit->gone, f->on);
		break;
	case FAULT_SET:
		reg_put(s, f->reg, f->is.value, false);
		break;
	case FAULT_TEAR:
		f->reg->torn = true;
		break;
	case FAULT_CLOCK:
		s->real_step += (int64_t)f->is.value;
		break;
	case FAULT_STALL:
		s->place[f->is.lproc].stall_ns = f->is.value;
		break;
	case FAULT_PERF:
		sim_perf_others(s, (unsigned)f->is.lproc, (unsigned)f->is.value,
		    f->on);
		break;
	case FAULT_PCI_STALL:
		f->page->stall_ns = f->is.value;
		break;
	case FAULT_COUNTS:
		scale_counts(s, f);
		break;
	case FAULT_SHOWS:
		show_other(f);
		break;
	}
}

void
sim_fault_next(struct sim *s)
{
	struct fault f = s->fault[0];

	memmove(s->fault, s->fault + 1, --s->nfault * sizeof(f));
	fault_apply(s, &f);
}
