/*
 * postproc/html/html_page.c - the page about a dump, in one HTML file: html_page_read
 * reads the dump once and gathers all that the page shows, html_page_put writes the page.
 */
#include "postproc/html/html_page.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <math.h>

#include "postproc/html/markup.h"
#include "lib/printable.h"

/* ---- I/O stacks and devices that the head names, as JSON for the page's script
 *
 * Two members of an object, without its braces:
 *	"stacks"    package, number and name of each I/O stack that has a name
 *	"devices"   package, stack, part (of the stack, that counts the device's
 *	            traffic), name and PCI address of each device for which the
 *	            first three are known */

static void
html_page_put_stacks(const struct reader *r, FILE *f)
{
	const char *between = "";

	for (unsigned i = 0; i < read_constants(r); i++) {
		const struct constant *c = read_constant(r, i);

		if (c->key != HEAD_IO_STACK_NAME || c->none)
			continue;
		fprintf(f, "%s[%" PRIu64 ",%" PRIu64 ",", between, c->at.n[0],
		    c->at.n[1]);
		markup_json(f, c->text);
		putc(']', f);
		between = ",";
	}
}

static void
put_devices(const struct reader *r, FILE *f)
{
	const char *between = "";

	for (unsigned i = 0; i < read_constants(r); i++) {
		const struct constant *c = read_constant(r, i);
		double pkg, stack, part;

		if (c->key != HEAD_IO_DEVICE_PART || c->none)
			continue;
		part = head_number(r, HEAD_IO_DEVICE_PART, c->at, -1);
		pkg = head_number(r, HEAD_IO_DEVICE_PACKAGE, c->at, -1);
		stack = head_number(r, HEAD_IO_DEVICE_STACK, c->at, -1);
		if (!(part >= 0) || !(pkg >= 0) || !(stack >= 0))
			continue;
		fprintf(f, "%s[%.0f,%.0f,%.0f,", between, pkg, stack, part);
		markup_json(f, head_text(r, HEAD_IO_DEVICE_NAME, c->at, ""));
		putc(',', f);
		markup_json(f, head_text(r, HEAD_IO_DEVICE_ADDRESS, c->at, ""));
		putc(']', f);
		between = ",";
	}
}

static void
units_json(const struct reader *r, FILE *f)
{
	fputs("\"stacks\":[", f);
	html_page_put_stacks(r, f);
	fputs("],\n\"devices\":[", f);
	put_devices(r, f);
	putc(']', f);
}

/* The parts of the page's script, in this order: config/page/NAME.js. */
static const char *const scripts[] = { "@tools", "@data", "@units", "@axis",
	"@chart", "@glance", "@stretch", "@heat", "@histogram", "@platform", "@roofline",
	"@pointers", "@page" };

/* Binds the metrics of the timelines where the page's own figures are, too. */
static int
html_page_bind_figures(struct html_page *h, struct diag *why)
{
	struct binding *b = &h->page.gather.binding;
	unsigned bound;
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < h->timeline.nmetric; i++)
		rc = binding_add(b, h->timeline.metric[i].metric, &bound, why);
	return rc;
}

/* Begins the timelines and the causes (tally why).  Where event sets take turns, a value
 * needs a whole round of sets.  Where that is several intervals, h->gather, which follows
 * the page's gather, adds up each round for them. */
static int
begin_over_time(struct html_page *h, const struct gather_ask *ask,
    const struct timeline_ask *fine, struct diag *why)
{
	struct gather *g = &h->page.gather;
	const struct why_ask limits = { .in = ask };
	int rc = 0;

	h->sets = gather_sets(g) > 0;
	h->rounds = h->sets && !gather_between(g);
	if (h->rounds) {
		rc = gather_follow(&h->gather, g, &h->page.metrics);
		g = &h->gather;
	}
	if (rc < 0 || (rc = timeline_begin(&h->timeline, g, &h->page.view, fine,
	    &h->bandwidths, why)) < 0 ||
	    (h->rounds && (rc = html_page_bind_figures(h, why)) < 0))
		return rc;
	h->timeline.crew = h->crew = crew_new(ask->select.jobs);
	rc = why_begin(&h->why, g, &limits, why);
	h->why.beside = true;
	h->timeline.guest[0] = (struct timeline_guest){ &h->why,
	    why_compile_beside, why_take_beside };
	return rc;
}

