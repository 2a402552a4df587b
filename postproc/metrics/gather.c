/*
 * postproc/metrics/gather.c - what a dump counted, added up interval by interval, and
 * the sums of that.
 */
#include "postproc/metrics/gather_int.h"

#include "lib/array.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- without a batch ---------------------------------------------------- */

/* The sums of a run without each of its batches. */

static bool
batch_sums_make_room(struct batch_sums *w, const struct sums *all)
{
	const struct batches *b = all->batches;

	if (all->ncol > w->room) {
		free(w->value);
		free(w->share);
		w->room = all->ncol;
		w->value = calloc((size_t)w->room * BATCHES, sizeof *w->value);
		w->share = calloc((size_t)w->room * BATCHES, sizeof *w->share);
	}
	if (b->nin + 1 > w->in_room) {
		free(w->in_set);
		free(w->running);
		w->in_room = b->nin + 1;
		w->in_set = calloc((size_t)w->in_room * BATCHES,
		    sizeof *w->in_set);
		w->running = calloc((size_t)(b->nset + 1) * BATCHES,
		    sizeof *w->running);
	}
	return w->value != NULL && w->share != NULL && w->in_set != NULL &&
	    w->running != NULL;
}

/* By what a column's share of the time is to be multiplied when a batch is taken out: the
 * running time that is left, divided by all of it.  Where the dump has the scaled count, it
 * is the new ratio of count (value: what is left of it) and scaled count, divided by the
 * old ratio, and multiplied by the part of all time that is left. */
static double
left_of(const struct sums *all, const uint64_t *total, unsigned c,
    unsigned batch, double value)
{
	const struct batches *b = all->batches;
	const struct turn_times *x = &all->turns->times[c];
	double ran, scaled;

	if (x->scaled >= 0 && (unsigned)x->scaled < all->ncol &&
	    total[x->scaled] > 0) {
		scaled = (double)total[x->scaled] - batches_sum(b,
		    (unsigned)x->scaled, batch);
		return value / all->value[c] * (double)total[x->scaled] /
		    scaled * (1 - batches_part(b, batch));
	}
	if (x->running < 0 || (unsigned)x->running >= all->ncol)
		return 1;
	ran = (double)total[x->running] - (double)all->turns->lost[c];
	return 1 - batches_sum(b, (unsigned)x->running, batch) / ran;
}

static void
without(struct batch_sums *w, const struct sums *all, const uint64_t *total,
    unsigned batch)
{
	const struct batches *b = all->batches;
	struct sums *s = &w->sums[batch];
	double *value = w->value + (size_t)batch * w->room;
	double *share = w->share + (size_t)batch * w->room;
	double *in = w->in_set + (size_t)batch * w->in_room;
	double *ran = w->running + (size_t)batch * b->nset;

	*s = *all;
	s->number += 1 + batch;
	s->batches = NULL;
	s->without = NULL;
	s->value = memcpy(value, all->value, all->ncol * sizeof *value);
	s->share = memcpy(share, all->share, all->ncol * sizeof *share);
	for (unsigned i = 0; i < b->n; i++) {
		unsigned c = b->column[i];

		if (c >= all->ncol || all->turns->kind[c] == TURN_NONE)
			continue;
		value[c] -= batches_sum(b, c, batch);
		share[c] *= left_of(all, total, c, batch, value[c]);
	}
	s->together.sum = in;
	s->together.running = ran;
	/* readings have a mean, not a sum: a batch is not taken out of it */
	for (unsigned i = 0; i < b->nin; i++)
		in[i] = all->together.sum[i] - (all->together.counter[i /
		    b->nset] ? batches_in_set(b, i, batch) : 0);
	for (unsigned k = 0; k < b->nset; k++)
		ran[k] = all->together.running[k] - batches_ran(b, k, batch);
}

/* batch_sums_make - from the sums of all intervals and the totals of all columns;
 * valid as long as these.  Returns [batches_count] sums; NULL: there are too few
 * batches, or memory ran out. */
