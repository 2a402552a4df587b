/*
 * daemon/plan/plan_free.c - columns of registers that always count: per lproc,
 * core and package, the free-running ones of I/O stacks, and network ports.
 */
#include "daemon/plan/plan_int.h"

#include "config/lang/readable.h"
#include "topology/devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- registers by their address ----------------------------------------- */

/*
 * Registers that the user names by their address. tallyd knows nothing of them: it
 * reads them, and never writes them.
 */

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

/* A register of the user's own. */
static int
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

/* ---- registers that always run ------------------------------------------ */

struct column_id
freerun_id(const struct freerun *f, const struct family *family, unsigned pkg,
    unsigned inst)
{
	bool named = freerun_named(f);

	return (struct column_id){ .family = family, .nindex = named ? 1 : 2,
	    .index = { pkg, named ? 0 : inst } };
}

static uint64_t
freerun_hash(const struct column_id *id)
{
	return lookup_hash(lookup_text(0, id->family->name), id->index,
	    sizeof(id->index[0]) * id->nindex);
}

/* Does another statement have this column already? */
static bool
has_freerun(const struct plan *plan, const struct column_id *id)
{
	const struct lookup *l = &plan->build->freeruns;

	LOOKUP_EACH(i, l, freerun_hash(id))
		if (column_same(&plan->column[i].id, id))
			return true;
	return false;
}

/* Adds a column of a register that is read as often as the statement says. */
static int
add_read(struct plan *plan, const struct want *w, const struct column *c,
    const struct reg_addr *addr, unsigned lproc, int pkg)
{
	return w->every > 1 ? plan_add_slow(plan, c, addr, w->every, lproc,
	    pkg) :
	    plan_add_column(plan, c, addr, lproc, pkg);
}

/* Refuses two rates for one column. */
static int
check_rate(const struct plan *plan, const struct want *w, const struct family *f)
{
	unsigned every = w->every > 1 ? w->every : 1;

	return every == plan_every(plan, f) ? 0 : diag_at(plan->build->why,
	    w->file, w->line, "%s every %u: %s is read every %u already, by "
	    "another of its names", w->name, every, f->name,
	    plan_every(plan, f));
}

/* Adds the column of one port, unless another statement has it. */
static int
add_port_column(struct plan *plan, const struct want *w, const struct column *c,
    const struct reg_addr *addr, const struct unit *u)
{
	uint32_t at = plan->ncolumn;
	int rc;

	if (c->id.family == NULL)
		return plan_no_memory(plan);
	if (has_freerun(plan, &c->id))
		return check_rate(plan, w, c->id.family);
	rc = add_read(plan, w, c, addr,
	    plan->build->topo->pkg[u->pkg].first_lproc, (int)u->pkg);
	if (rc == 0 && lookup_add(&plan->build->freeruns,
	    freerun_hash(&c->id), at) < 0)
		return plan_no_memory(plan);
	return rc;
}

/* Adds the ports of one unit: those of family `only`, or all (NULL).  Returns how many,
 * or -errno. */
static int
add_freerun(struct plan *plan, const struct freerun *f, const struct unit *u,
    const struct want *w, const char *only)
{
	const struct topo *topo = plan->build->topo;
	unsigned ports = f->ports == 0 ? 1 : f->ports;
	struct column c = { .bits = f->bits, .mul = f->mul, .cls = f->cls };
	char name[96];
	int rc, n = 0;

	for (unsigned p = 0; p < ports; p++) {
		/* the number of an MSR does not depend on the box's base */
		struct reg_addr addr = { f->space, 8, u->where,
		    (f->space == REG_MSR ? 0 : u->base) +
		    freerun_reg(f, u->inst, p) };

		freerun_family(topo->model, f, u->inst, p, name, sizeof(name));
		if (only != NULL && strcmp(only, name) != 0)
			continue;
		n++;
		c.id = freerun_id(f, plan_family(plan, name, f->bits, NULL),
		    u->pkg, u->inst);
		if ((rc = add_port_column(plan, w, &c, &addr, u)) < 0)
			return rc;
	}
	return n;
}

/* Adds the free-running counters of a kind, or of one port's family.  Returns how many,
 * or -errno. */
