/*
 * topology/inventory.c - which boxes this node has, and why others are absent.  Writes
 * nothing.
 */
#include "topology/inventory.h"

#include "regs/sideband.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL_ONES 0xffffffffu
#define PCI_DIR "/sys/bus/pci/devices"

struct reg_addr
unit_addr(const struct unit *u, uint32_t reg, unsigned bytes)
{
	return (struct reg_addr){ .space = u->space,
	    .bytes = (uint8_t)(u->space == REG_MSR ? 8 : bytes),
	    .unit = u->where,
	    .offset = u->base + box_reg(u->type, u->inst, reg) };
}

unsigned
unit_counters(const struct box_type *type, const struct cpu_id *cpu)
{
	unsigned n = type->counters;

	if (type->presence == PRESENT_CPUID && cpu->announced[type->announced] < n)
		n = cpu->announced[type->announced];
	return n;
}

bool
unit_box_ctl(const struct unit *u)
{
	return u->type->box_ctl != 0 || u->type->table.laid;
}

/* Why a bus is not known. */
static const char *
no_bus(const struct package *pkg)
{
	return pkg->bus_shared ? "another package reports the same PCI bus: they "
	    "are in different PCI segments, and which is in which is not known"
	    : "its PCI bus is unknown";
}

static uint32_t
pci_unit(const struct package *pkg, unsigned bus, unsigned devfn)
{
	return PCI_UNIT(pkg->seg, pkg->bus[bus], devfn);
}

/* Returns rc where it does not tell whether a register exists, else 0.  EIO means that
 * the processor has no such register, or that the access failed. */
static int
says_nothing(uint8_t space, int rc)
{
	return rc == -EINTR || rc == -EMFILE || rc == -ENFILE ||
	    rc == -ENOMEM || rc == -EAGAIN || (rc == -EIO &&
	    space != REG_MSR) ? rc : 0;
}

/* The dword at an offset of a package's function; ALL_ONES if it cannot be
 * read, as the bus itself answers for a function that is not there.
 * error: set where that says nothing. */
static uint32_t
pci_dword(struct access *acc, uint32_t unit, unsigned offset, int *error)
{
	struct reg_addr addr = { REG_PCI, 4, unit, offset };
	uint64_t raw;
	int rc = access_read(acc, &addr, &raw);

	if (rc == 0)
		return (uint32_t)raw;
	if (*error == 0)
		*error = says_nothing(REG_PCI, rc);
	return ALL_ONES;
}

/* Why a register that exists cannot be read. */
static const char *
no_answer(const struct reg_addr *addr, int rc)
{
	if (addr->space == REG_PCI && rc == -EACCES)
		return "the kernel shows only the first bytes of it: run tallyd "
		    "with CAP_SYS_ADMIN (root outside a container has it)";
	return rc == -EIO ? "no such register" : strerror(-rc);
}

/* Which CHAs a package has, or why that is not known. */
struct chas {
	unsigned count;
	int error;
	char why[200];
};

static void
saw_function(void *ctx, const char *name)
{
	(void)name;
	*(bool *)ctx = true;
}

/* Why no PCI function answers at all, or NULL: the kernel lists none, and not even the host
 * bridge, which every node has, answers. */
static const char *
pci_hidden(struct access *acc)
{
	bool saw = false;
	int error = 0;

	access_list(acc, PCI_DIR, saw_function, &saw);
	return saw || pci_dword(acc, 0, 0, &error) != ALL_ONES ? NULL :
	    PCI_DIR " is empty or hidden here, as in a container";
}

/* Why a capability device does not answer as its model's does. */
static void
other_device(const struct package *pkg, const struct capid *cap, uint32_t id,
    struct access *acc, struct chas *chas)
{
	const char *hidden = id == ALL_ONES ? pci_hidden(acc) : NULL;

