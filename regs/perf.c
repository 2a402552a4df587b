/*
 * regs/perf.c - PMUs as sysfs describes them (reference: perf-event.md section
 * 2), and the kernel's own events.
 */
#include "regs/perf.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct perf_name *
perf_named(const char *name)
{
	for (const struct perf_name *p = perf_names; p->name != NULL; p++)
		if (strcasecmp(name, p->name) == 0 ||
		    (p->alias != NULL && strcasecmp(name, p->alias) == 0))
			return p;
	return NULL;
}

/*
 * format = word ":" range { "," range }   word = "config" [ "1" | "2" ]
 * range  = NUMBER [ "-" NUMBER ]
 * False for what is not of this form: newer words, tracing PMUs.
 */
static bool
parse_format(const char *text, struct pmu_format *f)
{
	const char *p = text + 6;
	char *end;

	if (strncmp(text, "config", 6) != 0)
		return false;
	f->word = 0;
	if (*p == '1' || *p == '2')
		f->word = (unsigned)(*p++ - '0');
	if (*p++ != ':')
		return false;
	f->bits = 0;
	do {
		unsigned long lo, hi;

		if (!isdigit((unsigned char)*p))
			return false;
		lo = hi = strtoul(p, &end, 10);
		if (*end == '-') {
			p = end + 1;
			if (!isdigit((unsigned char)*p))
				return false;
			hi = strtoul(p, &end, 10);
		}
		if (lo > hi || hi > 63)
			return false;
		f->bits |= ~0ull >> (63 - (hi - lo)) << lo;
		p = end + 1;
	} while (*end == ',');
	return *end == '\0';
}

struct loading {
	struct pmu *pmu;
	struct access *acc;
};

/* A file that does not exist is no error. */
static void
unread(struct pmu *pmu, const char *file, int rc)
{
	if (rc < 0 && rc != -ENOENT)
		snprintf(pmu->wrong, sizeof(pmu->wrong), "its %s cannot be "
		    "read: %s", file, strerror(-rc));
}

static void
load_format(void *ctx, const char *name)
{
	struct loading *l = ctx;
	struct pmu_format *f = &l->pmu->format[l->pmu->nformat];
	char path[256], text[128];
	int rc;

	if (l->pmu->nformat == PMU_FORMATS || strlen(name) >= sizeof(f->name))
		return;
	snprintf(path, sizeof(path), PMU_DIR "/%s/format/%s", l->pmu->name,
	    name);
	rc = access_whole(l->acc, path, text, sizeof(text));
	if (rc == -E2BIG)
		snprintf(l->pmu->wrong, sizeof(l->pmu->wrong), "its format/%s "
		    "is too long", name);
	else if (rc < 0)
		unread(l->pmu, "format", rc);
	if (rc <= 0 || !parse_format(text, f))
		return;
	strcpy(f->name, name);
	l->pmu->nformat++;
}

/* Reads a list of CPUs; a file that exists has to name at least one. */
static int
load_list(struct pmu *pmu, struct access *acc, const char *file, char *list,
    size_t size)
{
	char path[256];
	size_t n;
	int rc;

	snprintf(path, sizeof(path), PMU_DIR "/%s/%s", pmu->name, file);
	if ((rc = access_whole(acc, path, list, size)) == -ENOENT)
		return 0;
	n = rc > 0 ? (size_t)rc : 0;
	if (rc == 0)
		snprintf(pmu->wrong, sizeof(pmu->wrong), "its %s is empty: no "
		    "CPU serves this PMU", file);
	else if (rc < 0)
		unread(pmu, file, rc);
	else if (strspn(list, "0123456789,-") != n ||
	    !isdigit((unsigned char)list[n - 1]))
		snprintf(pmu->wrong, sizeof(pmu->wrong), "its %s is no list "
		    "of CPUs: %.40s", file, list);
	return pmu->wrong[0] != '\0' ? -EINVAL : 0;
}