/* Begins the checks.  Their pairs of figures may be of events that take turns; only where
 * there are none are they evaluated with the timelines. */
static int
begin_checks(struct html_page *h, struct diag *why)
{
	int rc = check_begin(&h->check, &h->page.gather, why);

	if (h->sets)
		return rc;
	h->check.pairs.beside = true;
	h->timeline.guest[1] = (struct timeline_guest){ &h->check.pairs,
	    pairs_compile_beside, pairs_take_beside };
	return rc;
}

/* Gives the timelines and the causes the sums of one more interval. */
static int
next_over_time(struct html_page *h, const struct sums *s)
{
	int rc = why_next(&h->why, s);

	return rc < 0 ? rc : timeline_next(&h->timeline, s);
}

/* Takes the sums of a round, with which an interval has ended. */
static int
end_round(struct html_page *h, const struct sums *s)
{
	int rc = s == NULL ? -ENOMEM : why_round(&h->why, s);

	return rc < 0 || !h->timeline.sets ? rc :
	    timeline_round(&h->timeline, s);
}

/* Takes one more interval where event sets rotate; with the last one of a round, timelines
 * and causes also get the sums of the round. */
static int
next_in_round(struct html_page *h, struct round *round, struct diag *why)
{
	struct gather *g = &h->gather;
	int rc = gather_next(g, why);

	if (rc < 0 || (rc = next_over_time(h, gather_interval(g))) < 0 ||
	    !round_ends(round, g))
		return rc;
	rc = end_round(h, gather_sums(g));
	gather_afresh(g);
	return rc;
}

/* Reads all intervals, and gives each to the checks, the timelines and the causes. */
static int
html_page_read_all(struct html_page *h, struct diag *why)
{
	struct gather *g = &h->page.gather;
	struct round round = round_begin(0, true);
	int rc;

	while ((rc = gather_next(g, why)) > 0) {
		const struct sums *s = gather_interval(g);

		if ((rc = check_next(&h->check, &g->now, s, why)) < 0 ||
		    (rc = h->rounds ? next_in_round(h, &round, why) :
		    next_over_time(h, s)) < 0 || (h->sets && !h->rounds &&
		    (rc = end_round(h, gather_alone(g))) < 0))
			return rc;
	}
	if (rc < 0)
		return rc;
	/* first, as it frees more than page_end takes */
	rc = timeline_end(&h->timeline);
	crew_free(h->crew);
	h->timeline.crew = h->crew = NULL;
	page_end(&h->page);
	return rc < 0 ? rc : h->page.sums->intervals == 0 ? -ENODATA : 0;
}

int
html_page_read(struct html_page *h, const char *path,
    const struct gather_ask *ask, const struct timeline_ask *fine,
    struct diag *why)
{
	struct gather_ask all = *ask;
	int rc;

	/* timelines show metrics of the I/O analysis, too */
	all.io = true;
	*h = (struct html_page){ .check.ncol = 0 };
	if (strcmp(path, "-") == 0)
		return diag_set(why, -EINVAL, "-: a page takes a file, which "
		    "is looked at from both ends");
	if ((rc = page_begin(&h->page, path, &all, why)) < 0 ||
	    (rc = begin_over_time(h, ask, fine, why)) < 0 ||
	    (rc = begin_checks(h, why)) < 0 ||
	    (rc = html_page_read_all(h, why)) < 0 ||
	    (rc = check_end(&h->check, &ask->select, why)) < 0)
		return rc;
	if ((rc = why_end(&h->why, why)) < 0)
		return rc;
	h->page.doubtful = h->check.pairs.doubtful;
	if ((rc = phases_find(&h->phases, h->page.gather.reader,
	    &h->timeline)) < 0)
		return rc;
	glance_find(&h->glance, &h->timeline);
	timeline_figures(&h->timeline, &h->page.gather, &h->page.metrics,
	    h->page.sums);
	return 0;
}

