/*
 * regs/sim/sim_fault_add.c - finds what a fault of the simulated machine is of, and adds
 * it to those to come.
 */
#include "regs/sim/sim_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct reg *
sim_fault_reg(const struct sim_unit *u, const char *name)
{
	const struct sim_box *b = u->box;
	char *end;
	unsigned long n;

	if (strcmp(name, "boxctl") == 0)
		return u->boxctl;
	if (strcmp(name, "fixedctl") == 0)
		return u->fixedctl;
	for (unsigned i = 0; i < b->nfilter; i++)
		if (strcmp(name, b->filter[i].name) == 0)
			return u->filter[i];
	n = strcspn(name, "0123456789");
	if (name[n] == '\0')
		return NULL;
	if (n == 3 && strncmp(name, "ctl", 3) == 0) {
		n = strtoul(name + 3, &end, 10);
		return *end == '\0' && n < b->counters ? u->ctl[n] : NULL;
	}
	if (n == 3 && strncmp(name, "ctr", 3) == 0) {
		n = strtoul(name + 3, &end, 10);
		return *end == '\0' && n < b->counters ? u->ctr[n] : NULL;
	}
	if (n == 5 && strncmp(name, "fixed", 5) == 0) {
		n = strtoul(name + 5, &end, 10);
		return *end == '\0' && n < SIM_FIXED ? u->fixed[n] : NULL;
	}
	return NULL;
}

static struct sim_unit *
sim_fault_unit(const struct sim *s, const char *box, unsigned pkg,
    unsigned inst)
{
	for (unsigned i = 0; i < s->nunits; i++)
		if (strcmp(s->units[i]->box->name, box) == 0 &&
		    s->units[i]->pkg == pkg && s->units[i]->inst == inst)
			return s->units[i];
	return NULL;
}

/* The registers of a box: its own, and that which it reads as. */
static int
find_in_box(const struct sim *s, struct fault *f, struct diag *why)
{
	const struct sim_fault *is = &f->is;
	bool as = is->kind == FAULT_SHOWS && is->reg == NULL;

	f->unit = sim_fault_unit(s, is->box, is->box_pkg, is->box_inst);
	f->as = !as ? NULL : sim_fault_unit(s, is->box, is->other_pkg,
	    is->other_inst);
	if (f->unit == NULL || (as && f->as == NULL))
		return diag_set(why, -EINVAL, "fault: this machine has no "
		    "box %s %u %u", is->box, f->unit == NULL ? is->box_pkg :
		    is->other_pkg, f->unit == NULL ? is->box_inst :
		    is->other_inst);
	f->is.mask &= ~(f->unit->box->enable | f->unit->box->ignore);
	f->is.key &= f->is.mask;
	if (is->reg == NULL)
		return 0;
	if ((f->reg = sim_fault_reg(f->unit, is->reg)) == NULL)
		return diag_set(why, -EINVAL, "fault: \"%s\" instead of "
		    "\"absent\", ctl0, ctr0, boxctl, fixedctl, fixed0 or a "
		    "filter of that box", is->reg);
	if (is->other != NULL &&
	    (f->other = sim_fault_reg(f->unit, is->other)) == NULL)
		return diag_set(why, -EINVAL, "fault: \"%s\" instead of "
		    "another register of that box", is->other);
	/* one register's own */
	if (is->kind == FAULT_COUNTS)
		f->unit = NULL;
	return 0;
}

static int
find_msr(struct sim *s, struct fault *f, struct diag *why)
{
	struct reg_addr addr = { .space = REG_MSR, .offset = f->is.offset,
	    .unit = f->is.lproc >= 0 ? (uint32_t)f->is.lproc : 0 };
	struct sim_page *page;
	bool high;

	if (f->is.kind == FAULT_MSR)
		return 0;
	while (f->is.pkg >= 0 && addr.unit < s->nlproc &&
	    (!s->place[addr.unit].exists ||
	    s->place[addr.unit].pkg != (unsigned)f->is.pkg))
		addr.unit++;
	f->reg = reg_find(s, &addr, &high, &page);
	return f->reg != NULL && f->reg->kind != R_NONE ? 0 : diag_set(why,
	    -EINVAL, "fault: this machine has no MSR 0x%x there",
	    (unsigned)f->is.offset);
}

