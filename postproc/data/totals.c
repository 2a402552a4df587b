/*
 * postproc/data/totals.c - deltas added up over a range of samples.
 */
#include "postproc/data/totals.h"

#include "lib/array.h"
#include "lib/printable.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int
totals_grow(struct totals *t, unsigned ncol)
{
	unsigned room = ncol * 2, had = t->room;

	if (ncol > had) {
		if (!array_more(&t->sum, had, room, sizeof *t->sum) ||
		    !array_more(&t->left, had, room, sizeof *t->left))
			return -ENOMEM;
		t->room = room;
	}
	/* a new column was absent in the intervals so far */
	for (unsigned c = t->ncol; c < ncol && t->intervals > 0; c++) {
		t->left[c].n[DELTA_ABSENT] = (uint32_t)t->intervals;
		t->left[c].seconds = t->seconds;
		t->left[c].first_kind = DELTA_ABSENT;
	}
	t->ncol = ncol;
	return 0;
}

int
totals_add(struct totals *t, const struct interval *iv)
{
	const uint64_t *delta = iv->delta;
	uint64_t *sum;
	unsigned ncol = iv->ncol;

	if (ncol > t->ncol && totals_grow(t, ncol) < 0)
		return -ENOMEM;
	sum = t->sum;
	for (unsigned c = 0; c < ncol; c++)
		sum[c] += delta[c];
	for (unsigned c = 0; iv->left_out > 0 && c < ncol; c++) {
		struct left_out *l = &t->left[c];
		uint8_t kind = iv->kind[c];

		if (turns_left_out(&t->turns, c, iv)) {
			sum[c] -= delta[c];
			kind = DELTA_ABSENT;
		}
		if (kind <= DELTA_NONE)
			continue;
		if (totals_left_out(t, c) + totals_doubtful(t, c) == 0) {
			l->first_sample = iv->sample;
			l->first_kind = kind;
		}
		l->n[kind]++;
		if (delta_doubtful(kind))
			continue;
		l->seconds += iv->seconds;
		own_time_left_out(&t->own, iv, c);
	}
	t->intervals++;
	t->seconds += iv->seconds;
	return 0;
}

void
totals_fini(struct totals *t)
{
	free(t->sum);
	free(t->left);
	turns_fini(&t->turns);
	own_time_fini(&t->own);
	memset(t, 0, sizeof(*t));
}

uint32_t
totals_left_out(const struct totals *t, unsigned c)
{
	uint32_t n = 0;

	for (unsigned k = DELTA_NONE + 1; k < DELTA_KINDS; k++)
		n += !delta_doubtful(k) ? t->left[c].n[k] : 0;
	return n;
}

uint32_t
totals_doubtful(const struct totals *t, unsigned c)
{
	uint32_t n = 0;

	for (unsigned k = DELTA_NONE + 1; k < DELTA_KINDS; k++)
		n += delta_doubtful(k) ? t->left[c].n[k] : 0;
	return n;
}

/* How many seconds the intervals take that are in a column's sum. */
static double
known_seconds(const struct totals *t, unsigned c)
{
	double s = t->seconds - t->left[c].seconds;

	return s > 0 ? s : 0;
}

double
totals_seconds(const struct totals *t, unsigned c)
{
	return known_seconds(t, c) * own_time_stretch(&t->own, c);
}

double
totals_share(const struct totals *t, unsigned c)
{
	unsigned of;

	if (c >= t->turns.ncol || t->turns.kind[c] == TURN_NONE ||
	    t->turns.times[c].enabled < 0)
		return turns_share(&t->turns, c, t->sum, t->ncol, 0);
	of = turns_known_by(&t->turns, c);
	return of >= t->ncol || !(t->seconds > 0) ? 0 :
	    turns_share(&t->turns, c, t->sum, t->ncol, t->turns.lost[c]) *
	    known_seconds(t, of) / t->seconds;
}

const char *
totals_missed(const struct totals *t, unsigned c)
{
	return c >= t->turns.ncol ? NULL : turns_missed(&t->turns, c, t->sum,
	    t->ncol, t->turns.lost[c]);
}

const char *
left_out_words(const struct left_out *l, uint64_t intervals, char *buf,
    size_t size)
{
	uint32_t n = 0, kinds = 0;
	size_t at;

	for (unsigned k = DELTA_NONE + 1; k < DELTA_KINDS; k++) {
		n += l->n[k];
		kinds += l->n[k] > 0;
	}
	at = (size_t)snprintf(buf, size, "%u of %" PRIu64 " interval%s:", n,
	    intervals, plural(intervals));
	for (unsigned k = DELTA_NONE + 1; k < DELTA_KINDS && at < size; k++)
		if (l->n[k] > 0 && kinds > 1)
			at += (size_t)snprintf(buf + at, size - at,
			    " %u %s", l->n[k], delta_word(k));
	if (at < size && kinds == 1)
		at += (size_t)snprintf(buf + at, size - at, " %s",
		    delta_word(l->first_kind));
	if (at < size)
		snprintf(buf + at, size - at, ", first at sample %" PRIu64,
		    l->first_sample);
	return buf;
}

void
put_name(FILE *f, const struct column *c, const char *suffix)
{
	const char *family = c->id.family->name;

	fprintf(f, "%s%s%s", family, suffix, c->name + strlen(family));
}
