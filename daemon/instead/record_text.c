/*
 * daemon/instead/record_text.c - the recorded node as the text of a machine file.
 */
#include "daemon/instead/recorder.h"

#include "config/sim/machine.h"
#include "config/version.h"
#include "regs/sideband.h"
#include "regs/sim/sim.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- CPUID -------------------------------------------------------------- */

/*
 * Leaf 3 is left out: where a CPU has it, it is its serial number.
 */

#define SERIAL_NUMBER 3
#define MAX_LEAVES 0x40         /* above each of the bases below */
#define MAX_SUBLEAVES 8

/* Has a leaf of CPUID subleaves?  A subleaf of zeros follows the last one. */
static bool
record_cpuid_is_counted(uint32_t leaf)
{
	static const uint32_t counted[] = { 0x4, 0x7, 0xb, 0xd, 0xf, 0x10,
		0x12, 0x14, 0x17, 0x18, 0x1d, 0x1f, 0x20, 0x23, 0x24,
		0x8000001d, 0x80000020, 0x80000026 };

	for (size_t i = 0; i < sizeof(counted) / sizeof(counted[0]); i++)
		if (counted[i] == leaf)
			return true;
	return false;
}

static bool
leaf_of(const struct recording *r, unsigned lproc, uint32_t leaf, uint32_t sub,
    uint32_t reg[4])
{
	char path[64];

	snprintf(path, sizeof(path), "/dev/cpu/%u/cpuid", lproc);
	return access_file(r->node->acc, path, leaf | (uint64_t)sub << 32, reg,
	    4 * sizeof(*reg)) == 4 * sizeof(*reg);
}

/* record_cpuid_read - reads the leaves; false: they cannot be read. */
static bool
record_cpuid_read(const struct recording *r)
{
	uint32_t reg[4];

	return leaf_of(r, topo_first(&r->node->topo), 0, 0, reg);
}

/* Does a subleaf end its list: no cache type, or no level? */
static bool
record_cpuid_is_end(uint32_t leaf, const uint32_t reg[4])
{
	switch (leaf) {
	case 0x4:
	case 0x8000001d:
		return (reg[0] & 0x1f) == 0;
	case 0xb:
	case 0x1f:
	case 0x80000026:
		return (reg[2] >> 8 & 0xff) == 0;
	}
	return false;
}

/* Records a subleaf: that of the first lproc, and where another lproc has another one.
 * False: it is the last. */
static bool
put_leaf(struct recording *r, uint32_t leaf, uint32_t sub)
{
	const struct topo *topo = &r->node->topo;
	unsigned first = topo_first(topo);
	uint32_t reg[4], own[4];
	char name[32];

	if (!leaf_of(r, first, leaf, sub, reg) ||
	    record_cpuid_is_end(leaf, reg))
		return false;
	if ((reg[0] | reg[1] | reg[2] | reg[3]) == 0)
		return true;
	snprintf(name, sizeof(name), sub == 0 ? "0x%" PRIx32 : "0x%" PRIx32
	    ".%" PRIu32, leaf, sub);
	fprintf(r->out, "cpuid %s 0x%08" PRIx32 " 0x%08" PRIx32 " 0x%08" PRIx32
	    " 0x%08" PRIx32 "\n", name, reg[0], reg[1], reg[2], reg[3]);
	for (unsigned l = 0; l < topo->nlproc; l++)
		if (l != first && topo->lproc[l].online &&
		    leaf_of(r, l, leaf, sub, own) &&
		    memcmp(reg, own, sizeof(reg)) != 0)
			fprintf(r->out, "cpuid %s 0x%08" PRIx32 " 0x%08" PRIx32
			    " 0x%08" PRIx32 " 0x%08" PRIx32 " lproc=%u\n",
			    name, own[0], own[1], own[2], own[3], l);
	return true;
}

/* Records the leaves from a base on, up to the last that the base names. */
static void
put_leaves(struct recording *r, uint32_t base)
{
	uint32_t reg[4], last;

	if (!leaf_of(r, topo_first(&r->node->topo), base, 0, reg) ||
	    reg[0] < base)
		return;
	last = reg[0] - base < MAX_LEAVES ? reg[0] : base + MAX_LEAVES;
	for (uint32_t leaf = base; leaf <= last; leaf++) {
		if (leaf == SERIAL_NUMBER)
			continue;
		for (uint32_t sub = 0; sub < MAX_SUBLEAVES; sub++)
			if (!put_leaf(r, leaf, sub) ||
			    !record_cpuid_is_counted(leaf))
				break;
	}
}

