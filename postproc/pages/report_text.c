/*
 * postproc/pages/report_text.c - the report as text of 100 columns.  '*' marks a figure
 * that lacks deltas or units, '!' one that cannot be.
 */
#include "postproc/pages/report.h"

#include "lib/printable.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- its head ----------------------------------------------------------- */

/*
 * What stands above the figures of the report: which node, what time, whether the data
 * are sound, which event sets took turns.
 */

#define WIDTH 100
#define WHEN "%Y-%m-%d %H:%M:%S"
#define MAX_OWN 64              /* only so many events are looked at */

/* report_word - write the next word of a list: behind the title where col is 0, else
 * behind a comma.  col: the column that the line has reached; a word that does not fit
 * stands in the next line, indented.  Returns the column that is reached then. */
static unsigned
report_word(FILE *f, unsigned col, const char *title, unsigned indent,
    const char *word)
{
	if (col == 0)
		col = (unsigned)fprintf(f, "%s", title);
	else
		col += (unsigned)fprintf(f, ",");
	if (col + strlen(word) + 2 > WIDTH)
		col = (unsigned)fprintf(f, "\n%*s", (int)indent, "") - 1;
	return col + (unsigned)fprintf(f, " %s", word);
}

/* Is it an estimate of turns with an error known to be below 1 %?  The part of the error
 * that is chance does not count here, as it is as large where the load is steady. */
static bool
below_a_hundredth(const struct figure *x)
{
	return figure_is_estimate(x) && x->error * x->error -
	    x->chance * x->chance < 1e-4 * x->value * x->value;
}

/* Names the metrics whose events were counted at different times, but for those of
 * turns whose error is known to be below 1 %. */
static void
report_head_put_apart(struct page *p, FILE *f)
{
	unsigned col = 0;

	for (unsigned i = 0; i < p->nline; i++) {
		struct figure x;

		if (!p->line[i].have)
			continue;
		x = page_figure(p, p->line[i].bound, SCOPE_OF_NODE, 0);
		if (x.apart && !below_a_hundredth(&x))
			col = report_word(f, col, "Apart     rough, as their events "
			    "were not counted at one time:", 9, p->line[i].metric);
	}
	if (col > 0)
		fputc('\n', f);
}

/* Names registers and files that the user gave, which no table of ours describes. */
static void
put_registers(const struct reader *r, FILE *f)
{
	for (unsigned i = 0; i < read_constants(r); i++) {
		const struct constant *k = read_constant(r, i);

		if (k->key == HEAD_RAW_READ)
			fprintf(f, "%-10s%s: the user's own, %s\n",
			    strncmp(k->text, "file=", 5) == 0 ? "File" :
			    "Register",
			    k->at.name[0], k->text);
	}
}

/* Does some metric of this CPU use the event? */
static bool
in_metric(const struct metrics *m, const char *event)
{
	if (synonyms_find(m, event) != NULL)
		return true;
	for (unsigned i = 0; i < m->n; i++) {
		const struct expr *x = &m->metric[i].expr;

		for (uint32_t k = 0; k < x->nref; k++)
			/* "*" asks for units, not for an event */
			if (x->ref[k].event != NULL &&
			    strcmp(x->ref[k].event, "*") != 0 &&
			    pattern_match(x->ref[k].event, event))
				return true;
	}
	return false;
}

/* Was some configuration used that is not built in? */
static bool
report_head_own_config(const struct reader *r)
{
	const char *origin;

	for (unsigned i = 0; (origin = head_text(r, HEAD_TEXT_ORIGIN, AT(i), NULL))
	    != NULL; i++)
		if (strcmp(origin, "built-in") != 0)
			return true;
	return false;
}

/* Names events of the user's configuration that no metric of the page uses. */
static void
report_head_put_events(const struct page *p, FILE *f)
{
	const struct reader *r = p->gather.reader;
	const char *seen[MAX_OWN];
	unsigned n = 0, col = 0;

	for (unsigned c = 0; report_head_own_config(r) &&
	    c < read_columns(r); c++) {
		const struct column_id *id = &read_column(r, c)->id;
		unsigned i = 0;

		if (id->event == NULL || id->family->part != PART_COUNTS ||
		    id->family->type == NULL || id->family->fixed)
			continue;
		while (i < n && strcmp(seen[i], id->event) != 0)
			i++;
		if (i < n || n == MAX_OWN)
			continue;
		seen[n++] = id->event;
		if (!in_metric(&p->metrics, id->event))
			col = report_word(f, col, "Events    counted, and in no "
			    "figure here (tally totals has them):", 9, id->event);
	}
	if (col > 0)
		fputc('\n', f);
}

