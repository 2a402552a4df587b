/*
 * postproc/report.c - tally report: one page about a node.
 *
 * What stands on the page is the table of lines below; every figure of it is
 * a metric.  A '*' marks a figure that deltas were left out of, a '!' one
 * that the metric says is impossible.
 */
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "postproc/commands.h"
#include "postproc/gather.h"

static const char usage[] =
"usage: tally report [OPTION]... FILE...\n"
"One page a node: was the data sound, how busy, how fast, how hot.\n"
"  -M, --metrics FILE    a .metrics file; default: what is built in for the\n"
"                        dump's CPU\n"
"  -t, --topology HOW    block, interleaved, or a file of lines\n"
"                        `LPROC PACKAGE CORE [THREAD]`\n"
COMMON_HELP;

static const struct line {
	const char *title;      /* NULL: a heading, in `metric` */
	const char *metric;
	int decimals;
} lines[] = {
	{ NULL, "Processors", 0 },
	{ "utilisation", "utilisation", 1 },
	{ "frequency, unhalted", "frequency", 3 },
	{ "instructions per cycle", "ipc", 3 },
	{ "instructions", "instructions", 3 },
	{ "cycles in the kernel", "kernel_time", 1 },
	{ "cores idle", "core_idle", 1 },
	{ "  only thread 0 running", "core_t0_only", 1 },
	{ "  only thread 1 running", "core_t1_only", 1 },
	{ "  both threads running", "core_both", 1 },
	{ NULL, "Memory", 0 },
	{ "read bandwidth", "dram_read", 2 },
	{ "write bandwidth", "dram_write", 2 },
	{ "busiest channel over mean", "dram_imbalance", 1 },
	{ "data bus busy", "dram_busy", 1 },
	{ "page hits", "page_hit", 1 },
	{ "page misses", "page_miss", 1 },
	{ "page conflicts", "page_conflict", 1 },
	{ NULL, "Power and heat", 0 },
	{ "package power", "package_power", 1 },
	{ "DRAM power", "dram_power", 1 },
	{ "temperature", "temperature", 0 },
	{ "throttled for power", "throttled", 3 },
	{ "uncore frequency", "uncore_frequency", 3 },
	{ "SMIs", "smi", 0 },
	{ NULL, "I/O and links", 0 },
	{ "PCIe in", "io_in", 2 },
	{ "PCIe out", "io_out", 2 },
	{ "network in", "net_in", 2 },
	{ "network out", "net_out", 2 },
	{ "UPI out", "upi_out", 2 },
	{ "UPI in", "upi_in", 2 },
	{ "UPI utilisation", "upi_utilisation", 1 },
};

#define NLINES (sizeof lines / sizeof *lines)
#define WIDTH 100
#define MAX_PKG_COLUMNS 6
#define SHOWN_LPROCS 4

struct page {
	struct metrics metrics;
	struct gather gather;
	const struct sums *sums;
	char host[256];
	unsigned bound[NLINES];
	uint8_t have[NLINES];   /* the metric exists, here */
	struct out *out;
	FILE *f;
	unsigned lacking;       /* figures that lack deltas */
	bool wrong;
};

/* Metrics that stand elsewhere on the page. */
static bool
bind_one(struct page *p, const char *name, unsigned *out)
{
	const struct metric *m = metrics_find(&p->metrics, name);
	struct diag why;

	if (m == NULL)
		return false;
	for (*out = 0; *out < p->gather.binding.nbound; ++*out)
		if (p->gather.binding.bound[*out].metric == m)
			return p->gather.binding.bound[*out].nmissing == 0;
	return binding_add(&p->gather.binding, m, out, &why) == 0 &&
	    p->gather.binding.bound[*out].nmissing == 0;
}

