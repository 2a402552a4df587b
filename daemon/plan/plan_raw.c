/*
 * daemon/plan/plan_raw.c - registers that the user names by their address.
 * tallyd knows nothing of them: it reads them, and never writes them.
 */
#include "daemon/plan/plan_int.h"

#include "config/lang/readable.h"
#include "topology/devices.h"

#include <errno.h>
#include <stdio.h>

/* The columns of a statement. */
struct raw_run {
	struct plan *plan;
	const struct raw_read *raw;
	struct column like;             /* all but the index */
	unsigned bytes;
	unsigned n, zeros;              /* so far, and how many read 0 */
};

static int
plan_raw_add(struct raw_run *r, const uint32_t *index, struct reg_addr addr,
    unsigned lproc, int pkg)
{
	struct column c = r->like;
	uint64_t raw;

	addr.bytes = (uint8_t)r->bytes;
	addr.offset = r->raw->offset;
	c.id.index[0] = index[0];
	c.id.index[1] = index[1];
	r->n++;
	if (access_read(r->plan->build->acc, &addr, &raw) == 0 && raw == 0)
		r->zeros++;
	if (r->raw->every > 1)
		return plan_add_slow(r->plan, &c, &addr, r->raw->every,
		    lproc, pkg);
	return plan_add_column(r->plan, &c, &addr, lproc, pkg);
}

static int
add_msrs(struct raw_run *r)
{
	const struct topo *topo = r->plan->build->topo;
	bool pkg = r->raw->of == RAW_PKG;
	unsigned units = pkg ? topo->npkg : topo->nlproc;
	int rc;

	for (unsigned u = 0; u < units; u++) {
		unsigned lproc = pkg ? topo->pkg[u].first_lproc : u;
		struct reg_addr addr = { .space = REG_MSR, .unit = lproc };

		if (!pkg && !topo->lproc[u].online)
			continue;
		if ((rc = plan_raw_add(r, (uint32_t[]){ u, 0 }, addr, lproc,
		    pkg ? (int)u : -1)) < 0)
			return rc;
	}
	return 0;
}

/* Adds a PCI function.  number: of each package, how many were added so far. */
static int
plan_raw_add_function(struct raw_run *r, const struct function *f,
    unsigned *number)
{
	const struct topo *topo = r->plan->build->topo;
	struct reg_addr addr = { .space = REG_PCI, .unit = PCI_UNIT(f->seg,
	    f->bus, PCI_DEVFN(f->dev, f->fn)) };
	const char *family = r->like.id.family->name;
	int pkg = function_package(topo, r->plan->build->acc, f);
	struct head_at at = { .name = { family } };
	struct head *h = &r->plan->head;
	char text[32];

	snprintf(text, sizeof(text), "%04x:%02x:%02x.%x", f->seg & 0xffff,
	    f->bus & 0xff, f->dev & 0x1f, f->fn & 7);
	if (pkg < 0) {
		plan_note(r->plan, "%s: neither its bus nor sysfs "
		    "(numa_node) tells the package of PCI function %s", family,
		    text);
		return 0;
	}
	at.n[0] = (unsigned)pkg;
	at.n[1] = number[pkg]++;
	head_declare(h, HEAD_RAW_FUNCTION, at);
	head_put_text(h, HEAD_RAW_FUNCTION, at, text);
	return plan_raw_add(r,
	    (uint32_t[]){ (uint32_t)at.n[0], (uint32_t)at.n[1] },
	    addr, topo->pkg[pkg].first_lproc, pkg);
}

static int
add_functions(struct raw_run *r)
{
	struct access *acc = r->plan->build->acc;
	unsigned number[MAX_PKG] = { 0 }, vendor, device, found = 0;
	struct functions all;
	int rc = 0;

	if (functions_load(&all, acc) < 0)
		rc = plan_no_memory(r->plan);
	for (unsigned i = 0; rc == 0 && i < all.n; i++) {
		if (!function_number(acc, &all.f[i], "vendor", &vendor) ||
		    !function_number(acc, &all.f[i], "device", &device) ||
		    vendor != r->raw->vendor || device != r->raw->device)
			continue;
		found++;
		rc = plan_raw_add_function(r, &all.f[i], number);
	}
	functions_free(&all);
	if (rc == 0 && found == 0)
		plan_note(r->plan, "%s: this node has no PCI function "
		    "%04x:%04x", r->like.id.family->name, r->raw->vendor,
		    r->raw->device);
	return rc;
}

/* A physical address: one column of the node, read where package 0 is. */
static int
add_mmio(struct raw_run *r)
{
	const struct package *pkg = &r->plan->build->topo->pkg[0];

	return plan_raw_add(r, (uint32_t[]){ 0, 0 },
	    (struct reg_addr){ .space = REG_MMIO }, pkg->first_lproc, 0);
}

static int
plan_raw_add_units(struct raw_run *r)
{
	switch (r->raw->of) {
	case RAW_PCI:
		return add_functions(r);
	case RAW_MMIO:
		return add_mmio(r);
	default:
		return add_msrs(r);
	}
}

int
plan_raw(struct plan *plan, const struct want *w)
{
	const struct raw_read *raw = w->raw;
	struct raw_run r = { .plan = plan, .raw = raw, .like = {
	    .bits = raw->gauge ? 0 : raw->bits,
	    .cls = raw->gauge ? CLASS_READING : CLASS_RAW } };
	struct head *h = &plan->head;
	int rc;

	r.bytes = raw_in_dwords(raw->of) && raw->bits <= 32 ? 4 : 8;
	r.like.id.nindex = raw->of == RAW_PCI ? 2 : raw->of == RAW_MMIO ? 0 : 1;
	if (raw->bits < r.bytes * 8) {
		r.like.print = PRINT_LOW;
		r.like.base = raw->bits;
	}
	r.like.id.family = plan_family(plan, w->name, r.like.bits, NULL);
	if (r.like.id.family == NULL)
		return plan_no_memory(plan);
	head_declare(h, HEAD_RAW_READ, ALONE);
	head_put_text(h, HEAD_RAW_READ, OF(w->name), raw->statement);
	if ((rc = plan_raw_add_units(&r)) < 0)
		return rc;
	if (r.n > 0 && r.zeros == r.n)
		plan_remark(plan, "%s: reads 0 everywhere: a register that is "
		    "not implemented, or that has not counted yet", w->name);
	return plan_head_error(plan);
}
