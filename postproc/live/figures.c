/*
 * postproc/live/figures.c - the metrics of a store that is followed.
 *
 * Totals are added up interval by interval.  An interval without a known count adds
 * nothing, so totals never decrease.
 */
#include "postproc/live/follow.h"
#include "postproc/data/turns.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"

/* ---- units of metrics in base units ---------------------------------------- */

static const struct base_unit units[] = {
	{ "GB/s", 1e9, "bytes_per_second", "bytes" },
	{ "MB/s", 1e6, "bytes_per_second", "bytes" },
	{ "W", 1, "watts", NULL },         /* energy is a metric of its own */
	{ "G/s", 1e9, "per_second", "" },
	{ "M/s", 1e6, "per_second", "" },
	{ "MT/s", 1e6, "per_second", "" },
	{ "/s", 1, "per_second", "" },
	{ "GFLOP/s", 1e9, "flops_per_second", "flops" },
	{ "Mcycles/s", 1e6, "cycles_per_second", "cycles" },
	{ "GHz", 1e9, "hertz", NULL },
	{ "MHz", 1e6, "hertz", NULL },
	{ "Hz", 1, "hertz", NULL },
	{ "%", 0.01, "ratio", NULL },
	{ "ratio", 1, "ratio", NULL },
	{ "ns", 1e-9, "seconds", NULL },
	{ "s", 1, "seconds", NULL },
	{ "C", 1, "celsius", NULL },
	{ "J", 1, "joules", NULL },
	{ "/kinst", 0.001, "per_instruction", NULL },
	{ "inst/cycle", 1, "instructions_per_cycle", NULL },
	{ "cycles", 1, "cycles", NULL },
};
static const struct base_unit number = { "", 1, "", NULL };

/* Returns the base unit of a metric's unit; of an unknown one a plain number. */
static const struct base_unit *
base_unit(const char *unit)
{
	for (unsigned i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(units[i].unit, unit) == 0)
			return &units[i];
	return &number;
}

/* ---- figures ---------------------------------------------------------------- */

static bool
add_windows(struct figures *fs, const struct binding *b, unsigned bound,
    enum scope scope, unsigned sets)
{
	const struct metric *m = b->bound[bound].metric;
	struct window w;

	for (unsigned k = 0; k < binding_windows(b, bound, scope); k++) {
		if (!binding_window(b, bound, scope, k, &w))
			continue;
		if (!array_room(&fs->figure, fs->n, &fs->room,
		    sizeof(*fs->figure)))
			return false;
		fs->figure[fs->n++] = (struct live_figure){ .bound = bound,
		    .window = w, .unit = base_unit(m->unit), .adds = metric_adds(m),
		    .turns = sets > 0, .several = sets > 1, .now = NAN, .total = NAN };
	}
	return true;
}

int
figures_open(struct follow *f, struct diag *why)
{
	struct figures *fs = f->of;
	struct binding *b = &f->gather.binding;
	unsigned bound, sets;
	int rc;

	fs->n = fs->nscaled = 0;
	recent_fini(&fs->recent);
	if (recent_init(&fs->recent, 1) < 0)
		return diag_set(why, -ENOMEM, "out of memory");
	for (unsigned i = 0; i < f->metrics.n; i++) {
		const struct metric *m = metrics_at(&f->metrics, i);

		if (m->hidden)
			continue;
		if ((rc = binding_add(b, m, &bound, why)) < 0)
			return rc;
		if (b->bound[bound].nmissing > 0)
			continue;
		sets = gather_rotates(&f->gather, bound);
		/* if every set has turns in each interval, one interval has them all */
		if (sets > 1 && gather_between(&f->gather))
			sets = 1;
		for (int s = SCOPES - 1; s >= 0; s--)
			if ((fs->scopes >> s & 1) != 0 && !add_windows(fs, b,
			    bound, (enum scope)s, sets))
				return diag_set(why, -ENOMEM, "out of memory");
	}
	return 0;
}