static int
open_page(struct page *p, const char *path, const char *metrics,
    const char *topology, const struct select *select, struct diag *why)
{
	const struct metric *m;
	int rc;

	if ((rc = metrics_init(&p->metrics)) < 0 ||
	    (rc = gather_open(&p->gather, path, &p->metrics, topology, select,
	    why)) < 0 ||
	    (rc = metrics_load_for(&p->metrics, metrics,
	    read_text(p->gather.reader, "model", NULL), why)) < 0)
		return rc;
	gather_host(&p->gather, p->host, sizeof p->host);
	for (size_t i = 0; i < NLINES; i++) {
		if (lines[i].title == NULL ||
		    (m = metrics_find(&p->metrics, lines[i].metric)) == NULL)
			continue;
		if ((rc = binding_add(&p->gather.binding, m, &p->bound[i],
		    why)) < 0)
			return rc;
		p->have[i] = p->gather.binding.bound[p->bound[i]].nmissing == 0;
	}
	/* the limit reasons' bits are looked at in every sample */
	for (unsigned i = 0; i < p->metrics.n; i++)
		if (strncmp(p->metrics.metric[i].name, "limit_", 6) == 0) {
			unsigned b;

			bind_one(p, p->metrics.metric[i].name, &b);
		}
	if ((rc = gather_all(&p->gather, why)) < 0)
		return rc;
	p->sums = gather_sums(&p->gather);
	return 0;
}

static void
close_page(struct page *p)
{
	if (p->gather.p != NULL)
		gather_close(&p->gather);
	metrics_fini(&p->metrics);
}

static struct figure
figure(struct page *p, unsigned b, enum scope scope, unsigned n)
{
	const struct binding *binding = &p->gather.binding;
	struct figure f = { .value = NAN };
	struct window w;

	if (n < binding_windows(binding, b, scope) &&
	    binding_window(binding, b, scope, n, &w))
		f = binding_eval(binding, b, &w, p->sums);
	p->lacking += f.left_out > 0;
	p->wrong |= f.wrong;
	return f;
}

static void
put_figure(FILE *f, struct figure x, int width, int decimals)
{
	if (isnan(x.value))
		fprintf(f, "%*s", width, "n/a");
	else
		fprintf(f, "%*.*f", width, decimals, x.value);
	fputc(x.wrong ? '!' : x.left_out ? '*' : ' ', f);
}

static void
when(char *buf, size_t size, double wall)
{
	time_t t = (time_t)wall;
	struct tm tm;

	if (!(wall > 0 && wall < 1e11) || gmtime_r(&t, &tm) == NULL ||
	    strftime(buf, size, "%Y-%m-%d %H:%M:%S", &tm) == 0)
		snprintf(buf, size, "?");
}

static void
put_head(struct page *p)
{
	const struct reader *r = p->gather.reader;
	const struct topology *t = &p->gather.topo;
	struct intervals *iv = p->gather.intervals;
	double nominal = read_number(r, "TSC_ratio", 0) / 10;
	char from[32], to[32];
	uint64_t n = 0;

	when(from, sizeof from, p->gather.wall_first);
	when(to, sizeof to, p->gather.wall_last);
	fprintf(p->f, "Node      %s: %s%s%u package%s, %u cores, %u lprocs\n",
	    p->host, read_text(r, "cpu", ""), read_text(r, "cpu", NULL) ?
	    ", " : "", t->npkg, t->npkg == 1 ? "" : "s", t->ncore, t->nlproc);
	fprintf(p->f, "Time      %s to %s UTC: samples %llu to %llu, %.2f s\n",
	    from, to, (unsigned long long)intervals_first(iv),
	    (unsigned long long)intervals_last(iv), p->sums->seconds);
	if (p->sums->tsc_hz > 0)
		fprintf(p->f, "Clock     TSC %.4f GHz%s", p->sums->tsc_hz / 1e9,
		    intervals_clock_note(iv) ? "" : ", measured");
	else
		fprintf(p->f, "Clock     no TSC");
	if (nominal > 0)
		fprintf(p->f, " (nominal %.1f)", nominal);
	fprintf(p->f, "\nTopology  %s%s\n", strcmp(t->how, "dump") == 0 ?
	    "as the dump says" : t->how, t->assumed ?
	    ", assumed: the dump does not say (--topology)" : "");
	for (unsigned k = 0; k < PROBLEM_KINDS; k++)
		n += read_problems(r, k);
	if (p->gather.nleft_out == 0 && n == 0)
		fprintf(p->f, "Data      sound: %llu deltas in %llu intervals\n",
		    (unsigned long long)p->sums->intervals * p->gather.ncol,
		    (unsigned long long)p->sums->intervals);
	if (p->gather.nleft_out > 0)
		fprintf(p->f, "Data      NOT SOUND: %llu deltas in %llu of %llu "
		    "intervals are no counts and left out\n          (tally "
		    "check says which); * marks figures that lack some\n",
		    (unsigned long long)p->gather.nleft_out,
		    (unsigned long long)p->gather.intervals_hit,
		    (unsigned long long)p->sums->intervals);
	if (n > 0)
		fprintf(p->f, "Data      %llu lines of the file were not "
		    "understood\n", (unsigned long long)n);
}