/* record_cpuid - writes the leaves as lines. */
static void
record_cpuid(struct recording *r)
{
	fputs("\n# CPUID\n", r->out);
	if (!record_cpuid_read(r)) {
		fprintf(r->out, "# unreadable (load the cpuid module)\n"
		    "file /dev/cpu/%u/cpuid none\n",
		    topo_first(&r->node->topo));
		return;
	}
	put_leaves(r, 0);
	put_leaves(r, 0x80000000);
}

/* ---- files -------------------------------------------------------------- */

/*
 * Files of the node as lines of a machine file.
 *
 * Only files of the folders below are recorded, and of these only what the simulated
 * machine would not have by itself.
 */

/* What is recorded: all files below the folders (those with / at the end), and these files.
 * None of them tells which node it is. */
static const char *const told[] = {
	"/sys/devices/system/cpu/", "/sys/devices/system/node/",
	"/sys/bus/event_source/devices/", "/sys/bus/pci/devices/",
	"/sys/kernel/security/lockdown",
	"/sys/module/msr/parameters/allow_writes",
	"/proc/sys/kernel/nmi_watchdog", "/proc/sys/kernel/perf_event_paranoid",
	"/proc/cpuinfo", "/proc/iomem",
};

#define PORTS "/sys/class/infiniband/"

/* Files of which only the lines are recorded that begin with, or contain, a word. */
static const struct { const char *path, *word[6]; } lines[] = {
	{ "/proc/cpuinfo", { "CPU implementer", "CPU architecture",
	  "CPU variant", "CPU part", "CPU revision", "processor" } },
	{ "/proc/iomem", { " : System RAM", " : PCI MMCONFIG",
	  " : PCI ECAM" } },
};

static bool
is_told(const char *path)
{
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
		size_t n = strlen(told[i]);

		if (told[i][n - 1] == '/' ? strncmp(path, told[i], n) == 0 :
		    strcmp(path, told[i]) == 0)
			return true;
	}
	return false;
}

/* Cuts out the other lines; returns the new size. */
static size_t
keep_lines(const char *path, char *text, size_t size)
{
	char *to = text, *next, *end = text + size;
	size_t i = 0;

	while (i < 2 && strcmp(lines[i].path, path) != 0)
		i++;
	for (char *p = text; i < 2 && p < end; p = next) {
		char *stop = memchr(p, '\n', (size_t)(end - p));
		bool keep = false;

		next = stop != NULL ? stop + 1 : end;
		for (unsigned k = 0; k < 6 && lines[i].word[k] != NULL; k++)
			keep |= memmem(p, (size_t)(next - p),
			    lines[i].word[k], strlen(lines[i].word[k])) != NULL;
		if (keep) {
			memmove(to, p, (size_t)(next - p));
			to += next - p;
		}
	}
	return i < 2 ? (size_t)(to - text) : size;
}

/* Does the machine of the text so far have the same file? */
static bool
said_already(struct access *so_far, const struct recorded_file *f, char *buf,
    size_t room)
{
	ssize_t n = f->link ? access_link(so_far, f->path, buf, room) :
	    access_file(so_far, f->path, 0, buf, room);

	if (f->error < 0)
		return n < 0;
	return n >= 0 && (size_t)n == f->size &&
	    memcmp(buf, f->text, f->size) == 0;
}

/* Can the text be a line: without control characters but \n and \t? */
static bool
fits_in_a_line(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text[i] == '\\' || text[i] == 0x7f ||
		    ((unsigned char)text[i] < ' ' && text[i] != '\n' &&
		    text[i] != '\t'))
			return false;
	return true;
}

static void
put_file(struct recording *r, const struct recorded_file *f)
{
	size_t n = f->size;

	if (f->error < 0) {
		fprintf(r->out, "file %s none\n", f->path);
		return;
	}
	if (!fits_in_a_line(f->path, strlen(f->path)) ||
	    strpbrk(f->path, " \t\n#") != NULL ||
	    !fits_in_a_line(f->text, n)) {
		r->left_out++;
		return;
	}
	/* the machine ends it with one */
	n -= n > 0 && f->text[n - 1] == '\n';
	fprintf(r->out, "file %s = ", f->path);
	for (size_t i = 0; i < n; i++)
		if (f->text[i] == '\n' || f->text[i] == '\t')
			fputs(f->text[i] == '\n' ? "\\n" : "\\t", r->out);
		else
			fputc(f->text[i], r->out);
	fputc('\n', r->out);
}

