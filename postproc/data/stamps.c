/*
 * postproc/data/stamps.c - stamps: their order, the time between them, which of them a
 * column has.
 */
#include "postproc/data/intervals_int.h"

#include "lib/array.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SLACK_S 0.001           /* s that TSCs of two packages may be apart */
#define PACE 0.02               /* part of an interval by which a TSC that is right
				 * is never off */
#define FAR 4e18                /* counts: below 2^62, so that sums fit */
#define NONE UINT32_MAX

/* A moment of a sample. */
struct moment {
	uint64_t tsc;
	uint32_t stamp;         /* number; NONE: the sample's begin, or its end */
	uint32_t tail, from;    /* see keep_longest */
	bool kept;              /* it is in order with the other kept ones */
};

static void
clear(struct stamps *s)
{
	free(s->column);
	free(s->bad);
	free(s->was_bad);
	free(s->astray);
	free(s->moment);
	free(s->delta);
}

void
stamps_fini(struct stamps *s)
{
	clear(s);
	*s = (struct stamps){ .n = 0 };
}

bool
stamps_at_once(const struct reader *r)
{
	const char *mode = head_text(r, HEAD_READ_MODE, ALONE, "");

	return strcmp(mode, "batch") == 0 || strcmp(mode, "pinned") == 0;
}

int
stamps_find(struct stamps *s, const struct reader *r, unsigned ncol)
{
	unsigned n = 0;

	clear(s);
	*s = (struct stamps){ .tsc = read_find(r, "tsc"),
	    .duration = read_find(r, "sample_duration_ns"),
	    .column = malloc((ncol + 1) * sizeof(*s->column)) };
	s->at_once = stamps_at_once(r);
	for (unsigned c = 0; s->column != NULL && c < ncol; c++) {
		const struct column *col = read_column(r, c);

		if (col->cls == CLASS_TSC && col->id.nindex == 1 &&
		    col->id.event == NULL)
			s->column[n++] = c;
	}
	s->n = n;
	s->bad = calloc(n + 1, sizeof(*s->bad));
	s->was_bad = calloc(n + 1, sizeof(*s->was_bad));
	s->astray = calloc(n + 1, sizeof(*s->astray));
	s->moment = malloc((n + 2) * sizeof(*s->moment));
	s->delta = malloc((n + 1) * sizeof(*s->delta));
	return s->column == NULL || s->bad == NULL || s->was_bad == NULL ||
	    s->astray == NULL || s->moment == NULL || s->delta == NULL ?
	    -ENOMEM : 0;
}

uint64_t
clock_cell(const uint64_t *value, int column, unsigned ncol)
{
	return column < 0 || (unsigned)column >= ncol ? ABSENT : value[column];
}

/* Collects the moments that a sample has: its begin, its stamps, its end.  Returns how
 * many. */
static unsigned
stamps_collect(struct stamps *s, const uint64_t *value, uint64_t tsc,
    uint64_t end)
{
	unsigned n = 0;

	if (tsc != ABSENT)
		s->moment[n++] = (struct moment){ .tsc = tsc, .stamp = NONE };
	for (unsigned i = 0; i < s->n; i++) {
		uint64_t v = value[s->column[i]];

		if (v != ABSENT)
			s->moment[n++] = (struct moment){ .tsc = v, .stamp = i };
	}
	if (end != ABSENT && n > 1)
		s->moment[n++] = (struct moment){ .tsc = end, .stamp = NONE };
	return n;
}

/* Do all moments go up, give or take the slack? */
static bool
goes_up(const struct stamps *s, const uint64_t *value, uint64_t tsc,
    uint64_t end, uint64_t slack)
{
	uint64_t last = tsc != ABSENT ? tsc : 0;

	for (unsigned i = 0; i < s->n; i++) {
		uint64_t v = value[s->column[i]];

		if (v == ABSENT)
			continue;
		if (v + slack < last)
			return false;
		last = v;
	}
	return end == ABSENT || end + slack >= last;
}