static void
put_heading(struct page *p, const char *title, unsigned npkg)
{
	fprintf(p->f, "\n%-40s", title);
	for (unsigned i = 0; i < npkg; i++)
		fprintf(p->f, "%5s %-3u", "pkg", i);
	fprintf(p->f, "%8s\n", "node");
}

static bool
none(const struct page *p, size_t heading)
{
	for (size_t i = heading + 1; i < NLINES && lines[i].title != NULL; i++)
		if (p->have[i])
			return false;
	return true;
}

static void
put_lines(struct page *p)
{
	unsigned npkg = p->gather.topo.npkg;
	unsigned shown = npkg < 2 ? 0 : npkg > MAX_PKG_COLUMNS ?
	    MAX_PKG_COLUMNS : npkg;

	for (size_t i = 0; i < NLINES; i++) {
		const struct metric *m;

		if (lines[i].title == NULL) {
			if (!none(p, i))
				put_heading(p, lines[i].metric, shown);
			continue;
		}
		if (!p->have[i])
			continue;
		m = p->gather.binding.bound[p->bound[i]].metric;
		fprintf(p->f, "  %-28s%-10s", lines[i].title, m->unit);
		for (unsigned k = 0; k < shown; k++)
			if (m->scope == SCOPE_OF_NODE)
				fprintf(p->f, "%8s ", "");
			else
				put_figure(p->f, figure(p, p->bound[i],
				    SCOPE_OF_PACKAGE, k), 8, lines[i].decimals);
		put_figure(p->f, figure(p, p->bound[i], SCOPE_OF_NODE, 0), 8,
		    lines[i].decimals);
		fputc('\n', p->f);
	}
	if (npkg > shown && shown > 0)
		fprintf(p->f, "  (packages %u to %u are in the node's figures; "
		    "tally metrics -S package has them)\n", shown, npkg - 1);
}

/* Boxes of a metric, side by side: "channels 0: 9.6 9.7 ...". */
static void
put_boxes(struct page *p, const char *title, const char *metric, int decimals,
    bool moving_only)
{
	const struct binding *b = &p->gather.binding;
	unsigned m, n, col = 0, last = UINT32_MAX, width;

	if (!bind_one(p, metric, &m))
		return;
	n = binding_windows(b, m, SCOPE_OF_BOX);
	for (unsigned i = 0; i < n; i++) {
		struct window w;
		struct figure f;
		char name[64], text[96];

		if (!binding_window(b, m, SCOPE_OF_BOX, i, &w))
			continue;
		f = figure(p, m, SCOPE_OF_BOX, i);
		if (moving_only && !(f.value * 1000 >= 1))
			continue;
		window_name(b, &w, name, sizeof name);
		snprintf(text, sizeof text, " %s %.*f%s", name, decimals,
		    f.value, f.wrong ? "!" : f.left_out ? "*" : "");
		width = (unsigned)strlen(text);
		if (w.pkg_lo != last || col + width > WIDTH) {
			if (col > 0)
				fputc('\n', p->f);
			col = (unsigned)fprintf(p->f, "  %-12s", title);
			last = w.pkg_lo;
		}
		fputs(text, p->f);
		col += width;
	}
	if (col > 0)
		fputc('\n', p->f);
}

