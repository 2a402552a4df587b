/*
 * postproc/data/clocks.c - the TSC's frequency; how long each interval was, and was meant
 * to be, and where tallyd paused.
 */
#include "postproc/data/intervals_int.h"

#include "lib/array.h"
#include "regs/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FIRST 33                /* samples that are looked at beforehand */
#define ENOUGH 3                /* so many intervals do not agree by chance */
#define ALIKE 0.001             /* frequencies that differ by no more than this part
				 * are the same: NTP slews a clock by half of it */
#define NEAR 0.005              /* a right frequency is no further from the nominal
				 * one, which is good to 0.3 % */

/* Up to so many samples are looked up one by one; beyond, one pass over the whole
 * head is cheaper. */
#define FEW 16

/* ---- how long intervals were meant to be -------------------------------- */

/* The multiple that the head has for this sample, or else for the last one before it that it
 * has any for; 1: it has none. */
static uint64_t
planned_search(const struct reader *r, uint64_t sample)
{
	uint64_t since = 0, multiple = 1;

	for (unsigned i = 0; i < read_constants(r); i++) {
		const struct constant *k = read_constant(r, i);

		if (k->key != HEAD_INTERVAL_MULTIPLE || k->kind !=
		    CONSTANT_INT || k->u == 0 || k->at.n[0] > sample ||
		    k->at.n[0] < since)
			continue;
		since = k->at.n[0];
		multiple = k->u;
	}
	return multiple;
}

uint64_t
planned_multiple(struct planned *p, const struct reader *r, uint64_t sample)
{
	if (p->multiple == 0 || sample < p->sample ||
	    sample - p->sample > FEW) {
		p->multiple = planned_search(r, sample);
	} else
		for (uint64_t n = p->sample + 1; n <= sample; n++) {
			double k = head_number(r, HEAD_INTERVAL_MULTIPLE,
			    AT(n), 0);

			if (k >= 1)
				p->multiple = (uint64_t)k;
		}
	p->sample = sample;
	return p->multiple;
}

/* ---- pauses ------------------------------------------------------------- */

/* Finds the first pause with a number from *n on that lies between two samples; false: there
 * are no more. */
static bool
next_pause(const struct reader *r, uint64_t before, uint64_t sample, uint64_t *n)
{
	const struct constant *c;

	while ((c = head_constant(r, HEAD_PAUSE_SAMPLE, AT(*n))) != NULL) {
		if (c->kind == CONSTANT_INT && c->u > before && c->u <= sample)
			return true;
		++*n;
	}
	return false;
}

bool
pauses_between(const struct reader *r, uint64_t before, uint64_t sample)
{
	uint64_t n = 0;

	return next_pause(r, before, sample, &n);
}

double
pauses_seconds(const struct reader *r, uint64_t before, uint64_t sample)
{
	double sum = 0;

	for (uint64_t n = 0; next_pause(r, before, sample, &n); n++) {
		double s = head_number(r, HEAD_RESUME_TIME, AT(n), 0) -
		    head_number(r, HEAD_PAUSE_TIME, AT(n), 0);

		sum += s > 0 ? s : 0;
	}
	return sum;
}

/* ---- frequencies --------------------------------------------------------- */

static bool
within(double a, double b, double part)
{
	return a > 0 && b > 0 && fabs(a / b - 1) <= part;
}

/* ---- the first samples --------------------------------------------------- */

/* The clocks of one sample. */
struct look {
	uint64_t sample, tsc;
	double wall;
};

/* Finds the columns of the clocks that were not found yet, as the dump may have them from a
 * later sample on. */
static void
find_clocks(struct intervals *iv, const struct reader *r)
{
	if (iv->col_tsc < 0)
		iv->col_tsc = read_find(r, "tsc");
	if (iv->col_sec < 0)
		iv->col_sec = read_find(r, "walltime[0]");
	if (iv->col_usec < 0)
		iv->col_usec = read_find(r, "walltime[1]");
}