	if (hidden != NULL)
		snprintf(chas->why, sizeof(chas->why), "%s", hidden);
	else
		snprintf(chas->why, sizeof(chas->why), "capability device "
		    "%02x:%02x.%x reads id %08x, expected %04x8086",
		    pkg->bus[cap->bus], cap->devfn >> 3, cap->devfn & 7, id,
		    cap->devid);
}

/* Each set bit is a tile that is present; the boxes are numbered without gaps, so
 * their number is the popcount (reference 7.1, 8.1). */
static void
read_capid(const struct topo *topo, const struct package *pkg,
    struct access *acc, struct chas *chas)
{
	const struct capid *cap = &topo->model->capid;
	struct reg_addr addr = { .space = REG_PCI, .bytes = 4 };
	uint32_t unit, id;
	uint64_t raw;
	char text[64];
	int rc;

	if (pkg->bus[cap->bus] < 0) {
		snprintf(chas->why, sizeof(chas->why), "its capability "
		    "register: %s", no_bus(pkg));
		return;
	}
	unit = pci_unit(pkg, cap->bus, cap->devfn);
	id = pci_dword(acc, unit, 0, &chas->error);
	if (id != ((uint32_t)cap->devid << 16 | 0x8086)) {
		other_device(pkg, cap, id, acc, chas);
		return;
	}
	addr.unit = unit;
	for (int i = 0; i < 2 && cap->offset[i] != 0; i++) {
		addr.offset = cap->offset[i];
		if ((rc = access_read(acc, &addr, &raw)) < 0) {
			chas->error = says_nothing(REG_PCI, rc);
			snprintf(chas->why, sizeof(chas->why), "its capability "
			    "register (%s): %s", reg_addr_text(&addr, text, sizeof(text)),
			    no_answer(&addr, rc));
			return;
		}
		chas->count += (unsigned)__builtin_popcount((uint32_t)raw &
		    cap->mask[i]);
	}
}

/* How many cores of a package are online. */
static unsigned
count_cores(const struct topo *topo, unsigned pkg)
{
	unsigned n = 0;

	for (unsigned i = 0; i < topo->nlproc; i++) {
		const struct lproc *l = &topo->lproc[i], *first = topo->lproc;

		if (!l->online || l->pkg != (int)pkg)
			continue;
		while (first != l && (!first->online || first->pkg != l->pkg ||
		    first->die != l->die || first->core != l->core))
			first++;
		n += first == l;
	}
	return n;
}

/* How many units of u's type its package has; -1 with the reason in u. */
static int
read_count(struct unit *u, const struct topo *topo, struct access *acc)
{
	const struct box_count *c = u->type->count;
	const struct package *pkg = &topo->pkg[u->pkg];
	struct reg_addr addr = { c->space, c->space == REG_MSR ? 8 : 4,
	    pkg->first_lproc, c->reg };
	char text[64];
	uint64_t raw;
	unsigned n;
	int rc;

	if (c->space == REG_PCI) {
		addr.unit = pci_unit(pkg, c->bus, c->devfn);
		if (pci_dword(acc, addr.unit, 0, &u->error) !=
		    ((uint32_t)c->devid << 16 | 0x8086)) {
			unit_absent(u, "%s is hidden: no PCI function "
			    "%02x:%02x.%x with id 8086:%04x", c->name,
			    pkg->bus[c->bus], c->devfn >> 3, c->devfn & 7,
			    c->devid);
			return -1;
		}
	}
	if ((rc = access_read(acc, &addr, &raw)) < 0 && c->space == REG_PCI) {
		u->error = says_nothing(REG_PCI, rc);
		unit_absent(u, "%s (%s): %s", c->name, reg_addr_text(&addr, text,
		    sizeof(text)), no_answer(&addr, rc));
		return -1;
	}
	if (rc < 0)
		raw = 0;
	n = raw >> c->lo & ((2u << (c->hi - c->lo)) - 1);
	if (c->many != NULL)
		return c->many[n];
	if (c->or_cores && (n == 0 || n > u->type->instances))
		n = count_cores(topo, u->pkg);
	return (int)n;
}

