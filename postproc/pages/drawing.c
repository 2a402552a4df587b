/*
 * postproc/pages/drawing.c - what the drawing of a node in text is made of.
 */
#include "postproc/pages/drawing.h"
#include "postproc/pages/report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define WIDTH 100
#define IN_USE 1.0              /* %: a core with less is idle */
#define CHANNELS 2              /* of DRAM, of an Atom C2000 */

void
draw_line(struct drawing *d, const char *fmt, ...)
{
	char text[WIDTH * 2];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	fprintf(d->f, "| %-*.*s |\n", WIDTH - 4, WIDTH - 4, text);
}

void
draw_edge(struct drawing *d, const char *title)
{
	int n = fprintf(d->f, "+--%s%s%s", title[0] ? " " : "", title,
	    title[0] ? " " : "");

	while (n++ < WIDTH - 1)
		putc('-', d->f);
	fputs("+\n", d->f);
}

/* Notes what the lines below the drawing have to explain.  Returns the figure's mark. */
static char
drawing_take(struct drawing *d, const struct figure *x)
{
	char mark = figure_mark(x);

	why_not_take(&d->why_not, &d->io.gather.binding, x);
	d->marked |= !isnan(x->value) && mark != ' ';
	d->in_part |= !isnan(x->value) && x->without != NULL;
	return mark;
}

const char *
draw_gauge(struct drawing *d, char *buf, size_t size, struct figure x)
{
	char bar[11] = "..........";
	double percent = x.value;
	char mark;

	x.wrong |= percent > 100;
	mark = drawing_take(d, &x);
	if (isnan(percent)) {
		snprintf(buf, size, "[----------]     n/a");
		return buf;
	}
	for (int i = 0; i < 10 && percent >= 10 * i + 5; i++)
		bar[i] = '#';
	snprintf(buf, size, "[%s] %5.1f %%%.1s", bar, percent,
	    mark == ' ' ? "" : &mark);
	return buf;
}

/* Formats a figure with so many decimals, as draw_figure does. */
static const char *
draw_decimals(struct drawing *d, char *buf, size_t size, struct figure x,
    int decimals)
{
	char mark = drawing_take(d, &x);

	if (isnan(x.value))
		snprintf(buf, size, "%8s", "n/a");
	else if (mark == ' ')
		snprintf(buf, size, "%8.*f", decimals, x.value);
	else
		snprintf(buf, size, "%7.*f%c", decimals, x.value, mark);
	return buf;
}

const char *
draw_figure(struct drawing *d, char *buf, size_t size, struct figure x)
{
	return draw_decimals(d, buf, size, x, 3);
}

/* ---- cores ----------------------------------------------------------------- */

/* The value of the busiest lproc of a core.  *lacks is set if some lproc is not known,
 * or not all of the time: then another may be busier. */
static double
busiest(const struct drawing *d, unsigned m, unsigned pkg, uint32_t core,
    bool *lacks)
{
	const struct topology *t = &d->io.gather.topo;
	double most = NAN;

	for (uint32_t r = t->core_first[core]; r < t->core_first[core + 1];
	    r++) {
		struct window w = { .scope = SCOPE_OF_LPROC, .lo = r,
		    .hi = r + 1, .pkg_lo = pkg, .pkg_hi = pkg + 1,
		    .thread = -1 };

		struct figure f = binding_eval(&d->io.gather.binding, m, &w,
		    &d->io.sums);

		*lacks |= isnan(f.value) || figure_lacks(&f);
		most = fmax(f.value, most);
	}
	return most;
}

/* The value of the busiest core of the node. */
static double
most_of_all(const struct drawing *d, unsigned m)
{
	const struct topology *t = &d->io.gather.topo;
	double most = 0;
	bool lacks = false;

	for (unsigned k = 0; k < t->npkg; k++)
		for (uint32_t c = t->pkg_core[k]; c < t->pkg_core[k + 1]; c++)
			most = fmax(most, busiest(d, m, k, c,
			    &lacks));
	return most;
}

struct core_row {
	char text[512];         /* a character per core: . 1 to 9 # or ? */
	unsigned n, used, known;
	double sum;             /* over the known ones, in the metric's unit */
	bool lacks;             /* something is not known */
};

static void
look_at_cores(const struct drawing *d, unsigned m, unsigned pkg, double full,
    struct core_row *row)
{
	const struct topology *t = &d->io.gather.topo;