int
pmu_load(struct pmu *pmu, struct access *acc, const char *name)
{
	struct loading l = { pmu, acc };
	const struct { const char *file; char *into; } lists[] = {
		{ "cpumask", pmu->cpumask }, { "cpus", pmu->cpus },
		{ "associated_cpus", pmu->associated },
	};
	char path[256];
	int64_t type;
	int rc;

	memset(pmu, 0, sizeof(*pmu));
	if (strlen(name) >= sizeof(pmu->name) || strchr(name, '/') != NULL ||
	    name[0] == '.' || name[0] == '\0')
		return -ENOENT;
	strcpy(pmu->name, name);
	snprintf(path, sizeof(path), PMU_DIR "/%s/type", name);
	if ((rc = access_number(acc, path, &type)) < 0) {
		unread(pmu, "type", rc);
		return rc;
	}
	if (type < 0 || type > UINT32_MAX)
		return -EINVAL;
	pmu->type = (uint32_t)type;
	snprintf(path, sizeof(path), PMU_DIR "/%s/format", name);
	unread(pmu, "format", access_list(acc, path, load_format, &l));
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if ((rc = load_list(pmu, acc, lists[i].file, lists[i].into,
		    sizeof(pmu->cpumask))) < 0)
			return rc;
	return pmu->wrong[0] != '\0' ? -EINVAL : 0;
}

/* The numbers of the PMUs "NAME_3", sorted. */
#define MAX_NUMBERS 256

struct numbers {
	const char *name;
	size_t len;
	bool exact;
	unsigned n;
	int number[MAX_NUMBERS];
};

static void
find_number(void *ctx, const char *dir)
{
	struct numbers *ns = ctx;
	const char *p = dir + ns->len;
	char *end;
	unsigned long v;

	if (strncmp(dir, ns->name, ns->len) != 0)
		return;
	if (*p == '\0')
		ns->exact = true;
	if (*p++ != '_' || !isdigit((unsigned char)*p) ||
	    ns->n == MAX_NUMBERS)
		return;
	v = strtoul(p, &end, 10);
	if (*end == '\0' && v < 100000)
		ns->number[ns->n++] = (int)v;
}

static int
by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static unsigned
each_named(struct access *acc, const char *name,
    void (*each)(void *, const char *, int), void *ctx)
{
	struct numbers ns = { .name = name, .len = strlen(name) };
	char dir[96];

	if (ns.len == 0 || ns.len > 64)
		return 0;
	access_list(acc, PMU_DIR, find_number, &ns);
	if (ns.exact) {
		const char *tail = name + ns.len;

		while (tail > name && isdigit((unsigned char)tail[-1]))
			tail--;
		if (each != NULL)
			each(ctx, name, tail > name && tail[-1] == '_' &&
			    *tail != '\0' ? atoi(tail) : -1);
		return 1;
	}
	qsort(ns.number, ns.n, sizeof(ns.number[0]), by_number);
	for (unsigned i = 0; i < ns.n; i++) {
		snprintf(dir, sizeof(dir), "%s_%d", name, ns.number[i]);
		if (each != NULL)
			each(ctx, dir, ns.number[i]);
	}
	return ns.n;
}

unsigned
pmu_each(struct access *acc, const char *name,
    void (*each)(void *, const char *, int), void *ctx)
{
	unsigned n = each_named(acc, name, each, ctx);
	char longer[80];

	if (n > 0 || strlen(name) > 64)
		return n;
	snprintf(longer, sizeof(longer), "uncore_%s", name);
	return each_named(acc, longer, each, ctx);
}

struct core_search {
	struct access *acc;
	int rank;                       /* of the best so far */
	int rc;                         /* -errno of a file that could not be read */
	char name[64];
};

/* With a device tree the kernel names an Arm core's PMU after the core
 * (armv9_neoverse_n2); with ACPI all are armv8_pmuv3_N. */
static bool
is_arm(const char *name)
{
	return strncmp(name, "armv8_", 6) == 0 || strncmp(name, "armv9_", 6) == 0;
}

/* Is it a core's PMU?  That has no cpumask; an Arm one has `cpus`, and events of 16
 * bits. */
