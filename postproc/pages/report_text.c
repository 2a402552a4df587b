/*
 * postproc/pages/report_text.c - the report as text of 100 columns.  '*' marks a figure
 * that lacks deltas or units, '!' one that cannot be.
 */
#include "postproc/pages/report.h"

#include "lib/printable.h"

#include <math.h>
#include <string.h>

#define WIDTH 100
#define MAX_PKG_COLUMNS 6

static void
report_text_put_heading(FILE *f, const char *title, unsigned npkg)
{
	fprintf(f, "\n%-40s", title);
	for (unsigned i = 0; i < npkg; i++)
		fprintf(f, "%5s %-3u", "pkg", i);
	fprintf(f, "%8s\n", "node");
}

/* Is some figure of a row above the threshold of the view, or marked as wrong? */
static bool
is_above(struct page *p, const struct report_line *l)
{
	const struct binding *b = &p->gather.binding;

	for (enum scope s = SCOPE_OF_PACKAGE; s <= SCOPE_OF_NODE; s++)
		for (unsigned k = 0; k < binding_windows(b, l->bound, s); k++) {
			struct figure x = page_figure(p, l->bound, s, k);

			if (x.wrong || x.value > l->above)
				return true;
		}
	return false;
}

/* Decides which rows this page shows. */
static void
fold_lines(struct page *p)
{
	for (unsigned i = 0; i < p->nline; i++) {
		struct report_line *l = &p->line[i];

		l->shown = l->title != NULL && (l->have || l->own);
		if (!l->shown || !l->have || p->all || !(l->more ||
		    l->above > -INFINITY))
			continue;
		l->shown = !l->more && is_above(p, l);
		p->folded += !l->shown;
	}
}

static bool
report_text_none(const struct page *p, unsigned heading)
{
	for (unsigned i = heading + 1; i < p->nline &&
	    p->line[i].title != NULL; i++)
		if (p->line[i].shown)
			return false;
	return true;
}

/* Writes a note; where it has no room, its number, and the note below the figures. */
static void
report_text_put_note(struct page *p, FILE *f, unsigned col, const char *note)
{
	unsigned i = 0;

	if (col + 1 + strlen(note) <= WIDTH) {
		fprintf(f, " %s", note);
		return;
	}
	while (i < p->nnote && strcmp(p->note[i], note) != 0)
		i++;
	if (i == sizeof p->note / sizeof *p->note)
		return;
	p->note[i] = note;
	p->nnote += i == p->nnote;
	fprintf(f, " [%u]", i + 1);
}

static void
report_text_put_notes(const struct page *p, FILE *f)
{
	for (unsigned i = 0; i < p->nnote; i++) {
		unsigned col = (unsigned)fprintf(f, "%s[%u]", i == 0 ? "\n" :
		    "", i + 1);

		for (const char *at = p->note[i]; *at != '\0';) {
			int n = (int)strcspn(at, " ");

			if (col + 1 + (unsigned)n > WIDTH)
				col = (unsigned)fprintf(f, "\n   ") - 1;
			col += (unsigned)fprintf(f, " %.*s", n, at);
			at += n;
			at += strspn(at, " ");
		}
		fputc('\n', f);
	}
}

/* Writes the standard error of an estimate; returns how many characters that takes. */
static unsigned
put_error(FILE *f, const struct figure *x, int decimals)
{
	return (unsigned)fprintf(f, " +- %.*f", decimals == DECIMALS_BY_SIZE ?
	    3 : decimals, x->error);
}

static void
report_text_put_line(struct page *p, FILE *f, const struct report_line *l,
    unsigned shown)
{
	const struct bound *b = &p->gather.binding.bound[l->bound];
	const struct metric *m = b->metric;
	unsigned col = 40 + 9 * (shown + 1);
	struct figure node;

	fprintf(f, "  %-27s %-10s", l->title, m->unit);
	if (!l->have) {
		fprintf(f, "%8s missing %s\n", "n/a", b->missing[0]);
		return;
	}
	for (unsigned k = 0; k < shown; k++)
		if (m->scope == SCOPE_OF_NODE)
			fprintf(f, "%8s ", "");
		else
			page_put(p, f, page_figure(p, l->bound,
			    SCOPE_OF_PACKAGE, k), 8, l->decimals);
	node = page_figure(p, l->bound, SCOPE_OF_NODE, 0);
	page_put(p, f, node, 8, l->decimals);
	if (figure_shows_error(&node, l->decimals))
		col += put_error(f, &node, l->decimals);
	else if (isnan(node.error) && !isnan(node.value) && node.ran < 1)
		col += (unsigned)fprintf(f, " counted %.0f %% of the time",
		    100 * node.ran);
	if (!isnan(node.value) && node.misleads != NULL)
		report_text_put_note(p, f, col, node.misleads);
	fputc('\n', f);
}

