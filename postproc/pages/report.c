/*
 * postproc/pages/report.c - a page about a node: which figures stand on it, and
 * where they are from.  Every figure of it is a metric.
 */
#include "postproc/pages/grace_report.h"
#include "postproc/pages/regions_report.h"
#include "postproc/pages/soc_report.h"

#include "postproc/metrics/na.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regs/array.h"

static const struct {
	const char *title;      /* NULL: a heading, in `metric` */
	const char *metric;
	int decimals;
} usual[] = {
	{ NULL, "Processors", 0 },
	{ "utilisation", "utilisation", 1 },
	{ "frequency, unhalted", "frequency", 3 },
	{ "frequency, halted as 0", "mean_frequency", 3 },
	{ "instructions per cycle", "ipc", 3 },
	{ "instructions", "instructions", 3 },
	{ "cycles in the kernel", "kernel_time", 1 },
	{ "cores idle", "core_idle", 1 },
	{ "  only thread 0 running", "core_t0_only", 1 },
	{ "  only thread 1 running", "core_t1_only", 1 },
	{ "  both threads running", "core_both", 1 },
	{ "busiest core to mean", "load_imbalance", 2 },
	{ NULL, "Memory", 0 },
	{ "read bandwidth", "dram_read", 2 },
	{ "write bandwidth", "dram_write", 2 },
	{ "bandwidth, both ways", "dram_bandwidth", 2 },
	{ "HBM read bandwidth", "hbm_read", 2 },
	{ "HBM write bandwidth", "hbm_write", 2 },
	{ "HBM, of both", "hbm_share", 1 },
	{ "reads that HBM served", "hbm_cache_hit", 1 },
	{ "read and written", "ddr", 1 },
	{ "busiest channel over mean", "dram_imbalance", 1 },
	{ "data bus busy", "dram_busy", 1 },
	{ "page hits", "page_hit", 1 },
	{ "page misses", "page_miss", 1 },
	{ "page conflicts", "page_conflict", 1 },
	{ NULL, "L3s of core complexes", 0 },
	{ "misses, of all requests", "l3_miss_ratio", 1 },
	{ "latency of a miss", "l3_miss_latency", 0 },
	{ NULL, "Power and heat", 0 },
	{ "package power", "package_power", 1 },
	{ "DRAM power", "dram_power", 1 },
	{ "platform, as it is wired", "platform_power", 1 },
	{ "node, by its own meter", "node_power", 1 },
	{ "  packages and DRAM of it", "rapl_of_node", 1 },
	{ "temperature", "temperature", 0 },
	{ "throttled for power", "throttled", 3 },
	{ "uncore frequency", "uncore_frequency", 3 },
	{ "SMIs", "smi", 0 },
	{ NULL, "I/O and links", 0 },
	{ "PCIe in", "pcie_in", 2 },
	{ "PCIe out", "pcie_out", 2 },
	{ "CBDMA and DMI in", "cbdma_in", 2 },
	{ "CBDMA and DMI out", "cbdma_out", 2 },
	{ "MCP (on package) in", "mcp_in", 2 },
	{ "MCP (on package) out", "mcp_out", 2 },
	{ "network in", "net_in", 2 },
	{ "network out", "net_out", 2 },
	{ "QPI out", "qpi_out", 2 },
	{ "QPI in", "qpi_in", 2 },
	{ "UPI out", "upi_out", 2 },
	{ "UPI in", "upi_in", 2 },
	{ "UPI utilisation", "upi_utilisation", 1 },
	{ "xGMI out", "xgmi_out", 2 },
	{ "xGMI in", "xgmi_in", 2 },
	{ "read by devices", "dma_read", 2 },
	{ "written by devices", "dma_write", 2 },
	{ NULL, "Stalls and speculation", 0 },
	{ "slots retiring", "retiring", 1 },
	{ "slots lost to speculation", "bad_speculation", 1 },
	{ "  to the front end", "frontend_bound", 1 },
	{ "  to the back end", "backend_bound", 1 },
	{ "    waiting for memory", "memory_bound", 1 },
	{ "cycles waiting for memory", "memory_stalls", 1 },
	{ "backend stalled", "backend_stalled_cycles", 1 },
	{ "frontend stalled", "frontend_stalled_cycles", 1 },
	{ NULL, "Floating point", 0 },
	{ "floating point", "flops", 1 },
	{ "  double precision", "flops_double", 1 },
	{ "  of it on vectors", "vectorization_ratio", 1 },
	{ "  mean width", "vector_width", 0 },
	{ "FLOP for a byte of DRAM", "arithmetic_intensity", 3 },
	{ NULL, "Caches, of loads", 0 },
	{ "hit the L1", "l1_hit", 1 },
	{ "hit the L2, of the rest", "l2_hit", 1 },
	{ "hit the L3, of the rest", "l3_hit", 1 },
	{ "miss the L3", "l3_load_misses", 2 },
	{ "of DRAM, another package's", "remote_dram", 1 },
	{ NULL, "Fabric and PCIe", 0 },
	{ "fabric clock", "scf_freq", 3 },
	{ "memory reads, of the most", "cmem_rd_util", 1 },
	{ "memory writes, of the most", "cmem_wr_util", 1 },
	{ "read of memory here", "cmem_rd_latency", 0 },
	{ "read of another socket's", "remote_rd_latency", 0 },
	{ "PCIe reads, of the most", "pcie_rd_util", 2 },
	{ "PCIe writes, of the most", "pcie_wr_util", 2 },
	{ "PCIe read of memory here", "pcie_loc_rd_latency", 0 },
	{ NULL, "Kernel", 0 },
	{ "counted, by CPU clock", "cpu_clock", 1 },
	{ "counted, by task clock", "task_clock", 1 },
	{ "context switches", "context_switches", 1 },
	{ "migrations", "cpu_migrations", 1 },
	{ "page faults", "page_faults", 1 },
	{ "  minor", "minor_faults", 1 },
	{ "  major", "major_faults", 1 },
	{ "alignment faults", "alignment_faults", 1 },
	{ "emulation faults", "emulation_faults", 1 },
};
#define NUSUAL (sizeof usual / sizeof *usual)

