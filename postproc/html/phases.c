/*
 * postproc/html/phases.c - the phases of a run, as bands behind timelines.
 */
#include "postproc/html/parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "postproc/html/markup.h"

/* When a sample was taken; of one inside a bucket, interpolated. */
static double
time_of(const struct timeline *t, uint64_t sample)
{
	for (unsigned i = 0; i < t->n; i++) {
		const struct bucket *b = &t->bucket[i];

		if (sample <= b->before)
			return b->from;
		if (sample < b->last)
			return b->from + (b->to - b->from) *
			    (double)(sample - b->before) /
			    (double)(b->last - b->before);
	}
	return t->bucket[t->n - 1].to;
}

static bool
phases_mark_of(const struct reader *r, unsigned n, uint64_t *sample)
{
	const struct constant *c = head_constant(r, HEAD_PHASE_MARK, AT(n));

	if (c == NULL || c->none || c->kind != CONSTANT_INT)
		return false;
	*sample = c->u;
	return true;
}

int
phases_find(struct phases *p, const struct reader *r, const struct timeline *t)
{
	uint64_t at, next, begin, end;
	unsigned n = 0;

	*p = (struct phases){ .n = 0 };
	while (phases_mark_of(r, n, &at))
		n++;
	if (n == 0 || t->n == 0)
		return 0;
	if ((p->phase = calloc(n, sizeof *p->phase)) == NULL)
		return -ENOMEM;
	begin = t->bucket[0].before;
	end = t->bucket[t->n - 1].last;
	p->from = t->bucket[0].from;
	p->to = t->bucket[t->n - 1].to;
	for (unsigned i = 0; i < n && phases_mark_of(r, i, &at); i++) {
		if (!phases_mark_of(r, i + 1, &next) || next > end)
			next = end;
		if (at < begin)
			at = begin;
		if (at < next)
			p->phase[p->n++] = (struct phase){ i, at, next,
			    time_of(t, at), time_of(t, next) };
	}
	return 0;
}

void
phases_free(struct phases *p)
{
	free(p->phase);
	*p = (struct phases){ .n = 0 };
}

static double
percent(const struct phases *p, double at)
{
	return p->to > p->from ? 100 * (at - p->from) / (p->to - p->from) : 0;
}

static void
put_strip(const struct phases *p, FILE *f, bool samples)
{
	for (unsigned i = 0; i < p->n; i++) {
		const struct phase *x = &p->phase[i];

		fprintf(f, "<span class=\"p%u\" style=\"left:%.3f%%;width:%.3f%%\"",
		    x->mark % 2, percent(p, x->from), percent(p, x->to) -
		    percent(p, x->from));
		if (samples)
			fprintf(f, " data-first=\"%" PRIu64 "\" data-last=\"%"
			    PRIu64 "\"", x->first, x->last);
		fprintf(f, ">@%u</span>", x->mark);
	}
}

void
phases_put(const struct phases *p, FILE *f)
{
	if (p->n == 0)
		return;
	fputs("<h3 id=\"h-phases\">Phases</h3><div id=\"phases\" "
	    "class=\"strip\">", f);
	put_strip(p, f, true);
	fputs("</div>\n<details><summary>Their samples</summary><div "
	    "class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Samples "
	    "of phases\"><table><thead><tr><th scope=\"col\">Phase</th>"
	    "<th scope=\"col\" class=\"n\">Samples</th><th scope=\"col\" "
	    "class=\"n\">Seconds</th></tr></thead><tbody>\n", f);
	for (unsigned i = 0; i < p->n; i++) {
		const struct phase *x = &p->phase[i];

		fprintf(f, "<tr><th scope=\"row\">@%u</th><td class=\"n\">%"
		    PRIu64 " to %" PRIu64 "</td><td class=\"n\">%.2f to %.2f"
		    "</td></tr>\n", x->mark, x->first, x->last, x->from, x->to);
	}
	fputs("</tbody></table></div></details>\n", f);
}

void
phases_bands(const struct phases *p, FILE *f, double width, double height)
{
	for (unsigned i = 0; i < p->n; i++) {
		const struct phase *x = &p->phase[i];
		double a = percent(p, x->from) / 100 * width;
		double b = percent(p, x->to) / 100 * width;

		if (x->mark % 2 == 1)
			fprintf(f, "<rect class=\"phase\" x=\"%.1f\" y=\"0\" "
			    "width=\"%.1f\" height=\"%.0f\"/>", a, b - a,
			    height);
		fprintf(f, "<line class=\"mark\" x1=\"%.1f\" x2=\"%.1f\" "
		    "y1=\"0\" y2=\"%.0f\"/>", a, a, height);
	}
}

void
phases_names(const struct phases *p, FILE *f)
{
	if (p->n == 0)
		return;
	fputs("<div class=\"strip\" aria-hidden=\"true\">", f);
	put_strip(p, f, false);
	fputs("</div>", f);
}

void
phases_json(const struct phases *p, FILE *f)
{
	fputs("\"phases\":[", f);
	for (unsigned i = 0; i < p->n; i++) {
		const struct phase *x = &p->phase[i];

		fprintf(f, "%s[%u,%" PRIu64 ",%" PRIu64 ",", i > 0 ? "," : "",
		    x->mark, x->first, x->last);
		markup_number(f, x->from);
		putc(',', f);
		markup_number(f, x->to);
		putc(']', f);
	}
	putc(']', f);
}