static int
read_freerun(struct plan *plan, const struct want *w)
{
	const char *name = w->name;
	const struct freerun *f = plan->build->topo->model->freerun;
	const struct inventory *inv = plan->build->inv;
	const struct freerun *port = readable_port(plan->build->topo->model,
	    name);
	int rc, n = 0;

	for (unsigned p = 0; p < plan->build->topo->npkg; p++)
		for (unsigned i = 0; i < inv->n; i++) {
			const struct unit *u = &inv->unit[i];

			for (const struct freerun *k = f;
			    k != NULL && k->family != NULL; k++) {
				if (u->pkg != p || !u->present ||
				    (k != port && !readable_is(name, k)) ||
				    strcmp(k->box, u->type->name) != 0)
					continue;
				if ((rc = add_freerun(plan, k, u, w, k == port ?
				    name : NULL)) < 0)
					return rc;
				n += rc;
			}
		}
	return n;
}

#define MAX_PORTS 32
#define IB_DIR "/sys/class/infiniband"

struct ports {
	struct access *acc;
	char device[64];
	unsigned n, left_out;
	char path[MAX_PORTS][160];
};

static void
add_port(void *ctx, const char *name)
{
	struct ports *ps = ctx;

	if (ps->n == MAX_PORTS)
		ps->left_out++;
	else
		snprintf(ps->path[ps->n++], sizeof(ps->path[0]),
		    IB_DIR "/%s/ports/%.16s/counters", ps->device, name);
}

static void
add_device(void *ctx, const char *name)
{
	struct ports *ps = ctx;
	char dir[128];

	snprintf(ps->device, sizeof(ps->device), "%.63s", name);
	snprintf(dir, sizeof(dir), IB_DIR "/%s/ports", ps->device);
	access_list(ps->acc, dir, add_port, ps);
}

static int
plan_free_by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* InfiniBand and Omni-Path ports: sysfs counts words of 4 bytes. */
static int
read_ib(struct plan *plan, const struct want *w)
{
	static const struct { const char *family, *file; } dir[] = {
		{ "ib_recv_bytes", "port_rcv_data" },
		{ "ib_xmit_bytes", "port_xmit_data" },
	};
	struct access *acc = plan->build->acc;
	struct ports ps = { .acc = acc };
	struct column c = { .bits = 64, .mul = 4, .cls = CLASS_BYTES_NET };
	char path[256];
	int n = 0, rc;

	access_list(acc, IB_DIR, add_device, &ps);
	if (ps.left_out > 0)
		plan_note(plan, "ib: %u ports more than the %u that are read",
		    ps.left_out, MAX_PORTS);
	qsort(ps.path, ps.n, sizeof(ps.path[0]), plan_free_by_name);
	for (unsigned p = 0; p < ps.n; p++)
		for (unsigned d = 0; d < 2; d++) {
			struct reg_addr addr = { .space = REG_TEXT,
			    .bytes = 8 };

			snprintf(path, sizeof(path), "%s/%s", ps.path[p],
			    dir[d].file);
			if ((rc = access_text(acc, path)) < 0)
				continue;
			addr.unit = (uint32_t)rc;
			c.id = (struct column_id){ .family = plan_family(plan,
			    dir[d].family, 64, NULL),
			    .nindex = ps.n > 1, .index = { p } };
			if ((rc = add_read(plan, w, &c, &addr,
			    plan->build->topo->pkg[0].first_lproc, 0)) < 0)
				return rc;
			n++;
		}
	return n;
}

/* Is the counter enabled?  If not, notes so once a family. */
static bool
is_enabled(struct plan *plan, const struct scalar *s, unsigned index,
    unsigned lproc)
{
	const struct enabler *on = plan->build->topo->model->enabler;
	size_t n = strlen(s->family);
	struct reg_addr addr;
	uint64_t raw;

	while (on != NULL && on->family != NULL &&
	    strcmp(on->family, s->family) != 0)
		on++;
	if (on == NULL || on->family == NULL)
		return true;
	addr = (struct reg_addr){ REG_MSR, 8, lproc, on->reg };
	if (access_read(plan->build->acc, &addr, &raw) == 0 &&
	    (raw >> on->bit & 1) != 0)
		return true;
	for (unsigned i = 0; i < plan->absent.n; i++)
		if (strncmp(plan->absent.line[i], s->family, n) == 0 &&
		    plan->absent.line[i][n] == '[')
			return false;
	plan_note(plan, "%s[%u]: not enabled: bit %u (%s) of msr 0x%x is clear",
	    s->family, index, on->bit, on->name, on->reg);
	return false;
}

