/*
 * regs/sim/sim_files.c - the files of the simulated node, as Linux shows them
 * (reference: linux-access.md).  Their text is made at every reading, so the topology
 * directory of an lproc disappears when it goes offline.
 */
#include "regs/sim/sim_int.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- PCI functions in sysfs --------------------------------------------- */

/*
 * The PCI functions of the simulated node in sysfs: every function whose first dword
 * holds an id, with attributes by its registers and without a driver; class 0 is shown
 * as a system peripheral.  Files that the machine's text gives are used instead of
 * these.
 */

#define PCI_DIR "/sys/bus/pci/devices"

/* Reads vendor and device; false: the function has no id, or does not exist. */
static bool
sim_functions_id_of(struct sim *s, const struct sim_page *p, uint32_t *id)
{
	struct reg *r = p->dword[0];

	if (p->key >> 56 != REG_PCI || p->gone != 0 || r == NULL ||
	    r->kind == R_NONE)
		return false;
	*id = (uint32_t)reg_get(s, r);
	return *id != UINT32_MAX;
}

/* Reads a dword of its header. */
static uint32_t
dword_of(struct sim *s, const struct sim_page *p, unsigned offset)
{
	struct reg *r = p->dword[offset / 4];
	uint64_t raw = r != NULL && r->kind != R_NONE ? reg_get(s, r) : 0;

	return (uint32_t)(p->high[offset / 4] ? raw >> 32 : raw);
}

/* sim_functions - call each() with the name of every PCI function in sysfs. */
static void
sim_functions(struct sim *s, void (*each)(void *ctx, const char *name),
    void *ctx)
{
	char name[24];
	uint32_t id;

	for (unsigned i = 0; i < PAGE_SLOTS; i++)
		for (const struct sim_page *p = s->page[i]; p != NULL;
		    p = p->next) {
			unsigned unit = (unsigned)p->key;

			if (!sim_functions_id_of(s, p, &id))
				continue;
			snprintf(name, sizeof(name), "%04x:%02x:%02x.%x",
			    unit >> 16, unit >> 8 & 0xff, unit >> 3 & 0x1f,
			    unit & 7);
			each(ctx, name);
		}
}

/* sim_function_file - write one of a function's files into f; false: no such file. */
static bool
sim_function_file(struct sim *s, const char *path, FILE *f)
{
	unsigned seg, bus, dev, fn;
	const struct sim_page *p;
	char name[16];
	uint32_t id, class;

	if (sscanf(path, PCI_DIR "/%4x:%2x:%2x.%1x/%15s", &seg, &bus, &dev,
	    &fn, name) != 5 || (p = sim_page_at(s, REG_PCI, PCI_UNIT(seg, bus,
	    PCI_DEVFN(dev, fn)), false)) == NULL ||
	    !sim_functions_id_of(s, p, &id))
		return false;
	if (strcmp(name, "vendor") == 0)
		fprintf(f, "0x%04" PRIx32 "\n", id & 0xffff);
	else if (strcmp(name, "device") == 0)
		fprintf(f, "0x%04" PRIx32 "\n", id >> 16);
	else if (strcmp(name, "class") == 0) {
		class = dword_of(s, p, 8) >> 8;
		fprintf(f, "0x%06" PRIx32 "\n", class != 0 ? class : 0x088000);
	} else
		return false;
	return true;
}

/* ---- every file --------------------------------------------------------- */

#define CPU_DIR "/sys/devices/system/cpu"
#define NODE_DIR "/sys/devices/system/node"

/* For a path of prefix, NUMBER and rest: returns the rest, else NULL. */
static const char *
sim_files_numbered(const char *path, const char *prefix, unsigned *n)
{
	size_t len = strlen(prefix);
	unsigned long value;
	char *end;

	if (strncmp(path, prefix, len) != 0 ||
	    !isdigit((unsigned char)path[len]))
		return NULL;
	value = strtoul(path + len, &end, 10);
	if (value >= MAX_LPROCS)
		return NULL;
	*n = (unsigned)value;
	return end;
}

