/*
 * postproc/io_report.c - tally report --io: what devices do to caches and
 * memory, by package, stack and device.
 *
 * Every figure is a metric; which, stands in the tables below.  '!' marks one
 * outside its range, '?' one whose denominator is too small to mean anything,
 * '*' one that lacks deltas or units; for the first two the inputs follow below
 * the tables.
 */
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/commands.h"
#include "postproc/io_page.h"

static const char usage[] =
"usage: tally report --io [OPTION]... FILE...\n"
"What PCIe devices do to caches and memory: by package, stack and device.\n"
"  -M, --metrics FILE    a .metrics file; default: what is built in for the\n"
"                        dump's CPU\n"
"  -D, --dram-max GB/S   the most that DRAM of the node can do, where tallyd\n"
"                        did not measure it\n"
COMMON_HELP
"Dumps with all of it: tallyd -c io-icx.conf, or io-skx.conf.\n";

/* Fewer events than this are no base for a ratio. */
#define TOO_FEW 1000

/* A ratio, what is divided by what: both in events a second. */
static const struct ratio {
	const char *metric, *num, *den;
} ratios[] = {
	{ "io_l3_read_miss", "io_read_misses", "io_read_lines" },
	{ "io_l3_read_hit", "io_read_misses", "io_read_lines" },
	{ "io_l3_write_miss", "io_write_misses", "io_write_lines" },
	{ "io_l3_write_hit", "io_write_misses", "io_write_lines" },
	{ "io_read_latency", "io_completing", "io_completions" },
	{ "io_read_queue_latency", "io_reads_queued", "io_reads" },
	{ "io_write_latency", "io_writes_pending", "io_writes_owned" },
	{ "io_conflicts", "io_lost", "io_writes_owned" },
	{ "iotlb_hit", "vtd_hits", "vtd_lookups" },
	{ "iotlb_miss", "vtd_misses", "vtd_lookups" },
	{ "iotlb_penalty", "vtd_walking", "vtd_misses" },
	{ "iotlb_accesses", "vtd_accesses", "vtd_misses" },
};

/* Lines of a package, in order. */
static const struct line {
	const char *title, *metric;
	int decimals;
} package_lines[] = {
	{ "inbound read (device reads memory)", "pcie_in_read", 3 },
	{ "inbound write (device writes memory)", "pcie_in_write", 3 },
	{ "outbound read (CPU reads device)", "pcie_out_read", 3 },
	{ "outbound write (CPU writes device)", "pcie_out_write", 3 },
	{ "PCIe total", "pcie_total", 3 },
	{ "inbound reads that hit L3", "io_l3_read_hit", 2 },
	{ "inbound reads that miss L3", "io_l3_read_miss", 2 },
	{ "inbound writes that hit L3", "io_l3_write_hit", 2 },
	{ "inbound writes that miss L3", "io_l3_write_miss", 2 },
	{ "CPU/IO conflicts", "io_conflicts", 2 },
	{ "DRAM read", "dram_read", 3 },
	{ "DRAM write", "dram_write", 3 },
	{ "DRAM utilisation", "dram_utilisation", 1 },
	{ "UPI sent", "upi_out", 3 },
	{ "UPI utilisation", "upi_utilisation", 1 },
};

