/*
 * topology/lprocs.c - lists of lprocs as in sysfs (0-23,48-71), and the NUMA node,
 * package, die, core and caches of each lproc.
 *
 * A property that lprocs share is read from the files of one of them, whose list
 * names the others: a large node has hundreds of these files, and opening each takes
 * time.
 */
#include "topology/topo.h"

#include "regs/access.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LIST 4096
#define CPU_DIR "/sys/devices/system/cpu"
#define NODE_DIR "/sys/devices/system/node"

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

int
cpulist_file(struct access *acc, const char *path, unsigned max,
    void (*each)(void *, unsigned), void *ctx)
{
	char buf[MAX_LIST];
	int rc = access_slurp(acc, path, buf, sizeof(buf));

	return rc < 0 ? rc : cpulist_parse(buf, max, each, ctx);
}

/* A property that lprocs share: the files in cpuN with the list of lprocs that share
 * it with N, and with its value. */
struct property {
	const char *list[2];    /* the second is the name in older kernels */
	const char *value;
	bool cache;             /* some cores may lack it; its value means nothing
	                         * without a list */
};

static const struct property package = {
	{ "topology/package_cpus_list", "topology/core_siblings_list" },
	"topology/physical_package_id", false
};
static const struct property die = {
	{ "topology/die_cpus_list", NULL }, "topology/die_id", false
};
static const struct property core = {
	{ "topology/thread_siblings_list", "topology/core_cpus_list" },
	"topology/core_id", false
};
/* Leaf caches are numbered L1d, L1i, L2, L3. */
static const struct property module = {
	{ "cache/index2/shared_cpu_list", NULL }, NULL, true
};

static const struct property l3 = {
	{ "cache/index3/shared_cpu_list", NULL }, "cache/index3/id", true
};

struct lprocs {
	struct topo *topo;
	struct access *acc;
	bool *known;            /* [nlproc] */
	/* the lprocs that share the property at hand, ascending */
	unsigned *alike, n;
	unsigned *head;         /* [nlproc] the first lproc of the same core */
	bool unlisted[2];       /* this kernel does not have that list, */
	bool unvalued;          /* or not the value */
};

static void
add_alike(void *ctx, unsigned n)
{
	struct lprocs *l = ctx;

	if (n < l->topo->nlproc && l->n < l->topo->nlproc)
		l->alike[l->n++] = n;
}

static int
path_of(unsigned n, const char *file, char *buf, size_t size)
{
	return snprintf(buf, size, CPU_DIR "/cpu%u/%s", n, file);
}

static void
name_ignored(void *ctx, const char *name)
{
	(void)ctx;
	(void)name;
}

/* Does this kernel lack a file, which n has not?  An lproc that goes offline takes its
 * folder along, and tells nothing of the others. */
static bool
kernel_lacks(struct lprocs *l, const struct property *p, unsigned n, int rc)
{
	char path[96];

	path_of(n, "topology", path, sizeof(path));
	return rc == -ENOENT && !p->cache &&
	    access_list(l->acc, path, name_ignored, NULL) == 0;
}

/* Lists the lprocs that share a property with n; none where no list tells. */
static void
find_alike(struct lprocs *l, const struct property *p, unsigned n)
{
	char path[96];

	l->n = 0;
	for (unsigned k = 0; k < 2 && l->n == 0 && p->list[k] != NULL; k++) {
		if (l->unlisted[k])
			continue;
		path_of(n, p->list[k], path, sizeof(path));
		l->unlisted[k] = kernel_lacks(l, p, n, cpulist_file(l->acc, path,
		    l->topo->nlproc, add_alike, l));
	}
}

/* The number in a file of an lproc, or -1. */
static int
lprocs_number_of(struct lprocs *l, const struct property *p, unsigned n)
{
	char path[96];
	int64_t value;
	int rc;

	if (p->value == NULL || l->unvalued || (p->cache && l->n == 0))
		return -1;
	path_of(n, p->value, path, sizeof(path));
	rc = access_number(l->acc, path, &value);
	l->unvalued = kernel_lacks(l, p, n, rc);
	return rc < 0 || value < 0 ? -1 : (int)value;
}

/* Without a list, assumes that the other threads of n's core share the property. */
static void
core_alike(struct lprocs *l, unsigned n)
{
	l->n = 0;
	for (unsigned k = n; k < l->topo->nlproc; k++)
		if (l->head[k] == l->head[n])
			l->alike[l->n++] = k;
}

/* Calls back for each lproc with the value (-1: none), its rank in the list, and the
 * first lproc of the list (-1: there is no list). */
static void
each_group(struct lprocs *l, const struct property *p,
    void (*take)(struct lproc *, int value, unsigned at, int first))
{
	struct topo *topo = l->topo;

	memset(l->known, 0, topo->nlproc * sizeof(l->known[0]));
	l->unlisted[0] = l->unlisted[1] = false;
	l->unvalued = false;
	for (unsigned n = 0; n < topo->nlproc; n++) {
		int value, first;

		if (!topo->lproc[n].online || l->known[n])
			continue;
		find_alike(l, p, n);
		value = lprocs_number_of(l, p, n);
		first = l->n > 0 ? (int)l->alike[0] : -1;
		if (l->n == 0)
			core_alike(l, n);
		for (unsigned i = 0; i < l->n; i++) {
			unsigned k = l->alike[i];

			if (!topo->lproc[k].online || l->known[k])
				continue;
			take(&topo->lproc[k], value, i, first);
			if (p == &core && first >= 0)
				l->head[k] = (unsigned)first;
			l->known[k] = true;
		}
		if (!l->known[n])
			take(&topo->lproc[n], value, 0, -1);
	}
}