static bool
online(const struct sim *s, unsigned l)
{
	return l < s->nlproc && s->place[l].exists && s->place[l].offline == 0;
}

enum like { ALL, PRESENT, ONLINE, SAME_CORE, SAME_CCX, SAME_PKG, SAME_NODE };

static bool
listed(const struct sim *s, unsigned l, enum like like, unsigned of)
{
	const struct sim_place *a = &s->place[l], *b = &s->place[of];

	switch (like) {
	case ALL:
		return true;
	case PRESENT:
		return a->exists;
	case ONLINE:
		return online(s, l);
	case SAME_CORE:
		return online(s, l) && a->unit[SIM_CORE] == b->unit[SIM_CORE];
	case SAME_CCX:
		return online(s, l) && a->unit[SIM_CCX] == b->unit[SIM_CCX];
	case SAME_PKG:
		return online(s, l) && a->pkg == b->pkg;
	case SAME_NODE:
		return online(s, l) && a->node == of;
	}
	return false;
}

/* Writes a list like "0-23,48-71". */
static void
print_list(FILE *f, const struct sim *s, enum like like, unsigned of)
{
	const char *comma = "";
	unsigned first;

	for (unsigned l = 0; l < s->nlproc; l++) {
		if (!listed(s, l, like, of))
			continue;
		first = l;
		while (l + 1 < s->nlproc && listed(s, l + 1, like, of))
			l++;
		fprintf(f, first == l ? "%s%u" : "%s%u-%u", comma, first, l);
		comma = ",";
	}
	fputc('\n', f);
}

static bool
print_topology(FILE *f, const struct sim *s, unsigned l, const char *name)
{
	const struct sim_place *p = &s->place[l];
	const struct sim_desc *d = s->d;

	if (strcmp(name, "physical_package_id") == 0)
		fprintf(f, "%" PRIu64 "\n", d->npkg_id > p->pkg
		    ? d->pkg_id[p->pkg] : p->pkg);
	else if (strcmp(name, "die_id") == 0)
		fprintf(f, "%u\n", p->die);
	else if (strcmp(name, "core_id") == 0)
		fprintf(f, "%u\n", p->core);
	else if (strcmp(name, "thread_siblings_list") == 0 ||
	    strcmp(name, "core_cpus_list") == 0)
		print_list(f, s, SAME_CORE, l);
	else if (strcmp(name, "core_siblings_list") == 0 ||
	    strcmp(name, "package_cpus_list") == 0)
		print_list(f, s, SAME_PKG, l);
	else
		return false;
	return true;
}

/* Writes a file of the L3's directory; false: no such file, or a machine without APIC
 * ids. */
static bool
print_l3(FILE *f, const struct sim *s, unsigned l, const char *name)
{
	if (s->d->apic_pkg == 0)
		return false;
	if (strcmp(name, "id") == 0)
		fprintf(f, "%u\n", s->place[l].apic >> s->d->ccx_shift);
	else if (strcmp(name, "level") == 0)
		fprintf(f, "3\n");
	else if (strcmp(name, "type") == 0)
		fprintf(f, "Unified\n");
	else if (strcmp(name, "shared_cpu_list") == 0)
		print_list(f, s, SAME_CCX, l);
	else
		return false;
	return true;
}

static bool
print_cpu(FILE *f, const struct sim *s, const char *path)
{
	const char *name;
	unsigned l;

	if (strcmp(path, CPU_DIR "/online") == 0)
		print_list(f, s, ONLINE, 0);
	else if (strcmp(path, CPU_DIR "/present") == 0)
		print_list(f, s, PRESENT, 0);
	else if (strcmp(path, CPU_DIR "/possible") == 0)
		print_list(f, s, ALL, 0);
	else if ((name = sim_files_numbered(path, CPU_DIR "/cpu",
	    &l)) != NULL && l < s->nlproc && s->place[l].exists) {
		/* lproc 0 cannot be taken offline, so it has no such file */
		if (strcmp(name, "/online") == 0 && l > 0)
			fprintf(f, "%d\n", online(s, l));
		else if (!online(s, l))
			return false;
		else if (strncmp(name, "/cache/index3/", 14) == 0)
			return print_l3(f, s, l, name + 14);
		else
			return strncmp(name, "/topology/", 10) == 0 &&
			    print_topology(f, s, l, name + 10);
	} else
		return false;
	return true;
}