static void
put_clock(const struct page *p, FILE *f)
{
	const struct intervals *iv = p->gather.intervals;
	const char *tsc = tsc_words(p->gather.reader);
	double nominal = head_number(p->gather.reader, HEAD_TSC_RATIO, ALONE,
	    0) / 10;

	if (p->sums->tsc_hz > 0)
		fprintf(f, "Clock     %s %.4f GHz%s", tsc, p->sums->tsc_hz / 1e9,
		    intervals_clock_note(iv) ? "" : ", measured");
	else
		fprintf(f, "Clock     no %s", tsc);
	if (nominal > 0)
		fprintf(f, " (nominal %.1f)", nominal);
	if (intervals_odd_clocks(iv) > 0)
		fprintf(f, "\n          in %llu interval%s the other clocks "
		    "contradict the %s or the wall clock\n          (tally "
		    "check says which): the length is by the others",
		    (unsigned long long)intervals_odd_clocks(iv),
		    plural(intervals_odd_clocks(iv)), tsc);
	fputc('\n', f);
}

#define SHOWN_HELD 3

/* Writes findings, or notes, each cut to a line. */
static void
report_head_put_held(const struct held *h, bool notes, FILE *f)
{
	unsigned shown = 0;

	for (unsigned i = 0; i < h->findings.n && shown < SHOWN_HELD; i++) {
		const struct finding *x = &h->findings.finding[i];
		bool cut = strlen(x->text) > WIDTH - 10;

		if (x->note != notes)
			continue;
		fprintf(f, "%-10s%.*s%s\n", notes && shown == 0 ? "Peers" : "",
		    cut ? WIDTH - 13 : WIDTH, x->text, cut ? "..." : "");
		shown++;
	}
}

/* Says whether other counters, or ranges, contradict figures. */
static void
put_doubts(const struct page *p, FILE *f)
{
	unsigned n = held_findings(&p->held);

	if (n > 0)
		fprintf(f, "Data      DOUBTFUL: %u contradiction%s (tally check "
		    "says which); ! marks figures of it\n", n, plural(n));
	report_head_put_held(&p->held, false, f);
	report_head_put_held(&p->held, true, f);
}

/* Says what part of the file is in no figure. */
static void
report_head_put_data(const struct page *p, FILE *f)
{
	const struct reader *r = p->gather.reader;
	uint64_t hit = p->gather.intervals_hit, n = p->sums->intervals;
	uint64_t out = p->gather.nleft_out, lost = read_lost(r);
	uint64_t deltas = n * p->gather.ncol;
	bool unsound = out > p->gather.nabsent;
	bool else_sound;
	double notes = head_number(r, HEAD_NOTES_LOST, ALONE, 0);
	const struct read_problem *of;

	else_sound = read_problems(r, PROBLEM_KINDS) == 0 && !(notes > 0) &&
	    held_findings(&p->held) == 0;
	if (out == 0 && else_sound)
		fprintf(f, "Data      sound: %" PRIu64 " delta%s in %" PRIu64
		    " interval%s\n", deltas, plural(deltas), n, plural(n));
	if (out > 0)
		fprintf(f, "Data      %s: %" PRIu64 " delta%s in %" PRIu64
		    " of %" PRIu64 " interval%s %s\n"
		    "          (tally check says which)\n", unsound ? "NOT SOUND" :
		    else_sound ? "sound, but incomplete" : "incomplete", out,
		    plural(out), hit, n, plural(n),
		    unsound ? "left out, no counts" : "missing");
	if (lost > 0)
		fprintf(f, "Data      %" PRIu64 " line%s of the file left out "
		    "(tally check says why)\n", lost, plural(lost));
	/* problems of a store, which has no lines, are told here */
	for (unsigned i = 0; (of = read_problem(r, i)) != NULL; i++)
		if (of->line == 0)
			fprintf(f, "Data      %s\n", of->text);
	if (notes > 0)
		fprintf(f, "Data      %.0f note%s of tallyd had no room: others "
		    "may have taken counters unseen\n", notes,
		    plural((uint64_t)notes));
	put_doubts(p, f);
}

/* Says what limited the frequency, by the registers of limit reasons. */
static void
put_limits(struct page *p, FILE *f)
{
	bool known = false;
	unsigned col = 0, m;

	for (unsigned i = 0; i < p->metrics.n; i++) {
		const struct metric *x = metrics_at(&p->metrics, i);
		char word[80];
		struct figure v;

		if (strncmp(x->name, "limit_", 6) != 0 ||
		    !page_bind(p, x->name, &m))
			continue;
		known = true;
		v = page_figure(p, m, SCOPE_OF_NODE, 0);
		if (!(v.value > 0))
			continue;
		snprintf(word, sizeof word, "%s %.0f %%", x->name + 6, v.value);
		col = report_word(f, col, "Limits    of the frequency, in so "
		    "many of the samples:", 9, word);
	}
	if (known)
		fputs(col == 0 ? "Limits    nothing limited the frequency in any "
		    "sample\n" : "\n          what each means: limit_* of tally "
		    "metrics --list FILE\n", f);
}

