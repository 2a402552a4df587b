/*
 * postproc/data/intervals_clock.c - how long an interval was.
 */
#include "postproc/data/intervals_int.h"

#include <math.h>

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

static bool
plausible(double hz, double nominal)
{
	return hz > 0 && (nominal <= 0 || fabs(hz / nominal - 1) <= 0.005);
}

void
clock_settle(struct intervals *iv)
{
	const struct reader *r = iv->reader;
	/* as tallyd measured it, by a clock that nobody sets */
	double said = head_number(r, HEAD_TSC_HZ, ALONE, 0);
	double nominal = head_number(r, HEAD_TSC_HZ_NOMINAL, ALONE,
	    head_number(r, HEAD_TSC_RATIO, ALONE, said / 1e8) * 1e8);
	double start, end, hz = 0;
	bool measured = plausible(said, nominal);
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
	    last_tsc > tsc && end > start)
		hz = (double)(last_tsc - tsc) / (end - start);
	iv->tsc_hz = measured ? said : plausible(hz, nominal) ? hz : nominal;
	if (hz > 0 && !plausible(hz, nominal))
		iv->clock_note = measured ? "the wall clock and the TSC "
		    "disagree by more than 0.5 %: times are by the TSC, as "
		    "fast as tallyd measured it" : "the wall clock and the "
		    "TSC disagree by more than 0.5 %: times are by the TSC's "
		    "nominal frequency";
	else if (hz <= 0 && !measured)
		iv->clock_note = nominal > 0 ? "times are by the TSC's nominal "
		    "frequency" : "the TSC's frequency is not known: times are "
		    "by the wall clock";
}

double
clock_seconds(const struct intervals *iv)
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
	return head_number(iv->reader, HEAD_INTERVAL, ALONE, 1) *
	    (double)(row->sample - row->before_sample);
}

static int
find_stamp(const struct intervals *iv, unsigned column)
{
	const struct column *c = read_column(iv->reader, column);
	enum family_of of = c->id.family->of;
	const struct family stamp = { .name = of == OF_LPROC ||
	    of == OF_CORE ? "lproc_tsc" : "pkg_tsc" };

	if (c->id.nindex == 0 || c->cls == CLASS_BYTES_NET ||
	    c->cls == CLASS_WALL || c->cls == CLASS_TSC)
		return -1;
	return read_find_id(iv->reader, &(struct column_id){ .family = &stamp,
	    .nindex = 1, .index = { c->id.index[0] } });
}

/* The column with the TSC of the moment that a column's registers were read,
 * lproc_tsc[5] or pkg_tsc[0]; -1 where the dump has none, and then it is the
 * sample's own TSC. */
static int
stamp_of(struct intervals *iv, unsigned column)
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
	int stamp = stamp_of(iv, column);

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
