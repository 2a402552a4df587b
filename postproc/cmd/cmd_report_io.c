/*
 * postproc/cmd/cmd_report_io.c - tally report --io: what devices do to caches and
 * memory, by package, stack and device.
 *
 * Every figure is a metric; which, stands in io_view.c.  '!' marks one outside its
 * range, '?' one whose denominator is too small to mean anything, '*' one that
 * lacks deltas or units; for the first two the inputs follow below the tables.
 */
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/cmd/commands.h"
#include "postproc/pages/io_view.h"

static const char usage[] =
"usage: tally report --io [OPTION]... FILE...\n"
"What PCIe devices do to caches and memory: by package, stack and device.\n"
"  -M, --metrics FILE    a .metrics file; default: what is built in for the\n"
"                        dump's CPU\n"
"  -D, --dram-max GB/S   the most that DRAM of the node can do, where tallyd\n"
"                        did not measure it\n"
COMMON_HELP
"Dumps with all of it: tallyd -c io-icx.conf, or io-skx.conf.\n";

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* The page as one table, for CSV and JSON. */
static const struct table_column long_columns[] = {
	{ "node", NULL, 0, true }, { "scope", NULL, 0, true },
	{ "where", NULL, 0, true }, { "device", NULL, 0, true },
	{ "metric", NULL, 0, true }, { "value", NULL, 4, false },
	{ "unit", NULL, 0, true }, { "note", NULL, 0, true },
};

static void
put_row(struct out *out, const struct io_view *v, const char *scope,
    const char *where, const char *device, const char *metric, double value,
    const char *unit, const char *remark)
{
	cell_text(out, v->page.host);
	cell_text(out, scope);
	cell_text(out, where);
	cell_text(out, device);
	cell_text(out, metric);
	cell_figure(out, value);
	cell_text(out, unit);
	cell_text(out, remark);
}

static void
put_metric_row(struct out *out, struct io_view *v, const char *metric, int pkg,
    int stack)
{
	const struct metric *m = metrics_find(&v->page.metrics, metric);
	const char *lacks = io_missing(&v->page, metric);
	struct figure f = io_view_value(v, metric, pkg, stack);
	char where[64] = "", name[40], remark[500] = "";
	unsigned before = v->nnote;
	char flag = io_view_flag(v, metric, f, pkg, stack);

	if (stack >= 0)
		snprintf(where, sizeof where, "%d/%s", pkg,
		    io_stack_name(&v->page, (unsigned)pkg, (unsigned)stack, name,
		    sizeof name));
	else if (pkg >= 0)
		snprintf(where, sizeof where, "%d", pkg);
	/* what is to be doubted says better what is wrong */
	f.wrong &= v->nnote == before;
	if (isnan(f.value) && lacks != NULL)
		snprintf(remark, sizeof remark, "missing %s", lacks);
	else if (figure_note(&v->page.gather.binding, &f, v->nnote > before ?
	    v->note[before] : NULL, remark, sizeof remark)[0] == '\0' &&
	    flag == '*')
		snprintf(remark, sizeof remark, "incomplete");
	put_row(out, v, stack >= 0 ? "stack" : pkg >= 0 ? "package" : "node", where,
	    "", metric, f.value, m != NULL ? m->unit : "", remark);
}

static void
put_device_rows(struct out *out, struct io_view *v, const struct flow_line *l)
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
	char place[64], note[400];

	io_view_place(v, l, place, sizeof place);
	for (size_t i = 0; i < COUNT(row); i++) {
		const struct figure *f = row[i].f;

		if (figure_note(&v->page.gather.binding, f, i == 5 &&
		    l->port != NULL ? l->port->missing : NULL, note,
		    sizeof note)[0] == '\0' && !isnan(f->value) &&
		    figure_lacks(f))
			snprintf(note, sizeof note, "incomplete");
		put_row(out, v, "device", place, l->port != NULL ?
		    l->port->addresses : "unattributed", row[i].name, f->value,
		    row[i].unit, note);
	}
}

static void
put_rows(struct out *out, struct io_view *v)
{
	unsigned npkg = v->page.gather.topo.npkg, stacks = io_stacks(&v->page);

	for (size_t i = 0; i < io_nline; i++) {
		put_metric_row(out, v, io_lines[i].metric, -1, -1);
		for (unsigned k = 0; k < npkg; k++)
			put_metric_row(out, v, io_lines[i].metric, (int)k, -1);
	}
	for (unsigned k = 0; k < npkg; k++)
		for (unsigned s = 0; s < stacks; s++)
			for (size_t i = 0; i < io_ncolumn; i++)
				put_metric_row(out, v, io_columns[i].metric,
				    (int)k, (int)s);
	for (unsigned i = 0; i < v->nline; i++)
		put_device_rows(out, v, &v->line[i]);
}

/* Has the CPU's list any of the metrics of the page? */
static bool
known(const struct io_view *v)
{
	for (size_t i = 0; i < io_nline; i++)
		if (metrics_find(&v->page.metrics, io_lines[i].metric))
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
	struct io_view *v = calloc(1, sizeof *v);
	FILE *f = out_format(out) == FORMAT_TEXT ? out_file(out) : NULL;
	struct diag why = { "" };
	int status = EXIT_OK;

	if (v == NULL)
		return complain("out of memory");
	v->dram_max = ask->dram_max;
	if (io_page_open(&v->page, path, ask->metrics, &ask->common.select,
	    &why) < 0)
		status = complain_why(&why);
	else if (!known(v))
		status = complain("%s: no metrics of I/O stacks are known for "
		    "this CPU; what there is of its I/O is in tally report and "
		    "tally metrics", path);
	else if (io_view_find(v) < 0)
		status = complain("out of memory");
	else if (f == NULL)
		put_rows(out, v);
	else {
		if (path != ask->common.input[0])
			putc('\n', f);
		io_view_text(v, f);
	}
	if (status == EXIT_OK)
		intervals_complain(v->page.gather.intervals);
	io_page_close(&v->page);
	free(v->line);
	free(v);
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
