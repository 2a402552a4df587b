/*
 * postproc/pages/io_rows.c - the I/O report: as a page, and as rows for programs.
 */
#include "postproc/pages/io_page.h"

#include "config/texts.h"
#include "postproc/data/dump_node.h"

#include <math.h>
#include <string.h>

/* ---- as a page ---------------------------------------------------------- */

static void
io_text_put_value(struct io_view *v, FILE *f, const char *metric,
    struct io_at at, int width, int decimals)
{
	struct figure x = io_view_value(v, metric, at);

	/* inputs that the dump lacks are named below the table */
	if (x.missing == NULL)
		why_not_take(&v->why_not, &v->page.gather.binding, &x);
	if (isnan(x.value))
		fprintf(f, "%*s ", width, "-");
	else {
		io_number(f, x.value, width, decimals);
		putc(io_view_doubt(v, metric, x, at), f);
	}
}

/* Names the quotients of events that were not counted at the same time. */
static void
io_text_put_apart(struct io_view *v, FILE *f)
{
	const struct view_line *x = NULL;
	unsigned col = 0;

	while ((x = io_view_row(v, x)) != NULL) {
		if (!io_figure(&v->page, x->metric, -1, -1).apart)
			continue;
		if (col == 0)
			col = (unsigned)fprintf(f, "Not counted at one time: the "
			    "events of");
		else
			col += (unsigned)fprintf(f, ",");
		io_word(f, &col, "", x->metric);
	}
	if (col > 0)
		putc('\n', f);
}

static void
io_text_put_head(struct io_view *v, FILE *f)
{
	const struct gather *g = &v->page.gather;
	struct intervals *iv = v->page.gather.intervals;

	fprintf(f, "I/O of %s: samples %llu to %llu, %.2f s\n", v->page.gather.host,
	    (unsigned long long)intervals_first(iv),
	    (unsigned long long)intervals_last(iv), v->page.sums.seconds);
	if (gather_sets(g) > 1)
		fprintf(f, gather_between(g) ? "%u event sets took turns in each "
		    "sample; figures of their events are estimates\n" : "%u event "
		    "sets were multiplexed; their counts are scaled to all of the "
		    "time\n", gather_sets(g));
	if (gather_turns(g))
		fprintf(f, "The kernel multiplexed groups of events; their "
		    "counts are\nscaled to all of the time\n");
	io_text_put_apart(v, f);
	for (unsigned i = 0; i < gather_sets(g); i++) {
		double share;
		const char *name = gather_set(g, i, &share);

		if (!(share > 0))
			fprintf(f, "Event set %s never ran in this time: "
			    "its events are in no figure\n", name);
	}
}

/* Says which peak the percentage above is of. */
static void
put_peak(const struct io_view *v, FILE *f)
{
	struct peak p = peak_dram(v->page.gather.reader, -1, 1, v->dram_max);
	char words[200];

	fprintf(f, "    of %.1f GB/s, %s\n", p.value / 1e9, peak_words(&p, words,
	    sizeof words));
}

static void
io_text_put_packages(struct io_view *v, FILE *f)
{
	unsigned npkg = v->page.gather.topo.npkg;
	const char *most = head_row(HEAD_DRAM_MAX_BANDWIDTH)->name;
	const struct view_line *l = NULL;

	fprintf(f, "\n%-40s%-8s", "Packages", "");
	for (unsigned k = 0; k < npkg && k < 4; k++)
		fprintf(f, "%9s %-2u", "package", k);
	fprintf(f, "%11s\n", "node");
	while ((l = io_view_row(v, l)) != NULL) {
		const struct metric *m = metrics_find(&v->page.metrics,
		    l->metric);
		const char *lacks = io_missing(&v->page, l->metric);

		fprintf(f, "  %-38s%-8s", l->title, m ? m->unit : "");
		if (lacks != NULL && !(v->dram_max > 0 &&
		    strcmp(l->metric, "dram_utilisation") == 0)) {
			/* tallyd could not measure some NUMA node, or was not
			 * asked to */
			fprintf(f, "  %s%s%s\n", m != NULL ? "missing " :
			    "", lacks, strcmp(lacks, most) == 0 ? " (tallyd "
			    "--measure-dram-bandwidth, or --dram-max)" :
			    strncmp(lacks, most, strlen(most)) == 0 ?
			    " (--dram-max)" : "");
			continue;
		}
		for (unsigned k = 0; k < npkg && k < 4; k++)
			io_text_put_value(v, f, l->metric, IO_AT_PACKAGE(k), 11,
			    l->decimals);
		io_text_put_value(v, f, l->metric, IO_AT_NODE, 10, l->decimals);
		putc('\n', f);
		if (strcmp(l->metric, "dram_utilisation") == 0)
			put_peak(v, f);
	}
}