/* report_head - write what stands above the figures. */
static void
report_head(struct page *p, FILE *f)
{
	const struct reader *r = p->gather.reader;
	const struct topology *t = &p->gather.topo;
	struct intervals *iv = p->gather.intervals;
	const char *cpu = head_text(r, HEAD_CPU, ALONE, NULL);
	char from[32], to[32];

	utc_text(from, sizeof from, p->gather.wall_first, WHEN, "?");
	utc_text(to, sizeof to, p->gather.wall_last, WHEN, "?");
	fprintf(f, "Node      %s: %s%s%u package%s, %u core%s, %u lproc%s",
	    p->gather.host, cpu != NULL ? cpu : "", cpu != NULL ? ", " : "",
	    t->npkg, plural(t->npkg), t->ncore, plural(t->ncore), t->nlproc,
	    plural(t->nlproc));
	if (regions_parted(&t->die))
		fprintf(f, ", %u dies", t->die.n);
	if (regions_parted(&t->numa))
		fprintf(f, ", %u NUMA nodes", t->numa.n);
	fputc('\n', f);
	fprintf(f, "Time      %s to %s UTC: samples %llu to %llu, %.2f s\n",
	    from, to, (unsigned long long)intervals_first(iv),
	    (unsigned long long)intervals_last(iv), p->sums->seconds);
	put_clock(p, f);
	if (strcmp(t->how, "dump") != 0)
		fprintf(f, "Topology  %s%s\n", t->how, t->assumed ?
		    ", assumed: the dump does not say (--topology)" : "");
	report_head_put_data(p, f);
	if (gather_sets(&p->gather) > 1)
		fprintf(f, "Sets      %u event sets %s; figures of their events "
		    "are estimates%s\n", gather_sets(&p->gather),
		    gather_between(&p->gather) ? "took turns in each sample" :
		    "took turns", gather_between(&p->gather) ? "" :
		    " for all of the time");
	if (gather_turns(&p->gather))
		fprintf(f, "Groups    the kernel multiplexed groups of events; "
		    "their figures are estimates\n");
	report_head_put_apart(p, f);
	put_limits(p, f);
	put_registers(r, f);
	report_head_put_events(p, f);
}

/* ---- the page ----------------------------------------------------------- */

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
		fprintf(f, "%s[%u]", i == 0 ? "\n" : "", i + 1);
		words_put(f, 3, 4, p->note[i]);
	}
}

static void
report_text_put_line(struct page *p, FILE *f, const struct report_line *l,
    unsigned shown)
{
	const struct bound *b = &p->gather.binding.bound[l->bound];
	const struct metric *m = b->metric;
	unsigned col = 40 + 9 * (shown + 1);
	struct figure node;
	bool error, part, note;
	char words[40];

	fprintf(f, "  %-27s %-10s", l->title, m->unit);
	if (!l->have) {
		fprintf(f, "%8s missing %s\n", "n/a", b->missing[0]);
		return;
	}
	for (unsigned k = 0; k < shown; k++)
		if (m->scope == SCOPE_OF_NODE)
			fprintf(f, "%8s ", "");
		else if (!page_put(p, f, page_figure(p, l->bound,
		    SCOPE_OF_PACKAGE, k), 8, l->decimals))
			fputc(' ', f);
	node = page_figure(p, l->bound, SCOPE_OF_NODE, 0);
	error = figure_shows_error(&node, l->decimals);
	part = !error && isnan(node.error) && !isnan(node.value) && node.ran < 1;
	note = !isnan(node.value) && node.misleads != NULL;
	if (!page_put(p, f, node, 8, l->decimals) && (error || part || note))
		fputc(' ', f);
	if (error)
		col += (unsigned)fprintf(f, " %s", figure_error(&node,
		    l->decimals, words, sizeof words));
	else if (part)
		col += (unsigned)fprintf(f, " counted %.0f %% of the time",
		    100 * node.ran);
	if (note)
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

/* Names the energies for which the node has registers that do not count.  Returns whether there
 * are any. */
static bool
put_uncounted(const struct page *p, bool first, FILE *f)
{
	static const char title[] = "Energy not counted here, as it never moved:";
	unsigned col = 0;

	for (unsigned i = 0; i < p->nline; i++) {
		const struct report_line *l = &p->line[i];

		/* an indented row is a part of the one above, which is named */
		if (!l->uncounted || l->title[0] == ' ')
			continue;
		if (col == 0 && first)
			fputc('\n', f);
		col = report_word(f, col, title, 2, l->metric);
	}
	if (col > 0)
		fputc('\n', f);
	return col > 0;
}

/* Does a metric lack what its CPU cannot count?  Its formula has a text there, in place of
 * a column. */
static bool
never_there(const struct page *p, const struct report_line *l)
{
	const struct binding *b = &p->gather.binding;
	const char *lacks = l->bound < b->nbound &&
	    b->bound[l->bound].nmissing > 0 ? b->bound[l->bound].missing[0] : "";

	return lacks[strcspn(lacks, " [:")] == ' ';
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
		    metrics_find(&p->metrics, l->metric) == NULL ||
		    never_there(p, l))
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
	bool first;             /* nothing of the page's foot was written yet */

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
