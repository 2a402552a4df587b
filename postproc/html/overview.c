/*
 * postproc/html/overview.c - the figures of the report as a table.
 */
#include "postproc/html/glance.h"

#include <math.h>
#include <string.h>

#include "postproc/html/markup.h"

#define MAX_PKG_COLUMNS 8       /* of more packages, the node alone */

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

/* What a row is put with. */
struct row {
	struct page *p;
	const struct timeline *t;
	const struct report_line *l;
	FILE *f;
	char note[NOTE_SIZE];   /* what has to be known of its figures */
};

/* What has to be known of a figure.  Where sets have turns in each sample, how sure an
 * estimate is says more than of how much of the time it is. */
static void
note_of(const struct row *r, struct figure v, char *note)
{
	const struct binding *b = &r->p->gather.binding;
	size_t n;

	if (gather_between(&r->p->gather) && !v.unscaled && !isnan(v.error))
		v.ran = 1;
	figure_note(b, &v, b->bound[r->l->bound].metric->note, note, NOTE_SIZE);
	if (note[0] == '\0' && isnan(v.value))
		figure_why(b, &v, note, NOTE_SIZE);
	n = strlen(note);
	if (v.ran == 1 && figure_shows_error(&v, r->l->decimals))
		snprintf(note + n, NOTE_SIZE - n, "%s+- %.*f", n > 0 ? "; " : "",
		    r->l->decimals == DECIMALS_BY_SIZE ? 3 : r->l->decimals,
		    v.error);
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
	    "role=\"region\" aria-label=\"Figures\"><table id=\"figures\"><thead><tr><th scope=\"col\">Figure</th><th scope=\"col\" "
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
