/*
 * postproc/data/judge.c - the deltas of one interval.
 *
 * This must keep up with the reader.  Of most columns it takes a few subtractions, whose
 * signs tell without a branch that the delta is good ("quickly").  Only where they do not,
 * columns are judged one by one; and where one of them was reset or has an impossible
 * value, all columns of the row together ("slowly"), as their neighbours say more.
 */
#include "postproc/data/intervals_int.h"

#include "lib/array.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- every value -------------------------------------------------------- */

static int
judge_grow(struct intervals *iv, unsigned ncol)
{
	unsigned had = iv->room, room = ncol + ncol / 4;
	bool slow = false;

	if (ncol > had) {
		if (!array_more(&iv->delta, had, room, sizeof *iv->delta) ||
		    !array_more(&iv->was_delta, had, room,
		    sizeof *iv->was_delta) ||
		    !array_more(&iv->ahead_delta, had, room,
		    sizeof *iv->ahead_delta) ||
		    !array_more(&iv->beyond, had, room, sizeof *iv->beyond) ||
		    !array_more(&iv->ahead_beyond, had, room,
		    sizeof *iv->ahead_beyond) ||
		    !array_more(&iv->quick, had, room, sizeof *iv->quick) ||
		    !array_more(&iv->top, had, room, sizeof *iv->top) ||
		    !array_more(&iv->asked, had, room, sizeof *iv->asked) ||
		    !array_more(&iv->plain, had, room, sizeof *iv->plain) ||
		    !array_more(&iv->kind, had, room, sizeof *iv->kind) ||
		    !array_more(&iv->stamp, had, room, sizeof *iv->stamp) ||
		    !array_more(&iv->spoilt, had, room, sizeof *iv->spoilt))
			return -ENOMEM;
		iv->room = room;
	}
	for (unsigned c = iv->ncol; c < ncol; c++)
		iv->stamp[c] = -2;
	iv->ncol = ncol;
	iv->quick_to = -1;
	iv->was_ahead = false;
	if (slow_load(&iv->slow, iv->reader, ncol) < 0)
		return -ENOMEM;
	if (doubts_grow(&iv->doubts, iv->reader, ncol) < 0)
		return -ENOMEM;
	/* reference cycles of a slow column: its time is not known well enough for
	 * the closer limit */
	for (unsigned i = 0; i < iv->slow.n; i++)
		slow |= read_column(iv->reader, iv->slow.slow[i].column)->cls ==
		    CLASS_REF;
	if (iv->doubts.stamped && !slow)
		limits_by_tsc(&iv->limits, iv->tsc_hz);
	return 0;
}

static void
set_limits(struct intervals *iv, const struct read_row *row, double seconds)
{
	double taken = stamps_taken(&iv->stamps, row);

	for (unsigned i = 0; i < CLASSES; i++)
		iv->most[i] = limit(&iv->limits, i, seconds);
	/* the block's stamp may be long past when the counter is read */
	if (taken > 0)
		iv->most[CLASS_REF] = limit(&iv->limits, CLASS_REF,
		    seconds + taken);
}

#define SIGN (UINT64_C(1) << 63)
#define ALWAYS UINT64_MAX       /* as a column's top: it is never judged quickly */

/* Sets the thresholds quick[] and top[] for intervals of 0.9 to 1.15 times `seconds`: what
 * a column can count in the shortest of these.  A counter that can wrap all around in the
 * longest of them is never judged quickly. */
static void
set_quick(struct intervals *iv, double seconds)
{
	iv->quick_from = seconds * 0.9;
	iv->quick_to = seconds * 1.15;
	iv->all_good = false;
	for (unsigned c = 0; c < iv->ncol; c++) {
		const struct column *col = read_column(iv->reader, c);
		uint64_t span = column_span(col), most = limit(&iv->limits,
		    col->cls, iv->quick_from);
		bool counts = class_is_counter(col->cls);

		iv->plain[c] = counts ? DELTA_GOOD : DELTA_NONE;
		iv->asked[c] = counts ? SIGN : 0;
		iv->quick[c] = most < SIGN ? most : SIGN - 1;
		iv->top[c] = span != 0 && span < SIGN ? span - 1 : SIGN - 1;
		if (span != 0 && col->cls != CLASS_RAW &&
		    limit(&iv->limits, col->cls, iv->quick_to) >= span)
			iv->top[c] = ALWAYS;
	}
	for (unsigned i = 0; i < iv->slow.n; i++)
		iv->asked[iv->slow.slow[i].column] = 0;
}

/* Did a counter that went back start again at 0, rather than wrap?  It did if it counted in
 * the interval before, has reached no more than twice that now, and would have had to count
 * over 32 times as much to wrap.  (If it counted nothing in the interval before, or that is
 * not known, it may just have begun to count: false.) */
