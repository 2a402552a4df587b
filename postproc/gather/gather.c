/*
 * postproc/gather/gather.c - one dump, taken in: deltas added up over a range.
 */
#include "postproc/gather/gather_int.h"

#include "config/texts.h"
#include "lib/array.h"
#include "postproc/data/dump_node.h"
#include "postproc/metrics/dump_metrics.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Columns that have come since the last time. */
static int
gather_take_columns(struct gather *g)
{
	struct gather_private *p = g->p;
	/* the reader may be a sample ahead, and know more */
	unsigned n = p->pending || g->now.ncol > 0 ? g->now.ncol :
	    read_columns(g->reader);
	int rc = gather_grow(p, n);

	for (; rc == 0 && g->ncol < n; g->ncol++) {
		const struct column *c = read_column(g->reader, g->ncol);

		if (!class_is_counter(c->cls) && c->cls != CLASS_WALL)
			p->of_reading[p->nof_reading++] = g->ncol;
		/* it was absent while it was not there yet */
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

static double
wall(const struct gather *g, const uint64_t *value, unsigned n)
{
	int s = g->p->wall_s, us = g->p->wall_us;

	if (s < 0 || (unsigned)s >= n || value[s] == ABSENT)
		return 0;
	return (double)value[s] + (us < 0 || (unsigned)us >= n ||
	    value[us] == ABSENT ? 0 : (double)value[us] / 1e6);
}

/* The date of the range's ends, by samples whose wall clock no other clock
 * contradicts.  Now: the row is gone when the reader has seen the next one. */
static void
take_date(struct gather *g)
{
	double at = wall(g, g->now.value, g->now.ncol);

	if (intervals_verdict(g->intervals)->odd & BY_WALL)
		at = g->wall_last > 0 ? g->wall_last + g->now.seconds : 0;
	else if (g->wall_first == 0 && at > 0)
		g->wall_first = at - g->p->sums.seconds;
	g->wall_last = at;
}

int
gather_open(struct gather *g, const char *path, const struct metrics *metrics,
    const char *topology, const struct select *select, struct diag *why)
{
	int rc;

	*g = (struct gather){ .path = path };
	if ((g->p = calloc(1, sizeof *g->p)) == NULL)
		return -ENOMEM;
	if ((rc = intervals_open(&g->intervals, path, select, why)) < 0)
		return rc;
	g->reader = intervals_reader(g->intervals);
	/* the original's dumps name their columns in the samples only */
	if ((rc = intervals_next(g->intervals, &g->now, why)) < 0)
		return rc;
	g->p->pending = rc == 1;
	if ((rc = gather_take_columns(g)) < 0 ||
	    (rc = topology_of_dump(&g->topo, g->reader, g->series.nlproc,
	    g->series.npkg, topology, why)) < 0)
		return rc;
	node_name(g->host, g->reader);
	if (g->p->pending && !(intervals_verdict(g->intervals)->odd & BY_WALL))
		g->wall_first = wall(g, g->now.before, g->now.ncol);
	rc = binding_init(&g->binding, metrics, &g->series, &g->topo,
	    g->reader);
	g->binding.tsc_hz = intervals_tsc_hz(g->intervals);
	return rc;
}

int
gather_follow(struct gather *g, const struct gather *of,
    const struct metrics *metrics)
{
	int rc;

	*g = (struct gather){ .path = of->path, .intervals = of->intervals,
	    .reader = of->reader, .topo = of->topo, .now = of->now,
	    .wall_first = of->wall_first };
	memcpy(g->host, of->host, sizeof g->host);
	if ((g->p = calloc(1, sizeof *g->p)) == NULL)
		return -ENOMEM;
	g->p->of = of;
	if ((rc = gather_take_columns(g)) < 0)
		return rc;
	rc = binding_init(&g->binding, metrics, &g->series, &g->topo,
	    g->reader);
	g->binding.tsc_hz = of->binding.tsc_hz;
	return rc;
}

void
gather_close(struct gather *g)
{
	struct gather_private *p = g->p;

	binding_fini(&g->binding);
	series_fini(&g->series);
	if (p == NULL || p->of == NULL) {
		topology_fini(&g->topo);
		intervals_close(g->intervals);
	}
	if (p != NULL) {
		turns_fini(&p->turns);
		own_time_fini(&p->own);
		together_fini(&p->together);
		together_fini(&p->now_together);
		batches_fini(&p->batches);
		batch_sums_fini(&p->without);
		free(p->total);
		free(p->unknown_s);
		free(p->left_out);
		free(p->doubt);
		free(p->reading);
		free(p->nreading);
		free(p->value);
		free(p->share);
		free(p->stretch);
		free(p->now_left_out);
		free(p->of_reading);
		free(p->set);
		free(p->seen);
		free(p->bit);
		free(p->columns);
		free(p);
	}
	*g = (struct gather){ 0 };
}

/* Ours, and beside them the user's; or these alone. */
static int
load_metrics(struct metrics *m, const struct reader *r,
    const struct gather_ask *ask, struct diag *why)
{
	const char *model = head_text(r, HEAD_MODEL, ALONE, NULL);
	bool ours = !ask->only_lists;
	int rc = ours ? metrics_load_for(m, NULL, model, why) : 0;
	char name[80];

	snprintf(name, sizeof name, "@%s-io", model ? model : "skx");
	if (rc == 0 && ours && ask->io && text_named(name, TEXT_METRICS) != NULL)
		rc = metrics_load(m, name, why);
	m->own = true;
	for (unsigned i = 0; rc == 0 && i < ask->nmetrics; i++)
		rc = metrics_load_for(m, ask->metrics[i], model, why);
	return rc == 0 && ours ? file_metrics_add(m, r, why) : rc;
}

int
gather_metrics(const struct gather *g, struct metrics *m,
    const struct gather_ask *ask, struct diag *why)
{
	int rc = load_metrics(m, g->reader, ask, why);

	return rc < 0 || ask->events == NULL ? rc :
	    event_metrics_add(m, &g->series, ask->events, why);
}

int
gather_load(struct gather *g, struct metrics *m, const char *path,
    const struct gather_ask *ask, struct diag *why)
{
	int rc;

	if ((rc = metrics_init(m)) < 0 || (rc = gather_open(g, path, m,
	    ask->topology, &ask->select, why)) < 0)
		return rc;
	return gather_metrics(g, m, ask, why);
}

void
gather_unload(struct gather *g, struct metrics *m)
{
	if (g->p != NULL)
		gather_close(g);
	metrics_fini(m);
}

/* Room for the watches that were bound since the last time. */
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

/* Columns have come: metrics may have more inputs.  What was seen of a status
 * bit so far goes on where it is now. */
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

/* Kinds are looked at only where something is left out: the deltas of these are 0;
 * those of readings are noise, and never used. */
static void
add_deltas(struct gather *g)
{
	const uint64_t *delta = g->now.delta;
	uint64_t *total = g->p->total;
	unsigned n = g->now.ncol;

	for (unsigned i = 0; i < n / 2; i++)
		((two_columns *)total)[i] += ((const two_columns *)delta)[i];
	if (n % 2 != 0)
		total[n - 1] += delta[n - 1];
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
	p->pending = false;
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
}
