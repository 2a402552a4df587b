/*
 * topology/topo.c - logical processors and packages, from
 * /sys/devices/system.
 */
#include "topology/topo.h"

#include "lib/printable.h"
#include "regs/made.h"
#include "regs/perf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- buses of the uncore ------------------------------------------------ */

/*
 * Which PCI buses a package's uncore is on, from the hardware's own registers and
 * never from constants.
 */

/* SKX: MSR 0x300, bytes 0..5 are BUS0..BUS5 of this package, bit 63 says that
 * they are valid (reference 7.1). */
static void
buses_from_msr_300(struct package *pkg, struct access *acc)
{
	struct reg_addr addr = { REG_MSR, 8, pkg->first_lproc, 0x300 };
	uint64_t raw;

	if (access_read(acc, &addr, &raw) < 0 || raw == ABSENT ||
	    !(raw >> 63))
		return;
	for (int role = 0; role < 6; role++) {
		int bus = raw >> 8 * role & 0xff;

		/* only BUS0 of the first package may be bus 0 */
		if (bus != 0 || role == 0)
			pkg->bus[role] = bus;
	}
}

static uint32_t
buses_dword(struct access *acc, unsigned bus, unsigned devfn, unsigned offset)
{
	struct reg_addr addr = { REG_PCI, 4, PCI_UNIT(0, bus, devfn), offset };
	uint64_t raw;

	return access_read(acc, &addr, &raw) < 0 ? UINT32_MAX : (uint32_t)raw;
}

static bool
has_function(struct access *acc, unsigned bus, unsigned devfn, uint16_t devid)
{
	return buses_dword(acc, bus, devfn, 0) == ((uint32_t)devid << 16 |
	    0x8086);
}

/* The other bus of the package whose UBOX is on `bus`.  A bus without a UBOX
 * belongs to the next higher one that has it (reference 6.1). */
static int
other_bus(const struct ubox_bus *ubox, struct access *acc, unsigned bus)
{
	if (ubox->io_devid == 0)
		return (int)bus + 1;
	while (bus-- > 0 && !has_function(acc, bus, ubox->devfn, ubox->devid))
		if (has_function(acc, bus, ubox->io_devfn, ubox->io_devid))
			return (int)bus;
	return -1;
}

/* By the UBOX's function (reference 6.1, 8.1).  At most eight packages share
 * a node, all in PCI segment 0. */
static void
buses_from_ubox(struct topo *topo, struct access *acc)
{
	const struct ubox_bus *ubox = &topo->model->ubox;

	for (unsigned bus = 0; bus < 256; bus++) {
		uint32_t map;
		int node;

		if (!has_function(acc, bus, ubox->devfn, ubox->devid))
			continue;
		node = buses_dword(acc, bus, ubox->devfn, ubox->node_reg) & 7;
		map = buses_dword(acc, bus, ubox->devfn, ubox->map_reg);
		for (unsigned p = 0; p < topo->npkg; p++) {
			struct package *pkg = &topo->pkg[p];

			if (pkg->id < 0 || pkg->id > 7 || pkg->bus[0] >= 0 ||
			    (int)(map >> 3 * pkg->id & 7) != node)
				continue;
			pkg->nodeid = node;
			pkg->bus[0] = (int)bus;
			pkg->bus[1] = other_bus(ubox, acc, bus);
			break;
		}
	}
}

static bool
share_a_bus(const struct package *a, const struct package *b)
{
	for (int i = 0; i < MAX_BUS; i++)
		for (int k = 0; k < MAX_BUS; k++)
			if (a->bus[i] >= 0 && a->bus[i] == b->bus[k])
				return true;
	return false;
}

/* Each PCI segment has buses 0 to 255 of its own, and MSR 0x300 does not tell the
 * segment.  Where two packages report the same bus, nobody knows which of them a
 * function belongs to. */
static void
drop_shared(struct topo *topo)
{
	for (unsigned p = 0; p < topo->npkg; p++)
		for (unsigned q = 0; q < topo->npkg; q++)
			topo->pkg[p].bus_shared |= q != p &&
			    share_a_bus(&topo->pkg[p], &topo->pkg[q]);
	for (unsigned p = 0; p < topo->npkg; p++)
		for (int role = 0; role < MAX_BUS; role++)
			if (topo->pkg[p].bus_shared)
				topo->pkg[p].bus[role] = -1;
}