static void
try_core(void *ctx, const char *dir)
{
	struct core_search *s = ctx;
	struct pmu_format f;
	char path[256], text[4096];
	int rank = strcmp(dir, "cpu") == 0 ? 4 :
	    strcmp(dir, "cpu_core") == 0 ? 3 :
	    is_arm(dir) ? 2 : 1;
	int n;

	if (rank <= s->rank || strlen(dir) >= sizeof(s->name))
		return;
	snprintf(path, sizeof(path), PMU_DIR "/%s/format/event", dir);
	if (rank < 3) {
		n = access_slurp(s->acc, path, text, sizeof(text));
		if (n >= 0 && (!parse_format(text, &f) || f.bits != 0xffff))
			return;
		snprintf(path, sizeof(path), PMU_DIR "/%s/cpus", dir);
		if (n >= 0)
			n = access_slurp(s->acc, path, text, sizeof(text));
		if (n < 0 && n != -ENOENT)
			s->rc = n;
		if (n < 0)
			return;
	}
	s->rank = rank;
	strcpy(s->name, dir);
}

bool
pmu_is_core(const char *name)
{
	return strcmp(name, "cpu") == 0 || strcmp(name, "cpu_core") == 0 ||
	    is_arm(name);
}

const char *
pmu_core(struct access *acc, char *buf, size_t size)
{
	struct core_search s = { .acc = acc };
	int rc = access_list(acc, PMU_DIR, try_core, &s);

	if (rc < 0 && rc != -ENOENT)
		s.rc = rc;
	errno = -s.rc;
	if (s.rank == 0)
		return NULL;
	snprintf(buf, size, "%s", s.name);
	return buf;
}

const struct pmu_format *
pmu_format_named(const struct pmu *pmu, const char *name)
{
	for (unsigned i = 0; i < pmu->nformat; i++)
		if (strcmp(pmu->format[i].name, name) == 0)
			return &pmu->format[i];
	return NULL;
}

int
pmu_put(const struct pmu_format *f, uint64_t value, struct perf_attr *attr)
{
	uint64_t word = attr->config[f->word] & ~f->bits;

	for (uint64_t bits = f->bits; bits != 0; bits &= bits - 1) {
		if (value & 1)
			word |= bits & -bits;
		value >>= 1;
	}
	if (value != 0)
		return -ERANGE;
	attr->config[f->word] = word;
	return 0;
}

uint64_t
pmu_bits(const struct pmu *pmu, unsigned word)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < pmu->nformat; i++)
		if (pmu->format[i].word == word)
			bits |= pmu->format[i].bits;
	return bits;
}

void
perf_sum_add(struct perf_sum *sum, struct perf_part *part, const uint64_t *now,
    bool gone)
{
	uint64_t enabled = now[PERF_ENABLED] - part->seen[PERF_ENABLED];
	uint64_t running = now[PERF_RUNNING] - part->seen[PERF_RUNNING];

	sum->gone |= gone;
	sum->never |= now[PERF_RUNNING] == 0;
	/* the time in which it did not run is scaled for once it has run again */
	sum->idle |= running == 0 && enabled > 0;
	for (unsigned k = 0; k < PERF_FIRST + sum->n; k++)
		sum->value[k] += now[k];
	for (unsigned k = 0; k < sum->n; k++) {
		uint64_t *value = &sum->value[PERF_FIRST + sum->n + k];
		uint64_t delta = now[PERF_FIRST + k] -
		    part->seen[PERF_FIRST + k], rest = part->rest[k];
		__extension__ unsigned __int128 wide = delta;

		if (running == enabled && running > 0)
			part->scaled[k] += delta;
		else if (running > 0) {
			wide *= enabled;
			part->scaled[k] += (uint64_t)(wide / running);
			rest += (uint64_t)((wide % running << 32) / running);
			part->scaled[k] += rest >> 32;
			part->rest[k] = (uint32_t)rest;
		}
		*value += part->scaled[k];
	}
	if (running > 0)
		memcpy(part->seen, now, sizeof(part->seen));
}

