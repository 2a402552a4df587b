/*
 * postproc/data/intervals.c - a dump as intervals between samples; which of them are in
 * the range that was asked for.
 */
#include "postproc/data/intervals_int.h"

#include "postproc/data/layout.h"
#include "postproc/data/runs.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/version.h"
#include "regs/model.h"

/* ---- the range -------------------------------------------------------- */

/* By how many seconds a sample may miss its planned time. */
static double
slack(const struct intervals *iv)
{
	double interval = head_number(iv->reader, HEAD_INTERVAL, ALONE, 0);

	return interval > 1e-4 ? interval / 100 : 1e-6;
}

static bool
before_range(const struct intervals *iv)
{
	const struct select_end *e = &iv->select.first;

	return (e->kind == END_SAMPLE && iv->row.sample < e->n) ||
	    (e->kind == END_UP_TO && iv->has_next && iv->next.sample <= e->n) ||
	    (e->kind == END_SECONDS && iv->row_at < e->seconds - slack(iv));
}

static bool
after_range(const struct intervals *iv)
{
	const struct select_end *e = &iv->select.last;

	return (e->kind == END_SAMPLE && iv->row.sample > e->n) ||
	    (e->kind == END_SECONDS && iv->samples > 0 &&
	    iv->row_at > iv->first_seconds + e->seconds + slack(iv));
}

/* Turns "the last ten" samples or seconds into the sample, or the time, that the range
 * begins with.  Where that sample is missing it is the one before, so that two samples
 * make an interval. */
static int
settle_first(struct intervals *iv, struct diag *why)
{
	struct select_end *e = &iv->select.first;
	double wall = 0, seconds;
	uint64_t sample, tsc;

	if (e->kind != END_LAST && e->kind != END_LAST_SECONDS)
		return 0;
	if (!read_last_clock(iv->reader, true, &sample, &tsc, &wall))
		return diag_set(why, -EINVAL, "%s: -s -N: which samples are the "
		    "last cannot be seen here%s", read_path(iv->reader),
		    strcmp(read_path(iv->reader), "-") == 0 ?
		    " (of a pipe)" : "");
	if (e->kind == END_LAST) {
		*e = (struct select_end){ .kind = END_UP_TO,
		    .n = sample >= e->n ? sample + 1 - e->n : 0 };
		return 0;
	}
	seconds = clock_since_first(iv, tsc, wall) - e->seconds;
	*e = (struct select_end){ .kind = END_SECONDS,
	    .seconds = seconds > 0 ? seconds : 0 };
	return 0;
}

/* The daemon was restarted before this sample: no interval ends with it, and doubts are
 * over, as all counters were programmed again. */
static void
intervals_begin_anew(struct intervals *iv)
{
	double from, to;

	if (iv->has_before && clock_wall(iv, iv->before.value,
	    iv->before.ncol, &from) && clock_wall(iv, iv->row.value,
	    iv->row.ncol, &to) && to > from)
		iv->row_at += to - from;
	iv->verdict = (struct clock_verdict){ .odd = 0 };
	doubts_fini(&iv->doubts);
}

/* The reader's next sample, with its time.  1, 0, -errno. */
static int
intervals_next_row(struct intervals *iv, double *seconds, struct diag *why)
{
	int rc;

	*seconds = 0;
	if ((rc = rows_next(iv, why)) <= 0)
		return rc;
	if (!iv->clocked)
		clock_settle(iv);
	if ((rc = rows_look_ahead(iv, why)) < 0)
		return rc;
	if (iv->row.ncol != iv->was_ncol &&
	    (rc = stamps_find(&iv->stamps, iv->reader, iv->row.ncol)) < 0)
		return diag_set(why, rc, "out of memory");
	if (!iv->seen && (rc = settle_first(iv, why)) < 0)
		return rc;
	stamps_order(&iv->stamps, iv->row.value, iv->row.ncol, iv->tsc_hz);
	if (iv->row.fresh)
		intervals_begin_anew(iv);
	if (iv->row.before != NULL) {
		clock_judge(iv);
		*seconds = iv->verdict.seconds;
		/* a single clock may be the one that is wrong */
		if (__builtin_popcount(iv->verdict.by) > 1)
			stamps_pace(&iv->stamps, &iv->row, iv->tsc_hz,
			    *seconds);
	}
	iv->row_at += *seconds;
	iv->last_seen = iv->row.sample;
	iv->seen = true;
	return 1;
}

/* The next sample of the range, and the interval before it, s.  1, 0 at the end,
 * -errno. */
