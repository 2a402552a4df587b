/*
 * postproc/html/first.c - what a page says first: the node, what was found, and the
 * figures of the report.
 */
#include "postproc/html/html_page.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/html/markup.h"
#include "lib/printable.h"

/* So many findings of tally check, and rules of tally why, stand above the drawing. */
enum { FINDINGS = 2,
	LIMITS = 2 };

void
first_header(struct html_page *h, FILE *f)
{
	struct gather *g = &h->page.gather;
	struct intervals *iv = g->intervals;
	const struct topology *t = &g->topo;

	fputs("<header><h1>", f);
	markup_text(f, g->host);
	fputs("</h1>\n<p>", f);
	markup_text(f, head_text(g->reader, HEAD_CPU, ALONE, "CPU unknown"));
	fprintf(f, ", %u package%s, %u core%s, %u lproc%s<br>", t->npkg,
	    plural(t->npkg), t->ncore, plural(t->ncore), t->nlproc,
	    plural(t->nlproc));
	document_when(f, g->wall_first);
	fputs(" to ", f);
	document_when(f, g->wall_last);
	fprintf(f, " UTC, samples %" PRIu64 " to %" PRIu64 ", %.2f s</p>"
	    "</header>\n", intervals_first(iv), intervals_last(iv),
	    h->page.sums->seconds);
}

/* How many findings are of deltas that lack a value, or are of a pause. */
static uint64_t
merely_absent(const struct check *c)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < c->findings.n; i++) {
		const struct finding *x = &c->findings.finding[i];

		n += !x->note && (strcmp(x->what, delta_word(DELTA_ABSENT)) == 0 ||
		    strcmp(x->what, delta_word(DELTA_PAUSED)) == 0);
	}
	return n;
}

/* Writes whether the data are sound; if so, also that checks and rules found nothing. */
static void
put_verdict(const struct html_page *h, FILE *f)
{
	const struct gather *g = &h->page.gather;
	uint64_t n = h->page.sums->intervals, hit = g->intervals_hit;
	uint64_t found = check_findings(&h->check);

	if (g->nleft_out > 0) {
		bool unsound = g->nleft_out > g->nabsent;

		fprintf(f, "<p class=\"verdict %s: %" PRIu64 " delta%s in %" PRIu64
		    " of %" PRIu64 " interval%s %s; * marks figures that lack "
		    "some</p>\n", unsound ? "wrong\">Data NOT SOUND" :
		    merely_absent(&h->check) == found ?
		    "doubtful\">Data sound, but incomplete" :
		    "doubtful\">Data incomplete", g->nleft_out,
		    plural(g->nleft_out), hit, n, plural(n),
		    unsound ? "left out" : "missing");
		return;
	}
	fprintf(f, "<p class=\"verdict %s\">Data sound: %" PRIu64
	    " interval%s, nothing left out", found == 0 ? "good" : "doubtful",
	    n, plural(n));
	if (found == 0)
		fputs("; tally check finds nothing", f);
	if (h->why.nfound == 0 && h->why.nunits > 0)
		fprintf(f, "; of %u rule%s of tally why none holds",
		    h->why.nunits, plural(h->why.nunits));
	fputs(".</p>\n", f);
}

/* Writes which samples, with attributes by which the script selects them, as -s takes them. */
static void
first_put_samples(FILE *f, uint64_t first, uint64_t last)
{
	fprintf(f, "<span data-first=\"%" PRIu64 "\" data-last=\"%" PRIu64
	    "\">sample%s %" PRIu64, first, last, first == last ? "" : "s",
	    first);
	if (first != last)
		fprintf(f, " to %" PRIu64, last);
	fputs("</span>", f);
}

static void
put_checked(const struct html_page *h, FILE *f)
{
	const struct findings *x = &h->check.findings;
	uint64_t n = check_findings(&h->check);
	unsigned shown = 0;

	for (unsigned i = 0; i < x->n && shown < FINDINGS; i++) {
		const struct finding *one = &x->finding[i];

		if (one->note)
			continue;
		shown++;
		fprintf(f, "<li class=\"wrong\"><strong>%s</strong> ", one->what);
		if (one->sampled) {
			first_put_samples(f, one->first, one->last);
			fputs(": ", f);
		}
		markup_text(f, one->text);
		fputs("</li>\n", f);
	}
	if (n > shown)
		fprintf(f, "<li class=\"wrong\">and %" PRIu64 " more: <a "
		    "href=\"#h-checks\">checks</a></li>\n", n - shown);
}