static int
add_scalar(struct plan *plan, const struct want *w, unsigned index,
    unsigned lproc)
{
	const struct scalar *s = scalar_named(plan->build->topo->model, w->name);
	const struct common_msrs *msr = model_msrs(plan->build->topo->model);
	struct reg_addr addr = { s->space, 8, lproc, s->reg };
	struct column c = { .bits = s->bits, .print = s->print,
	    .cls = s->cls };
	uint64_t raw;

	if (!is_enabled(plan, s, index, lproc))
		return 0;
	/* hypervisors answer 0 for registers that they lack: without its unit an
	 * energy cannot be told from noise */
	if (class_is_rapl(s->cls)) {
		struct reg_addr unit = { REG_MSR, 8, lproc, msr->energy_unit };

		if (access_read(plan->build->acc, &unit, &raw) < 0 ||
		    raw == 0) {
			plan_note(plan, "%s[%u]: msr 0x%x has no unit",
			    s->family, index, msr->energy_unit);
			return 0;
		}
	}
	if (s->print == PRINT_TEMP || s->print == PRINT_CORE_TEMP) {
		struct reg_addr tj = { REG_MSR, 8, lproc,
		    msr->temperature_target };

		if (access_read(plan->build->acc, &tj, &raw) < 0 ||
		    (raw >> 16 & 0xff) == 0) {
			plan_note(plan, "%s[%u]: msr 0x1a2 has no TjMax",
			    s->family, index);
			return 0;
		}
		c.base = raw >> 16 & 0xff;
	}
	c.id = (struct column_id){ .family = plan_family(plan, s->family,
	    s->bits, NULL), .nindex = 1, .index = { index } };
	return add_read(plan, w, &c, &addr, lproc, s->scope == SCOPE_PKG ?
	    (int)index : -1);
}

/* Adds consecutive scalars of one scope unit by unit, as the original prints them: all
 * registers of package 0, then all of package 1. */
static int
read_scalars(struct plan *plan, const struct want *first, unsigned n,
    enum reg_scope scope)
{
	const struct topo *topo = plan->build->topo;
	unsigned units = scope == SCOPE_PKG ? topo->npkg : topo->nlproc;
	int rc;

	for (unsigned u = 0; u < units; u++) {
		unsigned lproc = scope == SCOPE_PKG ?
		    topo->pkg[u].first_lproc : u;

		if (scope != SCOPE_PKG && (!topo->lproc[u].online ||
		    (scope == SCOPE_CORE && topo->lproc[u].thread != 0)))
			continue;
		for (unsigned i = 0; i < n; i++)
			if ((rc = add_scalar(plan, &first[i], u, lproc)) < 0)
				return rc;
	}
	return 0;
}

int
plan_scalar(struct plan *plan, const struct want *first, unsigned n)
{
	const struct model *m = plan->build->topo->model;

	for (unsigned i = 0; i < n;) {
		const struct want *w = &first[i];
		const struct scalar *s = scalar_named(m, w->name);
		int rc;

		if (w->raw != NULL || w->of_file != NULL) {
			if ((rc = w->raw != NULL ? plan_raw(plan, w) :
			    plan_file(plan, w)) < 0)
				return rc;
			i++;
			continue;
		}
		if (s != NULL) {
			unsigned k = i + 1;

			while (k < n && scalar_named(m, first[k].name) != NULL &&
			    scalar_named(m, first[k].name)->scope == s->scope)
				k++;
			if ((rc = read_scalars(plan, w, k - i, s->scope)) < 0)
				return rc;
			i = k;
			continue;
		}
		rc = strcmp(w->name, "ib") == 0 ? read_ib(plan, w) :
		    read_freerun(plan, w);
		if (rc < 0)
			return rc;
		if (rc == 0 && !w->optional)
			return diag_at(plan->build->why, w->file, w->line,
			    "this node has no %s", w->name);
		if (rc == 0)
			plan_note(plan, "%s: none on this node", w->name);
		i++;
	}
	return 0;
}
