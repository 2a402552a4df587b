/*
 * postproc/data/layout.h - which lproc of a dump is in which core, die, NUMA node
 * and package.
 *
 * lprocs are ranked by (package, die, core, thread), so the lprocs of a core, of
 * a package and of the node are each a stretch of ranks.  Those of a NUMA node
 * need not be: clusters of a package may take their cores in turn, and a node
 * may have lprocs of several packages.
 */
#ifndef POSTPROC_DATA_LAYOUT_H
#define POSTPROC_DATA_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/dump/read.h"
#include "config/texts.h"

#define TOPO_MAX_PKG 64
#define NO_RANK UINT32_MAX

struct lproc_place {
	int pkg, core, thread, die, numa, ccx;  /* -1: unknown */
};

/* The lprocs of a die, of a NUMA node or of a core complex. */
struct region {
	int id;                 /* its number; of a die and a CCX, in its package */
	uint32_t pkg_lo, pkg_hi;        /* the lowest and the highest package that
				 * has lprocs of it */
	uint32_t n;             /* how many lprocs it has */
	uint32_t first;         /* the lowest rank among them */
	bool whole;             /* no other lproc is in these packages */
};

struct regions {
	uint32_t n;
	struct region *region;  /* [n] in rising order: dies and CCXs by package and
	                         * number, NUMA nodes by number */
	uint32_t *of;           /* [nlproc] by rank: index of region[], or NO_RANK */
};

struct topology {
	unsigned nlproc;                /* how many lprocs are ranked */
	unsigned ncore, npkg;
	unsigned max_lproc;             /* highest number of an lproc, + 1 */
	unsigned threads;               /* of the core that has most */
	uint32_t *rank_of;              /* [max_lproc] of each lproc, or NO_RANK */
	uint32_t *lproc_at;             /* [nlproc] the lproc of each rank */
	uint8_t *thread;                /* [nlproc] its number in its core */
	uint32_t *core_of;              /* [nlproc] its core, counted from 0 */
	uint32_t *core_first;           /* [ncore + 1] the first rank of each core */
	int *core_id;                   /* [ncore] as the dump calls it */
	uint32_t pkg_first[TOPO_MAX_PKG + 1];   /* the first rank of each package */
	uint32_t pkg_core[TOPO_MAX_PKG + 1];    /* its first core */
	struct regions die, numa, ccx;  /* as far as the dump says */
	struct regions chosen;          /* one region: see topology_choose */
	bool assumed;                   /* by rule, not from the dump or a file */
	const char *how;                /* "dump", "block", "interleaved", "file" */
};

/*
 * topology_init - ranks n lprocs by their places.  Those whose package is unknown or not
 * below npkg (how many packages the columns have, at least 1) are not ranked.  An lproc
 * whose core is unknown is a core of its own; one whose die or NUMA node is unknown is in
 * none.  Returns 0, or -errno with words in why.
 */
int topology_init(struct topology *, const struct lproc_place *, unsigned n,
    unsigned npkg, struct diag *why);
/*
 * topology_of_dump - ranks the lprocs of a dump.
 *
 * nlproc, npkg   how many its columns have; used where its head does not say how many
 *                there are
 * rule           how to place the lprocs, as topology_rule takes it; NULL: as the head
 *                says, or else by "block"
 *
 * Returns 0, or -errno with words in why.
 */
int topology_of_dump(struct topology *, const struct reader *, unsigned nlproc,
    unsigned npkg, const char *rule, struct diag *why);
void topology_fini(struct topology *);
/* topology_unplaced - words about lprocs that have columns, but that the head puts in no
 * package of the node, so that they are not ranked.  NULL: there are none, or the head does
 * not say which packages lprocs are in. */
const char *topology_unplaced(const struct reader *, char *buf, size_t size);

/* topology_choose - makes the lprocs whose lproc[number] is true the region `chosen`.
 * Returns how many of them are ranked, or -ENOMEM. */
int topology_choose(struct topology *, const bool *lproc, unsigned n);

/*
 * topology_rule - places n lprocs by a rule: "block" (the lprocs of a package follow each
 * other: 0-23 and 48-71 of 96 are in package 0) or "interleaved" (the packages take turns:
 * even numbers are in package 0).  Both assume two threads a core, the second ones in the
 * second half of the numbers.  Any other rule is the name of a file for topology_parse.
 * Returns 0, or -errno with words in why.
 */
int topology_rule(struct lproc_place *, unsigned n, unsigned npkg,
    const char *rule, struct diag *why);

/* topology_parse - reads places from lines `LPROC PACKAGE CORE [THREAD]`; '#' begins a comment.
 * Every lproc below n has to be there once.  Returns 0, or -errno with words in why. */
int topology_parse(struct lproc_place *, unsigned n, unsigned npkg,
    const struct text *, struct diag *why);

#endif
