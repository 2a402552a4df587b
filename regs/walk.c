/*
 * regs/walk.c - visits every register that a model's tables name.
 */
#include "regs/walk.h"

#include <inttypes.h>
#include <stdio.h>

#define ALONE (-1)              /* the role has no number behind it */

struct walk {
	void (*each)(void *ctx, const char *box, unsigned inst,
	    const char *role, const char *space, const char *address);
	void *ctx;
};

static const char *const space_name[] = {
	[REG_NONE] = "none", [REG_MSR] = "msr", [REG_PCI] = "pci",
	[REG_MMIO] = "mmio", [REG_SIDEBAND] = "sideband", [REG_PERF] = "perf",
	[REG_TEXT] = "text",
};

/* The address of a register of instance inst of a type.  An MMIO address is an offset
 * in the BAR of the instance; where the type has no list of BARs, each instance has
 * its own.  Where only the discovery table knows a box's function, the box's name
 * takes its place. */
static void
address_text(const struct box_type *type, unsigned inst, uint8_t space,
    uint32_t reg, char *buf, size_t size)
{
	if (space == REG_PCI && type != NULL && type->devfn != NULL)
		snprintf(buf, size, "bus%u:%02x.%x:0x%" PRIx32, type->bus,
		    type->devfn[inst] >> 3, type->devfn[inst] & 7, reg);
	else if (space == REG_PCI && type != NULL)
		snprintf(buf, size, "%s/%u:0x%" PRIx32, type->name, inst, reg);
	else if (space == REG_MMIO && type != NULL && type->bar != NULL)
		snprintf(buf, size, "%s_BAR+0x%" PRIx32, type->bar, reg);
	else if (space == REG_MMIO)
		snprintf(buf, size, "MEM%u_BAR+0x%" PRIx32,
		    type != NULL && type->unit_of != NULL ?
		    type->unit_of[inst] : inst, reg);
	else
		snprintf(buf, size, "0x%" PRIx32, reg);
}

static void
walk_visit(const struct walk *w, const struct box_type *type, unsigned inst,
    const char *role, int n, uint32_t reg)
{
	char name[64], address[64];

	if (n == ALONE)
		snprintf(name, sizeof(name), "%s", role);
	else
		snprintf(name, sizeof(name), "%s%d", role, n);
	address_text(type, inst, type->space, reg, address, sizeof(address));
	w->each(w->ctx, type->name, inst, name, space_name[type->space],
	    address);
}

static void
walk_instance(const struct walk *w, const struct box_type *type, unsigned inst)
{
	if (type->space == REG_PERF)
		return;                 /* the kernel knows its registers */
	if (type->table.laid)
		return;                 /* only the node's discovery table says where */
	if (type->box_ctl != 0)
		walk_visit(w, type, inst, "boxctl", ALONE,
		    box_ctl_reg(type, inst));
	for (unsigned n = 0; n < type->counters; n++)
		walk_visit(w, type, inst, "ctl", (int)n,
		    box_counter_ctl(type, inst, n));
	for (unsigned n = 0; n < type->counters; n++)
		walk_visit(w, type, inst, "ctr", (int)n,
		    box_counter_ctr(type, inst, n));
	if (type->fixed.name != NULL) {
		walk_visit(w, type, inst, "fixedctl", ALONE,
		    box_reg(type, inst, type->fixed.ctl));
		walk_visit(w, type, inst, "fixedctr", ALONE,
		    box_reg(type, inst, type->fixed.ctr));
	}
	for (unsigned n = 0; n < MAX_FILTERS; n++)
		if (type->filter[n].name != NULL)
			walk_visit(w, type, inst, type->filter[n].name, ALONE,
			    box_reg(type, inst, type->filter[n].reg));
}

/* The fixed counters of the core and their controls. */
static void
walk_fixed(const struct walk *w, const struct box_type *core,
    const struct core_fixed *fixed)
{
	for (unsigned i = 0; fixed->name[i] != NULL; i++)
		walk_visit(w, core, 0, "fixedctr", (int)i, fixed->ctr + i);
	if (fixed->metrics != 0)
		walk_visit(w, core, 0, "perf_metrics", ALONE, fixed->metrics);
	walk_visit(w, core, 0, "fixedctl", ALONE, fixed->ctl);
}

static void
walk_freerun(const struct walk *w, const struct model *model,
    const struct freerun *f)
{
	const struct box_type *type = model_box(model, f->box);
	unsigned instances = type != NULL ? type->instances : 1;
	unsigned ports = f->ports != 0 ? f->ports : 1;

	for (unsigned s = 0; s < instances; s++)
		for (unsigned p = 0; p < ports; p++) {
			uint32_t reg = freerun_reg(f, s, p);
			char role[64], address[64];

			if (f->ports == 0)
				snprintf(role, sizeof(role), "%s", f->role);
			else
				snprintf(role, sizeof(role), "%s%u", f->role,
				    p);
			address_text(type, s, f->space, reg, address,
			    sizeof(address));
			w->each(w->ctx, type != NULL ? type->name : f->box, s,
			    role, space_name[f->space], address);
		}
}

static void
walk_msr(const struct walk *w, const char *role, uint8_t space, uint32_t reg)
{
	char address[64];

	address_text(NULL, 0, space, reg, address, sizeof(address));
	w->each(w->ctx, "MSR", 0, role, space_name[space], address);
}

void
model_walk(const struct model *model,
    void (*each)(void *ctx, const char *box, unsigned inst, const char *role,
    const char *space, const char *address), void *ctx)
{
	const struct walk w = { each, ctx };
	const struct scalar *s;

	if (model->core != NULL)
		walk_instance(&w, model->core, 0);
	if (model->core != NULL && model->fixed != NULL)
		walk_fixed(&w, model->core, model->fixed);
	if (model->core != NULL && model_msrs(model)->core_global != 0)
		walk_visit(&w, model->core, 0, "globalctl", ALONE,
		    model_msrs(model)->core_global);
	for (const struct box_type *b = model->box; b->name != NULL; b++)
		/* boxes of core complexes have the same MSR numbers on each */
		for (unsigned i = 0; i < (b->scope == SCOPE_CCX ? 1u :
		    b->instances); i++)
			walk_instance(&w, b, i);
	for (const struct freerun *f = model->freerun;
	    f != NULL && f->family != NULL; f++)
		walk_freerun(&w, model, f);
	/* PERF_METRICS is listed with the core's counters */
	for (unsigned n = 0; (s = model_scalar(model, n)) != NULL; n++)
		if (model->fixed == NULL || s->reg != model->fixed->metrics)
			walk_msr(&w, s->family, s->space, s->reg);
	if (model->global_ctl != 0)
		walk_msr(&w, "globalctl", REG_MSR, model->global_ctl);
}
