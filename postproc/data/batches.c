/*
 * postproc/data/batches.c - sums of batches of units, and the error that follows.
 */
#include "postproc/data/batches.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/dump/column.h"
#include "lib/array.h"

#define UNRELATED 0.5           /* what batches_missed is of unrelated values */
#define OF_LATE 8               /* changes that batch_steps.square is a mean of */

static int
grow_columns(struct batches *b, unsigned n)
{
	unsigned room = n + n / 4 + 64;

	if (n <= b->room)
		return 0;
	if (!array_more(&b->place, b->room, room, sizeof *b->place))
		return -ENOMEM;
	b->room = room;
	return 0;
}

static bool
more_sums(double *sum[BATCHES], size_t had, size_t room)
{
	for (unsigned k = 0; k < BATCHES; k++)
		if (!array_more(&sum[k], had, room, sizeof **sum))
			return false;
	return true;
}

/* Keeps the sums of a column by batch from now on. */
static int
batches_take_column(struct batches *b, int32_t c, unsigned ncol,
    const uint64_t *total)
{
	unsigned had = b->n_room, room = had + ncol;

	if (c < 0 || (unsigned)c >= ncol || b->place[c] > 0)
		return 0;
	if (b->n == had) {
		if (!array_more(&b->column, had, room,
		    sizeof *b->column) ||
		    !array_more(&b->had, had, room, sizeof *b->had) ||
		    !more_sums(b->sum, had, room))
			return -ENOMEM;
		b->n_room = room;
	}
	b->column[b->n] = (uint32_t)c;
	b->had[b->n] = total[c];
	b->place[c] = ++b->n;
	return 0;
}

static int
take_always(struct batches *b, const struct together *t, unsigned slot)
{
	unsigned had = b->always_room, room = had * 2 + 64;

	if (b->nalways == had) {
		if (!array_more(&b->always, had, room,
		    sizeof *b->always) ||
		    !array_more(&b->time_had, (size_t)had * b->nset,
		    (size_t)room * b->nset, sizeof *b->time_had) ||
		    !array_more(&b->rate, (size_t)had * b->nset,
		    (size_t)room * b->nset, sizeof *b->rate))
			return -ENOMEM;
		b->always_room = room;
	}
	for (unsigned k = 0; k < b->nset; k++) {
		size_t at = (size_t)b->nalways * b->nset + k;

		b->time_had[at] = t->ran[k] -
		    t->lost[(size_t)slot * b->nset + k];
		b->rate[at] = NAN;
	}
	b->always[b->nalways++] = slot;
	return 0;
}

/* Takes in the slots of together that are new. */
static int
take_slots(struct batches *b, const struct together *t, const struct reader *r)
{
	unsigned had = b->nin, n = t->n * t->nset;
	int rc = 0;

	if (b->nset == 0 && t->nset > 0) {
		b->nset = t->nset;
		if (!array_more(&b->ran_had, 0, b->nset,
		    sizeof *b->ran_had) ||
		    !more_sums(b->ran_sum, 0, b->nset))
			return -ENOMEM;
	}
	if (n == had)
		return 0;
	if (!array_more(&b->in_had, had, n, sizeof *b->in_had) ||
	    !more_sums(b->in_sum, had, n))
		return -ENOMEM;
	b->nin = n;
	for (unsigned i = had; i < n; i++)
		b->in_had[i] = t->sum[i];
	for (unsigned slot = had / t->nset; rc == 0 && slot < t->n; slot++) {
		const struct column *c = read_column(r, t->column[slot]);

		/* cycles and instructions show what turns miss; a stamp, whose
		 * rate is always the same, does not */
		if (column_set_family(&c->id, c->cls) != NULL &&
		    c->cls != CLASS_TSC)
			rc = take_always(b, t, slot);
	}
	return rc;
}

