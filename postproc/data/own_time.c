/*
 * postproc/data/own_time.c - the time between two readings of one block of registers.
 */
#include "postproc/data/own_time.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"

static int
own_time_grow(struct own_time *t, unsigned n)
{
	unsigned room = n + n / 4 + 64, had = t->room;

	if (n <= had)
		return 0;
	if (!array_more(&t->stamp, had, room, sizeof *t->stamp) ||
	    !array_more(&t->set, had, room, sizeof *t->set) ||
	    !array_more(&t->at, had, room, sizeof *t->at) ||
	    !array_more(&t->lost_own, had, room, sizeof *t->lost_own) ||
	    !array_more(&t->lost_span, had, room, sizeof *t->lost_span))
		return -ENOMEM;
	t->room = room;
	return 0;
}

/* Adds a stamp; up to now its time is taken to be that of the intervals.  Returns its number,
 * or -ENOMEM. */
static int
add_stamp(struct own_time *t, struct intervals *iv, const struct turns *turns,
    uint32_t column)
{
	const struct reader *r = intervals_reader(iv);
	unsigned had = t->stamp_room, room = had * 2 + 64;
	size_t had_in = (size_t)had * t->nset, room_in = (size_t)room * t->nset;

	if (t->nstamp == had) {
		if (!array_more(&t->column, had, room, sizeof *t->column) ||
		    !array_more(&t->now, had, room, sizeof *t->now) ||
		    !array_more(&t->ratio, 1 + had_in, 1 + room_in,
		    sizeof *t->ratio) ||
		    !array_more(&t->own, had_in, room_in, sizeof *t->own) ||
		    !array_more(&t->own_now, had_in, room_in,
		    sizeof *t->own_now) ||
		    !array_more(&t->in_set, had_in, room_in,
		    sizeof *t->in_set))
			return -ENOMEM;
		t->stamp_room = room;
	}
	t->column[t->nstamp] = column;
	t->now[t->nstamp] = 0;
	memcpy(t->own + (size_t)t->nstamp * t->nset, t->span,
	    t->nset * sizeof *t->own);
	for (unsigned k = 0; k < t->nset; k++)
		t->in_set[(size_t)t->nstamp * t->nset + k] = k == 0 ? -1 :
		    turns_in_set(turns, r, column, k - 1);
	return (int)t->nstamp++;
}

static int
own_time_stamp_of(struct own_time *t, struct intervals *iv,
    const struct turns *turns, int column, unsigned near)
{
	/* Neighbouring columns mostly are of the same block or of the next one: look
	 * there (near) first. */
	for (unsigned k = t->nstamp, i = near; column >= 0 && k-- > 0; i++) {
		i = i < t->nstamp ? i : 0;
		if (t->column[i] == (uint32_t)column)
			return (int)i;
	}
	return column < 0 ? -1 : add_stamp(t, iv, turns,
	    (uint32_t)column);
}

static uint32_t
set_of(const struct own_time *t, const struct turns *turns, unsigned c)
{
	if (turns == NULL || c >= turns->ncol || turns->kind[c] != TURN_SET)
		return 0;
	for (unsigned i = 1; i < t->nset; i++)
		if (t->turn[i].running == turns->times[c].running)
			return i;
	return 0;
}

static int
own_time_load_sets(struct own_time *t, const struct turns *turns)
{
	unsigned n = 1 + (turns != NULL ? turns->nset : 0);

	t->span = calloc(n, sizeof *t->span);
	t->part = calloc(n, sizeof *t->part);
	t->span_now = calloc(n, sizeof *t->span_now);
	t->turn = calloc(n, sizeof *t->turn);
	t->ratio = malloc(sizeof *t->ratio);
	if (t->span == NULL || t->part == NULL || t->span_now == NULL ||
	    t->turn == NULL || t->ratio == NULL)
		return -ENOMEM;
	t->ratio[0] = 1;
	for (unsigned i = 1; i < n; i++)
		t->turn[i] = turns->set[i - 1].times;
	t->nset = n;
	return 0;
}

int
own_time_load(struct own_time *t, struct intervals *iv,
    const struct turns *turns, unsigned n)
{
	unsigned near = 0;
	int rc;

	if (n <= t->ncol)
		return 0;
	if ((t->nset == 0 && (rc = own_time_load_sets(t, turns)) < 0) ||
	    (rc = own_time_grow(t, n)) < 0)
		return rc;
	for (unsigned c = t->ncol; c < n; c++) {
		int at = own_time_stamp_of(t, iv, turns,
		    intervals_stamp(iv, c), near);

		if (at == -ENOMEM)
			return at;
		near = at < 0 ? near : (unsigned)at;
		t->stamp[c] = at;
		t->set[c] = set_of(t, turns, c);
		t->at[c] = at < 0 ? 0 : 1 + (uint32_t)at * t->nset + t->set[c];
		/* a new column was not counted in the intervals so far */
		t->lost_span[c] = t->span[t->set[c]];
		t->lost_own[c] = at < 0 ? 0 :
		    t->own[(unsigned)at * t->nset + t->set[c]];
	}
	t->ncol = n;
	return 0;
}

void
own_time_fini(struct own_time *t)
{
	free(t->stamp);
	free(t->set);
	free(t->at);
	free(t->lost_own);
	free(t->lost_span);
	free(t->column);
	free(t->now);
	free(t->ratio);
	free(t->in_set);
	free(t->own);
	free(t->own_now);
	free(t->span);
	free(t->part);
	free(t->span_now);
	free(t->turn);
	*t = (struct own_time){ 0 };
}

