/*
 * postproc/metrics/node_view.c - the text of a view.
 *
 *   file      = { statement }            each begins at the first column
 *   statement = "include" STRING | WORD { field } { item } { option }
 *
 * The table `statements` has the fields, items and options of each.
 */
#include "postproc/metrics/node_view.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/arena.h"
#include "config/include.h"
#include "config/texts.h"
#include "postproc/formula/lex.h"
#include "lib/array.h"

#define MAX_DECIMALS 9

/*
 * Letters of fields and items:
 *   m a metric, o another metric, M the end of metrics' names, in quotes
 *   d decimals    s a scope    p one of the words of `places`
 *   t a title     l a title that may be ""    u a unit, which may be left out
 * Options are words; node_view_take_option reads what follows each.
 */
static const struct statement {
	const char *word, *fields, *items, *options;
	bool once;              /* one per metric: a second one replaces the first */
	const char *places;
} statements[VIEW_KINDS] = {
	[VIEW_HEADING] = { "heading", "t", "", "", false, NULL },
	[VIEW_ROW] = { "row", "mdt", "", "more rare above without", true, NULL },
	[VIEW_BOXES] = { "boxes", "mdt", "", "more rare above without", true, NULL },
	[VIEW_TABLE] = { "table", "pst", "mdtu", "", false,
	    "core lproc device busiest parts payload l3 latency" },
	[VIEW_GRID_ROW] = { "grid_row", "mt", "", "note", true, NULL },
	[VIEW_GRID_COLUMN] = { "grid_column", "Mdtu", "", "spare note", true, NULL },
	[VIEW_CLOCK] = { "clock", "mdt", "", "beside", true, NULL },
	[VIEW_TRAFFIC] = { "traffic", "pmlt", "", "", false,
	    "any superchip hopper hoppers sockets" },
	[VIEW_SERIES] = { "series", "", "m", "", false, NULL },
	[VIEW_SAME] = { "same", "m", "m", "", true, NULL },
	[VIEW_GLANCE] = { "glance", "tl", "ml", "", false, NULL },
	[VIEW_STILL] = { "still", "", "m", "", false, NULL },
	[VIEW_PART] = { "part", "psll", "m", "with load of module", false,
	    "title above beside cores modules caches slices inside below "
	    "stacks" },
	[VIEW_LEVELS] = { "levels", "m", "", "links without", true, NULL },
	[VIEW_RATIO] = { "ratio", "mo", "m", "", false, NULL },
	[VIEW_CAUSE] = { "cause", "", "t", "", false, NULL },
	[VIEW_FIGURE] = { "figure", "mdtu", "", "amount by", false, NULL },
	[VIEW_COMMENT] = { "comment", "", "mt", "", false, NULL },
	[VIEW_SIGN] = { "sign", "pl", "m", "note", false, "gpu sockets link" },
	[VIEW_SLOW] = { "slow", "mott", "", "", false, NULL },
	[VIEW_ROOFLINE] = { "roofline", "", "m", "", false, NULL },
	[VIEW_LINE] = { "line", "st", "mdlu", "or gauge module rare note",
	    false, NULL },
};

static int node_view_load_file(struct node_view *, struct include *,
    const struct lex *at, struct diag *why);

static int
node_view_take_name(struct node_view *v, struct lex *l, const char **out,
    const char *what, struct diag *why)
{
	return lex_text(l, v->arena, LEX_NAME, out, what, why);
}

static int
take_title(struct node_view *v, struct lex *l, const char **out, bool empty,
    struct diag *why)
{
	return empty ? lex_quoted(l, v->arena, out, "a title, in quotes,", why) :
	    lex_text(l, v->arena, LEX_STRING, out, "a title, in quotes,", why);
}

static int
take_whole(struct lex *l, int *out, int most, const char *what,
    struct diag *why)
{
	if (l->kind != LEX_NUMBER || !(l->number >= 0 &&
	    l->number <= most) || l->number != floor(l->number))
		return lex_fail(l, why, "%s, 0 to %d, expected", what, most);
	*out = (int)l->number;
	lex_next(l);
	return 0;
}

/* Takes a field of a statement, or one of an item, whose letter is c. */
static int
take_common(struct node_view *v, struct lex *l, char c, struct view_item *x,
    struct diag *why)
{
	switch (c) {
	case 'm':
		return node_view_take_name(v, l, &x->metric, "a metric's name",
		    why);
	case 'M':
		return take_title(v, l, &x->metric, true, why);
	case 'd':
		return take_whole(l, &x->decimals, MAX_DECIMALS, "decimals",
		    why);
	case 'u':
		return l->kind == LEX_STRING ? take_title(v, l, &x->unit, true,
		    why) : 0;
	default:
		return take_title(v, l, &x->title, c == 'l', why);
	}
}

