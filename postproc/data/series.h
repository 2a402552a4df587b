/*
 * postproc/data/series.h - the columns of a dump by what they count: a series is one
 * event of one family, over all lprocs, boxes or packages that have it.
 */
#ifndef POSTPROC_DATA_SERIES_H
#define POSTPROC_DATA_SERIES_H

#include <stdbool.h>
#include <stdint.h>

#include "config/dump/read.h"

/* What the indices of a family's columns name. */
enum level {
	LEVEL_LPROC,            /* aperf[lproc] */
	LEVEL_BOX,              /* imc_counts[package][box] */
	LEVEL_PACKAGE,          /* rapl_pkg_energy[package] */
	LEVEL_NODE,             /* tsc; ib_recv_bytes[port] */
};

struct series_unit {
	uint32_t column;
	uint32_t unit;          /* number of the lproc or package; 0: LEVEL_NODE */
	uint32_t box;           /* LEVEL_BOX only */
};

struct series {
	const struct family *family;    /* imc_counts */
	const char *event;      /* "CAS_COUNT.READS", or NULL */
	enum level level;
	uint8_t cls;            /* enum column_class */
	bool counter;           /* its deltas are added up; else it has readings, of
				 * which the mean is taken */
	uint32_t n, room;
	struct series_unit *unit;       /* in the dump's order */
	uint32_t kind;          /* of its columns */
};

struct seriesset {
	struct series *series;
	uint32_t n, room;
	uint32_t columns;       /* highest number seen, + 1 */
	uint32_t npkg, nlproc;  /* highest index seen, + 1 */
	uint32_t *of_kind;      /* [kinds] by column.kind: 1 + the latest series of
				 * such columns; 0: there is none */
	uint32_t kinds;
};

/* A zeroed seriesset is an empty one. */
void series_fini(struct seriesset *);
/* series_counts - is this a series of the counters of a type of boxes ("UPI")? */
bool series_counts(const struct series *, const char *box);
/*
 * series_add - adds column number `column`, whose names must outlive the set.  A column with
 * three indices is in no series.  Returns 0 or -ENOMEM.
 */
int series_add(struct seriesset *, uint32_t column, const struct column *);

#endif