/*
 * The physical address of the registers of the unit's memory controller; 0 with the
 * unit marked as absent.  A BAR of 0 or all ones was not set up by firmware
 * (reference 8.4).
 */
static uint64_t
mmio_base(struct unit *u, const struct topo *topo, const struct package *pkg,
    struct access *acc)
{
	const struct mmio_bars *bars = &topo->model->mmio;
	unsigned k = u->type->unit_of[u->inst];
	const char *hidden;
	uint32_t unit, id, base, offset, reg = bars->offset_reg + 4 * k;

	if (pkg->bus[bars->bus] < 0) {
		unit_absent(u, "its BAR: %s", no_bus(pkg));
		return 0;
	}
	unit = pci_unit(pkg, bars->bus, bars->devfn);
	id = pci_dword(acc, unit, 0, &u->error);
	if (id == ALL_ONES && (hidden = pci_hidden(acc)) != NULL) {
		unit_absent(u, "%s", hidden);
		return 0;
	}
	if (id != ((uint32_t)bars->devid << 16 | 0x8086)) {
		unit_absent(u, "BAR device %02x:%02x.%x reads id %08x, "
		    "expected %04x8086", pkg->bus[bars->bus],
		    bars->devfn >> 3, bars->devfn & 7, id, bars->devid);
		return 0;
	}
	base = pci_dword(acc, unit, bars->base_reg, &u->error);
	offset = pci_dword(acc, unit, reg, &u->error);
	if (base == ALL_ONES || (base & bars->base_mask) == 0)
		unit_absent(u, "base BAR (%02x:%02x.%x register 0x%x) "
		    "is %08x", pkg->bus[bars->bus], bars->devfn >> 3,
		    bars->devfn & 7, bars->base_reg, base);
	else if (offset == ALL_ONES || (offset & bars->offset_mask) == 0)
		unit_absent(u, "MEM%u BAR (%02x:%02x.%x register 0x%x) "
		    "is %08x", k, pkg->bus[bars->bus], bars->devfn >> 3,
		    bars->devfn & 7, reg, offset);
	else
		return ((uint64_t)(base & bars->base_mask) <<
		    bars->base_shift) + ((uint64_t)(offset &
		    bars->offset_mask) << bars->offset_shift);
	return 0;
}

/* Marks the unit as absent where this register of it does not answer. */
static void
probe_register(struct unit *u, struct access *acc, uint32_t reg)
{
	struct reg_addr addr = unit_addr(u, reg, 4);
	char text[64];
	uint64_t raw;
	int rc = access_read(acc, &addr, &raw);

	/* units that CAPID counts exist, so an EIO there is an error */
	u->error = u->type->presence == PRESENT_CAPID && rc == -EIO ? rc :
	    rc < 0 ? says_nothing(addr.space, rc) : 0;
	if (rc < 0 && addr.space == REG_MMIO)
		unit_absent(u, "%s: /dev/mem: %s%s", reg_addr_text(&addr, text,
		    sizeof(text)), strerror(-rc), rc == -EPERM ?
		    " (lockdown, or boot with iomem=relaxed)" : "");
	else if (rc < 0)
		unit_absent(u, "%s: %s", reg_addr_text(&addr, text, sizeof(text)),
		    no_answer(&addr, rc));
	else if (raw == ABSENT || (addr.bytes == 4 && raw == ALL_ONES))
		unit_absent(u, "%s reads all ones", reg_addr_text(&addr, text,
		    sizeof(text)));
}

/* Tries the unit's first register and, where only CPUID tells how many counters it
 * has, its last one. */
static void
inventory_probe(struct unit *u, struct access *acc)
{
	probe_register(u, acc, unit_box_ctl(u) ? u->type->box_ctl :
	    u->ctl != 0 ? u->ctl : u->ctr);
	if (u->present && u->type->presence == PRESENT_CPUID)
		probe_register(u, acc, u->ctr + (u->counters - 1u) *
		    u->ctr_step);
}

