/*
 * postproc/data/peak.h - the most that a node, or a package, can do, and on what
 * that rests: no percentage of a peak is printed without.
 */
#ifndef POSTPROC_DATA_PEAK_H
#define POSTPROC_DATA_PEAK_H

#include "config/dump/read.h"

enum peak_source {
	PEAK_UNKNOWN,           /* then there is no percentage of it */
	PEAK_BY_HAND,           /* --dram-max */
	PEAK_MEASURED,          /* by tallyd, when it started */
	PEAK_GIVEN,             /* by the site's configuration, which says how */
	PEAK_PROBED,            /* of what registers say: clock and channels */
	PEAK_TABLE,             /* of what the CPU's manual says */
};

struct peak {
	double value;           /* bytes/s or FLOP/s; 0: unknown */
	enum peak_source source;
	const char *whence;     /* the site's own words; or NULL */
};

/*
 * peak_dram - of a package, or (-1) of the node.
 *
 * by_hand  bytes/s of the node that the user says, or 0
 * npkg     how many packages share what is said of the node
 */
struct peak peak_dram(const struct reader *, int pkg, unsigned npkg,
    double by_hand);
/* peak_flops - of the node, double precision. */
struct peak peak_flops(const struct reader *);

/* peak_words - "measured by tallyd at start"; "given: HPL".  Returns buf. */
const char *peak_words(const struct peak *, char *buf, size_t size);

#endif