static void
print_cpuinfo(FILE *f, const struct sim *s)
{
	const struct sim_desc *d = s->d;
	unsigned siblings = 0, cores;

	for (unsigned l = 0; l < s->nlproc; l++) {
		const struct sim_place *p = &s->place[l];

		if (!online(s, l))
			continue;
		siblings = cores = 0;
		for (unsigned k = 0; k < s->nlproc; k++)
			if (listed(s, k, SAME_PKG, l)) {
				siblings++;
				if (s->place[k].inst >= cores)
					cores = s->place[k].inst + 1;
			}
		fprintf(f, "processor\t: %u\nvendor_id\t: %s\n"
		    "cpu family\t: %u\nmodel\t\t: %u\nmodel name\t: %s\n"
		    "stepping\t: %u\ncpu MHz\t\t: %" PRIu64 ".%03" PRIu64 "\n"
		    "physical id\t: %" PRIu64 "\nsiblings\t: %u\n"
		    "core id\t\t: %u\ncpu cores\t: %u\n"
		    "flags\t\t: fpu tsc msr aperfmperf constant_tsc "
		    "nonstop_tsc arch_perfmon%s\n\n",
		    l, d->vendor, d->family, d->model, d->cpu_name, d->stepping,
		    d->tsc_hz / 1000000, d->tsc_hz / 1000 % 1000,
		    d->npkg_id > p->pkg ? d->pkg_id[p->pkg] : p->pkg, siblings,
		    p->core, cores, d->guest ? " hypervisor" : "");
	}
}

/* /dev/cpu/N/{cpuid,msr}: the offset is an address. */
static ssize_t
read_device(struct sim *s, const char *path, uint64_t offset, void *buf,
    size_t size)
{
	struct reg_addr addr = { .space = REG_MSR, .bytes = 8,
		.offset = offset & UINT32_MAX };
	uint32_t reg[4];
	uint64_t raw;
	const char *name = sim_files_numbered(path, "/dev/cpu/", &addr.unit);
	int rc;

	if (name == NULL || !online(s, addr.unit))
		return -ENOENT;
	if (strcmp(name, "/cpuid") == 0) {
		if (size % 16 != 0)
			return -EINVAL;
		sim_cpuid(s, addr.unit, (uint32_t)offset,
		    (uint32_t)(offset >> 32), reg);
		memcpy(buf, reg, size < 16 ? size : 16);
		return size < 16 ? (ssize_t)size : 16;
	}
	if (strcmp(name, "/msr") != 0)
		return -ENOENT;
	if (size % 8 != 0)
		return -EINVAL;
	if (size == 0)
		return 0;
	if ((rc = s->access.ops->read(&s->access, &addr, &raw)) < 0)
		return rc;
	memcpy(buf, &raw, sizeof(raw));
	return sizeof(raw);
}

static const struct text_file *
text_file(const struct sim *s, const char *path)
{
	for (unsigned i = s->d->nfile; i-- > 0;)
		if (strcmp(s->d->files[i].path, path) == 0)
			return &s->text[i];
	return NULL;
}

