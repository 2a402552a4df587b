/*
 * postproc/data/dump_node.h - what the head of a dump says of its node as a whole: its
 * name, and the most that it can do.
 */
#ifndef POSTPROC_DATA_DUMP_NODE_H
#define POSTPROC_DATA_DUMP_NODE_H

#include "config/dump/read.h"

#define NODE_NAME 256

/* node_name - the node's host name without its domain; where the dump does not say,
 * the name of its file.  Printable. */
void node_name(char name[NODE_NAME], const struct reader *);

/* text_was_given - was the run given this configuration (@hpc-skx)? */
bool text_was_given(const struct reader *, const char *name);

/*
 * The highest DRAM bandwidth (bytes/s), or floating point rate (FLOP/s, double
 * precision), of a node or a package.  Every percentage of a peak names the peak's
 * source.
 */
enum peak_source {
	PEAK_UNKNOWN,           /* no percentage of it is printed */
	PEAK_BY_HAND,           /* --dram-max */
	PEAK_MEASURED,          /* by tallyd, when it started */
	PEAK_GIVEN,             /* by the site's configuration, in whose words whence
				 * says how it was found */
	PEAK_PROBED,            /* from registers: clock and number of channels */
	PEAK_TABLE,             /* from the CPU's manual */
};

struct peak {
	double value;           /* 0: unknown */
	enum peak_source source;
	const char *whence;     /* the site's own words for it; or NULL */
};

/*
 * peak_dram - DRAM bandwidth of package `pkg`, or of the node where pkg is -1.
 *
 * by_hand  bytes/s of the node by --dram-max; 0: not given
 * npkg     packages, which share equally what is given for the node
 */
struct peak peak_dram(const struct reader *, int pkg, unsigned npkg,
    double by_hand);
struct peak peak_flops(const struct reader *);

/* peak_words - "measured at start"; "given: HPL".  Returns buf. */
const char *peak_words(const struct peak *, char *buf, size_t size);

/* dram_unmeasured - the lowest NUMA node that was not measured while others were, so
 * that no bandwidth of the whole node is known; -1: there is none. */
int dram_unmeasured(const struct reader *);

#endif