/* Writes what why_evidence and why_held say.  Their text is escaped. */
static int
put_evidence(const struct why *w, const struct why_found *found, FILE *f)
{
	char *text = NULL;
	size_t size;
	int rc = 0;
	FILE *words = open_memstream(&text, &size);

	if (words == NULL)
		return -ENOMEM;
	why_evidence(words, w, found);
	fputs(", ", words);
	why_held(words, found);
	if (fclose(words) != 0 || text == NULL)
		rc = -ENOMEM;
	if (rc == 0)
		markup_text(f, text);
	free(text);
	return rc;
}

/* Writes a rule that holds: where, when, how much, and what to do. */
static int
put_limit(const struct why *w, const struct why_found *found, FILE *f)
{
	const struct rule *r = found->units->rule;
	const struct why_unit *x = found->worst;
	int rc;

	fputs("<li><strong>", f);
	markup_text(f, r->metric.text);
	fputs("</strong> (", f);
	first_put_samples(f, x->first, x->last);
	fputs("): ", f);
	rc = put_evidence(w, found, f);
	fputs(" <span class=\"soft advice\">", f);
	markup_text(f, r->advice);
	fputs("</span></li>\n", f);
	return rc;
}

int
first_limits(const struct html_page *h, FILE *f)
{
	const struct why *w = &h->why;
	int rc = 0;

	fprintf(f, "<section aria-labelledby=\"h-limits\"><h2 id=\"h-limits\">"
	    "What limits it</h2>\n<p>%u rule%s of tally why judged, ", w->nunits,
	    plural(w->nunits));
	if (w->nfound == 0)
		fputs("none holds.</p>\n", f);
	else
		fprintf(f, "%u hold%s.</p>\n<ol>\n", w->nfound, w->nfound == 1 ?
		    "s" : "");
	for (unsigned i = 0; rc == 0 && i < w->nfound; i++)
		rc = put_limit(w, &w->found[i], f);
	fputs(w->nfound > 0 ? "</ol>\n</section>\n" : "</section>\n", f);
	return rc;
}

int
first_findings(const struct html_page *h, FILE *f)
{
	const struct why *w = &h->why;
	int rc = 0;

	fputs("<section id=\"findings\" aria-label=\"What was found\">\n", f);
	put_verdict(h, f);
	if (check_findings(&h->check) > 0 || w->nfound > 0) {
		fputs("<ul id=\"found-first\">\n", f);
		put_checked(h, f);
		for (unsigned i = 0; rc == 0 && i < w->nfound && i < LIMITS; i++)
			rc = put_limit(w, &w->found[i], f);
		if (w->nfound > LIMITS)
			fprintf(f, "<li>%u more: <a href=\"#h-limits\">what "
			    "limits it</a></li>\n", w->nfound - LIMITS);
		fputs("</ul>\n", f);
	}
	fputs("</section>\n", f);
	return rc;
}

/* ---- the figures of the report, as a table ------------------------------------ */

#define MAX_PKG_COLUMNS 8       /* with more packages, only the node is shown */

static const struct line *
overview_line_of(const struct page *p, const struct timeline *t, unsigned bound,
    enum scope scope, unsigned n)
{
	return timeline_find(t, p->gather.binding.bound[bound].metric->name,
	    scope, n);
}

static void
overview_put_value(FILE *f, double v, int decimals)
{
	if (!isfinite(v))
		fputs("n/a", f);
	else if (decimals == DECIMALS_BY_SIZE)
		fprintf(f, "%.4g", v);
	else
		fprintf(f, "%.*f", decimals, v);
}

#define NOTE_SIZE 500

/* A row while it is written. */
struct row {
	struct page *p;
	const struct timeline *t;
	const struct report_line *l;
	FILE *f;
	char note[NOTE_SIZE];   /* the note of its figures */
};

/* Writes what has to be known of a figure: of an estimate its standard error, where
 * that is worth a look, and else of what part of the time it is. */
static void
note_of(const struct row *r, struct figure v, char *note)
{
	const struct binding *b = &r->p->gather.binding;
	char words[40];
	size_t n;

	if (!v.unscaled && !isnan(v.error))
		v.ran = 1;
	figure_note(b, &v, b->bound[r->l->bound].metric->note, note, NOTE_SIZE);
	if (note[0] == '\0' && isnan(v.value))
		figure_why(b, &v, note, NOTE_SIZE);
	n = strlen(note);
	if (v.ran == 1 && figure_shows_error(&v, r->l->decimals))
		snprintf(note + n, NOTE_SIZE - n, "%s%s", n > 0 ? "; " : "",
		    figure_error(&v, r->l->decimals, words, sizeof words));
}

