/*
 * postproc/cmd/cmd_platform.c - tally platform: the node as a drawing in text, 100
 * columns wide: packages, cores in use, DRAM, UPI and I/O stacks with their
 * average load.
 */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/cmd/commands.h"
#include "postproc/data/dram_max.h"
#include "postproc/pages/io_page.h"
#include "postproc/pages/why_not.h"

#define WIDTH 100
#define IN_USE 1.0              /* %, of a core that is not idle */

static const char usage[] =
"usage: tally platform [OPTION]... FILE...\n"
"The node, drawn: packages, cores in use, DRAM, UPI and I/O stacks with their\n"
"average load.  The figures as rows: tally report --io -f csv.\n"
MORE_METRICS_HELP
DRAM_MAX_HELP
DRAWING_HELP;

struct drawing {
	struct io_page io;
	FILE *f;
	double dram_max;        /* bytes/s by hand, 0: none */
	bool marked;            /* a figure lacks some, or cannot be */
	struct why_not why_not;
};

static void line(struct drawing *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

/* One line inside a box: cut or filled up to its width. */
static void
line(struct drawing *d, const char *fmt, ...)
{
	char text[WIDTH * 2];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	fprintf(d->f, "| %-*.*s |\n", WIDTH - 4, WIDTH - 4, text);
}

static void
edge(struct drawing *d, const char *title)
{
	int n = fprintf(d->f, "+--%s%s%s", title[0] ? " " : "", title,
	    title[0] ? " " : "");

	while (n++ < WIDTH - 1)
		putc('-', d->f);
	fputs("+\n", d->f);
}

/* "[####......]  38.2 %" */
static const char *
gauge(struct drawing *d, char *buf, size_t size, struct figure x)
{
	char bar[11] = "..........";
	double percent = x.value;
	char mark;

	x.wrong |= percent > 100;
	mark = figure_mark(&x);
	why_not_take(&d->why_not, &d->io.gather.binding, &x);
	if (isnan(percent)) {
		snprintf(buf, size, "[----------]     n/a");
		return buf;
	}
	for (int i = 0; i < 10 && percent >= 10 * i + 5; i++)
		bar[i] = '#';
	snprintf(buf, size, "[%s] %5.1f %%%.1s", bar, percent,
	    mark == ' ' ? "" : &mark);
	d->marked |= mark != ' ';
	return buf;
}

static const char *
gb(struct drawing *d, char *buf, size_t size, struct figure x)
{
	char mark = figure_mark(&x);

	why_not_take(&d->why_not, &d->io.gather.binding, &x);
	if (isnan(x.value))
		snprintf(buf, size, "%8s", "n/a");
	else if (mark == ' ')
		snprintf(buf, size, "%8.3f", x.value);
	else
		snprintf(buf, size, "%7.3f%c", x.value, mark);
	d->marked |= !isnan(x.value) && mark != ' ';
	return buf;
}

/* Cores by the busiest of their lprocs, a character each: . 1 to 9 #. */
static void
draw_cores(struct drawing *d, unsigned pkg)
{
	const struct topology *t = &d->io.gather.topo;
	const struct binding *b = &d->io.gather.binding;
	int m = io_bind(&d->io, "utilisation");
	char row[512];
	unsigned n = 0, used = 0, known = 0;
	double sum = 0;

	if (m < 0 || b->bound[m].nmissing > 0) {
		line(d, "Cores    n/a: %s%s", m < 0 ? "utilisation is " :
		    "missing ", io_missing(&d->io, "utilisation"));
		return;
	}
	for (uint32_t c = t->pkg_core[pkg]; c < t->pkg_core[pkg + 1] &&
	    n < sizeof row - 1; c++) {
		double most = NAN;

		for (uint32_t r = t->core_first[c]; r < t->core_first[c + 1];
		    r++) {
			struct window w = { .scope = SCOPE_OF_LPROC, .lo = r,
			    .hi = r + 1, .pkg_lo = pkg, .pkg_hi = pkg + 1,
			    .thread = -1 };
			double u = binding_eval(b, (unsigned)m, &w,
			    &d->io.sums).value;

			most = fmax(u, most);
		}
		row[n++] = isnan(most) ? '?' : most < IN_USE ? '.' :
		    most >= 95 ? '#' :
		    (char)('0' + (int)(most / 10 < 1 ? 1 : most / 10));
		if (isnan(most))
			continue;
		used += most >= IN_USE;
		sum += most;
		known++;
	}
	row[n] = '\0';
	if (known == 0)
		line(d, "Cores    n/a: nothing is known of any");
	else
		line(d, "Cores    %u of %u in use, busiest threads %.1f %% on "
		    "average", used, known, sum / known);
	for (unsigned i = 0; i < n; i += 64)
		line(d, "         %.64s", row + i);
}

/* What DRAM of a package can do: that of its NUMA nodes, or by hand its share
 * of the node. */
static double
dram_max(const struct drawing *d, unsigned pkg)
{
	return d->dram_max > 0 ? d->dram_max / d->io.gather.topo.npkg :
	    dram_max_of(d->io.gather.reader, pkg);
}

static void
draw_memory(struct drawing *d, unsigned pkg)
{
	struct figure rd = io_figure(&d->io, "dram_read", (int)pkg, -1);
	struct figure wr = io_figure(&d->io, "dram_write", (int)pkg, -1);
	struct figure used = rd;
	double most = dram_max(d, pkg);
	char a[24], b[24], c[40];

	if (isnan(rd.value) && isnan(wr.value)) {
		const char *lacks = io_missing(&d->io, "dram_read");

		line(d, "DRAM     n/a: %s%s", metrics_find(&d->io.metrics,
		    "dram_read") == NULL ? "bandwidth is " : "missing ",
		    lacks ? lacks : "values");
		return;
	}
	used.value = 1e11 * (rd.value + wr.value) / most;
	used.left_out += figure_lacks(&wr);
	used.wrong |= wr.wrong;
	if (most > 0)
		line(d, "DRAM     read %s  write %s GB/s    %s of %.1f GB/s",
		    gb(d, a, sizeof a, rd), gb(d, b, sizeof b, wr),
		    gauge(d, c, sizeof c, used), most / 1e9);
	else
		line(d, "DRAM     read %s  write %s GB/s    (its maximum is not "
		    "known: --dram-max)", gb(d, a, sizeof a, rd),
		    gb(d, b, sizeof b, wr));
}

static void
draw_links(struct drawing *d, unsigned pkg)
{
	const struct seriesset *set = &d->io.gather.series;
	bool any = false;
	char a[24], c[40];

	for (uint32_t i = 0; i < set->n && !any; i++) {
		const struct series *s = &set->series[i];

		if (!series_counts(s, "UPI"))
			continue;
		for (uint32_t u = 0; u < s->n; u++) {
			if (s->unit[u].unit != pkg)
				continue;
			any = true;
			line(d, "UPI %-4u sent %s GB/s                   %s",
			    s->unit[u].box, gb(d, a, sizeof a, io_figure(&d->io,
			    "upi_out", (int)pkg, (int)s->unit[u].box)),
			    gauge(d, c, sizeof c, io_figure(&d->io,
			    "upi_utilisation", (int)pkg,
			    (int)s->unit[u].box)));
		}
	}
	if (!any)
		line(d, "UPI      no links in this dump");
}

static void
draw_device(struct drawing *d, const struct io_port *x)
{
	struct io_flow f = io_flow(&d->io, x, x->pkg, x->stack,
	    x->part >= 0 ? x->part : IO_PARTS);
	char a[24], c[40], where[24] = "", name[160];

	if (x->part >= 0)
		snprintf(where, sizeof where, "part %d", x->part);
	snprintf(name, sizeof name, "%.*s %s",
	    (int)strcspn(x->addresses, " "), x->addresses, x->name);
	line(d, "          `- %-6s %-34.34s %s GB/s  %s", where, name,
	    gb(d, a, sizeof a, f.total), gauge(d, c, sizeof c, f.link));
}

static void
draw_stacks(struct drawing *d, unsigned pkg)
{
	unsigned n = io_stacks(&d->io);
	char name[40], a[24], b[24], metric[40];

	for (unsigned s = 0; s < n; s++) {
		struct figure rd = io_figure(&d->io, io_stack_metric(&d->io,
		    "pcie_in_read", (int)pkg, (int)s, metric, sizeof metric),
		    (int)pkg, (int)s);
		struct figure wr = io_figure(&d->io, io_stack_metric(&d->io,
		    "pcie_in_write", (int)pkg, (int)s, metric, sizeof metric),
		    (int)pkg, (int)s);

		line(d, "I/O %u    %-8s in: read %s  write %s GB/s", s,
		    io_stack_name(&d->io, pkg, s, name, sizeof name),
		    gb(d, a, sizeof a, rd), gb(d, b, sizeof b, wr));
		for (unsigned i = 0; i < d->io.nport; i++)
			if (d->io.port[i].pkg == (int)pkg &&
			    d->io.port[i].stack == (int)s)
				draw_device(d, &d->io.port[i]);
	}
	if (n == 0)
		line(d, "I/O      no stacks in this dump");
}

static int
draw(struct out *out, void *what)
{
	struct drawing *d = what;
	const struct reader *r = d->io.gather.reader;
	char title[80];

	d->f = out_file(out);
	fprintf(d->f, "%s: %s, samples %llu to %llu, %.2f s\n", d->io.gather.host,
	    head_text(r, HEAD_CPU, ALONE, "CPU unknown"),
	    (unsigned long long)intervals_first(d->io.gather.intervals),
	    (unsigned long long)intervals_last(d->io.gather.intervals),
	    d->io.sums.seconds);
	fprintf(d->f, "Cores: . idle, 1-9 tenths, # busy, ? unknown.  UPI and device "
	    "gauges: share of the link.\n");
	if (gather_sets(&d->io.gather) > 1 || gather_turns(&d->io.gather))
		fprintf(d->f, "Events were multiplexed: their figures "
		    "are estimates, scaled to all of the time.\n");
	for (unsigned k = 0; k < d->io.gather.topo.npkg; k++) {
		snprintf(title, sizeof title, "Package %u", k);
		edge(d, title);
		draw_cores(d, k);
		draw_memory(d, k);
		draw_links(d, k);
		draw_stacks(d, k);
	}
	edge(d, "");
	for (unsigned i = 0; i < d->io.nport; i++)
		if (d->io.port[i].stack < 0)
			fprintf(d->f, "On no stack that is known: %s (%s)\n",
			    d->io.port[i].name, d->io.port[i].addresses);
	if (d->marked)
		fprintf(d->f, "* lacks some of its counts, ! cannot be\n");
	why_not_put(&d->why_not, d->f);
	return 0;
}

static const struct view view = {
	.page = draw,
};

static int
one_input(struct out *out, const char *path, void *asked)
{
	const struct common *common = asked;
	struct drawing d = { .dram_max = common->dram_max };
	struct diag why = { "" };
	int status = EXIT_OK;

	if (io_page_open(&d.io, path, &common->in, &why) < 0)
		status = complain_why(&why);
	else {
		view_put(out, &view, &d);
		intervals_complain(d.io.gather.intervals);
	}
	io_page_close(&d.io);
	return status;
}

int
cmd_platform(int argc, char **argv)
{
	static const struct option longopts[] = {
		METRICS_LONGOPT, DRAM_MAX_LONGOPT, DRAWING_LONGOPTS
	};
	static const struct command_line line = {
		.name = "platform", .usage = usage,
		.letters = "M:D:" DRAWING_OPTS, .options = longopts,
		.beside = true, .one = one_input,
	};

	return common_run(&line, &view, argc, argv);
}
