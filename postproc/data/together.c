/*
 * postproc/data/together.c - what the columns that always count counted while each event
 * set had the counters.
 */
#include "postproc/data/together.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"

/* ---- which columns ------------------------------------------------------- */

static int
make_sets(struct together *t, unsigned n)
{
	if (!array_more(&t->part, 0, n, sizeof *t->part) ||
	    !array_more(&t->now, 0, n, sizeof *t->now) ||
	    !array_more(&t->ran, 0, n, sizeof *t->ran) ||
	    !array_more(&t->mixed, 0, n, sizeof *t->mixed) ||
	    !array_more(&t->running, 0, n, sizeof *t->running) ||
	    !array_more(&t->enabled, 0, n, sizeof *t->enabled) ||
	    !array_more(&t->known, 0, n, sizeof *t->known))
		return -ENOMEM;
	t->nset = n;
	return 0;
}

static int
together_grow_columns(struct together *t, unsigned n)
{
	unsigned room = n + n / 4 + 64, had = t->col_room;

	if (n <= had)
		return 0;
	if (!array_more(&t->slot, had, room, sizeof *t->slot) ||
	    !array_more(&t->is_part, had, room, sizeof *t->is_part))
		return -ENOMEM;
	t->col_room = room;
	return 0;
}

static int
grow_slots(struct together *t)
{
	unsigned room = t->room * 2 + 64, had = t->room;

	if (t->n < had)
		return 0;
	if (!array_more(&t->column, had, room, sizeof *t->column) ||
	    !array_more(&t->counter, had, room, sizeof *t->counter) ||
	    !array_more(&t->by_parts, had, room, sizeof *t->by_parts) ||
	    !array_more(&t->alone, had, room, sizeof *t->alone) ||
	    !array_more(&t->sum, had * t->nset, room * t->nset,
	    sizeof *t->sum) ||
	    !array_more(&t->by_part, had * t->nset, room * t->nset,
	    sizeof *t->by_part) ||
	    !array_more(&t->lost, had * t->nset, room * t->nset,
	    sizeof *t->lost) ||
	    !array_more(&t->left_out, had * t->nset, room * t->nset,
	    sizeof *t->left_out))
		return -ENOMEM;
	t->room = room;
	return 0;
}

static double
running_of(const struct turns *turns, unsigned set, const uint64_t *total,
    unsigned ncol)
{
	int32_t at = turns->set[set].times.running;

	return at >= 0 && (unsigned)at < ncol ? (double)total[at] : 0;
}

/* Does a column count all unhalted cycles of an lproc?  0: it does not; else a number, which
 * is lower for a better counter of them. */
static unsigned
counts_cycles(const struct column_id *id)
{
	static const struct {
		const char *family, *event;
	} by[] = {
		{ "core_fixed_counts", "CPU_CLK_UNHALTED.THREAD" },
		{ "aperf", "" },
		{ "core_counts", "cycles_unhalted" },
		{ "core_counts", "cpu_cycles" },
		{ "core_counts", "cycles" },
	};

	if (id->nindex != 1 || id->lprocs != NULL || id->odd != NULL)
		return 0;
	for (unsigned i = 0; i < sizeof by / sizeof *by; i++)
		if (strcmp(id->family->name, by[i].family) == 0 &&
		    strcmp(id->event != NULL ? id->event : "",
		    by[i].event) == 0)
			return i + 1;
	return 0;
}

static int
take_cycles(struct together *t, const struct reader *r, unsigned c)
{
	const struct column_id *id = &read_column(r, c)->id;
	unsigned how = counts_cycles(id), l = id->index[0], n = t->nlproc;

	if (how == 0 || l > UINT16_MAX)
		return 0;
	if (l >= n) {
		if (!array_more(&t->cycles, n, l * 2 + 16,
		    sizeof *t->cycles))
			return -ENOMEM;
		t->nlproc = l * 2 + 16;
		memset(t->cycles + n, -1, (t->nlproc - n) * sizeof *t->cycles);
	}
	if (t->cycles[l] < 0 || counts_cycles(&read_column(r,
	    (unsigned)t->cycles[l])->id) > how)
		t->cycles[l] = (int32_t)c;
	return 0;
}

/* Finds the columns that say what counter c counted in each set's turns.  A dump has them
 * from the same sample on as the counter, and behind it. */
static int
take_parts(struct together *t, const struct turns *turns,
    const struct reader *r, unsigned c, unsigned n)
{
	t->by_parts[t->n] = true;
	for (unsigned k = 0; k < t->nset; k++) {
		int32_t part = turns_in_set(turns, r, c, k);
		size_t at = (size_t)t->n * t->nset + k;

		t->by_part[at] = part > (int32_t)c && (unsigned)part < n;
		t->by_parts[t->n] &= t->by_part[at];
		if (!t->by_part[at])
			continue;
		if (!array_room(&t->part_column, t->nparts, &t->parts_room,
		    sizeof *t->part_column))
			return -ENOMEM;
		if (t->is_part[part] == 0)
			t->part_column[t->nparts++] = (uint32_t)part;
		t->is_part[part] = 1 + (uint32_t)at;
		t->parts = true;
	}
	if (t->counter[t->n] && !t->by_parts[t->n])
		t->alone[t->nalone++] = t->n;
	return 0;
}

