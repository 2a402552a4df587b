/*
 * postproc/data/own_time.c - the time between two readings of one block of registers.
 */
#include "postproc/data/own_time.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int
grow(struct own_time *t, unsigned n)
{
	unsigned room = n + n / 4 + 64;
	void *p;

	if (n <= t->room)
		return 0;
#define GROW(array) \
	((p = reallocarray(array, room, sizeof *(array))) != NULL && \
	((array) = p, true))
	if (!GROW(t->stamp) || !GROW(t->set) || !GROW(t->lost_own) ||
	    !GROW(t->lost_span))
		return -ENOMEM;
	t->room = room;
	return 0;
}

/* One more stamp, that had none so far: its time was that of the intervals. */
static int
add_stamp(struct own_time *t, uint32_t column)
{
	unsigned room = t->stamp_room * 2 + 64;
	void *p;

	if (t->nstamp == t->stamp_room) {
		if (!GROW(t->column) || !GROW(t->now) || !GROW(t->ratio) || (p =
		    reallocarray(t->own, (size_t)room * t->nset,
		    sizeof *t->own)) == NULL)
			return -ENOMEM;
		t->own = p;
		t->stamp_room = room;
	}
#undef GROW
	t->column[t->nstamp] = column;
	t->now[t->nstamp] = 0;
	memcpy(t->own + (size_t)t->nstamp * t->nset, t->span,
	    t->nset * sizeof *t->own);
	return (int)t->nstamp++;
}

static int
stamp_of(struct own_time *t, int column)
{
	/* columns that stand together are mostly of one block */
	for (unsigned i = t->nstamp; column >= 0 && i-- > 0;)
		if (t->column[i] == (uint32_t)column)
			return (int)i;
	return column < 0 ? -1 : add_stamp(t, (uint32_t)column);
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
load_sets(struct own_time *t, const struct turns *turns)
{
	unsigned n = 1 + (turns != NULL ? turns->nset : 0);

	t->span = calloc(n, sizeof *t->span);
	t->part = calloc(n, sizeof *t->part);
	t->turn = calloc(n, sizeof *t->turn);
	if (t->span == NULL || t->part == NULL || t->turn == NULL)
		return -ENOMEM;
	for (unsigned i = 1; i < n; i++)
		t->turn[i] = turns->set[i - 1].times;
	t->nset = n;
	return 0;
}

int
own_time_load(struct own_time *t, struct intervals *iv,
    const struct turns *turns, unsigned n)
{
	int rc;

	if (n <= t->ncol)
		return 0;
	if ((t->nset == 0 && (rc = load_sets(t, turns)) < 0) ||
	    (rc = grow(t, n)) < 0)
		return rc;
	for (unsigned c = t->ncol; c < n; c++) {
		int at = stamp_of(t, intervals_stamp(iv, c));

		if (at == -ENOMEM)
			return at;
		t->stamp[c] = at;
		t->set[c] = set_of(t, turns, c);
		/* it was absent while it was not there yet */
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
	free(t->lost_own);
	free(t->lost_span);
	free(t->column);
	free(t->now);
	free(t->ratio);
	free(t->own);
	free(t->span);
	free(t->part);
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

void
own_time_add(struct own_time *t, struct intervals *iv,
    const struct interval *step)
{
	for (unsigned k = 0; t->nstamp > 0 && k < t->nset; k++) {
		t->part[k] = k == 0 ? 1 : turns_part(&t->turn[k], step);
		t->span[k] += step->seconds * t->part[k];
	}
	intervals_own_times(iv, step, t->column, t->nstamp, t->now);
	for (unsigned k = 0; k < t->nset; k++)
		for (unsigned i = 0; i < t->nstamp; i++)
			t->own[i * t->nset + k] += t->now[i] * t->part[k];
}

void
own_time_left_out(struct own_time *t, const struct interval *step, unsigned c)
{
	double part;

	if (c >= t->ncol || t->stamp[c] < 0)
		return;
	part = t->part[t->set[c]];
	t->lost_own[c] += t->now[t->stamp[c]] * part;
	t->lost_span[c] += step->seconds * part;
}

double
own_time_stretch(const struct own_time *t, unsigned c)
{
	double own, span;

	if (c >= t->ncol || t->stamp[c] < 0)
		return 1;
	own = t->own[(unsigned)t->stamp[c] * t->nset + t->set[c]] -
	    t->lost_own[c];
	span = t->span[t->set[c]] - t->lost_span[c];
	return own > 0 && span > 0 ? own / span : 1;
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
		t->ratio[i] = t->now[i] > 0 && step->seconds > 0 ?
		    t->now[i] / step->seconds : 1;
	for (unsigned c = 0; c < n; c++)
		stretch[c] = c < t->ncol && t->stamp[c] >= 0 ?
		    t->ratio[t->stamp[c]] : 1;
}