static void
take_package(struct lproc *lp, int value, unsigned at, int first)
{
	(void)at;
	(void)first;
	lp->pkg = value;
}

static void
take_die(struct lproc *lp, int value, unsigned at, int first)
{
	(void)at;
	(void)first;
	lp->die = value >= 0 ? value : 0;
}

/* An lproc's thread number is its rank among its core's lprocs. */
static void
take_core(struct lproc *lp, int value, unsigned at, int first)
{
	(void)first;
	lp->core = value;
	lp->thread = (int)at;
}

static void
take_module(struct lproc *lp, int value, unsigned at, int first)
{
	(void)value;
	(void)at;
	lp->module = first;
}

static void
take_l3(struct lproc *lp, int value, unsigned at, int first)
{
	(void)at;
	lp->l3 = first;
	lp->l3_id = value;
}

/* Takes a line of /proc/cpuinfo; lproc: whose paragraph it is in. */
static void
take_cpuinfo(struct topo *topo, const char *line, int *lproc)
{
	int id;

	if (sscanf(line, "processor : %d", lproc) == 1)
		return;
	if (sscanf(line, "physical id : %d", &id) == 1 && *lproc >= 0 &&
	    (unsigned)*lproc < topo->nlproc && topo->lproc[*lproc].pkg < 0)
		topo->lproc[*lproc].pkg = id;
}

static void
packages_of_cpuinfo(struct lprocs *l)
{
	char buf[8192], *line, *end;
	uint64_t at = 0;
	size_t have = 0;
	ssize_t n;
	int lproc = -1;

	while ((n = access_file(l->acc, "/proc/cpuinfo", at, buf + have,
	    sizeof(buf) - 1 - have)) > 0) {
		at += (uint64_t)n;
		have += (size_t)n;
		buf[have] = '\0';
		for (line = buf; (end = strchr(line, '\n')) != NULL;
		    line = end + 1)
			take_cpuinfo(l->topo, line, &lproc);
		have = strlen(line);
		if (have == sizeof(buf) - 1)    /* no line is that long */
			have = 0;
		memmove(buf, line, have);
	}
}

/* The package of lprocs whose files do not tell, as a container hides them or they went
 * offline meanwhile: by /proc/cpuinfo; where that has none, the NUMA node. */
static void
packages_unknown(struct lprocs *l)
{
	struct topo *topo = l->topo;
	bool unknown = false;

	for (unsigned n = 0; n < topo->nlproc; n++)
		unknown |= topo->lproc[n].online && topo->lproc[n].pkg < 0;
	if (unknown)
		packages_of_cpuinfo(l);
	for (unsigned n = 0; n < topo->nlproc; n++) {
		struct lproc *lp = &topo->lproc[n];

		if (lp->online && lp->pkg < 0)
			lp->pkg = lp->node < 0 ? 0 : lp->node;
	}
}

struct node_marks {
	struct topo *topo;
	struct access *acc;
	int node;
};

static void
mark_node(void *ctx, unsigned n)
{
	struct node_marks *m = ctx;

	m->topo->lproc[n].node = m->node;
}

static void
load_node(void *ctx, const char *name)
{
	struct node_marks *m = ctx;
	char path[96], *end;

	if (strncmp(name, "node", 4) != 0 || name[4] < '0' || name[4] > '9')
		return;
	m->node = (int)strtol(name + 4, &end, 10);
	if (*end != '\0')
		return;
	snprintf(path, sizeof(path), NODE_DIR "/node%d/cpulist", m->node);
	cpulist_file(m->acc, path, m->topo->nlproc, mark_node, m);
}

int
lprocs_load(struct topo *topo, struct access *acc, int *pkg_id)
{
	struct lprocs l = { .topo = topo, .acc = acc };
	struct node_marks m = { .topo = topo, .acc = acc };

	l.known = calloc(topo->nlproc, sizeof(l.known[0]));
	l.alike = calloc(topo->nlproc, sizeof(l.alike[0]));
	l.head = calloc(topo->nlproc, sizeof(l.head[0]));
	if (l.known == NULL || l.alike == NULL || l.head == NULL) {
		free(l.known);
		free(l.alike);
		free(l.head);
		return -ENOMEM;
	}
	access_list(acc, NODE_DIR, load_node, &m);
	for (unsigned n = 0; n < topo->nlproc; n++)
		l.head[n] = n;
	each_group(&l, &core, take_core);
	each_group(&l, &package, take_package);
	packages_unknown(&l);
	each_group(&l, &die, take_die);
	each_group(&l, &module, take_module);
	each_group(&l, &l3, take_l3);
	for (unsigned n = 0; n < topo->nlproc; n++) {
		pkg_id[n] = topo->lproc[n].pkg;
		topo->lproc[n].pkg = -1;
	}
	free(l.known);
	free(l.alike);
	free(l.head);
	return 0;
}