/* Takes in column c of n. */
static int
together_take_column(struct together *t, const struct turns *turns,
    const struct reader *r, unsigned c, unsigned n)
{
	const struct column *of = read_column(r, c);

	t->slot[c] = 0;
	if (turns->kind[c] != TURN_NONE || t->is_part[c] > 0 ||
	    of->cls == CLASS_WALL || slow_every(r, &of->id) > 1)
		return 0;
	if (grow_slots(t) < 0)
		return -ENOMEM;
	t->column[t->n] = c;
	t->counter[t->n] = class_is_counter(of->cls);
	/* what it counted before the dump had it is not known */
	for (unsigned k = 0; t->counter[t->n] && k < t->nset; k++)
		t->lost[t->n * t->nset + k] = t->ran[k];
	if (take_parts(t, turns, r, c, n) < 0)
		return -ENOMEM;
	t->slot[c] = ++t->n;
	return take_cycles(t, r, c);
}

int
together_load(struct together *t, const struct turns *turns,
    const struct reader *r, unsigned n, uint64_t intervals)
{
	unsigned had = t->n;
	int rc;

	if (turns->nset < 2 || n <= t->ncol)
		return 0;
	if ((t->nset == 0 && (rc = make_sets(t, turns->nset)) < 0) ||
	    (rc = together_grow_columns(t, n)) < 0)
		return rc;
	for (unsigned c = t->ncol; c < n; c++)
		if ((rc = together_take_column(t, turns, r, c, n)) < 0)
			return rc;
	for (unsigned i = had * t->nset; i < t->n * t->nset; i++)
		t->left_out[i] = t->lost[i] > 0 ? (uint32_t)intervals : 0;
	t->ncol = n;
	return 0;
}

void
together_fini(struct together *t)
{
	free(t->slot);
	free(t->is_part);
	free(t->by_part);
	free(t->cycles);
	free(t->column);
	free(t->counter);
	free(t->by_parts);
	free(t->alone);
	free(t->part_column);
	free(t->sum);
	free(t->lost);
	free(t->left_out);
	free(t->part);
	free(t->now);
	free(t->ran);
	free(t->mixed);
	free(t->running);
	free(t->enabled);
	free(t->known);
	*t = (struct together){ 0 };
}

void
together_afresh(struct together *t)
{
	size_t n = (size_t)t->n * t->nset;

	for (size_t i = 0; i < n; i++) {
		t->sum[i] = t->lost[i] = 0;
		t->left_out[i] = 0;
	}
	for (unsigned k = 0; k < t->nset; k++) {
		t->ran[k] = 0;
		t->mixed[k] = false;
	}
}

/* ---- sums ---------------------------------------------------------------- */

/* Adds to the sums of set k its part of each counter's delta, for the counters that have no
 * counts by set. */
static void
add_alone(struct together *t, unsigned k, const uint64_t *delta, unsigned ncol)
{
	const double part = t->part[k];

	for (unsigned j = 0; j < t->nalone; j++) {
		unsigned i = t->alone[j];

		if (t->column[i] < ncol && !t->by_part[i * t->nset + k])
			t->sum[i * t->nset + k] +=
			    part * (double)delta[t->column[i]];
	}
}

/* Adds the columns of the dump that have counts by set. */
static void
add_parts(struct together *t, const uint64_t *delta, unsigned ncol)
{
	for (unsigned i = 0; i < t->nparts; i++) {
		uint32_t c = t->part_column[i];

		if (c < ncol)
			t->sum[t->is_part[c] - 1] += (double)delta[c];
	}
}

/* Notes which sets ran, and for which part of the interval. */
static void
together_take_turn(struct together *t, const struct turns *turns,
    const struct interval *iv)
{
	unsigned ran = 0;

	for (unsigned k = 0; k < t->nset; k++) {
		t->part[k] = turns_part(&turns->set[k].times, iv);
		ran += t->part[k] > 0;
	}
	for (unsigned k = 0; k < t->nset; k++)
		t->mixed[k] |= t->part[k] > 0 && ran > 1;
}

void
together_turn(struct together *t, const struct turns *turns,
    const struct interval *iv, double seconds)
{
	together_take_turn(t, turns, iv);
	for (unsigned k = 0; k < t->nset; k++) {
		t->now[k] = t->part[k] * seconds;
		t->ran[k] += t->now[k];
	}
}

void
together_add(struct together *t, const struct turns *turns,
    const struct interval *iv)
{
	together_take_turn(t, turns, iv);
	for (unsigned k = 0; k < t->nset; k++) {
		t->now[k] = running_of(turns, k, iv->delta, iv->ncol);
		t->ran[k] += t->now[k];
		if (t->part[k] > 0)
			add_alone(t, k, iv->delta, iv->ncol);
	}
	add_parts(t, iv->delta, iv->ncol < t->ncol ? iv->ncol : t->ncol);
}