static bool
started_again(const struct intervals *iv, unsigned c)
{
	uint64_t had = iv->was_delta[c];

	return had > 0 && iv->row.value[c] / 2 <= had &&
	    iv->delta[c] / 32 > had;
}

/* The columns of one family and event in this interval. */
struct group {
	unsigned n, reset;      /* columns with a delta; how many were reset */
	uint64_t least;         /* the lowest value that followed a reset */
};

/* Are these enough to believe that all columns of the family and event were reset?  A
 * quarter will do: where they are reset soon after another reset, only about half of
 * the counters go back. */
static bool
group_was_reset(const struct group *g)
{
	return g->reset >= 2 && g->reset * 4 >= g->n;
}

/* Does the value show that Linux perf started the counter, which it does at half of the
 * counter's width? */
static bool
at_half(const struct intervals *iv, unsigned c, uint64_t value)
{
	const struct column *col = read_column(iv->reader, c);
	uint64_t half = (uint64_t)col->mul << (col->bits - 1);

	return value >= half && value - half <= iv->most[col->cls];
}

/*
 * Marks further columns as reset.  Who takes a counter over does so on every lproc or
 * box at once, and starts all of them at the same value (Linux perf: at half of the
 * width).  Where that is above the old count, the counter did not go back, and only
 * its neighbours show that it was reset.  Returns how many it marked.
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
	if ((group = calloc(ngroup, sizeof(*group))) == NULL) {
		iv->no_memory = true;
		return 0;
	}
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
		const struct column *col = read_column(iv->reader, c);
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

/* Judges all columns of a row, one after the other and then by their neighbours; returns
 * how many deltas are left out. */
static unsigned
judge_slowly(struct intervals *iv, const struct read_row *row, double seconds)
{
	unsigned left_out = 0;
	bool reset = false;

	for (unsigned c = 0; c < row->ncol; c++) {
		const struct column *col = read_column(iv->reader, c);
		enum delta_kind kind = delta_between(col, row->before[c],
		    row->value[c], iv->most[col->cls], &iv->delta[c]);

		if (kind == DELTA_WRAPPED && started_again(iv, c)) {
			kind = DELTA_RESET;
			iv->delta[c] = 0;
		}
		iv->kind[c] = (uint8_t)kind;
		left_out += kind > DELTA_NONE;
		reset |= kind == DELTA_RESET || kind == DELTA_IMPOSSIBLE;
	}
	iv->all_good = false;
	if (reset)
		left_out += spread_resets(iv, row);
	return left_out + odd_values(iv, row, seconds);
}

/* Judges one column by itself; false: the whole row has to be judged slowly. */
static bool
judge_column(struct intervals *iv, const struct read_row *row, unsigned c,
    double behind_s, unsigned *left_out)
{
	const struct column *col = read_column(iv->reader, c);
	enum delta_kind kind = delta_between(col, row->before[c],
	    row->value[c], iv->most[col->cls], &iv->delta[c]);

	if (kind == DELTA_RESET || kind == DELTA_IMPOSSIBLE ||
	    (kind == DELTA_WRAPPED && started_again(iv, c)) ||
	    (kind <= DELTA_WRAPPED && odd_behind(iv, c, behind_s)))
		return false;
	if (kind != iv->plain[c]) {
		iv->kind[c] = (uint8_t)kind;
		iv->all_good = false;
	}
	*left_out += kind > DELTA_NONE;
	return true;
}

#define AT_ONCE 16

/*
 * Computes the deltas of `blocks` blocks of AT_ONCE columns each, into out[], and sets
 * beyond[block] where a delta or a value of the block is beyond its threshold.  Returns
 * whether that is so of any block.  Thresholds are below 2^63, so that bit 63 tells: it is
 * set in the threshold less a number that is beyond it, or in the number itself, as in
 * ABSENT.
 */
WIDE_TOO static bool
judge_subtract(const struct intervals *iv, const uint64_t *from,
    const uint64_t *to, unsigned blocks, uint64_t *out, bool *beyond)
{
	const some_columns *quick = (some_columns *)iv->quick;
	const some_columns *top = (some_columns *)iv->top;
	const some_columns *asked = (some_columns *)iv->asked;
	const some_columns *a = (const some_columns *)from;
	const some_columns *b = (const some_columns *)to;
	some_columns *delta = (some_columns *)out;
	uint64_t all = 0;
	size_t k = 0;

	for (unsigned block = 0; block < blocks; block++) {
		some_columns odd = { 0 };
		uint64_t any = 0;

#pragma GCC unroll 8
		for (unsigned i = 0; i < AT_ONCE / SOME_COLUMNS; i++, k++) {
			some_columns d = b[k] - a[k];

			odd |= (d | (quick[k] - d) | a[k] | b[k] |
			    (top[k] - b[k])) & asked[k];
			delta[k] = d;
		}
		for (unsigned i = 0; i < SOME_COLUMNS; i++)
			any |= odd[i];
		beyond[block] = any != 0;
		all |= any;
	}
	return all != 0;
}