void
html_page_fini(struct html_page *h)
{
	check_fini(&h->check);
	why_fini(&h->why);
	phases_free(&h->phases);
	bandwidths_fini(&h->bandwidths);
	timeline_fini(&h->timeline);
	crew_free(h->crew);
	if (h->gather.p != NULL)
		gather_close(&h->gather);
	page_close(&h->page);
}

/* Writes a row of the table of checks. */
static void
put_finding(const struct finding *x, FILE *f)
{
	fprintf(f, "<tr><td>%s</td><td>", x->note ? "note" : "finding");
	if (x->sampled)
		fprintf(f, "<span data-first=\"%" PRIu64 "\" data-last=\"%"
		    PRIu64 "\">%" PRIu64 " to %" PRIu64 "</span>", x->first,
		    x->last, x->first, x->last);
	fputs("</td><td>", f);
	markup_text(f, x->what);
	fputs("</td><td>", f);
	markup_text(f, x->text);
	fputs("</td></tr>\n", f);
}

static void
put_checks(const struct html_page *h, FILE *f)
{
	const struct findings *x = &h->check.findings;
	uint64_t n = check_findings(&h->check);

	fprintf(f, "<section aria-labelledby=\"h-checks\"><h2 id=\"h-checks\">"
	    "Checks</h2>\n<p>%" PRIu64 " finding%s. <span id=\"found\">"
	    "</span></p>\n", n, plural(n));
	if (x->n > 0) {
		fputs("<div class=\"wide\" tabindex=\"0\" role=\"region\" "
		    "aria-label=\"Findings\"><table id=\"checks\"><thead><tr>"
		    "<th scope=\"col\">Severity</th><th scope=\"col\">Samples"
		    "</th><th scope=\"col\">What</th><th scope=\"col\">Said"
		    "</th></tr></thead><tbody>\n", f);
		for (unsigned i = 0; i < x->n; i++)
			put_finding(&x->finding[i], f);
		fputs("</tbody></table></div>\n", f);
	}
	if (x->unkept > 0)
		fprintf(f, "<p>%" PRIu64 " more.</p>\n", x->unkept);
	fputs("</section>\n", f);
}

/* Writes a key of the head; units that have the same value share a line. */
static void
html_page_put_key(const struct reader *r, enum head_key key, struct fold *fold,
    FILE *f)
{
	char name[HEAD_NAME_SIZE];

	fold->n = 0;
	fold->more = 0;
	for (unsigned i = 0; i < read_constants(r); i++) {
		const struct constant *c = read_constant(r, i);

		if (c->key == key && !c->none)
			fold_add(fold, c);
	}
	for (unsigned i = 0; i < fold->n; i++) {
		const struct constant *c = fold->line[i].first;

		fputs("<tr><th scope=\"row\">", f);
		markup_text(f, fold_name(&fold->line[i], name, sizeof name));
		fputs("</th><td>", f);
		markup_text(f, c->text);
		fputs("</td><td>", f);
		markup_text(f, key < HEAD_KEYS ? head_row(key)->unit : "");
		fputs("</td></tr>\n", f);
	}
	if (fold->more > 0)
		fprintf(f, "<tr><th scope=\"row\">and %" PRIu64 " more</th>"
		    "<td></td><td></td></tr>\n", fold->more);
}

