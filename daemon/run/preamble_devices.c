/*
 * daemon/run/preamble_devices.c - the node at the head of a dump: the system,
 * I/O stacks and the devices on them, discovery tables and HBM.  What is not known has
 * no line.
 */
#include "daemon/run/preamble.h"

#include "daemon/node/obstacle.h"
#include "daemon/node/program.h"
#include "lib/printable.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the system --------------------------------------------------------- */

/*
 * The system that a dump is from, for its head.
 *
 * Files of /proc and /sys: proc(5), and the kernel's Documentation/ABI:
 * sysfs-devices-system-cpu (microcode, cpufreq, smt).
 */

#define CPU "/sys/devices/system/cpu"
#define LONGEST 4096            /* of a kernel's command line */

/* Files of one line or one number each, and the key that it becomes. */
static const struct { enum head_key key; const char *path; } files[] = {
	{ HEAD_KERNEL, "/proc/sys/kernel/osrelease" },
	{ HEAD_KERNEL_BUILD, "/proc/sys/kernel/version" },
	{ HEAD_KERNEL_COMMAND_LINE, "/proc/cmdline" },
	{ HEAD_SMT, CPU "/smt/control" },
	{ HEAD_NMI_WATCHDOG, "/proc/sys/kernel/nmi_watchdog" },
	{ HEAD_PERF_EVENT_PARANOID, "/proc/sys/kernel/perf_event_paranoid" },
	{ HEAD_MSR_ALLOW_WRITES, "/sys/module/msr/parameters/allow_writes" },
	{ HEAD_KERNEL_TAINTED, "/proc/sys/kernel/tainted" },
	{ HEAD_CLOCK_SOURCE,
	  "/sys/devices/system/clocksource/clocksource0/current_clocksource" },
};

static void
put_files(struct head *h, struct access *acc)
{
	char text[LONGEST];
	int64_t n;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (head_row(files[i].key)->type == HEAD_TEXT) {
			if (access_slurp(acc, files[i].path, text,
			    sizeof(text)) > 0)
				head_put_text(h, files[i].key, ALONE, text);
		} else if (access_number(acc, files[i].path, &n) == 0) {
			head_put_int(h, files[i].key, ALONE, n);
		}
}

/* Reads a file of an lproc.  Returns its length; below 1: there is nothing. */
static int
provenance_of_lproc(struct access *acc, unsigned lproc, const char *name,
    char *buf, size_t size)
{
	char path[96];

	snprintf(path, sizeof(path), CPU "/cpu%u/%s", lproc, name);
	return access_slurp(acc, path, buf, size);
}

static void
put_microcode(struct head *h, const struct topo *topo, struct access *acc)
{
	bool declared = false;
	int64_t revision;
	char path[96];

	for (unsigned p = 0; p < topo->npkg; p++) {
		snprintf(path, sizeof(path), CPU "/cpu%u/microcode/version",
		    topo->pkg[p].first_lproc);
		if (access_number(acc, path, &revision) < 0)
			continue;
		if (!declared)
			head_put_table(h, HEAD_MICROCODE, ALONE, 0);
		declared = true;
		head_put_hex(h, HEAD_MICROCODE, AT(p), (uint64_t)revision);
	}
}

/* The words that lprocs have in a file, each once: "performance powersave". */
static void
put_of_lprocs(struct head *h, enum head_key key, const char *name,
    const struct topo *topo, struct access *acc)
{
	char text[64], all[256] = "";

	for (unsigned l = 0; l < topo->nlproc; l++) {
		size_t used = strlen(all);

		if (!topo->lproc[l].online ||
		    provenance_of_lproc(acc, l, name, text,
		    sizeof(text)) <= 0 || has_word(all, ' ', text))
			continue;
		snprintf(all + used, sizeof(all) - used, "%s%s",
		    used > 0 ? " " : "", text);
	}
	if (all[0] != '\0')
		head_put_text(h, key, ALONE, all);
}

