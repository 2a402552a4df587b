/*
 * postproc/io/io_unit.c - an I/O unit: its share of figures of its package, and its
 * counts.
 */
#include "postproc/io/io_page.h"

#include <math.h>
#include <string.h>

bool
io_l3_metric(const char *metric)
{
	return strncmp(metric, "io_l3_", 6) == 0;
}

struct io_l3
io_unit_l3(struct io_page *p, const char *metric, int pkg, int stack)
{
	const char *of = strstr(metric, "read") ? "io_reads" : "io_writes";
	bool hit = strstr(metric, "_hit") != NULL;
	struct io_l3 x = { .figure = io_figure(p, metric, pkg, -1) };
	struct figure own = io_figure(p, of, pkg, stack);
	double miss = (hit ? 100 - x.figure.value : x.figure.value) / 100;

	x.share = own.value / io_figure(p, of, pkg, -1).value;
	if (!(x.share > 0)) {
		own.value = own.value == 0 ? (double)NAN : own.value;
		own.metric = x.figure.metric;
		x.figure = own;
		return x;
	}
	/* bounds: all requests of the other units missed, or none did */
	x.lo = 100 * fmax(0, (miss - (1 - x.share)) / x.share);
	x.hi = 100 * fmin(1, miss / x.share);
	if (hit) {
		double most = 100 - x.lo;

		x.lo = 100 - x.hi;
		x.hi = most;
	}
	return x;
}

const char *
io_unit_event(const struct series *s, const char **event)
{
	static const char *const box[][2] = { { "IIO", "iio" },
		{ "IRP", "irp" }, { "M2PCIe", "m2pcie" } };
	const char *family;

	for (size_t i = 0; i < 3 && s->event != NULL; i++)
		if (series_counts(s, box[i][0])) {
			*event = event_plain(s->event, &family);
			return box[i][1];
		}
	return NULL;
}

/* The standard error of a column, as a figure has it: by what it would be without each
 * batch of turns, of a few units by what these missed, and by chance. */
static double
count_error(const struct sums *s, uint32_t c, double value)
{
	double chance = batches_chance(s->value[c], s->share[c]);
	double pace = 0, less[BATCHES], error = 0;

	if (s->turns == NULL)           /* some intervals are left out */
		return NAN;
	if (s->batches->unit < STEPS_LEAST)
		pace = s->turns->between ? value * batches_off(s->batches) :
		    (double)NAN;
	for (unsigned i = 0; s->without != NULL &&
	    i < batches_count(s->batches); i++)
		less[i] = s->without[i].value[c] / s->without[i].share[c];
	if (s->without != NULL)
		error = batches_error(s->batches, value, less);
	return s->without != NULL && s->batches->unit >= STEPS_LEAST ?
	    batches_add_chance(s->batches, error, chance) :
	    sqrt(error * error + pace * pace + chance * chance);
}

struct figure
io_unit_count(const struct io_page *p, const struct series *s, int pkg,
    int stack)
{
	const struct sums *sums = &p->sums;
	struct figure f = { .value = NAN, .ran = 1 };

	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t c = s->unit[i].column;

		if (s->unit[i].unit != (uint32_t)pkg ||
		    s->unit[i].box != (uint32_t)stack || c >= sums->ncol)
			continue;
		f.ran = sums->share != NULL ? sums->share[c] : 1;
		f.value = f.ran > 0 ? sums->value[c] / f.ran : (double)NAN;
		f.no_turn = f.ran > 0 ? TURN_NONE : TURN_SET;
		if (figure_is_estimate(&f) && !isnan(f.value))
			f.error = count_error(sums, c, f.value);
		return f;
	}
	return f;
}