/* A number in a file that was sampled: a counter of a network port. */
static void
record_files_put_number(struct recording *r, const struct recorded *e)
{
	const char *path = e->addr.unit < r->kept->ntext ?
	    r->kept->text[e->addr.unit] : NULL;
	char body[1024];

	if (path == NULL || e->error < 0)
		return;
	if (!is_told(path) && strncmp(path, PORTS, strlen(PORTS)) != 0) {
		r->left_out++;
		return;
	}
	record_body(r, e, body, sizeof(body));
	fprintf(r->out, "file %s %s\n", path, body);
}

/* record_files - files that the machine of the text so far has not, or has another
 * way. */
static int
record_files(struct recording *r, struct access *so_far)
{
	struct recorder *k = r->kept;
	struct recorded_file **f = recorder_sorted(k);
	size_t room = 1 << 20;
	char *buf = malloc(room);
	bool arm = r->node->topo.cpu.midr != 0;

	if (f == NULL || buf == NULL) {
		free(f);
		free(buf);
		return -ENOMEM;
	}
	fputs("\n# Files\n", r->out);
	for (unsigned i = 0; i < k->nfile; i++) {
		if (!is_told(f[i]->path)) {
			r->left_out += f[i]->error == 0;
			continue;
		}
		/* the machine file's own statements say what is of use in it */
		if (strcmp(f[i]->path, "/proc/cpuinfo") == 0 && !arm)
			continue;
		f[i]->size = keep_lines(f[i]->path, f[i]->text, f[i]->size);
		if (!said_already(so_far, f[i], buf, room))
			put_file(r, f[i]);
	}
	for (unsigned i = 0; i < k->nreg; i++)
		if (k->reg[i].addr.space == REG_TEXT)
			record_files_put_number(r, &k->reg[i]);
	free(f);
	free(buf);
	return 0;
}

/* ---- the kernel's PMUs -------------------------------------------------- */

/* The kernel's PMUs: their directories as lines, so that their events can be opened. */

#define MAX_NAME_LENGTH 47      /* of a machine file's PMU */
#define MAX_LIST_LENGTH 255

struct pmu_reading {
	struct access *acc;
	char dir[128];
};

static void
read_event(void *ctx, const char *name)
{
	struct pmu_reading *p = ctx;
	char path[256], buf[512];

	snprintf(path, sizeof(path), "%s/%.100s", p->dir, name);
	access_slurp(p->acc, path, buf, sizeof(buf));
}

static void
read_pmu(void *ctx, const char *name)
{
	struct pmu_reading p = { .acc = ctx };
	struct pmu *pmu = malloc(sizeof(*pmu));

	if (pmu == NULL || strlen(name) > 64) {
		free(pmu);
		return;
	}
	pmu_load(pmu, p.acc, name);
	free(pmu);
	snprintf(p.dir, sizeof(p.dir), PMU_DIR "/%s/events", name);
	access_list(p.acc, p.dir, read_event, &p);
	snprintf(p.dir, sizeof(p.dir), PMU_DIR "/%s/caps", name);
	access_list(p.acc, p.dir, read_event, &p);
}

void
record_pmus_read(struct recording *r)
{
	access_list(r->node->acc, PMU_DIR, read_pmu, r->node->acc);
}

/* A file of a PMU's directory, without its end of line; NULL: it cannot be a line. */
static const char *
of_pmu(const struct recording *r, const char *name, const char *file, char *buf,
    size_t size)
{
	const struct recorded_file *f;
	char path[256];

	snprintf(path, sizeof(path), PMU_DIR "/%.64s/%s", name, file);
	f = recorder_file(r->kept, path);
	if (f == NULL || f->error < 0 || f->size >= size)
		return NULL;
	snprintf(buf, size, "%s", f->text);
	buf[strcspn(buf, "\n")] = '\0';
	return buf[0] != '\0' && strspn(buf, "0123456789,-") == strlen(buf) ?
	    buf : NULL;
}

/* How many counters the PMU showed to have, and the event with a counter of its own. */
static void
put_counters(const struct recording *r, uint32_t type)
{
	const struct recorded_pmu *p = r->kept->pmu;
	unsigned i = 0;

	while (i < r->kept->npmu && p[i].type != type)
		i++;
	if (i == r->kept->npmu || p[i].refused < 2)
		return;
	fprintf(r->out, " counters=%u", p[i].refused - 1);
	if (p[i].most >= p[i].refused && p[i].nown > 0)
		fprintf(r->out, " own=0x%llx", (unsigned long long)p[i].own[0]);
}

