/*
 * postproc/pages/drawing_lines.c - lines of the view in the drawing of a package:
 * figures and gauges of what was counted (config/page/README, `line`).
 */
#include "postproc/pages/drawing.h"
#include "postproc/pages/report_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CHANNELS 2              /* of DRAM, of an Atom C2000 */

/* A line of the drawing while it is put together. */
struct joined {
	char text[200];
	size_t n;
	int pkg, box;           /* whose figures they are, -1: all */
	bool any, gauge;        /* a figure, a gauge was counted */
};

static void join(struct joined *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

static void
join(struct joined *j, const char *fmt, ...)
{
	va_list ap;

	if (j->n >= sizeof j->text)
		return;
	va_start(ap, fmt);
	j->n += (size_t)vsnprintf(j->text + j->n, sizeof j->text - j->n, fmt,
	    ap);
	va_end(ap);
}

/* What a channel of DRAM can do, MB/s: 8 bytes, twice a command clock; 0: not
 * known. */
static double
channel_max(const struct drawing *d)
{
	return d->dram_max > 0 ? d->dram_max / CHANNELS / 1e6 :
	    head_number(d->io.gather.reader, HEAD_DRAM_BASE_HZ, ALONE, 0) *
	    16 / 1e6;
}

static bool
is_channel(const struct drawing *d, const struct view_item *x)
{
	return x->gauge && strcmp(metrics_find(&d->io.metrics, x->metric)->unit,
	    "%") != 0;
}

static bool
drawing_lines_counted(struct drawing *d, const struct view_item *x)
{
	return io_missing(&d->io, x->metric) == NULL && (!is_channel(d, x) ||
	    channel_max(d) > 0);
}

/* first: nothing of the line stands before it. */
static void
join_item(struct drawing *d, struct joined *j, const struct view_item *x,
    bool first)
{
	struct figure f;
	char buf[40];

	join(j, "%s", x->title + (first ? strspn(x->title, " ") : 0));
	if (!drawing_lines_counted(d, x)) {
		join(j, "%8s%s", "-", x->unit);
		return;
	}
	f = io_figure(&d->io, x->metric, j->pkg, j->box);
	if (is_channel(d, x)) {
		f.value *= 100 / channel_max(d);
		d->of_channel = true;
	}
	join(j, "%s%s", x->gauge ? draw_gauge(d, buf, sizeof buf, f) :
	    draw_decimals(d, buf, sizeof buf, f, x->decimals), x->unit);
	j->gauge |= x->gauge;
}

/* Joins all that was counted, item by item of those that belong together. */
static void
join_items(struct drawing *d, struct joined *j, const struct view_line *x)
{
	for (unsigned from = 0, to; from < x->nitem; from = to) {
		bool any = false, first = !j->any;

		for (to = from; to < x->nitem && (to == from ||
		    (!x->item[to - 1].gauge &&
		    x->item[to - 1].unit[0] == '\0')); to++)
			any |= drawing_lines_counted(d, &x->item[to]);
		if (!any || (x->item[from].or && j->any))
			continue;
		j->any = true;
		for (unsigned i = from; i < to; i++)
			join_item(d, j, &x->item[i], first && i == from);
	}
}

/* "UPI 2"; "Module 0 lprocs 0 1". */
static const char *
title_of(const struct drawing *d, const struct view_line *x, int box,
    char *buf, size_t size)
{
	char lprocs[160];

	if (box >= 0)
		snprintf(buf, size, "%s %d", x->title, box);
	else
		snprintf(buf, size, "%s%s", x->title, x->module == 0 ? "" :
		    soc_lprocs(&d->io.gather, x->module - 1, lprocs,
		    sizeof lprocs));
	return buf;
}

/* Does the CPU have any metric of a line? */
static bool
is_known(const struct drawing *d, const struct view_line *x)
{
	for (unsigned i = 0; i < x->nitem; i++)
		if (metrics_find(&d->io.metrics, x->item[i].metric) != NULL)
			return true;
	return false;
}

/* Draws a line, unless nothing was counted and nobody expects it: of a module that
 * is not there, of what few nodes have. */
static bool
draw_one(struct drawing *d, const struct view_line *x, struct joined j,
    int width)
{
	char title[200];
	bool bare;

	title_of(d, x, j.box, title, sizeof title);
	bare = x->module > 0 && strcmp(title, x->title) == 0;
	join(&j, "%-*s ", width, title);
	join_items(d, &j, x);
	if (!j.any && (x->rare || bare || !is_known(d, x)))
		return false;
	draw_line(d, "%s%s", j.text, j.any ? "" : "not counted");
	return j.gauge;
}

/* Draws a line for each box of a package that the first metric has; returns whether
 * any has a gauge. */
static bool
draw_boxes(struct drawing *d, const struct view_line *x, int pkg, int width)
{
	const struct binding *b = &d->io.gather.binding;
	int m = io_bind(&d->io, x->item[0].metric);
	unsigned n = m < 0 ? 0 : binding_windows(b, (unsigned)m, SCOPE_OF_BOX);
	bool gauge = false, any = false;

	for (unsigned i = 0; i < n; i++) {
		struct window w;

		if (!binding_window(b, (unsigned)m, SCOPE_OF_BOX, i, &w) ||
		    w.pkg_lo != (unsigned)pkg)
			continue;
		any = true;
		gauge |= draw_one(d, x, (struct joined){ .pkg = pkg,
		    .box = (int)w.box }, width);
	}
	return any ? gauge : draw_one(d, x, (struct joined){ .pkg = pkg,
	    .box = -1 }, width);
}

void
draw_lines(struct drawing *d, unsigned pkg)
{
	const struct view_line *x = NULL;
	const char *note = NULL;
	char title[200];
	size_t width = 8;

	while ((x = view_next(&d->io.view, VIEW_LINE, x)) != NULL) {
		size_t n = strlen(title_of(d, x, -1, title, sizeof title));

		width = n > width ? n : width;
	}
	while ((x = view_next(&d->io.view, VIEW_LINE, x)) != NULL) {
		struct joined at = { .pkg = x->scope == SCOPE_OF_NODE ? -1 :
			(int)pkg, .box = -1 };
		bool gauge = x->scope == SCOPE_OF_BOX && x->nitem > 0 ?
		    draw_boxes(d, x, (int)pkg, (int)width) :
		    draw_one(d, x, at, (int)width);

		note = gauge && x->note[0] != '\0' ? x->note : note;
	}
	if (note != NULL)
		draw_line(d, "%*s %s", (int)width, "", note);
	if (d->of_channel)
		draw_line(d, "%*s of %.0f MB/s each%s", (int)width, "",
		    channel_max(d), d->dram_max > 0 ? ", by --dram-max" :
		    ", by dram_base_hz as configured");
}
