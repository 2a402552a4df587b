/*
 * topology/inventory_table.c - the boxes that a discovery table lists, as units.
 *
 * The table tells where a box is.  The layout of its registers is known by the model,
 * too, and a box whose entry has another layout is not used; for some types the table
 * alone has the layout.  A box in PCI space is found by its function where the model
 * knows the device id, every other one by its id in the table.
 */
#include "topology/inventory_int.h"

#include <inttypes.h>

static bool
is_unit(const struct unit *u, const struct discovered *d)
{
	const struct box_type *type = u->type;

	if (d->type != type->table_type)
		return false;
	return type->devid != NULL && d->space == REG_PCI ?
	    (d->unit & 0xff) == type->devfn[u->inst] : d->id == u->inst;
}

/* Does the entry have the layout that the model has? */
static bool
as_known(struct unit *u, const struct discovered *d)
{
	const struct box_type *type = u->type;

	if (d->space != type->space && !type->table_laid)
		unit_absent(u, "entry %u of the discovery table has it in %s, "
		    "where no source knows it", d->entry, d->space == REG_MSR ?
		    "MSRs" : d->space == REG_PCI ? "PCI config space" :
		    "memory");
	else if (!type->table_laid && (d->ctl != type->ctl - type->box_ctl ||
	    d->ctr != type->ctr - type->box_ctl ||
	    d->ctl_step != type->ctl_step || d->ctr_step != type->ctr_step))
		unit_absent(u, "entry %u of the discovery table has its "
		    "controls at +0x%x and its counters at +0x%x; known is "
		    "+0x%" PRIx32 " and +0x%" PRIx32, d->entry, d->ctl, d->ctr,
		    type->ctl - type->box_ctl, type->ctr - type->box_ctl);
	else if (d->counters < type->counters || d->bits != type->bits)
		unit_absent(u, "entry %u of the discovery table has %u "
		    "counters of %u bits; known is %u of %u", d->entry,
		    d->counters, d->bits, type->counters, type->bits);
	else
		return true;
	return false;
}

static void
take_place(struct unit *u, const struct discovered *d,
    const struct package *pkg)
{
	u->where = d->space == REG_MSR ? pkg->first_lproc : d->unit;
	u->base = d->box_ctl - box_ctl_reg(u->type, u->inst);
	u->source = "discovery table";
	if (u->type->table_laid) {
		u->space = d->space;
		u->ctl = d->ctl;
		u->ctl_step = d->ctl_step;
		u->ctr = d->ctr;
		u->ctr_step = d->ctr_step;
	}
}

int
unit_listed(struct unit *u, const struct discovery *all,
    const struct package *pkg)
{
	const struct box_type *type = u->type;
	bool table = false;

	for (unsigned s = 0; s < all->n; s++) {
		const struct discovery_site *site = &all->site[s];
		const struct discovery_table *t = &site->table;

		if (site->pkg != u->pkg || site->no_table[0] != '\0')
			continue;
		table = true;
		for (unsigned i = 0; i < t->n; i++) {
			const struct discovered *d = &t->unit[i];

			if (!is_unit(u, d))
				continue;
			if (!as_known(u, d))
				return -1;
			take_place(u, d, pkg);
			return 1;
		}
	}
	if (table || type->table_only) {
		unit_absent(u, table ? "not in the discovery table" :
		    "there is no discovery table, which alone says where it is");
		return -1;
	}
	u->source = "fixed list: no discovery table";
	return 0;
}
