/*
 * postproc/data/dram_max.c - of which NUMA nodes it is known.
 */
#include "postproc/data/dram_max.h"

#include "regs/limits.h"

#define MAX_NODES 1024

static double
measured(const struct reader *r, int node)
{
	return node < 0 ? 0 : head_number(r, HEAD_DRAM_MAX_BANDWIDTH_NODE,
	    AT((unsigned)node), 0);
}

/* The NUMA node of an lproc that the head has; -1: none. */
static int
node_of(const struct constant *c)
{
	return c->key == HEAD_LPROC_NODE && c->kind == CONSTANT_INT &&
	    c->u < MAX_NODES ? (int)c->u : -1;
}

int
dram_unmeasured(const struct reader *r)
{
	int lacks = -1;
	bool any = false;

	for (unsigned i = 0; i < read_constants(r); i++) {
		int node = node_of(read_constant(r, i));

		if (measured(r, node) > 0)
			any = true;
		else if (node >= 0 && (lacks < 0 || node < lacks))
			lacks = node;
	}
	return any ? lacks : -1;
}

double
dram_max_of(const struct reader *r, unsigned pkg)
{
	bool seen[MAX_NODES] = { false };
	double sum = 0;

	for (unsigned i = 0; i < read_constants(r); i++) {
		const struct constant *c = read_constant(r, i);
		int node = node_of(c);

		if (node < 0 || seen[node] || head_number(r,
		    HEAD_LPROC_PACKAGE, AT(c->at.n[0]), -1) != pkg)
			continue;
		if (!(measured(r, node) > 0))
			return 0;
		seen[node] = true;
		sum += measured(r, node);
	}
	return sum;
}