/* Has a stack no traffic at all?  Such stacks are only named. */
static bool
io_text_idle(struct io_view *v, unsigned pkg, unsigned stack)
{
	return io_view_value(v, "pcie_total", IO_AT_STACK(pkg, stack)).value == 0;
}

/* Has a stack no figure in any column of the tables? */
static bool
uncounted(struct io_view *v, unsigned pkg, unsigned stack)
{
	for (unsigned i = 0; i < v->ncolumn; i++)
		if (!isnan(io_view_value(v, v->column[i].metric,
		    IO_AT_STACK(pkg, stack)).value))
			return false;
	return true;
}

/* Does the node have this stack, although it has no figure? */
static bool
is_silent(struct io_view *v, unsigned pkg, unsigned stack)
{
	const struct head_at at = { .name = { "IIO" }, .n = { pkg, stack } };

	return head_constant(v->page.gather.reader, HEAD_UNIT_ABSENT, at) ==
	    NULL && uncounted(v, pkg, stack);
}

/* Names the stacks that are in no table for this reason. */
static void
io_text_put_left_out(struct io_view *v, FILE *f, const char *reason,
    bool (*left_out)(struct io_view *, unsigned pkg, unsigned stack))
{
	unsigned npkg = v->page.gather.topo.npkg, stacks = io_stacks(&v->page.gather);
	char name[40];
	unsigned n = 0;

	for (unsigned k = 0; k < npkg; k++)
		for (unsigned s = 0; s < stacks; s++)
			if (left_out(v, k, s)) {
				if (n % 9 == 0)
					fputs(n == 0 ? reason : ",\n    ", f);
				fprintf(f, "%s%u/%s", n++ % 9 == 0 ? "" : ", ",
				    k, io_stack_name(&v->page.gather, k, s, name,
				    sizeof name));
			}
	if (n > 0)
		putc('\n', f);
}

/* Names below a table the columns that no stack has. */
static void
put_lacking(struct io_view *v, FILE *f, unsigned from, unsigned to)
{
	const char *next;

	for (unsigned i = from; i < to; i++) {
		const struct io_column *c = &v->column[i];
		const char *lacks = io_missing(&v->page, c->metric);

		if (lacks == NULL)
			continue;
		fprintf(f, "  %s %s", c->head, c->unit);
		/* columns that lack the same are named together */
		for (; i + 1 < to && (next = io_missing(&v->page,
		    c[1].metric)) != NULL && strcmp(next, lacks) == 0; i++) {
			c++;
			fprintf(f, ", %s %s", c->head, c->unit);
		}
		fprintf(f, ": %s%s\n", metrics_find(&v->page.metrics,
		    c->metric) != NULL ? "missing " : "", lacks);
	}
}

/* Are these columns missing on all stacks? */
static bool
nothing_counted(struct io_view *v, unsigned from, unsigned to)
{
	while (from < to && io_missing(&v->page, v->column[from].metric) != NULL)
		from++;
	return from == to;
}