/* buses_load - fill in pkg[].bus and seg by the model's method; a bus that is not
 * found stays -1. */
static void
buses_load(struct topo *topo, struct access *acc)
{
	for (unsigned p = 0; p < topo->npkg; p++) {
		struct package *pkg = &topo->pkg[p];

		for (int role = 0; role < MAX_BUS; role++)
			pkg->bus[role] = -1;
		pkg->nodeid = -1;
		if (topo->model == NULL || pkg->nlproc == 0)
			continue;
		switch (topo->model->bus_method) {
		case BUS_MSR_300:
			buses_from_msr_300(pkg, acc);
			break;
		default:
			break;
		}
	}
	if (topo->model != NULL && topo->model->bus_method == BUS_UBOX)
		buses_from_ubox(topo, acc);
	drop_shared(topo);
}

/* ---- lprocs and packages ------------------------------------------------ */

#define CPU_DIR "/sys/devices/system/cpu"

struct marks {
	struct topo *topo;
	unsigned highest;
};

static void
mark_highest(void *ctx, unsigned n)
{
	struct marks *m = ctx;

	if (n + 1 > m->highest)
		m->highest = n + 1;
}

static void
mark_exists(void *ctx, unsigned n)
{
	((struct marks *)ctx)->topo->lproc[n].exists = true;
}

static void
mark_online(void *ctx, unsigned n)
{
	struct lproc *lp = &((struct marks *)ctx)->topo->lproc[n];

	lp->exists = lp->online = true;
}

/* Lists the packages by ascending id; ids may have gaps, indices do not. */
static int
load_packages(struct topo *topo, const int *pkg_id, struct diag *why)
{
	for (unsigned n = 0; n < topo->nlproc; n++) {
		unsigned p = 0;

		if (!topo->lproc[n].online)
			continue;
		while (p < topo->npkg && topo->pkg[p].id < pkg_id[n])
			p++;
		if (p < topo->npkg && topo->pkg[p].id == pkg_id[n])
			continue;
		if (topo->npkg == MAX_PKG)
			return diag_set(why, -E2BIG, "this node has more than "
			    "%d packages", MAX_PKG);
		memmove(&topo->pkg[p + 1], &topo->pkg[p],
		    (topo->npkg - p) * sizeof(topo->pkg[0]));
		topo->npkg++;
		topo->pkg[p] = (struct package){ .id = pkg_id[n], .node = -1 };
	}
	for (unsigned n = 0; n < topo->nlproc; n++) {
		struct lproc *lp = &topo->lproc[n];
		unsigned p = 0;

		if (!lp->online)
			continue;
		while (topo->pkg[p].id != pkg_id[n])
			p++;
		lp->pkg = (int)p;
		if (topo->pkg[p].nlproc++ == 0) {
			topo->pkg[p].first_lproc = n;
			topo->pkg[p].node = lp->node;
		}
	}
	return 0;
}

static void
load_host(struct topo *topo, struct access *acc)
{
	char buf[sizeof(topo->host)];

	if (access_slurp(acc, "/proc/sys/kernel/hostname", buf,
	    sizeof(buf)) <= 0 && gethostname(buf, sizeof(buf) - 1) < 0)
		strcpy(buf, "localhost");
	buf[sizeof(buf) - 1] = '\0';
	buf[strcspn(buf, ".")] = '\0';
	/* the name will be part of file names and of quoted strings */
	for (char *p = printable(buf); *p != '\0'; p++)
		if (*p == '/' || *p == '"' || *p == '\\' || *p < ' ')
			*p = '_';
	strcpy(topo->host, buf[0] != '\0' ? buf : "localhost");
}

/* An Arm model is known by its core and by a PMU, as several SoCs have that core. */
static const struct model *
arm_model(const struct topo *topo, struct access *acc)
{
	for (const struct model *const *m = models; *m != NULL; m++)
		if ((*m)->midr != 0 && model_arm(topo->cpu.midr,
		    (*m)->needs_pmu) == *m &&
		    pmu_each(acc, (*m)->needs_pmu, NULL, NULL) > 0)
			return *m;
	return NULL;
}

