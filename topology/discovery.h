/*
 * topology/discovery.h - the discovery tables of a node: the PCI functions that give
 * their addresses, their bytes, and the boxes that they list.
 */
#ifndef TOPOLOGY_DISCOVERY_H
#define TOPOLOGY_DISCOVERY_H

#include "topology/discovery_table.h"
#include "topology/functions.h"
#include "topology/topo.h"

#define DISCOVERY_DEVICE 0x09a7 /* of vendor 8086: "PMON MSM" */

/* A PCI function that gives the address of a table; each die may have one. */
struct discovery_site {
	struct function at;
	int pkg;                /* the package whose boxes it lists; -1: unknown */
	bool foreign;           /* it is no CPU's: GPUs have tables, too */
	uint8_t revision;       /* of its DVSEC */
	uint64_t address;       /* physical address of the table */
	uint8_t *bytes;         /* [size] the table as it was read */
	size_t size;
	struct discovery_table table;
	char no_table[256];     /* why there is none, and what to do; or "" */
	char note[128];         /* anything else that is odd about it; or "" */
};

struct discovery {
	struct discovery_site *site;    /* by address of the function */
	unsigned n;
};

/*
 * discovery_load - read all tables of a node.
 *
 * Writes nothing.  It reads the function's config space, then its memory by single
 * aligned dwords.  site.no_table says why a table could not be read; the others are
 * read all the same.  Returns 0 or -ENOMEM; call discovery_unload in both cases.
 */
int discovery_load(struct discovery *, const struct topo *, struct access *,
    struct diag *why);
void discovery_unload(struct discovery *);

/*
 * discovery_words - entry k of a table as it was read.  Entry 0 is the global one,
 * entry 1 that of the first box.
 *
 * word    out: its three words
 * offset  out: its offset in the table; may be NULL
 *
 * Returns false past the last whole entry.
 */
bool discovery_words(const struct discovery_site *, unsigned k,
    uint64_t word[3], size_t *offset);

#endif
