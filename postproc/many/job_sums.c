/*
 * postproc/many/job_sums.c - what was counted while a job ran, and how much of it is the
 * job's.
 */
#include "postproc/many/job_list.h"

#include "lib/array.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* An end is a number: 2 * i is the beginning of job i, and 2 * i + 1 its end.  Returns when
 * it is, as a part of the interval. */
static double
end_at(const struct job_part *p, uint32_t end)
{
	return end & 1 ? p[end / 2].to : p[end / 2].from;
}

static int
job_sums_by_time(const void *a, const void *b, void *parts)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	double at = end_at(parts, x), other = end_at(parts, y);

	/* the begin of a job without duration comes before its end */
	return at != other ? (at > other) - (at < other) :
	    (x > y) - (x < y);
}

void
job_share(struct job_part *p, unsigned n, uint32_t *order)
{
	/*
	 * each: the share of the node's counts that one lproc has got so far;
	 * several: the time in which more than one job ran
	 */
	double each = 0, several = 0, at = 0, lprocs = 0;
	unsigned running = 0;

	for (unsigned i = 0; i < 2 * n; i++)
		order[i] = i;
	qsort_r(order, 2 * (size_t)n, sizeof *order, job_sums_by_time, p);
	for (unsigned i = 0; i < 2 * n; i++) {
		struct job_part *job = &p[order[i] / 2];
		bool ends = order[i] & 1;
		double now = end_at(p, order[i]);

		if (lprocs > 0)
			each += (now - at) / lprocs;
		several += running > 1 ? now - at : 0;
		at = now;
		if (!ends) {
			job->node = -each;
			job->beside = -several;
		} else {
			job->node = (job->node + each) * job->lprocs;
			job->beside += several;
		}
		running += ends ? -1u : 1u;
		lprocs += ends ? -job->lprocs : job->lprocs;
	}
}

/* Adds columns that appeared during the run, as absent so far. */
static int
job_sums_grow(struct job_sums *s, unsigned n)
{
	unsigned room = n + n / 4 + 16, had = s->room;

	if (n > had) {
		if (!array_more(&s->value, had, room, sizeof *s->value) ||
		    !array_more(&s->known_s, had, room,
		    sizeof *s->known_s) ||
		    !array_more(&s->run_s, had, room, sizeof *s->run_s) ||
		    !array_more(&s->own_s, had, room, sizeof *s->own_s) ||
		    !array_more(&s->left_out, had, room,
		    sizeof *s->left_out) ||
		    !array_more(&s->share, had, room, sizeof *s->share) ||
		    !array_more(&s->stretch, had, room, sizeof *s->stretch))
			return -ENOMEM;
		s->room = room;
	}
	for (; s->ncol < n; s->ncol++)
		s->left_out[s->ncol] = (uint32_t)s->intervals;
	return 0;
}

static void
job_sums_add_column(struct job_sums *s, const struct sums *now, uint32_t c,
    double part, double seconds)
{
	double share = now->share != NULL ? now->share[c] : 1;
	double stretch = now->stretch != NULL ? now->stretch[c] : 1;

	if (isnan(now->value[c])) {
		s->left_out[c]++;
		together_lose(&s->together, c);
		return;
	}
	s->value[c] += part * now->value[c];
	together_count(&s->together, c, part * now->value[c]);
	s->known_s[c] += seconds;
	s->run_s[c] += seconds * share;
	s->own_s[c] += seconds * share * stretch;
}

int
job_sums_add(struct job_sums *s, const struct gather *g,
    const struct sums *now, const struct job_part *p)
{
	double part = p->to - p->from, seconds = part * now->seconds;
	int rc = job_sums_grow(s, now->ncol);

	/* the job takes no time of this interval: only its mark is in it */
	if (rc == 0 && !(part > 0))
		return 0;
	if (rc == 0 && now->turns != NULL)
		rc = together_load(&s->together, now->turns, g->reader,
		    now->ncol, s->intervals);
	if (now->turns != NULL)
		together_turn(&s->together, now->turns, &g->now, seconds);
	for (uint32_t i = 0; rc == 0 && i < g->series.n; i++) {
		const struct series *of = &g->series.series[i];
		/* neither an lproc's counts nor time are divided among jobs */
		bool own = of->level == LEVEL_LPROC ||
		    of->family->cls == CLASS_TSC;

		for (uint32_t k = 0; of->counter && k < of->n; k++)
			if (of->unit[k].column < now->ncol)
				job_sums_add_column(s, now, of->unit[k].column,
				    own ? part : p->node, seconds);
	}
	if (rc < 0)
		return rc;
	if (now->batches != NULL) {
		s->batches.off += now->batches->off_now;
		s->batches.whole += now->batches->whole_now;
	}
	s->seconds += seconds;
	s->node_seconds += p->node * now->seconds;
	s->beside_seconds += p->beside * now->seconds;
	s->intervals++;
	return 0;
}

struct sums
job_sums_get(struct job_sums *s, const struct sums *now)
{
	for (unsigned c = 0; c < s->ncol; c++) {
		if (!(s->known_s[c] > 0))
			s->value[c] = NAN;
		s->share[c] = s->seconds > 0 ? s->run_s[c] / s->seconds : 1;
		s->stretch[c] = s->run_s[c] > 0 ? s->own_s[c] / s->run_s[c] : 1;
	}
	together_settle_by_hand(&s->together, s->seconds);
	return (struct sums){ .seconds = s->seconds, .wall = (double)NAN,
	    .tsc_hz = now->tsc_hz, .intervals = s->intervals, .ncol = s->ncol,
	    .value = s->value, .share = s->share, .stretch = s->stretch,
	    .turns = now->turns, .batches = &s->batches,
	    .left_out = s->left_out,
	    .together = s->together };
}

void
job_sums_fini(struct job_sums *s)
{
	free(s->value);
	free(s->known_s);
	free(s->run_s);
	free(s->own_s);
	free(s->left_out);
	free(s->share);
	free(s->stretch);
	together_fini(&s->together);
	*s = (struct job_sums){ .room = 0 };
}