/* Takes the clocks of a sample into x.  Returns 1, or 0 where the sample has not all of
 * them. */
static unsigned
take_look(struct intervals *iv, const struct reader *r,
    const struct read_row *row, struct look *x)
{
	find_clocks(iv, r);
	x->sample = row->sample;
	x->tsc = clock_cell(row->value, iv->col_tsc, row->ncol);
	return x->tsc != ABSENT && clock_wall(iv, row->value, row->ncol,
	    &x->wall);
}

/* Takes the clocks of the first samples into at[FIRST]; returns how many.  Where the
 * whole file is asked for, rows_ahead keeps these samples; else the file is opened once
 * more, in which columns have the same numbers. */
static unsigned
look_at_first(struct intervals *iv, struct look *at)
{
	struct reader *r;
	struct read_row row;
	struct diag why;
	unsigned n = 0;

	if (strcmp(read_path(iv->reader), "-") == 0)
		return 0;
	if (rows_ahead(iv, FIRST - 1)) {
		n += take_look(iv, iv->reader, &iv->row, &at[n]);
		for (unsigned i = 0; i < iv->nahead; i++) {
			const struct kept_row *k = &iv->ahead[i];

			row = (struct read_row){ .sample = k->sample,
			    .value = k->value, .ncol = k->ncol };
			n += take_look(iv, iv->reader, &row, &at[n]);
		}
		return n;
	}
	if (rows_open(iv, read_path(iv->reader), &r, &why) < 0) {
		read_close(r);
		return 0;
	}
	for (unsigned i = 0; i < FIRST && read_next(r, &row, &why) > 0; i++)
		n += take_look(iv, r, &row, &at[n]);
	read_close(r);
	return n;
}

/* Sorts v.  Returns the lower of two medians; 0 of none. */
static double
lower_median(double *v, unsigned n)
{
	if (n == 0)
		return 0;
	order_doubles(v, n);
	return v[(n - 1) / 2];
}

/* The TSC's frequency by the wall clock; 0 where a clock does not go forward. */
static double
hz_between(const struct look *a, const struct look *b)
{
	return b->tsc > a->tsc && b->wall > a->wall ?
	    (double)(b->tsc - a->tsc) / (b->wall - a->wall) : 0;
}

/* Fills intervals.pace from the first samples of the file, unless that was done. */
static const struct pace *
pace_learn(struct intervals *iv)
{
	struct pace *p = &iv->pace;
	struct look at[FIRST];
	double hz[FIRST], each[FIRST], seconds = 0, counts = 0, typical;
	unsigned n, npair = 0;

	if (p->learned)
		return p;
	p->learned = true;
	n = look_at_first(iv, at);
	for (unsigned i = 1; i < n; i++) {
		double v = hz_between(&at[i - 1], &at[i]);

		if (v > 0) {
			each[npair] = (at[i].wall - at[i - 1].wall) /
			    (double)(at[i].sample - at[i - 1].sample);
			hz[npair++] = v;
		}
	}
	p->of = n > 0 ? n - 1 : 0;
	typical = lower_median(hz, npair);
	for (unsigned i = 1; i < n; i++) {
		if (!within(hz_between(&at[i - 1], &at[i]), typical,
		    ALIKE))
			continue;
		counts += (double)(at[i].tsc - at[i - 1].tsc);
		seconds += at[i].wall - at[i - 1].wall;
		p->n++;
	}
	if (p->n >= ENOUGH && p->n * 2 > p->of) {
		p->tsc_hz = counts / seconds;
		p->usual = lower_median(each, npair);
	}
	return p;
}

/* ---- the TSC's frequency -------------------------------------------------- */

/* The TSC's frequency by the wall clock of the first intervals, Hz; sets the clock note where
 * the head says otherwise.  0: the head has a measured (said) and a nominal frequency that
 * agree on another one, so that the wall clock is wrong. */
