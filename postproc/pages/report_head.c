/*
 * postproc/pages/report_head.c - what stands above the figures of the report: which
 * node, what time, whether the data are sound, which event sets took turns.
 */
#include "postproc/pages/report.h"

#include "lib/printable.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define WIDTH 100
#define WHEN "%Y-%m-%d %H:%M:%S"
#define MAX_OWN 64              /* only so many events are looked at */

unsigned
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
			    "were counted one after the other:", 9, p->line[i].metric);
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
	double nominal = head_number(p->gather.reader, HEAD_TSC_RATIO, ALONE,
	    0) / 10;

	if (p->sums->tsc_hz > 0)
		fprintf(f, "Clock     TSC %.4f GHz%s", p->sums->tsc_hz / 1e9,
		    intervals_clock_note(iv) ? "" : ", measured");
	else
		fprintf(f, "Clock     no TSC");
	if (nominal > 0)
		fprintf(f, " (nominal %.1f)", nominal);
	if (intervals_odd_clocks(iv) > 0)
		fprintf(f, "\n          in %llu interval%s the other clocks "
		    "contradict the TSC or the wall clock\n          (tally "
		    "check says which): the length is by the others",
		    (unsigned long long)intervals_odd_clocks(iv),
		    plural(intervals_odd_clocks(iv)));
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
	double notes = head_number(r, HEAD_NOTES_LOST, ALONE, 0);
	const struct read_problem *of;

	if (out == 0 && read_problems(r, PROBLEM_KINDS) == 0 && !(notes > 0) &&
	    held_findings(&p->held) == 0)
		fprintf(f, "Data      sound: %" PRIu64 " delta%s in %" PRIu64
		    " interval%s\n", deltas, plural(deltas), n, plural(n));
	if (out > 0)
		fprintf(f, "Data      NOT SOUND: %" PRIu64 " delta%s in %" PRIu64
		    " of %" PRIu64 " interval%s left out, no counts\n"
		    "          (tally check says which)\n", out, plural(out),
		    hit, n, plural(n));
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
		    "sample\n" : "\n", f);
}

void
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