/* Keeps the longest sequence of moments that goes up; of several of that length the one
 * with the lowest end.  Patience sorting: m[k].tail is the moment with the lowest TSC that
 * ends a sequence of k + 1, and m[i].from the moment before i in its sequence. */
static void
keep_longest(struct moment *m, unsigned n)
{
	unsigned length = 0;

	for (unsigned i = 0; i < n; i++) {
		unsigned lo = 0, hi = length;

		while (lo < hi) {
			unsigned mid = (lo + hi) / 2;

			if (m[m[mid].tail].tsc <= m[i].tsc)
				lo = mid + 1;
			else
				hi = mid;
		}
		m[i].from = lo > 0 ? m[lo - 1].tail : NONE;
		m[lo].tail = i;
		length += lo == length;
	}
	for (uint32_t i = length > 0 ? m[length - 1].tail : NONE; i != NONE;
	    i = m[i].from)
		m[i].kept = true;
}

/* Keeps the sample's begin and end alone. */
static void
keep_between(struct moment *m, unsigned n)
{
	m[0].kept = m[0].stamp == NONE;
	m[n - 1].kept = n > 1 && m[n - 1].stamp == NONE;
}

/* Is the TSC of moment i below that of the kept moment before it, or above that of the next
 * kept one? */
static bool
out_of_order(const struct moment *m, unsigned n, unsigned i, uint64_t slack)
{
	unsigned k = i;

	if (m[i].kept)
		return false;
	while (k > 0 && !m[k].kept)
		k--;
	if (m[k].kept && m[i].tsc + slack < m[k].tsc)
		return true;
	for (k = i; k + 1 < n && !m[k].kept; k++)
		;
	return m[k].kept && m[i].tsc > m[k].tsc + slack;
}

void
stamps_order(struct stamps *s, const uint64_t *value, unsigned ncol,
    double tsc_hz)
{
	uint64_t slack = (uint64_t)(SLACK_S * tsc_hz);
	uint64_t tsc = clock_cell(value, s->tsc, ncol);
	uint64_t ns = clock_cell(value, s->duration, ncol);
	uint64_t end = tsc == ABSENT || ns == ABSENT ? ABSENT :
	    tsc + (uint64_t)((double)ns / 1e9 * tsc_hz);
	bool *had = s->was_bad;
	unsigned n;

	s->was_bad = s->bad;
	s->bad = had;
	s->nwas_bad = s->nbad;
	s->nbad = 0;
	if (s->n == 0 || goes_up(s, value, tsc, end, slack))
		return;
	n = stamps_collect(s, value, tsc, end);
	memset(s->bad, 0, s->n * sizeof(*s->bad));
	if (s->at_once)
		keep_between(s->moment, n);
	else
		keep_longest(s->moment, n);
	for (unsigned i = 0; i < n; i++)
		if (s->moment[i].stamp != NONE &&
		    out_of_order(s->moment, n, i, slack)) {
			s->bad[s->moment[i].stamp] = true;
			s->nbad++;
		}
	/* with more than one in eight, it is the expected order that is wrong */
	if (s->nbad > 1 + s->n / 8)
		s->nbad = 0;
}

static int64_t
stamps_counts(double n)
{
	return (int64_t)fmin(fmax(n, -FAR), FAR);
}

double
stamps_taken(const struct stamps *s, const struct read_row *row)
{
	uint64_t took = clock_cell(row->before, s->duration, row->ncol);
	uint64_t takes = clock_cell(row->value, s->duration, row->ncol);

	return took == ABSENT || takes == ABSENT ? (double)NAN :
	    ((double)took + (double)takes) / 1e9;
}

