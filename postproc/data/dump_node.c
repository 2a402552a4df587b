/*
 * postproc/data/dump_node.c - the name of a dump's node, and the most that it can do.
 */
#include "postproc/data/dump_node.h"

#include <stdio.h>
#include <string.h>

#include "lib/printable.h"

void
node_name(char name[NODE_NAME], const struct reader *r)
{
	const char *path = read_path(r), *base = strrchr(path, '/');
	const char *host = head_text(r, HEAD_HOST, ALONE, base != NULL ?
	    base + 1 : path);
	size_t len = strcspn(host, ".");

	snprintf(name, NODE_NAME, "%.*s", (int)(len > NODE_NAME - 1 ?
	    NODE_NAME - 1 : len), host);
	printable(name);
}

/* ---- DRAM bandwidth as tallyd measured it ------------------------------- */

#define MAX_NODES 1024          /* NUMA nodes */

/* The DRAM bandwidth of a NUMA node as measured, bytes/s; 0: it was not measured, or node is
 * -1. */
static double
measured(const struct reader *r, int node)
{
	return node < 0 ? 0 : head_number(r, HEAD_DRAM_MAX_BANDWIDTH_NODE,
	    AT((unsigned)node), 0);
}

/* The NUMA node of an lproc, if it is that of which this constant of the head tells; -1: it
 * tells of something else. */
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

/* The sum of the bandwidths, bytes/s, that tallyd measured of all NUMA nodes of a package; 0:
 * some of them were not measured. */
static double
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

/* ---- peaks --------------------------------------------------------------- */

struct peak
peak_dram(const struct reader *r, int pkg, unsigned npkg, double by_hand)
{
	double part = pkg >= 0 && npkg > 0 ? npkg : 1;
	double measured = pkg >= 0 ? dram_max_of(r, (unsigned)pkg) :
	    dram_unmeasured(r) >= 0 ? 0 :
	    head_number(r, HEAD_DRAM_MAX_BANDWIDTH, ALONE, 0);
	double given = head_number(r, HEAD_PEAK_DRAM, ALONE, 0);

	if (by_hand > 0)
		return (struct peak){ by_hand / part, PEAK_BY_HAND, NULL };
	if (measured > 0)
		return (struct peak){ measured, PEAK_MEASURED, NULL };
	if (given > 0)
		return (struct peak){ given / part, PEAK_GIVEN, head_text(r,
		    HEAD_PEAK_DRAM_SOURCE, ALONE, NULL) };
	return (struct peak){ 0, PEAK_UNKNOWN, NULL };
}

struct peak
peak_flops(const struct reader *r)
{
	double given = head_number(r, HEAD_PEAK_FLOPS, ALONE, 0);

	if (given > 0)
		return (struct peak){ given, PEAK_GIVEN, head_text(r,
		    HEAD_PEAK_FLOPS_SOURCE, ALONE, NULL) };
	return (struct peak){ 0, PEAK_UNKNOWN, NULL };
}

const char *
peak_words(const struct peak *p, char *buf, size_t size)
{
	static const char *const word[] = {
		[PEAK_UNKNOWN] = "not known", [PEAK_BY_HAND] = "by --dram-max",
		[PEAK_MEASURED] = "measured at start", [PEAK_GIVEN] = "given",
		[PEAK_PROBED] = ("probed: 16 bytes a clock of each channel that "
		    "moved data"),
		[PEAK_TABLE] = "table",
	};

	snprintf(buf, size, "%s%s%s", word[p->source], p->whence != NULL ?
	    ": " : "", p->whence != NULL ? p->whence : "");
	return buf;
}

bool
text_was_given(const struct reader *r, const char *name)
{
	const char *had;

	for (unsigned i = 0; (had = head_text(r, HEAD_TEXT_NAME, AT(i), NULL)) !=
	    NULL; i++)
		if (strcmp(had, name) == 0)
			return true;
	return false;
}
