/*
 * postproc/cmd_platform.c - tally platform: the node as a drawing in text, 100
 * columns wide: packages, cores in use, DRAM and I/O stacks with their average
 * load, and the lines of the view @platform.
 */
#include <math.h>
#include <string.h>

#include "postproc/commands.h"
#include "postproc/data/dump_node.h"
#include "postproc/pages/drawing.h"

static const char usage[] =
"usage: tally platform [OPTION]... FILE...\n"
"The node, drawn: packages, cores in use, DRAM, UPI and I/O stacks with their\n"
"average load; of NVIDIA Grace its fabric, PCIe and links, of an Atom C2000 its\n"
"modules, fabrics and memory channels.  The figures as rows: tally report\n"
"-f csv, of I/O stacks tally report --io -f csv.\n"
METRICS_HELP
DRAM_MAX_HELP
DRAWING_HELP;

/* The peak bandwidth of a package's DRAM: as given or measured; else computed from the
 * clock of its channels, if that is counted. */
static struct peak
dram_peak(struct drawing *d, unsigned pkg)
{
	struct peak p = peak_dram(d->io.gather.reader, (int)pkg,
	    d->io.gather.topo.npkg, d->dram_max);
	struct figure clock;

	if (p.source != PEAK_UNKNOWN || io_missing(&d->io, "ceiling_dram") !=
	    NULL || metrics_find(&d->io.metrics, "ceiling_dram") == NULL)
		return p;
	clock = io_figure(&d->io, "ceiling_dram", (int)pkg, -1);
	if (clock.value > 0)
		p = (struct peak){ clock.value * 1e9, PEAK_PROBED, NULL };
	return p;
}

static void
draw_memory(struct drawing *d, unsigned pkg)
{
	struct figure rd = io_figure(&d->io, "dram_read", (int)pkg, -1);
	struct figure wr = io_figure(&d->io, "dram_write", (int)pkg, -1);
	struct figure used = rd;
	struct peak most = dram_peak(d, pkg);
	int node = dram_unmeasured(d->io.gather.reader);
	char a[24], b[24], c[40], words[200];

	if (isnan(rd.value) && isnan(wr.value)) {
		const char *lacks = io_missing(&d->io, "dram_read");

		draw_line(d, "DRAM     n/a: %s%s", metrics_find(&d->io.metrics,
		    "dram_read") == NULL ? "bandwidth is " : "missing ",
		    lacks ? lacks : "values");
		return;
	}
	used.value = 1e11 * (rd.value + wr.value) / most.value;
	used.left_out += figure_lacks(&wr);
	used.wrong |= wr.wrong;
	if (most.source != PEAK_UNKNOWN) {
		draw_line(d, "DRAM     read %s  write %s GB/s    %s of %.1f GB/s",
		    draw_figure(d, a, sizeof a, rd), draw_figure(d, b, sizeof b, wr),
		    draw_gauge(d, c, sizeof c, used), most.value / 1e9);
		draw_line(d, "         peak %s", peak_words(&most, words,
		    sizeof words));
	} else {
		draw_line(d, "DRAM     read %s  write %s GB/s",
		    draw_figure(d, a, sizeof a, rd), draw_figure(d, b, sizeof b, wr));
		if (node >= 0)
			draw_line(d, "         peak not known: NUMA node %d was "
			    "not measured; --dram-max gives it", node);
		else
			draw_line(d, "         peak not known: tallyd "
			    "--measure-dram-bandwidth finds it, --dram-max "
			    "gives it");
	}
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
	draw_line(d, "          `- %-6s %-34.34s %s GB/s  %s", where, name,
	    draw_figure(d, a, sizeof a, f.total), draw_gauge(d, c, sizeof c, f.link));
}

/* The payload through a stack in one way (a column of the view's payload table), as
 * text. */
static const char *
draw_way(struct drawing *d, unsigned way, unsigned pkg, unsigned stack,
    char *buf, size_t size)
{
	char metric[40];

	return draw_figure(d, buf, size, io_figure(&d->io, io_stack_metric(
	    &d->io, way < d->io.nway ? d->io.way[way].metric : "", (int)pkg,
	    (int)stack, metric, sizeof metric), (int)pkg, (int)stack));
}

