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
	uint32_t pkg_lo, pkg_hi;        /* packages that have any of them */
	uint32_t n;             /* how many they are */
	uint32_t first;         /* the lowest of their ranks */
	bool whole;             /* no other lproc is in these packages */
};

struct regions {
	uint32_t n;
	struct region *region;  /* [n] by package and number of dies and CCXs,
	                         * by number */
	uint32_t *of;           /* [nlproc] which; or NO_RANK */
};

struct topology {
	unsigned nlproc;                /* ranked ones */
	unsigned ncore, npkg;
	unsigned max_lproc;             /* highest number + 1 */
	unsigned threads;               /* of the core that has most */
	uint32_t *rank_of;              /* [max_lproc], or NO_RANK */
	uint32_t *lproc_at;             /* [nlproc] */
	uint8_t *thread;                /* [nlproc] */
	uint32_t *core_of;              /* [nlproc] which core, counted from 0 */
	uint32_t *core_first;           /* [ncore + 1] ranks */
	int *core_id;                   /* [ncore] as the dump calls it */
	uint32_t pkg_first[TOPO_MAX_PKG + 1];   /* ranks */
	uint32_t pkg_core[TOPO_MAX_PKG + 1];    /* cores */
	struct regions die, numa, ccx;  /* as far as the dump says */
	struct regions chosen;          /* one, of lprocs that somebody names */
	bool assumed;                   /* by rule, not from the dump or a file */
	const char *how;                /* "dump", "block", "interleaved", "file" */
};

/*
 * topology_init - from each lproc's place: place[n].  Those whose package is
 * unknown or not below npkg (how many packages the columns have, at least 1) are not
 * ranked.  An lproc whose core is unknown is a core of its own; one whose die or NUMA
 * node is unknown is in none.
 */
int topology_init(struct topology *, const struct lproc_place *, unsigned n,
    unsigned npkg, struct diag *why);
/*
 * topology_of_dump - of a dump whose columns have so many lprocs and packages, where
 * its head does not say how many there are.
 *
 * rule   how to place the lprocs, as topology_rule takes it; NULL: as the head says,
 *        and where it does not, as for "block"
 */
int topology_of_dump(struct topology *, const struct reader *, unsigned nlproc,
    unsigned npkg, const char *rule, struct diag *why);
void topology_fini(struct topology *);
/* topology_unplaced - words about lprocs that have columns, but by the head no package of
 * the node, so that they are not ranked; NULL: there are none, or the head has no
 * packages of lprocs. */
const char *topology_unplaced(const struct reader *, char *buf, size_t size);

/* topology_choose - from now on these lprocs are the region that is chosen:
 * lproc[n] by number, true or not.  How many of them are ranked; -ENOMEM. */
int topology_choose(struct topology *, const bool *lproc, unsigned n);

/*
 * topology_rule - places by rule: "block" (the lprocs of a package follow
 * each other: 0-23 and 48-71 of 96 are package 0), "interleaved" (turn and
 * turn about: even ones are package 0), two threads a core, the second ones
 * in the second half of the numbers; else a file, as topology_parse reads.
 */
int topology_rule(struct lproc_place *, unsigned n, unsigned npkg,
    const char *rule, struct diag *why);

/* topology_parse - lines `LPROC PACKAGE CORE [THREAD]`, '#' comments; every
 * lproc below n once. */
int topology_parse(struct lproc_place *, unsigned n, unsigned npkg,
    const struct text *, struct diag *why);

#endif