static void
put_limits(struct page *p)
{
	unsigned col = 0, m;

	for (unsigned i = 0; i < p->metrics.n; i++) {
		const struct metric *x = &p->metrics.metric[i];
		struct figure f;

		if (strncmp(x->name, "limit_", 6) != 0 ||
		    !bind_one(p, x->name, &m))
			continue;
		f = figure(p, m, SCOPE_OF_NODE, 0);
		if (col == 0)
			col = (unsigned)fprintf(p->f, "  %-12s", "limited by");
		if (f.value > 0)
			col += (unsigned)fprintf(p->f, " %s %.0f %%%s",
			    x->name + 6, f.value, col > 70 ? "\n" : "");
	}
	if (col > 0)
		fputs(col == 14 ? " nothing in any sample\n" : "\n", p->f);
}

struct busy {
	double utilisation;
	struct window window;
};

static int
by_busy(const void *a, const void *b)
{
	const struct busy *x = a, *y = b;

	if (x->utilisation != y->utilisation)
		return x->utilisation > y->utilisation ? -1 : 1;
	return x->window.lo < y->window.lo ? -1 : 1;
}

static void
put_lproc(struct page *p, const struct busy *x, const unsigned *m,
    const bool *have)
{
	const struct binding *b = &p->gather.binding;
	const struct topology *t = &p->gather.topo;
	uint32_t r = x->window.lo;

	fprintf(p->f, "  lproc %-5u package %u core %-3d thread %u  %6.2f %%",
	    t->lproc_at[r], x->window.pkg_lo, t->core_id[t->core_of[r]],
	    t->thread[r], x->utilisation);
	if (have[0])
		put_figure(p->f, binding_eval(b, m[0], &x->window, p->sums),
		    9, 3);
	fputs(have[0] ? "GHz" : "", p->f);
	if (have[1])
		put_figure(p->f, binding_eval(b, m[1], &x->window, p->sums),
		    9, 3);
	fputs(have[1] ? "inst/cycle\n" : "\n", p->f);
}

static void
put_lprocs(struct page *p)
{
	const struct binding *b = &p->gather.binding;
	unsigned u, m[2], n = 0, max;
	bool have[2] = { bind_one(p, "frequency", &m[0]),
	    bind_one(p, "ipc", &m[1]) };
	struct busy *busy;

	if (!bind_one(p, "utilisation", &u) ||
	    (max = binding_windows(b, u, SCOPE_OF_LPROC)) == 0 ||
	    (busy = calloc(max, sizeof *busy)) == NULL)
		return;
	for (unsigned i = 0; i < max; i++) {
		if (!binding_window(b, u, SCOPE_OF_LPROC, i, &busy[n].window))
			continue;
		busy[n].utilisation = figure(p, u, SCOPE_OF_LPROC, i).value;
		n += !isnan(busy[n].utilisation);
	}
	qsort(busy, n, sizeof *busy, by_busy);
	fprintf(p->f, "\nBusiest lprocs\n");
	for (unsigned i = 0; i < n && i < SHOWN_LPROCS; i++)
		put_lproc(p, &busy[i], m, have);
	if (n > SHOWN_LPROCS)
		fprintf(p->f, "Idlest lprocs\n");
	for (unsigned i = n > 2 * SHOWN_LPROCS ? n - SHOWN_LPROCS :
	    SHOWN_LPROCS; i < n; i++)
		put_lproc(p, &busy[i], m, have);
	free(busy);
}

static void
put_missing(struct page *p)
{
	unsigned col = 0;

	for (size_t i = 0; i < NLINES; i++) {
		const char *name = lines[i].metric;
		unsigned width = (unsigned)strlen(name) + 2;

		if (lines[i].title == NULL || p->have[i])
			continue;
		if (col == 0)
			col = (unsigned)fprintf(p->f, "\nNot in this dump:");
		else
			fputc(',', p->f);
		if (col + width > WIDTH)
			col = (unsigned)fprintf(p->f, "\n                 ") - 1;
		col += (unsigned)fprintf(p->f, " %s", name) + 1;
	}
	if (col > 0)
		fputs("\n(tally metrics says which of their inputs are "
		    "missing)\n", p->f);
}