void
stamps_pace(struct stamps *s, const struct read_row *row, double tsc_hz,
    double seconds)
{
	double slack = PACE * seconds + stamps_taken(s, row) + 5 * SLACK_S;
	const uint64_t *before = row->before, *value = row->value;
	uint64_t beyond = 0;
	int64_t least, most;

	s->nastray = 0;
	if (isnan(slack) || !(tsc_hz > 0))
		return;
	least = stamps_counts(ceil((seconds - slack) * tsc_hz));
	most = stamps_counts(floor((seconds + slack) * tsc_hz));
	/* In most rows no stamp is astray, and a look at signs shows it: bit 63 of one
	 * of these numbers is set if a stamp may be, or is ABSENT. */
	for (unsigned i = 0; i < s->n; i++) {
		uint64_t a = before[s->column[i]], b = value[s->column[i]];

		beyond |= a | b | (b - a - (uint64_t)least) |
		    ((uint64_t)most - (b - a));
	}
	if (beyond >> 63 == 0)
		return;
	for (unsigned i = 0; i < s->n; i++) {
		uint64_t a = before[s->column[i]], b = value[s->column[i]];
		int64_t went = (int64_t)(b - a);

		s->astray[i] = a != ABSENT && b != ABSENT &&
		    (went < least || went > most);
		s->nastray += s->astray[i];
	}
}

bool
stamps_doubtful(const struct stamps *s, unsigned i)
{
	return (s->nbad > 0 && s->bad[i]) || (s->nwas_bad > 0 &&
	    s->was_bad[i]) || (s->nastray > 0 && s->astray[i]);
}

double
stamps_seconds(struct stamps *s, const uint64_t *before,
    const uint64_t *value, unsigned ncol, double tsc_hz)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->n; i++) {
		uint64_t a = clock_cell(before, (int)s->column[i], ncol);
		uint64_t b = clock_cell(value, (int)s->column[i], ncol);

		if (a != ABSENT && b != ABSENT && b > a)
			s->delta[n++] = (double)(b - a);
	}
	if (n == 0 || !(tsc_hz > 0))
		return NAN;
	order_doubles(s->delta, n);
	return s->delta[n / 2] / tsc_hz;
}

double
stamps_longest(const struct stamps *s, const uint64_t *before,
    const uint64_t *value, double tsc_hz)
{
	uint64_t most = 0;

	for (unsigned i = 0; i < s->n; i++) {
		uint64_t a = before[s->column[i]], b = value[s->column[i]];

		if (b - a > most && b > a && b != ABSENT &&
		    !stamps_doubtful(s, i))
			most = b - a;
	}
	return tsc_hz > 0 ? (double)most / tsc_hz : 0;
}

/* ---- the stamp of a column ----------------------------------------------- */

/* Returns the lowest number of a list: 4 of "9,4-7". */
static uint32_t
lowest_of(const char *list)
{
	unsigned long least = UINT32_MAX;
	char *end;

	while (*list != '\0') {
		unsigned long n = strtoul(list, &end, 10);

		if (end > list && n < least)
			least = n;
		end += strcspn(end, ",");
		list = end + (*end == ',');
	}
	return (uint32_t)least;
}

/* The stamp of a package's registers: what the head says of their family, or else pkg_tsc,
 * which is that of the package's MSRs. */
static int
stamp_of_package(const struct reader *r, const struct column_id *id,
    uint32_t pkg)
{
	const struct family usual = { .name = "pkg_tsc" };
	const struct family said = { .name = head_text(r, HEAD_FAMILY_STAMP,
	    OF(id->family->name), usual.name) };
	struct column_id stamp = { .family = &said, .nindex = 1,
	    .index = { pkg } };
	int found = read_find_id(r, &stamp);

	if (found >= 0 || said.name == usual.name)
		return found;
	stamp.family = &usual;
	return read_find_id(r, &stamp);
}

/* The stamp of a core complex's box: that of the lproc which reads it. */
static int
stamp_of_complex(const struct reader *r, const struct column_id *id)
{
	const struct family lproc = { .name = "lproc_tsc" };
	const char *type = id->family->type != NULL ? id->family->type->name :
	    "";
	struct head_at at = { .name = { type },
	    .n = { id->index[0], id->index[1] } };
	struct column_id stamp = { .family = &lproc, .nindex = 1, .index = {
	    (uint32_t)head_number(r, HEAD_UNIT_LPROC, at, UINT32_MAX) } };

	return id->nindex == 2 ? read_find_id(r, &stamp) : -1;
}