static void
io_text_put_stacks(struct io_view *v, FILE *f, unsigned from, unsigned to)
{
	unsigned npkg = v->page.gather.topo.npkg, stacks = io_stacks(&v->page.gather);
	char name[40];

	if (nothing_counted(v, from, to)) {
		fputs("\nStacks     not counted\n", f);
		put_lacking(v, f, from, to);
		return;
	}
	fputs("\nStacks     ", f);
	for (unsigned i = from; i < to; i++)
		fprintf(f, "%7s ", v->column[i].head);
	fprintf(f, "\n%-11s", "");
	for (unsigned i = from; i < to; i++)
		fprintf(f, "%7s ", v->column[i].table == IO_L3 ? "L3 %" :
		    v->column[i].unit);
	putc('\n', f);
	for (unsigned k = 0; k < npkg; k++)
		for (unsigned s = 0; s < stacks; s++) {
			if (io_text_idle(v, k, s) || uncounted(v, k, s))
				continue;
			fprintf(f, "  %u/%-7s", k, io_stack_name(&v->page.gather, k,
			    s, name, sizeof name));
			for (unsigned i = from; i < to; i++)
				io_text_put_value(v, f, v->column[i].metric,
				    IO_AT_STACK(k, s), 7,
				    v->column[i].decimals);
			putc('\n', f);
		}
	put_lacking(v, f, from, to);
}

/* Prints two tables, payload and L3, then latency, conflicts and VT-d, as one would be
 * too wide. */
static void
io_text_put_tables(struct io_view *v, FILE *f)
{
	unsigned to = 0;

	while (to < v->ncolumn && v->column[to].table != IO_LATENCY)
		to++;
	io_text_put_stacks(v, f, 0, to);
	io_text_put_stacks(v, f, to, v->ncolumn);
	io_text_put_left_out(v, f, "  no traffic: ", io_text_idle);
	if (!nothing_counted(v, 0, v->ncolumn))
		io_text_put_left_out(v, f, "  no figure: ", is_silent);
}

static void
put_doubt(FILE *f, const struct io_doubt *d, bool first)
{
	char text[400], word[80];
	const char *at = d->where, *end;
	unsigned col = 5;

	io_doubt_text(d, text, sizeof text);
	fprintf(f, "%s%s\n", first ? "\nDoubtful\n  " : "  ", text);
	if (d->n < 2)
		return;
	fprintf(f, "     ");
	for (; at != NULL; at = end != NULL ? end + 2 : NULL) {
		end = strstr(at, ", ");
		snprintf(word, sizeof word, "%.*s", end != NULL ?
		    (int)(end - at) + 1 : (int)strlen(at), at);
		io_word(f, &col, "", word);
	}
	putc('\n', f);
}

/* Where rows of the page have no figures that @io would count: prints that. */
static void
put_what_counts(struct io_view *v, FILE *f)
{
	const struct reader *r = v->page.gather.reader;
	const struct view_line *l = NULL;
	char buf[80];
	/* dumps of the original tool name no model: they are of Skylake-SP */
	const char *name = text_of_model("@io", model_named(head_text(r,
	    HEAD_MODEL, ALONE, "skx")), buf, sizeof buf);

	if (text_named(name, TEXT_CONFIG) == NULL || text_was_given(r, name))
		return;
	while ((l = io_view_row(v, l)) != NULL)
		if (strcmp(l->metric, "dram_utilisation") != 0 &&
		    io_missing(&v->page, l->metric) != NULL) {
			fprintf(f, "\nMost of what is missing here is counted with "
			    "tallyd -c @io\n");
			return;
		}
}

/* io_view_text - print all of it as a page. */
static void
io_view_text(struct io_view *v, FILE *f)
{
	io_text_put_head(v, f);
	io_text_put_packages(v, f);
	if (v->stacks)
		io_text_put_tables(v, f);
	if (v->stacks || v->nline > 0)
		io_devices_text(v, f);
	if (v->stacks)
		io_counts_text(v, f);
	if (v->of_package)
		fprintf(f, "\n~ of the package: its CHAs do not tell stacks "
		    "apart (-f csv has what a stack's own can be)\n");
	if (v->incomplete)
		fprintf(f, "\n* lacks some of its counts\n");
	why_not_put(&v->why_not, f);
	put_what_counts(v, f);
	for (unsigned i = 0; i < v->ndoubt; i++)
		put_doubt(f, &v->doubt[i], i == 0);
}