static const struct sums *
batch_sums_make(struct batch_sums *w, const struct sums *all,
    const uint64_t *total)
{
	unsigned n = all->turns != NULL ? batches_count(all->batches) : 0;

	if (n == 0 || !batch_sums_make_room(w, all))
		return NULL;
	for (unsigned i = 0; i < n; i++)
		without(w, all, total, i);
	return w->sums;
}

void
batch_sums_fini(struct batch_sums *w)
{
	free(w->value);
	free(w->share);
	free(w->in_set);
	free(w->running);
	*w = (struct batch_sums){ .room = 0 };
}

static int
gather_grow(struct gather_private *p, unsigned n)
{
	unsigned room = n + n / 4 + 64, had = p->room;

	if (n <= had)
		return 0;
	if (!array_more(&p->total, had, room, sizeof *p->total) ||
	    !array_more(&p->unknown_s, had, room, sizeof *p->unknown_s) ||
	    !array_more(&p->left_out, had, room, sizeof *p->left_out) ||
	    !array_more(&p->doubt, had, room, sizeof *p->doubt) ||
	    !array_more(&p->reading, had, room, sizeof *p->reading) ||
	    !array_more(&p->nreading, had, room, sizeof *p->nreading) ||
	    !array_more(&p->value, had, room, sizeof *p->value) ||
	    !array_more(&p->share, had, room, sizeof *p->share) ||
	    !array_more(&p->stretch, had, room, sizeof *p->stretch) ||
	    !array_more(&p->now_left_out, had, room,
	    sizeof *p->now_left_out) ||
	    !array_more(&p->of_reading, had, room, sizeof *p->of_reading))
		return -ENOMEM;
	p->room = room;
	return 0;
}

int
gather_take_columns(struct gather *g)
{
	struct gather_private *p = g->p;
	/* the reader may be a sample ahead, and know more columns */
	unsigned n = p->pending || g->now.ncol > 0 ? g->now.ncol :
	    read_columns(g->reader);
	int rc = gather_grow(p, n);

	for (; rc == 0 && g->ncol < n; g->ncol++) {
		const struct column *c = read_column(g->reader, g->ncol);

		if (!class_is_counter(c->cls) && c->cls != CLASS_WALL)
			p->of_reading[p->nof_reading++] = g->ncol;
		/* a new column was absent in all intervals so far */
		p->left_out[g->ncol] = (uint32_t)p->sums.intervals;
		p->unknown_s[g->ncol] = p->sums.seconds;
		rc = series_add(&g->series, g->ncol, c);
	}
	p->wall_s = read_find(g->reader, "walltime[0]");
	p->wall_us = read_find(g->reader, "walltime[1]");
	if (rc < 0 ||
	    (rc = turns_load(&p->turns, g->reader, n, p->total)) < 0 ||
	    (rc = together_load(&p->together, &p->turns, g->reader, n,
	    p->sums.intervals)) < 0 || (p->together.parts &&
	    (rc = together_load(&p->now_together, &p->turns, g->reader, n,
	    0)) < 0) || (rc = batches_load(&p->batches, &p->turns,
	    &p->together, g->reader, n, p->total)) < 0)
		return rc;
	return own_time_load(&p->own, g->intervals, &p->turns, n);
}

double
gather_wall(const struct gather *g, const uint64_t *value, unsigned n)
{
	int s = g->p->wall_s, us = g->p->wall_us;

	if (s < 0 || (unsigned)s >= n || value[s] == ABSENT)
		return 0;
	return (double)value[s] + (us < 0 || (unsigned)us >= n ||
	    value[us] == ABSENT ? 0 : (double)value[us] / 1e6);
}

/* Takes the wall clock of the range's first and last sample.  Where other clocks contradict
 * it, it is computed from an earlier sample and the time since.  Has to be done after each
 * interval, as the reader does not keep rows for longer. */
static void
take_date(struct gather *g)
{
	double at = gather_wall(g, g->now.value, g->now.ncol);

	if (intervals_verdict(g->intervals)->odd & BY_WALL)
		at = g->wall_last > 0 ? g->wall_last + g->now.seconds : 0;
	else if (g->wall_first == 0 && at > 0)
		g->wall_first = at - g->p->sums.seconds;
	g->wall_last = at;
}

