/*
 * postproc/parquet/hybrid.h - small numbers of a page, most of which are as the one
 * before: kept as runs, and put into the page as what Parquet calls the RLE /
 * bit-packing hybrid.
 * Source: apache/parquet-format, Encodings.md.
 */
#ifndef POSTPROC_PARQUET_HYBRID_H
#define POSTPROC_PARQUET_HYBRID_H

#include "postproc/parquet/octets.h"

struct hybrid_run {
	uint32_t value, n;
};

/* A zeroed one is empty. */
struct hybrid {
	struct hybrid_run *run;         /* [nrun], no two alike side by side */
	uint32_t nrun, room;
};

void hybrid_fini(struct hybrid *);

/* hybrid_add - n times the same behind what is there; false: out of memory. */
bool hybrid_add(struct hybrid *, uint32_t value, uint32_t n);

/* hybrid_put - values below 2^width; width 1 to 32. */
void hybrid_put(const struct hybrid *, struct octets *, unsigned width);

#endif