/* ---- as rows, for programs ---------------------------------------------- */

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct table_column columns[] = {
	{ "node", NULL, 0, true }, { "scope", NULL, 0, true },
	{ "where", NULL, 0, true }, { "device", NULL, 0, true },
	{ "metric", NULL, 0, true }, { "value", NULL, 4, false },
	{ "unit", NULL, 0, true }, { "note", NULL, 0, true },
	{ "error", NULL, 4, false },
};

struct io_row {
	const char *scope, *where, *device, *metric, *unit, *note;
	const struct figure *figure;
};

static void
io_rows_put_row(struct out *out, const struct io_view *v,
    const struct io_row *row)
{
	cell_text(out, v->page.gather.host);
	cell_text(out, row->scope);
	cell_text(out, row->where);
	cell_text(out, row->device);
	cell_text(out, row->metric);
	cell_figure(out, row->figure->value);
	cell_text(out, row->unit);
	cell_text(out, row->note);
	cell_figure(out, figure_is_estimate(row->figure) &&
	    !isnan(row->figure->value) ? row->figure->error : (double)NAN);
}

static void
io_rows_put_metric(struct out *out, struct io_view *v, const char *metric,
    struct io_at at)
{
	const struct metric *m = metrics_find(&v->page.metrics, metric);
	const char *lacks = io_missing(&v->page, metric);
	struct figure f = io_view_value(v, metric, at);
	char where[64] = "", name[40], remark[600] = "", buf[40], note[200];
	char flag = io_view_flag(v, metric, f, at, note, sizeof note);

	if (at.stack >= 0)
		snprintf(where, sizeof where, "%d/%s", at.pkg,
		    io_stack_name(&v->page.gather, (unsigned)at.pkg,
		    (unsigned)at.stack, name, sizeof name));
	else if (at.pkg >= 0)
		snprintf(where, sizeof where, "%d", at.pkg);
	/* the note of a doubtful figure already says that it is outside its range */
	f.wrong &= flag != '?' && flag != '!';
	if (isnan(f.value) && lacks != NULL)
		snprintf(remark, sizeof remark, "%s%s", m != NULL ? "missing " :
		    "", lacks);
	else if (figure_note(&v->page.gather.binding, &f, note[0] != '\0' ?
	    note : NULL, remark, sizeof remark)[0] == '\0' &&
	    flag == '*')
		snprintf(remark, sizeof remark, "incomplete");
	io_rows_put_row(out, v,
	    &(struct io_row){ .scope = at.stack >= 0 ? "stack" :
	    at.pkg >= 0 ? "package" : "node", .where = where, .device = "",
	    .metric = io_stack_metric(&v->page, metric, at.pkg, at.stack, buf,
	    sizeof buf), .figure = &f, .unit = m != NULL ? m->unit : "",
	    .note = remark });
}

static void
put_device(struct out *out, struct io_view *v, const struct flow_line *l)
{
	unsigned n = v->page.nway;
	char place[64], note[400], buf[40];

	io_view_place(v, l, place, sizeof place);
	for (unsigned i = 0; i < n + 2; i++) {
		bool link = i == n + 1;
		const struct figure *f = i < n ? &l->flow.of[i] : link ?
		    &l->flow.link : &l->flow.total;

		/* a CPU that counts only by package does not know a device's traffic */
		if (!v->stacks && !link)
			continue;
		if (figure_note(&v->page.gather.binding, f, link &&
		    l->port != NULL ? l->port->missing : NULL, note,
		    sizeof note)[0] == '\0' && !isnan(f->value) &&
		    figure_lacks(f))
			snprintf(note, sizeof note, "incomplete");
		io_rows_put_row(out, v, &(struct io_row){ .scope = "device",
		    .where = place, .device = l->port != NULL ?
		    l->port->addresses : "unattributed",
		    .metric = io_stack_metric(&v->page, i < n ?
		    v->page.way[i].metric : link ? "link_utilisation" :
		    "pcie_total", l->pkg, l->stack, buf, sizeof buf),
		    .figure = f, .unit = link ? "%" : "GB/s",
		    .note = note });
	}
}

