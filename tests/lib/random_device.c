/*
 * tests/lib/random_device.c - a device that answers as it likes, and remembers who wrote what.
 */
#include "tests/lib/random_device.h"

#include "regs/sideband.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LPROCS 4
#define KEPT 4096               /* registers that were looked at; 2^n */

struct rdev_kept {
	struct reg_addr addr;   /* space REG_NONE: none */
	uint32_t unit;          /* whose it is, of those who may ask */
	uint64_t now, found;
	uint64_t deaf;          /* bits that take no value */
	bool control;           /* in_tables */
	bool written;
};

/* ---- what it says ------------------------------------------------------- */

uint8_t
rdev_byte(struct random_device *w)
{
	if (w->data < w->end)
		return *w->data++;
	w->random = w->random * 6364136223846793005u + 1442695040888963407u;
	return (uint8_t)(w->random >> 56);
}

static uint64_t
number(struct random_device *w, unsigned bytes)
{
	uint64_t n = 0;

	while (bytes-- > 0)
		n = n << 8 | rdev_byte(w);
	return n;
}

/* Once in `of` times; 0: never. */
static bool
now_and_then(struct random_device *w, unsigned of)
{
	return of != 0 && number(w, 2) % of == 0;
}

/* The id that a function of the model has, whatever its bus; 0: none. */
static uint32_t
id_of(const struct model *m, unsigned bus, unsigned devfn)
{
	uint16_t id = 0;

	for (const struct box_type *t = m->box; t->name != NULL; t++)
		for (unsigned i = 0; t->space == REG_PCI && t->devid != NULL &&
		    i < t->instances; i++)
			if (t->devfn[i] == devfn)
				id = t->devid[i];
	if (m->capid.offset[0] != 0 && m->capid.devfn == devfn)
		id = m->capid.devid;
	if (m->mmio.devid != 0 && m->mmio.devfn == devfn)
		id = m->mmio.devid;
	if (m->bus_method == BUS_UBOX && m->ubox.devfn == devfn)
		id = bus % 128 == 127 ? m->ubox.devid : 0;
	if (m->soc != NULL && bus == 0 && devfn == 0)
		id = m->soc->bridge_lo;
	return id != 0 ? (uint32_t)id << 16 | 0x8086 : 0;
}

/* What it would be on a node that works; ABSENT: anything. */
static uint64_t
likely(const struct random_device *w, const struct reg_addr *a)
{
	const struct model *m = w->model;
	unsigned bus = a->unit >> 8 & 0xff, devfn = a->unit & 0xff;
	uint32_t id;

	if (a->space == REG_MSR && m->bus_method == BUS_MSR_300 &&
	    a->offset == 0x300)
		return a->unit < LPROCS / 2 ? 0x80005040302010ffu & ~0xffull :
		    0x800095949392918fu;
	if (a->space != REG_PCI)
		return ABSENT;
	if (a->offset == 0)
		return (id = id_of(m, bus, devfn)) != 0 ? id : UINT32_MAX;
	if (m->bus_method == BUS_UBOX && devfn == m->ubox.devfn &&
	    a->offset == m->ubox.node_reg)
		return bus / 128;
	if (m->bus_method == BUS_UBOX && devfn == m->ubox.devfn &&
	    a->offset == m->ubox.map_reg)
		return 1 << 3;
	return ABSENT;
}

/* The first answer of a register. */
static uint64_t
first_answer(struct random_device *w, const struct reg_addr *a, bool control)
{
	uint64_t is = likely(w, a);
	bool odd = rdev_byte(w) < w->rough;

	if (is != ABSENT && !odd)
		return is;
	if (control && !odd)
		return 0;
	if (odd && now_and_then(w, 16))
		return a->bytes == 4 ? UINT32_MAX : ABSENT;
	return number(w, a->bytes);
}

/* 0, or what goes wrong instead. */
static int
trouble(struct random_device *w)
{
	static const int errors[] = { EIO, EIO, ENXIO, EPERM, EINTR, ENODEV };

	if ((w->late && !w->programming) || !now_and_then(w, w->trouble))
		return 0;
	return -errors[rdev_byte(w) % (sizeof(errors) / sizeof(errors[0]))];
}