/* The cpufreq driver and governors; without a driver there is no governor. */
static void
put_cpufreq(struct head *h, const struct topo *topo, struct access *acc)
{
	char driver[64];

	if (provenance_of_lproc(acc, topo_first(topo), "cpufreq/scaling_driver",
	    driver, sizeof(driver)) <= 0)
		return;
	head_put_text(h, HEAD_CPUFREQ_DRIVER, ALONE, driver);
	put_of_lprocs(h, HEAD_CPUFREQ_GOVERNOR, "cpufreq/scaling_governor",
	    topo, acc);
}

/* Of "none [integrity] confidentiality" the word in brackets. */
static void
put_lockdown(struct head *h, struct access *acc)
{
	char text[128], *from, *to;

	if (access_slurp(acc, "/sys/kernel/security/lockdown", text,
	    sizeof(text)) <= 0 || (from = strchr(text, '[')) == NULL ||
	    (to = strchr(from, ']')) == NULL)
		return;
	*to = '\0';
	head_put_text(h, HEAD_LOCKDOWN, ALONE, from + 1);
}

/* Which processes have counters open, and which of theirs were taken. */
static void
put_holders(struct head *h, const struct plan *plan, struct access *acc)
{
	struct holders found;
	char first[256];
	unsigned taken = program_in_use(plan, first, sizeof(first));

	holders_find(&found, acc);
	if (found.n > 0)
		for (enum head_key key = HEAD_PMU_HOLDER;
		    key <= HEAD_PMU_HOLDER_OPEN; key++)
			head_put_table(h, key, ALONE, 0);
	for (unsigned i = 0; i < found.n; i++) {
		const struct holder *x = &found.of[i];

		head_put_text(h, HEAD_PMU_HOLDER, AT(i), x->name);
		head_put_int(h, HEAD_PMU_HOLDER_PID, AT(i), x->pid);
		head_put_text(h, HEAD_PMU_HOLDER_OPEN, AT(i), holder_open(x));
	}
	if (taken == 0)
		return;
	head_put_int(h, HEAD_COUNTERS_TAKEN, ALONE, taken);
	head_put_text(h, HEAD_COUNTERS_TAKEN_FIRST, ALONE, first);
}

/* TIME_OK to TIME_ERROR of adjtimex(2) */
static void
provenance_put_time(struct head *h, struct access *acc)
{
	static const char *const state[] = { "synchronised",
		"leap second to be inserted", "leap second to be deleted",
		"leap second in progress", "leap second has occurred",
		NTP_UNSYNCHRONISED };
	struct clock_state kept;

	if (access_clock(acc, &kept) < 0 || kept.state < 0 || kept.state > 5)
		return;
	head_put_text(h, HEAD_NTP_STATE, ALONE, state[kept.state]);
	head_put_real(h, HEAD_NTP_ERROR, ALONE, (double)kept.error_us / 1e6);
	head_put_real(h, HEAD_NTP_MAX_ERROR, ALONE,
	    (double)kept.max_error_us / 1e6);
}

void
provenance_put(struct head *h, const struct plan *plan,
    const struct topo *topo, struct access *acc)
{
	put_files(h, acc);
	put_microcode(h, topo, acc);
	put_cpufreq(h, topo, acc);
	put_lockdown(h, acc);
	put_holders(h, plan, acc);
	provenance_put_time(h, acc);
}

/* ---- I/O stacks and devices --------------------------------------------- */

static void
put_known(struct head *h, enum head_key key, unsigned i, int value)
{
	if (value >= 0)
		head_put_int(h, key, AT(i), value);
}

static void
preamble_devices_put_text(struct head *h, enum head_key key, unsigned i,
    const char *text)
{
	if (text[0] != '\0')
		head_put_text(h, key, AT(i), text);
}

static void
put_link(struct head *h, unsigned i, const struct io_device *d)
{
	if (d->width > 0)
		head_put_int(h, HEAD_IO_DEVICE_LINK_WIDTH, AT(i), d->width);
	if (d->gt_s > 0)
		head_put_real(h, HEAD_IO_DEVICE_LINK_SPEED, AT(i), d->gt_s);
	if (d->max_width > 0)
		head_put_int(h, HEAD_IO_DEVICE_MAX_LINK_WIDTH, AT(i),
		    d->max_width);
	if (d->max_gt_s > 0)
		head_put_real(h, HEAD_IO_DEVICE_MAX_LINK_SPEED, AT(i),
		    d->max_gt_s);
}