/* Is the present word one of a list, "more rare above"? */
static bool
is_one_of(const struct lex *l, const char *words)
{
	size_t n;

	for (; *words != '\0'; words += n + (words[n] != '\0')) {
		n = strcspn(words, " ");
		if (l->kind == LEX_NAME && l->len == n &&
		    memcmp(l->text, words, n) == 0)
			return true;
	}
	return false;
}

/* Fails with "`more` or `rare` expected" for the words "more rare". */
static int
node_view_expected(const struct lex *l, const char *words, const char *or_else,
    struct diag *why)
{
	char text[200] = "";
	size_t used = 0;

	for (size_t n; *words != '\0'; words += n + (words[n] != '\0')) {
		bool last;

		n = strcspn(words, " ");
		last = words[n] == '\0' && or_else == NULL;
		used += (size_t)snprintf(text + used, sizeof text - used,
		    "%s`%.*s`", used == 0 ? "" : last ? " or " : ", ", (int)n,
		    words);
	}
	if (or_else != NULL)
		snprintf(text + used, sizeof text - used, "%s%s",
		    used > 0 ? " or " : "", or_else);
	return lex_fail(l, why, "%s expected", text);
}

static int
take_fields(struct node_view *v, struct lex *l, const struct statement *s,
    struct view_line *x, struct diag *why)
{
	const char *fields = s->fields;
	struct view_item of = { .title = "", .unit = "" };
	bool titled = false;
	int rc = 0;

	for (; rc == 0 && *fields != '\0'; fields++) {
		if (*fields == 'p')
			rc = is_one_of(l, s->places) ? node_view_take_name(v, l,
			    &x->place, "a place", why) :
			    node_view_expected(l, s->places, NULL, why);
		else if (*fields == 's')
			rc = scope_take(l, &x->scope, why);
		else if (*fields == 'o')
			rc = node_view_take_name(v, l, &x->other,
			    "a metric's name", why);
		else if (titled && (*fields == 't' || *fields == 'l'))
			rc = take_title(v, l, &x->label, *fields == 'l', why);
		else
			rc = take_common(v, l, *fields, &of, why);
		titled |= *fields == 't' || *fields == 'l';
	}
	x->metric = of.metric;
	x->title = of.title;
	x->unit = of.unit;
	x->decimals = of.decimals;
	return rc;
}

static int
take_item(struct node_view *v, struct lex *l, const char *fields,
    struct view_item of, struct view_line *x, struct diag *why)
{
	int rc = 0;

	for (; rc == 0 && *fields != '\0'; fields++)
		rc = take_common(v, l, *fields, &of, why);
	if (rc < 0)
		return rc;
	if (!array_room(&x->item, x->nitem, &x->room, sizeof *x->item))
		return -ENOMEM;
	x->item[x->nitem++] = of;
	return 0;
}

/* Takes a word that says something about the items behind it. */
static bool
take_word(struct lex *l, struct view_item *of)
{
	bool *said = lex_word(l, "with") ? &of->with : lex_word(l, "or") ?
	    &of->or : lex_word(l, "gauge") ? &of->gauge : NULL;

	if (said == NULL)
		return false;
	*said = true;
	lex_next(l);
	return true;
}

/* Takes an option of the statement. */
static int
node_view_take_option(struct node_view *v, struct lex *l, struct view_line *x,
    struct diag *why)
{
	struct lex word = *l;
	int n, rc;

	lex_next(l);
	x->more |= lex_word(&word, "more");
	x->rare |= lex_word(&word, "rare");
	x->spare |= lex_word(&word, "spare");
	x->links |= lex_word(&word, "links");
	x->amount |= lex_word(&word, "amount");
	if (lex_word(&word, "above"))
		return lex_signed(l, &x->above, why);
	if (lex_word(&word, "without"))
		return node_view_take_name(v, l, &x->without, "a metric's name",
		    why);
	if (lex_word(&word, "load") || lex_word(&word, "beside") ||
	    lex_word(&word, "by"))
		return node_view_take_name(v, l, &x->other, "a metric's name",
		    why);
	if (lex_word(&word, "of"))
		return take_title(v, l, &x->unit, false, why);
	if (lex_word(&word, "note"))
		return take_title(v, l, &x->note, false, why);
	if (!lex_word(&word, "module"))
		return 0;
	rc = take_whole(l, &n, 99, "a module", why);
	x->module = (unsigned)n + 1;
	return rc;
}

static int
node_view_take_rest(struct node_view *v, struct lex *l,
    const struct statement *s, struct view_line *x, struct diag *why)
{
	struct view_item of = { .title = "", .unit = "" };
	int rc = 0;

	while (rc == 0 && l->kind != LEX_END && l->kind != LEX_STOP) {
		bool option = is_one_of(l, s->options);

		if (option && take_word(l, &of))
			continue;
		if (option)
			rc = node_view_take_option(v, l, x, why);
		else if (s->items[0] != '\0' && (l->kind == LEX_STRING) ==
		    (s->items[0] == 't')) {
			rc = take_item(v, l, s->items, of, x, why);
			of.or = of.gauge = false;
		} else
			return node_view_expected(l, s->options, s->items[0] == 't' ?
			    "a title, in quotes," : s->items[0] != '\0' ?
			    "a metric's name" : s->options[0] == '\0' ?
			    "the end of the statement" : NULL, why);
	}
	return rc;
}