/* The sums by set of a column, [nset].  NULL: it has none, or it is a reading where a counter
 * is asked for, or the other way round. */
static double *
sums_of(struct together *t, unsigned c, bool counter)
{
	return together_has(t, c) && t->counter[t->slot[c] - 1] == counter ?
	    t->sum + (size_t)(t->slot[c] - 1) * t->nset : NULL;
}

void
together_count(struct together *t, unsigned c, double value)
{
	double *sum = sums_of(t, c, true);

	for (unsigned k = 0; sum != NULL && k < t->nset; k++)
		if (!t->by_part[sum - t->sum + k])
			sum[k] += t->part[k] * value;
	if (c < t->ncol && t->is_part[c] > 0)
		t->sum[t->is_part[c] - 1] += value;
}

static void
together_lose_turn(struct together *t, size_t at, unsigned set)
{
	t->lost[at] += t->now[set];
	t->left_out[at]++;
}

void
together_lose(struct together *t, unsigned c)
{
	size_t at = together_has(t, c) ?
	    (size_t)(t->slot[c] - 1) * t->nset : 0;

	for (unsigned k = 0; sums_of(t, c, true) != NULL && k < t->nset; k++)
		if (t->part[k] > 0 && !t->by_part[at + k])
			together_lose_turn(t, at + k, k);
	if (c < t->ncol && t->is_part[c] > 0)
		together_lose_turn(t, t->is_part[c] - 1,
		    (t->is_part[c] - 1) % t->nset);
}

void
together_left_out(struct together *t, unsigned c, const struct interval *iv)
{
	together_count(t, c, -(double)iv->delta[c]);
	together_lose(t, c);
}

void
together_read(struct together *t, unsigned c, double value)
{
	double *sum = sums_of(t, c, false);

	for (unsigned k = 0; sum != NULL && k < t->nset; k++) {
		sum[k] += t->part[k] * value;
		t->lost[sum - t->sum + k] += t->part[k];
	}
}

/* ---- results of the sums ------------------------------------------------- */

void
together_settle(struct together *t, const struct turns *turns,
    const uint64_t *total, const double *share)
{
	for (unsigned k = 0; k < t->nset; k++) {
		int32_t on = turns->set[k].times.enabled;
		bool known = on >= 0 && (unsigned)on < t->ncol;

		t->running[k] = running_of(turns, k, total, t->ncol);
		t->enabled[k] = known ? (double)total[on] : 0;
		t->known[k] = known ? share[on] : 0;
	}
}

void
together_settle_by_hand(struct together *t, double seconds)
{
	for (unsigned k = 0; k < t->nset; k++) {
		t->running[k] = t->ran[k];
		t->enabled[k] = seconds;
		t->known[k] = 1;
	}
}

bool
together_has(const struct together *t, unsigned c)
{
	return c < t->ncol && t->slot[c] > 0;
}

bool
together_guesses(const struct together *t, unsigned c)
{
	const bool *by_part = t->by_part + (size_t)(t->slot[c] - 1) * t->nset;

	for (unsigned k = 0; !t->by_parts[t->slot[c] - 1] && k < t->nset; k++)
		if (t->mixed[k] && !by_part[k])
			return true;
	return false;
}

double
together_value(const struct together *t, unsigned c, unsigned k)
{
	unsigned slot = t->slot[c] - 1;
	size_t at = (size_t)slot * t->nset + k;

	if (t->counter[slot])
		return together_share(t, c, k) > 0 ? t->sum[at] : (double)NAN;
	return t->lost[at] > 0 ? t->sum[at] / t->lost[at] : (double)NAN;
}

double
together_share(const struct together *t, unsigned c, unsigned k)
{
	unsigned slot = t->slot[c] - 1;
	double ran = t->running[k] - (t->counter[slot] ?
	    t->lost[(size_t)slot * t->nset + k] : 0);

	return !(ran > 0 && t->enabled[k] > 0) ? 0 :
	    (ran < t->enabled[k] ? ran / t->enabled[k] : 1) * t->known[k];
}

double
together_scaled(const struct together *t, unsigned c, unsigned k)
{
	unsigned slot = t->slot[c] - 1;
	double share = together_share(t, c, k);

	return t->counter[slot] && share > 0 ?
	    t->sum[(size_t)slot * t->nset + k] / share :
	    together_value(t, c, k) / share;
}

uint32_t
together_left_out_in(const struct together *t, unsigned c, unsigned k)
{
	unsigned slot = t->slot[c] - 1;

	return t->counter[slot] ? t->left_out[(size_t)slot * t->nset + k] : 0;
}

int32_t
together_cycles(const struct together *t, unsigned lproc)
{
	return lproc < t->nlproc ? t->cycles[lproc] : -1;
}