static void
put_cell(struct row *r, enum scope scope, unsigned n)
{
	struct page *p = r->p;
	const struct report_line *l = r->l;
	const struct binding *b = &p->gather.binding;
	const struct line *x = overview_line_of(p, r->t, l->bound, scope, n);
	char note[NOTE_SIZE];
	FILE *f = r->f;
	struct figure v;

	if (n >= binding_windows(b, l->bound, scope)) {
		fputs(scope == SCOPE_OF_PACKAGE ? "<td data-pkg></td>" :
		    "<td></td>", f);
		return;
	}
	v = page_figure(p, l->bound, scope, n);
	note_of(r, v, note);
	fputs(figure_mark(&v) == '!' ? "<td class=\"wrong\"" : "<td", f);
	fputs(scope == SCOPE_OF_PACKAGE ? " data-pkg" : "", f);
	if (x != NULL)
		fprintf(f, " data-line=\"%td\" data-decimals=\"%d\"",
		    x - r->t->line, l->decimals);
	fputs(">", f);
	overview_put_value(f, v.value, l->decimals);
	if (!isnan(v.value) && figure_mark(&v) != ' ')
		fprintf(f, "<sup>%c</sup>", figure_mark(&v));
	fputs("</td>", f);
	if (note[0] != '\0' && (scope == SCOPE_OF_NODE || r->note[0] == '\0'))
		memcpy(r->note, note, sizeof note);
}

static void
overview_put_row(struct page *p, const struct timeline *t,
    const struct report_line *l, unsigned npkg, FILE *f)
{
	const struct metric *m = p->gather.binding.bound[l->bound].metric;
	struct row r = { .p = p, .t = t, .l = l, .f = f };

	fprintf(f, "<tr><th scope=\"row\" title=\"");
	markup_text(f, m->text);
	fputs(l->title[0] == ' ' ? "\" class=\"sub\">" : "\">", f);
	markup_text(f, l->title + strspn(l->title, " "));
	fputs("</th><td class=\"unit\">", f);
	markup_text(f, m->unit);
	fputs("</td>", f);
	for (unsigned k = 0; k < npkg; k++)
		put_cell(&r, SCOPE_OF_PACKAGE, k);
	put_cell(&r, SCOPE_OF_NODE, 0);
	fputs("<td class=\"note\">", f);
	markup_text(f, r.note);
	fputs("</td></tr>\n", f);
}

void
overview_put(struct page *p, const struct timeline *t, FILE *f)
{
	unsigned npkg = p->gather.topo.npkg;
	const char *heading = NULL;

	npkg = npkg > MAX_PKG_COLUMNS ? 0 : npkg;
	/* a narrow screen has no room for many packages */
	fprintf(f, "<div class=\"wide%s\" style=\"--n:%u\" tabindex=\"0\" "
	    "role=\"region\" aria-label=\"Figures\"><table id=\"figures\">"
	    "<thead><tr><th scope=\"col\">Figure</th><th scope=\"col\" "
	    "class=\"unit\">Unit</th>", npkg > 2 ? " many" : "",
	    npkg > 2 ? 1 : npkg + 1);
	for (unsigned k = 0; k < npkg; k++)
		fprintf(f, "<th scope=\"col\" class=\"n\" data-pkg>Package %u</th>",
		    k);
	fputs("<th scope=\"col\" class=\"n\">Node</th><th scope=\"col\" "
	    "class=\"note\">What to know of it</th></tr></thead>\n<tbody>\n", f);
	for (unsigned i = 0; i < p->nline; i++) {
		const struct report_line *l = &p->line[i];

		if (l->title == NULL)
			heading = l->metric;
		if (l->title == NULL || !l->have)
			continue;
		if (heading != NULL) {
			fprintf(f, "<tr class=\"part\"><th colspan=\"%u\" "
			    "scope=\"colgroup\">", npkg + 4);
			markup_text(f, heading);
			fputs("</th></tr>\n", f);
		}
		heading = NULL;
		overview_put_row(p, t, l, npkg, f);
	}
	fputs("</tbody></table></div>\n", f);
	if (gather_between(&p->gather))
		fputs("<p>Event sets took turns in each sample: figures of their "
		    "events are estimates. Behind +- stands the standard error of the "
		    "node\'s, where it is a hundredth or more.</p>\n", f);
}