int
batches_load(struct batches *b, const struct turns *turns,
    const struct together *t, const struct reader *r, unsigned n,
    const uint64_t *total)
{
	int rc;

	if (!turns->any || n <= b->ncol)
		return 0;
	if ((rc = grow_columns(b, n)) < 0)
		return rc;
	for (unsigned c = b->ncol; c < n; c++) {
		const struct turn_times *x = &turns->times[c];

		if (turns->kind[c] == TURN_NONE)
			continue;
		if ((rc = batches_take_column(b, (int32_t)c, n, total)) < 0 ||
		    (rc = batches_take_column(b, x->running, n, total)) < 0 ||
		    (rc = batches_take_column(b, x->scaled, n, total)) < 0)
			return rc;
	}
	b->ncol = n;
	return take_slots(b, t, r);
}

void
batches_fini(struct batches *b)
{
	free(b->place);
	free(b->column);
	free(b->had);
	free(b->in_had);
	free(b->ran_had);
	for (unsigned k = 0; k < BATCHES; k++) {
		free(b->sum[k]);
		free(b->in_sum[k]);
		free(b->ran_sum[k]);
	}
	free(b->always);
	free(b->time_had);
	free(b->rate);
	*b = (struct batches){ 0 };
}

/* Sets n sums to 0.  memset() must not be called with NULL, which sum is where n is 0. */
static void
batches_zero(double *sum, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sum[i] = 0;
}

void
batches_afresh(struct batches *b)
{
	for (unsigned k = 0; k < BATCHES && k < b->unit; k++) {
		batches_zero(b->sum[k], b->n);
		batches_zero(b->in_sum[k], b->nin);
		batches_zero(b->ran_sum[k], b->nset);
	}
	memset(b->units, 0, sizeof b->units);
	b->unit = b->intervals = 0;
	for (unsigned i = 0; i < b->n; i++)
		b->had[i] = 0;
	for (unsigned i = 0; i < b->nin; i++)
		b->in_had[i] = 0;
	for (unsigned k = 0; k < b->nset; k++)
		b->ran_had[k] = 0;
	for (size_t i = 0; i < (size_t)b->nalways * b->nset; i++)
		b->time_had[i] = 0;
}

/* ---- what turns got wrong ------------------------------------------------ */

/* How fast the counter always[i] counted in the unit that ends, in counts a tick: rate[nset]
 * in the turns of each set (NaN: not known).  Returns the rate in all of the unit. */
static double
rates_of(struct batches *b, const struct together *t, unsigned i, double *rate)
{
	const unsigned slot = b->always[i];
	bool guesses = together_guesses(t, t->column[slot]);
	double all = 0, time = 0;

	for (unsigned k = 0; k < b->nset; k++) {
		size_t at = (size_t)slot * b->nset + k;
		double *had = &b->time_had[(size_t)i * b->nset + k];
		double of = t->ran[k] - t->lost[at] - *had;
		double count = t->sum[at] - b->in_had[at];

		*had += of;
		rate[k] = of > 0 && !guesses ? count / of : (double)NAN;
		all += count;
		time += of;
	}
	return all / time;
}

static void
compare_rates(struct batches *b, const struct together *t)
{
	b->off_now = b->whole_now = 0;
	for (unsigned i = 0; i < b->nalways; i++) {
		double *last = b->rate + (size_t)i * b->nset, now[b->nset];
		double all = rates_of(b, t, i, now);

		for (unsigned k = 0; k < b->nset; k++) {
			double missed = now[k] - all, moved = now[k] - last[k];

			if (isfinite(missed)) {
				b->off_now += missed * missed;
				b->whole_now += all * all;
			}
			if (isfinite(missed) && isfinite(moved)) {
				b->missed += missed * missed;
				b->moved += moved * moved;
			}
			last[k] = now[k];
		}
	}
	b->off += b->off_now;
	b->whole += b->whole_now;
}

/* ---- sums ---------------------------------------------------------------- */

