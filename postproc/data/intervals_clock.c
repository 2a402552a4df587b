/*
 * postproc/data/intervals_clock.c - how long an interval was.
 */
#include "postproc/data/intervals_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool
clocks_agree(double a, double b)
{
	return fabs(a - b) <= 0.005 + 0.005 * fabs(b);
}

/* Seconds and microseconds are subtracted apart, as a double has too few bits for the
 * time since 1970 in microseconds. */
static double
by_wall(const struct intervals *iv)
{
	const struct read_row *row = &iv->row;
	uint64_t s0 = clock_cell(row->before, iv->col_sec, row->ncol);
	uint64_t s1 = clock_cell(row->value, iv->col_sec, row->ncol);
	uint64_t u0 = clock_cell(row->before, iv->col_usec, row->ncol);
	uint64_t u1 = clock_cell(row->value, iv->col_usec, row->ncol);

	if (s0 == ABSENT || s1 == ABSENT || u0 == ABSENT || u1 == ABSENT)
		return NAN;
	return (double)(int64_t)(s1 - s0) + ((double)u1 - (double)u0) * 1e-6;
}

static double
intervals_clock_by_tsc(const struct intervals *iv)
{
	const struct read_row *row = &iv->row;
	uint64_t a = clock_cell(row->before, iv->col_tsc, row->ncol);
	uint64_t b = clock_cell(row->value, iv->col_tsc, row->ncol);

	return a == ABSENT || b == ABSENT || !(iv->tsc_hz > 0) ? (double)NAN :
	    (double)(int64_t)(b - a) / iv->tsc_hz;
}

/* The planned length of the interval, or else the usual one; 0: neither is known. */
static double
intervals_clock_planned(const struct intervals *iv)
{
	double each = head_number(iv->reader, HEAD_INTERVAL, ALONE,
	    iv->pace.usual);

	return each * (double)iv->planned.multiple *
	    (double)(iv->row.sample - iv->row.before_sample);
}

/* ---- when the TSC and the wall clock do not agree ------------------------ */

/* Which of the TSC, the wall clock and the stamps say that an interval was so long.  A
 * stamp may have been taken at any time while its row was read. */
static unsigned
clocks_for(const struct intervals *iv, double seconds, double stamps)
{
	const struct clock_verdict *v = &iv->verdict;
	double off = fabs(stamps - seconds);
	bool near = off <= seconds / 4 &&
	    off <= stamps_taken(&iv->stamps, &iv->row);

	return (clocks_agree(v->tsc, seconds) ? BY_TSC : 0u) |
	    (clocks_agree(v->wall, seconds) ? BY_WALL : 0u) |
	    (near || clocks_agree(stamps, seconds) ? BY_STAMPS : 0u);
}

/* Takes the time that two of the three clocks agree on; where each says another one,
 * that which is nearest to the planned length. */
static void
settle_dispute(struct intervals *iv)
{
	struct clock_verdict *v = &iv->verdict;
	double stamps = stamps_seconds(&iv->stamps, iv->row.before,
	    iv->row.value, iv->row.ncol, iv->tsc_hz);
	/* of two that are as good the TSC, which nobody sets */
	const double candidate[] = { v->tsc, stamps, v->wall };
	double plan, off = INFINITY;
	int most = 0;

	pace_learn(iv);
	planned_multiple(&iv->planned, iv->reader, iv->row.sample);
	plan = intervals_clock_planned(iv);
	v->seconds = plan > 0 ? plan :
	    (double)(iv->row.sample - iv->row.before_sample);
	for (unsigned i = 0; i < 3; i++) {
		double seconds = candidate[i];
		unsigned by = seconds > 0 ? clocks_for(iv, seconds, stamps) : 0;
		int n = __builtin_popcount(by);

		if (n < most || n == 0 || (n == most &&
		    (plan <= 0 || fabs(seconds - plan) >= off)))
			continue;
		most = n;
		off = fabs(seconds - plan);
		v->by = (uint8_t)by;
		v->seconds = seconds;
	}
	if (most > 0 && v->seconds > plan * 0.75 && v->seconds < plan * 1.25)
		v->by |= BY_PLAN;
	v->odd = (uint8_t)((!isnan(v->tsc) && !(v->by & BY_TSC) ? BY_TSC : 0) |
	    (!isnan(v->wall) && !(v->by & BY_WALL) ? BY_WALL : 0));
}

