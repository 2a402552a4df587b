/*
 * postproc/intervals.c - a dump as stretches of time between samples.
 *
 * judge() must keep up with the reader: for an interval without surprises it
 * is one subtraction and two comparisons a column.  `quick` and `top` are such
 * that a delta of at most quick, to a value of at most top, is good.
 */
#include "postproc/intervals.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct intervals {
	struct reader *reader;
	struct select select;
	struct limits limits;
	int col_tsc, col_sec, col_usec;
	double tsc_hz, first_at;
	bool clocked;           /* tsc_hz has been settled */
	const char *clock_note;
	uint64_t most[CLASSES]; /* for this interval */

	unsigned ncol, room;
	uint64_t *delta, *quick, *top;
	uint8_t *kind;
	int32_t *stamp;         /* -1 none; -2 not looked for yet */
	struct tampers tampers;
	double quick_from, quick_to;    /* seconds that quick is right for */
	bool turned;            /* some counter can turn in that time */
	bool all_good;          /* kind[] says so */

	struct read_row row;
	uint64_t first, last, samples, last_seen;
	bool seen, done;
	double at, first_seconds, seconds;
	double row_at;          /* of row, s from the dump's first */
};

/* ---- clocks ----------------------------------------------------------- */

static uint64_t
cell(const uint64_t *value, int col, unsigned ncol)
{
	return col < 0 || (unsigned)col >= ncol ? ABSENT : value[col];
}

static bool
wall(const struct intervals *iv, const uint64_t *value, unsigned ncol,
    double *seconds)
{
	uint64_t sec = cell(value, iv->col_sec, ncol);
	uint64_t usec = cell(value, iv->col_usec, ncol);

	if (sec == ABSENT || usec == ABSENT)
		return false;
	*seconds = (double)sec + (double)usec * 1e-6;
	return true;
}

/* The TSC's frequency, from the first sample and what is known of the last. */
static void
settle_clock(struct intervals *iv)
{
	const struct reader *r = iv->reader;
	double nominal = read_number(r, "tsc_hz_nominal",
	    read_number(r, "TSC_ratio", 0) * 1e8), start, end, hz;
	uint64_t tsc, last_tsc, last;

	iv->clocked = true;
	iv->col_tsc = read_find(r, "tsc");
	iv->col_sec = read_find(r, "walltime[0]");
	iv->col_usec = read_find(r, "walltime[1]");
	tsc = cell(iv->row.value, iv->col_tsc, iv->row.ncol);
	if (tsc == ABSENT) {
		iv->clock_note = iv->col_sec >= 0 ?
		    "no TSC: times are by the wall clock" :
		    "no clocks: intervals are taken to be as long as planned";
		return;
	}
	if (wall(iv, iv->row.value, iv->row.ncol, &start) &&
	    read_last_clock(iv->reader, &last, &last_tsc, &end) &&
	    last_tsc > tsc && end > start) {
		hz = (double)(last_tsc - tsc) / (end - start);
		if (nominal <= 0 || fabs(hz / nominal - 1) <= 0.005) {
			iv->tsc_hz = hz;
			return;
		}
		iv->clock_note = "the wall clock and the TSC disagree by more "
		    "than 0.5 %: times are by the TSC's nominal frequency";
	}
	hz = read_number(r, "tsc_hz", 0);
	if (iv->clock_note == NULL && hz > 0 &&
	    (nominal <= 0 || fabs(hz / nominal - 1) <= 0.005)) {
		iv->tsc_hz = hz;
		return;
	}
	iv->tsc_hz = nominal;
	if (iv->clock_note == NULL)
		iv->clock_note = nominal > 0 ? "times are by the TSC's nominal "
		    "frequency" : "the TSC's frequency is not known: times are "
		    "by the wall clock";
}

/* The time between the last two samples of the reader. */
static double
seconds_between(const struct intervals *iv)
{
	const struct read_row *row = &iv->row;
	uint64_t a = cell(row->before, iv->col_tsc, row->ncol);
	uint64_t b = cell(row->value, iv->col_tsc, row->ncol);
	double start, end;

	if (a != ABSENT && b != ABSENT && b > a && iv->tsc_hz > 0)
		return (double)(b - a) / iv->tsc_hz;
	if (wall(iv, row->before, row->ncol, &start) &&
	    wall(iv, row->value, row->ncol, &end) && end > start)
		return end - start;
	return read_number(iv->reader, "interval", 1) *
	    (double)(row->sample - row->before_sample);
}