/* Makes room for the watches that were bound since the last time. */
static int
take_watches(struct gather *g)
{
	struct gather_private *p = g->p;
	unsigned n = g->binding.nwatch, had = p->nwatch;

	if (n <= had)
		return 0;
	if (!array_more(&p->set, had, n, sizeof *p->set) ||
	    !array_more(&p->seen, had, n, sizeof *p->seen) ||
	    !array_more(&p->bit, had, n, sizeof *p->bit))
		return -ENOMEM;
	p->nwatch = n;
	return 0;
}

static void
add_readings(struct gather *g)
{
	struct gather_private *p = g->p;
	const uint64_t *v = g->now.value;
	unsigned impossible = 0;

	for (unsigned i = 0; i < p->nof_reading; i++) {
		uint32_t c = p->of_reading[i];

		if (c >= g->now.ncol || v[c] == ABSENT)
			continue;
		if (!reading_possible(intervals_limits(g->intervals),
		    read_column(g->reader, c), v[c])) {
			p->left_out[c]++;
			impossible++;
			continue;
		}
		p->reading[c] += (double)(int64_t)v[c];
		together_read(&p->together, c, (double)(int64_t)v[c]);
		p->nreading[c]++;
	}
	p->impossible = impossible > 0;
	g->nleft_out += impossible;
	g->intervals_hit += impossible > 0 && g->now.left_out == 0;
	for (unsigned i = 0; i < p->nwatch; i++) {
		const struct watch *w = &g->binding.watch[i];

		if (w->column < g->now.ncol && v[w->column] != ABSENT) {
			p->set[i] += v[w->column] >> w->bit & 1;
			p->seen[i]++;
		}
	}
}

static void
add_left_out(struct gather *g)
{
	struct gather_private *p = g->p;

	for (unsigned c = 0; c < g->now.ncol; c++) {
		bool foreign = g->now.kind[c] == DELTA_FOREIGN;
		bool beyond = g->now.kind[c] == DELTA_BEYOND;

		g->nabsent += g->now.kind[c] == DELTA_ABSENT ||
		    g->now.kind[c] == DELTA_PAUSED;
		if ((p->turns.any && turns_left_out(&p->turns, c, &g->now)) ||
		    foreign || beyond)
			p->total[c] -= g->now.delta[c];
		else if (g->now.kind[c] <= DELTA_NONE)
			continue;
		p->left_out[c]++;
		if (foreign)
			p->doubt[c] = NA_FOREIGN;
		else if (g->now.kind[c] == DELTA_STOPPED)
			p->doubt[c] = NA_STOPPED;
		p->unknown_s[c] += g->now.seconds;
		own_time_left_out(&p->own, &g->now, c);
		together_left_out(&p->together, c, &g->now);
	}
	g->nleft_out += g->now.left_out;
	g->intervals_hit++;
}

/* The dump has new columns, so that metrics may have more inputs.  Binding numbers the
 * watches anew: what was counted of a status bit so far moves to its new number. */
static int
bind_again(struct gather *g, struct diag *why)
{
	struct gather_private *p = g->p;
	struct binding *b = &g->binding;
	struct watch *had = b->watch;
	unsigned nhad = p->nwatch;
	uint64_t *set = p->set, *seen = p->seen;
	int rc;

	if (b->nbound == 0)
		return 0;
	b->watch = NULL;
	b->watch_room = 0;
	p->nwatch = 0;
	p->set = p->seen = NULL;
	if ((rc = binding_renew(b, why)) == 0)
		rc = take_watches(g);
	for (unsigned i = 0; rc == 0 && i < p->nwatch; i++)
		for (unsigned k = 0; k < nhad; k++)
			if (had[k].column == b->watch[i].column &&
			    had[k].bit == b->watch[i].bit) {
				p->set[i] = set[k];
				p->seen[i] = seen[k];
			}
	free(had);
	free(set);
	free(seen);
	return rc;
}

/* Adds all deltas without a look at their kinds: a delta that must not be added is 0,
 * and what this adds up of readings is never used.  add_left_out sees to the rest. */
