/*
 * postproc/pages/check_interval.c - is an interval of a dump sound: its length, its
 * clocks, its readings, and how far apart in time these were made.
 */
#include "postproc/pages/checks.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/printable.h"
#include "postproc/data/intervals.h"

/* A block's rates are reported as wrong if the time that reading it took changed from one
 * sample to the next by more than both of these: */
#define WRONG 0.005             /* of the interval */
#define LEAST_S 0.002

/* ---- skew: how far apart the readings of a sample are -------------------------- */

static int
skew_by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Looks at columns that have come; 0 or -ENOMEM. */
static int
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

/* Collects the stamps of one sample, and its end, in no order.  Returns how many. */
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
	return n;
}

/* The time between the first and the last of n readings, one or more. */
static uint64_t
skew_width(const uint64_t *reads, unsigned n)
{
	uint64_t first = reads[0], last = first;

	for (unsigned i = 1; i < n; i++) {
		first = reads[i] < first ? reads[i] : first;
		last = reads[i] > last ? reads[i] : last;
	}
	return last - first;
}

/* Sorts n readings, and returns the longest time between two successive ones. */
static uint64_t
skew_rest(uint64_t *reads, unsigned n)
{
	uint64_t rest = 0;

	qsort(reads, n, sizeof *reads, skew_by_value);
	for (unsigned i = 1; i < n; i++)
		if (reads[i] - reads[i - 1] > rest)
			rest = reads[i] - reads[i - 1];
	return rest;
}

/* The longest time between a stamp and the last register read under it, in counts of the
 * TSC; ABSENT: not known. */
static uint64_t
under_one_stamp(struct skew *s, const uint64_t *value, double tsc_hz)
{
	uint64_t last = 0, before = 0;  /* the two latest readings */
	unsigned n;

	if (!s->ended)
		return skew_cell(s, value, s->block);
	n = skew_collect(s, value, tsc_hz);
	if (n < 3)
		return ABSENT;
	for (unsigned i = 0; i < n; i++) {
		before = s->reads[i] > last ? last : s->reads[i] > before ?
		    s->reads[i] : before;
		last = s->reads[i] > last ? s->reads[i] : last;
	}
	return last - before;
}

/* Reports a sample in which a block took longer to read than in the one before: its
 * deltas may be of so much more or less time than its stamps say. */
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

/* Looks at the next sample; what makes its rates wrong becomes a finding. */
static void
skew_interval(struct skew *s, const struct interval *iv, double tsc_hz,
    struct findings *f)
{
	unsigned n;
	uint64_t block, width;

