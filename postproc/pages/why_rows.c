/*
 * postproc/pages/why_rows.c - what limits a run, printed.
 */
#include "postproc/pages/why.h"

#include <inttypes.h>
#include <string.h>

enum { LIMITS = 3,              /* rules printed in full */
	PLACES = 6,             /* units printed by name */
	WIDTH = 100 };

static const struct table_column columns[] = {
	{ "node", NULL, 0, true }, { "rank", NULL, 0, false },
	{ "rule", NULL, 0, true }, { "what", NULL, 0, true },
	{ "scope", NULL, 0, true }, { "where", NULL, 0, true },
	{ "value", NULL, 3, false }, { "unit", NULL, 0, true },
	{ "limit", NULL, 3, false }, { "worst", NULL, 3, false },
	{ "share", "%", 1, false }, { "first", "sample", 0, false },
	{ "last", "sample", 0, false }, { "formula", NULL, 0, true },
	{ "advice", NULL, 0, true }, { "note", NULL, 0, true },
};

/*
 * The mean value while the rule held; the limit is the mean of that time, too.
 */
static double
why_rows_value_of(const struct why_unit *x)
{
	return x->sum / x->held_s;
}

static double
limit_of(const struct rule *r, const struct why_unit *x)
{
	return rule_limit(r, x->of_sum / x->held_s);
}

/* The kind of unit: "package", or the box type ("imc"). */
static const char *
kind_of(const struct why *w, const struct why_units *u)
{
	const struct binding *b = &w->gather->binding;
	int input = b->bound[u->bound].box_input;

	return u->rule->metric.scope == SCOPE_OF_BOX && input >= 0 ?
	    b->input[input].name : scope_name(u->rule->metric.scope);
}

/* The note of a rule that holds: that this may be chance, given the errors of the values,
 * and how sure an estimate is. */
static const char *
why_rows_note_of(const struct why *w, const struct why_units *u,
    const struct why_unit *x, char *buf, size_t size)
{
	struct figure mean = x->figure;
	char words[120] = "";

	mean.error = why_unit_error(x);
	if (why_unit_unsure(u, x))
		snprintf(words, sizeof words, "may be chance: for %.1f s of %.1f s "
		    "it holds by two standard errors or less", x->unsure_s,
		    x->held_s);
	return figure_note(&w->gather->binding, &mean, words, buf, size);
}

static void
why_rows_put_row(struct out *out, const struct why *w, unsigned rank,
    const struct why_unit *x)
{
	const struct why_units *u = w->found[rank].units;
	const struct rule *r = u->rule;
	char note[400];

	cell_text(out, w->gather->host);
	cell_u64(out, rank + 1);
	cell_text(out, r->name);
	cell_text(out, r->metric.text);
	cell_text(out, kind_of(w, u));
	cell_text(out, x->where);
	cell_figure(out, why_rows_value_of(x));
	cell_text(out, r->metric.unit);
	cell_figure(out, limit_of(r, x));
	cell_figure(out, x->worst);
	cell_real(out, 100 * why_unit_share(u, x));
	cell_u64(out, x->first);
	cell_u64(out, x->last);
	cell_text(out, r->formula);
	cell_text(out, r->advice);
	cell_text(out, why_rows_note_of(w, u, x, note, sizeof note));
}

static int
why_rows_put_rows(struct out *out, void *what)
{
	const struct why *w = what;

	for (unsigned i = 0; i < w->nfound; i++)
		for (unsigned k = 0; k < w->found[i].units->n; k++)
			if (why_unit_share(w->found[i].units,
			    &w->found[i].units->unit[k]) > 0)
				why_rows_put_row(out, w, i,
				    &w->found[i].units->unit[k]);
	return 0;
}

/* ---- for people */

/* Prints what the value is held against: "the rule: above 60 %", "mostly: 16.0 GHz; the
 * rule: 12 % below". */
static void
why_rows_put_limit(FILE *f, const struct rule *r, const struct why_unit *x)
{
	static const char *const who[] = { [AGAINST_PEERS] = "the others",
		[AGAINST_ITSELF] = "mostly", [AGAINST_OTHER] = "the other run" };
	const char *side = r->below ? "below" : "above";
	char text[40];

	if (r->against == AGAINST_NUMBER)
		fprintf(f, "the rule: %s %g%s%s", side, r->limit,
		    r->metric.unit[0] ? " " : "", r->metric.unit);
	else
		fprintf(f, "%s: %s%s%s; the rule: %g %% %s", who[r->against],
		    figure_text(text, sizeof text, x->of_sum / x->held_s, 2),
		    r->metric.unit[0] ? " " : "", r->metric.unit,
		    r->limit, side);
}

/*
 * The other units in which the rule holds: "also in imc 0/1, 0/2 and 4 more".
 */
static void
put_places(FILE *f, const struct why *w, const struct why_found *p)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->units->n; i++) {
		const struct why_unit *x = &p->units->unit[i];

		if (x == p->worst || why_unit_share(p->units, x) <= 0)
			continue;
		if (n == 0)
			fprintf(f, "; also in %s %s", kind_of(w, p->units),
			    x->where);
		else if (n < PLACES)
			fprintf(f, ", %s", x->where);
		n++;
	}
	if (n > PLACES)
		fprintf(f, " and %u more", n - PLACES);
}

/* Returns how many decimals tell a value from the number that it is above or below, at
 * least two: "20.003" of a rule "above 20". */
static int
decimals_of(const struct rule *r, double v)
{
	char value[40], limit[40];
	int n = 2;

	while (r->against == AGAINST_NUMBER && v != r->limit && n < 9 &&
	    strcmp(figure_text(value, sizeof value, v, n),
	    figure_text(limit, sizeof limit, r->limit, n)) == 0)
		n++;
	return n;
}