/* The place for a statement: that of the one that it replaces, which has the same
 * metric, or behind all others.  NULL: no memory. */
static struct view_line *
node_view_place_of(struct node_view *v, const struct view_line *x)
{
	for (unsigned i = 0; statements[x->kind].once && i < v->n; i++)
		if (v->line[i].kind == x->kind &&
		    *v->line[i].metric == *x->metric &&
		    strcmp(v->line[i].metric, x->metric) == 0) {
			free(v->line[i].item);
			return &v->line[i];
		}
	if (!array_room(&v->line, v->n, &v->room, sizeof *v->line))
		return NULL;
	return &v->line[v->n++];
}

static int
take_include(struct node_view *v, struct lex *l, struct include *by,
    struct diag *why)
{
	struct include in = { .by = by, .line = l->word_line };
	const char *name;
	struct lex at;
	int rc;

	lex_next(l);
	at = *l;
	if ((rc = lex_text(l, v->arena, LEX_STRING, &name, "a view's name, in "
	    "quotes,", why)) < 0 || (rc = lex_ended(l, why)) < 0)
		return rc;
	if ((in.file = include_path(v->arena, by->file, name)) == NULL)
		return -ENOMEM;
	return node_view_load_file(v, &in, &at, why);
}

static int
take_statement(struct node_view *v, struct lex *l, struct include *in,
    struct diag *why)
{
	struct view_line x = { .above = -INFINITY, .label = "", .place = "",
	    .note = "" }, *at;
	int rc;

	if (lex_word(l, "include"))
		return take_include(v, l, in, why);
	while (x.kind < VIEW_KINDS && !lex_word(l, statements[x.kind].word))
		x.kind++;
	if (x.kind == VIEW_KINDS)
		return lex_fail(l, why, "`heading`, `row`, `boxes`, `include` or "
		    "another statement of views expected");
	lex_next(l);
	rc = take_fields(v, l, &statements[x.kind], &x, why);
	if (rc == 0)
		rc = node_view_take_rest(v, l, &statements[x.kind], &x, why);
	at = rc == 0 ? node_view_place_of(v, &x) : NULL;
	if (at == NULL) {
		free(x.item);
		return rc < 0 ? rc : -ENOMEM;
	}
	*at = x;
	return 0;
}

/* The name of a view for the CPU of the dump: "@node-grace" for "@node", but not where
 * "@node-grace" itself includes "@node". */
static const char *
name_here(const struct node_view *v, const struct include *in, char *buf,
    size_t size)
{
	if (v->model == NULL || in->file[0] != '@')
		return in->file;
	snprintf(buf, size, "%s-%s", in->file, v->model->name);
	return (in->by == NULL || strcmp(buf, in->by->file) != 0) &&
	    text_named(buf, TEXT_VIEW) != NULL ? buf : in->file;
}

/* Reads one file or built-in text of a view.  in: how it is included. */
static int
node_view_load_file(struct node_view *v, struct include *in,
    const struct lex *at, struct diag *why)
{
	char buf[64], *text;
	struct diag words;
	struct lex l;
	size_t size;
	int rc;

	in->file = name_here(v, in, buf, sizeof buf);
	if ((rc = include_may(in, &words)) == 0)
		rc = text_load(in->file, TEXT_VIEW, &text, &size, &words);
	if (rc < 0)
		return at != NULL && rc != -ENOMEM ? lex_fail(at, why, "%.900s",
		    words.text) : diag_set(why, rc, "%s", words.text);
	lex_init(&l, in->file, text, size, true);
	while (rc == 0 && l.kind != LEX_END) {
		if (l.kind == LEX_STOP)
			lex_statement(&l);
		rc = take_statement(v, &l, in, why);
	}
	if (rc == -EINVAL)
		include_failed(in, why);
	free(text);
	return rc;
}

int
node_view_load(struct node_view *v, const char *name,
    const struct model *model, struct diag *why)
{
	struct include in = { .file = name };

	*v = (struct node_view){ .arena = arena_new(), .model = model };
	if (v->arena == NULL)
		return -ENOMEM;
	return node_view_load_file(v, &in, NULL, why);
}

void
node_view_fini(struct node_view *v)
{
	for (unsigned i = 0; i < v->n; i++)
		free(v->line[i].item);
	arena_free(v->arena);
	free(v->line);
	*v = (struct node_view){ .n = 0 };
}

const struct view_line *
view_next(const struct node_view *v, enum view_kind kind,
    const struct view_line *x)
{
	for (x = x == NULL ? v->line : x + 1; x != NULL && x < v->line + v->n;
	    x++)
		if (x->kind == kind)
			return x;
	return NULL;
}