static double
hz_of_first(struct intervals *iv, double said, double nominal)
{
	double measured = iv->pace.tsc_hz;
	bool off = nominal > 0 && !within(nominal, measured, NEAR);
	bool said_off = said > 0 && !within(said, measured, ALIKE);
	char name[HEAD_NAME_SIZE];

	if (off && within(said, nominal, NEAR))
		return 0;
	if (!off && !said_off)
		return measured;
	head_name(name, said_off ? HEAD_TSC_HZ : HEAD_TSC_RATIO, ALONE,
	    HEAD_WHOLE);
	snprintf(iv->clock_words, sizeof(iv->clock_words), "%.40s of the head "
	    "says %.4f GHz, %u of the first %u intervals %.4f GHz by the "
	    "wall clock: times are by what was measured", name,
	    (said_off ? said : nominal) / 1e9, iv->pace.n, iv->pace.of,
	    measured / 1e9);
	iv->clock_note = iv->clock_words;
	return measured;
}

/* The frequency by the wall clock from the dump's first sample to its last, Hz; 0: not known,
 * as on a pipe. */
static double
from_end_to_end(struct intervals *iv, uint64_t tsc, bool own)
{
	uint64_t last_tsc, last;
	double start, end;

	return clock_wall(iv, iv->row.value, iv->row.ncol, &start) &&
	    read_last_clock(iv->reader, own, &last, &last_tsc, &end) &&
	    last_tsc > tsc && end > start ?
	    (double)(last_tsc - tsc) / (end - start) : 0;
}

/* Do the head and the wall clock from end to end agree on the frequency? */
static bool
settled(double said, double nominal, double hz)
{
	return within(said, hz, ALIKE / 2) &&
	    (nominal <= 0 || within(said, nominal, NEAR));
}

const char *
tsc_words(const struct reader *r)
{
	const struct model *m = model_named(head_text(r, HEAD_MODEL, ALONE,
	    ""));

	return m != NULL && m->id == NULL ? "generic timer" : "TSC";
}

/* The note of how times were found.  format has the counter's name as %1$s. */
static void
note_clock(struct intervals *iv, const char *format)
{
	snprintf(iv->clock_words, sizeof(iv->clock_words), format,
	    tsc_words(iv->reader));
	iv->clock_note = iv->clock_words;
}

static void
settle_hz(struct intervals *iv, double said, double nominal, double hz)
{
	bool measured = said > 0 && (nominal <= 0 ||
	    within(said, nominal, NEAR));
	double beside = nominal > 0 ? nominal : said;
	bool plausible = hz > 0 && (beside <= 0 || within(hz, beside, NEAR));
	double first = 0;

	if (!settled(said, nominal, hz) && pace_learn(iv)->tsc_hz > 0)
		first = hz_of_first(iv, said, nominal);
	if (first > 0) {
		/* one that agrees, but was measured over a longer time, is better */
		iv->tsc_hz = within(said, first, ALIKE) ? said :
		    within(hz, first, ALIKE / 2) ? hz : first;
		return;
	}
	iv->tsc_hz = measured ? said : plausible ? hz : nominal;
	if (hz > 0 && !plausible)
		note_clock(iv, measured ? "the wall clock and the %1$s "
		    "disagree by more than 0.5 %%: times are by the %1$s, as "
		    "fast as tallyd measured it" : "the wall clock and the "
		    "%1$s disagree by more than 0.5 %%: times are by the "
		    "%1$s's nominal frequency");
	else if (hz <= 0 && !measured)
		note_clock(iv, nominal > 0 ? "times are by the %1$s's nominal "
		    "frequency" : "the %1$s's frequency is not known: times "
		    "are by the wall clock");
}

