/*
 * postproc/gather/round.h - intervals, grouped: whole rounds of event sets that take
 * turns, or so many seconds.
 *
 *	while ((rc = gather_next(g, why)) > 0) {
 *		if (!round_ends(&round, g))
 *			continue;
 *		... gather_sums(g) ...
 *		gather_afresh(g);
 *	}
 */
#ifndef POSTPROC_GATHER_ROUND_H
#define POSTPROC_GATHER_ROUND_H

#include "postproc/gather/gather.h"

struct round {
	bool sets;              /* whole rounds of all event sets */
	double every;           /* s; 0: as short as may be */
	double seconds, next;   /* s since the first sample: of the present one,
	                         * and of the next that a group ends with */
	uint64_t intervals;     /* of the present group */
};

/* round_begin - to be asked after every gather_next from now on. */
struct round round_begin(double every, bool sets);

/*
 * round_ends - does a group end with the present interval?  It does with the
 * sample that is nearest to a multiple of `every`; of event sets, with the whole
 * round that is.
 */
bool round_ends(struct round *, const struct gather *);

/* round_rest - the intervals since then: are they good for a group that is
 * shorter?  Of event sets, whole rounds alone are: the others would be of other
 * events. */
bool round_rest(const struct round *, const struct gather *);

#endif