/* Computes the deltas of this interval, unless they are known; and, if `ahead`, those of the
 * next one, up to the sample behind.  Returns whether any delta or value is beyond its
 * threshold. */
static bool
judge_blocks(struct intervals *iv, const struct read_row *row, bool known,
    bool ahead)
{
	unsigned blocks = row->ncol / AT_ONCE;
	bool some = known ? iv->some_ahead : judge_subtract(iv, row->before,
	    row->value, blocks, iv->delta, iv->beyond);

	iv->some_ahead = ahead && judge_subtract(iv, row->value,
	    iv->next.value, blocks, iv->ahead_delta, iv->ahead_beyond);
	return some || iv->some_ahead;
}

/* Judges a row by thresholds.  Returns how many deltas are left out; -1: the whole row has
 * to be judged slowly.  known: delta[] and beyond[] were computed while the interval before
 * was judged, whose sample behind this row was. */
static int
judge_quickly(struct intervals *iv, const struct read_row *row, double seconds,
    bool known)
{
	bool ahead = iv->has_next && iv->next.ncol >= row->ncol;
	unsigned left_out = 0, n, c = judge_blocks(iv, row, known, ahead) ? 0 :
	    row->ncol - row->ncol % AT_ONCE;
	double behind_s = -1;

	for (; c < row->ncol; c += n) {
		n = row->ncol - c < AT_ONCE ? row->ncol - c : AT_ONCE;
		if (n < AT_ONCE)
			for (unsigned i = c; i < c + n; i++)
				iv->delta[i] = row->value[i] - row->before[i];
		else if (!iv->beyond[c / AT_ONCE] && !(ahead &&
		    iv->ahead_beyond[c / AT_ONCE]))
			continue;
		if (behind_s < 0)
			behind_s = odd_seconds(iv, seconds);
		for (unsigned i = c; i < c + n; i++)
			if (iv->asked[i] != 0 && !judge_column(iv, row, i,
			    behind_s, &left_out))
				return -1;
	}
	iv->has_ahead = ahead;
	return (int)left_out;
}

static unsigned
judge_row(struct intervals *iv, const struct read_row *row, double seconds,
    bool known)
{
	int left_out = -1;

	set_limits(iv, row, seconds);
	if (seconds < iv->quick_from || seconds > iv->quick_to) {
		set_quick(iv, seconds);
		known = false;
	}
	if (!iv->all_good)
		memcpy(iv->kind, iv->plain, row->ncol);
	iv->all_good = true;
	if (iv->nspoilt == 0)
		left_out = judge_quickly(iv, row, seconds, known);
	return left_out >= 0 ? (unsigned)left_out :
	    judge_slowly(iv, row, seconds);
}

/* Judges the slow columns, too.  left_out: how many deltas were left out before that; returns
 * how many are now. */
static unsigned
judge_slow_ones(struct intervals *iv, const struct read_row *row,
    double seconds, unsigned left_out)
{
	struct slow_deltas d = { iv->delta, iv->kind, 0 };
	int more = slow_judge(&iv->slow, iv->reader, row, &iv->limits, seconds,
	    &d);

	iv->not_due = d.not_due;
	iv->all_good = iv->all_good && iv->slow.n == 0;
	return (unsigned)((int)left_out + more);
}

/* Marks column c as DELTA_TAMPERED if that tampering makes it doubtful.  Returns whether
 * one more delta is left out by that, as it was good so far. */
static bool
judge_tampered(struct intervals *iv, const struct tamper *t, unsigned c)
{
	bool good = iv->kind[c] < DELTA_NONE;

	if (iv->kind[c] == DELTA_NONE || iv->kind[c] == DELTA_TAMPERED ||
	    !tamper_of(t, &read_column(iv->reader, c)->id))
		return false;
	iv->kind[c] = DELTA_TAMPERED;
	iv->delta[c] = 0;
	iv->all_good = false;
	return good;
}

/* Leaves out the columns whose control register the daemon found changed in this interval,
 * or, for a slow column, since it was read last.  Returns how many more deltas that leaves
 * out. */