/* Checks that the message bus is that of the known SoC and works.  The counters' port
 * is not tried, as only the site's file tells which that is. */
static void
find_soc(struct unit *u, const struct topo *topo, struct access *acc)
{
	const struct soc *soc = topo->model->soc;
	struct diag why;

	u->where = SIDEBAND_UNIT(soc->counter_port, soc->opcode);
	if (sideband_unlock(acc, soc, topo->cpu.family, topo->cpu.model,
	    &why) < 0 || sideband_check(acc, soc, &why) < 0)
		unit_absent(u, "%s", why.text);
}

/* Finds the address of its registers, or marks it as absent. */
static void
find_where(struct unit *u, const struct topo *topo, struct access *acc)
{
	const struct box_type *type = u->type;
	const struct package *pkg = &topo->pkg[u->pkg];

	u->where = pkg->first_lproc;
	if (topo->model->bus_method != BUS_NONE && pkg->bus[0] < 0 &&
	    !pkg->bus_shared) {
		unit_absent(u, "this package reports no uncore buses (virtual "
		    "machine, or hidden by firmware)");
		return;
	}
	if (type->space == REG_PCI) {
		if (pkg->bus[type->bus] < 0) {
			unit_absent(u, "%s", no_bus(pkg));
			return;
		}
		u->where = pci_unit(pkg, type->bus, type->devfn[u->inst]);
	}
	if (type->space == REG_MMIO) {
		u->where = 0;
		u->base = mmio_base(u, topo, pkg, acc);
	}
}

/* Marks a unit as absent because its PCI function does not answer.  PCI requires
 * function 0 of a device wherever it has another function; so where function 0
 * answers, this one is hidden or does not exist. */
static void
no_function(struct unit *u, struct access *acc)
{
	unsigned bus = u->where >> 8 & 0xff, dev = u->where >> 3 & 0x1f;
	unsigned fn = u->where & 7;
	const char *hidden = pci_hidden(acc);
	int error = 0;

	if (hidden != NULL)
		unit_absent(u, "%s", hidden);
	else if (fn != 0 && pci_dword(acc, u->where & ~7u, 0, &error) != ALL_ONES)
		unit_absent(u, "no PCI function %02x:%02x.%x, though %02x:%02x.0 "
		    "is there: hidden by firmware, or not on this part", bus,
		    dev, fn, bus, dev);
	else
		unit_absent(u, "no PCI function %02x:%02x.%x", bus, dev, fn);
}

/* Checks the id of the unit's function; where the model does not know the device id,
 * the vendor has to be Intel. */
static void
check_id(struct unit *u, uint32_t id)
{
	const uint16_t *known = u->type->devid;
	char expected[16] = "8086";

	if (known != NULL)
		snprintf(expected, sizeof(expected), "8086:%04x",
		    known[u->inst]);
	if ((id & 0xffff) != 0x8086 ||
	    (known != NULL && id >> 16 != known[u->inst]))
		unit_absent(u, "PCI function %02x:%02x.%x has id %04x:%04x, "
		    "expected %s", u->where >> 8 & 0xff, u->where >> 3 & 0x1f,
		    u->where & 7, id & 0xffff, id >> 16, expected);
}

