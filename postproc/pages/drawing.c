/*
 * postproc/pages/drawing.c - what drawings of all kinds of nodes are made of.
 */
#include "postproc/pages/drawing.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define WIDTH 100
#define IN_USE 1.0              /* %, of a core that is not idle */

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

/* What the lines below the drawing are to say of a figure; its mark. */
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

const char *
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

/* The value of the busiest lproc of a core; of one whose others are not known, or
 * not all of the time, that is less than all of it. */
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

/* Of all cores of the node. */
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
	char text[512];         /* a character each: . 1 to 9 # */
	unsigned n, used, known;
	double sum;             /* of what is known, in the metric's unit */
	bool lacks;             /* not all is */
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
	/* where nothing says how long a core runs, its cycles do */
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
