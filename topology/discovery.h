/*
 * topology/discovery.h - the discovery tables of a node: the PCI functions that give
 * their addresses, their bytes, and the boxes that they list.
 */
#ifndef TOPOLOGY_DISCOVERY_H
#define TOPOLOGY_DISCOVERY_H

#include "lib/diag.h"
#include "regs/access.h"
#include "topology/devices.h"
#include "topology/topo.h"

#include <stddef.h>
#include <stdint.h>

/*
 * The table by which an uncore describes itself: which boxes there are, how they are
 * reached and where their registers lie.
 *
 * Layout: reference intel-server-pmon 9.1 (Linux, Intel PCM and LIKWID agree); what
 * is checked and why: 9.5.  We have not seen the table of a real machine, so each
 * entry is checked by itself, and left out with a reason where it fails.
 */

#define DISCOVERY_ENTRY 24      /* bytes of an entry: three words of 64 bits */

/* A box that the table lists. */
struct discovered {
	uint16_t entry;         /* its index in the table, from 0 */
	uint16_t type, id;      /* type 0 is a CHA; id: number within the type */
	uint8_t space;          /* REG_MSR, REG_PCI or REG_MMIO */
	uint8_t counters, bits;
	/* Offsets from the box control; counter n's registers are n steps further. */
	uint8_t ctl, ctr, status;
	uint8_t ctl_step, ctr_step;
	uint32_t unit;          /* REG_PCI: PCI_UNIT() of its function; else 0 */
	uint64_t box_ctl;       /* MSR number, offset, or physical address */
};

/* A run of entries that were left out, and why. */
struct discovery_left {
	uint16_t first, last;
	char why[120];
};

struct discovery_table {
	uint8_t stride;         /* size of an entry in words of 64 bits */
	uint16_t max_units;
	struct discovered *unit;        /* in the table's order */
	unsigned n;
	struct discovery_left *left;
	unsigned nleft;
};

/*
 * discovery_size - the size of a table, by its first bytes.
 *
 * head    its first DISCOVERY_ENTRY bytes
 * size    out: from 96 to 2 MB
 *
 * Returns 0, or -EINVAL with the reason in why where this is no table.
 */
int discovery_size(const uint8_t *head, size_t *size, struct diag *why);

/*
 * discovery_parse - list the boxes of a table.
 *
 * bytes   [size] the table as read; entries past the end are left out
 *
 * It reads no registers.  Entries that are all 0 are normal and skipped silently.
 * Returns 0; -EINVAL with the reason where it is no table; or -ENOMEM.  Call
 * discovery_free in all cases.
 */
int discovery_parse(struct discovery_table *, const uint8_t *bytes, size_t size,
    struct diag *why);
void discovery_free(struct discovery_table *);

/* discovery_drop - remove unit k from the list, for this reason.  0 or -ENOMEM. */
int discovery_drop(struct discovery_table *, unsigned k, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

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