void
why_evidence(FILE *f, const struct why *w, const struct why_found *p)
{
	const struct rule *r = p->units->rule;
	const struct why_unit *x = p->worst;
	const char *gap = r->metric.unit[0] ? " " : "";
	double is = why_rows_value_of(x);
	char value[40], worst[40];

	fprintf(f, "%s%s%s: %s%s%s, %s %s%s%s (", kind_of(w, p->units),
	    x->where[0] ? " " : "", x->where,
	    figure_text(value, sizeof value, is, decimals_of(r, is)), gap,
	    r->metric.unit, r->below ? "lowest" : "highest",
	    figure_text(worst, sizeof worst, x->worst, decimals_of(r,
	    x->worst)), gap, r->metric.unit);
	why_rows_put_limit(f, r, x);
	fputc(')', f);
	put_places(f, w, p);
}

void
why_held(FILE *f, const struct why_found *p)
{
	const struct why_unit *x = p->worst;

	fprintf(f, "for %.1f s of the %.1f s judged (%.0f %%)", x->held_s,
	    x->known_s, 100 * p->share);
}

static void
put_when(FILE *f, const struct why_found *p)
{
	const struct why_unit *x = p->worst;

	fputs("   ", f);
	why_held(f, p);
	fprintf(f, ": samples %" PRIu64 ":%" PRIu64, x->first, x->last);
	if (x->longest.first != x->first || x->longest.last != x->last)
		fprintf(f, ", longest %" PRIu64 ":%" PRIu64 " (%.1f s)",
		    x->longest.first, x->longest.last, x->longest.seconds);
	fputc('\n', f);
}

static void
put_found(FILE *f, const struct why *w, unsigned i)
{
	const struct why_found *p = &w->found[i];
	const struct rule *r = p->units->rule;
	char note[400];

	if (i == LIMITS)
		fputs("\nLess than these:\n", f);
	fprintf(f, "%s%u. %s (%s)\n", i < LIMITS ? "\n" : "", i + 1,
	    r->metric.text, r->name);
	fputs("   ", f);
	why_evidence(f, w, p);
	fputc('\n', f);
	put_when(f, p);
	if (i >= LIMITS)
		return;
	/* a rule may have the name of the metric that it is of */
	if (strcmp(r->name, r->formula) != 0)
		fprintf(f, "   %s = %s\n", r->name, r->formula);
	why_rows_note_of(w, p->units, p->worst, note, sizeof note);
	if (note[0] != '\0')
		fprintf(f, "   %s\n", note);
	fputs("  ", f);
	words_put(f, 2, 3, r->advice);
}

/* ---- the rules that were not judged ------------------------------------ */

/* Prints the names of all rules that lack the same, after their heading. */
static void
why_lacks_put_names(FILE *f, const struct why *w, const struct why_lacks *like,
    int at)
{
	const char *comma = "";

	for (unsigned i = 0; i < w->nlacks; i++) {
		const struct why_lacks *l = &w->lacks[i];
		int len = (int)strlen(l->rule->name) + 2;

		if (l->count != like->count || (l->missing[0] == '\0') !=
		    (like->missing[0] == '\0'))
			continue;
		at += len;
		if (at > WIDTH)
			at = 4 + len;
		fprintf(f, "%s%s%s", comma, at == 4 + len ? "\n    " : " ",
		    l->rule->name);
		comma = ",";
	}
	fputc('\n', f);
}

/* Prints the heading of a kind at its first rule, then the names. */
static void
put_alike(FILE *f, const struct why *w, unsigned first)
{
	const struct why_lacks *l = &w->lacks[first];
	int at;

	for (unsigned i = 0; i < first; i++)
		if (w->lacks[i].count == l->count && (w->lacks[i].missing[0] ==
		    '\0') == (l->missing[0] == '\0'))
			return;
	if (l->missing[0] == '\0')
		at = fprintf(f, "  without another run (--against FILE):");
	else if (l->count == NULL)
		at = fprintf(f, "  this node has no counter of it, or tally knows "
		    "none:");
	else
		at = fprintf(f, "  sample with tallyd %s%s:", l->count[0] == '@' ?
		    "-c " : "", l->count);
	why_lacks_put_names(f, w, l, at);
}

static void
why_lacks_put(FILE *f, const struct why *w)
{
	if (w->nlacks > 0)
		fputs("\nNot judged\n", f);
	for (unsigned i = 0; i < w->nlacks; i++)
		put_alike(f, w, i);
}

/* ---- all of it */

static int
why_rows_put_page(struct out *out, void *what)
{
	const struct why *w = what;
	const struct intervals *iv = w->gather->intervals;
	FILE *f = out_file(out);

	fprintf(f, "%s: samples %" PRIu64 " to %" PRIu64 ", %.2f s; %u rule%s "
	    "judged, ", w->gather->host, intervals_first(iv),
	    intervals_last(iv), w->seconds, w->nunits,
	    w->nunits == 1 ? "" : "s");
	if (w->nfound == 0)
		fputs("none holds\n", f);
	else
		fprintf(f, "%u hold%s\n", w->nfound, w->nfound == 1 ? "s" : "");
	for (unsigned i = 0; i < w->nfound; i++)
		put_found(f, w, i);
	why_lacks_put(f, w);
	return 0;
}

static const struct view view = {
	.table = { "why", columns, sizeof columns / sizeof *columns, false },
	.rows = why_rows_put_rows, .page = why_rows_put_page, .apart = true,
};

const struct view *
why_view(void)
{
	return &view;
}