/* ---- deltas ----------------------------------------------------------- */

static int
grow(struct intervals *iv, unsigned ncol)
{
	void *p;

	if (ncol > iv->room) {
		unsigned room = ncol * 2;

#define GROW(array) \
	((p = reallocarray(array, room, sizeof(*(array)))) != NULL && \
	((array) = p, true))
		if (!GROW(iv->delta) || !GROW(iv->quick) || !GROW(iv->top) ||
		    !GROW(iv->kind) || !GROW(iv->stamp))
			return -ENOMEM;
#undef GROW
		iv->room = room;
	}
	for (unsigned c = iv->ncol; c < ncol; c++)
		iv->stamp[c] = -2;
	iv->ncol = ncol;
	iv->quick_to = -1;
	return 0;
}

static void
set_limits(struct intervals *iv, double seconds)
{
	for (unsigned i = 0; i < CLASSES; i++)
		iv->most[i] = limit(&iv->limits, i, seconds);
}

/* Thresholds for intervals of `seconds`, and somewhat more. */
static void
set_quick(struct intervals *iv, double seconds)
{
	iv->quick_from = seconds;
	iv->quick_to = seconds * 1.25;
	iv->turned = false;
	iv->all_good = true;
	for (unsigned c = 0; c < iv->ncol; c++) {
		const struct read_column *col = read_column(iv->reader, c);
		uint64_t span = column_span(col);

		iv->kind[c] = DELTA_NONE;
		iv->quick[c] = iv->top[c] = UINT64_MAX;
		if (!class_is_counter(col->cls))
			continue;
		iv->kind[c] = DELTA_GOOD;
		iv->quick[c] = iv->most[col->cls];
		iv->top[c] = span != 0 ? span - 1 : ABSENT - 1;
		/* A longer interval of the same setting must not hide one. */
		iv->turned |= span != 0 &&
		    limit(&iv->limits, col->cls, iv->quick_to) >= span;
	}
}

/* What the columns of one family and event did together. */
struct group {
	unsigned n, reset;
	uint64_t least;         /* of the values that followed a reset */
};

/* Enough to believe that all of them were reset: a second takeover soon after
 * the first takes only about half of the counters back. */
static bool
group_was_reset(const struct group *g)
{
	return g->reset >= 2 && g->reset * 4 >= g->n;
}

/* Is this value one that Linux perf starts a counter at, or soon after? */
static bool
at_half(const struct intervals *iv, unsigned c, uint64_t value)
{
	const struct read_column *col = read_column(iv->reader, c);
	uint64_t half = (uint64_t)col->mul << (col->bits - 1);

	return value >= half && value - half <= iv->most[col->cls];
}

/*
 * Somebody who takes a counter over does so on every lproc or box at once, and
 * starts all of them at one value (Linux perf: at half of the width).  Where
 * the new count happens to be above the old one, the counter did not go back,
 * and only its neighbours show that it was reset.
 */
static unsigned
spread_resets(struct intervals *iv, const struct read_row *row)
{
	struct group *group;
	unsigned ngroup = 0, more = 0;

	for (unsigned c = 0; c < row->ncol; c++) {
		uint32_t k = read_column(iv->reader, c)->kind;

		if (k >= ngroup)
			ngroup = k + 1;
	}
	if ((group = calloc(ngroup, sizeof(*group))) == NULL)
		return 0;
	for (unsigned c = 0; c < row->ncol; c++) {
		struct group *g = &group[read_column(iv->reader, c)->kind];

		if (iv->kind[c] == DELTA_NONE || iv->kind[c] == DELTA_ABSENT)
			continue;
		g->n++;
		if (iv->kind[c] != DELTA_RESET &&
		    (iv->kind[c] != DELTA_IMPOSSIBLE ||
		    !at_half(iv, c, row->value[c])))
			continue;
		if (g->reset++ == 0 || row->value[c] < g->least)
			g->least = row->value[c];
	}
	for (unsigned c = 0; c < row->ncol; c++) {
		const struct read_column *col = read_column(iv->reader, c);
		const struct group *g = &group[col->kind];
		uint64_t most = iv->most[col->cls], start = g->least;

		if (iv->kind[c] > DELTA_WRAPPED || !group_was_reset(g))
			continue;
		if (at_half(iv, c, start))
			start = (uint64_t)col->mul << (col->bits - 1);
		else if (start <= most)
			start = 0;
		if (row->value[c] < start || row->value[c] - start > most)
			continue;
		iv->kind[c] = DELTA_RESET;
		iv->delta[c] = 0;
		more++;
	}
	free(group);
	return more;
}