/* What a list of the user's says stands behind which other metric; the user's
 * own of one that is on the page stand there, others at its end. */
struct own_metric {
	const struct metric *metric, *behind;   /* behind none: NULL */
	bool placed;
};

/* The lines so far. */
struct lines_found {
	const struct metrics *metrics;
	struct report_line *line;
	unsigned n, room;
};

static int
add_line(struct lines_found *p, const struct report_line *l)
{
	struct report_line *line = array_grow(p->line, p->n, &p->room,
	    sizeof *line);

	if (line == NULL)
		return -ENOMEM;
	p->line = line;
	line[p->n++] = *l;
	return 0;
}

static int
add_own(struct lines_found *p, struct own_metric *own)
{
	own->placed = true;
	return add_line(p, &(struct report_line){ .own = true,
	    .title = own->metric->name, .metric = own->metric->name,
	    .decimals = DECIMALS_BY_SIZE });
}

static bool
is_usual(const char *metric)
{
	for (size_t i = 0; i < NUSUAL; i++)
		if (usual[i].title != NULL &&
		    strcmp(usual[i].metric, metric) == 0)
			return true;
	return false;
}

/* The metrics of the user's lists that are to have a line of their own. */
static unsigned
find_own(const struct lines_found *p, struct own_metric *own)
{
	const struct metric *behind = NULL;
	unsigned n = 0;

	for (unsigned i = 0; i < p->metrics->n; i++) {
		const struct metric *m = metrics_at(p->metrics, i);
		bool mine = m->own && !m->hidden && !is_usual(m->name);

		if (!mine || !m->placed)
			behind = m;
		if (mine)
			own[n++] = (struct own_metric){ m, m->placed ? behind : NULL,
			    false };
	}
	return n;
}

/* Below a line those that stand behind it; at the end, by their file, all that
 * stand nowhere yet. */
/* A node's own power meter. */
static bool
is_rare(const char *metric)
{
	return strcmp(metric, "platform_power") == 0 ||
	    strcmp(metric, "node_power") == 0 ||
	    strcmp(metric, "rapl_of_node") == 0;
}