static void
put_text(struct page *p)
{
	put_head(p);
	put_lines(p);
	fputs("\nBoxes (package/number)\n", p->f);
	put_boxes(p, "DRAM GB/s", "dram_bandwidth", 2, false);
	put_boxes(p, "PCIe in MB/s", "io_in", 2, true);
	put_boxes(p, "PCIe out", "io_out", 2, true);
	put_boxes(p, "UPI out GB/s", "upi_out", 2, false);
	put_limits(p);
	put_lprocs(p);
	if (p->wrong)
		fputs("\n! marks what cannot be: the counters behind it count "
		    "something else than their\nnames say (somebody took them "
		    "over), or were disturbed.\n", p->f);
	put_missing(p);
}

static const struct table_column columns[] = {
	{ "node", NULL, 0, true }, { "line", NULL, 0, true },
	{ "metric", NULL, 0, true }, { "scope", NULL, 0, true },
	{ "where", NULL, 0, true }, { "value", NULL, 4, false },
	{ "unit", NULL, 0, true }, { "left_out", NULL, 0, false },
	{ "note", NULL, 0, true },
};

static void
put_rows(struct page *p)
{
	static const enum scope scope[] = { SCOPE_OF_PACKAGE, SCOPE_OF_NODE };

	for (size_t i = 0; i < NLINES; i++)
		for (unsigned s = 0; p->have[i] && s < 2; s++) {
			const struct binding *b = &p->gather.binding;
			unsigned n = binding_windows(b, p->bound[i], scope[s]);

			for (unsigned k = 0; k < n; k++) {
				const struct metric *m =
				    b->bound[p->bound[i]].metric;
				struct figure f = figure(p, p->bound[i],
				    scope[s], k);
				struct window w;
				char where[64];

				binding_window(b, p->bound[i], scope[s], k, &w);
				window_name(b, &w, where, sizeof where);
				cell_text(p->out, p->host);
				cell_text(p->out, lines[i].title +
				    strspn(lines[i].title, " "));
				cell_text(p->out, m->name);
				cell_text(p->out, scope_name(scope[s]));
				cell_text(p->out, where);
				cell_real(p->out, f.value);
				cell_text(p->out, m->unit);
				cell_u64(p->out, f.left_out);
				cell_text(p->out, f.wrong ? "out of range" :
				    "");
			}
		}
}

static int
one_input(struct out *out, const char *path, const char *metrics,
    const char *topology, const struct common *common)
{
	struct page p = { .out = out };
	struct diag why = { "" };
	int status = EXIT_OK;

	if (open_page(&p, path, metrics, topology, &common->select, &why) < 0)
		status = complain("%s", why.text[0] ? why.text :
		    "out of memory");
	else {
		intervals_complain(p.gather.intervals);
		if (p.sums->intervals == 0)
			status = EXIT_UNUSABLE;
		else if (common->format == FORMAT_TEXT) {
			p.f = out_file(out);
			put_text(&p);
		} else
			put_rows(&p);
	}
	close_page(&p);
	return status;
}

int
cmd_report(int argc, char **argv)
{
	static const struct option longopts[] = {
		{ "metrics", required_argument, NULL, 'M' },
		{ "topology", required_argument, NULL, 't' },
		COMMON_LONGOPTS
	};
	const char *metrics = NULL, *topology = NULL;
	struct common common = { .status = 0 };
	struct diag why = { "" };
	struct out *out;
	int c, status = EXIT_OK;

	while ((c = getopt_long(argc, argv, "M:t:" COMMON_OPTS, longopts,
	    NULL)) != -1)
		if (c == 'M')
			metrics = optarg;
		else if (c == 't')
			topology = optarg;
		else if (!common_option(&common, c, optarg, usage))
			return common.status;
	if (!common_inputs(&common, argc, argv, usage))
		return common.status;
	if (out_open(&out, common.output, common.format, "report", &why) < 0)
		return complain("%s", why.text);
	if (common.format != FORMAT_TEXT)
		table_begin(out, "report", columns, 9);
	for (int i = 0; i < common.ninput; i++) {
		int s = one_input(out, common.input[i], metrics, topology,
		    &common);

		if (s > status)
			status = s;
		if (common.format == FORMAT_TEXT && i + 1 < common.ninput)
			fputs("\n", out_file(out));
	}
	if (common.format != FORMAT_TEXT)
		table_end(out);
	if (out_close(out, &why) < 0)
		status = complain("%s", why.text);
	return status;
}