/* The uncore's MSRs are the package's, asked for through any of its lprocs. */
static uint32_t
unit_of(const struct reg_addr *a)
{
	return a->space == REG_MSR && a->offset >= 0x700 ? a->unit & ~1u :
	    a->unit;
}

/* Where a register is kept, or would be; NULL: there is no room. */
static struct rdev_kept *
place_of(const struct random_device *w, const struct reg_addr *a)
{
	uint32_t unit = unit_of(a);
	uint64_t key = (a->offset * 31 + unit) * 31 + a->space;
	size_t i = key * 0x9e3779b97f4a7c15u >> 52;

	for (unsigned n = 0; n < KEPT; n++, i = (i + 1) % KEPT) {
		struct rdev_kept *k = &w->kept[i];

		if (k->addr.space == REG_NONE ||
		    (k->addr.space == a->space && k->unit == unit &&
		    k->addr.offset == a->offset))
			return k;
	}
	return NULL;
}

/* ---- what may be written ------------------------------------------------ */

static bool
is_control(const struct box_type *t, unsigned inst, uint64_t reg)
{
	/* within the instance, as in the tables */
	uint32_t at = (uint32_t)reg - box_reg(t, inst, 0);

	if (reg >> 32 != 0)
		return false;
	for (unsigned c = 0; t->ctl != 0 && c < t->counters; c++) {
		uint32_t ctl = t->ctl + c * t->ctl_step;

		/* the high half of one of 64 bits in PCI space */
		if (at == ctl || (t->space == REG_PCI && t->ctl_step == 8 &&
		    at == ctl + 4))
			return true;
	}
	for (unsigned f = 0; f < MAX_FILTERS && t->filter[f].name != NULL; f++)
		if (at == t->filter[f].reg)
			return true;
	return (t->box_ctl != 0 && at == t->box_ctl) ||
	    (t->fixed.ctl != 0 && at == t->fixed.ctl);
}

/* What a PCI register held as found; 0: nobody looked. */
static uint64_t
found(const struct random_device *w, uint32_t unit, uint64_t offset)
{
	struct reg_addr addr = { REG_PCI, 4, unit, offset };
	const struct rdev_kept *k = place_of(w, &addr);

	return k != NULL ? k->found : 0;
}

/* Is it a control of an instance behind a BAR that the device has told? */
static bool
behind_bar(const struct random_device *w, const struct box_type *t, unsigned inst,
    uint64_t at)
{
	const struct mmio_bars *bars = &w->model->mmio;
	unsigned reg;

	if (t->unit_of == NULL)         /* a table would, and there is none */
		return false;
	reg = bars->offset_reg + 4u * t->unit_of[inst];
	for (unsigned i = 0; i < w->nbar; i++)
		if (is_control(t, inst, at -
		    ((found(w, w->bar[i], bars->base_reg) & bars->base_mask)
		    << bars->base_shift) - ((found(w, w->bar[i], reg) &
		    bars->offset_mask) << bars->offset_shift)))
			return true;
	return false;
}

static bool
of_box(const struct random_device *w, const struct box_type *t, unsigned inst,
    const struct reg_addr *a)
{
	if (t->space != a->space)
		return false;
	if (t->space == REG_PCI && t->devfn[inst] != (a->unit & 0xff))
		return false;
	if (t->space == REG_MMIO && !w->fickle)
		return behind_bar(w, t, inst, a->offset);
	return is_control(t, inst, t->space == REG_MMIO ? (a->offset & 0xfff) |
	    (box_reg(t, inst, t->ctl) & ~0xfffu) : a->offset);
}

static bool
in_tables(const struct random_device *w, const struct reg_addr *a)
{
	const struct model *m = w->model;

	for (const struct box_type *t = m->box; t->name != NULL; t++)
		for (unsigned i = 0; i < t->instances; i++)
			if (of_box(w, t, i, a))
				return true;
	if (m->soc != NULL && a->space == REG_SIDEBAND)
		return a->unit >> 8 == m->soc->counter_port ||
		    a->unit >> 8 == m->soc->mux_port;
	/* its mailbox */
	if (m->soc != NULL && a->space == REG_PCI && a->unit == 0)
		return a->offset >= 0xd0 && a->offset <= 0xd8;
	if (a->space != REG_MSR || a->unit >= LPROCS)
		return false;
	if (m->core == model_any_x86.core)
		return (a->offset >= m->core->ctl &&
		    a->offset < m->core->ctl + w->counters) ||
		    a->offset == MSR_FIXED_CTR_CTRL ||
		    a->offset == MSR_PERF_GLOBAL_CTRL;
	return is_control(m->core, 0, a->offset) ||
	    a->offset == MSR_FIXED_CTR_CTRL ||
	    a->offset == MSR_PERF_GLOBAL_CTRL ||
	    (m->global_ctl != 0 && a->offset == m->global_ctl);
}

