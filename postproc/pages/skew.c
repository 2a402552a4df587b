/*
 * postproc/pages/skew.c - how far apart the readings of one sample are.
 */
#include "postproc/pages/skew.h"

#include "postproc/data/stamps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Beyond these the rates of a block are worth a word. */
#define WRONG 0.005             /* of the interval */
#define LEAST_S 0.002

static int
skew_by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

int
skew_columns(struct skew *s, const struct reader *r, unsigned ncol)
{
	void *p;

#define GROW(array, more) \
	((p = reallocarray(array, ncol + (more), sizeof(*(array)))) != NULL && \
	((array) = p, true))
	if (!GROW(s->stamp, 0) || !GROW(s->reads, 1))
		return -ENOMEM;
#undef GROW
	for (unsigned i = s->ncol; i < ncol; i++)
		if (read_column(r, i)->cls == CLASS_TSC)
			s->stamp[s->nstamp++] = i;
	s->ncol = ncol;
	s->tsc = read_find(r, "tsc");
	s->duration = read_find(r, "sample_duration_ns");
	s->block = read_find(r, "sample_block_tsc");
	s->ended = s->block < 0 && stamps_at_once(r);
	return 0;
}

static uint64_t
skew_cell(const struct skew *s, const uint64_t *value, int column)
{
	return value == NULL || column < 0 || (unsigned)column >= s->ncol ?
	    ABSENT : value[column];
}

/* The moments of one sample, by time.  Returns how many. */
static unsigned
skew_collect(struct skew *s, const uint64_t *value, double tsc_hz)
{
	uint64_t tsc = skew_cell(s, value, s->tsc);
	uint64_t ns = skew_cell(s, value, s->duration);
	unsigned n = 0;

	for (unsigned i = 0; value != NULL && i < s->nstamp; i++)
		if (value[s->stamp[i]] != ABSENT)
			s->reads[n++] = value[s->stamp[i]];
	if (s->ended && n > 0 && tsc != ABSENT && ns != ABSENT)
		s->reads[n++] = tsc + (uint64_t)((double)ns / 1e9 * tsc_hz);
	qsort(s->reads, n, sizeof(*s->reads), skew_by_value);
	return n;
}

/* From a stamp to the last read under it, at most; ABSENT: nobody knows. */
static uint64_t
under_one_stamp(struct skew *s, const uint64_t *value, double tsc_hz)
{
	unsigned n;

	if (!s->ended)
		return skew_cell(s, value, s->block);
	n = skew_collect(s, value, tsc_hz);
	return n < 3 ? ABSENT : s->reads[n - 1] - s->reads[n - 2];
}

/* One sample whose block took longer than the last: its delta is of that much
 * more time, or less, than its stamps say. */
static void
find_wrong(struct skew *s, const struct interval *iv, double tsc_hz,
    struct findings *f)
{
	uint64_t before = under_one_stamp(s, iv->before, tsc_hz);
	uint64_t now = under_one_stamp(s, iv->value, tsc_hz);
	double more;

	if (before == ABSENT || now == ABSENT || now <= before)
		return;
	more = (double)(now - before) / tsc_hz;
	if (more > WRONG * iv->seconds && more > LEAST_S)
		finding_at(f, "skew", iv->sample, iv->sample, "registers under "
		    "one stamp were read in %.3f ms, in the sample before in "
		    "%.3f ms: rates may be up to %.1f %% wrong",
		    (double)now / tsc_hz * 1e3, (double)before / tsc_hz * 1e3,
		    more / iv->seconds * 100);
}

void
skew_interval(struct skew *s, const struct interval *iv, double tsc_hz,
    struct findings *f)
{
	unsigned n;
	uint64_t block;

	if (!(tsc_hz > 0))
		return;
	find_wrong(s, iv, tsc_hz, f);
	n = skew_collect(s, iv->value, tsc_hz);
	s->stamped |= n >= 3;
	if (n < 3 || s->reads[n - 1] - s->reads[0] <= s->widest)
		return;
	s->widest = s->reads[n - 1] - s->reads[0];
	s->sample = iv->sample;
	s->rest = 0;
	for (unsigned i = 1; i < n; i++)
		if (s->reads[i] - s->reads[i - 1] > s->rest)
			s->rest = s->reads[i] - s->reads[i - 1];
	if ((block = skew_cell(s, iv->value, s->block)) != ABSENT)
		s->rest = block;
}

void
skew_note(const struct skew *s, double tsc_hz, struct findings *findings)
{
	struct finding *f;

	if (s->widest == 0 || !(tsc_hz > 0))
		return;
	f = finding_add(findings, "skew", "readings of one sample are up to "
	    "%.3f ms apart (sample %llu); with the stamps of their blocks "
	    "%.3f ms", (double)s->widest / tsc_hz * 1e3,
	    (unsigned long long)s->sample, (double)s->rest / tsc_hz * 1e3);
	if (f != NULL)
		f->note = true;
}

double
skew_seconds(const struct skew *s, double tsc_hz)
{
	return s->nstamp < 3 || !(tsc_hz > 0) ? -1 :
	    (double)s->widest / tsc_hz;
}

void
skew_fini(struct skew *s)
{
	free(s->stamp);
	free(s->reads);
}
