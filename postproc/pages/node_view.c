/*
 * postproc/pages/node_view.c - what a page shows of a node, read from a text.
 *
 *   file    = { include | heading | row }     each begins at the first column
 *   include = "include" STRING
 *   heading = "heading" STRING
 *   row     = ( "row" | "boxes" ) NAME NUMBER STRING { when }
 *   when    = "more" | "rare" | "above" NUMBER | "without" NAME
 */
#include "postproc/pages/node_view.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/arena.h"
#include "config/texts.h"
#include "postproc/metrics/lex.h"
#include "lib/array.h"
#include "lib/printable.h"

#define MAX_DECIMALS 9
#define MAX_INCLUDES 8          /* within one another */

static int load(struct node_view *, const char *name, unsigned depth,
    struct diag *why);

static int
take_text(struct node_view *v, struct lex *l, enum lex_kind kind,
    const char **out, const char *what, struct diag *why)
{
	char *text;

	if (l->kind != kind || l->len == 0)
		return lex_fail(l, why, "%s expected", what);
	if ((text = arena_strndup(v->arena, l->text, l->len)) == NULL)
		return -ENOMEM;
	*out = printable(text);
	lex_next(l);
	return 0;
}

static int
take_number(struct lex *l, double *out, struct diag *why)
{
	bool negative = lex_mark(l, "-");

	if (negative)
		lex_next(l);
	if (l->kind != LEX_NUMBER)
		return lex_fail(l, why, "a number expected");
	*out = negative ? -l->number : l->number;
	lex_next(l);
	return 0;
}

static int
take_decimals(struct lex *l, int *out, struct diag *why)
{
	if (l->kind != LEX_NUMBER || !(l->number >= 0 &&
	    l->number <= MAX_DECIMALS) || l->number != floor(l->number))
		return lex_fail(l, why, "decimals, 0 to %d, expected",
		    MAX_DECIMALS);
	*out = (int)l->number;
	lex_next(l);
	return 0;
}

static int
take_when(struct node_view *v, struct lex *l, struct view_line *x,
    struct diag *why)
{
	int rc = 0;

	while (rc == 0 && l->kind != LEX_END && l->kind != LEX_STOP) {
		bool above = lex_word(l, "above");
		bool without = lex_word(l, "without");

		if (!above && !without && !lex_word(l, "more") &&
		    !lex_word(l, "rare"))
			return lex_fail(l, why, "`more`, `rare`, `above` or "
			    "`without` expected");
		x->more |= lex_word(l, "more");
		x->rare |= lex_word(l, "rare");
		lex_next(l);
		if (above)
			rc = take_number(l, &x->above, why);
		else if (without)
			rc = take_text(v, l, LEX_NAME, &x->without,
			    "a metric's name", why);
	}
	return rc;
}

/* Puts a line behind all others; one that shows a metric again takes the place
 * of the first. */
static int
put(struct node_view *v, const struct view_line *x)
{
	struct view_line *line;

	for (unsigned i = 0; x->metric != NULL && i < v->n; i++)
		if (v->line[i].kind == x->kind &&
		    strcmp(v->line[i].metric, x->metric) == 0) {
			v->line[i] = *x;
			return 0;
		}
	if ((line = array_grow(v->line, v->n, &v->room,
	    sizeof *line)) == NULL)
		return -ENOMEM;
	v->line = line;
	line[v->n++] = *x;
	return 0;
}

static int
take_row(struct node_view *v, struct lex *l, enum view_kind kind,
    struct diag *why)
{
	struct view_line x = { .kind = kind, .above = -INFINITY };
	int rc;

	if ((rc = take_text(v, l, LEX_NAME, &x.metric, "a metric's name",
	    why)) < 0 || (rc = take_decimals(l, &x.decimals, why)) < 0 ||
	    (rc = take_text(v, l, LEX_STRING, &x.title, "a title, in quotes,",
	    why)) < 0 || (rc = take_when(v, l, &x, why)) < 0)
		return rc;
	return put(v, &x);
}

static int
take_statement(struct node_view *v, struct lex *l, unsigned depth,
    struct diag *why)
{
	struct view_line x = { .kind = VIEW_HEADING };
	bool boxes = lex_word(l, "boxes"), include = lex_word(l, "include");
	const char *name;
	int rc;

	if (!boxes && !include && !lex_word(l, "row") &&
	    !lex_word(l, "heading"))
		return lex_fail(l, why, "`heading`, `row`, `boxes` or "
		    "`include` expected");
	if (boxes || lex_word(l, "row")) {
		lex_next(l);
		return take_row(v, l, boxes ? VIEW_BOXES : VIEW_ROW, why);
	}
	lex_next(l);
	if ((rc = take_text(v, l, LEX_STRING, include ? &name : &x.title,
	    include ? "a view's name, in quotes," : "a title, in quotes,",
	    why)) < 0)
		return rc;
	if (l->kind != LEX_END && l->kind != LEX_STOP)
		return lex_fail(l, why, "the end of the statement expected");
	return include ? load(v, name, depth + 1, why) : put(v, &x);
}

static int
load(struct node_view *v, const char *name, unsigned depth, struct diag *why)
{
	struct lex l;
	char *text;
	size_t size;
	int rc;

	if (depth > MAX_INCLUDES)
		return diag_set(why, -EINVAL, "%s: views include one another",
		    name);
	if ((rc = text_load(name, TEXT_VIEW, &text, &size, why)) < 0)
		return rc;
	lex_init(&l, name, text, size, true);
	while (rc == 0 && l.kind != LEX_END) {
		if (l.kind == LEX_STOP)
			lex_statement(&l);
		rc = take_statement(v, &l, depth, why);
	}
	free(text);
	return rc;
}

int
node_view_load(struct node_view *v, const char *name, struct diag *why)
{
	*v = (struct node_view){ .arena = arena_new() };
	if (v->arena == NULL)
		return -ENOMEM;
	return load(v, name, 0, why);
}

void
node_view_fini(struct node_view *v)
{
	arena_free(v->arena);
	free(v->line);
	*v = (struct node_view){ .n = 0 };
}