static void
put_pmu(struct recording *r, const char *name)
{
	static const char *const list[][2] = { { "cpus", "cpus" },
		{ "cpumask", "cpumask" }, { "associated_cpus", "associated" } };
	char buf[MAX_LIST_LENGTH + 1];
	const char *text = of_pmu(r, name, "type", buf, sizeof(buf));
	bool placed = false;

	if (text == NULL || strlen(name) > MAX_NAME_LENGTH)
		return;
	fprintf(r->out, "pmu %s type=%s", name, text);
	put_counters(r, (uint32_t)strtoul(text, NULL, 10));
	for (unsigned i = 0; i < 3; i++)
		if ((text = of_pmu(r, name, list[i][0], buf,
		    sizeof(buf))) != NULL) {
			fprintf(r->out, " %s=%s", list[i][1], text);
			placed = true;
		}
	/* the cores' own has no list: it is of all */
	if (!placed && pmu_is_core(name))
		fprintf(r->out, " cpus=0-%u", r->node->topo.nlproc - 1);
	fputc('\n', r->out);
}

/* record_pmus - writes the kernel's PMUs as lines, so that their events can be opened. */
static void
record_pmus(struct recording *r)
{
	struct recorded_file **f = recorder_sorted(r->kept);
	const size_t dir = strlen(PMU_DIR "/");

	r->kept->lost |= f == NULL;
	fputs("\n# PMUs of the kernel\n", r->out);
	for (unsigned i = 0; f != NULL && i < r->kept->nfile; i++) {
		const char *path = f[i]->path;
		const char *end = strncmp(path, PMU_DIR "/", dir) == 0 ?
		    strchr(path + dir, '/') : NULL;
		char name[128];

		if (end == NULL || strcmp(end, "/type") != 0 ||
		    (size_t)(end - path) - dir >= sizeof(name))
			continue;
		snprintf(name, sizeof(name), "%.*s",
		    (int)((size_t)(end - path) - dir), path + dir);
		put_pmu(r, name);
	}
	free(f);
}

/* ---- the text ----------------------------------------------------------- */

#define NS 1000000000ull
#define NAME "the recorded text"

static void
record_text_put_head(struct recording *r)
{
	fputs("# A node, as `tallyd --record-node` of tallyd " TALLYD_VERSION
	    " read it; `tallyd --sim FILE`\n"
	    "# runs on it.  Nothing was programmed.\n#\n"
	    "# Left out: host and user names, processes, the kernel's command "
	    "line, serial\n"
	    "# numbers, MAC and IP addresses, and every file that is not of a "
	    "folder below\n"
	    "# /sys/devices/system/{cpu,node} or "
	    "/sys/bus/{pci,event_source}/devices, nor one\n"
	    "# of the few of /proc and /sys that stand below under \"Files\".  "
	    "In it: what CPU\n"
	    "# and boards this is (CPUID, PCI ids), registers that count, "
	    "limit or describe,\n"
	    "# where memory and devices are mapped, and when it was "
	    "recorded.\n", r->out);
}

/* Writes the CPU as /proc/cpuinfo has it; for an Arm CPU the file itself is recorded. */
static void
put_cpu(struct recording *r)
{
	const struct cpu_id *cpu = &r->node->topo.cpu;

	fprintf(r->out, "\nhost recorded\n");
	if (cpu->midr != 0 || cpu->vendor[0] == '\0')
		return;
	fprintf(r->out, "cpu vendor=%.12s family=%u model=%u stepping=%u\n",
	    cpu->vendor, cpu->family, cpu->model, cpu->stepping);
	if (cpu->name[0] != '\0')
		fprintf(r->out, "name %.48s\n", cpu->name);
}

static void
record_text_put_packages(struct recording *r)
{
	const struct topo *topo = &r->node->topo;
	bool plain = true;
	int nodes = 0;

	for (unsigned l = 0; l < topo->nlproc; l++)
		if (topo->lproc[l].node >= nodes)
			nodes = topo->lproc[l].node + 1;
	fprintf(r->out, "packages %u", topo->npkg);
	for (unsigned p = 0; p < topo->npkg; p++)
		plain &= topo->pkg[p].id == (int)p;
	for (unsigned p = 0; p < topo->npkg && !plain; p++)
		fprintf(r->out, "%s%d", p == 0 ? " ids=" : ",",
		    topo->pkg[p].id);
	if (nodes > (int)topo->npkg)
		fprintf(r->out, "\nnodes %u", ((unsigned)nodes + topo->npkg -
		    1) / topo->npkg);
	fputs("\nnumbering explicit\n", r->out);
}