static struct rdev_kept *
keep(struct random_device *w, const struct reg_addr *a)
{
	struct rdev_kept *k = place_of(w, a);

	if (k == NULL || k->addr.space != REG_NONE)
		return k;
	k->control = in_tables(w, a);
	k->addr = *a;
	k->unit = unit_of(a);
	k->found = k->now = first_answer(w, a, k->control);
	k->deaf = now_and_then(w, w->deaf) ? number(w, a->bytes) : 0;
	if (a->space == REG_PCI && a->offset == w->model->mmio.base_reg &&
	    (a->unit & 0xff) == w->model->mmio.devfn && w->nbar < 8)
		w->bar[w->nbar++] = a->unit;
	return k;
}

static void
wrong(struct random_device *w, const char *what, const struct reg_addr *a)
{
	char text[96];

	if (w->to->wrong[0] == '\0')
		snprintf(w->to->wrong, sizeof(w->to->wrong), "%s: %s", what,
		    reg_addr_text(a, text, sizeof(text)));
}

/* ---- the device --------------------------------------------------------- */

static int
rdev_read(struct access *acc, const struct reg_addr *a, uint64_t *raw)
{
	struct random_device *w = (struct random_device *)acc;
	struct rdev_kept *k;
	int rc;

	if (a->space == REG_SIDEBAND)
		return sideband_read(acc, a, raw);
	if (a->space != REG_MSR && a->space != REG_PCI && a->space != REG_MMIO)
		return -ENOTSUP;
	if (a->bytes == 8 && a->space == REG_PCI)
		return -EINVAL;
	if ((rc = trouble(w)) < 0)
		return rc;
	k = keep(w, a);
	if (k == NULL || (w->fickle && rdev_byte(w) < 64))
		*raw = number(w, a->bytes);
	else if (!k->control && a->space != REG_PCI &&
	    likely(w, a) == ABSENT)
		*raw = k->now += rdev_byte(w);       /* it counts */
	else
		*raw = k->now;
	if (a->bytes == 4)
		*raw &= UINT32_MAX;
	return 0;
}

static int
rdev_write(struct access *acc, const struct reg_addr *a, uint64_t raw)
{
	struct random_device *w = (struct random_device *)acc;
	struct rdev_kept *k;
	int rc;

	w->to->writes++;
	if (!in_tables(w, a))
		wrong(w, "written, and in no table", a);
	if (!w->programming && w->model->soc == NULL)
		wrong(w, "written before the start was past its checks", a);
	if (a->space == REG_SIDEBAND)
		return sideband_write(acc, a, raw);
	if ((rc = trouble(w)) < 0)
		return rc;
	if ((k = keep(w, a)) == NULL)
		return 0;
	k->now = (raw & ~k->deaf) | (k->now & k->deaf);
	k->written = true;
	return 0;
}

static void
nothing(struct access *acc)
{
	(void)acc;
}

/* Leaf 0xA says in EAX 15:8 how many counters there are, leaf 0x23.1 in EAX which. */
static void
announced(struct random_device *w, uint32_t leaf, uint32_t sub, const uint32_t *reg)
{
	unsigned n = 0;

	if (leaf == 0xa)
		n = reg[0] >> 8 & 0xff;
	while (leaf == 0x23 && sub == 1 && n < 32 && reg[0] >> n & 1)
		n++;
	if (n > w->counters)
		w->counters = n;
}

