/*
 * postproc/pages/soc_report.c - what the SoC counters of an Atom C2000 saw.
 *
 * A row for each memory channel, module and fabric, and a column for what is
 * known of any: which that is depends on the groups that were counted.  The
 * figures are metrics of config/metrics/slm.metrics, called by both.
 */
#include "postproc/pages/soc_report.h"

#include <math.h>
#include <string.h>

static const struct { const char *title, *metric; } rows[] = {
	{ "memory, in all", "ddr" },
	{ "channel 0", "ddr0" }, { "channel 1", "ddr1" },
	{ "module 0", "mod0" }, { "module 1", "mod1" },
	{ "module 2", "mod2" }, { "module 3", "mod3" },
	{ "high-speed fabric", "high" }, { "low-speed fabric", "low" },
};
#define ROWS (sizeof rows / sizeof rows[0])

enum { READ, WRITE, BOTH, READ32, READ64, WRITE32, WRITE64, PART_READ,
	PART_WRITE, SNOOPS, REPLIES, REQUESTS, ESTIMATE, COLUMNS };

#define SHOWN 9                 /* columns of a line of 100 characters */

static const struct {
	const char *title, *unit, *metric;      /* metric: what ends its name */
	int decimals;
} columns[COLUMNS] = {
	[READ] = { "read", "MB/s", "_read", 1 },
	[WRITE] = { "written", "MB/s", "_write", 1 },
	[BOTH] = { "both", "MB/s", "", 1 },
	[READ32] = { "read 32B", "MB/s", "_read32", 1 },
	[READ64] = { "read 64B", "MB/s", "_read64", 1 },
	[WRITE32] = { "wr. 32B", "MB/s", "_write32", 1 },
	[WRITE64] = { "wr. 64B", "MB/s", "_write64", 1 },
	[PART_READ] = { "part.rd", "M/s", "_partial_reads", 3 },
	[PART_WRITE] = { "part.wr", "M/s", "_partial_writes", 3 },
	[SNOOPS] = { "snoops", "M/s", "_snoops", 3 },
	[REPLIES] = { "replies", "M/s", "_snoop_replies", 3 },
	[REQUESTS] = { "requests", "M/s", "_requests", 3 },
	[ESTIMATE] = { "about", "MB/s", "_estimate", 1 },
};

static const struct { const char *title, *metric; int decimals; } clocks[] = {
	{ "SoC clock", "soc_clock", 1 },
	{ "channel 0 in self-refresh", "ddr0_self_refresh", 1 },
	{ "channel 1 in self-refresh", "ddr1_self_refresh", 1 },
};
#define CLOCKS (sizeof clocks / sizeof clocks[0])

/* What the dump has: [row][column] is a bound metric, -1: none. */
struct grid {
	int bound[ROWS][COLUMNS];
	bool row[ROWS], column[COLUMNS];
	bool any;
};

static int
bind_cell(struct page *p, size_t row, size_t column)
{
	char name[64];
	unsigned m;

	snprintf(name, sizeof name, "%s%s", rows[row].metric,
	    columns[column].metric);
	return page_bind(p, name, &m) ? (int)m : -1;
}

bool
soc_is(const struct reader *r)
{
	const struct model *m = model_named(head_text(r, HEAD_MODEL, ALONE,
	    ""));

	return m != NULL && m->soc != NULL;
}

const char *
soc_lprocs(const struct gather *g, unsigned n, char *buf, size_t size)
{
	const struct topology *t = &g->topo;
	double last = -1, module;
	size_t used = 0;
	int at = -1;

	buf[0] = '\0';
	for (uint32_t i = 0; i < t->nlproc; i++) {
		module = head_number(g->reader, HEAD_LPROC_MODULE,
		    AT(t->lproc_at[i]), -1);
		if (module < 0)
			continue;
		at += module != last;
		last = module;
		if (at == (int)n && used < size)
			used += (size_t)snprintf(buf + used, size - used,
			    "%s%u", used > 0 ? " " : " lprocs ",
			    t->lproc_at[i]);
	}
	return buf;
}

static struct grid
look(struct page *p)
{
	struct grid g = { .any = false };

	for (size_t r = 0; r < ROWS; r++)
		for (size_t c = 0; c < COLUMNS; c++) {
			bool there = (g.bound[r][c] = bind_cell(p, r, c)) >= 0;

			g.row[r] |= there;
			g.column[c] |= there;
			g.any |= there;
		}
	return g;
}

/* Sizes apart where there is room for them. */
static bool
drop_sizes(struct grid *g)
{
	unsigned n = 0;

	for (size_t c = 0; c < COLUMNS; c++)
		n += g->column[c];
	for (size_t c = READ32; n > SHOWN && c <= WRITE64; c++)
		g->column[c] = false;
	return n > SHOWN;
}

