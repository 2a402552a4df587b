/*
 * postproc/pages/pair_slope.c - does the whole rise with its part?
 */
#include "postproc/pages/pair_slope.h"

#define TIME_S 10               /* longer than power meters average over */
#define LEAST_TIMES 6
#define ROSE 0.25               /* of its mean: less may be anything */
#define FLAT 0.5

void
pair_slope_add(struct pair_slope *s, double seconds, double part, double whole,
    uint64_t before, uint64_t sample)
{
	double x, y;

	if (s->n == 0 && s->seconds <= 0)
		s->first = before;
	s->seconds += seconds;
	s->part += part;
	s->whole += whole;
	if (s->seconds < TIME_S)
		return;
	x = s->part / s->seconds;
	y = s->whole / s->seconds;
	if (s->n == 0 || x < s->least)
		s->least = x;
	if (s->n == 0 || x > s->most)
		s->most = x;
	s->n++;
	s->x += x;
	s->y += y;
	s->xx += x * x;
	s->xy += x * y;
	s->last = sample;
	s->seconds = s->part = s->whole = 0;
}

bool
pair_slope_flat(const struct pair_slope *s, double *slope)
{
	double spread = s->xx - s->x * s->x / s->n;

	if (s->n < LEAST_TIMES || !(spread > 0) ||
	    s->most - s->least < ROSE * s->x / s->n)
		return false;
	*slope = (s->xy - s->x * s->y / s->n) / spread;
	return *slope < FLAT;
}