WIDE_TOO static void
add_deltas(struct gather *g)
{
	const uint64_t *delta = g->now.delta;
	uint64_t *total = g->p->total;
	unsigned n = g->now.ncol;

	for (unsigned i = 0; i < n / SOME_COLUMNS; i++)
		((some_columns *)total)[i] += ((const some_columns *)delta)[i];
	for (unsigned c = n - n % SOME_COLUMNS; c < n; c++)
		total[c] += delta[c];
}

int
gather_next(struct gather *g, struct diag *why)
{
	struct gather_private *p = g->p;
	int rc;

	if (p->of != NULL)
		g->now = p->of->now;
	else if (!p->pending &&
	    (rc = intervals_next(g->intervals, &g->now, why)) <= 0)
		return rc;
	p->pending = p->settled = p->evaluated = p->alone_made = false;
	for (unsigned i = 0; g->now.ncol != g->ncol && i < GATHER_HOOKS; i++)
		if (p->before[i].call != NULL)
			p->before[i].call(p->before[i].ctx);
	if ((g->now.ncol != g->ncol && ((rc = gather_take_columns(g)) < 0 ||
	    (rc = bind_again(g, why)) < 0)) || (rc = take_watches(g)) < 0)
		return rc;
	add_deltas(g);
	own_time_add(&p->own, g->intervals, &g->now);
	together_add(&p->together, &p->turns, &g->now);
	if (g->now.left_out > 0)
		add_left_out(g);
	turns_seen(&p->turns, &g->now);
	add_readings(g);
	batches_add(&p->batches, &p->turns, &p->together, p->total);
	p->sums.seconds += g->now.seconds;
	p->sums.wall += intervals_verdict(g->intervals)->wall;
	p->sums.intervals++;
	take_date(g);
	return 1;
}

void
gather_before_columns(struct gather *g, void (*f)(void *), void *ctx)
{
	struct before_columns *x = g->p->before;
	unsigned at = 0;

	for (unsigned i = GATHER_HOOKS; i-- > 0;)
		if (x[i].ctx == ctx || (x[at].ctx != ctx && x[i].call == NULL))
			at = i;
	x[at] = (struct before_columns){ f, ctx };
}

int
gather_all(struct gather *g, struct diag *why)
{
	int rc;

	while ((rc = gather_next(g, why)) > 0)
		;
	return rc;
}

void
gather_afresh(struct gather *g)
{
	struct gather_private *p = g->p;
	unsigned n = g->ncol;

	memset(p->total, 0, n * sizeof *p->total);
	memset(p->unknown_s, 0, n * sizeof *p->unknown_s);
	memset(p->left_out, 0, n * sizeof *p->left_out);
	memset(p->doubt, 0, n * sizeof *p->doubt);
	memset(p->reading, 0, n * sizeof *p->reading);
	memset(p->nreading, 0, n * sizeof *p->nreading);
	for (unsigned i = 0; i < p->nwatch; i++)
		p->set[i] = p->seen[i] = 0;
	turns_afresh(&p->turns);
	own_time_afresh(&p->own);
	together_afresh(&p->together);
	batches_afresh(&p->batches);
	p->sums.seconds = p->sums.wall = 0;
	p->sums.intervals = 0;
	p->settled = false;
}

/* ---- sums ---------------------------------------------------------------- */

/* The part of all time, 0 to 1, in which a column counted what its total has; 0 where the
 * times of its set are columns that were not taken in yet, as the reader may be a sample
 * ahead. */
static double
share_of(const struct gather_private *p, unsigned c, unsigned ncol)
{
	const struct turns *t = &p->turns;
	double seconds = p->sums.seconds;
	bool turns = t->any && t->kind[c] != TURN_NONE;
	unsigned of = turns_known_by(t, c);
	double known = of < ncol && seconds > 0 ?
	    1 - p->unknown_s[of] / seconds : of < ncol;

	return !turns ? known : known * turns_share(t, c, p->total, ncol,
	    t->lost[c]);
}

