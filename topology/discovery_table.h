/*
 * topology/discovery_table.h - the table by which an uncore describes itself:
 * which boxes there are, how they are reached and where their registers lie.
 *
 * Layout: reference intel-server-pmon 9.1 (Linux, Intel PCM and LIKWID agree);
 * what is checked and why, 9.5.  No table of a real machine was seen: each entry
 * is believed by itself, after it was checked, or left out with its reason.
 */
#ifndef TOPOLOGY_DISCOVERY_TABLE_H
#define TOPOLOGY_DISCOVERY_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "regs/access.h"
#include "regs/diag.h"

#define DISCOVERY_ENTRY 24      /* bytes of an entry: three words of 64 bits */

/* A box that the table lists. */
struct discovered {
	uint16_t entry;         /* its place in the table, from 0 */
	uint16_t type, id;      /* 0 is a CHA; numbered within its type */
	uint8_t space;          /* REG_MSR, REG_PCI or REG_MMIO */
	uint8_t counters, bits;
	/* From the box control on: counter n's registers are n steps further. */
	uint8_t ctl, ctr, status;
	uint8_t ctl_step, ctr_step;
	uint32_t unit;          /* PCI_UNIT() of its function, else 0 */
	uint64_t box_ctl;       /* MSR number, offset, or physical address */
};

/* Entries that are not believed. */
struct discovery_left {
	uint16_t first, last;
	char why[120];
};

struct discovery_table {
	uint8_t kind;           /* of the global entry: what it means, no source
	                         * says */
	uint8_t stride;         /* of an entry, in words of 64 bits */
	uint16_t max_units;
	uint8_t global_space;   /* REG_NONE: of a kind that nobody knows */
	uint64_t global_ctl;
	struct discovered *unit;        /* in the table's order */
	unsigned n;
	struct discovery_left *left;
	unsigned nleft;
};

/*
 * discovery_size - how many bytes the table has that begins with these.
 *
 * head    its first DISCOVERY_ENTRY bytes
 * size    out: from 96 to 2 MB
 *
 * Returns 0, or -EINVAL with the reason why there is no table to be read.
 */
int discovery_size(const uint8_t *head, size_t *size, struct diag *why);

/*
 * discovery_parse - the boxes of a table.
 *
 * bytes   [size] as read; entries behind them are left out
 *
 * A function of the bytes alone: whether a register answers is not asked.  Holes
 * (entries of zero) are normal and left out without a word.  Returns 0; -EINVAL
 * with the reason when it is no table, or -ENOMEM.  discovery_free accepts
 * either.
 */
int discovery_parse(struct discovery_table *, const uint8_t *bytes, size_t size,
    struct diag *why);
void discovery_free(struct discovery_table *);

/* discovery_drop - leave out unit k after all.  0 or -ENOMEM. */
int discovery_drop(struct discovery_table *, unsigned k, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
