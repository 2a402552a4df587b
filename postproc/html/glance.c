/*
 * postproc/html/glance.c - the timelines that are looked at first (VIEW_GLANCE).
 */
#include "postproc/html/glance.h"

#include <math.h>
#include <string.h>

#include "postproc/html/markup.h"

/* Takes the lines of a choice of the view, where the dump has all of them; known:
 * and where there is a value of some. */
static void
glance_choose(struct still_chart *s, const struct timeline *t,
    const struct view_line *x, bool known)
{
	bool all = true;

	for (unsigned k = 0; all && k < x->nitem; k++)
		all = still_add(s, t, x->item[k].metric, x->item[k].title);
	s->title = x->label;
	if (!all || (known && !still_known(s)))
		s->n = 0;
}

/* The first choice of a question that the dump has; else the question. */
static void
glance_answer(struct still_chart *s, const struct timeline *t,
    const struct view_line *first, bool known)
{
	const struct view_line *x = first;

	for (; s->n == 0 && x != NULL; x = view_next(t->view, VIEW_GLANCE, x))
		if (strcmp(x->title, first->title) == 0)
			glance_choose(s, t, x, known);
	if (s->n == 0)
		s->title = first->title;
}

/* Is it asked already? */
static bool
glance_is_asked(const struct node_view *v, const struct view_line *x)
{
	const struct view_line *before = view_next(v, VIEW_GLANCE, NULL);

	for (; before != x; before = view_next(v, VIEW_GLANCE, before))
		if (strcmp(before->title, x->title) == 0)
			return true;
	return false;
}

void
glance_find(struct glance *g, const struct timeline *t)
{
	const struct view_line *x = NULL;

	*g = (struct glance){ .n = 0 };
	while (g->n < GLANCES &&
	    (x = view_next(t->view, VIEW_GLANCE, x)) != NULL) {
		if (glance_is_asked(t->view, x))
			continue;
		glance_answer(&g->still[g->n], t, x, true);
		if (g->still[g->n].n == 0)
			glance_answer(&g->still[g->n], t, x, false);
		g->n++;
	}
}

static bool
glance_has(const struct glance *g, const struct timeline *t, const char *metric)
{
	for (unsigned i = 0; i < g->n; i++)
		for (unsigned k = 0; k < g->still[i].n; k++)
			if (strcmp(t->metric[g->still[i].line[k]->metric]
			    .metric->name, metric) == 0)
				return true;
	return false;
}

void
glance_put(const struct glance *g, const struct timeline *t,
    const struct phases *phases, FILE *f)
{
	fputs("<div id=\"glance\">\n", f);
	for (unsigned i = 0; i < g->n; i++)
		if (g->still[i].n > 0)
			still_put(t, phases, &g->still[i], f);
		else
			fprintf(f, "<figure><figcaption><strong>%s</strong> <span>not "
			    "counted here</span></figcaption></figure>\n",
			    g->still[i].title);
	fputs("</div>\n", f);
}

static bool
is_always_0(const struct timeline *t, const struct still_chart *s)
{
	for (unsigned k = 0; k < s->n; k++)
		for (unsigned i = 0; i < t->n; i++)
			if (s->line[k]->in[i].lo != 0 ||
			    s->line[k]->in[i].hi != 0)
				return false;
	return true;
}

void
glance_put_others(const struct glance *g, const struct timeline *t,
    const struct phases *phases, FILE *f)
{
	const struct view_line *x = NULL;

	while ((x = view_next(t->view, VIEW_STILL, x)) != NULL)
		for (unsigned i = 0; i < x->nitem; i++) {
			struct still_chart s = { .n = 0 };

			if (glance_has(g, t, x->item[i].metric) ||
			    !still_add(&s, t, x->item[i].metric, "") ||
			    is_always_0(t, &s))
				continue;
			s.title = t->metric[s.line[0]->metric].metric->text;
			still_put(t, phases, &s, f);
		}
}

void
glance_json(const struct glance *g, const struct timeline *t, FILE *f)
{
	fputs("\"glance\":[", f);
	for (unsigned i = 0; i < g->n; i++) {
		const struct still_chart *s = &g->still[i];

		fprintf(f, "%s{\"title\":", i > 0 ? "," : "");
		markup_json(f, s->title);
		fputs(",\"lines\":[", f);
		for (unsigned k = 0; k < s->n; k++) {
			fprintf(f, "%s[%td,", k > 0 ? "," : "",
			    s->line[k] - t->line);
			markup_json(f, s->name[k]);
			putc(']', f);
		}
		fputs("]}", f);
	}
	putc(']', f);
}