/* The event of read_tsc that is a column's stamp, where the column is not read in a block: so
 * are files and slow registers, whose stamps are named by family or event.  NULL: it is read
 * in a block. */
static const char *
read_apart(const struct reader *r, const struct column_id *id)
{
	const char *family = id->family->name;

	if (strcmp(head_text(r, HEAD_FAMILY_STAMP, OF(family), ""),
	    "read_tsc") == 0)
		return family;
	return id->event != NULL && head_number(r, HEAD_EVENT_EVERY,
	    OF(family, id->event), 1) > 1 ? id->event : NULL;
}

static int
stamp_apart(const struct reader *r, const char *name)
{
	const struct family read = { .name = "read_tsc" };
	const struct column_id stamp = { .family = &read, .event = name };

	return read_find_id(r, &stamp);
}

/* Finds the stamp of a column, as intervals_stamp returns it.  What belongs to the whole
 * node is read with the first package.  A stamp is its own stamp. */
static int
find_stamp(const struct intervals *iv, unsigned column)
{
	const struct column *c = read_column(iv->reader, column);
	const struct column_id *id = &c->id;
	static const struct family lproc = { .name = "lproc_tsc" };
	const char *apart;
	struct column_id stamp;

	if (c->cls == CLASS_TSC)
		return id->nindex == 1 && id->event == NULL ? (int)column : -1;
	if (strcmp(id->family->name, "read_tsc") == 0)
		return (int)column;
	if ((apart = read_apart(iv->reader, id)) != NULL)
		return stamp_apart(iv->reader, apart);
	/* the dump has no stamps, as most of the original tool */
	if (iv->stamps.n == 0)
		return -1;
	switch (id->family->of) {
	case OF_LPROC:
	case OF_CORE:
		if (id->nindex == 0 && id->lprocs == NULL)
			return -1;
		/* a sum over lprocs has the stamp of the lowest of them */
		stamp = (struct column_id){ .family = &lproc, .nindex = 1,
		    .index = { id->lprocs != NULL ? lowest_of(id->lprocs) :
		    id->index[0] } };
		return read_find_id(iv->reader, &stamp);
	case OF_CCX:
		return stamp_of_complex(iv->reader, id);
	case OF_PKG:
		return id->nindex == 0 ? -1 : stamp_of_package(iv->reader, id,
		    id->index[0]);
	case OF_PORT:
		return stamp_of_package(iv->reader, id, 0);
	default:
		return id->family->type == NULL ? -1 :  /* the daemon's own */
		    stamp_of_package(iv->reader, id, 0);
	}
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

/* How many seconds a column's delta is over where its stamp does not tell. */
static double
own_seconds(const struct interval *step, int stamp)
{
	if (stamp < 0 || (unsigned)stamp >= step->ncol)
		return step->seconds;
	/* slow registers, which were not read in this sample */
	if (step->kind[stamp] == DELTA_NONE && step->not_due > 0)
		return 0;
	return step->seconds;
}

void
intervals_own_times(struct intervals *iv, const struct interval *step,
    const uint32_t *column, unsigned n, double *seconds)
{
	const uint64_t *delta = step->delta;
	const uint8_t *kind = step->kind;
	const double tsc_hz = iv->tsc_hz;

	for (unsigned i = 0; i < n; i++) {
		int stamp = column[i] < iv->ncol ? iv->stamp[column[i]] : -1;

		if (stamp == -2)
			stamp = intervals_stamp(iv, column[i]);
		seconds[i] = stamp >= 0 && (unsigned)stamp < step->ncol &&
		    kind[stamp] <= DELTA_WRAPPED && !(tsc_hz <= 0) ?
		    (double)delta[stamp] / tsc_hz :
		    own_seconds(step, stamp);
	}
}

double
intervals_own_seconds(struct intervals *iv, const struct interval *step,
    unsigned column)
{
	double seconds;

	intervals_own_times(iv, step, &column, 1, &seconds);
	return seconds;
}