/* Puts the figures of a device's unit. */
static void
io_rows_put_unit(struct out *out, struct io_view *v, const struct flow_line *l)
{
	char place[64];

	if (l->port == NULL || l->stack < 0)
		return;
	io_view_place(v, l, place, sizeof place);
	for (unsigned i = 0; i < v->ncolumn; i++) {
		const struct io_column *c = &v->column[i];
		struct io_at at = IO_AT_STACK(l->pkg, l->stack);
		struct figure x;
		char flag[200], note[600], remark[240];

		if (c->table == IO_PAYLOAD)
			continue;
		x = io_view_value(v, c->metric, at);
		io_view_flag(v, c->metric, x, at, flag, sizeof flag);
		snprintf(remark, sizeof remark, "of its unit%s%s", flag[0] ?
		    "; " : "", flag);
		io_rows_put_row(out, v, &(struct io_row){ .scope = "device",
		    .where = place, .device = l->port->addresses,
		    .metric = c->metric, .figure = &x, .unit =
		    x.metric != NULL ? x.metric->unit : "", .note = figure_note(
		    &v->page.gather.binding, &x, remark, note, sizeof note) });
	}
}

/* Puts the counts of a stack, for each event a row: "irp[\"FAF_INSERTS\"]". */
static void
put_counts(struct out *out, const struct io_view *v, unsigned pkg,
    unsigned stack)
{
	const struct seriesset *set = &v->page.gather.series;
	char where[64], name[40], metric[128], note[200];

	snprintf(where, sizeof where, "%u/%s", pkg, io_stack_name(&v->page.gather, pkg,
	    stack, name, sizeof name));
	for (uint32_t i = 0; i < set->n; i++) {
		const char *event, *box = io_unit_event(&set->series[i], &event);
		struct figure x;

		if (box == NULL)
			continue;
		x = io_unit_count(&v->page, &set->series[i], (int)pkg,
		    (int)stack);
		snprintf(metric, sizeof metric, "%s[\"%s\"]", box, event);
		io_rows_put_row(out, v, &(struct io_row){ .scope = "stack",
		    .where = where, .device = "", .metric = metric, .figure = &x,
		    .unit = "", .note = figure_note(&v->page.gather.binding, &x,
		    NULL, note, sizeof note) });
	}
}

static int
io_rows_put_rows(struct out *out, void *what)
{
	struct io_view *v = what;
	unsigned npkg = v->page.gather.topo.npkg, stacks = io_stacks(&v->page.gather);
	const struct view_line *x = NULL;

	while ((x = io_view_row(v, x)) != NULL) {
		io_rows_put_metric(out, v, x->metric, IO_AT_NODE);
		for (unsigned k = 0; k < npkg; k++)
			io_rows_put_metric(out, v, x->metric, IO_AT_PACKAGE(k));
	}
	for (unsigned k = 0; k < npkg; k++)
		for (unsigned s = 0; s < stacks; s++)
			for (unsigned i = 0; i < v->ncolumn; i++)
				io_rows_put_metric(out, v, v->column[i].metric,
				    IO_AT_STACK(k, s));
	for (unsigned i = 0; i < v->nline; i++) {
		put_device(out, v, &v->line[i]);
		io_rows_put_unit(out, v, &v->line[i]);
	}
	for (unsigned k = 0; k < npkg; k++)
		for (unsigned s = 0; s < stacks; s++)
			put_counts(out, v, k, s);
	return 0;
}

static int
io_rows_put_page(struct out *out, void *what)
{
	io_view_text(what, out_file(out));
	return 0;
}

const struct view io_report_view = {
	.table = { "io", columns, COUNT(columns), false },
	.rows = io_rows_put_rows, .page = io_rows_put_page, .apart = true,
};