/* Where channels have it, they stand beside each other below, and either way has
 * its line. */
static bool
is_of_channels(const struct metrics *metrics, const char *name)
{
	const struct metric *m = metrics_find(metrics, name);

	return strcmp(name, "dram_bandwidth") == 0 && m != NULL &&
	    m->scope == SCOPE_OF_BOX;
}

static int
add_lines(struct lines_found *p, struct own_metric *own, unsigned nown)
{
	const char *file = "";
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < NUSUAL; i++) {
		if (usual[i].title != NULL &&
		    is_of_channels(p->metrics, usual[i].metric))
			continue;
		rc = add_line(p, &(struct report_line){ .title = usual[i].title,
		    .metric = usual[i].metric, .decimals = usual[i].decimals,
		    .rare = is_rare(usual[i].metric) });
		for (unsigned k = 0; rc == 0 && usual[i].title != NULL &&
		    k < nown; k++)
			if (own[k].behind != NULL && strcmp(own[k].behind->name,
			    usual[i].metric) == 0)
				rc = add_own(p, &own[k]);
	}
	for (unsigned k = 0; rc == 0 && k < nown; k++) {
		if (own[k].placed)
			continue;
		if (strcmp(own[k].metric->file, file) != 0) {
			file = own[k].metric->file;
			rc = add_line(p, &(struct report_line){
			    .metric = file });
		}
		if (rc == 0)
			rc = add_own(p, &own[k]);
	}
	return rc;
}

int
report_lines(const struct metrics *metrics, struct report_line **line,
    unsigned *n)
{
	struct lines_found found = { .metrics = metrics };
	struct own_metric *own = calloc(metrics->n + 1, sizeof *own);
	int rc = own == NULL ? -ENOMEM : add_lines(&found, own,
	    find_own(&found, own));

	free(own);
	*line = found.line;
	*n = found.n;
	return rc;
}

bool
page_bind(struct page *p, const char *name, unsigned *out)
{
	const struct metric *m = metrics_find(&p->metrics, name);
	struct diag why;
	int rc;

	if (m == NULL)
		return false;
	for (*out = 0; *out < p->gather.binding.nbound; ++*out)
		if (p->gather.binding.bound[*out].metric == m)
			return p->gather.binding.bound[*out].nmissing == 0;
	if ((rc = binding_add(&p->gather.binding, m, out, &why)) == -ENOMEM)
		p->rc = rc;
	return rc == 0 &&
	    p->gather.binding.bound[*out].nmissing == 0;
}

int
page_begin(struct page *p, const char *path, const struct gather_ask *ask,
    struct diag *why)
{
	const struct metric *m;
	int rc = gather_load(&p->gather, &p->metrics, path, ask, why);

	if (rc < 0 || (rc = report_lines(&p->metrics, &p->line,
	    &p->nline)) < 0)
		return rc;
	for (unsigned i = 0; i < p->nline; i++) {
		struct report_line *l = &p->line[i];

		if (l->title == NULL ||
		    (m = metrics_find(&p->metrics, l->metric)) == NULL)
			continue;
		if ((rc = binding_add(&p->gather.binding, m, &l->bound,
		    why)) < 0)
			return rc;
		l->have = true;
	}
	/* the limit reasons' bits are looked at in every sample */
	for (unsigned i = 0; i < p->metrics.n; i++)
		if (strncmp(metrics_at(&p->metrics, i)->name, "limit_", 6) == 0) {
			unsigned b;

			page_bind(p, metrics_at(&p->metrics, i)->name, &b);
		}
	return p->rc;
}

/* Is it there, of a dump that is read?  Not what the node does not count. */
static bool
has(struct page *p, const struct report_line *l)
{
	return l->have && p->gather.binding.bound[l->bound].nmissing == 0 &&
	    na_why(page_figure(p, l->bound, SCOPE_OF_NODE, 0).value, NULL) !=
	    NA_UNCOUNTED;
}

void
page_end(struct page *p)
{
	p->sums = gather_sums(&p->gather);
	for (unsigned i = 0; i < p->nline; i++)
		p->line[i].have = has(p, &p->line[i]);
}