/* One column after the other: returns how many are left out. */
static unsigned
judge_slowly(struct intervals *iv, const struct read_row *row)
{
	unsigned left_out = 0;
	bool reset = false;

	for (unsigned c = 0; c < row->ncol; c++) {
		const struct read_column *col = read_column(iv->reader, c);
		enum delta_kind kind = delta_between(col, row->before[c],
		    row->value[c], iv->most[col->cls], &iv->delta[c]);

		iv->kind[c] = (uint8_t)kind;
		left_out += kind > DELTA_NONE;
		reset |= kind == DELTA_RESET || kind == DELTA_IMPOSSIBLE;
	}
	iv->all_good = false;
	if (reset)
		left_out += spread_resets(iv, row);
	return left_out;
}

static unsigned
judge(struct intervals *iv, const struct read_row *row, double seconds,
    bool complete)
{
	const uint64_t *now = row->value, *before = row->before;
	const uint64_t *quick, *top;
	uint64_t *delta = iv->delta;
	bool bad = false;

	set_limits(iv, seconds);
	if (seconds < iv->quick_from || seconds > iv->quick_to ||
	    (!iv->all_good && !iv->turned))
		set_quick(iv, seconds);
	if (iv->turned || !complete)
		return judge_slowly(iv, row);
	quick = iv->quick;
	top = iv->top;
	for (unsigned c = 0; c < row->ncol; c++) {
		uint64_t d = now[c] - before[c];

		delta[c] = d;
		bad |= (d > quick[c]) | (now[c] > top[c]);
	}
	return bad ? judge_slowly(iv, row) : 0;
}

/* Leave out what hangs on registers that the daemon found changed. */
static unsigned
leave_out_tampered(struct intervals *iv, const struct read_row *row)
{
	unsigned more = 0;

	for (unsigned i = 0; i < iv->tampers.n; i++) {
		const struct tamper *t = &iv->tampers.tamper[i];

		if (!tamper_in(t, row->before_sample, row->sample))
			continue;
		for (unsigned c = 0; c < row->ncol; c++) {
			if (iv->kind[c] == DELTA_NONE ||
			    iv->kind[c] == DELTA_TAMPERED ||
			    !tamper_of(t, read_column(iv->reader, c)->name))
				continue;
			more += iv->kind[c] < DELTA_NONE;
			iv->kind[c] = DELTA_TAMPERED;
			iv->delta[c] = 0;
			iv->all_good = false;
		}
	}
	return more;
}

/* ---- stamps ----------------------------------------------------------- */

static int
find_stamp(const struct intervals *iv, unsigned column)
{
	const struct read_column *c = read_column(iv->reader, column);
	bool of_lproc = strncmp(c->family, "core_", 5) == 0 ||
	    (c->family[0] != '\0' && strcmp(c->family + 1, "perf") == 0);
	char name[32];

	if (c->nindex == 0 || c->cls == CLASS_BYTES_NET ||
	    c->cls == CLASS_WALL || c->cls == CLASS_TSC)
		return -1;
	snprintf(name, sizeof(name), "%s_tsc[%u]", of_lproc ? "lproc" : "pkg",
	    c->index[0]);
	return read_find(iv->reader, name);
}

int
intervals_stamp(struct intervals *iv, unsigned column)
{
	if (column >= iv->ncol)
		return -1;
	if (iv->stamp[column] == -2)
		iv->stamp[column] = find_stamp(iv, column);
	return iv->stamp[column];
}

double
intervals_own_seconds(struct intervals *iv, const struct interval *step,
    unsigned column)
{
	int stamp = intervals_stamp(iv, column);

	if (stamp < 0 || (unsigned)stamp >= step->ncol ||
	    step->kind[stamp] > DELTA_WRAPPED || iv->tsc_hz <= 0)
		return step->seconds;
	return (double)step->delta[stamp] / iv->tsc_hz;
}

const struct tampers *
intervals_tampers(const struct intervals *iv)
{
	return &iv->tampers;
}

/* ---- the range -------------------------------------------------------- */

static bool
before_range(const struct intervals *iv)
{
	const struct select_end *e = &iv->select.first;

	return (e->kind == END_SAMPLE && iv->row.sample < e->n) ||
	    (e->kind == END_SECONDS && iv->row_at < e->seconds);
}

