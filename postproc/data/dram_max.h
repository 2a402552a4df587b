/*
 * postproc/data/dram_max.h - the most that DRAM did, where it was measured.
 */
#ifndef POSTPROC_DATA_DRAM_MAX_H
#define POSTPROC_DATA_DRAM_MAX_H

#include "config/dump/read.h"

/* dram_unmeasured - a NUMA node whose DRAM was not measured while that of others
 * was: of all of them nothing is known.  -1: there is none. */
int dram_unmeasured(const struct reader *);

/* dram_max_of - bytes a second of one package's NUMA nodes; 0: it is not known
 * of all of them. */
double dram_max_of(const struct reader *, unsigned pkg);

#endif