void
own_time_afresh(struct own_time *t)
{
	for (unsigned c = 0; c < t->ncol; c++)
		t->lost_own[c] = t->lost_span[c] = 0;
	for (unsigned i = 0; i < t->nstamp * t->nset; i++)
		t->own[i] = 0;
	for (unsigned k = 0; k < t->nset; k++)
		t->span[k] = 0;
}

/* For how many seconds of an interval set k had the counters of a stamp's block: by what
 * the dump says of this block, or else of all blocks together. */
static double
own_time_ran(const struct own_time *t, const struct interval *step,
    unsigned stamp, unsigned k)
{
	int32_t in = t->in_set[stamp * t->nset + k];
	uint32_t all = t->column[stamp];

	if (in < 0 || (unsigned)in >= step->ncol || all >= step->ncol ||
	    step->kind[in] > DELTA_WRAPPED || step->kind[all] > DELTA_WRAPPED ||
	    step->delta[all] == 0)
		return t->now[stamp] * t->part[k];
	return t->now[stamp] * (double)step->delta[in] /
	    (double)step->delta[all];
}

void
own_time_add(struct own_time *t, struct intervals *iv,
    const struct interval *step)
{
	for (unsigned k = 0; t->nstamp > 0 && k < t->nset; k++) {
		t->part[k] = k == 0 ? 1 : turns_part(&t->turn[k], step);
		t->span[k] += step->seconds * t->part[k];
	}
	intervals_own_times(iv, step, t->column, t->nstamp, t->now);
	/* the usual case: no sets take turns */
	for (unsigned i = 0; t->nset == 1 && i < t->nstamp; i++) {
		t->own_now[i] = t->now[i];
		t->own[i] += t->now[i];
	}
	for (unsigned k = 0; t->nset > 1 && k < t->nset; k++)
		for (unsigned i = 0; i < t->nstamp; i++) {
			double own = own_time_ran(t, step, i, k);

			t->own_now[i * t->nset + k] = own;
			t->own[i * t->nset + k] += own;
		}
}

void
own_time_left_out(struct own_time *t, const struct interval *step, unsigned c)
{
	double part;

	if (c >= t->ncol || t->stamp[c] < 0)
		return;
	part = t->part[t->set[c]];
	t->lost_own[c] += t->own_now[(unsigned)t->stamp[c] * t->nset +
	    t->set[c]];
	t->lost_span[c] += step->seconds * part;
}

/* The stretch of `own` seconds by the stamp in `span` seconds of intervals; at: stamp * nset +
 * set. */
static double
stretch_of(const struct own_time *t, unsigned at, double own, double span)
{
	/* the set had turns in other blocks, but none in this one */
	if (t->in_set[at] >= 0 && span > 0 && !(own > 0))
		return (double)NAN;
	return own > 0 && span > 0 ? own / span : 1;
}

double
own_time_stretch(const struct own_time *t, unsigned c)
{
	unsigned at;

	if (c >= t->ncol || t->stamp[c] < 0)
		return 1;
	at = (unsigned)t->stamp[c] * t->nset + t->set[c];
	return stretch_of(t, at, t->own[at] - t->lost_own[c],
	    t->span[t->set[c]] - t->lost_span[c]);
}

/* Gives each of the first n columns the ratio of its stamp and set. */
static void
put_ratios(const struct own_time *t, double *stretch, unsigned n)
{
	unsigned known = n < t->ncol ? n : t->ncol;

	for (unsigned c = 0; c < known; c++)
		stretch[c] = t->ratio[t->at[c]];
	for (unsigned c = known; c < n; c++)
		stretch[c] = 1;
}

struct own_time
own_time_alone(const struct own_time *t, const struct interval *step,
    double *stretch, unsigned n)
{
	struct own_time alone = *t;
	bool other = false;

	for (unsigned k = 0; k < t->nset; k++)
		t->span_now[k] = step->seconds * t->part[k];
	for (unsigned at = 0; at < t->nstamp * t->nset; at++) {
		double r = stretch_of(t, at, t->own_now[at],
		    t->span_now[at % t->nset]);

		other |= !(r == t->ratio[1 + at]);
		t->ratio[1 + at] = r;
	}
	if (other)
		put_ratios(t, stretch, n);
	alone.own = t->own_now;
	alone.span = t->span_now;
	return alone;
}

double
own_time_stretch_in(const struct own_time *t, unsigned c, unsigned set)
{
	double own, span;

	if (c >= t->ncol || t->stamp[c] < 0 || set + 1 >= t->nset)
		return 1;
	own = t->own[(unsigned)t->stamp[c] * t->nset + set + 1];
	span = t->span[set + 1];
	return own > 0 && span > 0 ? own / span : 1;
}

void
own_time_now(const struct own_time *t, const struct interval *step,
    double *stretch, unsigned n)
{
	for (unsigned i = 0; i < t->nstamp; i++)
		for (unsigned k = 0; k < t->nset; k++) {
			double span = k == 0 ? 0 : step->seconds * t->part[k];

			t->ratio[1 + i * t->nset + k] = span > 0 ?
			    t->own_now[i * t->nset + k] / span :
			    t->now[i] > 0 && step->seconds > 0 ?
			    t->now[i] / step->seconds : 1;
		}
	put_ratios(t, stretch, n);
}