/* Finds the model in the tables, or makes one of what the CPU announces. */
static int
topo_identify(struct topo *topo, struct access *acc, unsigned lproc)
{
	cpu_id_load(&topo->cpu, acc, lproc);
	topo->model = model_find(topo->cpu.vendor, topo->cpu.family,
	    topo->cpu.model, topo->cpu.stepping);
	if (topo->model == NULL && topo->cpu.midr != 0)
		topo->model = arm_model(topo, acc);
	return topo->model != NULL ? 0 : made_load(topo, acc, lproc);
}

/* Finds how many counters a core has, for a model with tables. */
static void
count_counters(struct topo *topo, struct access *acc, unsigned lproc,
    bool threaded)
{
	if (topo->made != NULL)
		return;
	cpu_id_assume(&topo->cpu, topo->model, threaded);
	core_answers(&topo->cpu, topo->model, acc, lproc);
}

int
topo_load(struct topo *topo, struct access *acc, struct diag *why)
{
	struct marks m = { .topo = topo };
	unsigned first = 0;
	bool threaded = false;
	int *pkg_id, rc;

	memset(topo, 0, sizeof(*topo));
	if ((rc = cpulist_file(acc, CPU_DIR "/online", MAX_LPROCS, mark_highest,
	    &m)) < 0)
		return diag_set(why, rc, CPU_DIR "/online: %s (is /sys "
		    "mounted?)", strerror(-rc));
	if (m.highest == 0)
		return diag_set(why, -ENODATA, CPU_DIR "/online lists no CPU: "
		    "is /sys mounted whole?");
	cpulist_file(acc, CPU_DIR "/present", MAX_LPROCS, mark_highest, &m);
	topo->nlproc = m.highest;
	topo->lproc = calloc(topo->nlproc, sizeof(topo->lproc[0]));
	pkg_id = calloc(topo->nlproc, sizeof(pkg_id[0]));
	if (topo->lproc == NULL || pkg_id == NULL) {
		free(pkg_id);
		return diag_set(why, -ENOMEM, "out of memory");
	}
	for (unsigned n = 0; n < topo->nlproc; n++)
		topo->lproc[n] = (struct lproc){ .pkg = -1, .die = -1,
		    .core = -1, .thread = -1, .node = -1, .module = -1,
		    .l3 = -1, .l3_id = -1, .ccx = -1, .ccd = -1 };
	cpulist_file(acc, CPU_DIR "/present", topo->nlproc, mark_exists, &m);
	cpulist_file(acc, CPU_DIR "/online", topo->nlproc, mark_online, &m);
	if (lprocs_load(topo, acc, pkg_id) < 0) {
		free(pkg_id);
		return diag_set(why, -ENOMEM, "out of memory");
	}
	while (first + 1 < topo->nlproc && !topo->lproc[first].online)
		first++;
	if ((rc = topo_identify(topo, acc, first)) < 0 ||
	    (rc = apic_load(topo, acc, first, pkg_id)) < 0) {
		free(pkg_id);
		return diag_set(why, rc, "out of memory");
	}
	for (unsigned n = 0; n < topo->nlproc; n++) {
		threaded |= topo->lproc[n].online && topo->lproc[n].thread > 0;
		if (topo->model != NULL && topo->model->pkg_is_node &&
		    topo->lproc[n].node >= 0)
			pkg_id[n] = topo->lproc[n].node;
	}
	rc = load_packages(topo, pkg_id, why);
	free(pkg_id);
	if (rc < 0)
		return rc;
	if (complexes_load(topo, acc) < 0)
		return diag_set(why, -ENOMEM, "out of memory");
	count_counters(topo, acc, first, threaded);
	buses_load(topo, acc);
	if (made_boxes(topo, acc) < 0)
		return diag_set(why, -ENOMEM, "out of memory");
	load_host(topo, acc);
	return 0;
}

void
topo_free(struct topo *topo)
{
	if (topo == NULL)
		return;
	free(topo->lproc);
	topo->lproc = NULL;
	if (topo->made != NULL && topo->model == &topo->made->model)
		topo->model = NULL;
	free(topo->made);
	topo->made = NULL;
}

unsigned
topo_first(const struct topo *topo)
{
	return topo->npkg > 0 ? topo->pkg[0].first_lproc : 0;
}