/* Writes the table of all keys of the head. */
static void
put_provenance(struct html_page *h, FILE *f)
{
	const struct reader *r = h->page.gather.reader;
	bool has[HEAD_KEYS + 1] = { false };

	for (unsigned i = 0; i < read_constants(r); i++)
		has[read_constant(r, i)->key] = true;
	fputs("<section aria-labelledby=\"h-head\"><h2 id=\"h-head\">"
	    "Provenance</h2>\n<details><summary>What the dump says of itself"
	    "</summary><div class=\"wide\" tabindex=\"0\" role=\"region\" "
	    "aria-label=\"Head\"><table id=\"head\"><thead><tr><th "
	    "scope=\"col\">Key</th><th scope=\"col\">Value</th><th "
	    "scope=\"col\">Unit</th></tr></thead><tbody>\n", f);
	for (enum head_key key = 0; key <= HEAD_KEYS; key++)
		if (has[key])
			html_page_put_key(r, key, &h->fold, f);
	fputs("</tbody></table></div></details></section>\n", f);
}

/* Writes the data of the page's script, as JSON, and the script. */
static int
put_data(const struct html_page *h, FILE *f)
{
	int rc;

	fputs("<script type=\"application/json\" id=\"data\">{\"wall\":", f);
	markup_number(f, h->page.gather.wall_first);
	fputs(",\n", f);
	phases_json(&h->phases, f);
	fputs(",\n", f);
	units_json(h->page.gather.reader, f);
	fputs(",\n", f);
	glance_json(&h->glance, &h->timeline, f);
	fputs(",\n", f);
	rc = timeline_json(&h->timeline, f);
	fputs(",\n", f);
	if (rc == 0)
		rc = bandwidths_json(&h->bandwidths, f);
	fputs("}</script>\n", f);
	document_scripts(f, scripts, sizeof scripts / sizeof *scripts);
	return rc;
}

/* Says which lines of the charts are left out, and which have points of several buckets,
 * as the page would be too large. */
static void
put_resolution(const struct html_page *h, FILE *f)
{
	const struct timeline *t = &h->timeline;
	const char *between = "<p class=\"soft\">A point is of ";

	if (t->others > 0)
		fprintf(f, "<p class=\"soft\">A point of a metric that --all does "
		    "not name is of %u buckets.</p>\n", 1u << t->others);
	for (unsigned s = 0; s < SCOPES; s++)
		if (t->coarse[s] > 0) {
			fprintf(f, "%s%u buckets by %s", between,
			    1u << t->coarse[s], scope_name((enum scope)s));
			between = ", ";
		}
	if (*between == ',')
		fputs(".</p>\n", f);
	for (unsigned s = 0; s < SCOPES; s++) {
		const char *name = scope_name((enum scope)s);

		if (t->unshown[s] == 0)
			continue;
		fprintf(f, "<p class=\"soft\">%u lines by %s have no room "
		    "here: tally metrics -e -S %s ", t->unshown[s], name, name);
		markup_text(f, h->page.gather.path);
		fputs("</p>\n", f);
	}
}