/* Makes the energy counters that this node does not have columns without a value. */
static void
forget_uncounted(struct gather *g)
{
	const struct doubts *d = intervals_doubts(g->intervals);

	for (unsigned i = 0; i < d->nuncounted; i++)
		if (d->uncounted[i] < g->ncol) {
			g->p->value[d->uncounted[i]] = NAN;
			g->p->doubt[d->uncounted[i]] = NA_UNCOUNTED;
		}
}

uint64_t
gather_number(struct gather_private *p)
{
	return p->number += 1 + BATCHES;
}

const struct sums *
gather_sums(struct gather *g)
{
	struct gather_private *p = g->p;
	struct sums *s = &p->sums;

	if (p->settled)
		return s;
	p->settled = true;
	s->number = gather_number(p);
	s->sample = g->now.sample;
	for (unsigned c = 0; c < g->ncol; c++) {
		bool some = p->left_out[c] < s->intervals &&
		    p->doubt[c] != NA_FOREIGN;

		p->value[c] = some ? (double)p->total[c] : (double)NAN;
		p->share[c] = share_of(p, c, g->ncol);
		p->stretch[c] = own_time_stretch(&p->own, c);
	}
	for (unsigned i = 0; i < p->nof_reading; i++) {
		uint32_t c = p->of_reading[i];

		p->value[c] = p->nreading[c] ?
		    p->reading[c] / p->nreading[c] : (double)NAN;
	}
	for (unsigned i = 0; i < p->nwatch; i++)
		p->bit[i] = p->seen[i] ? (double)p->set[i] /
		    (double)p->seen[i] : (double)NAN;
	forget_uncounted(g);
	together_settle(&p->together, &p->turns, p->total, p->share);
	s->together = p->together;
	s->own = p->own;
	s->tsc_hz = intervals_tsc_hz(g->intervals);
	s->ncol = g->ncol;
	s->value = p->value;
	s->share = p->share;
	s->stretch = p->own.nstamp > 0 ? p->stretch : NULL;
	s->turns = p->turns.any ? &p->turns : NULL;
	s->left_out = p->left_out;
	s->doubt = p->doubt;
	s->bit = p->bit;
	s->nbit = p->nwatch;
	s->batches = &p->batches;
	s->without = batch_sums_make(&p->without, s, p->total);
	return s;
}

/* What the counters that always count counted in the present interval while each set ran. */
static struct together
now_together(struct gather_private *p, const struct interval *now)
{
	struct together *t = &p->now_together;

	if (!p->together.parts)
		return (struct together){ 0 };
	together_afresh(t);
	together_add(t, &p->turns, now);
	for (unsigned c = 0; now->left_out > 0 && c < now->ncol; c++)
		if (now->kind[c] > DELTA_NONE)
			together_left_out(t, c, now);
	for (unsigned i = 0; i < p->nof_reading; i++)
		if (p->of_reading[i] < now->ncol &&
		    now->value[p->of_reading[i]] != ABSENT)
			together_read(t, p->of_reading[i],
			    (double)(int64_t)now->value[p->of_reading[i]]);
	together_settle(t, &p->turns, now->delta, p->share);
	return *t;
}

/* Converts n deltas, each exactly as (double) does: its halves become the low bits of
 * 2^84 and 2^52, and only the sum of both is rounded. */
WIDE_TOO static void
convert_deltas(double *to, const uint64_t *delta, unsigned n)
{
	const uint64_t high = UINT64_C(0x453) << 52, low = UINT64_C(0x433) << 52;
	unsigned whole = n / SOME_COLUMNS;

	for (unsigned i = 0; i < whole; i++) {
		some_columns x = ((const some_columns *)delta)[i];
		some_columns h = x >> 32 | high, l = (x & UINT32_MAX) | low;

		((wide_doubles *)to)[i] = (wide_doubles)h -
		    (0x1p84 + 0x1p52) + (wide_doubles)l;
	}
	for (unsigned c = whole * SOME_COLUMNS; c < n; c++)
		to[c] = (double)delta[c];
}