/* Finds out whether an instance is present on this CPU. */
static void
find_presence(struct unit *u, const struct topo *topo, struct access *acc,
    const struct chas *chas)
{
	const struct box_type *type = u->type;
	uint32_t id;
	int n;

	switch (type->presence) {
	case PRESENT_CAPID:
		u->error = chas->error;
		if (chas->why[0] != '\0')
			unit_absent(u, "%s", chas->why);
		else if (u->inst >= chas->count)
			unit_absent(u, "fused off: this part has %u", chas->count);
		break;
	case PRESENT_COUNT:
		if ((n = read_count(u, topo, acc)) >= 0 && u->inst >= n)
			unit_absent(u, "not on this part: it has %d (%s)", n,
			    type->count->name);
		break;
	case PRESENT_TABLE:
		if (type->count != NULL && (n = read_count(u, topo, acc)) > 0 &&
		    u->inst >= n)
			unit_absent(u, "not on this part: it has %d (%s)", n,
			    type->count->name);
		if (u->space != REG_PCI)
			break;
		/* fall through */
	case PRESENT_PCI_ID:
		id = pci_dword(acc, u->where, 0, &u->error);
		if (id == ALL_ONES)
			no_function(u, acc);
		else
			check_id(u, id);
		break;
	case PRESENT_UMC:
		unit_umc(u, &topo->pkg[u->pkg], acc);
		break;
	case PRESENT_CPUID:
		if (u->counters == 0)
			unit_absent(u, "CPUID announces no counters of it (a "
			    "virtual machine, or firmware hides them)");
		break;
	default:
		break;
	}
}

static void
find_unit(struct unit *u, const struct topo *topo, struct access *acc,
    const struct chas *chas, const struct discovery *found)
{
	int listed = 0;

	u->present = true;
	if (u->type->presence == PRESENT_TABLE && (listed = unit_listed(u,
	    found, &topo->pkg[u->pkg])) < 0)
		return;
	if (u->type->presence == PRESENT_SOC) {
		u->where = topo->pkg[u->pkg].first_lproc;
		find_soc(u, topo, acc);
		return;
	}
	if (u->type->scope == SCOPE_CCX)
		unit_of_ccx(u, topo);
	else if (listed == 0)
		find_where(u, topo, acc);
	if (u->present)
		find_presence(u, topo, acc, chas);
	if (u->present)
		inventory_probe(u, acc);
}

int
inventory_load(struct inventory *inv, const struct topo *topo,
    struct access *acc, struct diag *why)
{
	const struct box_type *type;
	struct chas chas[MAX_PKG] = { { .count = 0 } };
	bool table = false;
	unsigned n = 0;
	int rc;

	memset(inv, 0, sizeof(*inv));
	if (topo->model == NULL)
		return 0;
	for (type = topo->model->box; type->name != NULL; type++) {
		n += inventory_instances(topo, type) * topo->npkg;
		table |= type->presence == PRESENT_TABLE;
	}
	if (table && (rc = discovery_load(&inv->found, topo, acc, why)) < 0)
		return rc;
	if (n > 0 && (inv->unit = calloc(n, sizeof(inv->unit[0]))) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	for (unsigned p = 0; p < topo->npkg; p++)
		read_capid(topo, &topo->pkg[p], acc, &chas[p]);
	for (type = topo->model->box; type->name != NULL; type++)
		for (unsigned p = 0; p < topo->npkg; p++)
			for (unsigned i = 0; i < inventory_instances(topo,
			    type); i++) {
				struct unit *u = &inv->unit[inv->n++];

				*u = (struct unit){ .type = type,
				    .pkg = (uint16_t)p, .inst = (uint16_t)i,
				    .space = type->space,
				    .counters = (uint8_t)unit_counters(type,
				    &topo->cpu), .ctl = type->ctl,
				    .ctl_step = type->ctl_step, .ctr = type->ctr,
				    .ctr_step = type->ctr_step };
				find_unit(u, topo, acc, &chas[p], &inv->found);
			}
	return 0;
}

void
inventory_free(struct inventory *inv)
{
	if (inv == NULL)
		return;
	discovery_unload(&inv->found);
	free(inv->unit);
	memset(inv, 0, sizeof(*inv));
}

const struct unit *
inventory_find(const struct inventory *inv, const struct box_type *type,
    unsigned pkg, unsigned inst)
{
	for (unsigned i = 0; i < inv->n; i++)
		if (inv->unit[i].type == type && inv->unit[i].pkg == pkg &&
		    inv->unit[i].inst == inst)
			return &inv->unit[i];
	return NULL;
}