static void
preamble_devices_put_device(struct head *h, unsigned i,
    const struct io_device *d)
{
	char id[16];

	snprintf(id, sizeof(id), "%04x:%04x", d->vendor, d->device);
	preamble_devices_put_text(h, HEAD_IO_DEVICE_ADDRESS, i, d->address);
	preamble_devices_put_text(h, HEAD_IO_DEVICE_NAME, i, d->name);
	preamble_devices_put_text(h, HEAD_IO_DEVICE_ID, i, id);
	preamble_devices_put_text(h, HEAD_IO_DEVICE_DRIVER, i, d->driver);
	head_put_int(h, HEAD_IO_DEVICE_CLASS, AT(i), d->class);
	preamble_devices_put_text(h, HEAD_IO_DEVICE_PORT, i, d->port);
	put_known(h, HEAD_IO_DEVICE_PACKAGE, i, d->pkg);
	put_known(h, HEAD_IO_DEVICE_STACK, i, d->stack);
	put_known(h, HEAD_IO_DEVICE_PART, i, d->part);
	put_known(h, HEAD_IO_DEVICE_NODE, i, d->node);
	put_link(h, i, d);
	preamble_devices_put_text(h, HEAD_IO_DEVICE_MISSING, i, d->missing);
}

static void
preamble_devices_put_stacks(struct head *h, const struct devices *all,
    const struct topo *topo)
{
	char bus[16];

	head_put_table(h, HEAD_IO_STACK_NAME, ALONE, 0);
	head_put_table(h, HEAD_IO_STACK_BUS, ALONE, 0);
	for (unsigned p = 0; p < topo->npkg; p++) {
		head_put_table(h, HEAD_IO_STACK_NAME, AT(p), 1);
		head_put_table(h, HEAD_IO_STACK_BUS, AT(p), 1);
	}
	for (unsigned i = 0; i < all->nstack; i++) {
		const struct io_stack *s = &all->stack[i];

		head_put_text(h, HEAD_IO_STACK_NAME, AT(s->pkg, s->stack),
		    topo->model->stack[s->stack]);
		if (s->bus < 0)
			continue;
		snprintf(bus, sizeof(bus), "%04x:%02x", topo->pkg[s->pkg].seg,
		    (unsigned)s->bus);
		head_put_text(h, HEAD_IO_STACK_BUS, AT(s->pkg, s->stack), bus);
	}
}

void
preamble_devices(struct head *h, const struct devices *all,
    const struct topo *topo)
{
	if (all->nstack == 0 && (topo->model == NULL ||
	    topo->model->root_ports == 0 || all->ndevice == 0))
		return;
	if (all->nstack > 0)
		preamble_devices_put_stacks(h, all, topo);
	head_put_int(h, HEAD_IO_DEVICES, ALONE, all->ndevice);
	for (enum head_key key = HEAD_IO_DEVICE_ADDRESS;
	    key <= HEAD_IO_DEVICE_MISSING; key++)
		head_put_table(h, key, ALONE, 0);
	for (unsigned i = 0; i < all->ndevice; i++)
		preamble_devices_put_device(h, i, &all->device[i]);
}

/* ---- discovery tables: where each is, and what it says, as it was read */

static void
preamble_tables_put_site(struct head *h, const struct discovery_site *s,
    unsigned n)
{
	char text[32];

	snprintf(text, sizeof(text), "%04x:%02x:%02x.%x", s->at.seg & 0xffff,
	    s->at.bus, s->at.dev, s->at.fn);
	head_put_text(h, HEAD_DISCOVERY_FUNCTION, AT(n), text);
	head_put_int(h, HEAD_DISCOVERY_PACKAGE, AT(n), s->pkg);
	head_put_hex(h, HEAD_DISCOVERY_ADDRESS, AT(n), s->address);
}