/* The place of an lproc; an offline one is given a core of its own, as its place is not
 * known. */
static void
put_lprocs(struct recording *r)
{
	const struct topo *topo = &r->node->topo;

	for (unsigned l = 0; l < topo->nlproc; l++) {
		const struct lproc *lp = &topo->lproc[l];

		if (!lp->exists)
			continue;
		fprintf(r->out, "lproc %u pkg=%d core=%d", l, lp->online ?
		    lp->pkg : 0, lp->online && lp->core >= 0 ? lp->core :
		    1000000 + (int)l);
		if (lp->thread > 0)
			fprintf(r->out, " thread=%d", lp->thread);
		if (lp->die > 0)
			fprintf(r->out, " die=%d", lp->die);
		if (lp->node > 0)
			fprintf(r->out, " node=%d", lp->node);
		fputc('\n', r->out);
	}
	for (unsigned l = 0; l < topo->nlproc; l++)
		if (topo->lproc[l].exists && !topo->lproc[l].online)
			fprintf(r->out, "from 0 lproc %u offline\n", l);
}

/* Writes the clocks, and a phase for each time between two samples. */
static void
record_text_put_clocks(struct recording *r)
{
	const struct stamp *first = &r->at[0];
	const struct stamp *last = &r->at[RECORD_SAMPLES - 1];
	double seconds = (double)(last->mono_ns - first->mono_ns) / (double)NS;
	uint64_t hz = seconds > 0 ? (uint64_t)((double)(last->tsc -
	    first->tsc) / seconds + 0.5) : 0;

	fprintf(r->out, "\nstart %" PRIu64 "\ntsc %" PRIu64 " init=%" PRIu64
	    "\n\n", (uint64_t)(first->real_ns / NS), hz > 0 ? hz : 1000000000,
	    first->tsc);
	fputs("# A phase from one sample to the next\n", r->out);
	for (unsigned k = 0; k + 1 < RECORD_SAMPLES; k++)
		fprintf(r->out, "phase s%u %" PRIu64 ".%09" PRIu64 "\n", k,
		    (uint64_t)(r->interval_ns / NS),
		    (uint64_t)(r->interval_ns % NS));
	fprintf(r->out, "phase s%u\n", RECORD_SAMPLES - 1);
}

/* Writes a message bus that has the registers which were read. */
static void
put_mailbox(struct recording *r)
{
	const struct model *m = r->node->topo.model;

	if (m != NULL && m->soc != NULL)
		fprintf(r->out, "\nmailbox 00:00.0 counters=0x%02x lane=0 "
		    "gate=0xff,0,0xffffffff\n", m->soc->counter_port);
}

/* Opens the simulated machine of the text so far. */
static int
record_text_parse(struct recording *r, char *const *text, const size_t *size,
    struct sim **sim, struct diag *why)
{
	if (fflush(r->out) != 0)
		return diag_set(why, -ENOMEM, "out of memory");
	return machine_parse(sim, NAME, *text, *size, why);
}

static int
record_text_put_all(struct recording *r, char *const *text, const size_t *size,
    struct diag *why)
{
	struct access *so_far;
	struct sim *sim;
	int rc;

	record_text_put_head(r);
	put_cpu(r);
	record_text_put_packages(r);
	put_lprocs(r);
	record_text_put_clocks(r);
	put_mailbox(r);
	record_cpuid(r);
	record_registers(r);
	record_pmus(r);
	if ((rc = record_text_parse(r, text, size, &sim, why)) < 0)
		return rc;
	so_far = sim_access(sim);
	rc = record_files(r, so_far);
	access_close(so_far);
	if (rc < 0 || r->kept->lost)
		return diag_set(why, -ENOMEM, "out of memory");
	if ((rc = record_text_parse(r, text, size, &sim, why)) == 0)
		access_close(sim_access(sim));
	return rc;
}

int
record_text(struct recording *r, char **text, size_t *size, struct diag *why)
{
	int rc;

	*text = NULL;
	if ((r->out = open_memstream(text, size)) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	rc = record_text_put_all(r, text, size, why);
	if (fclose(r->out) != 0 && rc == 0)
		rc = diag_set(why, -ENOMEM, "out of memory");
	if (rc < 0) {
		free(*text);
		*text = NULL;
	}
	return rc;
}