static int
next_in_range(struct intervals *iv, double *seconds, struct diag *why)
{
	int rc;

	do {
		if (iv->done)
			return 0;
		if ((rc = intervals_next_row(iv, seconds, why)) <= 0)
			return rc;
		if (iv->samples == 0 && iv->row.before != NULL &&
		    judge(iv, &iv->row, *seconds) < 0)
			return diag_set(why, -ENOMEM, "out of memory");
	} while (iv->samples == 0 && before_range(iv));
	if ((iv->done = after_range(iv)))
		return 0;
	if (iv->samples++ == 0) {
		iv->first = iv->row.sample;
		iv->first_seconds = iv->row_at;
	} else {
		iv->seconds += *seconds;
		iv->odd_clocks += iv->verdict.odd != 0;
	}
	iv->last = iv->row.sample;
	return 1;
}

int
intervals_row(struct intervals *iv, struct read_row *row, double *at,
    struct diag *why)
{
	double seconds;
	int rc = next_in_range(iv, &seconds, why);

	*row = iv->row;
	*at = iv->row_at;
	return rc;
}

int
intervals_next(struct intervals *iv, struct interval *out, struct diag *why)
{
	double seconds;
	int rc;

	if (iv->samples == 0 && (rc = next_in_range(iv, &seconds, why)) <= 0)
		return rc;
	do {
		if ((rc = next_in_range(iv, &seconds, why)) <= 0)
			return rc;
	} while (iv->row.before == NULL);
	if ((rc = judge(iv, &iv->row, seconds)) < 0)
		return diag_set(why, rc, "out of memory");
	*out = (struct interval){ .before_sample = iv->row.before_sample,
	    .sample = iv->row.sample, .seconds = seconds,
	    .longest = iv->longest, .at = iv->row_at,
	    .ncol = iv->row.ncol, .value = iv->row.value,
	    .before = iv->row.before, .nabsent = iv->row.nabsent,
	    .not_due = iv->not_due };
	out->left_out = (unsigned)rc;
	out->delta = iv->delta;
	out->kind = iv->kind;
	out->slow = &iv->slow;
	return 1;
}

int
intervals_more(struct intervals *iv, struct diag *why)
{
	bool head;
	int rc = read_more(iv->reader, &head, why);

	if (rc < 0 || !head)
		return rc;
	tampers_fini(&iv->tampers);
	return tampers_init(&iv->tampers, iv->reader) < 0 ?
	    diag_set(why, -ENOMEM, "out of memory") : rc;
}

/* ---- the rest --------------------------------------------------------- */

