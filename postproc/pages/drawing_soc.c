/*
 * postproc/pages/drawing_soc.c - an Atom C2000: its modules of two cores, the
 * fabrics and the memory channels, by the metrics of config/metrics/slm.metrics.
 */
#include "postproc/pages/drawing.h"
#include "postproc/pages/report_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CHANNELS 2
#define MODULES 4
#define TITLE 19                /* "Module 0 lprocs 0 1" */

/* A line that is put together of what was counted. */
struct joined {
	char text[200];
	size_t n;
};

static void drawing_soc_join(struct joined *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

static void
drawing_soc_join(struct joined *j, const char *fmt, ...)
{
	va_list ap;

	if (j->n >= sizeof j->text)
		return;
	va_start(ap, fmt);
	j->n += (size_t)vsnprintf(j->text + j->n, sizeof j->text - j->n, fmt,
	    ap);
	va_end(ap);
}

/* mod0 and _read: the figure, where the dump has it. */
static bool
drawing_soc_figure_of(struct drawing *d, const char *who, const char *what,
    struct figure *out)
{
	char name[64];

	snprintf(name, sizeof name, "%s%s", who, what);
	if (io_missing(&d->io, name) != NULL)
		return false;
	*out = io_figure(&d->io, name, -1, -1);
	return true;
}

/* " read  1312.0" MB/s, or " snoops    3.00" M/s */
static void
join_figure(struct drawing *d, struct joined *j, const char *before,
    struct figure x, const char *after)
{
	char buf[24];

	drawing_soc_join(j, "%s%s%s", before,
	    draw_decimals(d, buf, sizeof buf, x,
	    strcmp(after, " M/s") == 0 ? 2 : 1), after);
}

/* What an agent does: bandwidth, or where that was not counted, about what it
 * asks for; snoops, requests. */
static void
join_traffic(struct drawing *d, struct joined *j, const char *who)
{
	struct figure x, y;

	if (drawing_soc_figure_of(d, who, "_read", &x) &&
	    drawing_soc_figure_of(d, who, "_write", &y)) {
		join_figure(d, j, " read", x, "");
		join_figure(d, j, " write", y, " MB/s");
	} else if (drawing_soc_figure_of(d, who, "_estimate", &x))
		join_figure(d, j, " about", x, " MB/s");
	if (drawing_soc_figure_of(d, who, "_requests", &x))
		join_figure(d, j, " requests", x, " M/s");
	if (drawing_soc_figure_of(d, who, "_snoops", &x))
		join_figure(d, j, " snoops", x, " M/s");
}

/* title: how much of the line is no figure yet. */
static void
drawing_soc_put(struct drawing *d, const struct joined *j, size_t title)
{
	draw_line(d, "%s%s", j->text, j->n <= title ? " not counted" : "");
}

/* A module that is there, or was counted. */
static void
draw_module(struct drawing *d, unsigned n)
{
	struct joined j = { .n = 0 };
	char who[16], lprocs[160];
	size_t title, bare;

	drawing_soc_join(&j, "Module %u", n);
	bare = j.n;
	drawing_soc_join(&j, "%s",
	    soc_lprocs(&d->io.gather, n, lprocs, sizeof lprocs));
	drawing_soc_join(&j, "%*s", j.n < TITLE ? (int)(TITLE - j.n) : 0, "");
	title = j.n;
	snprintf(who, sizeof who, "mod%u", n);
	join_traffic(d, &j, who);
	if (j.n > title || strspn(j.text + bare, " ") < title - bare)
		drawing_soc_put(d, &j, title);
}

static void
draw_fabric(struct drawing *d, const char *title, const char *metric)
{
	struct joined j = { .n = 0 };

	drawing_soc_join(&j, "%-*s", TITLE, title);
	join_traffic(d, &j, metric);
	drawing_soc_put(d, &j, TITLE);
}

/* What a channel can do, MB/s: 8 bytes, twice a command clock. */
static double
channel_max(const struct drawing *d)
{
	return d->dram_max > 0 ? d->dram_max / CHANNELS / 1e6 :
	    head_number(d->io.gather.reader, HEAD_DRAM_BASE_HZ, ALONE, 0) *
	    16 / 1e6;
}

static void
draw_channel(struct drawing *d, unsigned n, double most)
{
	struct joined j = { .n = 0 };
	struct figure x;
	char who[16], gauge[40];

	snprintf(who, sizeof who, "ddr%u", n);
	drawing_soc_join(&j, "Channel %-*u", TITLE - 8, n);
	join_traffic(d, &j, who);
	if (most > 0 && drawing_soc_figure_of(d, who, "", &x)) {
		x.value *= 100 / most;
		drawing_soc_join(&j, " %s",
		    draw_gauge(d, gauge, sizeof gauge, x));
	}
	if (drawing_soc_figure_of(d, who, "_self_refresh", &x))
		join_figure(d, &j, " self-refresh", x, " %");
	drawing_soc_put(d, &j, TITLE);
}

void
draw_soc(struct drawing *d)
{
	double most = channel_max(d);
	struct figure x;

	for (unsigned k = 0; k < MODULES; k++)
		draw_module(d, k);
	draw_fabric(d, "High-speed fabric", "high");
	draw_fabric(d, "Low-speed fabric", "low");
	for (unsigned k = 0; k < CHANNELS; k++)
		draw_channel(d, k, most);
	if (most > 0 && (drawing_soc_figure_of(d, "ddr0", "", &x) ||
	    drawing_soc_figure_of(d, "ddr1", "", &x)))
		draw_line(d, "%*s of %.0f MB/s each%s", TITLE, "", most,
		    d->dram_max > 0 ? ", by --dram-max" :
		    ", by dram_base_hz as configured");
}