int
page_open(struct page *p, const char *path, const struct gather_ask *ask,
    struct diag *why)
{
	int rc = page_begin(p, path, ask, why);

	if (rc < 0 || (rc = gather_all(&p->gather, why)) < 0)
		return rc;
	page_end(p);
	return 0;
}

void
page_close(struct page *p)
{
	free(p->line);
	p->line = NULL;
	gather_unload(&p->gather, &p->metrics);
}

struct figure
page_figure(struct page *p, unsigned b, enum scope scope, unsigned n)
{
	const struct binding *binding = &p->gather.binding;
	struct figure f = { .value = NAN, .ran = 1,
	    .metric = binding->bound[b].metric };
	struct window w;

	if (n < binding_windows(binding, b, scope) &&
	    binding_window(binding, b, scope, n, &w))
		f = binding_eval(binding, b, &w, p->sums);
	p->wrong |= f.wrong;
	return f;
}

static const struct table_column columns[] = {
	{ "node", NULL, 0, true }, { "line", NULL, 0, true },
	{ "metric", NULL, 0, true }, { "scope", NULL, 0, true },
	{ "where", NULL, 0, true }, { "value", NULL, 4, false },
	{ "unit", NULL, 0, true }, { "left_out", NULL, 0, false },
	{ "note", NULL, 0, true },
};

void
report_row(struct out *out, const struct page *p, const struct report_row *row)
{
	cell_text(out, p->gather.host);
	cell_text(out, row->title);
	cell_text(out, row->metric);
	cell_text(out, scope_name(row->scope));
	cell_text(out, row->where);
	cell_figure(out, row->value);
	cell_text(out, row->unit);
	cell_u64(out, row->left_out);
	cell_text(out, row->note);
}

void
report_rows_of(struct out *out, struct page *p, const char *title,
    unsigned bound, enum scope scope, const char *remark)
{
	const struct binding *b = &p->gather.binding;
	const struct metric *m = b->bound[bound].metric;

	for (unsigned k = 0; k < binding_windows(b, bound, scope); k++) {
		struct figure f = page_figure(p, bound, scope, k);
		struct window w;
		char where[64], note[300];

		binding_window(b, bound, scope, k, &w);
		window_name(b, &w, where, sizeof where);
		report_row(out, p, &(struct report_row){ .title = title,
		    .metric = m->name, .scope = scope, .where = where,
		    .value = f.value, .unit = m->unit, .left_out = f.left_out,
		    .note = figure_note(b, &f, remark, note, sizeof note) });
	}
}

void
report_rows(struct out *out, struct page *p, const char *title, unsigned bound,
    const char *remark)
{
	report_rows_of(out, p, title, bound, SCOPE_OF_PACKAGE, remark);
	report_rows_of(out, p, title, bound, SCOPE_OF_NODE, remark);
}

static void
put_line_rows(struct out *out, struct page *p, const struct report_line *l)
{
	const struct bound *b = &p->gather.binding.bound[l->bound];
	char note[300];

	if (l->have)
		report_rows(out, p, l->title + strspn(l->title, " "), l->bound,
		    l->own ? b->metric->note : NULL);
	else if (l->own) {
		snprintf(note, sizeof note, "missing %s", b->missing[0]);
		report_row(out, p, &(struct report_row){ .title = l->title,
		    .metric = l->metric, .scope = b->metric->scope,
		    .where = "", .value = NAN, .unit = b->metric->unit,
		    .note = note });
	}
}

static int
put_rows(struct out *out, void *what)
{
	struct page *p = what;

	for (unsigned i = 0; i < p->nline; i++)
		put_line_rows(out, p, &p->line[i]);
	grace_rows(p, out);
	soc_rows(p, out);
	regions_rows(p, out);
	return p->rc;
}

static int
put_page(struct out *out, void *what)
{
	struct page *p = what;

	page_print(p, out_file(out));
	return p->rc;
}

const struct view report_view = {
	.table = { "report", columns, sizeof columns / sizeof *columns,
	    false },
	.rows = put_rows, .page = put_page, .apart = true,
};