/* Writes the text of the file at path to f; false: no such file. */
static bool
print_file(FILE *f, struct sim *s, const char *path)
{
	const struct text_file *t = text_file(s, path);
	const char *name;
	unsigned n;

	if (t != NULL && t->file->kind == SIM_VALUE)
		fprintf(f, "%s\n", t->file->text);
	else if (t != NULL && t->file->kind == SIM_COUNTER)
		fprintf(f, "%" PRIu64 "\n", reg_get(s, (struct reg *)&t->reg));
	else if (t != NULL)
		return false;
	else if (strncmp(path, CPU_DIR "/", sizeof(CPU_DIR)) == 0)
		return print_cpu(f, s, path);
	else if ((name = sim_files_numbered(path, NODE_DIR "/node",
	    &n)) != NULL &&
	    n < s->d->packages * s->d->nodes && strcmp(name, "/cpulist") == 0)
		print_list(f, s, SAME_NODE, n);
	else if (strcmp(path, "/proc/cpuinfo") == 0)
		print_cpuinfo(f, s);
	else if (strcmp(path, "/proc/sys/kernel/hostname") == 0)
		fprintf(f, "%s\n", s->d->host);
	else if (strcmp(path, "/proc/sys/kernel/nmi_watchdog") == 0)
		fprintf(f, "0\n");
	else if (strcmp(path, "/proc/sys/kernel/tainted") == 0)
		fprintf(f, "%d\n", s->tainted ? 4 : 0);
	else
		return sim_function_file(s, path, f);
	return true;
}

ssize_t
sim_file(struct access *acc, const char *path, uint64_t offset, void *buf,
    size_t size)
{
	struct sim *s = (struct sim *)acc;
	char *text = NULL;
	size_t len = 0;
	ssize_t n = -ENOENT;
	FILE *f;

	sim_tick(s);
	if (text_file(s, path) == NULL &&
	    (n = read_device(s, path, offset, buf, size)) != -ENOENT)
		return n;
	if ((f = open_memstream(&text, &len)) == NULL)
		return -ENOMEM;
	n = print_file(f, s, path) ? 0 : -ENOENT;
	if ((ferror(f) | fclose(f)) != 0 || text == NULL)
		n = -ENOMEM;
	if (n == 0 && offset < len) {
		n = (ssize_t)(len - offset < size ? len - offset : size);
		memcpy(buf, text + offset, (size_t)n);
	}
	free(text);
	return n;
}

int
sim_link(struct access *acc, const char *path, char *buf, size_t size)
{
	const struct text_file *t = text_file((struct sim *)acc, path);

	if (t == NULL || t->file->kind != SIM_VALUE)
		return -ENOENT;
	snprintf(buf, size, "%s", t->file->text);
	return (int)strlen(buf);
}

int
sim_text(struct access *acc, const char *path)
{
	struct sim *s = (struct sim *)acc;
	const struct text_file *t = text_file(s, path);

	if (t == NULL || t->file->kind == SIM_GONE)
		return -ENOENT;
	return (int)(t - s->text);
}

/*
 * Directories.
 */

struct dir_listing {
	void (*each)(void *, const char *);
	void *ctx;
	char **name;            /* names that were listed already */
	unsigned n;
	bool short_of_memory;   /* a name could not be kept */
};

static void
sim_files_list(struct dir_listing *l, const char *name, size_t len)
{
	char **bigger;

	for (unsigned i = 0; i < l->n; i++)
		if (strlen(l->name[i]) == len &&
		    memcmp(l->name[i], name, len) == 0)
			return;
	bigger = realloc(l->name, (l->n + 1) * sizeof(*bigger));
	if (bigger != NULL) {
		l->name = bigger;
		bigger += l->n;
		*bigger = strndup(name, len);
	}
	if (bigger == NULL || *bigger == NULL)
		l->short_of_memory = true;
	else
		l->each(l->ctx, l->name[l->n++]);
}

static void
list_name(void *ctx, const char *name)
{
	sim_files_list(ctx, name, strlen(name));
}

static void
list_number(struct dir_listing *l, const char *prefix, unsigned n)
{
	char name[32];

	sim_files_list(l, name,
	    (size_t)snprintf(name, sizeof(name), "%s%u", prefix, n));
}