bool
figures_total(const struct live_figure *x)
{
	return !x->turns && (x->adds || x->unit->total != NULL);
}

/* A rate outside its range is dropped; its count still adds to the total. */
static void
figures_take(struct live_figure *x, const struct figure *f, double seconds)
{
	double value = f->value * x->unit->times, more;

	x->wrong = f->wrong;
	x->now = f->wrong ? (double)NAN : value;
	if (!figures_total(x) || isnan(value))
		return;
	more = x->adds ? value : value * seconds;
	if (more >= 0)
		x->total = (isnan(x->total) ? 0 : x->total) + more;
}

static bool
figures_room_for(struct figures *fs, unsigned ncol)
{
	if (ncol <= fs->nscaled)
		return true;
	if (!array_more(&fs->scaled, fs->nscaled, ncol, sizeof(*fs->scaled)))
		return false;
	fs->nscaled = ncol;
	return true;
}

/*
 * Adds the scaled counts of the last interval, for events of one kind of rotation. 
 * Counts of groups are scaled by the part of the interval in which the group ran; counts
 * of sets, of which an interval has only one, by the part of all time that the set had.
 */
static void
add_scaled(struct figures *fs, struct gather *g, const struct sums *sums,
    uint8_t kind)
{
	const struct interval *now = &g->now;

	if (sums->turns == NULL || !figures_room_for(fs, sums->ncol))
		return;
	for (unsigned c = 0; c < sums->ncol && c < now->ncol; c++)
		if (sums->turns->kind[c] == kind && sums->share != NULL &&
		    sums->share[c] > 0 && (now->left_out == 0 ||
		    now->kind[c] <= DELTA_WRAPPED))
			fs->scaled[c] += (double)now->delta[c] / sums->share[c];
}

double
figures_scaled(const struct figures *fs, const struct sums *sums,
    uint32_t column)
{
	return sums->turns == NULL || column >= fs->nscaled ||
	    sums->turns->kind[column] == TURN_NONE ? (double)NAN :
	    fs->scaled[column];
}

/* Updates figures whose events are in several sets, at the end of each round of these.
 * Without memory they keep their values. */
static void
take_round(struct figures *fs, struct gather *g)
{
	unsigned round = gather_round(g);
	const struct sums *sums;

	if (round < 2)
		return;
	fs->recent.span = (round + 1) * g->now.seconds;
	if (recent_take(&fs->recent, g) < 0)
		return;
	sums = recent_round(&fs->recent, g);
	for (unsigned i = 0; sums != NULL && i < fs->n; i++) {
		struct live_figure *x = &fs->figure[i];
		struct figure one;

		if (!x->several)
			continue;
		one = binding_eval(&g->binding, x->bound, &x->window, sums);
		figures_take(x, &one, sums->seconds);
		fs->wrong += x->wrong;
	}
}

void
figures_interval(struct follow *f)
{
	struct figures *fs = f->of;
	const struct sums *sums = gather_interval(&f->gather);

	add_scaled(fs, &f->gather, sums, TURN_GROUP);
	fs->wrong = 0;
	for (unsigned i = 0; i < fs->n; i++) {
		struct live_figure *x = &fs->figure[i];
		struct figure one;

		if (x->several)
			continue;
		one = binding_eval(&f->gather.binding, x->bound, &x->window,
		    sums);
		/* keep the value of the last interval that had its set */
		if (x->turns && isnan(one.value) && !one.wrong)
			continue;
		figures_take(x, &one, sums->seconds);
		fs->wrong += x->wrong;
	}
	if (sums->turns == NULL)
		return;
	take_round(fs, &f->gather);
	add_scaled(fs, &f->gather, gather_sums(&f->gather), TURN_SET);
}

void
figures_fini(struct figures *fs)
{
	free(fs->figure);
	free(fs->scaled);
	recent_fini(&fs->recent);
	*fs = (struct figures){ .n = 0 };
}
