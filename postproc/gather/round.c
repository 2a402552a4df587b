/*
 * postproc/gather/round.c - intervals, grouped: whole rounds of event sets that take
 * turns, or so many seconds.
 */
#include "postproc/gather/round.h"

#include <math.h>

struct round
round_begin(double every, bool sets)
{
	return (struct round){ .sets = sets, .every = every, .next = every };
}

/* Intervals that a group takes at least, and that it is a multiple of. */
static unsigned
size(const struct round *r, const struct gather *g)
{
	return r->sets ? gather_round(g) : 1;
}

bool
round_ends(struct round *r, const struct gather *g)
{
	unsigned n = size(r, g);
	double half = n * g->now.seconds / 2;

	r->seconds += g->now.seconds;
	r->intervals++;
	if (r->intervals % n != 0 ||
	    (r->every > 0 && r->seconds + half < r->next))
		return false;
	if (r->every > 0)
		r->next = fmax(r->next + r->every,
		    (floor(r->seconds / r->every) + 1) * r->every);
	r->intervals = 0;
	return true;
}

bool
round_rest(const struct round *r, const struct gather *g)
{
	return r->intervals > 0 && r->intervals % size(r, g) == 0;
}