static void
put(struct page *p, FILE *f, unsigned m, int width, int decimals)
{
	struct figure x = page_figure(p, m, SCOPE_OF_NODE, 0);

	char mark = page_mark(p, &x);

	if (isnan(x.value))
		fprintf(f, "%*s%c", width, "n/a", mark);
	else
		fprintf(f, "%*.*f%c", width, decimals, x.value, mark);
}

static void
put_titles(const struct grid *g, FILE *f)
{
	fprintf(f, "\n%-19s", "SoC counters");
	for (size_t c = 0; c < COLUMNS; c++)
		if (g->column[c])
			fprintf(f, "%8s ", columns[c].title);
	fprintf(f, "\n%-19s", "");
	for (size_t c = 0; c < COLUMNS; c++)
		if (g->column[c])
			fprintf(f, "%8s ", columns[c].unit);
	fputc('\n', f);
}

static void
put_row(struct page *p, const struct grid *g, size_t r, FILE *f)
{
	fprintf(f, "  %-17s", rows[r].title);
	for (size_t c = 0; c < COLUMNS; c++) {
		if (!g->column[c])
			continue;
		if (g->bound[r][c] < 0)
			fprintf(f, "%8s ", "-");
		else
			put(p, f, (unsigned)g->bound[r][c], 8,
			    columns[c].decimals);
	}
	fputc('\n', f);
}

/* Clocks and self-refresh; the base that this is measured by beside it. */
static bool
put_clocks(struct page *p, FILE *f, bool any)
{
	unsigned m, base;
	bool by_base = page_bind(p, "dram_base", &base);

	for (size_t i = 0; i < CLOCKS; i++) {
		if (!page_bind(p, clocks[i].metric, &m))
			continue;
		fprintf(f, "%s  %-26s", any ? "" : "\nSoC counters\n",
		    clocks[i].title);
		any = true;
		put(p, f, m, 8, clocks[i].decimals);
		fputs(p->gather.binding.bound[m].metric->unit, f);
		if (i > 0 && by_base)
			fprintf(f, ", of a DRAM clock of %.0f MHz as configured",
			    page_figure(p, base, SCOPE_OF_NODE, 0).value);
		fputc('\n', f);
	}
	return any;
}

/* Whose word it is that the counters count these events. */
static void
put_source(const struct reader *r, FILE *f)
{
	const char *muxes = head_text(r, HEAD_SOC_MUX_SOURCE, ALONE, "");
	const char *source = head_text(r, HEAD_SOC_SITE_SOURCE, ALONE, "");

	if (muxes[0] != '\0')
		fprintf(f, "  muxes: %s%s%s\n", muxes, source[0] != '\0' ?
		    ": " : "", source);
}

static void
put_remarks(struct page *p, const struct grid *g, FILE *f)
{
	int ddr1 = g->bound[2][BOTH];

	if (g->column[PART_READ])
		fputs("  part.: requests of less than 32 bytes, in no "
		    "bandwidth; of a module what its total leaves\n", f);
	if (g->column[SNOOPS])
		fputs("  snoops sent to a module, and its replies\n", f);
	if (g->column[ESTIMATE])
		fputs("  about: 64 bytes a request; too high where some are "
		    "smaller\n", f);
	if (ddr1 >= 0 && page_figure(p, (unsigned)ddr1, SCOPE_OF_NODE,
	    0).value == 0)
		fputs("  channel 1 is 0 where one channel alone is fitted or "
		    "fused in\n", f);
}

void
soc_print(struct page *p, FILE *f)
{
	struct grid g;
	bool dropped;

	if (!soc_is(p->gather.reader))
		return;
	g = look(p);
	dropped = drop_sizes(&g);
	if (g.any)
		put_titles(&g, f);
	for (size_t r = 0; g.any && r < ROWS; r++)
		if (g.row[r])
			put_row(p, &g, r, f);
	if (!put_clocks(p, f, g.any))
		return;
	if (g.any)
		put_remarks(p, &g, f);
	if (dropped)
		fputs("  of 32 and 64 bytes apart: tally metrics\n", f);
	put_source(p->gather.reader, f);
}

static void
add_rows(struct page *p, struct out *out, unsigned m)
{
	const struct metric *metric = p->gather.binding.bound[m].metric;
	char title[120];

	snprintf(title, sizeof title, "SoC: %s", metric->text);
	report_rows(out, p, title, m, metric->note);
}

void
soc_rows(struct page *p, struct out *out)
{
	struct grid g;
	unsigned m;

	if (!soc_is(p->gather.reader))
		return;
	g = look(p);
	for (size_t r = 0; r < ROWS; r++)
		for (size_t c = 0; c < COLUMNS; c++)
			if (g.bound[r][c] >= 0)
				add_rows(p, out, (unsigned)g.bound[r][c]);
	for (size_t i = 0; i < CLOCKS; i++)
		if (page_bind(p, clocks[i].metric, &m))
			add_rows(p, out, m);
}