static int
find_in_pci(struct sim *s, struct fault *f, struct diag *why)
{
	struct reg_addr addr = { .space = REG_PCI, .bytes = 4,
	    .unit = f->is.function, .offset = f->is.offset };
	bool high;

	if ((f->page = sim_page_at(s, REG_PCI, addr.unit, false)) == NULL)
		return diag_set(why, -EINVAL, "fault: this machine has no "
		    "PCI function %02x:%02x.%x", addr.unit >> 8 & 0xff,
		    addr.unit >> 3 & 0x1f, addr.unit & 7);
	if (f->is.kind == FAULT_PCI_ABSENT || f->is.kind == FAULT_PCI_STALL)
		return 0;
	f->reg = reg_find(s, &addr, &high, &f->page);
	return f->reg != NULL && !high ? 0 : diag_set(why, -EINVAL, "fault: "
	    "no register starts at offset 0x%x", (unsigned)f->is.offset);
}

static int
find_faulty(struct sim *s, struct fault *f, struct diag *why)
{
	const struct sim_fault *is = &f->is;
	const struct reg *r;
	int rc;

	if (is->lproc >= (int)s->nlproc)
		return diag_set(why, -EINVAL, "fault: \"%d\" instead of an "
		    "lproc of this machine", is->lproc);
	if (is->pkg >= (int)s->d->packages)
		return diag_set(why, -EINVAL, "fault: \"%d\" instead of a "
		    "package of this machine", is->pkg);
	rc = is->box != NULL ? find_in_box(s, f, why) :
	    is->space == REG_MSR ? find_msr(s, f, why) :
	    is->space == REG_PCI ? find_in_pci(s, f, why) : 0;
	r = f->reg;
	if (rc == 0 && is->kind == FAULT_TEAR && ((r->kind != R_CTR &&
	    r->kind != R_FIXED && r->kind != R_COUNT) || r->bits <= 32))
		return diag_set(why, -EINVAL, "fault: only a counter of more"
		    " than 32 bits can tear");
	return rc;
}

static int
schedule(struct sim *s, const struct fault *f, struct diag *why)
{
	struct fault *bigger;
	unsigned i;

	sim_tick(s);
	if (f->t <= s->t) {
		fault_apply(s, f);
		return 0;
	}
	bigger = realloc(s->fault, (s->nfault + 1) * sizeof(*bigger));
	if (bigger == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	s->fault = bigger;
	for (i = s->nfault++; i > 0 && s->fault[i - 1].t > f->t; i--)
		s->fault[i] = s->fault[i - 1];
	s->fault[i] = *f;
	return 0;
}

/* Counts the faults that sim_fault.c keeps while they are in force; refuses one for which
 * there is no room. */
static int
sim_fault_count(struct sim *s, const struct fault *f, struct diag *why)
{
	if (f->is.kind == FAULT_MSR && s->msr_faults++ >= MSR_FAULTS)
		return diag_set(why, -E2BIG, "fault: a machine can have %d "
		    "faults of MSRs", MSR_FAULTS);
	if (f->is.kind == FAULT_COUNTS && f->unit != NULL &&
	    s->count_faults++ >= COUNT_FAULTS)
		return diag_set(why, -E2BIG, "fault: a machine can have %d "
		    "faults of boxes that count wrong", COUNT_FAULTS);
	return 0;
}

int
sim_fault(struct sim *s, const struct sim_fault *is, struct diag *why)
{
	struct fault f = { .on = true, .t = is->from, .is = *is };
	int rc;

	sim_tick(s);
	if (is->to <= s->t)
		return diag_set(why, -EINVAL, "fault: its end has passed");
	if ((rc = find_faulty(s, &f, why)) < 0 ||
	    (rc = sim_fault_count(s, &f, why)) < 0 ||
	    (rc = schedule(s, &f, why)) < 0 || is->to == UINT64_MAX)
		return rc;
	f.t = is->to;
	f.on = false;
	return schedule(s, &f, why);
}
