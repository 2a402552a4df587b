/*
 * daemon/head/hbm.c - how a node uses its HBM.
 *
 * flat   as memory of its own, in NUMA nodes without lprocs
 * cache  in front of DDR, where the kernel does not see it
 * only   as all the memory that there is
 *
 * No register that says which is public: NUMA nodes and the size of memory do.
 */
#include "daemon/head/hbm.h"

#include <stdlib.h>
#include <string.h>

#define NODES "/sys/devices/system/node/"
#define MAX_NODES 1024

/* What a package of Xeon Max has. */
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

/* NULL: nothing says. */
static const char *
mode(const struct topo *topo, struct access *acc)
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
	is = mode(topo, acc);
	head_put_text(h, HEAD_HBM_MODE, ALONE, is != NULL ? is : "unknown");
	if (is != NULL)
		head_put_int(h, HEAD_HBM_CACHE, ALONE, strcmp(is, "cache") == 0);
}