static void
report_text_put_lines(struct page *p, FILE *f)
{
	unsigned npkg = p->gather.topo.npkg;
	unsigned shown = npkg < 2 ? 0 : npkg > MAX_PKG_COLUMNS ?
	    MAX_PKG_COLUMNS : npkg;

	fold_lines(p);
	for (unsigned i = 0; i < p->nline; i++) {
		const struct report_line *l = &p->line[i];

		if (l->title == NULL && !report_text_none(p, i))
			report_text_put_heading(f, l->metric, shown);
		else if (l->shown)
			report_text_put_line(p, f, l, shown);
	}
	if (npkg > shown && shown > 0)
		fprintf(f, "  (packages %u to %u are in the node's figures; "
		    "tally metrics -S package has them)\n", shown, npkg - 1);
}

/* Names energies that the node has registers for, but does not count.  Returns whether
 * there are any. */
static bool
put_uncounted(const struct page *p, bool first, FILE *f)
{
	static const char title[] = "Energy not counted here, as it never moved:";
	unsigned col = 0;

	for (unsigned i = 0; i < p->nline; i++) {
		const struct report_line *l = &p->line[i];

		if (!l->uncounted)
			continue;
		if (col == 0 && first)
			fputc('\n', f);
		col = report_word(f, col, title, 2, l->metric);
	}
	if (col > 0)
		fputc('\n', f);
	return col > 0;
}

/* Names as many of what the page lacks as a line has room for; first: nothing of
 * the foot stands above it. */
static void
put_missing(struct page *p, bool first, FILE *f)
{
	static const char title[] = "Not in this dump:";
	unsigned col = 0, more = 0;

	for (unsigned i = 0; i < p->nline; i++) {
		const struct report_line *l = &p->line[i];

		/* a metric that the CPU's list does not have is not missing */
		if (l->title == NULL || l->have || l->uncounted || l->own ||
		    l->rare || l->more ||
		    metrics_find(&p->metrics, l->metric) == NULL)
			continue;
		if (col == 0 && first)
			fputc('\n', f);
		if (col + strlen(l->metric) + 2 > WIDTH - 40)
			more++;
		else
			col = report_word(f, col, title, sizeof title, l->metric);
	}
	if (more > 0)
		fprintf(f, " and %u more", more);
	if (col > 0)
		fputs(" (tally metrics says why)\n", f);
	if (p->folded > 0)
		fprintf(f, "%sNot shown: rows that say little, or whose units are "
		    "alike: %u (--all shows them)\n", first && col == 0 ?
		    "\n" : "", p->folded);
}

static void
put_boxes(struct page *p, FILE *f)
{
	bool heading = true;

	for (unsigned i = 0; i < p->view.n; i++)
		if (p->view.line[i].kind == VIEW_BOXES && report_boxes(p,
		    &p->view.line[i], heading, f))
			heading = false;
}

/* Writes the whole page as text. */
static void
page_print(struct page *p, FILE *f)
{
	bool first;             /* nothing of the foot stands above */

	report_head(p, f);
	report_text_put_lines(p, f);
	report_text_put_notes(p, f);
	grace_print(p, f);
	soc_print(p, f);
	put_boxes(p, f);
	regions_print(p, f);
	lprocs_print(p, f);
	if (p->incomplete)
		fputs("\n* marks figures that lack lprocs, boxes or packages "
		    "that there are: they are of the\nothers alone (tally "
		    "metrics says of how many).\n", f);
	if (p->lacking)
		fputs("\n* marks figures that lack some deltas, which were no "
		    "counts.\n", f);
	if (p->wrong)
		fputs("\n! marks what cannot be: the counters behind it count "
		    "something else than their\nnames say (somebody took them "
		    "over), or were disturbed.\n", f);
	why_not_put(&p->why_not, f);
	first = !put_uncounted(p, p->why_not.n == 0, f) && p->why_not.n == 0;
	put_missing(p, first, f);
}

/* ---- rows, for programs */

static const struct table_column columns[] = {
	{ "node", NULL, 0, true }, { "line", NULL, 0, true },
	{ "metric", NULL, 0, true }, { "scope", NULL, 0, true },
	{ "where", NULL, 0, true }, { "value", NULL, 4, false },
	{ "unit", NULL, 0, true }, { "left_out", NULL, 0, false },
	{ "note", NULL, 0, true }, { "error", NULL, 4, false },
};

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
report_put_rows(struct out *out, void *what)
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
report_put_page(struct out *out, void *what)
{
	struct page *p = what;

	page_print(p, out_file(out));
	return p->rc;
}

const struct view report_view = {
	.table = { "report", columns, sizeof columns / sizeof *columns,
	    false },
	.rows = report_put_rows, .page = report_put_page, .apart = true,
};
