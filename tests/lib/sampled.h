/*
 * tests/lib/sampled.h - a store that a test fills as a daemon would, and the page for
 * Prometheus of it.
 */
#ifndef TESTS_SAMPLED_H
#define TESTS_SAMPLED_H

#include "tests/lib/files.h"

#include "config/dump/store.h"
#include "postproc/live/exporters.h"

enum sampled_cell {
	SAMPLED_TSC,            /* 2 GHz */
	SAMPLED_SEC, SAMPLED_USEC,
	SAMPLED_READS, SAMPLED_WRITES,  /* of a channel, 64 bytes each */
	SAMPLED_ENERGY,         /* half a joule each */
	SAMPLED_HEAT,
	SAMPLED_CELLS,
};

struct sampled {
	char *dir, path[512];
	struct store *store;
	uint64_t cell[SAMPLED_CELLS];   /* of the last row */
};

#define SAMPLED_SCOPES (1u << SCOPE_OF_PACKAGE | 1u << SCOPE_OF_NODE)

/* sampled_start - of a node with one package, no sample yet; late after 300 s.
 * sampled_stop - as a daemon ends: the store is removed. */
struct sampled sampled_start(void);
void sampled_stop(struct sampled *);

/* sampled_more - one second more: 1,000,000 reads, 250,000 writes, 40 J, 50
 * degrees.  READS wrap in the second one, ENERGY in the first. */
void sampled_more(struct sampled *);

/* sampled_next - the next segment begins: another store by that name, whose first
 * row is the last of this one. */
void sampled_next(struct sampled *);

/* sampled_value - of a series by name and labels, of a page; NaN: none. */
double sampled_value(const char *page, const char *series);

/* sampled_says - fails the test unless the page of now has these values, to a
 * thousandth; NaN: no such series.  series ends with NULL. */
void sampled_says(struct exposed *, const char *const *series,
    const double *value);

#endif