static void
draw_stacks(struct drawing *d, unsigned pkg)
{
	unsigned n = io_stacks(&d->io.gather);
	char name[40], a[24], b[24];

	for (unsigned s = 0; s < n; s++) {
		draw_line(d, "I/O %u    %-8s in: read %s  write %s GB/s", s,
		    io_stack_name(&d->io.gather, pkg, s, name, sizeof name),
		    draw_way(d, 0, pkg, s, a, sizeof a),
		    draw_way(d, 1, pkg, s, b, sizeof b));
		for (unsigned i = 0; i < d->io.nport; i++)
			if (d->io.port[i].pkg == (int)pkg &&
			    d->io.port[i].stack == (int)s)
				draw_device(d, &d->io.port[i]);
	}
	if (n == 0)
		draw_line(d, "I/O      no stacks in this dump");
}

/* Prints devices that are on no known stack.  If every root port has a PCI domain of its
 * own, they are named by port. */
static void
put_beside_stacks(const struct drawing *d)
{
	for (unsigned i = 0; i < d->io.nport; i++) {
		const struct io_port *x = &d->io.port[i];

		if (x->stack < 0 && x->pkg >= 0 && x->part >= 0)
			fprintf(d->f, "At root port %d of package %d: %s (%s)\n",
			    x->part, x->pkg, x->name, x->addresses);
		else if (x->stack < 0)
			fprintf(d->f, "On no stack that is known: %s (%s)\n",
			    x->name, x->addresses);
	}
}

static int
cmd_platform_draw(struct out *out, void *what)
{
	struct drawing *d = what;
	const struct reader *r = d->io.gather.reader;
	/* a view without a payload table has its own lines for memory and I/O */
	bool stacks = d->io.nway > 0;
	char title[80];

	d->f = out_file(out);
	fprintf(d->f, "%s: %s, samples %llu to %llu, %.2f s\n", d->io.gather.host,
	    head_text(r, HEAD_CPU, ALONE, "CPU unknown"),
	    (unsigned long long)intervals_first(d->io.gather.intervals),
	    (unsigned long long)intervals_last(d->io.gather.intervals),
	    d->io.sums.seconds);
	fprintf(d->f, "Cores: . idle, 1-9 tenths, # busy, ? unknown.%s\n",
	    stacks ? "  UPI and device gauges: share of the link." : "");
	if (gather_sets(&d->io.gather) > 1 || gather_turns(&d->io.gather))
		fprintf(d->f, "Events were multiplexed: their figures "
		    "are estimates, scaled to all of the time.\n");
	for (unsigned k = 0; k < d->io.gather.topo.npkg; k++) {
		snprintf(title, sizeof title, "Package %u", k);
		draw_edge(d, title);
		draw_cores(d, k);
		if (stacks)
			draw_memory(d, k);
		draw_lines(d, k);
		if (stacks)
			draw_stacks(d, k);
	}
	draw_edge(d, "");
	put_beside_stacks(d);
	if (d->in_part)
		fputs("Some figures are of the parts that were counted: tally "
		    "metrics says what they are without\n", d->f);
	if (d->marked)
		fprintf(d->f, "* lacks some of its counts, ! cannot be\n");
	why_not_put(&d->why_not, d->f);
	return 0;
}

static const struct view view = {
	.page = cmd_platform_draw,
};

static int
cmd_platform_one_input(struct out *out, const char *path, void *asked)
{
	const struct common *common = asked;
	struct gather_ask ask = common->in;
	struct drawing d = { .dram_max = common->dram_max };
	struct diag why = { "" };
	int status = EXIT_OK;

	ask.view = "@platform";
	if (io_page_open(&d.io, path, &ask, &why) < 0)
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
	static const struct command_line line = {
		.name = "platform", .usage = usage, .runs = true,
		.one = cmd_platform_one_input,
	};
	struct common common = { .status = EXIT_OK };

	return common_run(&line, &view, argc, argv, &common, &common);
}
