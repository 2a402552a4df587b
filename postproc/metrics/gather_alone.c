/*
 * postproc/metrics/gather_alone.c - the sums of one interval as those of a round, where all
 * event sets have turns within each interval.
 */
#include "postproc/metrics/gather_int.h"

#include <stdlib.h>

/* Adds up an interval that lacks deltas in a gather of its own, which has nothing else. */
static bool
add_apart(struct gather *g, struct sums *s)
{
	struct gather_private *p = g->p;
	bool is_new = p->apart == NULL;
	struct diag why;

	if (is_new && (p->apart = calloc(1, sizeof *p->apart)) == NULL)
		return false;
	if (is_new && gather_follow(p->apart, g, g->binding.metrics) < 0)
		return false;
	gather_afresh(p->apart);
	if (gather_next(p->apart, &why) < 0)
		return false;
	*s = *gather_sums(p->apart);
	s->bit = p->interval.bit;
	s->nbit = p->interval.nbit;
	return true;
}

/* Takes the sums of gather_interval, which lack nothing. */
static void
alone_of_interval(struct gather *g, struct sums *s)
{
	struct gather_private *p = g->p;

	*s = p->interval;
	s->own = own_time_alone(&p->own, &g->now, p->stretch, g->ncol);
	s->doubt = p->doubt;
}

const struct sums *
gather_alone(struct gather *g)
{
	struct gather_private *p = g->p;
	struct sums *s = &p->alone;

	if (p->alone_made)
		return s;
	if (g->now.left_out == 0 && g->now.not_due == 0 && !p->impossible &&
	    (p->together.parts || p->together.nset == 0))
		alone_of_interval(g, s);
	else if (!add_apart(g, s))
		return NULL;
	p->one = p->batches;
	p->one.unit = 1;
	s->number = gather_number(p);
	s->batches = &p->one;
	p->alone_made = true;
	return s;
}
