/*
 * topology/discovery.h - the discovery tables of a node: the functions that lead
 * to them, their bytes and what they list.
 */
#ifndef TOPOLOGY_DISCOVERY_H
#define TOPOLOGY_DISCOVERY_H

#include "topology/discovery_table.h"
#include "topology/functions.h"
#include "topology/topo.h"

#define DISCOVERY_DEVICE 0x09a7 /* of vendor 8086: "PMON MSM" */

/* A function that leads to a table, one a die that has one. */
struct discovery_site {
	struct function at;
	int pkg;                /* whose boxes it lists; -1: not known */
	bool foreign;           /* it is of no package: a GPU has such, too */
	uint8_t revision;       /* of its DVSEC */
	uint64_t address;       /* of the table, physical */
	uint8_t *bytes;         /* [size] of the table, as read */
	size_t size;
	struct discovery_table table;
	char no_table[256];     /* why there is none, and what helps; "" */
	char note[128];         /* what else is odd about it; "" */
};

struct discovery {
	struct discovery_site *site;    /* by address of the function */
	unsigned n;
};

/*
 * discovery_load - the tables of a node.
 *
 * Only reads: the function's config space, then its memory in aligned dwords, one
 * at a time.  A table that cannot be read or is none says so in its site; the
 * other tables are read.  Returns 0 or -ENOMEM; discovery_unload accepts either.
 */
int discovery_load(struct discovery *, const struct topo *, struct access *,
    struct diag *why);
void discovery_unload(struct discovery *);

/*
 * discovery_words - entry k of a table as it was read; 0 is the table's own, 1 the
 * first of a box.
 *
 * word    out: its three words
 * offset  out: where in the table it is; or NULL
 *
 * False behind the last whole one.
 */
bool discovery_words(const struct discovery_site *, unsigned k,
    uint64_t word[3], size_t *offset);

#endif