/* Puts the entries of a table that are not zero.  Returns how many. */
static unsigned
preamble_tables_put_words(struct head *h, const struct discovery_site *s,
    unsigned n, unsigned from)
{
	uint64_t word[3];
	char text[128];
	size_t offset;
	unsigned to = from;

	for (unsigned k = 0; discovery_words(s, k, word, &offset); k++) {
		if ((word[0] | word[1] | word[2]) == 0)
			continue;
		snprintf(text, sizeof(text), "%u 0x%zx 0x%" PRIx64 " 0x%" PRIx64
		    " 0x%" PRIx64, n, offset, word[0], word[1], word[2]);
		head_put_text(h, HEAD_DISCOVERY_WORDS, AT(to++), text);
	}
	return to - from;
}

void
preamble_tables(struct head *h, const struct discovery *all)
{
	unsigned words = 0;

	if (all->n == 0)
		return;
	for (enum head_key key = HEAD_DISCOVERY_FUNCTION;
	    key <= HEAD_DISCOVERY_WORDS; key++)
		head_put_table(h, key, ALONE, 0);
	for (unsigned i = 0; i < all->n; i++)
		preamble_tables_put_site(h, &all->site[i], i);
	for (unsigned i = 0; i < all->n; i++)
		words += preamble_tables_put_words(h, &all->site[i], i, words);
}

/* ---- how a node uses its HBM:
 *
 * flat   as memory of its own, in NUMA nodes without lprocs
 * cache  in front of DDR, where the kernel does not see it
 * only   as all the memory that there is
 *
 * No public register has the mode: NUMA nodes and the size of memory tell it. */

#define NODES "/sys/devices/system/node/"
#define MAX_NODES 1024

/* The HBM of a package of Xeon Max. */
#define HBM_KB (64ull << 20)

struct numa_seen {
	bool memory[MAX_NODES], cpu[MAX_NODES];
};

static void
with_memory(void *ctx, unsigned n)
{
	((struct numa_seen *)ctx)->memory[n] = true;
}

static void
with_cpu(void *ctx, unsigned n)
{
	((struct numa_seen *)ctx)->cpu[n] = true;
}

static bool
list_of(struct access *acc, const char *path, void (*each)(void *, unsigned),
    struct numa_seen *nodes)
{
	char text[4096];

	return access_slurp(acc, path, text, sizeof(text)) > 0 &&
	    cpulist_parse(text, MAX_NODES, each, nodes) == 0;
}

/* All of the node's memory, in kB; 0: not known. */
static unsigned long long
memory_kb(struct access *acc)
{
	static const char key[] = "MemTotal:";
	char text[4096];
	const char *at;

	if (access_slurp(acc, "/proc/meminfo", text, sizeof(text)) <= 0 ||
	    (at = strstr(text, key)) == NULL)
		return 0;
	return strtoull(at + sizeof(key) - 1, NULL, 10);
}

/* NULL: neither NUMA nodes nor the size of memory tell. */
static const char *
hbm_mode(const struct topo *topo, struct access *acc)
{
	struct numa_seen nodes = { .memory = { false } };
	unsigned long long kb;

	if (!list_of(acc, NODES "has_memory", with_memory, &nodes) ||
	    !list_of(acc, NODES "has_cpu", with_cpu, &nodes))
		return NULL;
	for (unsigned n = 0; n < MAX_NODES; n++)
		if (nodes.memory[n] && !nodes.cpu[n])
			return "flat";
	if ((kb = memory_kb(acc)) == 0)
		return NULL;
	return kb <= HBM_KB * topo->npkg ? "only" : "cache";
}

void
hbm_put(struct head *h, const struct topo *topo, const struct inventory *inv,
    struct access *acc)
{
	const char *is;
	bool there = false;

	for (unsigned i = 0; i < inv->n; i++)
		there |= inv->unit[i].present && inv->unit[i].type->hbm;
	if (!there)
		return;
	is = hbm_mode(topo, acc);
	head_put_text(h, HEAD_HBM_MODE, ALONE, is != NULL ? is : "unknown");
	if (is != NULL)
		head_put_int(h, HEAD_HBM_CACHE, ALONE, strcmp(is, "cache") == 0);
}