void
clock_judge(struct intervals *iv)
{
	struct clock_verdict *v = &iv->verdict;

	*v = (struct clock_verdict){ .tsc = intervals_clock_by_tsc(iv),
	    .wall = by_wall(iv) };
	if (v->tsc > 0 && clocks_agree(v->wall, v->tsc)) {
		v->seconds = v->tsc;
		v->by = BY_TSC | BY_WALL;
	} else {
		settle_dispute(iv);
	}
}

double
clock_since_first(const struct intervals *iv, uint64_t tsc, double end)
{
	const struct read_row *row = &iv->row;
	uint64_t a = clock_cell(row->value, iv->col_tsc, row->ncol);
	double start;

	if (a != ABSENT && tsc > a && iv->tsc_hz > 0)
		return (double)(tsc - a) / iv->tsc_hz;
	return clock_wall(iv, row->value, row->ncol, &start) ? end - start : 0;
}

const struct clock_verdict *
intervals_verdict(const struct intervals *iv)
{
	return &iv->verdict;
}

uint64_t
intervals_odd_clocks(const struct intervals *iv)
{
	return iv->odd_clocks;
}

/* ---- the moment of a column ---------------------------------------------- */

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

/* The stamp of a package's registers: what the family's head says, or else pkg_tsc,
 * which is that of the MSRs. */
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

	if (found >= 0)
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

/* The event of read_tsc that is a column's stamp, where it is read by itself: files and
 * slow registers are, by family or event.  NULL: it is read with a block. */
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
 * node is read with the first package; a stamp is its own. */
static int
find_stamp(const struct intervals *iv, unsigned column)
{
	const struct column *c = read_column(iv->reader, column);
	const struct column_id *id = &c->id;
	const struct family lproc = { .name = "lproc_tsc" };
	const char *apart;
	struct column_id stamp = { .family = &lproc, .nindex = 1,
	    .index = { id->index[0] } };

	if (c->cls == CLASS_TSC)
		return id->nindex == 1 && id->event == NULL ? (int)column : -1;
	if (strcmp(id->family->name, "read_tsc") == 0)
		return (int)column;
	if ((apart = read_apart(iv->reader, id)) != NULL)
		return stamp_apart(iv->reader, apart);
	switch (id->family->of) {
	case OF_LPROC:
	case OF_CORE:
		if (id->nindex == 0 && id->lprocs == NULL)
			return -1;
		/* a sum over lprocs is read with the lowest of them */
		if (id->lprocs != NULL)
			stamp.index[0] = lowest_of(id->lprocs);
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

static double
own_seconds(const struct intervals *iv, const struct interval *step, int stamp)
{
	if (stamp < 0 || (unsigned)stamp >= step->ncol)
		return step->seconds;
	/* the stamp of slow registers, which were not read in this sample */
	if (step->kind[stamp] == DELTA_NONE && step->not_due > 0)
		return 0;
	if (step->kind[stamp] > DELTA_WRAPPED || iv->tsc_hz <= 0)
		return step->seconds;
	return (double)step->delta[stamp] / iv->tsc_hz;
}

void
intervals_own_times(struct intervals *iv, const struct interval *step,
    const uint32_t *column, unsigned n, double *seconds)
{
	for (unsigned i = 0; i < n; i++) {
		int stamp = column[i] < iv->ncol ? iv->stamp[column[i]] : -1;

		if (stamp == -2)
			stamp = intervals_stamp(iv, column[i]);
		seconds[i] = own_seconds(iv, step, stamp);
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

const struct tampers *
intervals_tampers(const struct intervals *iv)
{
	return &iv->tampers;
}