static ssize_t
rdev_file(struct access *acc, const char *path, uint64_t offset, void *buf,
    size_t size)
{
	static const struct { const char *path, *text; } files[] = {
		{ "/sys/devices/system/cpu/online", "0-3\n" },
		{ "/sys/devices/system/cpu/present", "0-3\n" },
		{ "/sys/devices/system/node/node0/cpulist", "0-1\n" },
		{ "/sys/devices/system/node/node1/cpulist", "2-3\n" },
		{ "/proc/iomem", "e0000000-efffffff : PCI MMCONFIG 0000 "
		    "[bus 00-ff]\n" },
	};
	struct random_device *w = (struct random_device *)acc;
	char text[256] = "";
	unsigned l;

	if (strcmp(path, "/proc/cpuinfo") == 0)
		snprintf(text, sizeof(text), "vendor_id : GenuineIntel\n"
		    "cpu family : 6\nmodel : %u\nstepping : %u\n\n",
		    w->cpu, w->stepping);
	else if (sscanf(path, "/sys/devices/system/cpu/cpu%u/topology/"
	    "physical_package_id", &l) == 1 && strstr(path, "_package") != NULL)
		snprintf(text, sizeof(text), "%u\n", l / 2);
	else if (strstr(path, "/topology/core_id") != NULL)
		snprintf(text, sizeof(text), "0\n");
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (strcmp(path, files[i].path) == 0)
			snprintf(text, sizeof(text), "%s", files[i].text);
	if (sscanf(path, "/dev/cpu/%u/cpuid", &l) == 1) {
		uint32_t leaf[4] = { 0x07300404, 0, 0, 0x603 };

		for (unsigned i = 0; rdev_byte(w) < 24 && i < 4; i++)
			leaf[i] = (uint32_t)number(w, 4);
		announced(w, (uint32_t)offset, (uint32_t)(offset >> 32), leaf);
		memcpy(buf, leaf, size < sizeof(leaf) ? size : sizeof(leaf));
		return (ssize_t)(size < sizeof(leaf) ? size : sizeof(leaf));
	}
	if (text[0] == '\0')
		return -ENOENT;
	if (offset >= strlen(text))
		return 0;
	return snprintf(buf, size, "%s", text + offset);
}

static int
rdev_list(struct access *acc, const char *dir,
    void (*each)(void *, const char *), void *ctx)
{
	(void)acc;
	(void)dir;
	(void)each;
	(void)ctx;
	return -ENOENT;
}

static void
rdev_now(struct access *acc, struct stamp *now)
{
	struct random_device *w = (struct random_device *)acc;

	w->mono += 1000;
	*now = (struct stamp){ w->mono * 2, w->mono, w->mono };
}

static int
rdev_sleep(struct access *acc, uint64_t mono_ns, const sigset_t *unblocked)
{
	struct random_device *w = (struct random_device *)acc;

	(void)unblocked;
	if (w->mono < mono_ns)
		w->mono = mono_ns;
	return 0;
}

static int
rdev_visit(struct access *acc, unsigned lproc)
{
	return lproc < LPROCS ? trouble((struct random_device *)acc) : -EINVAL;
}

static const struct host_ops rdev_host = {
	.file = rdev_file, .list = rdev_list, .now = rdev_now,
	.sleep = rdev_sleep,
};

static const struct access_ops rdev_ops = {
	.name = "random", .read = rdev_read, .write = rdev_write,
	.close = nothing, .host = &rdev_host, .visit = rdev_visit,
	.simulated = true,
};

/* A device that keeps what it is told has got it back, or somebody said no. */
void
rdev_look(struct random_device *w)
{
	for (unsigned i = 0; i < KEPT && w->to->told == 0; i++) {
		const struct rdev_kept *k = &w->kept[i];

		if (k->written && k->now != k->found)
			wrong(w, "not as found, and nobody says so", &k->addr);
	}
}

void
rdev_init(struct random_device *w, const uint8_t *data, size_t size, struct rdev_end *to)
{
	*to = (struct rdev_end){ .model = "" };
	*w = (struct random_device){ .acc = { .ops = &rdev_ops }, .data = data,
	    .end = data + size, .random = size, .mono = 1000000000,
	    .kept = calloc(KEPT, sizeof(struct rdev_kept)), .to = to };
	if (w->kept == NULL)
		abort();
	for (size_t i = 0; i < size; i++)
		w->random = (w->random ^ data[i]) * 0x9e3779b97f4a7c15u;
}

void
rdev_fini(struct random_device *w)
{
	free(w->kept);
}