int
intervals_open(struct intervals **out, const char *path,
    const struct select *select, struct diag *why)
{
	struct intervals *iv = calloc(1, sizeof(*iv));
	int rc;

	*out = NULL;
	if (iv == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	iv->end = 1;
	iv->col_tsc = iv->col_sec = iv->col_usec = -1;
	iv->quick_to = -1;
	if (select != NULL)
		iv->select = *select;
	if ((rc = rows_open(iv, path, &iv->reader, why)) < 0 ||
	    (rc = runs_follow(iv->select.runs, iv->reader, why)) < 0 ||
	    (rc = select_marks(&iv->select, iv->reader, why)) < 0) {
		intervals_close(iv);
		return rc;
	}
	if ((rc = tampers_init(&iv->tampers, iv->reader)) < 0) {
		intervals_close(iv);
		return diag_set(why, rc, "out of memory");
	}
	limits_init(&iv->limits, iv->reader);
	read_jobs(iv->reader, iv->select.jobs);
	*out = iv;
	return 0;
}

void
intervals_close(struct intervals *iv)
{
	if (iv == NULL)
		return;
	read_close(iv->reader);
	free(iv->delta);
	free(iv->was_delta);
	free(iv->ahead_delta);
	free(iv->beyond);
	free(iv->ahead_beyond);
	free(iv->quick);
	free(iv->top);
	free(iv->asked);
	free(iv->plain);
	free(iv->kind);
	free(iv->stamp);
	free(iv->spoilt);
	rows_fini(iv);
	tampers_fini(&iv->tampers);
	doubts_fini(&iv->doubts);
	stamps_fini(&iv->stamps);
	slow_fini(&iv->slow);
	free(iv);
}

bool
intervals_whole(const struct intervals *iv)
{
	return select_all(&iv->select);
}

struct reader *
intervals_reader(struct intervals *iv)
{
	return iv->reader;
}

uint64_t
intervals_astray(const struct intervals *iv, uint64_t *first)
{
	*first = iv->first_astray;
	return iv->nastray;
}

const struct tampers *
intervals_tampers(const struct intervals *iv)
{
	return &iv->tampers;
}

const struct doubts *
intervals_doubts(const struct intervals *iv)
{
	return &iv->doubts;
}

const struct limits *
intervals_limits(const struct intervals *iv)
{
	return &iv->limits;
}

uint64_t
intervals_first(const struct intervals *iv)
{
	return iv->first;
}

uint64_t
intervals_last(const struct intervals *iv)
{
	return iv->last;
}

uint64_t
intervals_samples(const struct intervals *iv)
{
	return iv->samples;
}

double
intervals_seconds(const struct intervals *iv)
{
	return iv->seconds;
}

double
intervals_tsc_hz(const struct intervals *iv)
{
	return iv->tsc_hz;
}

const char *
intervals_clock_note(const struct intervals *iv)
{
	return iv->clock_note;
}

/* Is the dump shorter than the seconds asked for, by more than one interval? */
static bool
ends_early(const struct intervals *iv)
{
	const struct select_end *e = &iv->select.last;
	double every = iv->samples < 2 ? 0 :
	    iv->seconds / (double)(iv->samples - 1);
	double lacks = iv->first_seconds + e->seconds - iv->row_at;

	return iv->samples > 0 && e->kind == END_SECONDS && !iv->done &&
	    lacks > slack(iv) && lacks > every - slack(iv);
}

static void
complain_range(const struct intervals *iv)
{
	const char *path = read_shown(iv->reader);
	const struct select *s = &iv->select;

	if (!iv->seen && !isnan(read_number(iv->reader, "tally_summary", NAN)))
		fprintf(stderr, "tally: %s: a summary of dumps, which has no "
		    "samples: tally merge reads it\n", path);
	else if (!iv->seen)
		fprintf(stderr, "tally: %s: no samples\n", path);
	else if (iv->samples == 0)
		fprintf(stderr, "tally: %s: no sample in the range asked for; "
		    "the last one seen is %llu\n", path,
		    (unsigned long long)iv->last_seen);
	else if (s->first.kind == END_SAMPLE && iv->first > s->first.n)
		fprintf(stderr, "tally: %s: sample %llu is not there; used "
		    "from %llu on\n", path, (unsigned long long)s->first.n,
		    (unsigned long long)iv->first);
	if (iv->samples > 0 && s->last.kind == END_SAMPLE &&
	    iv->last < s->last.n)
		fprintf(stderr, "tally: %s: sample %llu is not there; used "
		    "up to %llu\n", path, (unsigned long long)s->last.n,
		    (unsigned long long)iv->last);
	if (ends_early(iv))
		fprintf(stderr, "tally: %s: the dump ends %.2f s after the "
		    "first sample asked for, not %g; used up to sample %llu\n",
		    path, iv->row_at - iv->first_seconds, s->last.seconds,
		    (unsigned long long)iv->last);
	if (iv->samples == 1)
		fprintf(stderr, "tally: %s: one sample alone, %llu, makes no "
		    "interval\n", path, (unsigned long long)iv->first);
}

/* A dump of an unknown model is read as those of the original tool are, which name no
 * model. */
static void
complain_model(const struct reader *r)
{
	const char *name = head_text(r, HEAD_MODEL, ALONE, model_any.name);

	if (model_named(name) == NULL)
		fprintf(stderr, "tally: %s: this tally (" TALLYD_VERSION ") does "
		    "not know the CPU, model \"%s\", and takes it for skx: use "
		    "the tally of the tallyd that sampled, or give metrics by "
		    "--only-lists --metrics FILE\n", read_shown(r), name);
}

void
problems_complain(const struct reader *r)
{
	const struct read_problem *p;
	uint64_t shown = 0;

	for (; (p = read_problem(r, (unsigned)shown)) != NULL; shown++)
		fprintf(stderr, "tally: %s\n", p->text);
	if (read_problems(r, PROBLEM_KINDS) > shown)
		fprintf(stderr, "tally: %s: %llu more of these\n",
		    read_shown(r), (unsigned long long)
		    (read_problems(r, PROBLEM_KINDS) - shown));
}

void
intervals_complain(const struct intervals *iv)
{
	char buf[200];
	const char *unplaced = topology_unplaced(iv->reader, buf, sizeof buf);

	problems_complain(iv->reader);
	if (unplaced != NULL)
		fprintf(stderr, "tally: %s: %s\n", read_shown(iv->reader),
		    unplaced);
	if (iv->clock_note != NULL)
		fprintf(stderr, "tally: %s: %s\n", read_shown(iv->reader),
		    iv->clock_note);
	complain_model(iv->reader);
	complain_range(iv);
}
