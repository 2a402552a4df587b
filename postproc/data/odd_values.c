/*
 * postproc/data/odd_values.c - single values that are no count.
 *
 * A value is odd if it fits neither the sample before nor the one behind, while these two
 * fit each other: a bit was flipped, or the register was read while it was written.
 *
 * A counter that was restarted may happen to reach, in the sample behind, a value that
 * fits the one before.  Two things tell that from an odd value: what the same counter of
 * other lprocs or boxes did, and how much it would have to have counted since the restart.
 */
#include "postproc/data/intervals_int.h"

#include <stdlib.h>

/*
 * Bits of intervals.spoilt, by column.  The last two are only used while a row is judged.
 *
 * NOW_IS        the present value is odd
 * BEFORE_WAS    the one before it was
 * MAY_BE        the value before and the one behind fit each other, so that the present
 *               one may be odd
 * WILL_GO_BACK  the present value fits the one before it, but the one behind goes back
 *               from it, or further than the column can count
 */
enum { NOW_IS = 1, BEFORE_WAS = 2, MAY_BE = 4, WILL_GO_BACK = 8 };

#define SOME 3                  /* so many columns do not look odd by chance */

/* How many columns of one family and event look odd. */
struct neighbours {
	/* wrong: those that went back, or further than they can count; go_on: those of
	 * them that MAY_BE is set of.  [0] of those that did so in this interval, [1] of
	 * those that do so in the next one. */
	unsigned wrong[2], go_on[2];
	unsigned n, odd;        /* columns with a delta, and those found odd */
};

double
odd_seconds(const struct intervals *iv, double seconds)
{
	uint64_t a = clock_cell(iv->now.value, iv->col_tsc, iv->now.ncol);
	uint64_t b = clock_cell(iv->next.value, iv->col_tsc, iv->next.ncol);
	uint64_t took = clock_cell(iv->next.value, iv->stamps.duration,
	    iv->next.ncol);
	double s = a == ABSENT || b == ABSENT || b <= a || !(iv->tsc_hz > 0) ?
	    0 : (double)(b - a) / iv->tsc_hz;
	double late = took == ABSENT ? 0 : (double)took / 1e9;

	return s > 0 && s < 100 * seconds ? s + (late < s ? late : 0) :
	    seconds;
}

/* What a counter has counted if it was restarted at 0, or, as Linux perf does it, at half
 * of its width. */
static uint64_t
since_restart(const struct column *col, uint64_t value)
{
	uint64_t half = col->bits > 0 ? (uint64_t)(col->mul > 1 ? col->mul :
	    1) << (col->bits - 1) : 0;

	return half > 0 && value >= half ? value - half : value;
}

static bool
about(uint64_t a, uint64_t b)
{
	return a / 2 <= b && b / 2 <= a;
}

/* May the column have been restarted, rather than have one odd value?  Then it has to have
 * reached the wrong value (the present one; later: the one behind) from its restart within
 * `seconds`; and what it counted since has to be more like the delta of the interval before
 * than what it counted if it was not restarted. */
static bool
may_have_restarted(const struct intervals *iv, unsigned c, bool later,
    double seconds)
{
	const struct column *col = read_column(iv->reader, c);
	uint64_t behind = iv->next.value[c];
	uint64_t at = later ? behind : iv->row.value[c];
	uint64_t since = since_restart(col, behind), had = iv->was_delta[c];

	return since_restart(col, at) <= limit(&iv->limits, col->cls, seconds) &&
	    (about(since, had) ||
	    !about((behind - iv->row.before[c]) / 2, had));
}

bool
odd_behind(const struct intervals *iv, unsigned c, double behind_s)
{
	const struct column *col = read_column(iv->reader, c);
	uint64_t behind = iv->has_next && c < iv->next.ncol ?
	    iv->next.value[c] : ABSENT, none;
	enum delta_kind kind;

	if (behind == ABSENT ||
	    behind - iv->row.value[c] <= iv->most[col->cls])
		return false;
	kind = delta_between(col, iv->row.value[c], behind, limit(&iv->limits,
	    col->cls, behind_s), &none);
	return kind == DELTA_RESET || kind == DELTA_IMPOSSIBLE;
}