static const struct stack_column {
	const char *head, *unit, *metric;
	int decimals;
} stack_columns[] = {
	{ "in rd", "GB/s", "pcie_in_read", 3 },
	{ "in wr", "GB/s", "pcie_in_write", 3 },
	{ "out rd", "GB/s", "pcie_out_read", 3 },
	{ "out wr", "GB/s", "pcie_out_write", 3 },
	{ "rd lat", "ns", "io_read_latency", 0 },
	{ "wr lat", "ns", "io_write_latency", 0 },
	{ "confl", "%", "io_conflicts", 2 },
	{ "VT-d", "M/s", "vtd_rate", 2 },
	{ "TLBmiss", "%", "iotlb_miss", 2 },
	{ "penalty", "ns", "iotlb_penalty", 0 },
	{ "reads", "/miss", "iotlb_accesses", 2 },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define MAX_NOTES 64

/* A device, or a part with traffic and no device. */
struct flow_line {
	const struct io_port *port;     /* NULL: nobody is listed there */
	int pkg, stack, part;
	struct io_flow flow;
};

struct page {
	struct io_page io;
	struct out *out;
	FILE *f;
	double dram_max;        /* bytes/s by hand, 0: none */
	bool incomplete;        /* a '*' was printed */
	struct flow_line *line;
	unsigned nline;
	char note[MAX_NOTES][200];
	unsigned nnote;
};

/* ---- figures and what is wrong with them ---- */

static struct figure
value_of(struct page *p, const char *metric, int pkg, int stack)
{
	struct figure f = io_figure(&p->io, metric, pkg, stack);

	if (strcmp(metric, "dram_utilisation") == 0 && p->dram_max > 0 &&
	    pkg < 0) {
		f = io_figure(&p->io, "dram_bandwidth", -1, -1);
		f.value *= 1e11 / p->dram_max;
		f.wrong = f.value > 100;
	}
	return f;
}

static void
note(struct page *p, const struct ratio *r, const char *why, int pkg,
    int stack)
{
	struct figure f = io_figure(&p->io, r->metric, pkg, stack);
	char name[32], where[64] = "node";

	if (p->nnote == MAX_NOTES)
		return;
	if (stack >= 0)
		snprintf(where, sizeof where, "package %d %s", pkg,
		    io_stack_name(&p->io, (unsigned)pkg, (unsigned)stack, name,
		    sizeof name));
	else if (pkg >= 0)
		snprintf(where, sizeof where, "package %d", pkg);
	snprintf(p->note[p->nnote++], sizeof p->note[0], "%s of %s is %.4g, "
	    "%s: %s %.6g /s, %s %.6g /s", r->metric, where, f.value, why,
	    r->num, io_figure(&p->io, r->num, pkg, stack).value, r->den,
	    io_figure(&p->io, r->den, pkg, stack).value);
}

/* ' ' sound, '!' outside its range, '?' by too few events, '*' incomplete. */
static char
flag_of(struct page *p, const char *metric, struct figure f, int pkg,
    int stack)
{
	for (size_t i = 0; i < COUNT(ratios) && !isnan(f.value); i++) {
		double den;

		if (strcmp(ratios[i].metric, metric) != 0)
			continue;
		den = io_figure(&p->io, ratios[i].den, pkg, stack).value;
		if (!(den * p->io.sums.seconds >= TOO_FEW)) {
			note(p, &ratios[i], "by too few events", pkg, stack);
			return '?';
		}
		if (f.wrong) {
			note(p, &ratios[i], "which cannot be", pkg, stack);
			return '!';
		}
	}
	p->incomplete |= !isnan(f.value) && figure_lacks(&f);
	return figure_mark(&f);
}

static void
put_value(struct page *p, const char *metric, int pkg, int stack, int width,
    int decimals)
{
	struct figure f = value_of(p, metric, pkg, stack);

	if (isnan(f.value))
		fprintf(p->f, "%*s ", width, "-");
	else
		fprintf(p->f, "%*.*f%c", width, decimals, f.value,
		    flag_of(p, metric, f, pkg, stack));
}

/* ---- devices ---- */

static int
by_traffic(const void *a, const void *b)
{
	const struct flow_line *x = a, *y = b;
	double s = isnan(x->flow.total.value) ? -1 : x->flow.total.value;
	double t = isnan(y->flow.total.value) ? -1 : y->flow.total.value;

	if (s != t)
		return s > t ? -1 : 1;
	if (x->pkg != y->pkg)
		return x->pkg - y->pkg;
	return x->stack != y->stack ? x->stack - y->stack : x->part - y->part;
}

static int
find_lines(struct page *p)
{
	unsigned npkg = p->io.gather.topo.npkg, stacks = io_stacks(&p->io);

	p->line = calloc(p->io.nport + (size_t)npkg * stacks * IO_PARTS + 1,
	    sizeof p->line[0]);
	if (p->line == NULL)
		return -1;
	for (unsigned i = 0; i < p->io.nport; i++) {
		const struct io_port *x = &p->io.port[i];

		p->line[p->nline++] = (struct flow_line){ x, x->pkg, x->stack,
		    x->part, io_flow(&p->io, x, x->pkg, x->stack,
		    x->stack >= 0 && x->part >= 0 ? x->part : IO_PARTS) };
	}
	for (unsigned k = 0; k < npkg; k++)
		for (unsigned s = 0; s < stacks; s++)
			for (int q = 0; q < IO_PARTS; q++) {
				struct flow_line l = { .pkg = (int)k,
				    .stack = (int)s, .part = q };

				if (io_port_at(&p->io, (int)k, (int)s, q))
					continue;
				l.flow = io_flow(&p->io, NULL, (int)k, (int)s,
				    q);
				if (l.flow.total.value > 0)
					p->line[p->nline++] = l;
			}
	qsort(p->line, p->nline, sizeof p->line[0], by_traffic);
	return 0;
}

/* Of a device: its mark takes the place of a blank before the next one. */
static void
put_flow(struct page *p, const struct figure *x, int decimals)
{
	if (isnan(x->value)) {
		fprintf(p->f, "%9s ", "-");
		return;
	}
	p->incomplete |= figure_lacks(x);
	fprintf(p->f, "%9.*f%c", decimals, x->value, figure_mark(x));
}

static void
place_text(const struct page *p, const struct flow_line *l, char *buf,
    size_t size)
{
	char name[40];

	if (l->stack < 0)
		snprintf(buf, size, "no stack known");
	else if (l->part < 0)
		snprintf(buf, size, "%d/%s", l->pkg, io_stack_name(&p->io,
		    (unsigned)l->pkg, (unsigned)l->stack, name, sizeof name));
	else
		snprintf(buf, size, "%d/%s part %d", l->pkg,
		    io_stack_name(&p->io, (unsigned)l->pkg,
		    (unsigned)l->stack, name, sizeof name), l->part);
}

static void
link_text(const struct io_port *x, char *buf, size_t size)
{
	if (x == NULL)
		buf[0] = '\0';
	else if (x->gt_s > 0 && x->width > 0 && x->gt_s_now > 0 &&
	    x->width_now > 0 && (x->gt_s_now < x->gt_s ||
	    x->width_now < x->width))
		snprintf(buf, size, "%g GT/s x%g, now %g x%g", x->gt_s,
		    x->width, x->gt_s_now, x->width_now);
	else if (x->gt_s > 0 && x->width > 0)
		snprintf(buf, size, "%g GT/s x%g", x->gt_s, x->width);
	else
		snprintf(buf, size, "link unknown");
}

static void
put_devices(struct page *p)
{
	fprintf(p->f, "\nDevices, by traffic%27s%10s%10s%10s%10s%10s  %s\n",
	    "in read", "in write", "out read", "out wr", "total",
	    "link used", "link");
	fprintf(p->f, "%46s%10s%10s%10s%10s%10s  %s\n", "GB/s", "GB/s", "GB/s",
	    "GB/s", "GB/s", "%", "(at most)");
	for (unsigned i = 0; i < p->nline; i++) {
		const struct flow_line *l = &p->line[i];
		char place[64], link[64];

		place_text(p, l, place, sizeof place);
		link_text(l->port, link, sizeof link);
		if (l->port != NULL)
			fprintf(p->f, "  %s (%s)\n", l->port->name,
			    l->port->addresses);
		else
			fprintf(p->f, "  unattributed: no device is listed "
			    "there\n");
		fprintf(p->f, "    %-33s", place);
		put_flow(p, &l->flow.in_read, 3);
		put_flow(p, &l->flow.in_write, 3);
		put_flow(p, &l->flow.out_read, 3);
		put_flow(p, &l->flow.out_write, 3);
		put_flow(p, &l->flow.total, 3);
		put_flow(p, &l->flow.link, 1);
		fprintf(p->f, " %s\n", link);
		if (l->port != NULL && l->port->missing[0] != '\0')
			fprintf(p->f, "    (sysfs: %s)\n", l->port->missing);
	}
	if (p->nline == 0)
		fprintf(p->f, "  none: the dump names no devices and has no "
		    "traffic by part\n");
}

/* ---- the page ---- */

static void
put_head(struct page *p)
{
	const struct gather *g = &p->io.gather;
	struct intervals *iv = p->io.gather.intervals;

	fprintf(p->f, "I/O of %s: samples %llu to %llu, %.2f s\n", p->io.host,
	    (unsigned long long)intervals_first(iv),
	    (unsigned long long)intervals_last(iv), p->io.sums.seconds);
	if (gather_sets(g) > 1)
		fprintf(p->f, "%u event sets took turns; their counts are "
		    "scaled to all of the time\n", gather_sets(g));
	for (unsigned i = 0; i < gather_sets(g); i++) {
		double share;
		const char *name = gather_set(g, i, &share);

		if (!(share > 0))
			fprintf(p->f, "Event set %s never ran in this time: "
			    "its events are in no figure\n", name);
	}
}

static void
put_packages(struct page *p)
{
	unsigned npkg = p->io.gather.topo.npkg;

	fprintf(p->f, "\n%-40s%-8s", "Packages", "");
	for (unsigned k = 0; k < npkg && k < 4; k++)
		fprintf(p->f, "%9s %-2u", "package", k);
	fprintf(p->f, "%11s\n", "node");
	for (size_t i = 0; i < COUNT(package_lines); i++) {
		const struct line *l = &package_lines[i];
		const struct metric *m = metrics_find(&p->io.metrics,
		    l->metric);
		const char *lacks = io_missing(&p->io, l->metric);

		fprintf(p->f, "  %-38s%-8s", l->title, m ? m->unit : "");
		if (lacks != NULL && !(p->dram_max > 0 &&
		    strcmp(l->metric, "dram_utilisation") == 0)) {
			fprintf(p->f, "  %s%s%s\n", m != NULL ? "missing " :
			    "", lacks, strcmp(lacks, "dram_max_bandwidth") ==
			    0 ? " (--dram-max)" : "");
			continue;
		}
		for (unsigned k = 0; k < npkg && k < 4; k++)
			put_value(p, l->metric, (int)k, -1, 11, l->decimals);
		put_value(p, l->metric, -1, -1, 10, l->decimals);
		putc('\n', p->f);
	}
}

/* A stack without any traffic is only named. */
static bool
idle(struct page *p, unsigned pkg, unsigned stack)
{
	return io_figure(&p->io, "pcie_total", (int)pkg, (int)stack).value == 0;
}

static void
put_idle(struct page *p)
{
	unsigned npkg = p->io.gather.topo.npkg, stacks = io_stacks(&p->io);
	char name[40];
	unsigned n = 0;

	for (unsigned k = 0; k < npkg; k++)
		for (unsigned s = 0; s < stacks; s++)
			if (idle(p, k, s))
				fprintf(p->f, "%s%u/%s", n++ == 0 ?
				    "  no traffic: " : n % 9 == 0 ? ",\n    " :
				    ", ", k, io_stack_name(&p->io, k, s, name,
				    sizeof name));
	if (n > 0)
		putc('\n', p->f);
}

static void
put_stacks(struct page *p)
{
	unsigned npkg = p->io.gather.topo.npkg, stacks = io_stacks(&p->io);
	char name[40];

	fprintf(p->f, "\n%-11s", "Stacks");
	for (size_t i = 0; i < COUNT(stack_columns); i++)
		fprintf(p->f, "%7s ", stack_columns[i].head);
	fprintf(p->f, "\n%-11s", "");
	for (size_t i = 0; i < COUNT(stack_columns); i++)
		fprintf(p->f, "%7s ", stack_columns[i].unit);
	putc('\n', p->f);
	for (unsigned k = 0; k < npkg; k++)
		for (unsigned s = 0; s < stacks; s++) {
			if (idle(p, k, s))
				continue;
			fprintf(p->f, "  %u/%-7s", k, io_stack_name(&p->io, k,
			    s, name, sizeof name));
			for (size_t i = 0; i < COUNT(stack_columns); i++)
				put_value(p, stack_columns[i].metric, (int)k,
				    (int)s, 7, stack_columns[i].decimals);
			putc('\n', p->f);
		}
	put_idle(p);
	for (size_t i = 0; i < COUNT(stack_columns); i++) {
		const char *lacks = io_missing(&p->io,
		    stack_columns[i].metric);

		if (lacks != NULL)
			fprintf(p->f, "  %s %s: %s%s\n",
			    stack_columns[i].head, stack_columns[i].unit,
			    metrics_find(&p->io.metrics,
			    stack_columns[i].metric) != NULL ? "missing " : "",
			    lacks);
	}
}

static void
put_text(struct page *p)
{
	put_head(p);
	put_packages(p);
	put_stacks(p);
	put_devices(p);
	if (p->incomplete)
		fprintf(p->f, "\n* lacks some of its counts\n");
	for (unsigned i = 0; i < p->nnote; i++)
		fprintf(p->f, "%s%s\n", i == 0 ? "\nTo be doubted\n  " : "  ",
		    p->note[i]);
}

/* ---- the same as one table, for CSV and JSON ---- */

static const struct table_column long_columns[] = {
	{ "node", NULL, 0, true }, { "scope", NULL, 0, true },
	{ "where", NULL, 0, true }, { "device", NULL, 0, true },
	{ "metric", NULL, 0, true }, { "value", NULL, 4, false },
	{ "unit", NULL, 0, true }, { "note", NULL, 0, true },
};

static void
put_row(struct page *p, const char *scope, const char *where,
    const char *device, const char *metric, double value, const char *unit,
    const char *remark)
{
	cell_text(p->out, p->io.host);
	cell_text(p->out, scope);
	cell_text(p->out, where);
	cell_text(p->out, device);
	cell_text(p->out, metric);
	cell_real(p->out, value);
	cell_text(p->out, unit);
	cell_text(p->out, remark);
}

static void
put_metric_row(struct page *p, const char *metric, int pkg, int stack)
{
	const struct metric *m = metrics_find(&p->io.metrics, metric);
	const char *lacks = io_missing(&p->io, metric);
	struct figure f = value_of(p, metric, pkg, stack);
	char where[64] = "", name[40], remark[220] = "";
	unsigned before = p->nnote;
	char flag = flag_of(p, metric, f, pkg, stack);

	if (stack >= 0)
		snprintf(where, sizeof where, "%d/%s", pkg,
		    io_stack_name(&p->io, (unsigned)pkg, (unsigned)stack, name,
		    sizeof name));
	else if (pkg >= 0)
		snprintf(where, sizeof where, "%d", pkg);
	if (isnan(f.value) && lacks != NULL)
		snprintf(remark, sizeof remark, "missing %s", lacks);
	else if (p->nnote > before)
		snprintf(remark, sizeof remark, "%s", p->note[before]);
	else if (figure_note(&p->io.gather.binding, &f, NULL, remark,
	    sizeof remark)[0] == '\0' && flag == '*')
		snprintf(remark, sizeof remark, "incomplete");
	put_row(p, stack >= 0 ? "stack" : pkg >= 0 ? "package" : "node", where,
	    "", metric, f.value, m != NULL ? m->unit : "", remark);
}

static void
put_device_rows(struct page *p, const struct flow_line *l)
{
	const struct {
		const char *name, *unit;
		const struct figure *f;
	} row[] = {
		{ "pcie_in_read", "GB/s", &l->flow.in_read },
		{ "pcie_in_write", "GB/s", &l->flow.in_write },
		{ "pcie_out_read", "GB/s", &l->flow.out_read },
		{ "pcie_out_write", "GB/s", &l->flow.out_write },
		{ "pcie_total", "GB/s", &l->flow.total },
		{ "link_utilisation", "%", &l->flow.link },
	};
	char place[64], note[200];

	place_text(p, l, place, sizeof place);
	for (size_t i = 0; i < COUNT(row); i++) {
		const struct figure *f = row[i].f;

		if (figure_note(&p->io.gather.binding, f, i == 5 &&
		    l->port != NULL ? l->port->missing : NULL, note,
		    sizeof note)[0] == '\0' && !isnan(f->value) &&
		    figure_lacks(f))
			snprintf(note, sizeof note, "incomplete");
		put_row(p, "device", place, l->port != NULL ?
		    l->port->addresses : "unattributed", row[i].name, f->value,
		    row[i].unit, note);
	}
}

static void
put_rows(struct page *p)
{
	unsigned npkg = p->io.gather.topo.npkg, stacks = io_stacks(&p->io);

	for (size_t i = 0; i < COUNT(package_lines); i++) {
		put_metric_row(p, package_lines[i].metric, -1, -1);
		for (unsigned k = 0; k < npkg; k++)
			put_metric_row(p, package_lines[i].metric, (int)k, -1);
	}
	for (unsigned k = 0; k < npkg; k++)
		for (unsigned s = 0; s < stacks; s++)
			for (size_t i = 0; i < COUNT(stack_columns); i++)
				put_metric_row(p, stack_columns[i].metric,
				    (int)k, (int)s);
	for (unsigned i = 0; i < p->nline; i++)
		put_device_rows(p, &p->line[i]);
}

/* Has the CPU's list any of the metrics of the page? */
static bool
known(const struct page *p)
{
	for (size_t i = 0; i < COUNT(package_lines); i++)
		if (metrics_find(&p->io.metrics, package_lines[i].metric))
			return true;
	return false;
}

struct ask {
	struct common common;
	const char *metrics;
	double dram_max;
};

static int
one_input(struct out *out, const char *path, const void *asked)
{
	const struct ask *ask = asked;
	struct page *p = calloc(1, sizeof *p);
	struct diag why = { "" };
	int status = EXIT_OK;

	if (p == NULL)
		return complain("out of memory");
	p->out = out;
	p->f = out_format(out) == FORMAT_TEXT ? out_file(out) : NULL;
	p->dram_max = ask->dram_max;
	if (io_page_open(&p->io, path, ask->metrics, &ask->common.select,
	    &why) < 0)
		status = complain_why(&why);
	else if (!known(p))
		status = complain("%s: no metrics of I/O stacks are known for "
		    "this CPU; what there is of its I/O is in tally report and "
		    "tally metrics", path);
	else if (find_lines(p) < 0)
		status = complain("out of memory");
	else if (p->f == NULL)
		put_rows(p);
	else {
		if (path != ask->common.input[0])
			putc('\n', p->f);
		put_text(p);
	}
	if (status == EXIT_OK)
		intervals_complain(p->io.gather.intervals);
	io_page_close(&p->io);
	free(p->line);
	free(p);
	return status;
}

static int
report_io(int argc, char **argv)
{
	static const struct option longopts[] = {
		{ "io", no_argument, NULL, 'I' },
		{ "metrics", required_argument, NULL, 'M' },
		{ "dram-max", required_argument, NULL, 'D' },
		COMMON_LONGOPTS
	};
	struct ask ask = { .metrics = NULL };
	int c;

	while ((c = getopt_long(argc, argv, "M:D:" COMMON_OPTS, longopts,
	    NULL)) != -1)
		if (c == 'M')
			ask.metrics = optarg;
		else if (c == 'D') {
			if (!common_gb_s("dram-max", optarg, &ask.dram_max))
				return EXIT_USAGE;
		} else if (c != 'I' &&
		    !common_option(&ask.common, c, optarg, usage))
			return ask.common.status;
	if (!common_inputs(&ask.common, argc, argv, usage))
		return ask.common.status;
	return common_each(&ask.common, "report --io", "io", long_columns,
	    COUNT(long_columns), one_input, &ask);
}

int
cmd_any_report(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--io") == 0)
			return report_io(argc, argv);
	return cmd_report(argc, argv);
}