bool
tsc_ratio_holds(const struct reader *r, double tsc_hz)
{
	double ratio = head_number(r, HEAD_TSC_RATIO, ALONE, -1);
	bool other = head_number(r, HEAD_TSC_HZ_NOMINAL, ALONE, 0) > 0;

	if (head_constant(r, HEAD_TSC_RATIO, ALONE) == NULL)
		return true;
	return ratio > 0 && (!(tsc_hz > 0) || (other ?
	    tsc_hz / ratio > 79e6 && tsc_hz / ratio < 135e6 :
	    within(ratio * 1e8, tsc_hz, NEAR)));
}

void
clock_settle(struct intervals *iv)
{
	const struct reader *r = iv->reader;
	/* as tallyd measured it over the whole run */
	double said = head_number(r, HEAD_TSC_HZ, ALONE, 0);
	double nominal = head_number(r, HEAD_TSC_HZ_NOMINAL, ALONE,
	    head_number(r, HEAD_TSC_RATIO, ALONE, 0) * 1e8);
	double hz = 0;
	uint64_t tsc;

	iv->clocked = true;
	find_clocks(iv, r);
	if (iv->col_tsc < 0)
		pace_learn(iv);
	tsc = clock_cell(iv->row.value, iv->col_tsc, iv->row.ncol);
	if (tsc != ABSENT)
		hz = from_end_to_end(iv, tsc, false);
	/* With another frequency, the file may end with samples of another dump:
	 * take its own last sample. */
	if (tsc != ABSENT && !within(hz, nominal > 0 ? nominal : said, NEAR))
		hz = from_end_to_end(iv, tsc, true);
	if (iv->col_tsc >= 0)
		settle_hz(iv, said, nominal, hz);
	if (iv->col_tsc >= 0 && iv->clock_note == NULL &&
	    !tsc_ratio_holds(r, iv->tsc_hz))
		note_clock(iv, "the clocks contradict the ratio of the %1$s "
		    "that the head has");
	if (iv->col_tsc < 0)
		note_clock(iv, iv->col_sec >= 0 ?
		    "no %1$s: times are by the wall clock" :
		    "no clocks: intervals are taken to be as long as planned");
}

/* ---- how long an interval was -------------------------------------------- */

/* Do two clocks' lengths of one interval, in seconds, agree to 5 ms and half a percent? */
static bool
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
by_tsc(const struct intervals *iv)
{
	const struct read_row *row = &iv->row;
	uint64_t a = clock_cell(row->before, iv->col_tsc, row->ncol);
	uint64_t b = clock_cell(row->value, iv->col_tsc, row->ncol);

	return a == ABSENT || b == ABSENT || !(iv->tsc_hz > 0) ? (double)NAN :
	    (double)(int64_t)(b - a) / iv->tsc_hz;
}

/* The planned length of the interval, or else the usual one; 0: neither is known. */
static double
planned_seconds(const struct intervals *iv)
{
	double each = head_number(iv->reader, HEAD_INTERVAL, ALONE,
	    iv->pace.usual);

	return each * (double)iv->planned.multiple *
	    (double)(iv->row.sample - iv->row.before_sample);
}

/* Returns which of the TSC, the wall clock and the stamps (BY_...) agree that the interval
 * was `seconds` long.  A stamp may have been taken at any time while its row was read. */
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

/* Takes the time that two of the three clocks agree on; where they all differ, that which is
 * nearest to the planned length. */
static void
settle_dispute(struct intervals *iv)
{
	struct clock_verdict *v = &iv->verdict;
	double stamps = stamps_seconds(&iv->stamps, iv->row.before,
	    iv->row.value, iv->row.ncol, iv->tsc_hz);
	/* the TSC comes first, as nobody sets it: of two that are as good, the first
	 * wins */
	const double candidate[] = { v->tsc, stamps, v->wall };
	double plan, off = INFINITY;
	int most = 0;

	pace_learn(iv);
	planned_multiple(&iv->planned, iv->reader, iv->row.sample);
	plan = planned_seconds(iv);
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

	*v = (struct clock_verdict){ .tsc = by_tsc(iv),
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