/* Notes in spoilt whether a column may be odd, and counts it among its neighbours.
 * behind_s: as odd_seconds returns it. */
static void
odd_value_look(struct intervals *iv, unsigned c, double seconds,
    double behind_s, struct neighbours *g)
{
	const struct column *col = read_column(iv->reader, c);
	uint64_t behind = c < iv->next.ncol ? iv->next.value[c] : ABSENT, none;
	uint8_t kind = iv->kind[c];
	bool later = kind <= DELTA_WRAPPED;

	if (behind == ABSENT || (!later && kind != DELTA_RESET &&
	    kind != DELTA_IMPOSSIBLE))
		return;
	if (later && !odd_behind(iv, c, behind_s))
		return;
	g->wrong[later]++;
	iv->spoilt[c] |= later ? WILL_GO_BACK : 0;
	if (delta_between(col, iv->row.before[c], behind, limit(&iv->limits,
	    col->cls, seconds + behind_s), &none) != DELTA_GOOD)
		return;
	g->go_on[later]++;
	iv->spoilt[c] |= MAY_BE;
}

static bool
odd_value_is_odd(const struct intervals *iv, unsigned c, double seconds,
    const struct neighbours *g)
{
	bool later = iv->spoilt[c] & WILL_GO_BACK;

	return (iv->spoilt[c] & MAY_BE) && g->go_on[later] * 2 >
	    g->wrong[later] && (g->wrong[later] >= SOME ||
	    !may_have_restarted(iv, c, later, seconds));
}

/* Decides by their neighbours which columns that may be odd are odd: sets NOW_IS, and clears
 * the bits that led to it. */
static void
find_odd(struct intervals *iv, struct neighbours *neighbours, double seconds)
{
	for (unsigned c = 0; c < iv->row.ncol; c++) {
		struct neighbours *g =
		    &neighbours[read_column(iv->reader, c)->kind];
		bool odd = odd_value_is_odd(iv, c, seconds, g);

		iv->spoilt[c] = (uint8_t)((iv->spoilt[c] & BEFORE_WAS) |
		    (odd ? NOW_IS : 0));
		g->n += iv->kind[c] != DELTA_NONE && iv->kind[c] !=
		    DELTA_ABSENT;
		g->odd += odd;
	}
}

/* Are most columns of a family and event odd?  Then the whole row is of another time, and
 * the columns that counted too little to show it are odd, too. */
static bool
all_are_odd(const struct neighbours *g)
{
	return g->odd >= SOME && g->odd * 2 > g->n;
}

/* Marks the odd columns as DELTA_ODD; returns how many deltas that leaves out which were
 * good before. */
static unsigned
odd_value_settle(struct intervals *iv, const struct neighbours *g)
{
	unsigned more = 0;

	for (unsigned c = 0; c < iv->row.ncol; c++) {
		if (iv->kind[c] <= DELTA_WRAPPED && all_are_odd(
		    &g[read_column(iv->reader, c)->kind]))
			iv->spoilt[c] |= NOW_IS;
		if (iv->spoilt[c] == 0)
			continue;
		iv->nspoilt++;
		if (iv->kind[c] > DELTA_WRAPPED)
			continue;
		iv->kind[c] = DELTA_ODD;
		iv->delta[c] = 0;
		more++;
	}
	return more;
}

unsigned
odd_values(struct intervals *iv, const struct read_row *row, double seconds)
{
	double behind_s = odd_seconds(iv, seconds);
	struct neighbours *g;
	unsigned ngroup = 0, more;

	for (unsigned c = 0; c < row->ncol; c++) {
		uint32_t k = read_column(iv->reader, c)->kind;

		ngroup = k >= ngroup ? k + 1 : ngroup;
		iv->spoilt[c] = iv->spoilt[c] & NOW_IS ? BEFORE_WAS : 0;
	}
	iv->nspoilt = 0;
	if ((g = calloc(ngroup, sizeof(*g))) == NULL)
		return 0;
	for (unsigned c = 0; iv->has_next && c < row->ncol; c++)
		odd_value_look(iv, c, seconds, behind_s,
		    &g[read_column(iv->reader, c)->kind]);
	find_odd(iv, g, behind_s);
	more = odd_value_settle(iv, g);
	free(g);
	return more;
}