static unsigned
leave_out_tampered(struct intervals *iv, const struct read_row *row)
{
	const struct slow_columns *slow = &iv->slow;
	unsigned more = 0;

	for (unsigned i = 0; i < iv->tampers.n; i++) {
		const struct tamper *t = &iv->tampers.tamper[i];

		for (unsigned c = 0; c < row->ncol && tamper_in(t,
		    row->before_sample, row->sample); c++)
			more += judge_tampered(iv, t, c);
		for (unsigned k = 0; k < slow->n &&
		    slow->slow[k].column < row->ncol; k++)
			if (tamper_in(t, slow->slow[k].from, row->sample))
				more += judge_tampered(iv, t,
				    slow->slow[k].column);
	}
	return more;
}

/* Leaves out counters that doubts_judge does not believe; returns how many more that are. */
static unsigned
leave_out_doubtful(struct intervals *iv, const struct read_row *row,
    double seconds, unsigned left_out)
{
	unsigned more = doubts_judge(&iv->doubts, &(struct doubted){
	    .reader = iv->reader, .row = row, .tampers = &iv->tampers,
	    .limits = &iv->limits, .slow = &iv->slow,
	    .seconds = seconds, .tsc_hz = iv->tsc_hz,
	    .delta = iv->delta, .spoilt = iv->nspoilt > 0 ? iv->spoilt : NULL,
	    .kind = iv->kind, .left_out = left_out });

	iv->all_good = iv->all_good && more == 0;
	return more;
}

/* Leaves out the column of one clock, which other clocks contradict.  Returns 1 if it was
 * not left out before, else 0. */
static unsigned
leave_out_clock(struct intervals *iv, int column)
{
	unsigned more;

	if (column < 0 || (unsigned)column >= iv->ncol ||
	    iv->kind[column] == DELTA_NONE)
		return 0;
	more = iv->kind[column] < DELTA_NONE;
	iv->kind[column] = DELTA_CLOCK;
	iv->delta[column] = 0;
	iv->all_good = false;
	return more;
}

static unsigned
leave_out_clocks(struct intervals *iv)
{
	const struct stamps *s = &iv->stamps;
	unsigned more = 0;

	if (iv->verdict.odd & BY_TSC)
		more += leave_out_clock(iv, iv->col_tsc);
	for (unsigned i = 0; s->nbad + s->nwas_bad + s->nastray > 0 &&
	    i < s->n; i++)
		if (stamps_doubtful(s, i))
			more += leave_out_clock(iv, (int)s->column[i]);
	return more;
}

/* Leaves out all counters of an interval in which tallyd paused, even those that went on
 * counting, as all parts of a figure have to be of the same time.  Returns how many. */
static unsigned
leave_out_all(struct intervals *iv, const struct read_row *row)
{
	unsigned left_out = 0;

	for (unsigned c = 0; c < row->ncol; c++) {
		bool counts = class_is_counter(read_column(iv->reader, c)->cls);

		iv->kind[c] = counts ? DELTA_PAUSED : DELTA_NONE;
		iv->delta[c] = 0;
		left_out += counts;
	}
	iv->all_good = false;
	return left_out;
}

int
judge(struct intervals *iv, const struct read_row *row, double seconds)
{
	bool next = iv->has_next, known;
	unsigned left_out;
	uint64_t *had;

	/* a restart of the daemon has emptied iv->doubts, which are found again here */
	if ((row->ncol != iv->ncol || row->ncol != iv->doubts.ncol) &&
	    judge_grow(iv, row->ncol) < 0)
		return -ENOMEM;
	known = iv->was_ahead;
	iv->was_ahead = iv->has_ahead = false;
	had = iv->was_delta;
	iv->was_delta = iv->delta;
	iv->delta = known ? iv->ahead_delta : had;
	iv->ahead_delta = known ? had : iv->ahead_delta;
	if (known) {
		bool *beyond = iv->beyond;

		iv->beyond = iv->ahead_beyond;
		iv->ahead_beyond = beyond;
	}
	iv->longest = fmax(seconds, stamps_longest(&iv->stamps, row->before,
	    row->value, iv->tsc_hz));
	if (row->before != NULL && pauses_between(iv->reader,
	    row->before_sample, row->sample)) {
		iv->not_due = 0;
		slow_pause(&iv->slow, row);
		return (int)leave_out_all(iv, row);
	}
	/* the sample behind is of no help if there was a pause or a restart before it */
	iv->has_next = next && !iv->next.fresh && !pauses_between(iv->reader,
	    row->sample, iv->next.sample);
	left_out = judge_row(iv, row, iv->longest, known);
	left_out = judge_slow_ones(iv, row, iv->longest, left_out);
	left_out += leave_out_doubtful(iv, row, seconds, left_out);
	left_out += leave_out_tampered(iv, row);
	left_out += leave_out_clocks(iv);
	iv->has_next = next;
	return iv->no_memory ? -ENOMEM : (int)left_out;
}