/* Notes which of n deltas are left out: 1 or 0. */
WIDE_TOO static void
take_left_out(uint32_t *to, const uint8_t *kind, unsigned n)
{
	typedef uint8_t kinds
	    __attribute__((vector_size(WIDE_BYTES / 4), aligned(1), may_alias));
	typedef int32_t numbers
	    __attribute__((vector_size(WIDE_BYTES), aligned(4), may_alias));
	const unsigned some = WIDE_BYTES / 4;

	for (unsigned i = 0; i < n / some; i++)
		((numbers *)to)[i] = __builtin_convertvector(((const kinds *)
		    kind)[i] > (uint8_t)DELTA_NONE, numbers) & 1;
	for (unsigned c = n - n % some; c < n; c++)
		to[c] = kind[c] > DELTA_NONE;
}

/* The deltas of the present interval; NaN where there is none. */
static void
take_deltas(struct gather_private *p, const struct interval *now, unsigned ncol)
{
	unsigned n = now->ncol < ncol ? now->ncol : ncol;

	convert_deltas(p->value, now->delta, n);
	take_left_out(p->now_left_out, now->kind, n);
	for (unsigned c = n; c < ncol; c++) {
		p->value[c] = NAN;
		p->now_left_out[c] = 0;
	}
	for (unsigned c = 0; c < n && (now->left_out > 0 || now->not_due > 0);
	    c++)
		if ((now->left_out > 0 && now->kind[c] > DELTA_NONE) ||
		    (now->not_due > 0 && now->kind[c] == DELTA_NONE))
			p->value[c] = NAN;
}

/* Takes the bits of registers that formulas ask for (w->bit) from the present sample. */
static void
take_bits(struct gather *g)
{
	struct gather_private *p = g->p;
	const struct interval *now = &g->now;

	for (unsigned i = 0; i < p->nwatch; i++) {
		const struct watch *w = &g->binding.watch[i];

		p->bit[i] = w->column < now->ncol && now->value[w->column] !=
		    ABSENT ? (double)(now->value[w->column] >> w->bit & 1) :
		    (double)NAN;
	}
}

/* Where a gather follows another one, both have the same values of an interval; their
 * bindings watch other bits. */
static const struct sums *
gather_interval_of(struct gather *g, const struct sums *of)
{
	struct gather_private *p = g->p;

	take_bits(g);
	p->interval = *of;
	p->interval.number = gather_number(p);
	p->interval.bit = p->bit;
	p->interval.nbit = p->nwatch;
	p->interval.turns = p->turns.any ? &p->turns : NULL;
	p->interval.batches = &p->batches;
	return &p->interval;
}

const struct sums *
gather_interval(struct gather *g)
{
	struct gather_private *p = g->p;
	const struct interval *now = &g->now;

	p->settled = false;
	if (p->of != NULL && p->of->p->evaluated)
		return gather_interval_of(g, &p->of->p->interval);
	p->evaluated = true;
	take_deltas(p, now, g->ncol);
	if (p->turns.any)
		turns_shares(&p->turns, now->delta, now->ncol, p->share,
		    g->ncol);
	own_time_now(&p->own, now, p->stretch, g->ncol);
	forget_uncounted(g);
	for (unsigned i = 0; i < p->nof_reading; i++) {
		uint32_t c = p->of_reading[i];

		p->value[c] = c < now->ncol && reading_possible(
		    intervals_limits(g->intervals), read_column(g->reader, c),
		    now->value[c]) ?
		    (double)(int64_t)now->value[c] : (double)NAN;
	}
	take_bits(g);
	p->interval = (struct sums){ .number = gather_number(p),
	    .before = now->before_sample, .sample = now->sample,
	    .seconds = now->seconds, .intervals = 1,
	    .wall = intervals_verdict(g->intervals)->wall,
	    .tsc_hz = intervals_tsc_hz(g->intervals), .ncol = g->ncol,
	    .value = p->value, .share = p->turns.any ? p->share : NULL,
	    .stretch = p->own.nstamp > 0 ? p->stretch : NULL,
	    .turns = p->turns.any ? &p->turns : NULL,
	    .left_out = p->now_left_out, .bit = p->bit, .nbit = p->nwatch,
	    .together = now_together(p, now), .batches = &p->batches };
	return &p->interval;
}