static bool
after_range(const struct intervals *iv)
{
	const struct select_end *e = &iv->select.last;

	return (e->kind == END_SAMPLE && iv->row.sample > e->n) ||
	    (e->kind == END_SECONDS && iv->samples > 0 &&
	    iv->row_at > iv->first_seconds + e->seconds);
}

/* The reader's next sample, with its time.  1, 0, -errno. */
static int
next_row(struct intervals *iv, double *seconds, struct diag *why)
{
	int rc = read_next(iv->reader, &iv->row, why);

	*seconds = 0;
	if (rc <= 0)
		return rc;
	if (!iv->clocked)
		settle_clock(iv);
	if (iv->row.before != NULL)
		*seconds = seconds_between(iv);
	iv->row_at += *seconds;
	iv->last_seen = iv->row.sample;
	iv->seen = true;
	return 1;
}

/* The next sample of the range.  1, 0, -errno. */
static int
next_in_range(struct intervals *iv, double *seconds, struct diag *why)
{
	int rc;

	do {
		if (iv->done || (rc = next_row(iv, seconds, why)) <= 0)
			return iv->done ? 0 : rc;
	} while (iv->samples == 0 && before_range(iv));
	if ((iv->done = after_range(iv)))
		return 0;
	if (iv->samples++ == 0) {
		iv->first = iv->row.sample;
		iv->first_seconds = iv->row_at;
	} else {
		iv->seconds += *seconds;
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
	unsigned ncol;
	bool complete;
	double seconds;
	int rc;

	if (iv->samples == 0 && (rc = next_in_range(iv, &seconds, why)) <= 0)
		return rc;
	ncol = iv->row.ncol;
	complete = iv->row.nabsent == 0;
	if ((rc = next_in_range(iv, &seconds, why)) <= 0)
		return rc;
	complete = complete && ncol == iv->row.ncol && iv->row.nabsent == 0;
	if (iv->row.ncol != iv->ncol && grow(iv, iv->row.ncol) < 0)
		return diag_set(why, -ENOMEM, "out of memory");
	*out = (struct interval){ .before_sample = iv->row.before_sample,
	    .sample = iv->row.sample, .seconds = seconds, .at = iv->row_at,
	    .ncol = iv->row.ncol, .value = iv->row.value,
	    .before = iv->row.before, .nabsent = iv->row.nabsent };
	out->left_out = judge(iv, &iv->row, seconds, complete);
	out->left_out += leave_out_tampered(iv, &iv->row);
	out->delta = iv->delta;
	out->kind = iv->kind;
	return 1;
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
	iv->col_tsc = iv->col_sec = iv->col_usec = -1;
	iv->quick_to = -1;
	if (select != NULL)
		iv->select = *select;
	if ((rc = read_open(&iv->reader, path, why)) < 0 ||
	    (rc = select_marks(&iv->select, iv->reader, why)) < 0) {
		intervals_close(iv);
		return rc;
	}
	if ((rc = tampers_init(&iv->tampers, iv->reader)) < 0) {
		intervals_close(iv);
		return diag_set(why, rc, "out of memory");
	}
	limits_init(&iv->limits, iv->reader);
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
	free(iv->quick);
	free(iv->top);
	free(iv->kind);
	free(iv->stamp);
	tampers_fini(&iv->tampers);
	free(iv);
}

struct reader *
intervals_reader(struct intervals *iv)
{
	return iv->reader;
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

static void
complain_range(const struct intervals *iv)
{
	const char *path = read_path(iv->reader);
	const struct select *s = &iv->select;

	if (!iv->seen)
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
	if (iv->samples == 1)
		fprintf(stderr, "tally: %s: one sample alone, %llu, makes no "
		    "interval\n", path, (unsigned long long)iv->first);
}

void
intervals_complain(const struct intervals *iv)
{
	const struct read_problem *p;
	uint64_t shown = 0;

	for (; (p = read_problem(iv->reader, (unsigned)shown)) != NULL; shown++)
		fprintf(stderr, "tally: %s\n", p->text);
	if (read_problems(iv->reader, PROBLEM_KINDS) > shown)
		fprintf(stderr, "tally: %s: %llu more of these\n",
		    read_path(iv->reader), (unsigned long long)
		    (read_problems(iv->reader, PROBLEM_KINDS) - shown));
	if (iv->clock_note != NULL)
		fprintf(stderr, "tally: %s: %s\n", read_path(iv->reader),
		    iv->clock_note);
	complain_range(iv);
}
