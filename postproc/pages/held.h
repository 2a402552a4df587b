/*
 * postproc/pages/held.h - what is said of one thing by several counters of a run, held
 * against one another over all of it, for a page of figures of all of it.
 */
#ifndef POSTPROC_PAGES_HELD_H
#define POSTPROC_PAGES_HELD_H

#include "postproc/pages/pairs.h"

struct held {
	struct metrics metrics; /* those that come with the programs */
	struct pairs pairs;
	struct findings findings;       /* with peers, as notes */
};

/* held_take - of a gather that has read all; 0 or -ENOMEM.  held_fini accepts what is
 * all 0.  held_findings - how many, notes aside. */
int held_take(struct held *, struct gather *);
void held_fini(struct held *);
unsigned held_findings(const struct held *);

#endif