int
html_page_put(struct html_page *h, FILE *f)
{
	const struct timeline *t = &h->timeline;
	int rc;

	document_begin(f, h->page.gather.host, "page");
	first_header(h, f);
	fputs("<main>\n", f);
	if ((rc = first_findings(h, f)) < 0)
		return rc;
	fprintf(f, "<p id=\"stretch\" role=\"status\">All samples.</p>\n<div "
	    "class=\"first %s\">\n", h->page.gather.topo.npkg > 2 ? "many" :
	    h->page.gather.topo.npkg == 2 ? "two" : "one");
	if ((rc = platform_put(&h->page, t, f)) < 0)
		return rc;
	fputs("<section aria-labelledby=\"h-glance\"><h2 id=\"h-glance\">At "
	    "a glance</h2>\n", f);
	glance_put(&h->glance, t, &h->phases, f);
	fputs("</section>\n</div>\n<section aria-labelledby=\"h-figures\"><h2 "
	    "id=\"h-figures\">Overview</h2>\n", f);
	phases_put(&h->phases, f);
	overview_put(&h->page, t, f);
	fputs("</section>\n", f);
	fprintf(f, "<section aria-labelledby=\"h-time\"><h2 "
	    "id=\"h-time\">Over time</h2>\n<p>%u bucket%s of up to %u interval%s; "
	    "bands reach from the least to the greatest value of each. Bars "
	    "across are doubted or missing; a line without a bar has a gap where "
	    "there was nothing to divide by.%s</p>\n", t->n, plural(t->n), t->per,
	    plural(t->per), t->sets ? " Event sets take turns: what they count "
	    "has one value a round, and a lighter band, a standard error above "
	    "and below it, where that is a hundredth of it or more." : "");
	put_resolution(h, f);
	fputs("<div id=\"stills\">\n", f);
	glance_put_others(&h->glance, t, &h->phases, f);
	fputs("</div><div id=\"charts\"></div></section>\n", f);
	bandwidths_put(&h->bandwidths, f);
	roofline_put(&h->page, t, f);
	if ((rc = first_limits(h, f)) < 0)
		return rc;
	put_checks(h, f);
	put_provenance(h, f);
	fputs("</main>\n", f);
	rc = put_data(h, f);
	document_end(f);
	return rc;
}

/* ---- the values of timelines, as rows */

static const struct table_column columns[] = {
	{ "node", NULL, 0, true }, { "before", NULL, 0, false },
	{ "last", NULL, 0, false }, { "from", "s", 3, false },
	{ "to", "s", 3, false }, { "metric", NULL, 0, true },
	{ "scope", NULL, 0, true }, { "where", NULL, 0, true },
	{ "mean", NULL, 4, false }, { "least", NULL, 4, false },
	{ "greatest", NULL, 4, false }, { "unit", NULL, 0, true },
	{ "doubt", NULL, 0, true },
};

static const struct out_table table = {
	.name = "series", .column = columns,
	.ncolumn = sizeof columns / sizeof *columns,
};

/* A bucket's mean; halfway from its least to its greatest value if nothing has a weight. */
static double
line_rows_mean(const struct bucket_value *v)
{
	return v->weight > 0 ? v->sum / v->weight :
	    ((double)v->lo + (double)v->hi) / 2;
}

/* Writes a row for point i of a line: buckets from i << coarse on, 1 << coarse of them. */
static void
put_point(const struct html_page *h, const struct line *x, unsigned i,
    unsigned coarse, struct out *out)
{
	const struct timeline *t = &h->timeline;
	const struct metric *m = t->metric[x->metric].metric;
	struct bucket_value v = timeline_point(t, x, i, coarse);
	unsigned end = (i + 1) << coarse;
	const struct bucket *from = &t->bucket[i << coarse];
	const struct bucket *to = &t->bucket[(end < t->n ? end : t->n) - 1];

	cell_text(out, h->page.gather.host);
	cell_u64(out, from->before);
	cell_u64(out, to->last);
	cell_real(out, from->from);
	cell_real(out, to->to);
	cell_text(out, m->name);
	cell_text(out, scope_name((enum scope)x->window.scope));
	cell_text(out, x->where);
	cell_figure(out, line_rows_mean(&v));
	cell_figure(out, (double)v.lo);
	cell_figure(out, (double)v.hi);
	cell_text(out, m->unit);
	cell_text(out, v.doubt ? x->why : "");
}

void
line_rows_put(const struct html_page *h, struct out *out)
{
	const struct timeline *t = &h->timeline;

	table_begin(out, &table);
	for (unsigned l = 0; l < t->nline; l++) {
		const struct line *x = &t->line[l];
		unsigned coarse = timeline_coarse(t, x);
		unsigned n = x->any ? timeline_points(t, coarse) : 0;

		for (unsigned i = 0; i < n; i++)
			put_point(h, x, i, coarse, out);
	}
	table_end(out);
}
