/*
 * topology/topo.c - logical processors and packages, from
 * /sys/devices/system.
 */
#include "topology/topo_int.h"

#include "regs/limits.h"
#include "regs/perf.h"
#include "regs/printable.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CPU_DIR "/sys/devices/system/cpu"
#define NODE_DIR "/sys/devices/system/node"
#define MAX_LIST 4096

int
cpulist_parse(const char *list, unsigned max,
    void (*each)(void *ctx, unsigned n), void *ctx)
{
	const char *p = list;

	while (*p != '\0') {
		char *end;
		unsigned long lo = strtoul(p, &end, 10), hi = lo;

		if (end == p || *p == '-' || *p == '+')
			return -EINVAL;
		if (*end == '-') {
			p = end + 1;
			hi = strtoul(p, &end, 10);
			if (end == p || hi < lo)
				return -EINVAL;
		}
		for (unsigned long n = lo; n <= hi && n < max; n++)
			each(ctx, (unsigned)n);
		if (*end != ',' && *end != '\0')
			return -EINVAL;
		p = *end == ',' ? end + 1 : end;
	}
	return 0;
}

struct marks {
	struct topo *topo;
	int node;
	unsigned highest;
	unsigned rank, self;
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

static void
mark_node(void *ctx, unsigned n)
{
	struct marks *m = ctx;

	m->topo->lproc[n].node = m->node;
}

/* An lproc's thread number is its rank among its core's lprocs. */
static void
mark_rank(void *ctx, unsigned n)
{
	struct marks *m = ctx;

	if (n < m->self)
		m->rank++;
}

static int
list_of(struct access *acc, const char *path, unsigned max,
    void (*each)(void *, unsigned), void *ctx)
{
	char buf[MAX_LIST];
	int rc = access_slurp(acc, path, buf, sizeof(buf));

	return rc < 0 ? rc : cpulist_parse(buf, max, each, ctx);
}

/* A number of cpuN/topology; `unknown` when the file is not there or -1. */
static int
topology_number(struct access *acc, unsigned n, const char *file, int unknown)
{
	char path[96];
	int64_t value;

	snprintf(path, sizeof(path), CPU_DIR "/cpu%u/topology/%s", n, file);
	if (access_number(acc, path, &value) < 0 || value < 0)
		return unknown;
	return (int)value;
}

/* The lowest of a list. */
static void
mark_lowest(void *ctx, unsigned n)
{
	struct marks *m = ctx;

	if (n < m->self)
		m->self = n;
}

static void
load_lproc(struct topo *topo, struct access *acc, unsigned n, int *pkg_id)
{
	struct lproc *lp = &topo->lproc[n];
	struct marks m = { .self = n };
	char path[96];

	*pkg_id = topology_number(acc, n, "physical_package_id", lp->node < 0 ?
	    0 : lp->node);
	lp->die = topology_number(acc, n, "die_id", 0);
	lp->core = topology_number(acc, n, "core_id", -1);
	snprintf(path, sizeof(path),
	    CPU_DIR "/cpu%u/topology/thread_siblings_list", n);
	list_of(acc, path, MAX_LPROCS, mark_rank, &m);
	lp->thread = (int)m.rank;
	/* Leaf caches are numbered L1d, L1i, L2. */
	snprintf(path, sizeof(path),
	    CPU_DIR "/cpu%u/cache/index2/shared_cpu_list", n);
	if (list_of(acc, path, MAX_LPROCS, mark_lowest, &m) == 0)
		lp->module = (int)m.self;
}

/* Packages by ascending id: ids can be sparse, indices never are. */
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
load_nodes(struct topo *topo, struct access *acc)
{
	struct marks m = { .topo = topo };
	char path[96];

	for (m.node = 0; m.node < 1024; m.node++) {
		snprintf(path, sizeof(path), NODE_DIR "/node%d/cpulist",
		    m.node);
		/* numbers can have gaps, but not long ones */
		if (list_of(acc, path, topo->nlproc, mark_node, &m) == -ENOENT
		    && m.node >= MAX_PKG * 2)
			break;
	}
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
	/* it becomes part of a file name and of quoted strings */
	for (char *p = printable(buf); *p != '\0'; p++)
		if (*p == '/' || *p == '"' || *p == '\\' || *p < ' ')
			*p = '_';
	strcpy(topo->host, buf[0] != '\0' ? buf : "localhost");
}

/* The core alone does not decide it: others have it, too. */
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

int
topo_load(struct topo *topo, struct access *acc, struct diag *why)
{
	struct marks m = { .topo = topo };
	unsigned first = 0;
	bool threaded = false;
	int *pkg_id, rc;

	memset(topo, 0, sizeof(*topo));
	if ((rc = list_of(acc, CPU_DIR "/online", MAX_LPROCS, mark_highest,
	    &m)) < 0)
		return diag_set(why, rc, CPU_DIR "/online: %s (is /sys "
		    "mounted?)", strerror(-rc));
	list_of(acc, CPU_DIR "/present", MAX_LPROCS, mark_highest, &m);
	if (m.highest == 0)
		return diag_set(why, -ENODATA, CPU_DIR "/online lists no CPU");
	topo->nlproc = m.highest;
	topo->lproc = calloc(topo->nlproc, sizeof(topo->lproc[0]));
	pkg_id = calloc(topo->nlproc, sizeof(pkg_id[0]));
	if (topo->lproc == NULL || pkg_id == NULL) {
		free(pkg_id);
		return diag_set(why, -ENOMEM, "out of memory");
	}
	for (unsigned n = 0; n < topo->nlproc; n++)
		topo->lproc[n] = (struct lproc){ .pkg = -1, .die = -1,
		    .core = -1, .thread = -1, .node = -1, .module = -1 };
	list_of(acc, CPU_DIR "/present", topo->nlproc, mark_exists, &m);
	list_of(acc, CPU_DIR "/online", topo->nlproc, mark_online, &m);
	load_nodes(topo, acc);
	for (unsigned n = topo->nlproc; n-- > 0;)
		if (topo->lproc[n].online) {
			load_lproc(topo, acc, n, &pkg_id[n]);
			threaded |= topo->lproc[n].thread > 0;
			first = n;
		}
	cpu_id_load(&topo->cpu, acc, first);
	if (strcmp(topo->cpu.vendor, "GenuineIntel") == 0)
		topo->model = model_find(topo->cpu.family, topo->cpu.model,
		    topo->cpu.stepping);
	else if (topo->cpu.midr != 0)
		topo->model = arm_model(topo, acc);
	for (unsigned n = 0; n < topo->nlproc; n++)
		if (topo->model != NULL && topo->model->pkg_is_node &&
		    topo->lproc[n].node >= 0)
			pkg_id[n] = topo->lproc[n].node;
	rc = load_packages(topo, pkg_id, why);
	free(pkg_id);
	if (rc < 0)
		return rc;
	cpu_id_assume(&topo->cpu, topo->model, threaded);
	buses_load(topo, acc);
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
}

unsigned
topo_first(const struct topo *topo)
{
	return topo->npkg > 0 ? topo->pkg[0].first_lproc : 0;
}