static void
end_unit(struct batches *b, const struct together *t, const uint64_t *total)
{
	unsigned batch = b->unit % BATCHES;

	compare_rates(b, t);
	for (unsigned i = 0; i < b->n; i++) {
		uint64_t now = total[b->column[i]];

		/* neither total has the deltas that are left out */
		b->sum[batch][i] +=
		    (double)(int64_t)(now - b->had[i]);
		b->had[i] = now;
	}
	for (unsigned i = 0; i < b->nin; i++) {
		b->in_sum[batch][i] += t->sum[i] - b->in_had[i];
		b->in_had[i] = t->sum[i];
	}
	for (unsigned k = 0; k < b->nset; k++) {
		b->ran_sum[batch][k] += t->ran[k] - b->ran_had[k];
		b->ran_had[k] = t->ran[k];
	}
	b->units[batch]++;
	b->unit++;
	b->intervals = 0;
}

void
batches_add(struct batches *b, const struct turns *turns,
    const struct together *t, const uint64_t *total)
{
	if (b->n > 0 && ++b->intervals >= turns_round(turns))
		end_unit(b, t, total);
}

/* ---- results of the batches ---------------------------------------------- */

unsigned
batches_count(const struct batches *b)
{
	return b->unit < BATCHES_LEAST ? 0 : b->unit < BATCHES ? b->unit :
	    BATCHES;
}

double
batches_sum(const struct batches *b, unsigned c, unsigned batch)
{
	return c < b->ncol && b->place[c] > 0 ?
	    b->sum[batch][b->place[c] - 1] : 0;
}

double
batches_in_set(const struct batches *b, size_t at, unsigned batch)
{
	return b->in_sum[batch][at];
}

double
batches_ran(const struct batches *b, unsigned set, unsigned batch)
{
	return b->ran_sum[batch][set];
}

double
batches_part(const struct batches *b, unsigned batch)
{
	return (double)b->units[batch] / b->unit;
}

/* The mean square of the error that turns make in a unit, divided by the mean square of the
 * difference of two successive units.  At most 1/2, which it is for unrelated values; 1/2,
 * too, where nothing is known. */
static double
batches_missed(const struct batches *b)
{
	return b->moved > 0 ? fmin(b->missed / b->moved, UNRELATED) : UNRELATED;
}

double
batches_off(const struct batches *b)
{
	return b->whole > 0 ? sqrt(b->off / b->whole) : (double)NAN;
}

double
batches_chance(double counts, double share)
{
	return share < 1 ? sqrt((counts + COUNTS_MORE) * (1 - share)) / share :
	    0;
}

double
batches_add_chance(const struct batches *b, double error, double chance)
{
	double more = chance * chance;

	/* Units differ by chance, too: their difference has twice the square of
	 * chance in it, of which `error` took the part batches_missed. */
	return isnan(error) ? error : sqrt(fmax(more, error * error + more *
	    (1 - 2 * batches_missed(b))));
}

double
batches_error(const struct batches *b, double estimate, const double *less)
{
	unsigned n = batches_count(b);
	double square = 0;

	if (n == 0)
		return NAN;
	for (unsigned i = 0; i < n; i++) {
		unsigned next = i + 1 < n ? i + 1 : 0;
		/* pseudo-values: the estimate by each of two batches alone */
		double one = estimate + (1 / batches_part(b, i) - 1) *
		    (estimate - less[i]);
		double other = estimate + (1 / batches_part(b, next) - 1) *
		    (estimate - less[next]);

		square += (one - other) * (one - other) /
		    (1.0 / b->units[i] + 1.0 / b->units[next]);
	}
	/* square / n: half of the mean square of the difference of two units */
	return sqrt(2 * batches_missed(b) * square / n / b->unit);
}

double
batch_step(struct batch_steps *s, const struct batches *b, double value)
{
	double step = value - s->last;
	unsigned steps = s->n < OF_LATE ? s->n : OF_LATE;

	if (isnan(value))
		return NAN;
	if (steps > 0)
		s->square += (step * step - s->square) / steps;
	s->last = value;
	s->n++;
	return s->n < STEPS_LEAST ? (double)NAN :
	    sqrt(batches_missed(b) * s->square);
}