int
perf_sum_get(const struct perf_sum *sum, uint64_t offset, uint64_t *raw)
{
	if (offset >= PERF_FIRST + 2 * sum->n)
		return -EINVAL;
	if (sum->gone)
		return -ENODEV;
	if (offset >= PERF_FIRST && sum->never)
		return -ENODATA;
	if (offset >= PERF_FIRST + sum->n && sum->idle)
		return -ENODATA;
	*raw = sum->value[offset];
	return 0;
}

/*
 * The kernel's own events, by the names that perf and collectd's intel_pmu plugin give
 * them.
 *
 * Numbers: include/uapi/linux/perf_event.h.  A cache event is cache |
 * operation << 8 | result << 16.  Intel's architectural events are the SDM's
 * (vol. 3B, 20.2.1.2): 0x3c, 0xc0, 0x4f2e, 0x412e, 0xc4, 0xc5, and reference
 * cycles at bus rate, 0x13c.
 */

#define HW(name, alias, config, intel) \
	{ name, alias, PERF_HARDWARE, config, intel }
#define SW(name, alias, config) { name, alias, PERF_SOFTWARE, config, 0 }
/* Accesses to a cache, and those of them that miss. */
#define CACHE(all, misses, cache, op) \
	{ all, NULL, PERF_HW_CACHE, (cache) | (op) << 8, 0 }, \
	{ misses, NULL, PERF_HW_CACHE, (cache) | (op) << 8 | 1 << 16, 0 }
#define LOADS(name, cache) \
	CACHE(name "-loads", name "-load-misses", cache, 0)
#define STORES(name, cache) \
	CACHE(name "-stores", name "-store-misses", cache, 1)
#define PREFETCHES(name, cache) \
	CACHE(name "-prefetches", name "-prefetch-misses", cache, 2)

enum { L1D, L1I, LL, DTLB, ITLB, BPU, NODE };

const struct perf_name perf_names[] = {
	HW("cpu-cycles", "cycles", 0, 0x003c),
	HW("instructions", NULL, 1, 0x00c0),
	HW("cache-references", NULL, 2, 0x4f2e),
	HW("cache-misses", NULL, 3, 0x412e),
	HW("branches", "branch-instructions", 4, 0x00c4),
	HW("branch-misses", NULL, 5, 0x00c5),
	HW("bus-cycles", NULL, 6, 0x013c),
	LOADS("L1-dcache", L1D), STORES("L1-dcache", L1D),
	PREFETCHES("L1-dcache", L1D),
	LOADS("L1-icache", L1I), PREFETCHES("L1-icache", L1I),
	LOADS("LLC", LL), STORES("LLC", LL), PREFETCHES("LLC", LL),
	LOADS("dTLB", DTLB), STORES("dTLB", DTLB), PREFETCHES("dTLB", DTLB),
	LOADS("iTLB", ITLB), LOADS("branch", BPU),
	SW("cpu-clock", NULL, 0),
	SW("task-clock", NULL, 1),
	SW("page-faults", "faults", 2),
	SW("context-switches", "cs", 3),
	SW("cpu-migrations", "migrations", 4),
	SW("minor-faults", NULL, 5),
	SW("major-faults", NULL, 6),
	SW("alignment-faults", NULL, 7),
	SW("emulation-faults", NULL, 8),
	/* perf knows these; collectd's plugin does not. */
	HW("stalled-cycles-frontend", "idle-cycles-frontend", 7, 0),
	HW("stalled-cycles-backend", "idle-cycles-backend", 8, 0),
	HW("ref-cycles", NULL, 9, 0),
	LOADS("node", NODE), STORES("node", NODE), PREFETCHES("node", NODE),
	SW("dummy", NULL, 9),
	SW("bpf-output", NULL, 10),
	SW("cgroup-switches", NULL, 11),
	{ 0 }
};

const uint16_t perf_core_fixed[PERF_CORE_FIXED] = {
	0x00c0, 0x003c, 0x0300, 0x0400
};