	*row = (struct core_row){ .n = 0 };
	for (uint32_t c = t->pkg_core[pkg]; c < t->pkg_core[pkg + 1] &&
	    row->n < sizeof row->text - 1; c++) {
		double x = busiest(d, m, pkg, c, &row->lacks);
		double part = full > 0 ? 100 * x / full : x;

		row->text[row->n++] = isnan(x) ? '?' : part < IN_USE ? '.' :
		    part >= 95 ? '#' :
		    (char)('0' + (int)(part / 10 < 1 ? 1 : part / 10));
		if (isnan(x))
			continue;
		row->used += part >= IN_USE;
		row->sum += x;
		row->known++;
	}
}

void
draw_cores(struct drawing *d, unsigned pkg)
{
	const struct binding *b = &d->io.gather.binding;
	int m = io_bind(&d->io, "utilisation");
	int cycles = io_bind(&d->io, "mean_frequency");
	/* where utilisation is not counted, cycles tell how busy a core is */
	bool by_cycles = cycles >= 0 && b->bound[cycles].nmissing == 0 &&
	    (m < 0 || b->bound[m].nmissing > 0);
	struct core_row row;
	const char *mark;

	if (by_cycles)
		m = cycles;
	if (m < 0 || b->bound[m].nmissing > 0) {
		draw_line(d, "Cores    %s%s", m < 0 ? "n/a: utilisation is " :
		    "n/a: missing ", io_missing(&d->io, "utilisation"));
		return;
	}
	look_at_cores(d, (unsigned)m, pkg, by_cycles ? most_of_all(d,
	    (unsigned)m) : 100, &row);
	mark = row.lacks ? "*" : "";
	d->marked |= row.lacks && row.known > 0;
	if (row.known == 0)
		draw_line(d, "Cores    n/a: nothing is known of any");
	else if (by_cycles)
		draw_line(d, "Cores    %u of %u in use, %.3f%s GHz on "
		    "average, halted time as 0; tenths of the busiest",
		    row.used, row.known, row.sum / row.known, mark);
	else
		draw_line(d, "Cores    %u of %u in use, busiest threads %.1f%s "
		    "%% on average", row.used, row.known,
		    row.sum / row.known, mark);
	for (unsigned i = 0; i < row.n; i += 64)
		draw_line(d, "         %.64s", row.text + i);
}

/* ---- lines of the view: figures and gauges (config/page/README, `line`) ------- */

/* A line of the drawing while it is put together. */
struct joined {
	char text[200];
	size_t n;
	int pkg, box;           /* which unit's figures; -1: of all */
	bool any, gauge;        /* it has a figure that was counted; a gauge */
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

/* The peak of a DRAM channel, MB/s: 8 bytes, twice per command clock; 0: not known. */
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
drawing_counted(struct drawing *d, const struct view_item *x)
{
	return io_missing(&d->io, x->metric) == NULL && (!is_channel(d, x) ||
	    channel_max(d) > 0);
}

/* Joins an item; first: nothing of the line stands before it. */
static void
join_item(struct drawing *d, struct joined *j, const struct view_item *x,
    bool first)
{
	struct figure f;
	char buf[40];

	join(j, "%s", x->title + (first ? strspn(x->title, " ") : 0));
	if (!drawing_counted(d, x)) {
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

/* Joins the items that were counted.  Items belong together up to one with a unit or a
 * gauge; such a group is left out where none of it was counted. */
static void
join_items(struct drawing *d, struct joined *j, const struct view_line *x)
{
	for (unsigned from = 0, to; from < x->nitem; from = to) {
		bool any = false, first = !j->any;

		for (to = from; to < x->nitem && (to == from ||
		    (!x->item[to - 1].gauge &&
		    x->item[to - 1].unit[0] == '\0')); to++)
			any |= drawing_counted(d, &x->item[to]);
		if (!any || (x->item[from].or && j->any))
			continue;
		j->any = true;
		for (unsigned i = from; i < to; i++)
			join_item(d, j, &x->item[i], first && i == from);
	}
}

/* Writes the title of a line: "UPI 2", "Module 0 lprocs 0 1". */
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

/* Does the CPU's list have some metric of a line? */
static bool
is_known(const struct drawing *d, const struct view_line *x)
{
	for (unsigned i = 0; i < x->nitem; i++)
		if (metrics_find(&d->io.metrics, x->item[i].metric) != NULL)
			return true;
	return false;
}

/* Draws a line, unless nothing of it was counted and nobody misses it: it is of a module
 * that the node lacks, or few nodes have it.  Returns whether it has a gauge. */
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