	if (!(tsc_hz > 0))
		return;
	find_wrong(s, iv, tsc_hz, f);
	n = skew_collect(s, iv->value, tsc_hz);
	s->stamped |= n >= 3;
	if (n < 3 || (width = skew_width(s->reads, n)) <= s->widest)
		return;
	s->widest = width;
	s->sample = iv->sample;
	s->rest = skew_rest(s->reads, n);
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

/* ---- an interval ---------------------------------------------------------------- */

/* Adds the length of an interval, which was planned to be `multiple` times as long as the
 * run's interval; seconds: divided by that. */
static void
lengths_add(struct check_lengths *l, double seconds, uint64_t sample,
    uint64_t multiple)
{
	double at = (log2(seconds) + 32) * CHECK_PER_OCTAVE;
	int i = CHECK_LONGEST;

	l->bucket[!(at > 0) ? 0 : at >= 64 * CHECK_PER_OCTAVE ? 64 * CHECK_PER_OCTAVE - 1 :
	    (int)at]++;
	l->n++;
	if (seconds <= l->longest[CHECK_LONGEST - 1].seconds)
		return;
	while (--i > 0 && seconds > l->longest[i - 1].seconds)
		l->longest[i] = l->longest[i - 1];
	l->longest[i].seconds = seconds;
	l->longest[i].sample = sample;
	l->longest[i].multiple = multiple;
}

/* Writes the clocks of a mask (BY_...): "the TSC, the stamps and DCLK". */
static const char *
clock_words(const char *tsc, unsigned by, char *buf, size_t size)
{
	const char *const name[] = { tsc, "wall clock", "stamps",
	    "usual length" };
	size_t n = 0;

	snprintf(buf, size, "%s", "the length planned, as no clock tells");
	for (unsigned i = 0; i < sizeof(name) / sizeof(*name); i++) {
		const char *between = n == 0 ? "" :
		    by >> (i + 1) != 0 ? ", " : " and ";

		if ((by >> i & 1) != 0 && n < size)
			n += (size_t)snprintf(buf + n, size - n, "%sthe %s",
			    between, name[i]);
	}
	return buf;
}

/* Reports clocks that went wrong in one interval. */
static void
check_clock(struct check *c, const struct interval *iv)
{
	const struct clock_verdict *v = intervals_verdict(c->iv);
	const char *tsc = tsc_words(c->reader);
	char by[120];

	if (v->odd & BY_TSC)
		finding_at(&c->findings, "clock", iv->before_sample,
		    iv->sample, "the %s went %+.3f s in %.3f s by %s", tsc,
		    v->tsc, iv->seconds, clock_words(tsc, v->by, by,
		    sizeof(by)));
	if (v->odd & BY_WALL)
		finding_at(&c->findings, "clock", iv->before_sample,
		    iv->sample, "the wall clock was set: it went %+.3f s in "
		    "%.3f s by %s", v->wall, iv->seconds, clock_words(tsc, v->by,
		    by, sizeof(by)));
}

/* Reports temperatures that no sensor of a running package can read. */
static void
check_readings(struct check *c, const struct interval *iv)
{
	for (unsigned i = 0; i < c->nheat; i++) {
		const struct column *col = read_column(c->reader, c->heat[i]);
		uint64_t v = iv->value[c->heat[i]];

		if (v != ABSENT && !reading_possible(intervals_limits(c->iv),
		    col, v))
			finding_at(&c->findings, "impossible", iv->sample,
			    iv->sample, "%s is %" PRId64 " degrees Celsius",
			    col->name, (int64_t)v);
	}
}

/* Takes in columns that have come; reports them, unless they are the first. */
static int
checks_take_columns(struct check *c, const struct interval *iv)
{
	void *p;

	if (c->ncol > 0)
		finding_at(&c->findings, "absent", iv->sample, iv->sample,
		    "%u column%s only from here on, %s first", iv->ncol -
		    c->ncol, plural(iv->ncol - c->ncol),
		    read_column(c->reader, c->ncol)->name);
#define GROW(array) \
	((p = reallocarray(array, iv->ncol, sizeof(*(array)))) != NULL && \
	((array) = p, true))
	if (!GROW(c->heat))
		return -ENOMEM;
#undef GROW
	for (unsigned i = c->ncol; i < iv->ncol; i++)
		if (read_column(c->reader, i)->cls == CLASS_TEMP)
			c->heat[c->nheat++] = i;
	c->ncol = iv->ncol;
	return skew_columns(&c->skew, c->reader, iv->ncol);
}

/* Notes a pause: nothing is wrong, but its time is in no figure. */
static void
note_pause(struct check *c, const struct interval *iv)
{
	struct finding *f = finding_at(&c->findings, "pause",
	    iv->before_sample, iv->sample, "paused for %.3f s: the counters "
	    "were given to others, and no difference over it is in a figure",
	    pauses_seconds(c->reader, iv->before_sample, iv->sample));

	if (f != NULL)
		f->note = true;
}

int
check_interval(struct check *c, const struct interval *iv)
{
	uint64_t multiple;

	if (iv->ncol > c->ncol && checks_take_columns(c, iv) < 0)
		return -ENOMEM;
	if (pauses_between(c->reader, iv->before_sample, iv->sample)) {
		note_pause(c, iv);
		return 0;
	}
	if (iv->sample - iv->before_sample > 2)
		finding_at(&c->findings, "gap", iv->before_sample, iv->sample,
		    "samples %" PRIu64 " to %" PRIu64 " are missing",
		    iv->before_sample + 1, iv->sample - 1);
	else if (iv->sample - iv->before_sample == 2)
		finding_at(&c->findings, "gap", iv->before_sample, iv->sample,
		    "sample %" PRIu64 " is missing", iv->sample - 1);
	multiple = planned_multiple(&c->lengths.planned, c->reader, iv->sample);
	lengths_add(&c->lengths, iv->seconds / (double)multiple /
	    (double)(iv->sample - iv->before_sample), iv->sample, multiple);
	check_clock(c, iv);
	check_readings(c, iv);
	skew_interval(&c->skew, iv, intervals_tsc_hz(c->iv), &c->findings);
	return watchdog_interval(&c->watchdog, iv);
}