static void
list_all(struct dir_listing *l, const char *const *name)
{
	for (; *name != NULL; name++)
		sim_files_list(l, *name, strlen(*name));
}

static void
list_cpu(const struct sim *s, const char *dir, struct dir_listing *l)
{
	static const char *const cpu[] = { "online", "possible", "present", NULL };
	static const char *const topology[] = { "physical_package_id", "die_id",
		"core_id", "thread_siblings_list", "core_cpus_list",
		"core_siblings_list", "package_cpus_list", NULL };
	static const char *const l3[] = { "id", "level", "type",
		"shared_cpu_list", NULL };
	const char *rest;
	unsigned n;

	if (strcmp(dir, CPU_DIR) == 0) {
		for (n = 0; n < s->nlproc; n++)
			if (s->place[n].exists)
				list_number(l, "cpu", n);
		list_all(l, cpu);
	}
	if ((rest = sim_files_numbered(dir, CPU_DIR "/cpu", &n)) == NULL ||
	    n >= s->nlproc || !s->place[n].exists)
		return;
	if (rest[0] == '\0') {
		list_number(l, "node", s->place[n].node);
		if (n > 0)
			sim_files_list(l, "online", 6);
		if (online(s, n))
			sim_files_list(l, "topology", 8);
		if (online(s, n) && s->d->apic_pkg != 0)
			sim_files_list(l, "cache", 5);
	} else if (strcmp(rest, "/topology") == 0 && online(s, n))
		list_all(l, topology);
	else if (s->d->apic_pkg == 0 || !online(s, n))
		return;
	else if (strcmp(rest, "/cache") == 0)
		list_number(l, "index", 3);
	else if (strcmp(rest, "/cache/index3") == 0)
		list_all(l, l3);
}

static void
list_devices(struct sim *s, const char *dir, struct dir_listing *l)
{
	static const char *const device[] = { "cpuid", "msr", NULL };
	const char *rest;
	unsigned n;

	if (strcmp(dir, "/dev/cpu") == 0)
		for (n = 0; n < s->nlproc; n++)
			if (online(s, n))
				list_number(l, "", n);
	if ((rest = sim_files_numbered(dir, "/dev/cpu/", &n)) != NULL &&
	    rest[0] == '\0' && online(s, n))
		list_all(l, device);
	if (strcmp(dir, "/sys/bus/pci/devices") == 0)
		sim_functions(s, list_name, l);
	if (strcmp(dir, NODE_DIR) == 0)
		for (n = 0; n < s->d->packages * s->d->nodes; n++)
			list_number(l, "node", n);
	if ((rest = sim_files_numbered(dir, NODE_DIR "/node", &n)) != NULL &&
	    rest[0] == '\0' && n < s->d->packages * s->d->nodes) {
		for (unsigned k = 0; k < s->nlproc; k++)
			if (listed(s, k, SAME_NODE, n))
				list_number(l, "cpu", k);
		sim_files_list(l, "cpulist", 7);
	}
}

int
sim_list(struct access *acc, const char *dir,
    void (*each)(void *ctx, const char *name), void *ctx)
{
	struct sim *s = (struct sim *)acc;
	struct dir_listing l = { .each = each, .ctx = ctx };
	size_t len = strlen(dir);
	unsigned n;

	sim_tick(s);
	list_cpu(s, dir, &l);
	list_devices(s, dir, &l);
	for (unsigned i = 0; i < s->d->nfile; i++) {
		const char *path = s->d->files[i].path;

		if (strncmp(path, dir, len) == 0 && path[len] == '/' &&
		    text_file(s, path)->file->kind != SIM_GONE)
			sim_files_list(&l, path + len + 1,
			    strcspn(path + len + 1, "/"));
	}
	n = l.n;
	while (l.n > 0)
		free(l.name[--l.n]);
	free(l.name);
	return l.short_of_memory ? -ENOMEM : n > 0 ? 0 : -ENOENT;
}
