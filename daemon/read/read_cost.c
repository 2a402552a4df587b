/*
 * daemon/read/read_cost.c - chooses the way to read, by what was measured of each.
 */
#include "daemon/read/read_cost.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The cost of a context switch or an interrupt to a busy lproc: some microseconds of the
 * kernel, and cold caches afterwards. */
#define EVENT_US 5
/* Another way is taken if it costs less than this part of the best so far. */
#define CLEARLY_LESS 0.7
#define FOR_REMOTE 0.5
/* And remote reading only if it sends at most this many interrupts more than twice as many
 * as the best so far. */
#define FEW_INTERRUPTS 4
/* Or if it costs about as much, and its sample lasts less than this part. */
#define SHORTER 0.5
/* But not if its sample lasts so many times as long: its values would be too far apart in
 * time. */
#define TOO_LONG 8

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median(const struct read_trials *t, size_t offset)
{
	double v[READ_TRIALS];

	for (unsigned i = 0; i < t->n; i++)
		memcpy(&v[i], (const char *)&t->of[i] + offset, sizeof(v[i]));
	qsort(v, t->n, sizeof(v[0]), by_value);
	return (v[(t->n - 1) / 2] + v[t->n / 2]) / 2;
}

struct read_cost
read_cost_median(const struct read_trials *t)
{
	struct read_cost c = { .wall_us = 0 };

	if (t->n == 0)
		return c;
	c.wall_us = median(t, offsetof(struct read_cost, wall_us));
	c.cpu_us = median(t, offsetof(struct read_cost, cpu_us));
	c.switches = median(t, offsetof(struct read_cost, switches));
	c.interrupts = median(t, offsetof(struct read_cost, interrupts));
	return c;
}

double
read_cost_us(const struct read_cost *c)
{
	return c->cpu_us + EVENT_US * (c->switches + c->interrupts);
}

/* Is way `m` better than the best one so far? */
static bool
is_better(const struct read_cost *cost, enum read_mode m, enum read_mode best)
{
	const struct read_cost *a = &cost[m], *b = &cost[best];
	double less = m == READ_REMOTE ? FOR_REMOTE : CLEARLY_LESS;

	if (!(a->wall_us > 0))
		return false;
	if (!(b->wall_us > 0))
		return true;
	if (m == READ_REMOTE && a->interrupts > 2 * b->interrupts +
	    FEW_INTERRUPTS)
		return false;
	if (read_cost_us(a) < less * read_cost_us(b))
		return a->wall_us < TOO_LONG * b->wall_us;
	return m != READ_REMOTE && read_cost_us(a) * CLEARLY_LESS < read_cost_us(b) &&
	    a->wall_us < SHORTER * b->wall_us;
}

enum read_mode
read_cost_choose(const struct read_cost cost[READ_MODES])
{
	static const enum read_mode others[] = {
		READ_PINNED, READ_BATCH, READ_REMOTE
	};
	enum read_mode best = READ_VISIT;

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (is_better(cost, others[i], best))
			best = others[i];
	return best;
}

void
read_cost_text(const struct read_cost cost[READ_MODES], char *buf, size_t size)
{
	size_t n = 0;

	buf[0] = '\0';
	for (enum read_mode m = READ_BATCH; m < READ_MODES && n < size; m++) {
		const struct read_cost *c = &cost[m];
		const char *and = m + 1 < READ_MODES ? "; " : "";

		if (c->wall_us > 0)
			n += (size_t)snprintf(buf + n, size - n, "%s %.0f us, CPU "
			    "%.0f us, %.0f switches, %.0f interrupts%s",
			    read_mode_name(m), c->wall_us, c->cpu_us,
			    c->switches, c->interrupts, and);
		else
			n += (size_t)snprintf(buf + n, size - n, "%s not "
			    "available%s", read_mode_name(m), and);
	}
}
